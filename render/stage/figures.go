package stage

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"groupscope/core/figures"
	"groupscope/render/scene"
)

// chart is one small picture of a value over time, with its title and its value now.
type chart struct {
	title, value string
	warm         bool // the value tells of something amiss
	height       float64
	draw         func(p *pen, b box)
}

// drawFigures draws the view of figures: totals, and charts side by side as there is room.
func drawFigures(p *pen, b box) {
	inner := b.inset(p.u(14), p.u(10))
	columns := max(1, min(2, int(inner.W/p.u(360))))
	gap := p.u(16)
	w := (inner.W - gap*float64(columns-1) - p.u(6)) / float64(columns)
	charts := p.charts()
	totals := p.totalsHeight(inner.W)
	height := totals
	for i := 0; i < len(charts); i += columns {
		height += rowOfCharts(charts[i:min(len(charts), i+columns)]) + gap
	}
	at := inner
	at.Y -= p.scrolled("figures", height, inner.H)
	p.pane("figures", p.in.words.say("view.figures"), inner, height, func(q *pen) {
		q.totals(box{at.X, at.Y, at.W, totals})
		y := at.Y + totals
		for i := 0; i < len(charts); i += columns {
			line := charts[i:min(len(charts), i+columns)]
			h := rowOfCharts(line)
			for j := range line {
				q.chart(box{at.X + float64(j)*(w+gap), y, w, h}, i+j, &line[j])
			}
			y += h + gap
		}
	})
}

func rowOfCharts(charts []chart) float64 {
	h := 0.0
	for i := range charts {
		h = max(h, charts[i].height)
	}
	return h
}

// totals writes a line of numbers for each group.
func (p *pen) totals(b box) {
	for i := range p.in.figures.Groups {
		g := &p.in.figures.Groups[i]
		var head box
		head, b = b.top(p.u(24))
		p.write(head, p.in.words.say("owners.group", "group", g.ID), p.label().bold())
		cells := p.totalCells(g)
		columns := totalColumns(p, b.W)
		for j, place := range cells {
			at := box{b.X + b.W*float64(j%columns)/float64(columns), b.Y + p.u(42)*float64(j/columns), b.W/float64(columns) - p.u(6), p.u(42)}
			number, name := at.top(p.u(22))
			s := p.title()
			if place.warm {
				s = s.colored(p.in.theme.warn)
			}
			p.write(number, place.value, s)
			p.write(box{name.X, name.Y, name.W, p.u(16)}, place.name, p.small())
		}
		_, b = b.top(p.u(42)*math.Ceil(float64(len(cells))/float64(columns)) + p.u(8))
	}
}

func totalColumns(p *pen, w float64) int { return max(2, min(5, int(w/p.u(150)))) }

func (p *pen) totalsHeight(w float64) float64 {
	rows := math.Ceil(5 / float64(totalColumns(p, w)))
	return float64(len(p.in.figures.Groups)) * (p.u(24) + p.u(42)*rows + p.u(8))
}

// totalCells are a group's totals up to now.
func (p *pen) totalCells(g *figures.Group) []row {
	w, now := p.in.words, figures.Moment{Event: p.in.frame.Event, At: p.in.now()}
	again, lost := p.amissNow(g)
	return []row{
		{name: w.say("figures.total-unowned"), value: w.seconds(g.Unowned(now).Round(time.Millisecond))},
		{name: w.say("figures.total-rebalances"), value: number(len(g.Begun(now.Event)))},
		{name: w.say("figures.total-moved"), value: number(g.Moved.At(now.Event))},
		{name: w.say("figures.total-again"), value: number(again), warm: again > 0},
		{name: w.say("figures.total-lost"), value: number(lost), warm: lost > 0},
	}
}

// amissNow counts, by the frame itself, what a group processed again and what it passed over.
func (p *pen) amissNow(g *figures.Group) (twice, lost int64) {
	if now := p.in.group(g.ID); now != nil {
		for i := range now.Work {
			again, over := amiss(&now.Work[i])
			twice, lost = twice+again, lost+over
		}
	}
	return twice, lost
}

