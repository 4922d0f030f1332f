package stage

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/render/scene"
)

// drawn is one arrow of the sequence diagram with its ends on the screen.
type drawn struct {
	*arrow
	from, to scene.Point
	coming   bool // it is yet to be sent or to arrive
	focus    int  // its place in the order of the Tab key; 0: only the arrow keys reach it
}

// mostArrows is how many arrows of a kind an excerpt can hold and still be read; more are drawn as bars that tell how many.
const mostArrows = 400

// drawMessages draws the messages up to the present event, and faintly those to come. Those of the steady flow are
// faint; texts go to errors first, then to the story, as long as there is room.
func drawMessages(p *pen, q *sequence) {
	y := p.in.tally
	drawTicks(p, q, y)
	var list []drawn
	for _, s := range []*stream{&y.flow, &y.story} {
		if q.crowded(s) {
			drawDensity(p, q, s)
			continue
		}
		first, last := q.events()
		list = append(list, p.in.arrows(q, s, first-longestFlight, last)...)
	}
	list = append(list, p.in.slowArrows(q)...)
	q.arrows = order(list)
	stop := q.tabStop(p.in)
	for i := range list {
		if !list[i].coming && list[i].message.ID == stop {
			list[i].focus = q.focus
		}
		drawArrow(p, &list[i])
	}
	slices.SortStableFunc(list, func(a, b drawn) int { return cmp.Compare(a.rank(p.in), b.rank(p.in)) })
	for i := range list[:min(len(list), mostLabels)] {
		if !list[i].coming {
			labelArrow(p, q, &list[i])
		}
	}
}

// mostLabels is how many arrows are tried for a name: there is no room for more.
const mostLabels = 120

// order lists the ids of the messages in the order of sending.
func order(list []drawn) []int64 {
	var out []int64
	for i := range list {
		if !list[i].coming {
			out = append(out, list[i].message.ID)
		}
	}
	slices.Sort(out)
	return out
}

// arrows lists the arrows of a stream that touch the plot, of those sent from one event to another.
func (in *input) arrows(q *sequence, s *stream, from, to int) []drawn {
	var out []drawn
	for _, i := range s.sent(from, to) {
		if a := &in.track.arrows[i]; !a.slow() {
			out = in.appendDrawn(out, q, a)
		}
	}
	return out
}

// slow reports whether a message was on its way for longer than most.
func (a *arrow) slow() bool { return a.end()-a.sent > longestFlight }

// slowArrows lists the messages that were on their way for long, and are not folded.
func (in *input) slowArrows(q *sequence) []drawn {
	var out []drawn
	for _, i := range in.track.slow {
		if a := &in.track.arrows[i]; a.err != kafka.None || in.session.Sequence.shows(a.api()) {
			out = in.appendDrawn(out, q, a)
		}
	}
	return out
}

// appendDrawn adds an arrow where it lies, if it lies in the plot between two lanes in view. Messages under way are drawn
// with what moves; of the steady flow there is no telling what is to come.
func (in *input) appendDrawn(list []drawn, q *sequence, a *arrow) []drawn {
	event := in.frame.Event
	d := drawn{arrow: a, coming: a.end() == 0 || a.end() > event}
	from, ok1 := q.lanes[a.message.From]
	to, ok2 := q.lanes[a.message.To]
	if !ok1 || !ok2 || a.end() == 0 || d.coming && quietAPI(a.api()) {
		return list
	}
	d.from, d.to = scene.Point{X: q.at(a.sent), Y: from}, scene.Point{X: q.at(a.end()), Y: to}
	if d.to.X < q.plot.X || d.from.X > q.plot.right() || !d.crosses(q) {
		return list
	}
	return append(list, d)
}

// crosses reports whether an arrow lies in the plot, or reaches into a plot that does not move. One that would be cut while
// the excerpt moves is left out.
func (d *drawn) crosses(q *sequence) bool {
	return q.held || d.from.X >= q.plot.X-1 && d.to.X <= q.plot.right()+1
}

