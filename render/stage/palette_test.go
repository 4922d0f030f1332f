package stage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

// paletteOf is a stage with the palette open and that written in it.
func paletteOf(t *testing.T, draft string, size [2]float64) *Stage {
	s := New(played(t, "two-consumers"), Session{Width: size[0], Height: size[1]})
	act(s, Last, "", 0)
	act(s, Open, "palette", 0)
	act(s, Type, draft, 0)
	return s
}

func TestThePaletteFindsThingsAndLessons(t *testing.T) {
	s := paletteOf(t, "c2", sizes[0])
	require.Equal(t, scene.Action{Do: Select, Arg: "node:C2"}, scene.Find(s.Scene(), firstFound).Action)
	require.True(t, act(s, Choose, "", 0))
	require.Equal(t, "node:C2", s.Session().Selected)
	require.Empty(t, s.Session().Overlay, "choosing closes it")

	s = paletteOf(t, "read_committed last stable offset", sizes[0])
	require.True(t, act(s, Choose, "", 0))
	require.Equal(t, "last-stable-offset", s.Session().Lesson)
}

func TestThePaletteFitsWhateverIsWrittenInIt(t *testing.T) {
	for _, size := range sizes {
		for _, draft := range []string{"", "T", "nothing says xyzzyplugh", strings.Repeat("why is my consumer removed ", 30), "<b>&\u202e\x00\n", "消费者"} {
			s := paletteOf(t, draft, size)
			s.Scene()
			sc := &scene.Scene{Width: size[0], Height: size[1], Shapes: s.made.overlay}
			require.Empty(t, scene.Faults(sc, moves), "%q, %v", draft, size)
		}
	}
}

func TestWhatIsPastedIntoThePaletteBecomesOneLine(t *testing.T) {
	s := paletteOf(t, "a\nb\u202e\x00c", sizes[0])
	require.Equal(t, "a bc", s.Session().Draft)
	act(s, Type, strings.Repeat("x", 10_000), 0)
	require.Len(t, s.Session().Draft, longestDraft)
}
