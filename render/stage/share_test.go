package stage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

func TestANoticeIsSaidUntilTheNextActionAndFits(t *testing.T) {
	for _, size := range sizes {
		s := New(played(t, "two-consumers"), Session{Width: size[0], Height: size[1]})
		s.Notice(LinkRefused, "list", strings.Repeat("crash C9; ", 12))
		require.Empty(t, scene.Faults(&scene.Scene{Width: size[0], Height: size[1], Shapes: []scene.Shape{*scene.Find(s.Scene(), "notice")}}, moves))
		require.Contains(t, s.Announce(), "crash C9")
		act(s, Hover, "node:C1", 0)
		require.NotNil(t, scene.Find(s.Scene(), "notice"), "the pointer means nothing by passing")
		act(s, Step, "", 0)
		require.Nil(t, scene.Find(s.Scene(), "notice"))
	}
}
