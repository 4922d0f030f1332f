package fonts_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/fonts"
	"groupscope/render/fonts/han"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestEveryCharacterOfTheWordsHasAGlyph(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, dir := range []string{"lessons", filepath.Join("render", "stage", "words")} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".json" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if missing := fonts.Missing(string(text)); len(missing) > 0 {
				t.Errorf("%s: no glyph for %s; make fonts adds them", path, quote(missing))
			}
			return nil
		})
		require.NoError(t, err)
	}
}

func quote(runes []rune) string {
	s, err := json.Marshal(string(runes))
	if err != nil {
		return err.Error()
	}
	return string(s)
}

func TestMissingNamesARuneOnce(t *testing.T) {
	require.Equal(t, []rune("🦀𓀀"), fonts.Missing("a🦀b🦀中𓀀"))
}

func TestInvisibleRunesTakeNoRoom(t *testing.T) {
	glyphs, width := fonts.Lay(nil, fonts.Regular, "\u202e\u200d\ufeff")
	require.Empty(t, glyphs)
	require.Zero(t, width)
	require.InDelta(t, fonts.Width(fonts.Regular, "ab"), fonts.Width(fonts.Regular, "a\u2066b"), 1e-9)
}

func TestLayAndWidthAgree(t *testing.T) {
	for style := fonts.Regular; style <= fonts.MonoBold; style++ {
		for _, text := range []string{"", "AVATAR To.", "poll(ofMillis(100)); // 提交", "“再平衡”（一）。"} {
			_, width := fonts.Lay(nil, style, text)
			require.Equal(t, width, fonts.Width(style, text), "%q", text)
		}
	}
}

func TestPairsAreKerned(t *testing.T) {
	sum := fonts.Width(fonts.Regular, "A") + fonts.Width(fonts.Regular, "V")
	require.Less(t, fonts.Width(fonts.Regular, "AV"), sum)
}

func TestChineseMarksThatMeetShareTheirRoom(t *testing.T) {
	require.Equal(t, 4.0, fonts.Width(fonts.Regular, "好”。（一"))
	require.Equal(t, 3.0, fonts.Width(fonts.Regular, "好。一"))
}

func TestQuotesAreWideAmongHanziAlone(t *testing.T) {
	require.Equal(t, 4.0, fonts.Width(fonts.Regular, "“好好”"))
	require.Less(t, fonts.Width(fonts.Regular, "“ok”"), 3.0)
}

func TestMonoStaysMonoAndBoldStaysBoldInChinese(t *testing.T) {
	require.InDelta(t, fonts.Width(fonts.Mono, "0")*3, fonts.Width(fonts.Mono, "a{;"), 1e-9)
	regular, _ := fonts.Lay(nil, fonts.Regular, "中")
	mono, _ := fonts.Lay(nil, fonts.Mono, "中")
	require.Equal(t, regular[0].Glyph, mono[0].Glyph)
}

func TestBoldChineseIsNeverMixed(t *testing.T) {
	rare := "懿" // in neither the words nor, so far, the bold font
	bold, _ := fonts.Lay(nil, fonts.Bold, "中")
	mixed, _ := fonts.Lay(nil, fonts.Bold, "中"+rare)
	regular, _ := fonts.Lay(nil, fonts.Regular, "中")
	require.NotEqual(t, regular[0].Glyph, bold[0].Glyph)
	require.Equal(t, regular[0].Glyph, mixed[0].Glyph)
}

func TestOutlinesAreClosedFiguresAboveTheBaseline(t *testing.T) {
	glyphs, _ := fonts.Lay(nil, fonts.Regular, "H")
	outline := glyphs[0].Glyph.Outline(nil)
	require.NotEmpty(t, outline)
	require.Equal(t, fonts.MoveTo, outline[0].Op)
	heights := fonts.Heights(fonts.Regular)
	for _, s := range outline {
		require.LessOrEqual(t, s.Y, 0.0)
		require.GreaterOrEqual(t, s.Y, -heights.CapHeight-0.001)
	}
}

func TestABrokenChineseFontIsRefused(t *testing.T) {
	require.Error(t, fonts.SetHan([]byte("not a font")))
	require.True(t, fonts.HasHan())
}
