package stage

import (
	"time"

	"groupscope/core/figures"
	"groupscope/core/kafka"
	"groupscope/render/scene"
)

// drawOwners draws the view of who owned what when: a row for each partition of each group, time from left to right.
func drawOwners(p *pen, b box) {
	inner := b.inset(p.u(14), p.u(10))
	axis, inner := inner.under(p.u(22))
	key, inner := inner.top(p.u(26))
	drawOwnersKey(p, key)
	nameW := ownersNameWidth(p)
	axis.X, axis.W = axis.X+nameW, axis.W-nameW-p.u(8)
	t := p.in.timesOf(axis)
	rowH := p.ownersRow(inner.H)
	height := 0.0
	for i := range p.in.figures.Groups {
		height += p.u(26) + rowH*float64(len(p.in.figures.Groups[i].Partitions))
	}
	if height == 0 {
		p.write(inner, p.in.words.say("owners.none"), p.body())
		return
	}
	drawTimeAxis(p, box{axis.X - p.u(8), inner.Y + min(height, inner.H), axis.W + p.u(16), axis.H}, &t)
	at := inner
	at.Y -= p.scrolled("owners", height, inner.H)
	p.pane("owners", p.in.words.say("view.owners"), inner, height, func(q *pen) {
		for i := range p.in.figures.Groups {
			g := &p.in.figures.Groups[i]
			at.H = p.u(26) + rowH*float64(len(g.Partitions))
			drawOwnersOf(q, at, g, &t, rowH)
			at.Y += at.H
		}
	})
}

// ownersRow is the height of a partition's row: as much as there is room for, within limits.
func (p *pen) ownersRow(h float64) float64 {
	rows := 0
	for i := range p.in.figures.Groups {
		rows += len(p.in.figures.Groups[i].Partitions)
		h -= p.u(26)
	}
	return clamp(h/float64(max(1, rows)), p.u(20), p.u(46))
}

func ownersNameWidth(p *pen) float64 {
	widest := p.u(44)
	for i := range p.in.figures.Groups {
		for j := range p.in.figures.Groups[i].Partitions {
			widest = max(widest, p.small().bold().width(p.in.figures.Groups[i].Partitions[j].String()))
		}
	}
	return min(widest, p.u(120)) + p.u(12)
}

// drawOwnersKey says what hatching and bands mean.
func drawOwnersKey(p *pen, b box) {
	for _, item := range []struct {
		word string
		draw func(box)
	}{
		{"owners.key-gap", p.gapBar},
		{"owners.key-double", p.doubleBar},
		{"owners.key-rebalance", func(at box) { p.area(at, 0, alpha(p.in.theme.warn, 0x40)) }},
	} {
		text := p.in.words.say(item.word)
		sign, rest := b.left(p.u(28))
		if rest.W < p.small().width(text) {
			return
		}
		item.draw(box{sign.X, sign.midY() - p.u(6), p.u(22), p.u(12)})
		p.write(rest, text, p.small())
		_, b = rest.left(p.small().width(text) + p.u(18))
	}
}

// gapBar stands for a time without an owner.
func (p *pen) gapBar(b box) {
	t := p.in.theme
	p.add(scene.Shape{
		Kind: scene.Rect, X: b.X, Y: b.Y, W: max(2, b.W), H: b.H, Fill: t.warnTint, Stroke: t.warn, StrokeWidth: 1, Pattern: scene.Hatch,
	})
}

// doubleBar stands for a time with more than one owner: a warm band between those who have it.
func (p *pen) doubleBar(b box) {
	b.W = max(3, b.W)
	p.frame(b, 2, scene.Color{}, p.in.theme.warn, 2)
	h := max(4, b.H*0.24)
	p.add(scene.Shape{
		Kind: scene.Rect, X: b.X, Y: b.midY() - h/2, W: b.W, H: h, Fill: p.in.theme.warn, Stroke: p.in.theme.panel, StrokeWidth: 1, Pattern: scene.CrossHatch,
	})
}

// drawOwnersOf draws the rows of one group.
func drawOwnersOf(p *pen, b box, g *figures.Group, t *times, rowH float64) {
	head, rows := b.top(p.u(26))
	drawOwnersHead(p, head, g, t)
	plot := box{t.plot.X, rows.Y, t.plot.W, rows.H}
	p.area(plot, 0, p.in.theme.sunken)
	p.rebalanceBands(plot, t, g)
	p.seekable(plot, t)
	for i := range g.Partitions {
		row := rows.row(i, rowH)
		row.H = rowH
		drawOwnersRow(p, row, g, &g.Partitions[i], t)
	}
	p.nowLine(plot, t)
}

// drawOwnersHead names a group, and says for how long its partitions had no owner, or more than one.
func drawOwnersHead(p *pen, b box, g *figures.Group, t *times) {
	w := p.in.words
	parts := []span{
		{w.say("owners.group", "group", g.ID), p.label().bold(), p.u(12)},
		{w.say("owners.total", "time", w.seconds(g.Unowned(t.now).Round(time.Millisecond))), p.small(), p.u(12)},
	}
	var double time.Duration
	for i := range g.Partitions {
		for _, s := range g.Partitions[i].Doubles(t.now) {
			double += s.Len()
		}
	}
	if double > 0 {
		parts = append(parts, span{w.say("owners.double", "time", w.seconds(double.Round(time.Millisecond))), p.small().colored(p.in.theme.warn).bold(), 0})
	}
	p.run(b, parts...)
}