// drawTicks draws the requests that are folded as ticks below their senders' lanes, while these can be told apart.
func drawTicks(p *pen, q *sequence, y *tally) {
	first, last := q.events()
	sent := y.folded.sent(first, min(last, p.in.frame.Event))
	if len(sent) > mostArrows {
		return
	}
	for _, i := range sent {
		a := &p.in.track.arrows[i]
		lane, ok := q.lanes[a.message.From]
		x := q.at(a.sent)
		if !ok || a.message.Reply() || x < q.plot.X || x > q.plot.right() {
			continue
		}
		if p.in.selected(messageID(a.message.ID)) {
			for _, d := range p.in.appendDrawn(nil, q, a) {
				drawArrow(p, &d)
			}
		}
		p.add(scene.Shape{
			Kind: scene.Line, Points: []scene.Point{{X: x, Y: lane + p.u(4)}, {X: x, Y: lane + p.u(9)}}, ID: "tick:" + number(a.message.ID),
			Stroke: alpha(p.in.cast.of(a.message.From).ink, 0xB0), StrokeWidth: 1.5,
			Action: scene.Action{Do: Visit, Arg: messageID(a.message.ID)}, Tip: p.in.messageSentence(a.message, false),
		})
	}
}

// bucketWidth is the design width of a bar that stands for many messages.
const bucketWidth = 6

// drawDensity draws, on every lane, how many messages of a stream were sent and received there, as bars. Bars of one height
// that touch are one.
func drawDensity(p *pen, q *sequence, s *stream) {
	step := p.u(bucketWidth)
	n := int(min(q.plot.right(), q.at(p.in.frame.Event))-q.plot.X) / int(step)
	edges := make([]int, 0, n+2)
	for i := range n + 2 {
		event, _ := q.clock.find(q.from + float64(i)*step/q.scale)
		edges = append(edges, min(event, p.in.frame.Event)+1)
	}
	for _, id := range q.nodes {
		y, ok := q.lanes[id]
		if !ok {
			continue
		}
		ink := p.in.cast.of(id).ink
		if s == &p.in.tally.flow {
			ink = mix(p.in.theme.line, p.in.theme.muted, 0.35)
		}
		begun, level := 0, 0
		for i := range edges {
			now := 0
			if i+1 < len(edges) {
				now = barLevel(s.count(id, edges[i], edges[i+1]))
			}
			if now == level {
				continue
			}
			if h := float64(level) / barLevels * q.laneH * 0.7; level > 0 {
				p.area(box{q.plot.X + float64(begun)*step, y - h/2, float64(i-begun) * step, h}, 1, alpha(ink, 0x70))
			}
			begun, level = i, now
		}
	}
}

// barLevels is how many heights the bars have: they grow with the logarithm of the number.
const barLevels = 6

func barLevel(n int) int { return min(bits.Len(uint(n)), barLevels) }

// The ranks of arrows: the selected one, errors, rebalances, the rest of the groups' story, heartbeats, the steady flow.
const (
	rankChosen = iota
	rankError
	rankRebalance
	rankStory
	rankHeartbeat
	rankFlow
)

// rank orders arrows for their texts.
func (d *drawn) rank(in *input) int {
	if in.selected(messageID(d.message.ID)) {
		return rankChosen
	}
	if d.err != kafka.None {
		return rankError
	}
	switch api := d.api(); {
	case quietAPI(api):
		return rankFlow
	case api == kafka.HeartbeatAPI:
		return rankHeartbeat
	case api == kafka.JoinGroupAPI || api == kafka.SyncGroupAPI || api == kafka.LeaveGroupAPI || api == kafka.FindCoordinatorAPI:
		return rankRebalance
	}
	return rankStory
}

// color is an arrow's colour: of the client whose message it is, or warm for an error.
func (d *drawn) color(in *input) scene.Color {
	client := d.message.From
	if d.message.Reply() {
		client = d.message.To
	}
	switch {
	case d.err != kafka.None:
		return in.theme.warn
	case quietAPI(d.api()):
		return mix(in.theme.line, in.theme.muted, 0.2)
	}
	return in.cast.of(client).ink
}

// arrowPrefix begins the ids of the arrows.
const arrowPrefix = "arrow:"

