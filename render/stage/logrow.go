package stage

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// window is the stretch of a long log that a row shows.
type window struct {
	from, to      int64 // offsets, to exclusive
	before, after int64 // how many records are hidden on either side
}

// newWindow chooses what a row shows of a log: all of it if it has no more records than the row has cells; or else, with
// some cells less, the place where the groups work, moving on by a third of the row at a time so that the picture
// stays calm.
func newWindow(part *view.Partition, readings []reading, all, some int64) window {
	if part.LogEnd-part.LogStart <= all {
		return window{from: part.LogStart, to: part.LogEnd}
	}
	n := max(1, some)
	anchor := part.LogEnd
	for i := range readings {
		for _, at := range []int64{readings[i].committed(), readings[i].position()} {
			if at >= part.LogStart {
				anchor = min(anchor, at)
			}
		}
	}
	step := max(1, n/3)
	from := (anchor - part.LogStart - n/4) / step * step
	from = part.LogStart + max(0, min(from, part.LogEnd-part.LogStart-n))
	return window{from: from, to: from + n, before: from - part.LogStart, after: part.LogEnd - from - n}
}

// logRow is where the pieces of one log's row lie.
type logRow struct {
	window
	pitch   float64 // from cell to cell
	hidden  float64 // room for the number of records before the window
	x       float64 // of the first cell
	name    box
	owner   box
	cells   box
	end     box // right of the cells
	below   box // the strip of markers under the cells, as wide as the row
	squeeze bool
}

func newLogRow(p *pen, b box, d detail, part *view.Partition, readings []reading) logRow {
	r := logRow{squeeze: d == tight}
	height := p.u(cellH)
	if r.squeeze {
		height = p.u(tightCellH)
	}
	line, below := b.top(height)
	r.below = below
	r.name, line = line.left(p.label().bold().width(part.String()) + p.u(8))
	r.owner, line = line.left(p.ownerWidth())
	r.end, line = line.rightmost(p.endWidth(part, p.in.whole.readers[part.Topic]))
	r.cells = line
	r.pitch = max(p.u(27), p.tiny().width(number(part.LogEnd))+p.u(9))
	r.x = line.X
	r.hidden = p.tiny().width("…") + p.u(10)
	r.window = newWindow(part, readings, int64(line.W/r.pitch), int64((line.W-r.hidden)/r.pitch))
	if r.before > 0 {
		r.x += r.hidden
	}
	return r
}

// endWidth is the room at the end of a row: for the high watermark, and where there is more room for the number of
// records after the window too.
func (p *pen) endWidth(part *view.Partition, lanes int) float64 {
	s := p.tiny()
	w := s.width(p.in.words.say("mark.hw", "n", number(part.LogEnd))) + p.u(8)
	if lanes > 1 {
		w = max(w, p.u(72))
	}
	if p.in.layout.form == wide {
		w += s.width("+"+number(part.LogEnd)+" …") + p.u(8)
	}
	return w
}

// edge is the x of the left edge of an offset's cell, held within the cells that are shown.
func (r *logRow) edge(offset int64) float64 {
	offset = max(r.from, min(offset, r.to))
	return r.x + float64(offset-r.from)*r.pitch
}

// shows reports whether the left edge of an offset's cell is in view.
func (r *logRow) shows(offset int64) bool { return offset >= r.from && offset <= r.to }

// drawLog draws one log as cells, with what each group that reads it has done.
func drawLog(p *pen, b box, d detail, part *view.Partition, readings []reading) {
	r := newLogRow(p, b, d, part, readings)
	p.write(r.name, part.String(), p.label().bold())
	p.area(box{r.cells.X - p.u(3), r.cells.Y + 1, r.end.right() - r.cells.X, r.cells.H - 2}, p.u(5), mix(p.in.theme.panel, p.in.theme.sunken, 0.6))
	drawHidden(p, &r)
	alone := p.in.whole.readers[part.Topic] < 2
	single := reading{}
	if alone && len(readings) == 1 {
		single = readings[0]
		drawOwner(p, r.owner, single.owner)
	}
	a := p.in.cast.of(single.owner)
	for offset := r.from; offset < r.to; offset++ {
		x := r.edge(offset)
		c := cellUnread
		if alone || offset >= part.HighWatermark {
			c = single.cell(offset, part)
		}
		p.cell(box{x, r.cells.Y, r.pitch - p.u(3), r.cells.H}, c, a, number(offset))
	}
	drawHighWatermark(p, &r, part)
	if alone {
		drawMarkers(p, &r, &single, a)
		drawOverview(p, &r, part, &single, a)
		return
	}
	for i := range readings {
		h := p.u(laneH)
		if r.squeeze {
			h = p.u(tightLaneH)
		}
		drawLane(p, &r, box{r.below.X, r.below.Y + p.u(2) + float64(i)*h, r.below.W, h}, part, &readings[i])
	}
}

