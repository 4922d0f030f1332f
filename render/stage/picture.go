package stage

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// detail is how much a row of the picture says; less is taken when there is no room for more.
type detail uint8

const (
	full  detail = iota // logs: cells with markers;       clients: cards with rings
	tight               // logs: cells closer together;    clients: cards without rings
	bars                // logs: one bar for each;         clients: as tight
	tiles               // logs and clients: a small tile for each
)

// picture is where the parts of the group view lie: logs above, then the brokers, the links on which messages
// move, and the clients.
type picture struct {
	pane                    box // what is in view; the rest may lie above and below it
	legend                  box
	logs                    box
	brokers                 box
	links                   box
	clients                 box
	logDetail, clientDetail detail
	ports                   map[kafka.NodeID]port // where a node's messages leave and enter the links
	sections                map[string]port       // by group: the same for its coordinator's section
	rings                   []ringSpot
	in                      *input // at the picture's own scale
}

// ringSpot is a timer's ring, drawn anew at every phase: the ring with a letter in it, and the time left beside or below.
type ringSpot struct {
	timer    view.Timer
	x, y, r  float64
	color    scene.Color
	number   box // where the time left is written
	centered bool
}

// newPicture fits the parts into the pane.
func newPicture(in *input, pane box) *picture {
	r := roomFor(in, pane)
	pic := &picture{
		pane: pane, logDetail: r.logs, clientDetail: r.clients, in: in.scaled(r.scale),
		ports: map[kafka.NodeID]port{}, sections: map[string]port{},
	}
	all := r.heights.spread(pane.H - r.heights.sum())
	pic.stack(all, 0)
	if over := all.sum() - pane.H; over > 0 {
		in.rests["picture"] = min(pic.rest(in), over)
	}
	pic.stack(all, newPen(in).scrolled("picture", all.sum(), pane.H))
	return pic
}

// stack places the parts one below the other.
func (pic *picture) stack(h heights, scrolled float64) {
	y := pic.pane.Y - scrolled
	place := func(h float64) box {
		b := box{pic.pane.X, y, pic.pane.W, h}
		y += h
		return b
	}
	pic.legend = place(h.legend)
	pic.logs = place(h.logs)
	place(h.gap)
	pic.brokers = place(h.brokers)
	pic.links = place(h.links)
	pic.clients = place(h.clients)
}

// drawPicture draws the group view and returns where its moving parts are.
func drawPicture(p *pen, b box) *picture {
	pic := newPicture(p.in, b.inset(p.u(14), p.u(10)))
	p.with(pic.in, func(q *pen) {
		q.pane("picture", q.in.words.say("panel.picture"), pic.pane, pic.clients.bottom()-pic.legend.Y, func(r *pen) {
			drawLegend(r, pic.legend)
			drawLogs(r, pic.logs, pic.logDetail)
			drawBrokers(r, pic)
			drawClients(r, pic)
		})
	})
	return pic
}

// node draws the group of shapes that stand for one process, which a click selects.
func (p *pen) node(b box, id kafka.NodeID, label string, draw func(*pen)) {
	p.thing(b, nodeID(id), string(id), label, draw)
}

// thing draws the group of shapes that stand for something to select: lit when it is selected, and haloed when
// the beat points at it.
func (p *pen) thing(b box, id, name, label string, draw func(*pen)) {
	c := control{id: id, label: label, action: scene.Action{Do: Select, Arg: id}}
	c.state.Selected = p.in.selected(id)
	p.control(b, c, func(q *pen, s scene.State) {
		if p.in.looked(name) {
			q.halo(b)
		}
		draw(q)
		if s.Selected || s.Hovered {
			width := 1.0
			if s.Selected {
				width = 2
			}
			q.frame(b, q.u(8), scene.Color{}, q.in.theme.text, width)
		}
	})
}

// halo points at an area, with some room around it.
func (p *pen) halo(b box) {
	around := p.u(4)
	p.frame(b.inset(-around, -around), p.u(10), scene.Color{}, alpha(p.in.theme.strong, 0x90), 2.5)
}

// consumer finds a consumer of the frame; nil if there is none such.
func (in *input) consumer(id kafka.NodeID) *view.Consumer {
	for i := range in.frame.Consumers {
		if in.frame.Consumers[i].ID == id {
			return &in.frame.Consumers[i]
		}
	}
	return nil
}

// group finds a group of the frame; nil if there is none such.
func (in *input) group(id string) *view.Group {
	for i := range in.frame.Groups {
		if in.frame.Groups[i].ID == id {
			return &in.frame.Groups[i]
		}
	}
	return nil
}

// member finds a consumer's membership as its coordinator knows it; nil if it knows of none.
func (in *input) member(c *view.Consumer) *view.Member {
	g := in.group(c.Group)
	if g == nil {
		return nil
	}
	for i := range g.Members {
		if g.Members[i].Client == c.ID {
			return &g.Members[i]
		}
	}
	return nil
}