func drawArrow(p *pen, d *drawn) {
	if d.coming {
		p.line(d.from.X, d.from.Y, d.to.X, d.to.Y, mix(p.in.theme.line, p.in.theme.panel, 0.25), 1)
		return
	}
	id, shape := messageID(d.message.ID), arrowPrefix+number(d.message.ID)
	c, width := d.color(p.in), 1.5
	if d.rank(p.in) >= rankHeartbeat {
		c, width = alpha(c, 0x88), 1
	}
	var dash []float64
	if d.message.Reply() {
		dash = []float64{5, 3}
	}
	if p.in.selected(id) || p.in.hovered(shape) || p.in.session.Focused == shape {
		c, width = p.in.theme.text, 2.5
	}
	p.add(scene.Shape{
		Kind: scene.Line, Points: []scene.Point{d.from, d.to}, Stroke: c, StrokeWidth: width, Dash: dash, ID: shape,
		Action: scene.Action{Do: Visit, Arg: id}, Tip: p.in.messageSentence(d.message, false), Focus: d.focus, Role: d.role(),
		Label: p.in.messageSentence(d.message, false), State: scene.State{Focused: p.in.session.Focused == shape},
	})
	if d.dropped > 0 {
		iconClose(p, d.to.X, d.to.Y, p.u(4), p.in.theme.warn)
		return
	}
	if d.rank(p.in) < rankFlow {
		p.arrowHead(d.from, d.to, p.u(6), c)
	}
}

// role makes a link of the one arrow that takes the focus.
func (d *drawn) role() scene.Role {
	if d.focus > 0 {
		return scene.Link
	}
	return scene.NoRole
}

// tabStop is the message whose arrow the Tab key reaches, from which the arrow keys go on: the one that has the focus, else
// the selected one, else the last.
func (q *sequence) tabStop(in *input) int64 {
	for _, chosen := range []string{strings.TrimPrefix(in.session.Focused, arrowPrefix), strings.TrimPrefix(in.session.Selected, "message:")} {
		if id, err := strconv.ParseInt(chosen, 10, 64); err == nil && slices.Contains(q.arrows, id) {
			return id
		}
	}
	if len(q.arrows) == 0 {
		return 0
	}
	return q.arrows[len(q.arrows)-1]
}

// rove gives the focus to the arrow before or after the one that has it.
func (s *Stage) rove(by int) bool {
	q := s.drawn().sequence
	if q == nil || len(q.arrows) == 0 {
		return false
	}
	at := slices.Index(q.arrows, q.tabStop(s.made.in)) + by
	id := arrowPrefix + number(q.arrows[max(0, min(at, len(q.arrows)-1))])
	changed := change(&s.session.Focused, id)
	if changed {
		s.version++
	}
	return changed
}

// labelArrow writes an arrow's name beside it where nothing else is written.
func labelArrow(p *pen, q *sequence, d *drawn) {
	rank := d.rank(p.in)
	if rank == rankFlow || d.message.Reply() && d.err == kafka.None && rank > rankChosen {
		return
	}
	text, s := d.api().String(), p.tiny().colored(d.color(p.in))
	if d.err != kafka.None {
		text, s = d.err.String(), s.bold()
	}
	if !p.placeLabel(q, d, []string{text}, s) && rank <= rankError {
		p.placeLabel(q, d, halves(text), s)
	}
}

// placeLabel writes lines beside an arrow at the first free place along it; false when there is none.
func (p *pen) placeLabel(q *sequence, d *drawn, lines []string, s style) bool {
	w, line := 0.0, p.u(13)
	for _, text := range lines {
		w = max(w, s.width(text))
	}
	h := line * float64(len(lines))
	for _, t := range []float64{0.5, 0.3, 0.7} {
		at := lerpPoint(d.from, d.to, t)
		for _, x := range []float64{at.X + p.u(5), at.X - p.u(5) - w} {
			b := box{x, at.Y - h/2, w + 1, h}
			if b.Y < q.plot.Y || b.bottom() > q.foot || p.coversLane(q, b) || !q.claim(b) {
				continue
			}
			for i, text := range lines {
				p.haloed(b.row(i, line), text, s)
			}
			return true
		}
	}
	return false
}

// halves breaks an error's name in two at the underscore nearest to its middle.
func halves(name string) []string {
	best := 0
	for i, r := range name {
		if r == '_' && abs(2*i-len(name)) < abs(2*best-len(name)) {
			best = i
		}
	}
	if best == 0 {
		return []string{name}
	}
	return []string{name[:best+1], name[best+1:]}
}

