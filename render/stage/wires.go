package stage

import (
	"cmp"
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// The design sizes of the wires, in units.
const (
	wireChipH, leastChipW = 24, 34
	wireLaneH, wireLanes  = 24, 3
	wireDotsH             = 14
)

// wires are the messages between brokers and the controller.
type wires struct {
	couriers []courier
	pane     box
	in       *input
}

// wiresHeight is the height of the wires between n brokers and the controller, with a row of chips where the cards below
// cannot stand for the brokers; 0 where there is nobody to talk to, or no room.
func wiresHeight(p *pen, w float64, n int, abreast bool) float64 {
	if n < 2 || w/float64(n+1) < p.u(leastChipW) {
		return 0
	}
	h := p.u(wireLaneH*wireLanes + wireDotsH + 8)
	if !abreast {
		h += p.u(wireChipH + 4)
	}
	return h
}

// drawWires draws the wires with their ends, and places the messages on them. The ends are the cards below, and
// the controller at the left; or else chips above, one for each.
func drawWires(p *pen, b box, plan *clusterPlan) *wires {
	ports, band := map[kafka.NodeID]float64{}, b
	band.H -= p.u(8)
	nodes := make([]kafka.NodeID, len(plan.brokers))
	for i := range nodes {
		nodes[i] = plan.brokers[i].broker.ID
	}
	if !plan.abreast {
		var chips box
		chips, band = band.top(p.u(wireChipH))
		_, band = band.top(p.u(4))
		nodes = append(nodes, kafka.Controller)
		for i, at := range chips.columns(len(nodes), p.u(6)) {
			ports[nodes[i]] = at.midX()
			p.wireChip(at, nodes[i])
		}
	}
	p.area(band, p.u(6), mix(p.in.theme.panel, p.in.theme.sunken, 0.6))
	lanes := band
	if plan.abreast {
		text := p.in.words.say("cluster.controller")
		var at box
		at, lanes = band.left(p.tiny().width(text) + p.u(16))
		p.write(at, text, p.tiny().colored(p.in.theme.text).aligned(scene.Center))
		ports[kafka.Controller] = lanes.X
		for i, id := range nodes {
			ports[id] = plan.cards[i].midX()
		}
		nodes = append(nodes, kafka.Controller)
	}
	for _, id := range nodes {
		p.line(ports[id], band.Y, ports[id], band.bottom(), p.in.theme.line, 1)
	}
	return &wires{couriers: newWires(p, lanes, ports), in: p.in}
}

// wireChip names one end of the wires.
func (p *pen) wireChip(b box, id kafka.NodeID) {
	text, t := string(id), p.in.theme
	if id == kafka.Controller {
		text = p.in.words.say("cluster.controller")
	}
	draw := func(q *pen) {
		fill, stroke := t.sunken, t.line
		if life, _ := q.in.frame.Liveness(id); life != view.Up {
			fill, stroke = t.panel, t.muted
		}
		q.frame(b, q.u(5), fill, stroke, 1)
		q.write(b.inset(q.u(3), 0), text, q.tiny().bold().colored(t.text).aligned(scene.Center))
	}
	if id == kafka.Controller {
		draw(p)
		return
	}
	k := control{id: "wire:" + string(id), label: text, action: scene.Action{Do: Select, Arg: nodeID(id)}}
	k.state.Selected = p.in.selected(nodeID(id))
	p.control(b, k, func(q *pen, s scene.State) {
		draw(q)
		if s.Selected || s.Hovered || q.in.hovered(nodeID(id)) {
			q.frame(b, q.u(5), scene.Color{}, t.text, 1.5)
		}
	})
}

// newWires places the messages between brokers and the controller, each on the first lane on which it meets no other until
// the next event; a message that finds none is a dot on the lowest one.
func newWires(p *pen, band box, ports map[kafka.NodeID]float64) []courier {
	var out []courier
	for i := range p.in.frame.Flying {
		f := &p.in.frame.Flying[i]
		from, ok1 := ports[f.Message.From]
		to, ok2 := ports[f.Message.To]
		if !ok1 || !ok2 {
			continue
		}
		c := courier{flight: f, text: f.Message.Body.API().String()}
		if err := kafka.ErrorOf(f.Message.Body); err != kafka.None {
			c.text = err.String()
		}
		c.dress(p)
		half := c.pill.W/2 + 2
		c.from.X, c.to.X = clamp(from, band.X+half, band.right()-half), clamp(to, band.X+half, band.right()-half)
		c.timing(p.in)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b courier) int { return cmp.Compare(b.weight(), a.weight()) })
	for i := range out {
		out[i].takeLane(p, band, out[:i])
	}
	return out
}

// takeLane gives a message a lane on which it meets none of the others.
func (c *courier) takeLane(p *pen, band box, others []courier) {
	for lane := range wireLanes {
		y := band.Y + (float64(lane)+0.5)*p.u(wireLaneH)
		c.from.Y, c.to.Y = y, y
		meets := func(o courier) bool { return !o.dot && c.touches(p.in, &o) }
		if !slices.ContainsFunc(others, meets) {
			return
		}
	}
	c.dot = true
	c.from.Y = band.bottom() - p.u(wireDotsH)/2
	c.to.Y = c.from.Y
}
