package stage

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// Marks are the kinds of events that one can go to: the beginning of a rebalance, a commit that reached its coordinator, an
// error, a command, an event of the selected thing.
var Marks = []string{"rebalance", "commit", "error", "command", "selected"}

// mark notes which marks an event has.
func (t *track) mark(e *view.Entry) {
	note := func(mark string) { t.marks[mark] = append(t.marks[mark], e.Event) }
	if e.Kind == view.Commanded {
		note("command")
	}
	failed := e.Message != nil && kafka.ErrorOf(e.Message.Body) != kafka.None
	committed := false
	for i := range e.Facts {
		f := &e.Facts[i]
		failed = failed || f.Kind == view.ExceptionThrown || f.Kind == view.ErrorSeen || f.Kind == view.RecordUnreadable
		committed = committed || f.Kind == view.OffsetCommitted
	}
	if failed {
		note("error")
	}
	if committed {
		note("commit")
	}
	if len(t.bands) > 0 && t.bands[len(t.bands)-1].from == e.Event {
		note("rebalance")
	}
}

// markAfter is the first event later than one that has a mark; false if there is none.
func (s *Stage) markAfter(mark string, event int) (int, bool) {
	if mark == "selected" {
		for n := event + 1; n <= s.track.len(); n++ {
			if s.concerns(n) {
				return n, true
			}
		}
		return 0, false
	}
	events := s.track.marks[mark]
	i, _ := slices.BinarySearch(events, event+1)
	if i == len(events) {
		return 0, false
	}
	return events[i], true
}

// markBefore is the last event earlier than one that has a mark; false if there is none.
func (s *Stage) markBefore(mark string, event int) (int, bool) {
	if mark == "selected" {
		for n := event - 1; n > 0; n-- {
			if s.concerns(n) {
				return n, true
			}
		}
		return 0, false
	}
	events := s.track.marks[mark]
	i, _ := slices.BinarySearch(events, event)
	if i == 0 {
		return 0, false
	}
	return events[i-1], true
}

// concerns reports whether an event is one of the selected thing.
func (s *Stage) concerns(event int) bool {
	return concerns(s.run.History.Entry(event), s.session.Selected)
}

// concerns reports whether a thing has a part in an event: a node acts or is at the other end of the message, a message is
// sent or received, something is done with a partition or in a group.
func concerns(e *view.Entry, thing string) bool {
	kind, id, _ := strings.Cut(thing, ":")
	switch kind {
	case "node":
		return e.Node == kafka.NodeID(id) || e.Message != nil && e.Message.From == kafka.NodeID(id)
	case "event":
		return strconv.Itoa(e.Event) == id
	case "message":
		n, err := strconv.ParseInt(id, 10, 64)
		return err == nil && (e.Message != nil && e.Message.ID == n || slices.ContainsFunc(e.Sent, func(m kafka.Message) bool { return m.ID == n }))
	case "partition":
		tp, err := kafka.ParseTopicPartition(id)
		return err == nil && slices.ContainsFunc(e.Facts, func(f view.Fact) bool { return f.Partition == tp || slices.Contains(f.Partitions, tp) })
	case "group":
		return slices.ContainsFunc(e.Facts, func(f view.Fact) bool { return f.Group == id })
	case "timer":
		node, key, _ := strings.Cut(id, "/")
		return e.Kind == view.Fired && e.Node == kafka.NodeID(node) && e.Timer == key
	}
	return false
}

// goToMark goes to the next or the previous event with a mark, and closes the menu that asked for it.
func (s *Stage) goToMark(a scene.Action) bool {
	mark := a.Arg
	if mark == "" {
		mark = s.session.Mark
	}
	closed := change(&s.session.Overlay, "")
	find := s.markAfter
	from := s.session.Event
	if a.Do == PrevMark {
		find = s.markBefore
		if s.session.Phase > 0 {
			from++
		}
	}
	event, ok := find(mark, from)
	if !slices.Contains(Marks, mark) || !ok {
		return closed
	}
	return s.goTo(event, 0) || closed
}

// Loop is a stretch that is played again and again: after the event To the play goes on at From. The zero Loop is none.
type Loop struct {
	From, To int
}

// on reports whether there is a stretch to repeat.
func (l Loop) on() bool { return l.To > l.From }

