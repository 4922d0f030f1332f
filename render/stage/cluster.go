package stage

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// copyOf is one replica with the partition it is a copy of; without a partition it is a gap, so that the copies of
// a partition stand beside each other.
type copyOf struct {
	part    *view.Partition
	replica *view.Replica
}

func (c *copyOf) leads() bool { return c.part.Leader == c.replica.Broker }

// lag is how many records of the leader's log the copy has not got.
func (c *copyOf) lag() int64 { return max(0, c.part.LogEnd-c.replica.LogEnd) }

// clusterPlan is where the parts of the cluster view lie: above, the wires with a chip for each broker and the
// controller, below, a card for each broker.
type clusterPlan struct {
	brokers []brokerPlan
	abreast bool    // all cards stand in one row
	wires   float64 // height of the wires; 0 where there is no room for them
	cards   []box   // by broker, from the content's top at 0
	height  float64 // of the whole content
}

// brokerPlan is what the card of one broker holds.
type brokerPlan struct {
	broker *view.Broker
	copies []copyOf
	tiled  bool // too many for strips: a tile for each
}

// The design sizes of the cluster view, in units.
const (
	leastCardW  = 230
	copyH       = 60
	brokerHeadH = 50
	mostStrips  = 24 // more copies on a broker than that become tiles
)

func newClusterPlan(p *pen, b box) clusterPlan {
	plan := clusterPlan{brokers: p.in.brokerPlans()}
	n := len(plan.brokers)
	if n == 0 {
		return plan
	}
	gap := p.u(10)
	columns := max(1, min(n, int((b.W+gap)/(p.u(leastCardW)+gap))))
	columns = (n + (n+columns-1)/columns - 1) / ((n + columns - 1) / columns)
	if plan.abreast = columns == n; plan.abreast {
		plan.align(p.in)
	}
	plan.wires = wiresHeight(p, b.W, n, plan.abreast)
	y := plan.wires
	for i := 0; i < n; i += columns {
		row := plan.brokers[i:min(n, i+columns)]
		tallest := 0.0
		for j := range row {
			tallest = max(tallest, row[j].height(p, (b.W-gap*float64(columns-1))/float64(columns)))
		}
		for _, at := range (box{b.X, y, b.W, tallest}).columns(columns, gap)[:len(row)] {
			plan.cards = append(plan.cards, at)
		}
		y += tallest + gap
	}
	plan.height = y - gap
	return plan
}

// brokerPlans lists the brokers with the copies they hold.
func (in *input) brokerPlans() []brokerPlan {
	f := in.frame
	plans := make([]brokerPlan, len(f.Brokers))
	at := map[kafka.NodeID]*brokerPlan{}
	for i := range plans {
		plans[i].broker = &f.Brokers[i]
		at[f.Brokers[i].ID] = &plans[i]
	}
	for i := range f.Topics {
		for j := range f.Topics[i].Partitions {
			part := &f.Topics[i].Partitions[j]
			for k := range part.Replicas {
				if plan := at[part.Replicas[k].Broker]; plan != nil {
					plan.copies = append(plan.copies, copyOf{part, &part.Replicas[k]})
				}
			}
		}
	}
	for i := range plans {
		plans[i].tiled = len(plans[i].copies) > mostStrips
	}
	return plans
}

// align puts gaps between the copies, so that those of one partition stand beside each other in all cards, where
// that leaves fewer gaps than copies.
func (plan *clusterPlan) align(in *input) {
	var parts []*view.Partition
	for i := range in.frame.Topics {
		for j := range in.frame.Topics[i].Partitions {
			parts = append(parts, &in.frame.Topics[i].Partitions[j])
		}
	}
	copies := 0
	for i := range plan.brokers {
		copies += len(plan.brokers[i].copies)
	}
	if len(parts) > mostStrips || 2*copies <= len(parts)*len(plan.brokers) {
		return
	}
	for i := range plan.brokers {
		b := &plan.brokers[i]
		held := b.copies
		b.copies = make([]copyOf, len(parts))
		for j, part := range parts {
			if len(held) > 0 && held[0].part == part {
				b.copies[j], held = held[0], held[1:]
			}
		}
	}
}