// drawOverview draws, below a log of which a row shows but a small part, the whole of it as a thin bar: what is committed and
// what went amiss, and where the part lies.
func drawOverview(p *pen, r *logRow, part *view.Partition, read *reading, a accent) {
	if hidden := r.before + r.after; hidden == 0 || hidden < r.to-r.from {
		return
	}
	t, h := p.in.theme, p.u(3)
	bar := box{r.cells.X, r.below.Y + p.u(15.5), r.cells.W, h}
	per := bar.W / float64(part.LogEnd-part.LogStart)
	at := func(offset int64) float64 {
		return bar.X + per*float64(clamp(float64(offset), float64(part.LogStart), float64(part.LogEnd))-float64(part.LogStart))
	}
	stretch := func(from, to int64, c scene.Color, least float64) {
		if from < to {
			p.area(box{at(from), bar.Y, max(least, at(to)-at(from)), h}, 0, c)
		}
	}
	p.area(bar, h/2, t.line)
	if read.work != nil {
		stretch(max(part.LogStart, read.work.Begin), read.committed(), a.fill, 0)
		for _, run := range read.work.Done {
			if run.Times > 1 {
				stretch(run.From, run.To, t.warn, p.u(3))
			}
		}
		for _, lost := range read.work.Lost {
			stretch(lost.From, lost.To, t.warn, p.u(3))
		}
	}
	p.frame(box{at(r.from) - 1, bar.Y - 1, max(p.u(8), at(r.to)-at(r.from)+2), h + 2}, 2, scene.Color{}, t.text, 1.2)
}

// ownerWidth is the room for the owner of a partition.
func (p *pen) ownerWidth() float64 {
	return max(p.u(56), p.tiny().width(p.in.words.say("partition.unowned"))+p.u(8))
}

// drawOwner names the owner of a partition.
func drawOwner(p *pen, b box, id kafka.NodeID) {
	if id == "" {
		p.write(b, p.in.words.say("partition.unowned"), p.tiny())
		return
	}
	a := p.in.cast.of(id)
	icon, text := b.left(p.u(15))
	p.mark(a.mark, icon.X+p.u(6), icon.midY(), p.u(5), a.ink)
	p.write(text, string(id), p.small().colored(a.ink).bold())
}

// drawHidden says that records lie before the window, as many as its first offset tells, and how many after it.
func drawHidden(p *pen, r *logRow) {
	s := p.tiny()
	if r.before > 0 {
		p.write(box{r.cells.X, r.cells.Y, r.hidden - p.u(6), r.cells.H}, "…", s.aligned(scene.Right))
	}
	if r.after > 0 {
		p.write(box{r.edge(r.to) + p.u(3), r.cells.Y, r.end.right() - r.edge(r.to), r.cells.H}, "+"+number(r.after)+" …", s)
	}
}

// drawHighWatermark draws the line below which records can be read.
func drawHighWatermark(p *pen, r *logRow, part *view.Partition) {
	x := r.edge(part.HighWatermark) - p.u(1.5)
	if r.shows(part.HighWatermark) {
		p.line(x, r.cells.Y-2, x, r.cells.bottom()+2, p.in.theme.text, 2)
	}
	at, s := box{r.edge(r.to) + p.u(5), r.end.Y, r.end.right() - r.edge(r.to) - p.u(5), r.end.H}, p.tiny().colored(p.in.theme.text)
	if r.after > 0 {
		_, at = at.left(p.tiny().width("+"+number(r.after)+" …") + p.u(8))
	}
	if text := p.in.words.say("mark.hw", "n", number(part.HighWatermark)); s.width(text) <= at.W {
		p.write(at, text, s)
	}
}

// drawMarkers draws committed and position below the cells, the smaller one's word to its left and the larger
// one's to its right, so that they never meet.
func drawMarkers(p *pen, r *logRow, read *reading, a accent) {
	strip := r.below
	strip.H = p.u(14)
	committed, position := read.committed(), read.position()
	left := offsetWord{committed, p.in.words.say("mark.committed", "n", number(committed)), p.in.theme.text, true}
	right := offsetWord{position, p.in.words.say("mark.position", "n", number(position)), a.ink, false}
	if position >= 0 && position < committed {
		left, right = right, left
	}
	if right.offset >= 0 {
		p.markOffset(r, strip, right, true)
	}
	if left.offset >= 0 {
		p.markOffset(r, strip, left, right.offset < 0)
	}
}

// offsetWord is a marker below a log: the offset it points at, and its word.
type offsetWord struct {
	offset int64
	text   string
	color  scene.Color
	filled bool
}

// markOffset draws one marker, with its word on the side asked for.
func (p *pen) markOffset(r *logRow, strip box, m offsetWord, toRight bool) {
	x, h := r.edge(m.offset)-p.u(1.5), p.u(8)
	if r.shows(m.offset) {
		p.offsetMark(x, strip.Y+p.u(2), h, m.filled, m.color)
	}
	s, gap := p.tiny().colored(m.color), p.u(8)
	text := m.text
	if toRight {
		room := box{x + gap, strip.Y, strip.right() - x - gap, strip.H}
		if s.width(text) > room.W {
			text = number(m.offset)
		}
		p.write(room, text, s)
		return
	}
	p.write(box{strip.X, strip.Y, x - gap - strip.X, strip.H}, text, s.aligned(scene.Right))
}

