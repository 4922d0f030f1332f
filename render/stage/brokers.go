package stage

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// bandPlan is how the brokers share their band: one section for each group, beside its coordinator's name, and
// a small card for each broker that coordinates none, and for each external store.
type bandPlan struct {
	groups []*view.Group
	idle   []server
	idleW  float64 // width of the column of small cards; 0: they stand in a row above the sections
	stack  bool    // sections lie one below the other
}

func newBandPlan(p *pen, w float64) bandPlan {
	f := p.in.frame
	plan := bandPlan{}
	busy := map[kafka.NodeID]bool{}
	for i := range f.Groups {
		plan.groups = append(plan.groups, &f.Groups[i])
		busy[f.Groups[i].Coordinator] = true
	}
	for i := range f.Brokers {
		if !busy[f.Brokers[i].ID] {
			plan.idle = append(plan.idle, p.in.brokerServer(&f.Brokers[i]))
		}
	}
	for i := range f.Stores {
		plan.idle = append(plan.idle, p.in.storeServer(&f.Stores[i]))
	}
	if len(plan.idle) > 0 && p.in.layout.form != narrow {
		plan.idleW = p.u(96)
	}
	sections := float64(max(1, len(plan.groups)))
	plan.stack = (w-plan.idleW)/sections < p.u(300)
	return plan
}

// server is what a small card says of a broker or a store.
type server struct {
	id       kafka.NodeID
	name     string
	text     string
	liveness view.Liveness
}

func (in *input) brokerServer(b *view.Broker) server {
	leads, w := in.leads(b.ID), in.words
	text := w.say("broker.leads", "list", partitionList(leads))
	if len(leads) == 0 {
		text = w.say("broker.leads-none")
	}
	return server{id: b.ID, name: w.say("broker.card", "broker", string(b.ID)), text: in.lifeText(b.Liveness, text), liveness: b.Liveness}
}

func (in *input) storeServer(s *view.Store) server {
	w := in.words
	return server{id: s.ID, name: w.say("store.card", "store", string(s.ID)), text: w.say("store.results", "n", number(s.Results))}
}

// sectionWidth is the width of one group's section.
func (plan *bandPlan) sectionWidth(p *pen, w float64) float64 {
	if plan.idleW > 0 {
		w -= plan.idleW + p.u(10)
	}
	n := float64(max(1, len(plan.groups)))
	if plan.stack {
		n = 1
	}
	return (w - (n-1)*p.u(10)) / n
}

func brokersHeight(p *pen, w float64) float64 {
	plan := newBandPlan(p, w)
	section := plan.sectionWidth(p, w)
	row := plan.idleRow(p, w)
	h, sum := 0.0, 0.0
	for _, g := range plan.groups {
		need := sectionHeight(p, section, g)
		h, sum = max(h, need), sum+need+p.u(8)
	}
	if plan.stack {
		return row + max(0, sum-p.u(8))
	}
	return row + h
}

// The design size of a small card, in units, and how many rows of them stand above the sections at most.
const (
	idleLeastW, idleLeastH = 90, 20
	mostIdleRows           = 3
)

// idleRow is the height of the small cards above the sections.
func (plan *bandPlan) idleRow(p *pen, w float64) float64 {
	if len(plan.idle) == 0 || plan.idleW > 0 && len(plan.groups) > 0 {
		return 0
	}
	columns := max(1, int(w/p.u(idleLeastW)))
	rows := min(mostIdleRows, (len(plan.idle)+columns-1)/columns)
	return p.u(8) + float64(rows)*p.u(idleLeastH+8)
}

