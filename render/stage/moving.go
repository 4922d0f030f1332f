package stage

import (
	"cmp"
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// courier is one message on its way through the links of the picture.
type courier struct {
	flight   *view.Flight
	from, to scene.Point // where it starts and ends, by its middle
	sent     float64     // moments on the screen's clock
	arrives  float64
	text     string
	pill     box // its size, around 0, 0
	dot      bool
	fill     scene.Color
	stroke   scene.Color
	ink      scene.Color
}

// port is the stretch along the links at which a node's messages leave and enter.
type port struct{ from, to float64 }

func (pt port) nearest(x float64) float64 { return clamp(x, pt.from, pt.to) }
func (pt port) middle() float64           { return (pt.from + pt.to) / 2 }

// newCouriers places the messages in flight. Where two pills would touch on their way to the next event, the one
// that matters less becomes a dot.
func newCouriers(p *pen, pic *picture) []courier {
	var out []courier
	for i := range p.in.frame.Flying {
		if c, ok := newCourier(p, pic, &p.in.frame.Flying[i]); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b courier) int { return cmp.Compare(b.weight(), a.weight()) })
	for i := range out {
		for j := range i {
			if !out[i].dot && !out[j].dot && out[i].touches(p.in, &out[j]) {
				out[i].yield(p, &out[j])
			}
		}
	}
	slices.Reverse(out) // what matters most is drawn last, on top
	return out
}

// newCourier places one message; false when it does not pass between a client and a broker of the picture.
func newCourier(p *pen, pic *picture, f *view.Flight) (courier, bool) {
	client, broker, up := f.Message.From, f.Message.To, true
	if f.Message.Reply() {
		client, broker, up = broker, client, false
	}
	clientPort, ok1 := pic.ports[client]
	brokerPort, ok2 := p.brokerPort(pic, client, broker)
	if !ok1 || !ok2 || !p.in.isClient(client) {
		return courier{}, false
	}
	c := courier{flight: f, text: f.Message.Body.API().String()}
	if err := kafka.ErrorOf(f.Message.Body); err != kafka.None {
		c.text = err.String()
	}
	c.dress(p)
	half := c.pill.H/2 + 2
	x := clientPort.middle()
	below := scene.Point{X: p.within(pic, x, &c), Y: pic.links.bottom() - half}
	above := scene.Point{X: p.within(pic, brokerPort.nearest(x), &c), Y: pic.links.Y + half}
	c.from, c.to = above, below
	if up {
		c.from, c.to = below, above
	}
	c.timing(p.in)
	return c, true
}

// within keeps a pill inside the picture.
func (p *pen) within(pic *picture, x float64, c *courier) float64 {
	return clamp(x, pic.links.X+c.pill.W/2, pic.links.right()-c.pill.W/2)
}

// brokerPort is where a client's messages enter a broker: the section of its own group if the broker coordinates it.
func (p *pen) brokerPort(pic *picture, client, broker kafka.NodeID) (port, bool) {
	if c := p.in.consumer(client); c != nil {
		if g := p.in.group(c.Group); g != nil && g.Coordinator == broker {
			at, ok := pic.sections[g.ID]
			return at, ok
		}
	}
	at, ok := pic.ports[broker]
	return at, ok
}

// dress gives a message its look: filled for a request, outlined for a reply, warm for an error, pale for the
// steady flow of records.
func (c *courier) dress(p *pen) {
	m, t := c.flight.Message, p.in.theme
	client := m.From
	if m.Reply() {
		client = m.To
	}
	a := p.in.cast.of(client)
	switch {
	case kafka.ErrorOf(m.Body) != kafka.None:
		c.fill, c.stroke, c.ink = t.warn, t.warn, readableOn(t.warn)
	case quietAPI(m.Body.API()):
		c.fill, c.stroke, c.ink = t.panel, t.line, t.muted
	case m.Reply():
		c.fill, c.stroke, c.ink = t.panel, a.ink, a.ink
	default:
		c.fill, c.stroke, c.ink = a.fill, a.fill, a.on
	}
	s := p.tiny().bold()
	c.pill = box{W: round(s.width(c.text) + p.u(18)), H: p.u(20)}
}

// timing fixes when the message leaves and arrives on the screen's clock.
func (c *courier) timing(in *input) {
	c.sent = in.pace.at(c.flight.SentEvent, 0)
	c.arrives = in.pace.moment(c.flight.ArrivesAt)
	if a := in.track.arrow(c.flight.Message.ID); a != nil && a.end() > 0 {
		c.arrives = in.pace.at(a.end(), 0)
	}
}