// charts lists the charts, those of a kind together so that groups can be compared, and that of the requests.
func (p *pen) charts() []chart {
	var list []chart
	for _, kind := range []func(*figures.Group) chart{p.lagChart, p.rateChart, p.freeChart, p.amissChart, p.rebalancesTable} {
		for i := range p.in.figures.Groups {
			list = append(list, kind(&p.in.figures.Groups[i]))
		}
	}
	return append(list, p.requestsChart())
}

// chart draws a chart: a line for its title and value, and below it the picture.
func (p *pen) chart(b box, n int, c *chart) {
	g := scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, ID: "chart:" + number(n), Role: scene.Region, Label: c.title + p.in.words.say("detail.separator") + c.value}
	p.group(g, func(q *pen) { q.chartIn(b, c) })
}

func (p *pen) chartIn(b box, c *chart) {
	head, body := b.top(p.u(24))
	s := p.label().bold().aligned(scene.Right)
	if c.warm {
		s = s.colored(p.in.theme.warn)
	}
	value, rest := head.rightmost(s.width(c.value) + 1)
	p.write(value, c.value, s)
	rest.W -= p.u(8)
	p.write(rest, c.title, p.label())
	c.draw(p, body)
}

// line is one line of a chart.
type line struct {
	name   string
	color  scene.Color
	dash   []float64
	values figures.Series
	counts bool // it is 0 before its first point
}

// lines draws series over time with a scale that fits all of them, and names the lines.
func (p *pen) lines(b box, g *figures.Group, list []line) {
	axis, b := b.under(p.u(22))
	if len(list) > 1 {
		var key box
		key, b = b.top(p.u(18))
		p.lineKey(key, list)
	}
	top := int64(1)
	for _, l := range list {
		for _, v := range l.values {
			top = max(top, v.Value)
		}
	}
	scale, plot := b.left(max(p.u(36), p.tiny().width(number(top))+p.u(6)))
	plot = plot.inset(0, p.u(4))
	t := p.in.timesOf(plot)
	p.area(plot, 0, p.in.theme.sunken)
	p.rebalanceBands(plot, &t, g)
	p.seekable(plot, &t)
	scale.W -= p.u(4)
	p.write(box{scale.X, plot.Y - p.u(4), scale.W, p.u(14)}, number(top), p.tiny().aligned(scene.Right))
	p.write(box{scale.X, plot.bottom() - p.u(10), scale.W, p.u(14)}, "0", p.tiny().aligned(scene.Right))
	for _, l := range list {
		p.step(plot, &t, l, float64(top))
	}
	p.nowLine(plot, &t)
	drawTimeAxis(p, box{plot.X - p.u(6), axis.Y, plot.W + p.u(6), axis.H}, &t)
}

// step draws a series as steps up to now.
func (p *pen) step(plot box, t *times, l line, top float64) {
	y := func(v int64) float64 { return plot.bottom() - 1 - (plot.H-4)*float64(max(0, v))/top }
	var points []scene.Point
	flush := func() {
		if len(points) > 1 {
			p.add(scene.Shape{Kind: scene.Line, Points: points, Stroke: l.color, StrokeWidth: 2, Dash: l.dash})
		}
		points = nil
	}
	if l.counts {
		end := t.x(t.now.At)
		if len(l.values) > 0 && l.values[0].Event <= t.now.Event {
			end = t.x(l.values[0].At)
		}
		points = append(points, scene.Point{X: plot.X, Y: y(0)}, scene.Point{X: end, Y: y(0)})
	}
	for i, v := range l.values {
		if t.comes(v.Moment) {
			break
		}
		end := t.x(t.now.At)
		if i+1 < len(l.values) && !t.comes(l.values[i+1].Moment) {
			end = t.x(l.values[i+1].At)
		}
		if v.Value < 0 {
			flush()
			continue
		}
		points = append(points, scene.Point{X: t.x(v.At), Y: y(v.Value)}, scene.Point{X: end, Y: y(v.Value)})
	}
	flush()
}

// lineKey names the lines of a chart, as far as there is room.
func (p *pen) lineKey(b box, list []line) {
	for _, l := range list {
		s := p.tiny()
		w := s.width(l.name)
		if b.W < p.u(22)+w {
			return
		}
		p.line(b.X, b.midY(), b.X+p.u(18), b.midY(), l.color, 2, l.dash...)
		p.write(box{b.X + p.u(22), b.Y, w + 1, b.H}, l.name, s)
		_, b = b.left(p.u(22) + w + p.u(12))
	}
}