func drawOwnersRow(p *pen, b box, g *figures.Group, part *figures.Partition, t *times) {
	name := box{b.X, b.Y + 1, t.plot.X - b.X - p.u(6), b.H - 2}
	id := partitionID(part.TopicPartition)
	c := control{id: id + "@" + g.ID, label: p.in.ownersSentence(part, t), action: scene.Action{Do: Select, Arg: id}}
	c.state.Selected = p.in.selected(id)
	p.control(name, c, func(q *pen, state scene.State) {
		s := q.small()
		if state.Selected || state.Hovered || q.in.hovered(id) {
			s = s.colored(q.in.theme.text).bold()
		}
		q.write(name.inset(q.u(3), 0), part.String(), s)
	})
	bar := box{Y: b.Y + max(2, b.H*0.1), H: b.H - 2*max(2, b.H*0.1)}
	for _, h := range part.Holdings {
		if h.From.Event > t.now.Event {
			break
		}
		bar.X = t.x(h.From.At)
		bar.W = max(1.5, t.until(h.To)-bar.X)
		p.holding(bar, part.TopicPartition, h, t)
	}
	for _, s := range part.Gaps(t.now) {
		p.stretch(box{t.x(s.From.At), bar.Y, t.x(s.To.At) - t.x(s.From.At), bar.H}, s, "owners.gap", part.TopicPartition, p.gapBar)
	}
	for _, s := range part.Doubles(t.now) {
		bar.X, bar.W = t.x(s.From.At), t.x(s.To.At)-t.x(s.From.At)
		p.firstOwner(bar, part, s)
		p.stretch(bar, s, "owners.twice", part.TopicPartition, p.doubleBar)
	}
}

// ownersSentence says who had a partition when, the last few owners.
func (in *input) ownersSentence(part *figures.Partition, t *times) string {
	text := part.String()
	var had []string
	for _, h := range part.Holdings {
		if !t.comes(h.From) {
			had = append(had, in.holdingSentence(part.TopicPartition, h, t))
		}
	}
	const most = 5
	for _, sentence := range had[max(0, len(had)-most):] {
		text += in.words.say("sentence.separator") + sentence
	}
	return text
}

func (in *input) holdingSentence(tp kafka.TopicPartition, h figures.Holding, t *times) string {
	end := h.To
	if end.Event == 0 || t.comes(end) {
		end = t.now
	}
	w := in.words
	return w.say("owners.holding", "consumer", string(h.Consumer), "partition", tp.String(), "from", w.tick(h.From.At), "to", w.tick(end.At))
}

// firstOwner draws, in the upper half of a time with several owners, the one who had the partition before: the lower half is the
// one who took it last.
func (p *pen) firstOwner(b box, part *figures.Partition, s figures.Span) {
	for _, h := range part.Holdings {
		if h.From.Event < s.From.Event && (h.To.Event == 0 || h.To.Event >= s.To.Event) {
			a := p.in.cast.of(h.Consumer)
			p.area(box{b.X, b.Y, b.W, b.H / 2}, 0, a.fill)
			return
		}
	}
}

// lit reports whether a thing is selected, or under the pointer anywhere.
func (in *input) lit(id string) bool { return in.selected(id) || in.hovered(id) }

// holding draws the time for which a consumer had a partition.
func (p *pen) holding(b box, tp kafka.TopicPartition, h figures.Holding, t *times) {
	a, tip := p.in.cast.of(h.Consumer), p.in.holdingSentence(tp, h, t)
	g := scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, Tip: tip, Action: scene.Action{Do: Seek, N: float64(h.From.Event)}}
	p.group(g, func(q *pen) {
		shape := scene.Shape{Kind: scene.Rect, X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: min(3, b.W/2), Fill: a.fill, Stroke: a.on, Pattern: a.pattern}
		if a.pattern != scene.Plain {
			shape.StrokeWidth = 0.5
		}
		q.add(shape)
		if q.in.lit(nodeID(h.Consumer)) {
			q.frame(b, 3, scene.Color{}, q.in.theme.text, 2)
		}
		q.holdingName(b, h.Consumer, a)
	})
}

// holdingName writes who it is into a bar, as far as there is room.
func (p *pen) holdingName(b box, id kafka.NodeID, a accent) {
	r := min(p.u(5), b.H*0.3)
	if b.W < 2*r+p.u(6) {
		return
	}
	p.mark(a.mark, b.X+r+p.u(4), b.midY(), r, a.on)
	s := p.tiny().colored(a.on).bold()
	rest := box{b.X + 2*r + p.u(8), b.Y, b.W - 2*r - p.u(10), b.H}
	if a.pattern == scene.Plain && rest.H >= s.font.Size*1.4 && rest.W >= s.width(string(id)) {
		p.write(rest, string(id), s)
	}
}

// stretch draws a time with no owner, or with several.
func (p *pen) stretch(b box, s figures.Span, word string, tp kafka.TopicPartition, bar func(box)) {
	w := p.in.words
	tip := w.say(word, "partition", tp.String(), "from", w.tick(s.From.At), "to", w.tick(s.To.At), "time", w.seconds(s.Len()))
	bar(b)
	p.add(scene.Shape{X: b.X, Y: b.Y, W: max(3, b.W), H: b.H, Tip: tip, Action: scene.Action{Do: Seek, N: float64(s.From.Event)}})
}