// loop sets the ends of the stretch that is repeated.
func (s *Stage) loop(where string) bool {
	l, at := s.session.Loop, s.session.Event
	switch where {
	case "start":
		l.From = min(at, s.track.len()-1)
		if l.To <= l.From {
			l.To = s.track.len()
		}
	case "end":
		l.To = at
		if l.From >= at {
			l.From = 0
		}
	case "beat":
		l = Loop{s.beatBefore(at, 1), s.beatAfter(at)}
	case "off":
		l = Loop{}
	}
	closed := change(&s.session.Overlay, "")
	return change(&s.session.Loop, l) || closed
}

// markLines lists what the menu of time offers, with the keys for it.
func (in *input) markLines() []menuLine {
	w := in.words
	out := []menuLine{{text: w.say("menu.events"), heading: true}}
	line := func(word string, do scene.Action) {
		out = append(out, menuLine{text: w.say(word), sign: keyOf(do), action: do})
	}
	for _, mark := range Marks {
		if mark == "selected" && in.session.Selected == "" || mark != "selected" && len(in.track.marks[mark]) == 0 {
			continue
		}
		line("next."+mark, scene.Action{Do: NextMark, Arg: mark})
		line("previous."+mark, scene.Action{Do: PrevMark, Arg: mark})
	}
	out = append(out, menuLine{text: w.say("menu.loop"), heading: true})
	for _, where := range []string{"start", "end", "beat"} {
		line("loop."+where, scene.Action{Do: Repeat, Arg: where})
	}
	if in.session.Loop.on() {
		line("loop.off", scene.Action{Do: Repeat, Arg: "off"})
	}
	return out
}

// keyOf is the sign of the first key that does something; "" for none.
func keyOf(a scene.Action) string {
	for i := range keyTable {
		if keyTable[i].do == a {
			return keySign(keyTable[i].keys[0])
		}
	}
	return ""
}

// drawMarkButtons draws the way to the events of a kind: back, the kind, on. Where there is little room the menu has them.
func drawMarkButtons(p *pen, b box) box {
	w, gap, size := p.in.words, p.u(4), p.in.size.control
	next := func(width float64) box {
		var at box
		at, b = b.left(width)
		b.X, b.W = b.X+gap, b.W-gap
		return at
	}
	b.X, b.W = b.X+gap, b.W-gap
	if p.in.layout.form == wide && b.W > p.u(640) {
		mark := p.in.session.Mark
		widest := 0.0
		for _, m := range Marks {
			widest = max(widest, p.label().width(w.say("mark."+m)))
		}
		back, on := w.say("previous."+mark), w.say("next."+mark)
		p.iconButton(next(size), control{id: "mark:back", label: back, tip: back, action: scene.Action{Do: PrevMark}}, iconBack)
		following := Marks[(slices.Index(Marks, mark)+1)%len(Marks)]
		p.button(next(widest+p.u(18)), control{
			id: "mark:kind", label: w.say("mark.label", "mark", w.say("mark."+mark)), tip: w.say("mark.tip"), action: scene.Action{Do: Mark, Arg: following},
		}, w.say("mark."+mark))
		p.iconButton(next(size), control{id: "mark:on", label: on, tip: on, action: scene.Action{Do: NextMark}}, iconStep)
	}
	p.iconButton(next(max(size, round(size*1.15))), control{
		id: "menu:time", label: w.say("menu.time"), tip: w.say("menu.time"), action: scene.Action{Do: Open, Arg: "time"},
		state: scene.State{Pressed: p.in.session.Overlay == "time" || p.in.session.Loop.on()},
	}, iconLoop)
	return b
}

// drawLoop marks the stretch that is repeated on the rail.
func drawLoop(p *pen, rail box) {
	l := p.in.session.Loop
	if !l.on() {
		return
	}
	at := func(event int) float64 { return rail.X + rail.W*p.in.share(p.in.pace.at(event, 0)) }
	from, to := at(l.From), at(l.To)
	p.area(box{from, rail.midY() - 9, max(2, to-from), 18}, 3, alpha(p.in.theme.strong, 0x30))
	for _, x := range []float64{from, to} {
		p.area(box{x - 1, rail.midY() - 12, 2, 24}, 0, p.in.theme.strong)
	}
}