func abs(n int) int { return max(n, -n) }

// coversLane reports whether a text would lie on a lane's line.
func (p *pen) coversLane(q *sequence, b box) bool {
	for _, y := range q.lanes {
		if y > b.Y+1 && y < b.bottom()-1 {
			return true
		}
	}
	return false
}

// drawNow draws what moves with time as it lies at a moment, the messages on their way, and the line of the moment itself.
func drawNow(p *pen, q *sequence, event int, phase float64) {
	moment := q.clock.at(event, phase)
	past := (q.start(moment) - q.from) * q.scale
	if past > q.plot.W-q.view.W+1 {
		q, past = q.movedOn(p, moment), 0
	}
	shapes := q.atRest
	if past > 0 {
		shapes = q.movedTo(past)
	}
	from := q.from + past/q.scale
	p.add(scene.Shape{
		X: q.view.X, Y: q.bands.Y, W: q.view.W, H: q.axis.bottom() - q.bands.Y, ID: GroundID, Action: scene.Action{Do: Moment},
		Value: scene.Value{Min: from, Max: from + q.width()},
	})
	p.shapes = append(p.shapes, shapes...)
	p.clipped(q.view, func(r *pen) { drawFlying(r, q, moment, past) })
	x := q.x(moment) - past
	if x < q.view.X || x > q.view.right() {
		return
	}
	p.line(x, q.view.Y, x, q.foot, p.in.theme.text, 1.5)
	p.polygon(p.in.theme.text, scene.Point{X: x - p.u(4), Y: q.foot + p.u(5)}, scene.Point{X: x + p.u(4), Y: q.foot + p.u(5)}, scene.Point{X: x, Y: q.foot})
}

// GroundID is the id of the area of the sequence diagram between its lanes' names and its right end.
const GroundID = "sequence:ground"

// movedOn is the diagram at a moment that is further on than what was prepared: on the way through a long wait.
func (q *sequence) movedOn(p *pen, moment float64) *sequence {
	later := *q
	later.from = q.start(moment)
	later.to = later.from + q.width()
	later.widen()
	later.fill(p)
	return &later
}

// movedTo is what moves with time when the window has moved on by so many pixels, as far as it is in view.
func (q *sequence) movedTo(past float64) []scene.Shape {
	around := box{q.view.X, q.bands.Y, q.view.W, q.axis.bottom() - q.bands.Y}
	return []scene.Shape{clip(around, movedLeft(q.margins, past)), clip(q.view, movedLeft(q.flow, past))}
}

// movedLeft copies figures to where they lie when the window has moved on.
func movedLeft(shapes []scene.Shape, by float64) []scene.Shape {
	out := slices.Clone(shapes)
	for i := range out {
		sh := &out[i]
		sh.X -= by
		sh.Points = slices.Clone(sh.Points)
		for j := range sh.Points {
			sh.Points[j].X -= by
		}
		sh.Kids = movedLeft(sh.Kids, by)
	}
	return out
}

// drawFlying draws the arrows of the messages on their way as far as they have come.
func drawFlying(p *pen, q *sequence, moment, past float64) {
	for i := range p.in.frame.Flying {
		f := &p.in.frame.Flying[i]
		a := p.in.track.arrow(f.Message.ID)
		from, ok1 := q.lanes[f.Message.From]
		to, ok2 := q.lanes[f.Message.To]
		if a == nil || !ok1 || !ok2 || a.err == kafka.None && !p.in.session.Sequence.shows(a.api()) {
			continue
		}
		sent, arrives := q.clock.at(a.sent, 0), q.clock.moment(f.ArrivesAt)
		if a.end() > 0 {
			arrives = q.clock.at(a.end(), 0)
		}
		start := scene.Point{X: q.x(sent) - past, Y: from}
		if sent < q.from || sent > moment || arrives <= sent {
			continue
		}
		d := drawn{arrow: a, from: start, to: lerpPoint(start, scene.Point{X: q.x(arrives) - past, Y: to}, clamp((moment-sent)/(arrives-sent), 0, 1))}
		drawArrow(p, &d)
	}
}