// The looks of the lines of a chart, which are of no consumer.
var lineDashes = [][]float64{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}

// mostLines is how many partitions have a line each; of more, only their sum is drawn.
const mostLines = 4

const chartHeight = 150

func (p *pen) lagChart(g *figures.Group) chart {
	w := p.in.words
	c := chart{title: w.say("figures.lag", "group", g.ID), value: w.say("figures.none"), height: p.u(chartHeight)}
	if lag, ok := p.lagNow(g); ok {
		c.value = number(lag)
	}
	var list []line
	if len(g.Partitions) > mostLines {
		list = []line{{w.say("figures.sum"), p.in.theme.text, nil, g.LagSum(), false}}
	} else {
		for i := range g.Partitions {
			list = append(list, line{g.Partitions[i].String(), p.lineColor(i), lineDashes[i], g.Partitions[i].Lag, false})
		}
	}
	c.draw = func(q *pen, b box) { q.lines(b, g, list) }
	return c
}

// lineColor alternates between two inks, beside the dashes.
func (p *pen) lineColor(i int) scene.Color {
	if i%2 == 1 {
		return p.in.theme.muted
	}
	return p.in.theme.text
}

// lagNow is a group's lag by the frame itself; false while nothing is committed.
func (p *pen) lagNow(g *figures.Group) (sum int64, committed bool) {
	marks := map[string]int64{}
	for i := range p.in.frame.Topics {
		for _, part := range p.in.frame.Topics[i].Partitions {
			marks[part.String()] = part.HighWatermark
		}
	}
	if now := p.in.group(g.ID); now != nil {
		for i := range now.Work {
			if k := &now.Work[i]; k.Committed >= 0 {
				sum, committed = sum+marks[k.String()]-k.Committed, true
			}
		}
	}
	return sum, committed
}

// rateChart shows records a second, averaged over steps that are wide enough to be read.
func (p *pen) rateChart(g *figures.Group) chart {
	w, f := p.in.words, p.in.figures
	wide := rateStep(p.in.track.times[p.in.track.len()])
	list := []line{
		{w.say("figures.produced"), p.in.theme.muted, lineDashes[2], f.Produced.Rate(wide, f.End), true},
		{w.say("figures.delivered"), p.in.theme.muted, lineDashes[1], g.Delivered.Rate(wide, f.End), true},
		{w.say("figures.processed"), p.in.theme.text, nil, g.Processed.Rate(wide, f.End), true},
	}
	var values []string
	for i := range list {
		values = append(values, number(list[i].values.AtTime(p.in.now())))
	}
	return chart{title: w.say("figures.rate", "group", g.ID), value: strings.Join(values, " / "), height: p.u(chartHeight), draw: func(q *pen, b box) { q.lines(b, g, list) }}
}

// rateStep is over how long a rate is averaged in a run of that length: at least a second, and whole seconds.
func rateStep(end time.Duration) time.Duration {
	for _, step := range axisSteps[1:] {
		if end/step <= 60 {
			return step
		}
	}
	return axisSteps[len(axisSteps)-1]
}

func (p *pen) freeChart(g *figures.Group) chart {
	free := g.Free.At(p.in.frame.Event)
	list := []line{{"", p.in.theme.warn, nil, g.Free, true}}
	return chart{
		title: p.in.words.say("figures.unowned", "group", g.ID), value: number(free), warm: free > 0, height: p.u(chartHeight),
		draw: func(q *pen, b box) { q.lines(b, g, list) },
	}
}

func (p *pen) amissChart(g *figures.Group) chart {
	w := p.in.words
	again, lost := p.amissNow(g)
	list := []line{
		{w.say("figures.again"), p.in.theme.text, nil, g.Duplicates, true},
		{w.say("figures.lost"), p.in.theme.warn, lineDashes[1], g.Lost, true},
	}
	return chart{
		title: w.say("figures.amiss", "group", g.ID), value: number(again) + " / " + number(lost), warm: again+lost > 0, height: p.u(chartHeight),
		draw: func(q *pen, b box) { q.lines(b, g, list) },
	}
}

