package stage

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/render/scene"
)

// The closed set of actions. Keyboard, pointer, page and links all change the session through these alone; an
// action that is not among them changes nothing. Arg and N are named where an action reads them.
const (
	Step      = "step"      // to the next event, gliding; N: so many events
	Back      = "back"      // to the previous event; N: so many
	NextBeat  = "next-beat" // to the event of the next beat
	PrevBeat  = "prev-beat" // to the event of the present beat, or from there to the one before
	First     = "first"     // before the first event
	Last      = "last"      // after the last event
	NextMark  = "next-mark" // Arg: one of Marks, to whose next event; none: the session's
	PrevMark  = "prev-mark" // Arg: as of NextMark
	Mark      = "mark"      // Arg: one of Marks, that the buttons go to from now on
	Repeat    = "repeat"    // Arg: "start", "end": of a stretch that is played again and again, here; "beat": this beat; "off"
	Unfold    = "unfold"    // shows all of a long chain of causes, or its ends alone
	Seek      = "seek"      // N: the event
	Scrub     = "scrub"     // N: the place on the timeline, 0 to 1
	Visit     = "visit"     // Arg: a message or an event; selects it and goes to its event
	Play      = "play"
	Pause     = "pause"
	Toggle    = "toggle-play"
	Speed     = "speed" // N: times the pace, held within Speeds
	Faster    = "faster"
	Slower    = "slower"
	TrueTime  = "true-time"  // Arg: "on", "off"; none: the other one
	Theme     = "theme"      // Arg: one of Themes; none: the next one
	Language  = "language"   // Arg: a code; none: the next one
	Motion    = "motion"     // Arg: "reduced", "full"
	Resize    = "resize"     // Arg: "1440x900"
	Lesson    = "lesson"     // Arg: its id; the player loads it (see Wanted)
	Variant   = "variant"    // Arg: its id, "" for the base; the player loads it
	Select    = "select"     // Arg: the id of a thing; the same again, or none: nothing selected
	Hover     = "hover"      // Arg: the id of a shape; none: the pointer is over nothing
	Focus     = "focus"      // Arg: the id of a shape
	FocusNext = "focus-next" // Arg: the role of what it goes through, "link" for the arrows of the sequence; none: every role
	FocusPrev = "focus-prev" // Arg: as of FocusNext
	Activate  = "activate"   // does the action of the focused shape
	Answer    = "answer"     // Arg: question/option; the first answer stands
	Panel     = "panel"      // Arg: one of Panels
	View      = "view"       // Arg: one of Views
	Sheet     = "sheet"      // folds or unfolds the narration on a small screen
	Open      = "open"       // Arg: one of Overlays; the same again closes it
	Type      = "type"       // Arg: what is now written in the palette
	Choose    = "choose"     // does what the palette found first
	Export    = "export"     // Arg: one of Shares; the program outside the stage does it
	Close     = "close"      // closes the overlay, or else ends the selection
	Scroll    = "scroll"     // Arg: a pane; N: pixels down
	Zoom      = "zoom"       // of the sequence, a step; N: 1 in, -1 out; Arg: "pace" to what can be read
	Pan       = "pan"        // of the sequence; N: so many of its widths to the right; Arg: "follow" the position again
	Moment    = "moment"     // N: a moment on the clock of the sequence, in seconds
	Kind      = "kind"       // Arg: a kind of request, to be folded or shown in the sequence; none: all as in the beginning
	Act       = "act"        // Arg: a command in one line, given after the event; what is wrong with it is told in the palette
	Offer     = "offer"      // Arg: a thing, to be selected; shows what can be done to it. None: to the focused or selected one
	Undo      = "undo"       // the last act on the way to the present branch
	Redo      = "redo"       // the act that was undone last
	Branch    = "branch"     // Arg: the number of the branch to go on in; 0 is the lesson as it was written
	Extend    = "extend"     // N: seconds by which the run ends later
)

// Actions lists the names of all actions.
var Actions = []string{
	Step, Back, NextBeat, PrevBeat, First, Last, Seek, Scrub, Visit, Play, Pause, Toggle, Speed, Faster, Slower, TrueTime,
	Theme, Language, Motion, Resize, Lesson, Variant, Select, Hover, Focus, FocusNext, FocusPrev, Activate, Answer,
	Panel, View, Sheet, Open, Type, Choose, Export, Close, Scroll, Zoom, Pan, Moment, Kind, NextMark, PrevMark, Mark, Repeat, Unfold,
	Act, Offer, Undo, Redo, Branch, Extend,
}

// Do carries out an action and reports whether anything changed.
func (s *Stage) Do(a scene.Action) bool {
	changed := s.do(a)
	if s.notice != "" && !passing[a.Do] {
		s.notice, changed = "", true
	}
	if changed {
		s.version++
	}
	return changed
}

