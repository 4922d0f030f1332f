package stage

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// cell is what one record is to a group.
type cell uint8

const (
	cellUnread       cell = iota
	cellFetched           // in the client's buffer
	cellInHand            // returned by poll, not processed yet
	cellProcessed         // processed, not committed
	cellCommitted         // processed and committed
	cellTwice             // processed more than once
	cellLetter            // kept in a topic for dead letters, never processed
	cellLost              // committed past, never processed
	cellUnreplicated      // above the high watermark
	cellForeign           // before the place where the group began to read
)

// reading is what one group does with one partition.
type reading struct {
	group string
	work  *view.Work  // nil: nothing yet
	owned *view.Owned // by its present owner; nil for no owner
	owner kafka.NodeID
}

// readings lists what the groups that read a partition do with it, in the order of the groups.
func (in *input) readings(tp kafka.TopicPartition) []reading {
	var out []reading
	for i := range in.frame.Groups {
		g := &in.frame.Groups[i]
		r := reading{group: g.ID}
		for j := range g.Work {
			if g.Work[j].TopicPartition == tp {
				r.work, r.owner = &g.Work[j], g.Work[j].Owner
			}
		}
		r.owned = in.owned(r.owner, tp)
		if r.work != nil || in.subscribes(g.ID, tp.Topic) {
			out = append(out, r)
		}
	}
	return out
}

// readers counts the groups that read a topic.
func (in *input) readers(topic string) int {
	n := 0
	for i := range in.frame.Groups {
		g := &in.frame.Groups[i]
		if in.subscribes(g.ID, topic) || slices.ContainsFunc(g.Work, func(w view.Work) bool { return w.Topic == topic }) {
			n++
		}
	}
	return n
}

func (in *input) owned(id kafka.NodeID, tp kafka.TopicPartition) *view.Owned {
	c := in.consumer(id)
	if c == nil {
		return nil
	}
	for i := range c.Owned {
		if c.Owned[i].TopicPartition == tp {
			return &c.Owned[i]
		}
	}
	return nil
}

func (in *input) subscribes(group, topic string) bool {
	for i := range in.frame.Consumers {
		c := &in.frame.Consumers[i]
		if c.Group != group {
			continue
		}
		for _, t := range c.Topics {
			if t == topic {
				return true
			}
		}
	}
	return false
}

// committed is the group's committed offset; NoOffset while there is none.
func (r *reading) committed() int64 {
	if r.work == nil {
		return kafka.NoOffset
	}
	return r.work.Committed
}

// position is the owner's position; NoOffset while there is none.
func (r *reading) position() int64 {
	if r.owned == nil {
		return kafka.NoOffset
	}
	return r.owned.Position
}

// cell is what the record at an offset is to the group.
func (r *reading) cell(offset int64, part *view.Partition) cell {
	times := 0
	if r.work != nil {
		for _, run := range r.work.Done {
			if offset >= run.From && offset < run.To {
				times = run.Times
			}
		}
	}
	switch {
	case r.work != nil && within(offset, r.work.Lost...):
		return cellLost
	case r.work != nil && within(offset, r.work.Letters...):
		return cellLetter
	case times > 1:
		return cellTwice
	case times == 1 && offset < r.committed():
		return cellCommitted
	case times == 1:
		return cellProcessed
	case offset >= part.HighWatermark:
		return cellUnreplicated
	case r.owned != nil && within(offset, r.owned.Returned):
		return cellInHand
	case r.owned != nil && within(offset, r.owned.Fetched) && offset >= r.owned.Position:
		return cellFetched
	case r.work != nil && offset < r.work.Begin:
		return cellForeign
	}
	return cellUnread
}

func within(offset int64, spans ...view.Span) bool {
	for _, s := range spans {
		if offset >= s.From && offset < s.To {
			return true
		}
	}
	return false
}

