package scene

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	black = Color{A: 255}
	step  = Action{Do: "step"}
)

func TestBoundsOfATextFollowItsAlignment(t *testing.T) {
	text := Shape{Kind: Text, X: 100, Y: 50, Text: "offset", Font: words}
	width := Width(words, "offset")
	require.InDelta(t, 100, Bounds(&text).X, 1e-9)
	text.Align = Center
	require.InDelta(t, 100-width/2, Bounds(&text).X, 1e-9)
	text.Align = Right
	require.InDelta(t, 100-width, Bounds(&text).X, 1e-9)
	require.Less(t, Bounds(&text).Y, 50-0.7*words.Size)
}

func TestBoundsOfAGroupWithoutABoxHoldItsKids(t *testing.T) {
	group := Shape{Kids: []Shape{
		{Kind: Rect, X: 10, Y: 10, W: 5, H: 5},
		{Kind: Circle, X: 30, Y: 12, Radius: 4},
		{Kind: Line, Points: []Point{{0, 12}, {3, 40}}},
	}}
	require.Equal(t, Box{X: 0, Y: 8, W: 34, H: 32}, Bounds(&group))
}

func TestFindOfNoIDFindsNothing(t *testing.T) {
	require.Nil(t, Find(&Scene{Shapes: []Shape{{Kind: Rect}, {ID: "a"}}}, ""))
}

func TestFindGoesIntoGroups(t *testing.T) {
	s := &Scene{Shapes: []Shape{{ID: "outer", Kids: []Shape{{ID: "inner", Kind: Circle}}}}}
	require.Equal(t, Circle, Find(s, "inner").Kind)
	require.Nil(t, Find(s, "absent"))
}

func TestWalkLeavesOutTheKidsOfARefusedShape(t *testing.T) {
	s := &Scene{Shapes: []Shape{{ID: "a", Kids: []Shape{{ID: "b"}}}, {ID: "c"}}}
	var seen []string
	Walk(s, func(sh *Shape) bool {
		seen = append(seen, sh.ID)
		return sh.ID != "a"
	})
	require.Equal(t, []string{"a", "c"}, seen)
}

func TestHitFindsTheTopmostShapeThatWantsThePointer(t *testing.T) {
	s := &Scene{Shapes: []Shape{
		{ID: "low", Kind: Rect, W: 100, H: 100, Action: step},
		{ID: "high", Kind: Rect, X: 50, W: 50, H: 50, Tip: "why"},
		{ID: "glass", Kind: Rect, W: 100, H: 100},
	}}
	require.Equal(t, "low", Hit(s, 10, 10).ID)
	require.Equal(t, "high", Hit(s, 60, 10).ID)
	require.Equal(t, "low", Hit(s, 60, 60).ID)
	require.Nil(t, Hit(s, 160, 60))
}

func TestHitDoesNotSeeWhatAClipHides(t *testing.T) {
	s := &Scene{Shapes: []Shape{{
		Clip: true, W: 20, H: 20,
		Kids: []Shape{{ID: "long", Kind: Rect, W: 100, H: 10, Action: step}},
	}}}
	require.Equal(t, "long", Hit(s, 10, 5).ID)
	require.Nil(t, Hit(s, 50, 5))
}

func TestHitStopsAtADialog(t *testing.T) {
	s := &Scene{Shapes: []Shape{
		{ID: "below", Kind: Rect, W: 100, H: 100, Action: step},
		{ID: "dialog", X: 10, Y: 10, W: 50, H: 50, Role: Dialog, Kids: []Shape{
			{ID: "close", Kind: Rect, X: 10, Y: 10, W: 10, H: 10, Action: step},
		}},
	}}
	require.Equal(t, "close", Hit(s, 15, 15).ID)
	require.Nil(t, Hit(s, 40, 40))
	require.Equal(t, "below", Hit(s, 80, 80).ID)
}

