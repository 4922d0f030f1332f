package stage

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// The design sizes of the offsets view, in units.
const (
	offsetRowH   = 25
	offsetHeadH  = 46
	groupLineH   = 26
	mostHashRows = 4 // so many groups are told which partition keeps them; more are counted
)

// drawOffsets draws __consumer_offsets: which partition keeps which group and why, the log as it was written, and what
// compaction leaves of it.
func drawOffsets(p *pen, b box) {
	b = b.inset(p.u(16), p.u(12))
	l := newOffsetLog(p.in.track, p.in.frame.Event)
	groups, b := b.top(hashHeight(p))
	drawHashes(p, groups)
	parts := b.columns(2, p.u(24))
	if b.W < p.u(620) {
		log, compacted := b.top(round(b.H * 0.58))
		parts = []box{log, {compacted.X, compacted.Y + p.u(8), compacted.W, compacted.H - p.u(8)}}
	} else {
		p.line(round(b.midX()), b.Y, round(b.midX()), b.bottom(), p.in.theme.line, 1)
	}
	all := make([]int, len(l.records))
	for i := range all {
		all[i] = i
	}
	w := p.in.words
	drawOffsetList(p, parts[0], l, offsetList{name: "offsets", title: w.say("offsets.log"), note: w.say("offsets.log-note"), rows: all})
	drawOffsetList(p, parts[1], l, offsetList{name: "compacted", title: w.say("offsets.compacted"), note: w.say("offsets.compacted-note"), rows: l.kept})
}

func hashHeight(p *pen) float64 {
	n := len(p.in.frame.Groups)
	if n == 0 {
		return 0
	}
	return p.u(groupLineH)*float64(min(n, mostHashRows)) + p.u(10)
}

// drawHashes tells of each group which partition keeps it: its hash, modulo the number of partitions.
func drawHashes(p *pen, b box) {
	groups, w := p.in.frame.Groups, p.in.words
	for i := range groups[:min(len(groups), mostHashRows)] {
		line := b.row(i, p.u(groupLineH))
		if i == mostHashRows-1 && len(groups) > mostHashRows {
			p.write(line, w.say("member.more", "n", number(len(groups)-i)), p.tiny())
			return
		}
		g := &groups[i]
		chip := box{line.X, line.Y + p.u(3), round(p.tiny().bold().width(g.ID) + p.u(18)), p.u(20)}
		p.groupChip(chip, g.ID, g.ID)
		_, rest := line.left(chip.W + p.u(10))
		p.write(rest, p.in.hashSentence(g, rest.W, p.small()), p.small().colored(p.in.theme.text))
	}
}

// hashSentence tells how a group's hash picks its partition, in full where there is room.
//
// Source: coordinator.md section 12; GroupMetadataManager.partitionFor.
func (in *input) hashSentence(g *view.Group, room float64, s style) string {
	n, w := in.frame.OffsetsPartitions, in.words
	args := []string{
		"group", g.ID, "hash", number(kafka.JavaHash(g.ID)), "n", number(n), "partition", number(g.OffsetsPartition), "broker", w.orNone(string(g.Coordinator)),
	}
	for _, key := range []string{"offsets.hash-long", "offsets.hash"} {
		if text := w.say(key, args...); s.width(text) <= room {
			return text
		}
	}
	return w.say("offsets.hash-short", args...)
}

// offsetList is a list of records: all of them, or those that compaction leaves.
type offsetList struct {
	name, title, note string
	rows              []int
}

// drawOffsetList draws the records of a list that are in view.
func drawOffsetList(p *pen, b box, l *offsetLog, list offsetList) {
	head, b := b.top(p.u(offsetHeadH))
	title, note := head.top(p.u(24))
	p.run(title, span{list.title, p.label().bold(), p.u(8)}, span{number(len(list.rows)), p.small(), 0})
	note.H = p.u(18)
	p.write(note, list.note, p.tiny())
	b = b.inset(p.u(2), p.u(5))
	b.W -= p.u(6)
	if len(list.rows) == 0 {
		p.write(b.row(0, p.u(offsetRowH)), p.in.words.say("offsets.empty"), p.small())
		return
	}
	h := p.u(offsetRowH)
	b.H = max(h, h*float64(int(b.H/h))) // whole rows
	height := h * float64(len(list.rows))
	if list.name == "offsets" {
		p.in.rests[list.name] = max(0, height-b.H) // the last record is what has just been written
	}
	scrolled := p.scrolled(list.name, height, b.H)
	columns := newOffsetColumns(p, b.W, l, list.rows)
	first, last := int(scrolled/h), min(len(list.rows)-1, int((scrolled+b.H)/h))
	p.pane(list.name, list.title, b, height, func(q *pen) {
		for i := first; i <= last; i++ {
			drawOffsetRecord(q, box{b.X, b.Y - scrolled + float64(i)*h, b.W, h}, l, list.rows[i], list.name, columns)
		}
	})
}