// cell draws one record. Without a number it is a legend's swatch.
func (p *pen) cell(b box, c cell, a accent, text string) {
	t := p.in.theme
	ink, radius := t.muted, min(p.u(4), b.W*0.25)
	shape := scene.Shape{Kind: scene.Rect, X: b.X + 0.5, Y: b.Y + 0.5, W: b.W - 1, H: b.H - 1, Radius: radius, StrokeWidth: 1}
	switch c {
	case cellCommitted:
		shape.Fill, shape.Stroke, ink = a.fill, a.fill, a.on
	case cellProcessed:
		shape.Fill, shape.Stroke, ink = a.tint, a.ink, t.text
	case cellInHand:
		shape.Fill, shape.Stroke, shape.StrokeWidth, ink = t.panel, a.ink, 2, t.text
	case cellFetched:
		shape.Fill, shape.Stroke, shape.Dash, ink = t.panel, a.ink, []float64{2, 2}, t.text
	case cellTwice:
		shape.Fill, shape.Stroke, ink = t.warn, t.warn, readableOn(t.warn)
	case cellLetter:
		shape.Fill, shape.Stroke, ink = t.panel, t.muted, t.text
	case cellLost:
		shape.Fill, shape.Stroke, shape.StrokeWidth, shape.Dash, ink = t.warnTint, t.warn, 2, []float64{4, 2}, t.warn
	case cellUnreplicated:
		shape.Stroke, shape.Dash = t.line, []float64{3, 3}
	case cellForeign:
		shape.Stroke = t.line
	default:
		shape.Fill, shape.Stroke = t.sunken, t.sunken
	}
	p.add(shape)
	p.cellSign(b, c, a)
	if text != "" {
		s := p.tiny().colored(ink).aligned(scene.Center)
		p.write(b, text, s)
	}
}

// cellSign is what a cell shows beside its colour: a bar for processed once, two for more, a stroke for lost, the flap of an
// envelope for a dead letter.
func (p *pen) cellSign(b box, c cell, a accent) {
	t, h := p.in.theme, max(2, b.H*0.1)
	foot := box{b.X + b.W*0.2, b.bottom() - h - 2, b.W * 0.6, h}
	switch c {
	case cellProcessed:
		p.area(foot, h/2, a.ink)
	case cellTwice:
		p.area(foot, h/2, readableOn(t.warn))
		p.area(box{foot.X, b.Y + 2, foot.W, h}, h/2, readableOn(t.warn))
	case cellLetter:
		flap := b.Y + b.H*0.3
		p.line(b.X+2, b.Y+2, b.midX(), flap, t.muted, 1)
		p.line(b.midX(), flap, b.right()-2, b.Y+2, t.muted, 1)
	case cellLost:
		p.line(b.X+3, b.bottom()-3, b.right()-3, b.Y+3, alpha(t.warn, 0x99), 2)
	}
}

// offsetMark draws the triangle below a log that points at an offset: filled for committed, open for position.
func (p *pen) offsetMark(x, y, h float64, filled bool, c scene.Color) {
	shape := scene.Shape{Kind: scene.Polygon, Points: []scene.Point{{X: x, Y: y}, {X: x + h*0.62, Y: y + h}, {X: x - h*0.62, Y: y + h}}}
	shape.Stroke, shape.StrokeWidth = c, 1.2
	if filled {
		shape.Fill = c
	}
	p.add(shape)
}

// The design heights of a record's cell and of a group's lane below the cells, in units.
const (
	cellH, laneH           = 25, 19
	tightCellH, tightLaneH = 20, 14
)

// logRowHeight is the height of one log's row, for so many groups that read it.
func logRowHeight(p *pen, d detail, lanes int) float64 {
	switch {
	case d == full && lanes > 1:
		return p.u(cellH+7) + p.u(laneH)*float64(lanes)
	case d == full:
		return p.u(cellH + 23)
	case d == tight && lanes > 1:
		return p.u(tightCellH+6) + p.u(tightLaneH)*float64(lanes)
	case d == tight:
		return p.u(tightCellH + 19)
	}
	return p.u(19)
}

// logsHeight is what the logs of all topics need.
func logsHeight(p *pen, w float64, d detail) float64 {
	h := 0.0
	for i := range p.in.frame.Topics {
		h += p.u(topicHeadH) + topicHeight(p, w, d, &p.in.frame.Topics[i])
	}
	return h
}

// topicHeight is what the logs of a topic need, with room for all groups that ever read it.
func topicHeight(p *pen, w float64, d detail, t *view.Topic) float64 {
	if d == tiles {
		return tilesHeight(p, w, len(t.Partitions))
	}
	return float64(len(t.Partitions)) * logRowHeight(p, d, p.in.whole.readers[t.Name])
}

// topicHeadH is the design height of the line above a topic's logs.
const topicHeadH = 24

// drawLogs draws the logs of all topics.
func drawLogs(p *pen, b box, d detail) {
	for i := range p.in.frame.Topics {
		t := &p.in.frame.Topics[i]
		height := p.u(topicHeadH) + topicHeight(p, b.W, d, t)
		var whole box
		whole, b = b.top(height)
		if p.in.looked(t.Name) {
			p.halo(box{whole.X, whole.Y, whole.W, whole.H - p.u(2)})
		}
		head, rows := whole.top(p.u(topicHeadH))
		drawTopicHead(p, head.inset(p.u(4), 0), t)
		if d == tiles {
			drawPartitionTiles(p, rows, t)
		} else {
			drawLogRows(p, rows, d, t)
		}
	}
}