// passing are the actions that leave a notice where it is: nobody meant them.
var passing = map[string]bool{Hover: true, Focus: true, Resize: true}

func (s *Stage) do(a scene.Action) bool {
	switch a.Do {
	case Step, Back, NextBeat, PrevBeat, First, Last, Seek, Scrub, Visit:
		return s.travel(a)
	case Play, Pause, Toggle, TrueTime:
		return s.drive(a)
	case Focus, FocusNext, FocusPrev, Activate:
		return s.useFocus(a)
	case Answer:
		changed := s.session.Do(a)
		s.answered = s.answered || changed
		return changed
	case Choose:
		return s.chooseFirst()
	case Scroll:
		return s.scroll(a.Arg, a.N)
	case Zoom, Pan, Moment, Kind:
		return s.frameSequence(a)
	case NextMark, PrevMark:
		return s.goToMark(a)
	case Repeat:
		return s.loop(a.Arg)
	case Act, Undo, Redo, Branch, Extend:
		return s.intervene(a)
	}
	return s.session.Do(a)
}

// chooseFirst does what the palette found first.
func (s *Stage) chooseFirst() bool {
	if s.session.Overlay != "palette" {
		return false
	}
	first := scene.Find(s.Scene(), firstFound)
	return first != nil && s.do(first.Action)
}

// travel changes the position.
func (s *Stage) travel(a scene.Action) bool {
	n := int(max(1, a.N))
	switch a.Do {
	case Step:
		return s.step(n)
	case Back:
		if s.session.Phase > 0 {
			n-- // back to the event that was left behind on the way to the next
		}
		return s.goTo(s.session.Event-n, 0)
	case NextBeat:
		return s.goTo(s.beatAfter(s.session.Event), 0)
	case PrevBeat:
		return s.goTo(s.beatBefore(s.session.Event, s.session.Phase), 0)
	case First:
		return s.goTo(0, 0)
	case Last:
		return s.goTo(s.track.len(), 0)
	case Seek:
		return s.goTo(int(a.N), 0)
	case Scrub:
		return s.goTo(s.pace.find(clamp(a.N, 0, 1) * s.pace.end()))
	}
	return s.visit(a.Arg)
}

// visit selects a message or an event and goes to it: to the arrival of a message, if it arrived.
func (s *Stage) visit(id string) bool {
	kind, text, _ := strings.Cut(id, ":")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false
	}
	event := int(n)
	if kind == "message" {
		arrow := s.track.arrow(n)
		if arrow == nil {
			return false
		}
		event = max(arrow.sent, arrow.end())
	}
	moved := s.goTo(event, 0)
	selected := change(&s.session.Selected, id)
	shown := change(&s.session.Panel, s.panelFor("details"))
	return moved || selected || shown
}

// panelFor keeps the sequence in front on a small screen, where the details would hide it.
func (s *Stage) panelFor(name string) string {
	if newLayout(&s.session, 0).form == wide {
		return name
	}
	return s.session.Panel
}

// drive plays, pauses and switches true time.
func (s *Stage) drive(a scene.Action) bool {
	switch a.Do {
	case Play:
		return s.play(true)
	case Pause:
		return s.play(false)
	case Toggle:
		return s.play(!s.session.Playing)
	}
	on := a.Arg == "on" || a.Arg == "" && !s.session.TrueTime
	changed := change(&s.session.TrueTime, on)
	s.repace()
	return changed
}

// useFocus moves the keyboard's focus, or does what the focused shape does.
func (s *Stage) useFocus(a scene.Action) bool {
	if a.Do == Focus {
		return change(&s.session.Focused, a.Arg) && s.reveal(a.Arg)
	}
	if a.Arg == string(scene.Link) {
		return s.rove(map[string]int{FocusNext: 1, FocusPrev: -1}[a.Do])
	}
	order := focusOrder(s.Scene())
	if a.Arg != "" {
		order = slices.DeleteFunc(order, func(f *scene.Shape) bool { return string(f.Role) != a.Arg })
	}
	at := slices.IndexFunc(order, func(f *scene.Shape) bool { return f.ID == s.session.Focused })
	switch {
	case len(order) == 0:
		return false
	case a.Do == Activate:
		return at >= 0 && s.do(order[at].Action)
	case a.Do == FocusNext:
		at = (at + 1) % len(order)
	case at <= 0:
		at = len(order) - 1
	default:
		at--
	}
	return change(&s.session.Focused, order[at].ID) && s.reveal(s.session.Focused)
}

// scroll moves a pane by so many pixels, as far as its content allows.
func (s *Stage) scroll(pane string, by float64) bool {
	limit, ok := s.drawn().limits[pane]
	if !ok {
		return false
	}
	at := min(s.drawn().in.standsAt(pane), limit)
	s.session.Scroll[pane] = clamp(at+by, 0, limit)
	return s.session.Scroll[pane] != at
}
