package stage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
	"groupscope/render/scene"
)

// sizes are the windows that the layout is tried in, from a small phone to a projector.
var sizes = [][2]float64{{1440, 900}, {1024, 640}, {390, 844}, {640, 400}, {320, 480}, {1920, 1080}, {3840, 2160}, {844, 390}, {768, 1024}}

// moves tells the shapes that pass over others on their way.
func moves(owner string) bool { return strings.HasPrefix(owner, flightPrefix) }

// TestNoTextOverlapsOrLeavesItsBox looks at every beat of every lesson, in every language and size.
func TestNoTextOverlapsOrLeavesItsBox(t *testing.T) {
	for _, title := range lessons.Catalogue() {
		run := played(t, title.ID)
		for _, size := range sizes {
			for _, lang := range Languages() {
				s := New(run, Session{Lang: lang, Width: size[0], Height: size[1]})
				for beat, reached := range run.Reached {
					act(s, Seek, "", float64(reached.Event))
					where := fmt.Sprintf("%s beat %d, %s, %v", title.ID, beat+1, lang, size)
					require.Empty(t, scene.Faults(s.Scene(), moves), where)
				}
			}
		}
	}
}

// TestEveryPanelFits looks at each panel and overlay, with a question answered and things selected.
func TestEveryPanelFits(t *testing.T) {
	for _, id := range []string{"second-group", "consumer-crashes"} {
		run := played(t, id)
		for _, size := range sizes {
			for _, lang := range Languages() {
				for _, panel := range Panels {
					s := New(run, Session{Lang: lang, Width: size[0], Height: size[1], Panel: panel, Sheet: panel == "details"})
					for _, selected := range []string{"", "node:C1", "node:B1", "node:P1", "group:G1", "partition:T1-0", "event:40", "message:30"} {
						act(s, Seek, "", float64(run.Reached[len(run.Reached)/2].Event))
						act(s, Select, selected, 0)
						answerAll(s)
						where := fmt.Sprintf("%s, %s, %v, %s, %s", id, lang, size, panel, selected)
						require.Empty(t, scene.Faults(s.Scene(), moves), where)
					}
				}
			}
		}
	}
}

// TestEveryViewFits looks at each view, at every beat of lessons with much to show.
func TestEveryViewFits(t *testing.T) {
	for _, id := range []string{"second-group", "consumer-crashes", "acks-and-loss", "last-stable-offset"} {
		run := played(t, id)
		for _, size := range sizes {
			for _, lang := range Languages() {
				for _, view := range Views[1:] {
					s := New(run, Session{Lang: lang, Width: size[0], Height: size[1], View: view})
					for beat, reached := range run.Reached {
						act(s, Seek, "", float64(reached.Event))
						where := fmt.Sprintf("%s beat %d, %s, %v, %s", id, beat+1, lang, size, view)
						require.Empty(t, scene.Faults(s.Scene(), moves), where)
					}
				}
			}
		}
	}
}

// TestMovingMessagesCoverNoText looks at many moments between two events.
func TestMovingMessagesCoverNoText(t *testing.T) {
	for _, title := range lessons.Catalogue() {
		run := played(t, title.ID)
		for _, size := range [][2]float64{{1440, 900}, {1024, 640}, {390, 844}} {
			s := New(run, Session{Width: size[0], Height: size[1]})
			for event := 0; event < run.History.Len(); event += 1 + run.History.Len()/25 {
				for _, phase := range []float64{0, 0.2, 0.5, 0.95} {
					s.goTo(event, phase)
					require.Empty(t, scene.Faults(s.Scene(), func(string) bool { return false }), "%s event %d phase %v, %v", title.ID, event, phase, size)
				}
			}
		}
	}
}

// answerAll gives the first answer to the question on the stage, if there is one.
func answerAll(s *Stage) {
	scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
		if sh.Role == scene.Radio {
			s.Do(sh.Action)
			return false
		}
		return true
	})
}

// TestOverlaysFit looks at what lies over the stage by itself.
func TestOverlaysFit(t *testing.T) {
	for _, size := range sizes {
		for _, lang := range Languages() {
			for _, overlay := range Overlays {
				s := New(played(t, "two-consumers"), Session{Lang: lang, Width: size[0], Height: size[1], Overlay: overlay})
				s.Scene()
				sc := &scene.Scene{Width: size[0], Height: size[1], Shapes: s.made.overlay}
				require.NotEmpty(t, sc.Shapes)
				require.Empty(t, scene.Faults(sc, moves), "%s, %s, %v", overlay, lang, size)
			}
		}
	}
}

// TestEveryTextCanBeRead measures the contrast of each text with what lies below it.
func TestEveryTextCanBeRead(t *testing.T) {
	for theme, needed := range map[string]float64{Light: minContrast, Dark: minContrast, Contrast: highContrast} {
		for _, id := range []string{"fifth-is-idle", "consumer-crashes", "second-group", "who-asks-whom"} {
			run := played(t, id)
			s := New(run, Session{Theme: theme, Panel: "coordinator"})
			for _, reached := range run.Reached {
				act(s, Seek, "", float64(reached.Event))
				answerAll(s)
				require.Empty(t, lowContrast(s.Scene(), needed), "%s, %s, event %d", theme, id, reached.Event)
			}
			for _, overlay := range Overlays {
				act(s, Open, overlay, 0)
				s.Scene()
				require.Empty(t, lowContrast(&scene.Scene{Shapes: s.made.overlay}, needed), "%s, %s", theme, overlay)
			}
		}
	}
}

// lowContrast lists the texts that stand out too little from their ground.
func lowContrast(sc *scene.Scene, needed float64) []string {
	var faults []string
	var grounds []*scene.Shape
	disabled := map[string]bool{}
	scene.Walk(sc, func(sh *scene.Shape) bool {
		if sh.State.Disabled {
			disabled[sh.ID] = true
			return false
		}
		switch {
		case sh.Kind == scene.Text:
			b := scene.Bounds(sh)
			ground := colorAt(sc, grounds, scene.Point{X: b.X + b.W/2, Y: b.Y + b.H/2})
			if c := scene.Contrast(sh.Fill, ground); c < needed-0.05 {
				faults = append(faults, fmt.Sprintf("%q: contrast %.2f of %v on %v", sh.Text, c, sh.Fill, ground))
			}
		case sh.Kind != scene.Group && sh.Kind != scene.Line && sh.Kind != scene.Curve && sh.Fill.A > 0:
			grounds = append(grounds, sh)
		}
		return true
	})
	return faults
}

// colorAt is the colour at a point after these figures are drawn.
func colorAt(sc *scene.Scene, grounds []*scene.Shape, at scene.Point) scene.Color {
	c := sc.Background
	for _, g := range grounds {
		if scene.Bounds(g).Has(at) {
			c = g.Fill.Over(c)
		}
	}
	return c
}

func TestAccentsDifferByMoreThanColour(t *testing.T) {
	for _, theme := range themes {
		seen := map[string]bool{}
		for i := range theme.accents {
			a := theme.accent(i)
			look := fmt.Sprint(a.mark, a.fill)
			require.False(t, seen[look], "accent %d repeats another", i)
			seen[look] = true
		}
		for i := range 6 {
			for j := range i {
				require.NotEqual(t, theme.accent(i).mark, theme.accent(j).mark)
			}
		}
	}
}