// offsetColumns are the widths of a list's columns; what is left is the value's.
type offsetColumns struct{ place, time, key float64 }

func newOffsetColumns(p *pen, w float64, l *offsetLog, rows []int) offsetColumns {
	var c offsetColumns
	for _, i := range rows {
		r := &l.records[i]
		c.place = max(c.place, p.tiny().width(placeText(r)))
		c.time = max(c.time, p.tiny().width(p.in.words.clock(p.in.track.times[r.event])))
		c.key = max(c.key, p.small().bold().width(r.key.text()))
	}
	gap := p.u(10)
	c.place, c.time, c.key = c.place+gap, c.time+gap, min(c.key+gap, w*0.4)
	if c.place+c.time+c.key > w*0.7 {
		c.time = 0 // the tip still tells it
	}
	return c
}

// placeText is where a record lies: the partition's number and the offset.
func placeText(r *offsetRecord) string { return number(r.place.Partition) + " @ " + number(r.offset) }

func (k offsetKey) text() string {
	if k.partition == "" {
		return k.group
	}
	return k.group + " · " + k.partition
}

// drawOffsetRecord draws one record, pale when a later one has its key. A click goes to the event that wrote it.
func drawOffsetRecord(p *pen, b box, l *offsetLog, i int, list string, c offsetColumns) {
	r, t, w := &l.records[i], p.in.theme, p.in.words
	old := l.latest[r.key] != i
	sentence := p.in.offsetSentence(r, old)
	k := control{id: list + ":" + number(i), label: sentence, tip: sentence, action: scene.Action{Do: Visit, Arg: eventID(r.event)}}
	k.state.Selected = p.in.selected(eventID(r.event))
	p.control(b, k, func(q *pen, s scene.State) {
		at := b.inset(0, 1)
		switch {
		case s.Selected || s.Hovered || q.in.lights(r.key):
			q.area(at, q.u(4), t.sunken)
		case r.event == q.in.frame.Event:
			q.area(at, q.u(4), mix(t.panel, t.sunken, 0.6))
		}
		if r.event == q.in.frame.Event {
			q.area(box{at.X, at.Y, 3, at.H}, 1.5, t.strong)
		}
		_, line := at.left(q.u(8))
		var cell box
		cell, line = line.left(c.place)
		q.write(cell, placeText(r), q.tiny())
		if c.time > 0 {
			cell, line = line.left(c.time)
			q.write(cell, w.clock(q.in.track.times[r.event]), q.tiny())
		}
		ink := t.text
		if old {
			ink = t.muted
		}
		cell, line = line.left(c.key)
		key := q.small().colored(ink)
		if !old {
			key = key.bold()
		}
		cell.W -= q.u(8)
		q.write(cell, r.key.text(), key)
		value, text := q.small().colored(ink), r.value
		if r.tombstone() {
			value, text = value.colored(t.warn), w.say("offsets.tombstone")
		}
		q.write(line, text, value)
	})
}

// lights reports whether the group or the partition of a key is selected or under the pointer.
func (in *input) lights(k offsetKey) bool {
	for _, id := range []string{groupID(k.group), "partition:" + k.partition} {
		if in.selected(id) || in.hovered(id) {
			return true
		}
	}
	return false
}

// offsetSentence tells a record in words.
func (in *input) offsetSentence(r *offsetRecord, old bool) string {
	w, value := in.words, r.value
	if r.tombstone() {
		value = w.say("offsets.tombstone")
	}
	key := "offsets.sentence"
	if old {
		key = "offsets.sentence-old"
	}
	return w.say(key, "place", r.place.String(), "offset", number(r.offset), "time", w.clock(in.track.times[r.event]), "key", r.key.text(), "value", value)
}