// drawBrokers draws the band of brokers.
func drawBrokers(p *pen, pic *picture) {
	b := pic.brokers
	plan := newBandPlan(p, b.W)
	if len(plan.groups) == 0 {
		drawServers(p, pic, b, plan.idle)
	} else if row := plan.idleRow(p, b.W); row > 0 {
		var strip box
		strip, b = b.top(row)
		drawServers(p, pic, box{strip.X, strip.Y, strip.W, strip.H - p.u(8)}, plan.idle)
	} else if len(plan.idle) > 0 {
		column, _ := b.rightmost(plan.idleW)
		drawServers(p, pic, column, plan.idle)
	}
	w := plan.sectionWidth(p, b.W)
	x, y := b.X, b.Y
	for _, g := range plan.groups {
		section := box{x, y, w, b.H}
		if plan.stack {
			section.H = sectionHeight(p, w, g)
			y += section.H + p.u(8)
		} else {
			x += w + p.u(10)
		}
		drawSection(p, pic, section, g)
		at := port{section.X + p.u(20), section.right() - p.u(20)}
		pic.sections[g.ID] = at
		if _, ok := pic.ports[g.Coordinator]; !ok {
			pic.ports[g.Coordinator] = at
		}
	}
}

// drawServers draws the small cards, beside each other or one below the other.
func drawServers(p *pen, pic *picture, b box, servers []server) {
	gap := p.u(6)
	columns := max(1, min(len(servers), int(b.W/p.u(idleLeastW))))
	rows := max(1, min((len(servers)+columns-1)/columns, int((b.H+gap)/(p.u(idleLeastH)+gap))))
	w, h := (b.W-gap*float64(columns-1))/float64(columns), (b.H-gap*float64(rows-1))/float64(rows)
	for i := range servers {
		card := box{b.X + float64(i%columns)*(w+gap), b.Y + float64(i/columns)*(h+gap), w, h}
		x := card.X + card.W*float64(i/columns+1)/float64(rows+1)
		last := rows*columns - 1
		if i >= last && len(servers) > rows*columns {
			p.write(card, p.in.words.say("broker.more", "n", number(len(servers)-last)), p.small())
			break
		}
		pic.ports[servers[i].id] = port{x, x}
		drawServer(p, card, &servers[i])
	}
}

// drawServer draws one small card: the name, and below it as much of what there is to say as has room.
func drawServer(p *pen, b box, s *server) {
	p.node(b, s.id, s.name+" "+s.text, func(q *pen) {
		q.card(b, s.liveness)
		q.acting(b, s.id)
		inner := b.inset(q.u(8), min(q.u(3), b.H*0.1))
		head, rest := inner.top(min(inner.H, q.u(20)))
		q.write(head, string(s.id), q.label().bold())
		for i, line := range scene.Wrap(q.tiny().font, s.text, rest.W) {
			if float64(i+1)*q.u(15) > rest.H {
				break
			}
			q.write(rest.row(i, q.u(15)), line, q.tiny())
		}
	})
}

// leads lists the partitions that a broker leads.
func (in *input) leads(id kafka.NodeID) []kafka.TopicPartition {
	var out []kafka.TopicPartition
	for i := range in.frame.Topics {
		for j := range in.frame.Topics[i].Partitions {
			if part := &in.frame.Topics[i].Partitions[j]; part.Leader == id {
				out = append(out, part.TopicPartition)
			}
		}
	}
	return out
}

// lifeText says what ails a process, and the given text when nothing does.
func (in *input) lifeText(l view.Liveness, otherwise string) string {
	if l == view.Up {
		return otherwise
	}
	return in.words.say("life." + l.String())
}

// card draws the ground of a broker's card: dashed when the process is gone.
func (p *pen) card(b box, l view.Liveness) {
	t := p.in.theme
	if l == view.Up {
		p.frame(b, p.u(8), t.sunken, t.line, 1)
		return
	}
	p.frame(b, p.u(8), t.panel, t.muted, 1.5, 5, 4)
}

// acting draws a line around the node that acted in the present event.
func (p *pen) acting(b box, id kafka.NodeID) {
	if p.in.entry != nil && p.in.entry.Node == id {
		p.frame(b, p.u(8), scene.Color{}, p.in.theme.strong, 1.5)
	}
}
