package stage

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/render/scene"
)

// Excerpt is what the sequence diagram shows of the run.
type Excerpt struct {
	Span  float64         // seconds of the run from its left end to its right end; 0: as many as can be read, at the pace
	Held  bool            // it stays where it was moved to; otherwise it follows the position
	From  float64         // while held: where it begins, in seconds of its clock
	Kinds map[string]bool // by kind of request: shown or folded, where that was chosen
}

// Spans are the steps of zooming, in seconds of the run.
var Spans = []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600}

// paced is the argument of Zoom that returns to the pace, and follows the position again.
const paced = "pace"

// normal returns a copy within its limits, which shares no map with e.
func (e Excerpt) normal() Excerpt {
	if !slices.Contains(Spans, e.Span) {
		e.Span = 0
	}
	if !e.Held || !(e.From >= 0) {
		e.From = 0
	}
	e.Kinds = maps.Clone(e.Kinds)
	return e
}

// shows reports whether messages of a kind are arrows, or folded. Heartbeats are many, and mostly say nothing.
func (e *Excerpt) shows(api kafka.API) bool {
	if shown, chosen := e.Kinds[api.String()]; chosen {
		return shown
	}
	return api != kafka.HeartbeatAPI
}

// fold shows or folds a kind of request; without a name all are as they were in the beginning.
func (e *Excerpt) fold(kind string) bool {
	if kind == "" {
		changed := len(e.Kinds) > 0
		e.Kinds = nil
		return changed
	}
	api, ok := kafka.ParseAPI(kind)
	if !ok {
		return false
	}
	shown := e.shows(api)
	e.Kinds = maps.Clone(e.Kinds)
	if e.Kinds == nil {
		e.Kinds = map[string]bool{}
	}
	e.Kinds[kind] = !shown
	return true
}

// frameSequence zooms and moves the sequence diagram, and chooses what it shows.
func (s *Stage) frameSequence(a scene.Action) bool {
	e := &s.session.Sequence
	switch a.Do {
	case Kind:
		s.tally = nil
		return e.fold(a.Arg)
	case Zoom:
		return s.zoom(a)
	case Pan:
		if a.Arg == "follow" {
			held := e.Held
			e.Held, e.From = false, 0
			return held
		}
		return s.pan(a.N)
	}
	return s.goTo(s.clock().find(clamp(a.N, 0, s.clock().end())))
}

// clock is the sequence's: the pace, or the run's own time.
func (s *Stage) clock() *pace {
	if s.session.Sequence.Span == 0 {
		return s.pace
	}
	return s.trueTime()
}

func (s *Stage) trueTime() *pace {
	if s.truth == nil {
		s.truth = newTrueTime(s.track)
	}
	return s.truth
}

// zoom takes the next shorter span or, if N is negative, the next longer one. A held excerpt keeps its middle.
func (s *Stage) zoom(a scene.Action) bool {
	e := &s.session.Sequence
	before := *e
	if a.Arg == paced {
		e.Span, e.Held, e.From = 0, false, 0
		return before.Span != 0 || before.Held
	}
	from, width := s.excerpt()
	clock := s.clock()
	first, middle, last := clock.time(clock.find(from)), clock.time(clock.find(from+width/2)), clock.time(clock.find(from+width))
	if e.Span == 0 {
		e.Span = nextSpan((last - first).Seconds(), a.N)
	} else {
		e.Span = nextSpan(e.Span, a.N)
	}
	if e.Held {
		e.From = max(0, s.clock().moment(middle)-e.Span/2)
	}
	return e.Span != before.Span
}

// nextSpan is the longest step below a span or, on the way out, the shortest one above it.
func nextSpan(span, in float64) float64 {
	if in > 0 {
		for _, x := range slices.Backward(Spans) {
			if x < span {
				return x
			}
		}
		return Spans[0]
	}
	for _, x := range Spans {
		if x > span {
			return x
		}
	}
	return Spans[len(Spans)-1]
}

// pan moves the excerpt by so many of its widths to the right, within the run.
func (s *Stage) pan(widths float64) bool {
	from, width := s.excerpt()
	to := clamp(from+widths*width, 0, max(0, s.clock().end()-width/2))
	if to == from {
		return false
	}
	s.session.Sequence.Held, s.session.Sequence.From = true, to
	return true
}

// excerpt is where the sequence begins on its clock, and how much of it is in view.
func (s *Stage) excerpt() (from, width float64) {
	if q := s.drawn().sequence; q != nil {
		event, phase := s.shown()
		return q.start(q.clock.at(event, phase)), q.width()
	}
	span := s.session.Sequence.Span
	if span == 0 {
		span = 8
	}
	return windowStart(s.clock().at(s.session.Event, s.session.Phase), span), span
}