// height is the height of a broker's card of that width.
func (plan *brokerPlan) height(p *pen, w float64) float64 {
	h := p.u(brokerHeadH) + p.u(8)
	if plan.tiled {
		return h + tilesHeight(p, w-p.u(20), len(plan.copies))
	}
	return h + p.u(copyH)*float64(max(1, len(plan.copies)))
}

// clusterScales are tried in turn: everything is drawn as large as there is room for.
var clusterScales = []float64{1.6, 1.45, 1.3, 1.15}

// clusterInput is the input at the scale at which the whole run's brokers and partitions have room.
func (in *input) clusterInput(pane box) *input {
	for _, by := range clusterScales {
		plan := newClusterPlan(newPen(in.at(in.whole.last()).scaled(by)), pane)
		if plan.abreast && plan.height <= pane.H {
			return in.scaled(by)
		}
	}
	return in
}

// drawCluster draws the brokers with their replicas, and what they say to each other.
func drawCluster(p *pen, b box, made *still) {
	pane := b.inset(p.u(14), p.u(12))
	p.with(p.in.clusterInput(pane), func(q *pen) {
		plan := newClusterPlan(q, pane)
		if len(plan.brokers) == 0 {
			q.paragraph(pane, q.in.words.say("cluster.none"), q.small())
			return
		}
		scrolled := q.scrolled("cluster", plan.height, pane.H)
		for i := range plan.cards {
			plan.cards[i].Y += pane.Y - scrolled
		}
		q.pane("cluster", q.in.words.say("view.cluster"), pane, plan.height, func(r *pen) {
			if plan.wires > 0 {
				made.wires = drawWires(r, box{pane.X, pane.Y - scrolled, pane.W, plan.wires}, &plan)
				made.wires.pane = pane
			}
			for i, at := range plan.cards {
				drawBroker(r, at, &plan.brokers[i])
			}
		})
	})
}

// drawBroker draws the card of one broker: who it is and what it coordinates, and the copies it holds.
func drawBroker(p *pen, b box, plan *brokerPlan) {
	broker := plan.broker
	p.node(b, broker.ID, p.in.brokerSentence(plan), func(q *pen) {
		q.card(b, broker.Liveness)
		q.acting(b, broker.ID)
		inner := b.inset(q.u(10), q.u(4))
		head, rest := inner.top(q.u(brokerHeadH - 4))
		q.brokerHead(head, broker)
		if plan.tiled {
			drawCopyTiles(q, rest, plan.copies)
			return
		}
		if len(plan.copies) == 0 {
			q.write(rest.row(0, q.u(copyH)), q.in.words.say("cluster.no-replica"), q.tiny())
		}
		for i := range plan.copies {
			if plan.copies[i].part != nil {
				drawCopy(q, rest.row(i, q.u(copyH)), &plan.copies[i])
			}
		}
	})
}

// brokerSentence tells a broker in words.
func (in *input) brokerSentence(plan *brokerPlan) string {
	n := 0
	for i := range plan.copies {
		if plan.copies[i].part != nil {
			n++
		}
	}
	return in.words.say("cluster.broker", "broker", string(plan.broker.ID), "life", in.words.say("life."+plan.broker.Liveness.String()),
		"n", number(n), "leads", number(len(in.leads(plan.broker.ID))))
}

