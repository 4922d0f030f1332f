package stage

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"groupscope/render/scene"
)

// Session is what one person has on screen, as plain data that only actions change: a link or a reload
// brings it back. The zero Session is a fresh start at event 0.
type Session struct {
	Lesson, Variant string
	Lang            string // "en", "zh"; "" is the first language there is
	Theme           string // one of Themes; "" is the first
	Width, Height   float64

	Event         int     // the position: after this event ...
	Phase         float64 // ... and this far, 0 to 1, towards the next
	Playing       bool
	Speed         float64 // of the pace; 0 is 1
	TrueTime      bool    // one second on screen is one virtual second
	ReducedMotion bool    // nothing glides: the picture goes from event to event

	Selected, Hovered, Focused string             // ids of shapes or things, such as "node:C1"
	View                       string             // what the main area shows: one of Views
	Panel                      string             // one of the Panels
	Draft                      string             // what is written in the palette
	Overlay                    string             // what lies over the stage: one of the Overlays, or ""
	Sheet                      bool               // on a small screen: the narration is unfolded
	Answers                    map[string]string  // by question id: the option chosen
	Scroll                     map[string]float64 // by pane: how far it is scrolled down
	Sequence                   Excerpt
	Mark                       string // of the events that the buttons for a kind of event go to: one of Marks
	Loop                       Loop
	Unfolded                   bool // long chains of causes are shown whole
}

// The themes.
const (
	Light    = "light"
	Dark     = "dark"
	Contrast = "contrast" // every text stands out by 7 to 1 at least (WCAG 2.2, 1.4.6)
)

// Themes lists the themes, in the order in which a person goes through them.
var Themes = []string{Light, Dark, Contrast}

// Views are the ways to see the whole, of which the panel "picture" shows one.
var Views = []string{"group", "cluster", "owners", "figures", "offsets"}

// Panels are the panels that a tab brings to the front. Where there is room, the picture and the sequence
// are always in view and have no tab.
var Panels = []string{"picture", "sequence", "code", "details", "coordinator"}

// Overlays are what can lie over the stage.
var Overlays = []string{"lessons", "variants", "views", "kinds", "time", "palette", "share", "act", "branches", "help"}

// Speeds are the steps of faster and slower.
var Speeds = []float64{0.125, 0.25, 0.5, 1, 2, 4, 8, 16}

// normal returns a copy with every empty choice filled in, which shares no map with s.
func (s Session) normal() Session {
	if s.Lang == "" || !hasLanguage(s.Lang) {
		s.Lang = Languages()[0]
	}
	if !slices.Contains(Views, s.View) {
		s.View = Views[0]
	}
	if !slices.Contains(Themes, s.Theme) {
		s.Theme = Themes[0]
	}
	if s.Speed <= 0 {
		s.Speed = 1
	}
	if s.Width <= 0 || s.Height <= 0 {
		s.Width, s.Height = 1440, 900
	}
	s.Answers = maps.Clone(s.Answers)
	if s.Answers == nil {
		s.Answers = map[string]string{}
	}
	s.Sequence = s.Sequence.normal()
	if !slices.Contains(Marks, s.Mark) {
		s.Mark = Marks[0]
	}
	s.Scroll = maps.Clone(s.Scroll)
	if s.Scroll == nil {
		s.Scroll = map[string]float64{}
	}
	return s
}

// Do carries out those actions that need no run, so that a person can change how even a Failure looks: the looks,
// another lesson, what is selected, hovered, answered and open. It reports whether anything changed.
func (s *Session) Do(a scene.Action) bool {
	*s = s.normal()
	switch a.Do {
	case Speed:
		return change(&s.Speed, clamp(a.N, Speeds[0], Speeds[len(Speeds)-1]))
	case Faster:
		return change(&s.Speed, s.speedStep(1))
	case Slower:
		return change(&s.Speed, s.speedStep(-1))
	case Theme, Language, Motion, Resize:
		return s.look(a)
	case Lesson:
		return s.ask(a.Arg, "")
	case Variant:
		return s.ask(s.Lesson, a.Arg)
	case Open, Close, Panel, View, Sheet, Offer:
		return s.open(a)
	case Select:
		closed := change(&s.Overlay, "")
		return s.choose(a.Arg) || closed
	case Unfold:
		return change(&s.Unfolded, !s.Unfolded)
	case Mark:
		return slices.Contains(Marks, a.Arg) && change(&s.Mark, a.Arg)
	case Hover:
		return change(&s.Hovered, a.Arg)
	case Focus:
		return change(&s.Focused, a.Arg)
	case Answer:
		return s.answer(a.Arg)
	case Type:
		return s.write(a.Arg)
	}
	return false
}

// speedStep is the next speed up or down.
func (s *Session) speedStep(by int) float64 {
	i := slices.IndexFunc(Speeds, func(x float64) bool { return x >= s.Speed })
	return Speeds[max(0, min(i+by, len(Speeds)-1))]
}