// drawLane draws what one of several groups has done with a log, below its cells.
func drawLane(p *pen, r *logRow, lane box, part *view.Partition, read *reading) {
	a := p.in.cast.of(read.owner)
	name := box{r.name.X, lane.Y, r.name.W, lane.H}
	p.write(name, read.group, p.tiny())
	drawOwner(p, box{r.owner.X, lane.Y, r.owner.W, lane.H}, read.owner)
	h, mark := p.u(9), p.u(6)
	if r.squeeze {
		h, mark = p.u(7), p.u(4.5)
	}
	for offset := r.from; offset < r.to; offset++ {
		p.cell(box{r.edge(offset), lane.Y + 1, r.pitch - p.u(3), h}, read.cell(offset, part), a, "")
	}
	y := lane.Y + 1 + h
	for _, m := range []offsetWord{{read.position(), "", a.ink, false}, {read.committed(), "", p.in.theme.text, true}} {
		if m.offset >= 0 && r.shows(m.offset) {
			p.offsetMark(r.edge(m.offset)-p.u(1.5), y, mark, m.filled, m.color)
		}
	}
	p.laneNumbers(box{r.end.X + p.u(5), lane.Y, r.end.W - p.u(5), lane.H}, read, a)
}

// laneNumbers writes committed and position at the end of a lane, each with its mark.
func (p *pen) laneNumbers(b box, read *reading, a accent) {
	half := b.columns(2, 0)
	for i, m := range []offsetWord{{read.committed(), "", p.in.theme.text, true}, {read.position(), "", a.ink, false}} {
		if m.offset < 0 {
			continue
		}
		icon, text := half[i].left(p.u(10))
		p.offsetMark(icon.X+p.u(3.5), icon.midY()-p.u(2.5), p.u(5), m.filled, m.color)
		p.write(text, number(m.offset), p.tiny().colored(m.color))
	}
}

// drawBar draws one log as a bar: the share that is committed, processed, fetched and unread.
func drawBar(p *pen, b box, part *view.Partition, readings []reading) {
	name, rest := b.left(p.label().bold().width(part.String()) + p.u(8))
	p.write(name, part.String(), p.small().colored(p.in.theme.text).bold())
	owner, rest := rest.left(p.ownerWidth())
	end, rest := rest.rightmost(p.u(92))
	bar := rest.inset(0, p.u(4))
	p.area(bar, p.u(3), p.in.theme.sunken)
	for i := range readings {
		r := &readings[i]
		lane := bar.row(i, bar.H/float64(len(readings)))
		lane.H = bar.H / float64(len(readings))
		p.share(lane, part, r)
	}
	if len(readings) > 0 {
		r := &readings[0]
		drawOwner(p, owner, r.owner)
		p.write(end.inset(p.u(6), 0), p.in.words.say("mark.lag", "n", number(max(0, part.HighWatermark-max(0, r.committed())))), p.tiny())
	}
}

// share fills a bar as far as a group has come: pale up to its position, solid up to what is committed.
func (p *pen) share(bar box, part *view.Partition, r *reading) {
	total := float64(part.LogEnd - part.LogStart)
	if total <= 0 {
		return
	}
	a := p.in.cast.of(r.owner)
	upTo := func(offset int64) float64 { return bar.W * clamp(float64(offset-part.LogStart)/total, 0, 1) }
	p.area(box{bar.X, bar.Y, upTo(r.position()), bar.H}, 0, a.tint)
	p.area(box{bar.X, bar.Y, upTo(r.committed()), bar.H}, 0, a.fill)
}

// The design size of a partition's tile, in units.
const tileW, tileH = 31, 19

func tilesHeight(p *pen, w float64, n int) float64 {
	perRow := max(1, int((w+p.u(2))/(p.u(tileW)+p.u(2))))
	return float64((n+perRow-1)/perRow) * (p.u(tileH) + p.u(2))
}

// drawPartitionTiles draws one tile for each partition: its owner's colour and number, and how far it is read.
func drawPartitionTiles(p *pen, b box, t *view.Topic) {
	w, h, gap := p.u(tileW), p.u(tileH), p.u(2)
	perRow := max(1, int((b.W+gap)/(w+gap)))
	for i := range t.Partitions {
		part := &t.Partitions[i]
		tile := box{b.X + float64(i%perRow)*(w+gap), b.Y + float64(i/perRow)*(h+gap), w, h}
		readings := p.in.readings(part.TopicPartition)
		p.thing(tile, partitionID(part.TopicPartition), part.String(), p.in.partitionSentence(part, readings), func(q *pen) {
			owner := reading{}
			if len(readings) > 0 {
				owner = readings[0]
			}
			a := q.in.cast.of(owner.owner)
			q.area(tile, q.u(3), a.tint)
			foot, _ := tile.under(q.u(3))
			q.share(foot, part, &owner)
			q.write(tile, number(part.Partition), q.tiny().colored(a.ink).aligned(scene.Center))
		})
	}
}