// mostRebalances is how many rebalances have a line each: the last ones.
const mostRebalances = 8

// rebalancesTable lists the last rebalances: when, how long, what began them, how many partitions they moved.
func (p *pen) rebalancesTable(g *figures.Group) chart {
	begun := g.Begun(p.in.frame.Event)
	skipped := max(0, len(begun)-mostRebalances)
	lineH := p.u(20)
	return chart{
		title: p.in.words.say("figures.rebalances", "group", g.ID), value: number(g.Moved.At(p.in.frame.Event)), height: p.u(26) + lineH*(mostRebalances+1),
		draw: func(q *pen, b box) {
			if skipped > 0 {
				q.write(b.row(0, lineH).atHeight(lineH), q.in.words.say("figures.earlier", "n", number(skipped)), q.small())
			}
			for i := range begun[skipped:] {
				q.rebalanceLine(b.row(i+min(1, skipped), lineH).atHeight(lineH), g, skipped+i)
			}
		},
	}
}

// rebalanceLine tells of one rebalance; a click goes to its beginning.
func (p *pen) rebalanceLine(b box, g *figures.Group, n int) {
	w, r := p.in.words, &g.Rebalances[n]
	why := w.say("figures.why-"+r.Why.String(), "member", r.Member)
	if r.Member == "" && r.Why != figures.Left {
		why = w.say("figures.why-none")
	}
	text := w.say("figures.rebalance-open", "from", w.tick(r.From.At), "why", why)
	if r.To.Event > 0 && r.To.Event <= p.in.frame.Event {
		text = w.say("figures.rebalance", "from", w.tick(r.From.At), "time", w.seconds(r.To.At-r.From.At), "why", why)
	}
	c := control{
		id: "rebalance:" + g.ID + ":" + number(n), label: text, action: scene.Action{Do: Seek, N: float64(r.From.Event)},
		state: scene.State{Selected: p.in.frame.Event == r.From.Event},
	}
	p.control(b, c, func(q *pen, s scene.State) {
		ink := q.in.theme.muted
		if s.Hovered || s.Selected {
			ink = q.in.theme.text
		}
		moved, rest := b.rightmost(q.u(40))
		q.write(moved, number(p.movedBy(g, n)), q.small().colored(q.in.theme.text).aligned(scene.Right))
		q.write(rest, text, q.small().colored(ink))
	})
}

// movedBy is how many partitions a rebalance has moved up to now.
func (p *pen) movedBy(g *figures.Group, n int) int64 {
	end := p.in.frame.Event
	if n+1 < len(g.Rebalances) {
		end = min(end, g.Rebalances[n+1].From.Event-1)
	}
	return g.Moved.At(end) - g.Moved.At(g.Rebalances[n].From.Event-1)
}

// requestsChart counts the requests of each kind, the most frequent first.
func (p *pen) requestsChart() chart {
	event := p.in.frame.Event
	kinds := slices.Clone(p.in.figures.Requests)
	slices.SortStableFunc(kinds, func(a, b figures.Requests) int { return cmp.Compare(b.Sent.At(event), a.Sent.At(event)) })
	var sum int64
	for i := range kinds {
		sum += kinds[i].Sent.At(event)
	}
	lineH := p.u(18)
	return chart{
		title: p.in.words.say("figures.requests"), value: number(sum), height: p.u(26) + lineH*float64(len(kinds)),
		draw: func(q *pen, b box) {
			nameW := min(b.W*0.5, q.u(170))
			for i := range kinds {
				n := kinds[i].Sent.At(event)
				at := b.row(i, lineH)
				name, rest := at.left(nameW)
				q.write(name, kinds[i].API.String(), q.small())
				bar := (rest.W - q.u(60)) * float64(n) / float64(max(1, sum))
				q.area(box{rest.X, rest.midY() - q.u(4), max(1, bar), q.u(8)}, 1, q.in.theme.muted)
				q.write(box{rest.X + bar + q.u(6), rest.Y, q.u(54), rest.H}, number(n), q.small().colored(q.in.theme.text))
			}
		},
	}
}
