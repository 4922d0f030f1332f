package stage

import (
	"math"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// sequence is where the sequence diagram lies: lanes of nodes, and time on the screen's clock from left to right.
type sequence struct {
	view     box // the lanes that are in view, without their names
	plot     box // the same, but as wide as all that comes into view up to the next event
	bands    box // the strip above it for the names of rebalances
	axis     box // the strip below it for times
	from, to float64
	scale    float64 // pixels for a second of the screen's clock
	lanes    map[kafka.NodeID]float64
	laneH    float64
	labels   []box         // taken by texts already
	flow     []scene.Shape // what moves with time between the lanes, as it lies when plot and view begin together
	margins  []scene.Shape // the same above and below the lanes
	atRest   []scene.Shape // both as they lie while the window stands still
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
	if p.in.layout.form == wide && !p.in.layout.low {
		head, rest := inner.top(p.u(22))
		p.run(head, span{p.in.words.say("panel.sequence"), p.label().bold(), p.u(12)},
			span{p.in.words.say("sequence.hint"), p.small(), 0})
		inner = rest
	}
	nodes := p.in.laneNodes()
	q := newSequence(p, inner, nodes)
	content := q.laneH * float64(len(nodes))
	p.pane("sequence", p.in.words.say("panel.sequence"), box{inner.X, q.view.Y, inner.W, q.view.H}, content, func(r *pen) {
		drawLanes(r, q, inner, nodes)
	})
	flow := &pen{in: p.in, focus: p.focus}
	drawBands(flow, q)
	drawLives(flow, q, nodes)
	drawShortened(flow, q)
	drawComingArrows(flow, q)
	drawArrows(flow, q)
	drawTurns(flow, q)
	q.flow = flow.shapes
	margins := &pen{in: p.in, focus: p.focus}
	drawAxis(margins, q)
	q.margins = margins.shapes
	q.atRest = q.movedTo(0)
	return q
}

// laneNodes lists the nodes of the run, each of which has a lane: the consumers, then the brokers and the stores.
func (in *input) laneNodes() []kafka.NodeID {
	var out []kafka.NodeID
	all := in.whole.last()
	for i := range all.Consumers {
		out = append(out, all.Consumers[i].ID)
	}
	for i := range all.Brokers {
		out = append(out, all.Brokers[i].ID)
	}
	for i := range all.Stores {
		out = append(out, all.Stores[i].ID)
	}
	return out
}

func newSequence(p *pen, b box, nodes []kafka.NodeID) *sequence {
	q := &sequence{lanes: map[kafka.NodeID]float64{}, scale: p.u(secondOnScreen)}
	q.axis, b = b.under(p.u(18))
	_, b = b.left(p.u(58))
	q.bands, q.plot = b.top(p.u(16))
	q.axis.X, q.axis.W = q.plot.X, q.plot.W
	q.laneH = max(q.plot.H/float64(max(1, len(nodes))), p.u(19))
	y := q.plot.Y - p.scrolled("sequence", q.laneH*float64(len(nodes)), q.plot.H)
	for i, id := range nodes {
		q.lanes[id] = y + (float64(i)+0.5)*q.laneH
	}
	q.bands.Y -= p.u(2)
	event, width := p.in.frame.Event, q.plot.W/q.scale
	q.view = q.plot
	q.from = windowStart(p.in.pace.at(event, 0), width)
	q.to = windowStart(p.in.pace.at(event, 1), width) + width
	q.plot.W = (q.to - q.from) * q.scale
	q.bands.W, q.axis.W = q.plot.W, q.plot.W
	now := q.x(p.in.pace.at(event, 0))
	q.labels = []box{{now - 2, q.plot.Y, 4, q.plot.H}}
	return q
}

// The shares of the window between which now lies, and how long at most the window glides when it has come to the end.
const (
	nowLeast, nowMost = 0.54, 0.86
	glideTime         = 0.5
)

// windowStart is where a window of that many seconds begins: with now to the right of its middle, history to its left and
// what comes next to its right. It stands still most of the time and glides on in between.
func windowStart(now, width float64) float64 {
	page := (nowMost - nowLeast) * width
	n := math.Floor(now/page - nowLeast*width/page)
	if n < 1 {
		return 0
	}
	t := min(1, (now-nowLeast*width-n*page)/min(glideTime, page/3))
	return page * (n - 1 + ease(t))
}

// ease makes a movement begin and end gently.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

func (q *sequence) x(moment float64) float64 { return q.plot.X + (moment-q.from)*q.scale }

// bottom is the lower end of the lanes that are drawn.
func (q *sequence) bottom() float64 { return min(q.plot.bottom(), q.lowest()+q.laneH/2) }

func (q *sequence) lowest() float64 {
	low := q.plot.Y
	for _, y := range q.lanes {
		low = max(low, y)
	}
	return low
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

// drawLanes draws the names of the lanes, and a line for each.
func drawLanes(p *pen, q *sequence, b box, nodes []kafka.NodeID) {
	for _, id := range nodes {
		y := q.lanes[id]
		name := box{b.X, y - q.laneH/2, q.view.X - b.X - p.u(8), q.laneH}
		p.group(scene.Shape{X: name.X, Y: y - p.u(9), W: name.W, H: p.u(18)}, func(r *pen) { r.laneName(name, id, p.in.cast.of(id)) })
		p.line(q.view.X, y, q.view.right(), y, p.in.theme.line, 1)
	}
}

// drawLives draws each lane in its node's colour while it lives.
func drawLives(p *pen, q *sequence, nodes []kafka.NodeID) {
	end := min(q.plot.right(), q.x(p.in.pace.at(p.in.frame.Event, 0)))
	for _, id := range nodes {
		p.life(q, id, q.lanes[id], end, p.in.cast.of(id))
	}
}

func (p *pen) laneName(b box, id kafka.NodeID, a accent) {
	if !p.in.cast.isConsumer(id) {
		p.write(b, string(id), p.small().colored(p.in.theme.text))
		return
	}
	icon, text := b.left(p.u(15))
	p.mark(a.mark, icon.X+p.u(6), b.midY(), p.u(4.5), a.ink)
	p.write(text, string(id), p.small().colored(a.ink).bold())
}

// life draws the stretches of a lane during which its node was up.
func (p *pen) life(q *sequence, id kafka.NodeID, y, end float64, a accent) {
	up, start := !p.in.cast.isConsumer(id), q.plot.X
	draw := func(to float64) {
		to = clamp(to, q.plot.X, end)
		if up && to > start {
			p.line(start, y, to, y, alpha(a.ink, 0x77), 1.5)
		}
	}
	for _, t := range p.in.track.turns {
		if t.node != id || t.event > p.in.frame.Event {
			continue
		}
		x := q.x(p.in.pace.at(t.event, 0))
		draw(x)
		up, start = t.kind == view.NodeStarted || t.kind == view.NodeThawed, max(q.plot.X, x)
	}
	draw(end)
}

// drawBands shades the time of each rebalance and names it above the lanes.
func drawBands(p *pen, q *sequence) {
	event := p.in.frame.Event
	for _, band := range p.in.track.bands {
		if band.from > event {
			break
		}
		to := p.in.pace.at(event, 0)
		if band.to > 0 && band.to <= event {
			to = p.in.pace.at(band.to, 0)
		}
		x1, x2 := q.x(p.in.pace.at(band.from, 0)), q.x(to)
		if x2 < q.plot.X || x1 > q.plot.right() {
			continue
		}
		x1, x2 = max(x1, q.plot.X), min(max(x2, x1+2), q.plot.right())
		p.area(box{x1, q.plot.Y, x2 - x1, q.bottom() - q.plot.Y}, 0, alpha(p.in.theme.warn, 0x1C))
	}
}

// drawBandNames names the rebalances above the lanes.
func drawBandNames(p *pen, q *sequence) {
	event := p.in.frame.Event
	end := q.bands.X
	for _, band := range p.in.track.bands {
		if band.from > event {
			break
		}
		x := max(q.bands.X, q.x(p.in.pace.at(band.from, 0)))
		text := p.in.words.say("sequence.rebalance", "group", band.group)
		to := p.in.pace.at(event, 0)
		if band.to > 0 && band.to <= event {
			text = p.in.words.say("sequence.rebalanced", "group", band.group, "n", number(band.generation))
			to = p.in.pace.at(band.to, 0)
		}
		w := p.tiny().width(text)
		if x < end || x+w > q.bands.right() || q.x(to) < q.bands.X {
			continue
		}
		p.write(box{x, q.bands.Y, w + 1, q.bands.H}, text, p.tiny().colored(p.in.theme.warn))
		end = x + w + p.u(10)
	}
}

// drawShortened marks the waits that take less room than their time deserves.
func drawShortened(p *pen, q *sequence) {
	for _, s := range p.in.pace.short {
		if s.to > p.in.frame.Event {
			break
		}
		x := (q.x(p.in.pace.at(s.from, 0)) + q.x(p.in.pace.at(s.to, 0))) / 2
		if x < q.plot.X+p.u(4) || x > q.plot.right()-p.u(4) {
			continue
		}
		for _, dx := range []float64{-p.u(2.5), p.u(2.5)} {
			p.line(x+dx, q.plot.Y, x+dx, q.bottom(), p.in.theme.line, 1, 3, 3)
		}
	}
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
	for _, s := range p.in.pace.short {
		if x := (q.x(p.in.pace.at(s.from, 0)) + q.x(p.in.pace.at(s.to, 0))) / 2; s.to <= p.in.frame.Event {
			place(x, p.in.words.say("sequence.shortened", "time", p.in.words.seconds(s.wait)), p.tiny().colored(p.in.theme.text))
		}
	}
	now := q.x(p.in.pace.at(p.in.frame.Event, 0))
	for _, t := range p.in.ticks(q) {
		x := q.x(p.in.pace.moment(t))
		if x < q.plot.X-1 || x > now+1 {
			continue
		}
		if place(x, p.in.words.seconds(t), p.tiny()) {
			p.line(x, q.bottom(), x, q.bottom()+p.u(4), p.in.theme.muted, 1)
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
	event, phase := in.pace.find(q.from)
	first := in.pace.time(event, phase)
	last := min(in.now(), in.pace.time(in.pace.find(q.to)))
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
		y, ok := q.lanes[t.node]
		x := q.x(p.in.pace.at(t.event, 0))
		if !ok || t.event > p.in.frame.Event || x < q.plot.X || x > q.plot.right() || !p.in.cast.isConsumer(t.node) && t.kind == view.NodeStarted {
			continue
		}
		a, r := p.in.cast.of(t.node), p.u(5)
		word := p.in.words.say("turn." + t.kind.String())
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
		s := p.tiny().colored(a.ink)
		w := s.width(word)
		at := box{x + p.u(8), y - p.u(16), w + 1, p.u(14)}
		if at.Y < q.plot.Y {
			at.Y = y + p.u(3)
		}
		if t.kind != view.NodeStarted && q.claim(at) {
			p.haloed(at, word, s)
		}
	}
}

// haloed writes a text over lines: the ground around it is cleared.
func (p *pen) haloed(b box, text string, s style) {
	p.group(scene.Shape{}, func(q *pen) {
		q.area(box{b.X - 1, b.Y, b.W + 2, b.H}, 2, alpha(q.in.theme.panel, 0xD0))
		q.write(b, text, s)
	})
}
