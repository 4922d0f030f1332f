package stage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// laneNodes lists the nodes of a run, each of which has a lane: the consumers, the brokers they ask, and below these the
// others who ask.
func laneNodes(f *view.Frame) []kafka.NodeID {
	var out []kafka.NodeID
	for i := range f.Consumers {
		out = append(out, f.Consumers[i].ID)
	}
	for i := range f.Brokers {
		out = append(out, f.Brokers[i].ID)
	}
	for i := range f.Producers {
		out = append(out, f.Producers[i].ID)
	}
	for i := range f.Stores {
		out = append(out, f.Stores[i].ID)
	}
	return out
}

// pinnedShare is how much of the height the lanes of the brokers may take where they stay in view while the others scroll:
// almost every message has a broker at one end.
const pinnedShare = 0.45

// laneNameWidth is as wide as the longest name of a lane needs, within limits.
func laneNameWidth(p *pen) float64 {
	widest := 0.0
	for _, id := range p.in.whole.nodes {
		widest = max(widest, p.small().bold().width(string(id)))
	}
	return clamp(widest+p.u(25), p.u(58), p.u(130))
}

// placeLanes gives each lane that is in view its place.
func (q *sequence) placeLanes(p *pen) {
	n := len(q.nodes)
	q.laneH = max(q.view.H/float64(max(1, n)), p.u(19))
	pinned := q.pinned(p.in)
	scrolling := q.scrolling(p.in)
	clear(q.lanes)
	if at := slices.Index(q.nodes, p.in.selectedNode()); at >= 0 {
		p.in.rests["sequence"] = clamp((float64(at)+0.5)*q.laneH-scrolling.H/2, 0, q.laneH*float64(n-len(pinned))-scrolling.H)
	}
	rolled := p.scrolled("sequence", q.laneH*float64(n-len(pinned)), scrolling.H)
	i := 0
	for _, id := range q.nodes {
		if slices.Contains(pinned, id) {
			continue
		}
		y := scrolling.Y - rolled + (float64(i)+0.5)*q.laneH
		if i++; y >= scrolling.Y+p.u(7) && y <= scrolling.bottom()-p.u(7) {
			q.lanes[id] = y
		}
	}
	for i, id := range pinned {
		q.lanes[id] = scrolling.bottom() + (float64(i)+0.5)*q.laneH
	}
	q.foot = min(q.view.bottom(), q.view.Y+q.laneH*float64(n))
}

