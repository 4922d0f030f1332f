package stage

import (
	"math"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// sequence is where the sequence diagram lies: lanes of nodes, and time on its clock from left to right.
type sequence struct {
	clock    *pace
	held     bool
	view     box // the lanes that are in view, without their names
	plot     box // the same, but as wide as all that comes into view up to the next event
	bands    box // the strip above it for the names of rebalances
	axis     box // the strip below it for times
	from, to float64
	scale    float64 // pixels for a second of the clock
	nodes    []kafka.NodeID
	lanes    map[kafka.NodeID]float64 // of those in view
	laneH    float64
	foot     float64       // the lower end of the lowest lane
	labels   []box         // taken by texts already
	flow     []scene.Shape // what moves with time between the lanes, as it lies when plot and view begin together
	margins  []scene.Shape // the same above and below the lanes
	atRest   []scene.Shape // both as they lie while the excerpt stands still
	arrows   []int64       // the messages whose arrows are drawn, in the order of sending
	dense    bool          // some messages are drawn as bars, because they are too many for arrows
	focus    int           // the place in the order of the Tab key of the arrow that takes the focus
}

// secondOnScreen is the design width of one second of the screen's clock.
const secondOnScreen = 104

// drawSequence draws what stays of the sequence diagram, and prepares what moves with time.
func drawSequence(p *pen, b box) *sequence {
	if !p.in.layout.low {
		p.panel(b)
	}
	if p.in.looked("sequence") {
		p.halo(b.inset(p.u(6), p.u(6)))
	}
	inner := b.inset(p.u(14), p.u(8))
	if p.in.layout.form == narrow {
		inner = b.inset(p.u(8), p.u(6))
	}
	head, inner := inner.top(sequenceHeadHeight(p))
	q := newSequence(p, inner)
	drawSequenceHead(p, head, q)
	drawLanes(p, q, inner)
	*p.focus++
	q.focus = *p.focus
	q.fill(p)
	return q
}

// fill draws what moves with time.
func (q *sequence) fill(p *pen) {
	q.labels = nil
	if !q.held {
		now := q.x(q.clock.at(p.in.frame.Event, 0))
		q.labels = []box{{now - 2, q.plot.Y, 4, q.plot.H}}
	}
	flow := &pen{in: p.in, focus: p.focus}
	drawBands(flow, q)
	drawLives(flow, q)
	drawShortened(flow, q)
	drawMessages(flow, q)
	drawTurns(flow, q)
	q.flow = flow.shapes
	margins := &pen{in: p.in, focus: p.focus}
	drawAxis(margins, q)
	q.margins = margins.shapes
	q.atRest = q.movedTo(0)
}

func newSequence(p *pen, b box) *sequence {
	in := p.in
	q := &sequence{clock: in.pace, nodes: in.whole.nodes, lanes: map[kafka.NodeID]float64{}, held: in.session.Sequence.Held}
	if in.tally == nil {
		in.tally = newTally(in.track, &in.session.Sequence)
	}
	q.axis, b = b.under(p.u(18))
	_, b = b.left(laneNameWidth(p))
	q.bands, q.view = b.top(p.u(16))
	q.axis.X, q.axis.W = q.view.X, q.view.W
	q.bands.Y -= p.u(2)
	q.scale = p.u(secondOnScreen)
	if span := in.session.Sequence.Span; span > 0 {
		q.clock, q.scale = in.truth, q.view.W/span
	}
	q.placeLanes(p)
	event, width := in.frame.Event, q.width()
	q.from, q.to = in.session.Sequence.From, in.session.Sequence.From+width
	if !q.held {
		q.from = windowStart(q.clock.at(event, 0), width)
		q.to = min(windowStart(q.clock.at(event, 1), width)+width, q.from+3*width)
	}
	q.widen()
	q.dense = q.crowded(&in.tally.story) || q.crowded(&in.tally.flow)
	return q
}

// crowded reports whether so many messages of a stream are in the plot that they are drawn as bars.
func (q *sequence) crowded(s *stream) bool {
	first, last := q.events()
	return len(s.sent(first, last)) > mostArrows
}

// widen makes the plot as wide as the time from one end to the other.
func (q *sequence) widen() {
	q.plot = q.view
	q.plot.W = (q.to - q.from) * q.scale
	q.bands.W, q.axis.W = q.plot.W, q.plot.W
}

// width is how much time is in view, in seconds of the clock.
func (q *sequence) width() float64 { return q.view.W / q.scale }

// start is where the excerpt begins at a moment.
func (q *sequence) start(moment float64) float64 {
	if q.held {
		return q.from
	}
	return windowStart(moment, q.width())
}

// The shares of the excerpt between which now lies, and the share of the way in between on which it glides at its end.
const (
	nowLeast, nowMost = 0.54, 0.86
	glideShare        = 0.18
)

// windowStart is where an excerpt of that many seconds begins: with now to the right of its middle, history to its left and
// what comes next to its right. It stands still most of the time and glides on in between.
func windowStart(now, width float64) float64 {
	page := (nowMost - nowLeast) * width
	n := math.Floor(now/page - nowLeast*width/page)
	if n < 1 {
		return 0
	}
	t := min(1, (now-nowLeast*width-n*page)/(glideShare*page))
	return page * (n - 1 + ease(t))
}

// ease makes a movement begin and end gently.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

func (q *sequence) x(moment float64) float64 { return q.plot.X + (moment-q.from)*q.scale }

// at is where an event lies.
func (q *sequence) at(event int) float64 { return q.x(q.clock.at(event, 0)) }

// events are the first and the last event between the ends of the plot.
func (q *sequence) events() (first, last int) {
	first, _ = q.clock.find(q.from)
	last, _ = q.clock.find(q.to)
	return first, last
}

// claim takes a place for a text; false when another one is there already or it leaves the plot.
func (q *sequence) claim(b box) bool {
	if b.X < q.plot.X || b.right() > q.plot.right() {
		return false
	}
	const apart = 4
	for _, taken := range q.labels {
		if b.inset(-apart, 0).meets(taken) {
			return false
		}
	}
	q.labels = append(q.labels, b)
	return true
}

// ended is the last moment of a rebalance: of its end, or the present one.
func (q *sequence) ended(band *band, event int) float64 {
	if band.to > 0 && band.to <= event {
		return q.clock.at(band.to, 0)
	}
	return q.clock.at(event, 0)
}

// drawBands shades the time of each rebalance.
func drawBands(p *pen, q *sequence) {
	event := p.in.frame.Event
	for i := range p.in.track.bands {
		band := &p.in.track.bands[i]
		if band.from > event {
			break
		}
		x1, x2 := q.at(band.from), q.x(q.ended(band, event))
		if x2 < q.plot.X || x1 > q.plot.right() {
			continue
		}
		x1, x2 = max(x1, q.plot.X), min(max(x2, x1+2), q.plot.right())
		p.area(box{x1, q.plot.Y, x2 - x1, q.foot - q.plot.Y}, 0, alpha(p.in.theme.warn, 0x1C))
	}
}

// drawBandNames names the rebalances above the lanes.
func drawBandNames(p *pen, q *sequence) {
	event := p.in.frame.Event
	end := q.bands.X
	for i := range p.in.track.bands {
		band := &p.in.track.bands[i]
		if band.from > event {
			break
		}
		x := max(q.bands.X, q.at(band.from))
		text := p.in.words.say("sequence.rebalance", "group", band.group)
		if band.to > 0 && band.to <= event {
			text = p.in.words.say("sequence.rebalanced", "group", band.group, "n", number(band.generation))
		}
		if x < end || x > q.bands.right() || q.x(q.ended(band, event)) < q.bands.X {
			continue
		}
		w := p.tiny().width(text)
		if x+w > q.bands.right() {
			continue
		}
		p.write(box{x, q.bands.Y, w + 1, q.bands.H}, text, p.tiny().colored(p.in.theme.warn))
		end = x + w + p.u(10)
	}
}

// shortenedIn lists the shortened waits whose middle is in the plot and that are over, with the place of the middle.
func (q *sequence) shortenedIn(event int, draw func(s *shortened, x float64)) {
	for i := range q.clock.short {
		s := &q.clock.short[i]
		if s.to > event {
			break
		}
		if x := (q.at(s.from) + q.at(s.to)) / 2; x >= q.plot.X && x <= q.plot.right() {
			draw(s, x)
		}
	}
}

// drawShortened marks the waits that take less room than their time deserves.
func drawShortened(p *pen, q *sequence) {
	q.shortenedIn(p.in.frame.Event, func(_ *shortened, x float64) {
		if x < q.plot.X+p.u(4) || x > q.plot.right()-p.u(4) {
			return
		}
		for _, dx := range []float64{-p.u(2.5), p.u(2.5)} {
			p.line(x+dx, q.plot.Y, x+dx, q.foot, p.in.theme.line, 1, 3, 3)
		}
	})
}

// drawAxis draws virtual times below the lanes, and how long the shortened waits are.
func drawAxis(p *pen, q *sequence) {
	drawBandNames(p, q)
	taken := []box{}
	place := func(x float64, text string, s style) bool {
		w := s.width(text)
		b := box{x - w/2, q.axis.Y, w, q.axis.H}
		for _, t := range taken {
			if (box{t.X - p.u(8), t.Y, t.W + p.u(16), t.H}).meets(b) {
				return false
			}
		}
		if b.X < q.axis.X-p.u(10) || b.right() > q.axis.right() {
			return false
		}
		taken = append(taken, b)
		p.write(box{b.X, b.Y, b.W + 1, b.H}, text, s)
		return true
	}
	q.shortenedIn(p.in.frame.Event, func(s *shortened, x float64) {
		place(x, p.in.words.say("sequence.shortened", "time", p.in.words.seconds(s.wait)), p.tiny().colored(p.in.theme.text))
	})
	for _, t := range p.in.ticks(q) {
		x := q.x(q.clock.moment(t))
		if x >= q.plot.X-1 && place(x, p.in.words.tick(t), p.tiny()) {
			p.line(x, q.foot, x, q.foot+p.u(4), p.in.theme.muted, 1)
		}
	}
}

// tickSteps are the distances between two times on the axis.
var tickSteps = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
	10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, time.Hour,
}

