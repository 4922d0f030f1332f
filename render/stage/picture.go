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

// looks are the combinations of detail for logs and clients, the best first.
var looks = []struct{ logs, clients detail }{
	{full, full}, {tight, full}, {tight, tight}, {bars, full}, {bars, tight}, {tiles, tight}, {tiles, tiles},
}

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
	height                  float64
}

// ringSpot is a timer's ring, drawn anew at every phase: the ring with a letter in it, and the time left beside or below.
type ringSpot struct {
	timer    view.Timer
	x, y, r  float64
	color    scene.Color
	number   box // where the time left is written
	centered bool
}

// The design heights of the picture's parts, in units.
const (
	linksLeast, linksMost = 36, 130
)

// newPicture fits the parts into the pane.
func newPicture(p *pen, pane box) *picture {
	pic := &picture{pane: pane, ports: map[kafka.NodeID]port{}, sections: map[string]port{}}
	gap := p.u(10)
	legend := legendHeight(p, pane.W)
	bandHeight := brokersHeight(p, pane.W)
	for _, look := range looks {
		logs, clients := logsHeight(p, pane.W, look.logs), clientsHeight(p, pane.W, look.clients)
		pic.logDetail, pic.clientDetail = look.logs, look.clients
		pic.height = legend + logs + gap + bandHeight + p.u(linksLeast) + clients
		pic.stack(p, legend, logs, gap, bandHeight, clients)
		if pic.height <= pane.H || p.in.layout.form != wide && pic.readable(p) {
			break
		}
	}
	return pic
}

// readable reports whether a picture that must be scrolled is short enough to be worth scrolling.
func (pic *picture) readable(p *pen) bool { return pic.height <= max(2.6*pic.pane.H, p.u(900)) }

// stack places the parts one below the other; spare height goes to the links, up to a limit.
func (pic *picture) stack(p *pen, legend, logs, gap, brokers, clients float64) {
	spare := clamp(pic.pane.H-pic.height, 0, p.u(linksMost-linksLeast))
	links := p.u(linksLeast) + spare
	y := pic.pane.Y - p.scrolled("picture", pic.height, pic.pane.H)
	place := func(h float64) box {
		b := box{pic.pane.X, y, pic.pane.W, h}
		y += h
		return b
	}
	pic.legend = place(legend)
	pic.logs = place(logs)
	place(gap)
	pic.brokers = place(brokers)
	pic.links = place(links)
	pic.clients = place(clients)
}

// drawPicture draws the group view and returns where its moving parts are.
func drawPicture(p *pen, b box) *picture {
	p.panel(b)
	pane := b.inset(p.u(14), p.u(10))
	pic := newPicture(p, pane)
	p.pane("picture", p.in.words.say("panel.picture"), pane, pic.height, func(q *pen) {
		drawLegend(q, pic.legend)
		drawLogs(q, pic.logs, pic.logDetail)
		drawBrokers(q, pic)
		drawClients(q, pic)
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

// halo points at an area.
func (p *pen) halo(b box) {
	p.frame(box{b.X - 2, b.Y - 2, b.W + 4, b.H + 4}, p.u(9), scene.Color{}, alpha(p.in.theme.strong, 0x70), 2.5)
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