func TestHitFollowsTheFigure(t *testing.T) {
	line := []Point{{0, 0}, {100, 100}}
	cases := map[string]struct {
		shape   Shape
		in, out Point
	}{
		"circle":  {Shape{Kind: Circle, X: 50, Y: 50, Radius: 20}, Point{62, 62}, Point{68, 68}},
		"arc":     {Shape{Kind: Arc, X: 50, Y: 50, Radius: 20, StrokeWidth: 4}, Point{50, 27}, Point{50, 22}},
		"line":    {Shape{Kind: Line, Points: line, StrokeWidth: 1}, Point{52, 49}, Point{60, 40}},
		"polygon": {Shape{Kind: Polygon, Points: []Point{{0, 0}, {90, 0}, {0, 90}}}, Point{30, 30}, Point{70, 70}},
		"curve":   {Shape{Kind: Curve, Points: []Point{{0, 0}, {0, 100}, {100, 100}, {100, 0}}}, Point{50, 75}, Point{50, 50}},
		"text":    {Shape{Kind: Text, X: 10, Y: 50, Text: "Next", Font: words}, Point{15, 46}, Point{15, 60}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.shape.Action = step
			s := &Scene{Shapes: []Shape{c.shape}}
			require.NotNil(t, Hit(s, c.in.X, c.in.Y))
			require.Nil(t, Hit(s, c.out.X, c.out.Y))
		})
	}
}

func TestContrast(t *testing.T) {
	white := Color{255, 255, 255, 255}
	require.InDelta(t, 21, Contrast(black, white), 0.01)
	require.InDelta(t, 4.54, Contrast(Color{R: 0x76, G: 0x76, B: 0x76, A: 255}, white), 0.01)
	require.InDelta(t, 1, Contrast(white, white), 1e-9)
}

func TestOverMixesByAlpha(t *testing.T) {
	require.Equal(t, Color{128, 128, 128, 255}, Color{0, 0, 0, 127}.Over(Color{255, 255, 255, 255}))
}

func labels(shapes ...Shape) *Scene {
	for i := range shapes {
		shapes[i].Kind, shapes[i].Font, shapes[i].Fill = Text, words, black
	}
	return &Scene{Width: 200, Height: 100, Shapes: []Shape{{ID: "panel", X: 10, Y: 10, W: 150, H: 60, Kids: shapes}}}
}

func none(string) bool { return false }

func TestFaultsFindsNothingInATidyPicture(t *testing.T) {
	require.Empty(t, Faults(labels(Shape{X: 20, Y: 30, Text: "position"}, Shape{X: 20, Y: 46, Text: "committed"}), none))
}

func TestFaultsNamesTextsThatOverlap(t *testing.T) {
	s := labels(Shape{X: 20, Y: 30, Text: "position"}, Shape{X: 40, Y: 34, Text: "committed"})
	faults := Faults(s, none)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0], `"position" of "panel" at`)
	require.Contains(t, faults[0], `overlaps "committed"`)
	require.Empty(t, Faults(s, func(owner string) bool { return owner == "panel" }))
}

func TestFaultsNamesATextThatLeavesItsBox(t *testing.T) {
	faults := Faults(labels(Shape{X: 120, Y: 30, Text: "not replicated yet"}), none)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0], "leaves its box (10,10)-(160,70)")
}

func TestFaultsNamesATextThatAClipCuts(t *testing.T) {
	s := labels(Shape{X: 20, Y: 30, Text: "position"})
	s.Shapes = []Shape{{Clip: true, X: 0, Y: 0, W: 40, H: 100, Kids: s.Shapes}}
	faults := Faults(s, none)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0], "is cut to")
}

func TestTextsLeavesOutWhatCannotBeSeen(t *testing.T) {
	s := labels(Shape{X: 20, Y: 30, Text: "seen"}, Shape{X: 300, Y: 30, Text: "outside"})
	s.Shapes[0].Kids = append(s.Shapes[0].Kids, Shape{Kind: Text, X: 20, Y: 30, Text: "clear", Font: words})
	placed := Texts(s)
	require.Len(t, placed, 1)
	require.Equal(t, "seen", placed[0].Text)
}