// mostTicks is how many times of one step there may be between the ends of the axis.
const mostTicks = 24

// ticks lists the times that may be written on the axis, the roundest first.
func (in *input) ticks(q *sequence) []time.Duration {
	first := q.clock.time(q.clock.find(q.from))
	last := min(in.now(), q.clock.time(q.clock.find(q.to)))
	var out []time.Duration
	for _, step := range slices.Backward(tickSteps) {
		if (last-first)/step > mostTicks {
			break
		}
		for t := (first + step - 1) / step * step; t <= last; t += step {
			out = append(out, t)
		}
	}
	return out
}

// drawTurns marks where nodes started, closed, crashed, froze and thawed.
func drawTurns(p *pen, q *sequence) {
	for _, t := range p.in.track.turns {
		if t.event > p.in.frame.Event {
			break
		}
		y, ok := q.lanes[t.node]
		x := q.at(t.event)
		if !ok || x < q.plot.X || x > q.plot.right() || !p.in.whole.isClient(t.node) && t.kind == view.NodeStarted {
			continue
		}
		p.turn(q, &t, x, y)
	}
}

// turn draws a turn's sign, and its word where there is room.
func (p *pen) turn(q *sequence, t *turn, x, y float64) {
	a, r := p.in.cast.of(t.node), p.u(5)
	switch t.kind {
	case view.NodeCrashed:
		iconClose(p, x, y, r*1.2, p.in.theme.warn)
	case view.NodeClosed:
		p.frame(box{x - r, y - r, 2 * r, 2 * r}, 1, p.in.theme.panel, a.ink, 2)
	case view.NodeFrozen:
		iconPause(p, x, y, r, a.ink)
	default:
		p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r * 0.8, Fill: a.ink})
	}
	word, s := p.in.words.say("turn."+t.kind.String()), p.tiny().colored(a.ink)
	w := s.width(word)
	at := box{x + p.u(8), y - p.u(18), w + 1, p.u(14)}
	if at.Y < q.plot.Y {
		at.Y = y + p.u(5)
	}
	if t.kind != view.NodeStarted && q.claim(at) {
		p.haloed(at, word, s)
	}
}

// haloed writes a text over lines: the ground around it is cleared.
func (p *pen) haloed(b box, text string, s style) {
	p.group(scene.Shape{}, func(q *pen) {
		q.area(box{b.X - 1, b.Y, b.W + 2, b.H}, 2, alpha(q.in.theme.panel, 0xD0))
		q.write(b, text, s)
	})
}