// brokerHead writes a broker's name, rack and release on the first line, and what ails it or what it coordinates on
// the second.
func (p *pen) brokerHead(b box, broker *view.Broker) {
	w := p.in.words
	line, rest := b.top(p.u(24))
	where := broker.Release.String()
	if broker.Rack != "" {
		where = w.say("cluster.rack", "rack", broker.Rack) + w.say("list.dot") + where
	}
	end := p.run(line, span{string(broker.ID), p.label().bold(), p.u(10)})
	p.write(box{end, line.Y, line.right() - end, line.H}, where, p.tiny().aligned(scene.Right))
	line, _ = rest.top(p.u(18))
	if broker.Liveness != view.Up {
		p.write(line, p.in.lifeText(broker.Liveness, ""), p.small().colored(p.in.theme.warn).bold())
		return
	}
	x := line.X
	for _, g := range p.in.coordinated(broker.ID) {
		text := w.say("cluster.coordinates", "group", g)
		width := round(p.tiny().width(text) + p.u(14))
		if x+width > line.right() {
			break
		}
		p.groupChip(box{x, line.Y, width, line.H}, g, text)
		x += width + p.u(6)
	}
}

// coordinated lists the groups that a broker coordinates.
func (in *input) coordinated(id kafka.NodeID) []string {
	var out []string
	for i := range in.frame.Groups {
		if in.frame.Groups[i].Coordinator == id {
			out = append(out, in.frame.Groups[i].ID)
		}
	}
	return out
}

// groupChip draws a small field that stands for a group.
func (p *pen) groupChip(b box, group, text string) {
	p.thing(b, groupID(group), group, text, func(q *pen) {
		q.frame(b, b.H/2, q.in.theme.panel, q.in.theme.line, 1)
		q.write(b, text, q.tiny().colored(q.in.theme.text).aligned(scene.Center))
	})
}

// copyID names a replica's strip. What it selects is its partition.
func copyID(c *copyOf) string { return "replica:" + c.part.String() + "@" + string(c.replica.Broker) }

// replica draws what stands for one copy of a partition; a click selects the partition, which lights every copy.
func (p *pen) replica(b box, c *copyOf, draw func(*pen)) {
	id := partitionID(c.part.TopicPartition)
	k := control{id: copyID(c), label: p.in.copySentence(c), tip: p.in.copySentence(c), action: scene.Action{Do: Select, Arg: id}}
	k.state.Selected = p.in.selected(id)
	p.control(b, k, func(q *pen, s scene.State) {
		draw(q)
		hovered := s.Hovered || q.in.hoversCopy(c.part.TopicPartition)
		if s.Selected || hovered {
			width := 1.0
			if s.Selected {
				width = 2
			}
			q.frame(b, q.u(5), scene.Color{}, q.in.theme.text, width)
		}
	})
}

// hoversCopy reports whether the pointer is over some copy of the partition, or over what else stands for it.
func (in *input) hoversCopy(tp kafka.TopicPartition) bool {
	over := in.session.Hovered
	if over == partitionID(tp) {
		return true
	}
	prefix := "replica:" + tp.String() + "@"
	return len(over) > len(prefix) && over[:len(prefix)] == prefix
}

// copySentence tells a copy in words.
func (in *input) copySentence(c *copyOf) string {
	return in.words.say("cluster.replica", "partition", c.part.String(), "broker", string(c.replica.Broker), "role", in.copyRole(c),
		"start", number(c.replica.LogStart), "end", number(c.replica.LogEnd), "hw", number(c.replica.HighWatermark))
}

// copyRole says what a copy is: the leader's, in sync, or how far behind. One that was the leader's can have records that
// the present leader has not.
func (in *input) copyRole(c *copyOf) string {
	w := in.words
	switch {
	case c.leads():
		return w.say("cluster.leader", "epoch", number(c.part.LeaderEpoch))
	case c.replica.LogEnd > c.part.LogEnd:
		return w.say("cluster.ahead", "n", number(c.replica.LogEnd-c.part.LogEnd))
	case !c.replica.InSync:
		return w.say("cluster.out-of-sync", "n", number(c.lag()))
	case c.lag() > 0:
		return w.say("cluster.behind", "n", number(c.lag()))
	}
	return w.say("cluster.in-sync")
}

