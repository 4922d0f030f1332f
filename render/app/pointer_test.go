package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
	"groupscope/render/stage"
)

// hand moves a pointer over a player's picture.
type hand struct {
	player  *Player
	pointer pointer
	touch   bool
}

func (h *hand) at(x, y float64, down bool) {
	h.pointer.feed(h.player, Sample{X: x, Y: y, Down: down, Touch: h.touch})
}

// middle is the middle of the shape that does an action.
func (h *hand) middle(t *testing.T, action string) (x, y float64) {
	t.Helper()
	var box scene.Box
	scene.Walk(h.player.Scene(), func(shape *scene.Shape) bool {
		if shape.Action.Do == action && shape.Focus > 0 {
			box = scene.Bounds(shape)
		}
		return true
	})
	require.False(t, box.Empty(), "nothing does %s", action)
	return box.X + box.W/2, box.Y + box.H/2
}

func TestAPressAndAReleaseOnOneShapeIsAClick(t *testing.T) {
	h := &hand{player: firstLesson(0)}
	x, y := h.middle(t, stage.Last)
	h.at(x, y, true)
	require.Zero(t, h.player.State().Event, "nothing happens before the release")
	h.at(x, y, false)
	require.Equal(t, h.player.State().Events, h.player.State().Event)
}

func TestAReleaseElsewhereIsNoClick(t *testing.T) {
	h := &hand{player: firstLesson(0)}
	x, y := h.middle(t, stage.Last)
	h.at(x, y, true)
	h.at(x, y-300, true)
	h.at(x, y-300, false)
	require.Zero(t, h.player.State().Event)
}

func TestASliderFollowsThePointerBeyondItsEnds(t *testing.T) {
	h := &hand{player: firstLesson(0)}
	x, y := h.middle(t, stage.Scrub)
	h.at(x, y, true)
	middle := h.player.State().Event
	require.Positive(t, middle)
	h.at(5000, y-200, true)
	require.Equal(t, h.player.State().Events, h.player.State().Event)
	h.at(-5000, y, true)
	require.Zero(t, h.player.State().Event)
	h.at(-5000, y, false)
}

// The knob rests on the mark of a beat, which is a button of its own: dragging it still moves the knob.
func TestASliderIsTakenHoldOfThroughWhatLiesOverIt(t *testing.T) {
	h := &hand{player: firstLesson(0)}
	var mark scene.Box
	scene.Walk(h.player.Scene(), func(shape *scene.Shape) bool {
		if shape.Action.Do == stage.Seek && shape.Action.N > 0 && mark.Empty() {
			mark = scene.Bounds(shape)
		}
		return true
	})
	require.False(t, mark.Empty())
	x, y := mark.X+mark.W/2, mark.Y+mark.H/2
	h.at(x, y, true)
	require.Zero(t, h.player.State().Event)
	h.at(5000, y, true)
	h.at(5000, y, false)
	require.Equal(t, h.player.State().Events, h.player.State().Event)
}

func TestAFingerThatMovesDoesNotTap(t *testing.T) {
	h := &hand{player: firstLesson(0), touch: true}
	x, y := h.middle(t, stage.Last)
	h.at(x, y, true)
	h.at(x, y+20, true)
	h.at(x, y, false)
	require.Zero(t, h.player.State().Event)
	h.at(x, y, true)
	h.at(x+2, y+2, true)
	h.at(x+2, y+2, false)
	require.Equal(t, h.player.State().Events, h.player.State().Event)
}

func TestAFingerScrollsWhatIsUnderIt(t *testing.T) {
	h := &hand{player: NewPlayer(Place{Session: stage.Session{Event: 120, Width: 390, Height: 500, Panel: "code"}}), touch: true}
	var pane scene.Box
	scene.Walk(h.player.Scene(), func(shape *scene.Shape) bool {
		if shape.Clip && shape.ID != "" {
			pane = scene.Bounds(shape)
		}
		return true
	})
	require.False(t, pane.Empty(), "nothing can be scrolled")
	x, y := pane.X+pane.W/2, pane.Y+pane.H/2
	h.at(x, y, true)
	h.at(x, y-40, true)
	h.at(x, y-60, true)
	h.at(x, y-60, false)
	require.NotEmpty(t, h.player.Session().Scroll)
}

// swiped moves a finger sideways over a pane.
func (h *hand) swiped(t *testing.T, pane string, by float64) {
	t.Helper()
	shape := scene.Find(h.player.Scene(), stage.PanePrefix+pane)
	require.NotNil(t, shape, pane)
	box := scene.Bounds(shape)
	x, y := box.X+box.W/2, box.Y+box.H/2
	h.at(x, y, true)
	h.at(x+by/2, y+1, true)
	h.at(x+by, y+2, true)
	h.at(x+by, y+2, false)
}

func TestASwipeStepsThroughEventsAndBeats(t *testing.T) {
	h := &hand{player: firstLesson(0), touch: true}
	h.player.Resize(390, 844)
	h.swiped(t, "picture", -80)
	require.Equal(t, 1, h.player.State().Event, "to the left: on")
	h.swiped(t, "picture", 80)
	require.Zero(t, h.player.State().Event, "to the right: back")
	h.swiped(t, "picture", -30)
	require.Zero(t, h.player.State().Event, "too short")
	second := h.player.State().Beats[1]
	h.swiped(t, "narration", -80)
	require.Equal(t, second, h.player.Beat())
	h.swiped(t, "narration", 80)
	require.Equal(t, h.player.State().Beats[0], h.player.Beat())
}