// follow lets a held excerpt go when the position leaves it.
func (s *Stage) follow() {
	e := &s.session.Sequence
	if !e.Held || !s.made.made || s.made.sequence == nil {
		return
	}
	at, width := s.clock().at(s.session.Event, s.session.Phase), s.made.sequence.width()
	if at < e.From || at > e.From+width {
		e.Held, e.From = false, 0
	}
}

// sequenceButton is one control of the sequence diagram.
type sequenceButton struct {
	id, word string
	do       scene.Action
	icon     func(p *pen, x, y, r float64, c scene.Color)
}

var sequenceButtons = []sequenceButton{
	{"sequence:earlier", "help.earlier", scene.Action{Do: Pan, N: -0.5}, iconBack},
	{"sequence:out", "help.zoom-out", scene.Action{Do: Zoom, N: -1}, iconMinus},
	{"sequence:span", "", scene.Action{Do: Zoom, Arg: paced}, nil},
	{"sequence:in", "help.zoom-in", scene.Action{Do: Zoom, N: 1}, iconPlus},
	{"sequence:later", "help.later", scene.Action{Do: Pan, N: 0.5}, iconStep},
	{"sequence:kinds", "menu.kinds", scene.Action{Do: Open, Arg: "kinds"}, iconFilter},
}

// sequenceHeadHeight is the height of the row above the sequence diagram.
func sequenceHeadHeight(p *pen) float64 {
	if p.in.layout.form == narrow {
		return p.in.size.control
	}
	return p.u(26)
}

// drawSequenceHead draws the title of the diagram, what its bars mean, and its controls.
func drawSequenceHead(p *pen, b box, q *sequence) {
	w := p.in.words
	rest := drawSequenceButtons(p, b)
	if p.in.layout.form == narrow {
		return
	}
	if p.in.layout.form == wide && !p.in.layout.low {
		title := p.label().bold()
		name := w.say("panel.sequence")
		p.write(rest, name, title)
		_, rest = rest.left(title.width(name) + p.u(12))
	}
	hint := w.say("sequence.hint")
	switch {
	case q.held:
		hint = w.say("sequence.held")
	case q.dense:
		hint = w.say("sequence.dense")
	}
	p.write(rest, hint, p.small())
	_, rest = rest.left(p.small().width(hint) + p.u(20))
	drawStateKey(p, rest)
}

// drawStateKey tells what the bars on the lanes mean, where there is room for it.
func drawStateKey(p *pen, b box) {
	for _, state := range []string{"preparing", "completing", "stable"} {
		text := p.in.words.say("join." + state)
		sign, rest := b.left(p.u(22))
		if rest.W < p.small().width(text)+p.u(4) {
			return
		}
		p.bar(box{sign.X, sign.midY() - p.u(4), p.u(16), p.u(8)}, p.in.theme.muted, stateLook[state])
		p.write(rest, text, p.small())
		_, b = rest.left(p.small().width(text) + p.u(14))
	}
}

// drawSequenceButtons draws the controls at the right end, and returns what is left.
func drawSequenceButtons(p *pen, b box) box {
	w, e := p.in.words, &p.in.session.Sequence
	size, gap := b.H, p.u(4)
	text := w.say("sequence.pace")
	if e.Span > 0 {
		text = w.seconds(time.Duration(e.Span * float64(time.Second)))
	}
	wide := max(size, p.small().width(text), p.small().width(w.say("sequence.pace"))) + p.u(14)
	for _, sb := range slices.Backward(sequenceButtons) {
		width := size
		if sb.icon == nil {
			width = wide
		}
		var at box
		at, b = b.rightmost(width)
		b.W -= gap
		c := control{id: sb.id, action: sb.do}
		if sb.icon == nil {
			c.label, c.tip = w.say("sequence.span", "span", text), w.say("help.pace")
			p.control(at, c, func(r *pen, s scene.State) {
				fill, stroke, ink := r.buttonColors(s)
				r.frame(at, r.u(7), fill, stroke, 1)
				r.write(at.inset(2, 0), text, r.small().colored(ink).aligned(scene.Center))
			})
			continue
		}
		c.label, c.tip = w.say(sb.word), w.say(sb.word)
		c.state.Pressed = sb.do.Do == Open && (p.in.session.Overlay == "kinds" || len(e.Kinds) > 0)
		p.iconButton(at, c, sb.icon)
	}
	return b
}

// kindLines lists the kinds of requests of the run, the most frequent first, with how many there are.
func (in *input) kindLines() []menuLine {
	counts := in.track.kinds
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b kafka.API) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var out []menuLine
	for _, api := range kinds {
		line := menuLine{text: in.words.say("kinds.line", "kind", api.String(), "n", number(counts[api])), action: scene.Action{Do: Kind, Arg: api.String()}}
		if in.session.Sequence.shows(api) {
			line.sign, line.chosen = "✓", true
		}
		out = append(out, line)
	}
	return append(out, menuLine{text: in.words.say("kinds.reset"), action: scene.Action{Do: Kind}})
}