// look changes theme, language, motion and size.
func (s *Session) look(a scene.Action) bool {
	switch a.Do {
	case Theme:
		name := a.Arg
		if name == "" {
			name = Themes[(slices.Index(Themes, s.Theme)+1)%len(Themes)]
		}
		return slices.Contains(Themes, name) && change(&s.Theme, name)
	case Language:
		code := a.Arg
		if code == "" {
			all := Languages()
			code = all[(slices.Index(all, s.Lang)+1)%len(all)]
		}
		return hasLanguage(code) && change(&s.Lang, code)
	case Motion:
		return change(&s.ReducedMotion, a.Arg == "reduced")
	}
	wide, high, _ := strings.Cut(a.Arg, "x")
	w, err1 := strconv.ParseFloat(wide, 64)
	h, err2 := strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || w < 1 || h < 1 {
		return false
	}
	wider := change(&s.Width, w)
	return change(&s.Height, h) || wider
}

// ask names another lesson or variant, to be shown from its start.
func (s *Session) ask(lesson, variant string) bool {
	s.Overlay = ""
	if s.Lesson == lesson && s.Variant == variant {
		return true
	}
	s.Lesson, s.Variant = lesson, variant
	s.Event, s.Phase, s.Playing = 0, 0, false
	s.Selected, s.Hovered, s.Focused = "", "", ""
	s.Scroll = map[string]float64{}
	s.Sequence.Held, s.Sequence.From, s.Loop = false, 0, Loop{}
	return true
}

// open brings panels to the front and overlays over the stage.
func (s *Session) open(a scene.Action) bool {
	switch a.Do {
	case Panel:
		return slices.Contains(Panels, a.Arg) && change(&s.Panel, a.Arg)
	case View:
		return slices.Contains(Views, a.Arg) && s.show(a.Arg)
	case Sheet:
		return change(&s.Sheet, !s.Sheet)
	case Offer:
		return s.offer(a.Arg)
	case Open:
		if a.Arg == s.Overlay {
			return change(&s.Overlay, "")
		}
		if a.Arg == "palette" {
			s.Draft, s.Focused = "", paletteID
		}
		return slices.Contains(Overlays, a.Arg) && change(&s.Overlay, a.Arg)
	}
	if s.Overlay != "" {
		return change(&s.Overlay, "")
	}
	return s.choose("")
}

// write changes what is written in the palette, and opens it if something else lies over the stage.
func (s *Session) write(text string) bool {
	opened := change(&s.Overlay, "palette")
	if opened {
		s.Focused = paletteID
	}
	return change(&s.Draft, oneLineOf(text)) || opened
}

// offer shows what can be done to a thing, which is selected then; with none named to the focused or the selected one.
func (s *Session) offer(id string) bool {
	if id == "" && thingKinds[kindOf(s.Focused)] {
		id = s.Focused
	}
	if id != "" && id != s.Selected {
		s.choose(id)
	}
	s.Overlay = "act"
	return true
}

// show brings a view to the front, from a menu or a tab.
func (s *Session) show(name string) bool {
	closed := change(&s.Overlay, "")
	fronted := newLayout(s, 0).form != wide && change(&s.Panel, "picture")
	return change(&s.View, name) || closed || fronted
}

// choose selects a thing, or nothing when it is selected already, and brings the panel that tells of it to the front.
func (s *Session) choose(id string) bool {
	if id == s.Selected {
		id = ""
	}
	kind, _, _ := strings.Cut(id, ":")
	if l := newLayout(s, 0); l.form == wide {
		s.Panel = s.panelBeside(kind)
	} else {
		s.Panel = s.panelInstead(kind, l.shown(s))
	}
	return change(&s.Selected, id)
}

// panelBeside is the panel that tells most about a kind of thing where the picture stands beside it; a consumer's is its
// code.
func (s *Session) panelBeside(kind string) string {
	switch {
	case kind == "group":
		return "coordinator"
	case kind != "" && (kind != "node" || s.Panel == "coordinator"):
		return "details"
	}
	return s.Panel
}

// panelInstead is the panel that takes the place of the shown one: the details of a thing in the picture, and the picture
// again when nothing is selected any more.
func (s *Session) panelInstead(kind, shown string) string {
	switch {
	case kind == "group" && shown == "picture":
		return "coordinator"
	case kind != "" && shown == "picture":
		return "details"
	case kind == "" && s.Selected != "" && (shown == "details" || shown == "coordinator"):
		return "picture"
	}
	return s.Panel
}

// answer notes an answer, "question/option"; the first one stands.
func (s *Session) answer(text string) bool {
	question, option, ok := strings.Cut(text, "/")
	if _, answered := s.Answers[question]; !ok || answered {
		return false
	}
	s.Answers[question] = option
	s.Scroll["narration"] = bottom
	return true
}

// bottom scrolls a pane as far as it goes.
const bottom = 1e6

// change sets a field and reports whether it had another value.
func change[T comparable](field *T, value T) bool {
	changed := *field != value
	*field = value
	return changed
}