// at is where the message is at a moment of the screen's clock: it starts and ends gently.
func (c *courier) at(moment float64) scene.Point {
	t := 1.0
	if c.arrives > c.sent {
		t = clamp((moment-c.sent)/(c.arrives-c.sent), 0, 1)
	}
	return lerpPoint(c.from, c.to, ease(t))
}

func (c *courier) boxAt(moment float64) box {
	p := c.at(moment)
	return box{p.X - c.pill.W/2, p.Y - c.pill.H/2, c.pill.W, c.pill.H}
}

// weight says how much a message matters: errors, then the story of the groups, then records.
func (c *courier) weight() int {
	switch {
	case kafka.ErrorOf(c.flight.Message.Body) != kafka.None:
		return 3
	case quietAPI(c.flight.Message.Body.API()):
		return 1
	}
	return 2
}

// touches reports whether two pills meet between the present event and the next.
func (c *courier) touches(in *input, o *courier) bool {
	for phase := 0.0; phase <= 1; phase += 0.125 {
		moment := in.pace.at(in.frame.Event, phase)
		if c.boxAt(moment).meets(o.boxAt(moment)) {
			return true
		}
	}
	return false
}

// yield makes a message a dot that moves beside the other one.
func (c *courier) yield(p *pen, o *courier) {
	c.dot = true
	aside := o.pill.W/2 + p.u(9)
	c.from.X, c.to.X = o.from.X+aside, o.to.X+aside
}

// drawLinks draws a faint line along the way of each message.
func drawLinks(p *pen, couriers []courier) {
	for i := range couriers {
		c := &couriers[i]
		p.line(c.from.X, c.from.Y, c.to.X, c.to.Y, alpha(c.stroke, 0x66), 1.2, 2, 4)
	}
}

// flightPrefix begins the ids of the messages that move.
const flightPrefix = "flight:"

// drawCuts crosses out the links that pass nothing.
func drawCuts(p *pen, pic *picture) {
	for _, cut := range p.in.frame.Cuts {
		client, broker := cut.A, cut.B
		if !p.in.isClient(client) {
			client, broker = broker, client
		}
		below, ok1 := pic.ports[client]
		above, ok2 := p.brokerPort(pic, client, broker)
		if !ok1 || !ok2 || !p.in.isClient(client) {
			continue
		}
		x1, x2 := below.middle(), above.nearest(below.middle())
		p.line(x1, pic.links.bottom(), x2, pic.links.Y, p.in.theme.warn, 1.5, 4, 3)
		iconClose(p, (x1+x2)/2, pic.links.midY(), p.u(7), p.in.theme.warn)
	}
}

// drawCouriers draws the messages at a moment of the screen's clock.
func drawCouriers(p *pen, couriers []courier, moment float64) {
	for i := range couriers {
		c := &couriers[i]
		at, b := c.at(moment), c.boxAt(moment)
		if c.dot {
			b = box{at.X - p.u(5), at.Y - p.u(5), p.u(10), p.u(10)}
		}
		id := messageID(c.flight.Message.ID)
		p.group(scene.Shape{
			X: b.X, Y: b.Y, W: b.W, H: b.H, ID: flightPrefix + number(c.flight.Message.ID), Tip: p.in.messageSentence(c.flight.Message, false),
			Action: scene.Action{Do: Select, Arg: id},
		}, func(q *pen) {
			stroke, width := c.stroke, 1.5
			if q.in.selected(id) {
				stroke, width = q.in.theme.text, 2.5
			}
			q.frame(b, b.H/2, c.fill, stroke, width)
			if !c.dot {
				q.write(b, c.text, q.tiny().bold().colored(c.ink).aligned(scene.Center))
			}
		})
	}
}

// drawRings draws the timers as they are at a virtual time.
func drawRings(p *pen, rings []ringSpot, phase float64) {
	now := p.in.pace.time(p.in.frame.Event, phase)
	for i := range rings {
		r := &rings[i]
		left, share := r.timer.Left(now)
		c := r.color
		if share < 0.2 && (r.timer.Name == "session" || r.timer.Name == "poll") {
			c = p.in.theme.warn
		}
		p.ring(r.x, r.y, r.r, max(2, r.r*0.27), share, c)
		s := p.tiny().colored(p.in.theme.text)
		if r.centered {
			s = s.aligned(scene.Center)
		}
		p.write(r.number, p.in.words.left(left), s)
	}
}