// drawCopy draws one copy: its partition and role, and below them its log as a bar. All copies of a partition have one
// scale, so that the one that is behind is shorter.
func drawCopy(p *pen, b box, c *copyOf) {
	b = b.inset(0, p.u(2))
	p.replica(b, c, func(q *pen) {
		t := q.in.theme
		q.area(b, q.u(5), t.panel)
		inner := b.inset(q.u(7), q.u(3))
		line, rest := inner.top(q.u(17))
		end := q.run(line, span{c.part.String(), q.small().colored(t.text).bold(), q.u(8)})
		s := q.tiny()
		switch {
		case c.leads():
			s = s.colored(t.text).bold()
		case !c.replica.InSync:
			s = s.colored(t.warn).bold()
		}
		q.write(box{end, line.Y, line.right() - end, line.H}, q.in.copyRole(c), s.aligned(scene.Right))
		drawCopyLog(q, rest, c)
	})
}

// drawCopyLog draws a copy's log with its first offset before and its end after it: filled up to its high watermark, pale
// above, with a line and a number at the high watermark.
func drawCopyLog(p *pen, b box, c *copyOf) {
	t, s := p.in.theme, p.tiny()
	from, to := c.part.LogStart, c.part.LogEnd
	for i := range c.part.Replicas {
		from, to = min(from, c.part.Replicas[i].LogStart), max(to, c.part.Replicas[i].LogEnd)
	}
	line, below := b.top(p.u(19))
	before, line := line.left(s.width(number(c.part.LogStart)) + p.u(6))
	after, line := line.rightmost(s.width(number(to)) + p.u(6))
	p.write(before, number(c.replica.LogStart), s)
	p.write(after, number(c.replica.LogEnd), s.colored(t.text).aligned(scene.Right))
	bar := box{line.X, round(line.midY() - p.u(5)), line.W, p.u(10)}
	p.area(bar, p.u(3), t.sunken)
	at := func(offset int64) float64 {
		return bar.X + bar.W*clamp(float64(offset-from)/float64(max(1, to-from)), 0, 1)
	}
	fill := c.ink(t)
	hw := max(c.replica.LogStart, min(c.replica.HighWatermark, c.replica.LogEnd))
	x0, x1, x2 := at(c.replica.LogStart), at(hw), at(c.replica.LogEnd)
	p.area(box{x0, bar.Y, x1 - x0, bar.H}, p.u(2), fill)
	p.area(box{x1, bar.Y, x2 - x1, bar.H}, p.u(2), mix(fill, t.sunken, 0.6))
	p.line(x1, bar.Y-p.u(2), x1, bar.bottom()+p.u(4), t.text, 2)
	text := p.in.words.say("mark.hw", "n", number(c.replica.HighWatermark))
	w := min(b.W, s.width(text)+1)
	p.write(box{clamp(x1-w/2, b.X, b.right()-w), below.Y, w, min(below.H, p.u(15))}, text, s)
}

// ink is the colour of a copy's log: strong for the leader's, warm for one that is not in sync.
func (c *copyOf) ink(t *theme) scene.Color {
	switch {
	case c.leads():
		return t.strong
	case !c.replica.InSync:
		return t.warn
	}
	return t.muted
}

// drawCopyTiles draws a tile for each copy: filled for the leader's, pale for one in sync, warm for one that is not.
func drawCopyTiles(p *pen, b box, copies []copyOf) {
	w, h, gap := p.u(tileW), p.u(tileH), p.u(2)
	perRow := max(1, int((b.W+gap)/(w+gap)))
	t := p.in.theme
	for i := range copies {
		c := &copies[i]
		tile := box{b.X + float64(i%perRow)*(w+gap), b.Y + float64(i/perRow)*(h+gap), w, h}
		fill, ink := t.panel, t.text
		switch {
		case c.leads():
			fill, ink = t.strong, t.onStrong
		case !c.replica.InSync:
			fill, ink = t.warnTint, t.warn
		}
		p.replica(tile, c, func(q *pen) {
			q.area(tile, q.u(3), fill)
			q.write(tile, number(c.part.Partition), q.tiny().colored(ink).aligned(scene.Center))
		})
	}
}