// selectedNode is the node that is selected, or the client of the message that is; "" for none.
func (in *input) selectedNode() kafka.NodeID {
	kind, id, _ := strings.Cut(in.session.Selected, ":")
	if kind == "node" {
		return kafka.NodeID(id)
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || kind != "message" || in.track.arrow(n) == nil {
		return ""
	}
	m := in.track.arrow(n).message
	if m.Reply() {
		return m.To
	}
	return m.From
}

// pinned are the nodes whose lanes do not scroll: none while all lanes fit, else the brokers as far as there is room for them,
// those that coordinate a group first.
func (q *sequence) pinned(in *input) []kafka.NodeID {
	if q.laneH*float64(len(q.nodes)) <= q.view.H+0.5 {
		return nil
	}
	last := in.whole.last()
	coordinates := func(b view.Broker) bool {
		return slices.ContainsFunc(last.Groups, func(g view.Group) bool { return g.Coordinator == b.ID })
	}
	var first, others []kafka.NodeID
	for _, b := range last.Brokers {
		if coordinates(b) {
			first = append(first, b.ID)
		} else {
			others = append(others, b.ID)
		}
	}
	all := append(first, others...)
	return all[:min(len(all), int(pinnedShare*q.view.H/q.laneH))]
}

// scrolling is where the lanes are that scroll.
func (q *sequence) scrolling(in *input) box {
	_, b := q.view.under(q.laneH * float64(len(q.pinned(in))))
	return b
}

// drawLanes draws the names of the lanes, and a line for each.
func drawLanes(p *pen, q *sequence, b box) {
	area := q.scrolling(p.in)
	pinned := q.pinned(p.in)
	content := q.laneH * float64(len(q.nodes)-len(pinned))
	top := area.Y - p.scrolled("sequence", content, area.H)
	p.pane("sequence", p.in.words.say("panel.sequence"), box{b.X, area.Y, b.W, area.H}, content, func(r *pen) {
		i := 0
		for _, id := range q.nodes {
			if slices.Contains(pinned, id) {
				continue
			}
			r.lane(q, b, id, top+(float64(i)+0.5)*q.laneH)
			i++
		}
	})
	if len(pinned) == 0 {
		return
	}
	p.line(b.X, area.bottom()-0.5, q.view.right(), area.bottom()-0.5, p.in.theme.line, 1)
	for _, id := range pinned {
		p.lane(q, b, id, q.lanes[id])
	}
}

func (p *pen) lane(q *sequence, b box, id kafka.NodeID, y float64) {
	name := box{b.X, y - q.laneH/2, q.view.X - b.X - p.u(8), q.laneH}
	p.group(scene.Shape{X: name.X, Y: y - p.u(9), W: name.W, H: p.u(18)}, func(r *pen) { r.laneName(name, id, p.in.cast.of(id)) })
	p.line(q.view.X, y, q.view.right(), y, p.in.theme.line, 1)
}

func (p *pen) laneName(b box, id kafka.NodeID, a accent) {
	if !p.in.cast.isConsumer(id) {
		p.write(b, string(id), p.small().colored(p.in.theme.text))
		return
	}
	icon, text := b.left(p.u(15))
	p.mark(a.mark, icon.X+p.u(6), b.midY(), p.u(4.5), a.ink)
	p.write(text, string(id), p.small().colored(a.ink).bold())
}

// drawLives draws each lane in its node's colour while it lives, and on it what the node was.
func drawLives(p *pen, q *sequence) {
	end := min(q.plot.right(), q.at(p.in.frame.Event))
	for _, id := range q.nodes {
		if y, ok := q.lanes[id]; ok {
			p.life(q, id, y, end, p.in.cast.of(id))
			p.states(q, id, y, end)
		}
	}
}

// life draws the stretches of a lane during which its node was up.
func (p *pen) life(q *sequence, id kafka.NodeID, y, end float64, a accent) {
	up, start := !p.in.whole.isClient(id), q.plot.X
	draw := func(to float64) {
		to = clamp(to, q.plot.X, max(q.plot.X, end))
		if up && to > start {
			p.line(start, y, to, y, alpha(a.ink, 0x77), 1.5)
		}
	}
	for _, t := range p.in.track.turns {
		if t.node != id || t.event > p.in.frame.Event {
			continue
		}
		x := q.at(t.event)
		draw(x)
		up, start = t.kind == view.NodeStarted || t.kind == view.NodeThawed, max(q.plot.X, x)
	}
	draw(end)
}

// states draws what a node was, as bars on its lane: a consumer's state in joining, that of each group of a coordinator.
func (p *pen) states(q *sequence, id kafka.NodeID, y, end float64) {
	lives := p.in.track.lives[id]
	groups := groupsOf(lives)
	height := clamp(q.laneH*0.3, 5, p.u(9)) / float64(max(1, len(groups)))
	for row, group := range groups {
		at := box{Y: y + (float64(row)-float64(len(groups))/2)*height, H: height}
		p.stateBars(q, id, group, lives, at, end)
	}
}

// groupsOf lists the groups that a node's states are of, at most three; a consumer's are of "".
func groupsOf(lives []laneState) []string {
	var out []string
	for i := range lives {
		if lives[i].text != "" && !slices.Contains(out, lives[i].group) && len(out) < 3 {
			out = append(out, lives[i].group)
		}
	}
	return out
}

// stateBars draws the states of one group on a lane, as far as they are between the ends of the plot.
func (p *pen) stateBars(q *sequence, id kafka.NodeID, group string, lives []laneState, at box, end float64) {
	ends := func(s *laneState) bool { return s.group == group || s.group == "" }
	first, _ := q.events()
	begin, _ := slices.BinarySearchFunc(lives, first, func(s laneState, event int) int { return cmp.Compare(s.event, event) })
	for begin > 0 {
		if begin--; ends(&lives[begin]) {
			break
		}
	}
	var open *laneState
	draw := func(to float64) {
		if open == nil {
			return
		}
		x1, x2 := max(q.plot.X, q.at(open.event)), min(to, end)
		if x2-x1 >= 0.75 {
			p.stateBar(id, open, box{x1, at.Y, x2 - x1, at.H})
		}
	}
	for i := begin; i < len(lives); i++ {
		s := &lives[i]
		if s.event > p.in.frame.Event || q.at(s.event) > end {
			break
		}
		if ends(s) {
			draw(q.at(s.event))
			open = s
		}
	}
	draw(end)
}

// stateLook is how a state's bar looks; what is not here has none.
var stateLook = map[string]scene.Pattern{
	"preparing": scene.Hatch, "completing": scene.Dots, "stable": scene.Plain,
	"PreparingRebalance": scene.Hatch, "CompletingRebalance": scene.Dots, "Stable": scene.Plain,
}

func (p *pen) stateBar(id kafka.NodeID, s *laneState, b box) {
	pattern, ok := stateLook[s.text]
	if !ok {
		return
	}
	ink, tip := p.in.cast.of(id).ink, p.in.words.say("sequence.group-state", "group", s.group, "node", string(id), "state", s.text)
	switch {
	case s.group == "":
		tip = p.in.words.say("sequence.state", "node", string(id), "state", p.in.words.say("join."+s.text))
	case pattern != scene.Plain:
		ink = p.in.theme.warn
	}
	p.group(scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, ID: "state:" + string(id) + ":" + s.group + ":" + number(s.event), Tip: tip}, func(q *pen) {
		q.bar(b, ink, pattern)
	})
}

// bar draws a state: solid where all is well, pale with a pattern while something is going on.
func (p *pen) bar(b box, ink scene.Color, pattern scene.Pattern) {
	fill := mix(ink, p.in.theme.panel, 0.25)
	if pattern != scene.Plain {
		fill = mix(ink, p.in.theme.panel, 0.78)
	}
	p.add(scene.Shape{
		Kind: scene.Rect, X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: min(2, b.H/2), Fill: fill, Stroke: ink, Pattern: pattern, StrokeWidth: 0.5,
	})
}
