package stage

import (
	"cmp"
	"slices"

	"groupscope/core/kafka"
	"groupscope/render/scene"
)

// drawn is one arrow of the sequence diagram with its ends on the screen.
type drawn struct {
	*arrow
	from, to scene.Point
}

// drawArrows draws the messages that were received or lost up to the present event. Those of the steady flow are
// faint; texts go to errors first, then to the story, as long as there is room.
func drawArrows(p *pen, q *sequence) {
	list := p.in.visibleArrows(q)
	for i := range list {
		drawArrow(p, &list[i])
	}
	slices.SortStableFunc(list, func(a, b drawn) int { return cmp.Compare(a.rank(p.in), b.rank(p.in)) })
	for i := range list {
		labelArrow(p, q, &list[i])
	}
}

// longestFlight is how many events before a window the messages may be sent that arrive in it.
const longestFlight = 64

// visibleArrows lists the arrows whose end is known and that touch the window.
func (in *input) visibleArrows(q *sequence) []drawn {
	event, _ := in.pace.find(q.from)
	var out []drawn
	for i := in.track.first[max(0, event-longestFlight)]; i < len(in.track.arrows); i++ {
		a := &in.track.arrows[i]
		if a.sent > in.frame.Event || in.pace.at(a.sent, 0) > q.to {
			break
		}
		from, ok1 := q.lanes[a.message.From]
		to, ok2 := q.lanes[a.message.To]
		end := a.end()
		if !ok1 || !ok2 || end == 0 || end > in.frame.Event || in.pace.at(end, 0) < q.from {
			continue
		}
		d := drawn{arrow: a, from: scene.Point{X: q.x(in.pace.at(a.sent, 0)), Y: from}, to: scene.Point{X: q.x(in.pace.at(end, 0)), Y: to}}
		if d.from.X >= q.plot.X-1 && d.to.X <= q.plot.right()+1 {
			out = append(out, d)
		}
	}
	return out
}

// drawComingArrows draws faintly, without a word, the ways of messages that are yet to be sent or to arrive.
func drawComingArrows(p *pen, q *sequence) {
	event := p.in.frame.Event
	c := mix(p.in.theme.line, p.in.theme.panel, 0.25)
	for i := p.in.track.first[max(0, event-longestFlight)]; i < len(p.in.track.arrows); i++ {
		a := &p.in.track.arrows[i]
		if p.in.pace.at(a.sent, 0) > q.to {
			break
		}
		from, ok1 := q.lanes[a.message.From]
		to, ok2 := q.lanes[a.message.To]
		if !ok1 || !ok2 || a.end() <= event || quietAPI(a.api()) {
			continue
		}
		x1, x2 := q.x(p.in.pace.at(a.sent, 0)), q.x(p.in.pace.at(a.end(), 0))
		if x1 >= q.plot.X && x2 <= q.plot.right() {
			p.line(x1, from, x2, to, c, 1)
		}
	}
}

// rank orders arrows for their texts: the selected one, errors, the story of the groups, the rest.
func (d *drawn) rank(in *input) int {
	switch {
	case in.selected(messageID(d.message.ID)):
		return 0
	case d.err != kafka.None:
		return 1
	case quietAPI(d.api()):
		return 4
	case d.api() == kafka.HeartbeatAPI:
		return 3
	}
	return 2
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

func drawArrow(p *pen, d *drawn) {
	id, shape := messageID(d.message.ID), "arrow:"+number(d.message.ID)
	c, width := d.color(p.in), 1.5
	if d.rank(p.in) >= 3 {
		c, width = alpha(c, 0x88), 1
	}
	var dash []float64
	if d.message.Reply() {
		dash = []float64{5, 3}
	}
	if p.in.selected(id) || p.in.hovered(shape) {
		c, width = p.in.theme.text, 2.5
	}
	p.add(scene.Shape{
		Kind: scene.Line, Points: []scene.Point{d.from, d.to}, Stroke: c, StrokeWidth: width, Dash: dash, ID: shape,
		Action: scene.Action{Do: Visit, Arg: id}, Tip: p.in.messageSentence(d.message, false),
	})
	if d.dropped > 0 {
		iconClose(p, d.to.X, d.to.Y, p.u(4), p.in.theme.warn)
		return
	}
	if d.rank(p.in) < 4 {
		p.arrowHead(d.from, d.to, p.u(6), c)
	}
}

// labelArrow writes an arrow's name beside it where nothing else is written.
func labelArrow(p *pen, q *sequence, d *drawn) {
	rank := d.rank(p.in)
	if rank == 4 || d.message.Reply() && d.err == kafka.None && rank > 0 {
		return
	}
	text, s := d.api().String(), p.tiny().colored(d.color(p.in))
	if d.err != kafka.None {
		text, s = d.err.String(), s.bold()
	}
	if !p.placeLabel(q, d, []string{text}, s) && rank <= 1 {
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
			if b.Y < q.plot.Y || b.bottom() > q.bottom() || p.coversLane(q, b) || !q.claim(b) {
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
	moment := p.in.pace.at(event, phase)
	past := (windowStart(moment, q.view.W/q.scale) - q.from) * q.scale
	shapes := q.atRest
	if past > 0 {
		shapes = q.movedTo(past)
	}
	p.shapes = append(p.shapes, shapes...)
	p.clipped(q.view, func(r *pen) { drawFlying(r, q, moment, past) })
	x := clamp(q.x(moment)-past, q.view.X, q.view.right())
	p.line(x, q.view.Y, x, q.bottom(), p.in.theme.text, 1.5)
	foot := q.bottom()
	p.polygon(p.in.theme.text, scene.Point{X: x - p.u(4), Y: foot + p.u(5)}, scene.Point{X: x + p.u(4), Y: foot + p.u(5)}, scene.Point{X: x, Y: foot})
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
		if a == nil || !ok1 || !ok2 {
			continue
		}
		sent, arrives := p.in.pace.at(a.sent, 0), p.in.pace.moment(f.ArrivesAt)
		if a.end() > 0 {
			arrives = p.in.pace.at(a.end(), 0)
		}
		start := scene.Point{X: q.x(sent) - past, Y: from}
		if sent < q.from || sent > moment || arrives <= sent {
			continue
		}
		d := drawn{arrow: a, from: start, to: lerpPoint(start, scene.Point{X: q.x(arrives) - past, Y: to}, clamp((moment-sent)/(arrives-sent), 0, 1))}
		drawArrow(p, &d)
	}
}
