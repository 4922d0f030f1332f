package scene

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/render/fonts/han"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var (
	words = Font{Size: 14}
	code  = Font{Face: Mono, Size: 13}
)

func TestWidthGrowsWithSize(t *testing.T) {
	require.InDelta(t, 2*Width(Font{Size: 10}, "rebalance"), Width(Font{Size: 20}, "rebalance"), 1e-9)
	require.Greater(t, Width(Font{Size: 10, Bold: true}, "rebalance"), Width(Font{Size: 10}, "rebalance"))
}

func TestMonoCharactersAreEquallyWide(t *testing.T) {
	require.InDelta(t, Width(code, "iiii"), Width(code, "WW{}"), 1e-9)
}

func TestFiguresOfTheSansAreEquallyWide(t *testing.T) {
	require.InDelta(t, Width(words, "11111"), Width(words, "80469"), 1e-9)
}

func TestWrapBreaksEnglishAtBlanks(t *testing.T) {
	text := "The new owner starts at the committed offsets."
	lines := Wrap(words, text, 120)
	require.Greater(t, len(lines), 2)
	require.Equal(t, text, strings.Join(lines, " "))
}

func TestWrapKeepsChineseMarksOffTheWrongEnds(t *testing.T) {
	text := "消费者组（consumer group）里有两个成员：C1 和 C2。会话超时之后，协调者说：“开始再平衡！”于是《分配方案》作废、代数加一……"
	for width := 90.0; width < 400; width++ {
		lines := Wrap(words, text, width)
		require.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
		for _, line := range lines {
			first, _ := utf8.DecodeRuneInString(line)
			last, _ := utf8.DecodeLastRuneInString(line)
			require.NotContains(t, "，。、：；！？）》”…", string(first), "width %v: %q", width, lines)
			require.NotContains(t, "（《“", string(last), "width %v: %q", width, lines)
		}
	}
}

func TestWrapBreaksBetweenHanziWithoutBlanks(t *testing.T) {
	require.Equal(t, []string{"再平衡开", "始了"}, Wrap(words, "再平衡开始了", 4*words.Size))
}

func TestWrapBreaksLongNamesAfterAMark(t *testing.T) {
	name := "group.initial.rebalance.delay.ms"
	lines := Wrap(code, name, Width(code, "group.initial.rebal"))
	require.Equal(t, []string{"group.initial.", "rebalance.delay.ms"}, lines)
}

func TestWrapBreaksAWordWithoutMarksBetweenCharacters(t *testing.T) {
	require.Equal(t, []string{"aaaa", "aaaa", "aa"}, Wrap(code, "aaaaaaaaaa", Width(code, "aaaa")))
}

func TestWrapNeverSplitsACharacter(t *testing.T) {
	family := "👩‍👩‍👧"
	require.Equal(t, []string{family, family}, Wrap(words, family+family, 1))
}

func TestWrapKeepsLineFeedsAndEmptyLines(t *testing.T) {
	require.Equal(t, []string{"a", "", "b"}, Wrap(words, "a\n\nb", 100))
	require.Empty(t, Wrap(words, "", 100))
}

func TestWrappedLinesFitAndLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab C1.-_,中文。（）“”…é \u0301"))).Draw(t, "text")
		width := rapid.Float64Range(0, 200).Draw(t, "width")
		lines := Wrap(words, text, width)
		for _, line := range lines {
			if len(characterEnds([]rune(line))) > 1 {
				require.LessOrEqual(t, Width(words, line), width, "%q", line)
			}
		}
		blank := strings.NewReplacer(" ", "", "\u3000", "")
		require.Equal(t, blank.Replace(text), blank.Replace(strings.Join(lines, "")))
	})
}

func TestEllipsisFits(t *testing.T) {
	require.Equal(t, "payments", Ellipsis(words, "payments", 200))
	short := Ellipsis(words, "__consumer_offsets-13", 80)
	require.True(t, strings.HasSuffix(short, "…"))
	require.True(t, strings.HasPrefix(short, "__con"))
	require.LessOrEqual(t, Width(words, short), 80.0)
	require.Equal(t, "…", Ellipsis(words, "wide", 15))
	require.Empty(t, Ellipsis(words, "wide", 1))
}

func BenchmarkWrapEnglish(b *testing.B) {
	text := strings.Repeat("C2 last committed offsets 7 and 8 but had processed up to 11 and 13. ", 8)
	b.ReportAllocs()
	for b.Loop() {
		Wrap(words, text, 360)
	}
}

func BenchmarkWrapChinese(b *testing.B) {
	text := strings.Repeat("消费者崩溃之后，协调者要等到会话超时（session.timeout.ms）才会发起再平衡。", 8)
	b.ReportAllocs()
	for b.Loop() {
		Wrap(words, text, 360)
	}
}

func BenchmarkWidth(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Width(words, "REBALANCE_IN_PROGRESS")
	}
}