// drawTopicHead names a topic, and at the end of the line what went amiss with its records.
func drawTopicHead(p *pen, b box, t *view.Topic) {
	w := p.in.words
	end := p.run(b,
		span{w.say("logs.topic", "topic", t.Name), p.label().bold(), p.u(10)},
		span{w.partitionCount(len(t.Partitions)), p.small(), p.u(10)})
	room := box{end, b.Y, b.right() - end, b.H}
	for i := range slices.Backward(p.in.frame.Groups) {
		g := &p.in.frame.Groups[i]
		twice, lost := topicAmiss(g, t.Name)
		if lost > 0 {
			room = p.alarm(room, w.say("logs.lost", "group", g.ID, "n", number(lost)))
		}
		if twice > 0 {
			room = p.alarm(room, w.say("logs.twice", "group", g.ID, "n", number(twice)))
		}
	}
}

// partitionCount says how many partitions a topic has.
func (w words) partitionCount(n int) string {
	if n == 1 {
		return w.say("logs.one-partition")
	}
	return w.say("logs.partitions", "n", number(n))
}

// topicAmiss counts what a group processed again of a topic, and what it passed over for good.
func topicAmiss(g *view.Group, topic string) (twice, lost int64) {
	for i := range g.Work {
		if g.Work[i].Topic == topic {
			again, over := amiss(&g.Work[i])
			twice, lost = twice+again, lost+over
		}
	}
	return twice, lost
}

// alarm writes a text on a warm ground at the right end of a line, if there is room, and returns what is left.
func (p *pen) alarm(b box, text string) box {
	s := p.small().bold().colored(readableOn(p.in.theme.warn)).aligned(scene.Center)
	width := round(s.width(text)) + p.u(18)
	if width > b.W {
		return b
	}
	at, rest := b.rightmost(width)
	at = at.inset(0, p.u(3))
	p.area(at, at.H/2, p.in.theme.warn)
	p.write(at, text, s)
	rest.W -= p.u(6)
	return rest
}

// drawLogRows draws a row for each partition of a topic; a beat points at neighbours with one halo.
func drawLogRows(p *pen, b box, d detail, t *view.Topic) {
	height := logRowHeight(p, d, p.in.whole.readers[t.Name])
	for i := 0; i < len(t.Partitions); i++ {
		first := i
		for i < len(t.Partitions) && p.in.looked(t.Partitions[i].String()) {
			i++
		}
		if i > first {
			at := b.row(first, height)
			p.halo(box{at.X, at.Y + 1, at.W, height*float64(i-first) - p.u(1)})
		}
	}
	for i := range t.Partitions {
		part := &t.Partitions[i]
		row := b.row(i, height)
		row.H = height
		readings, inner := p.in.readings(part.TopicPartition), row.inset(p.u(4), 0)
		p.thing(box{row.X, row.Y - 1, row.W, row.H}, partitionID(part.TopicPartition), "", p.in.partitionSentence(part, readings), func(q *pen) {
			if d == bars {
				drawBar(q, inner, part, readings)
			} else {
				drawLog(q, inner, d, part, readings)
			}
		})
	}
}

// partitionSentence says a partition's offsets and who reads it.
func (in *input) partitionSentence(part *view.Partition, readings []reading) string {
	w := in.words
	text := w.say("partition.sentence", "partition", part.String(), "leader", string(part.Leader),
		"start", number(part.LogStart), "end", number(part.LogEnd))
	for i := range readings {
		r := &readings[i]
		text += w.say("sentence.separator") + w.say("partition.reading", "group", r.group, "owner", in.ownerName(r.owner),
			"committed", w.offset(r.committed()), "position", w.offset(r.position()))
	}
	return text
}

func (in *input) ownerName(id kafka.NodeID) string {
	if id == "" {
		return in.words.say("partition.no-owner")
	}
	return string(id)
}

// offset writes an offset, or that there is none.
func (w words) offset(n int64) string {
	if n < 0 {
		return w.say("offset.none")
	}
	return number(n)
}

// amiss counts what a group processed again, and what it passed over for good.
func amiss(w *view.Work) (twice, lost int64) {
	for _, run := range w.Done {
		if run.Times > 1 {
			twice += run.Len() * int64(run.Times-1)
		}
	}
	return twice, length(w.Lost)
}

func length(spans []view.Span) int64 {
	var n int64
	for _, s := range spans {
		n += s.Len()
	}
	return n
}
