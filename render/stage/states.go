package stage

import (
	"strings"

	"groupscope/core/view"
	"groupscope/render/scene"
)

// groupStates are the states of a classic group, in the order in which a group goes through them.
// Source: org.apache.kafka.coordinator.group.classic.ClassicGroupState.
var groupStates = []string{"Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead"}

// rebalancing reports whether a group in that state has members that wait for their partitions.
func rebalancing(state string) bool { return strings.HasSuffix(state, "Rebalance") }

// stateForm is how much of the states' names there is room for.
type stateForm uint8

const (
	oneLine   stateForm = iota // every name on one line
	twoLines                   // long names in two lines
	presently                  // the present state's name alone, the others as dots
)

// stateMachine is a group's state machine with the places of its states.
type stateMachine struct {
	from, to string // the last transition
	pills    []box
}

// chooseStateForm takes the fullest form that fits.
func chooseStateForm(p *pen, g *view.Group, w float64) stateForm {
	for _, form := range []stateForm{oneLine, twoLines} {
		if statesWidth(p, g, form) <= w {
			return form
		}
	}
	return presently
}

// stateLines is a state's name as it is written, line by line.
func stateLines(state string, lit bool, form stateForm) []string {
	i := strings.Index(state, "Rebalance")
	switch {
	case form == presently && !lit:
		return nil
	case form == twoLines && i > 0:
		return []string{state[:i], state[i:]}
	}
	return []string{state}
}

// statePillWidths are the widths of the states' pills.
func statePillWidths(p *pen, g *view.Group, form stateForm) []float64 {
	s, out, around := p.tiny().bold(), make([]float64, len(groupStates)), p.u(16)
	if form == twoLines {
		around = p.u(12)
	}
	for i, state := range groupStates {
		out[i] = p.u(12)
		for _, line := range stateLines(state, state == g.State, form) {
			out[i] = max(out[i], round(s.width(line)+around))
		}
	}
	return out
}

func statesWidth(p *pen, g *view.Group, form stateForm) float64 {
	sum := float64(len(groupStates)-1) * p.u(12)
	for _, w := range statePillWidths(p, g, form) {
		sum += w
	}
	return sum
}

// statesHeight is the height of the state machine, with the arrow that leads back.
func statesHeight(p *pen, form stateForm) float64 {
	if form == twoLines {
		return p.u(46)
	}
	return p.u(40)
}

// drawStates draws the state machine, the present state lit and the way it was entered marked.
func drawStates(p *pen, b box, g *view.Group, form stateForm) {
	m := newStateMachine(p, b, g, form)
	for i := range len(m.pills) - 2 {
		p.straightArrow(m.pills[i], m.pills[i+1], groupStates[i] == m.from && groupStates[i+1] == m.to)
	}
	back := stateIndex(m.to) >= 0 && stateIndex(m.from) > stateIndex(m.to)
	if !back || m.from != "Stable" || m.to != "PreparingRebalance" {
		p.backArrow(m.pills[stateIndex("Stable")], m.pills[stateIndex("PreparingRebalance")], false)
	}
	if back {
		p.backArrow(m.pills[stateIndex(m.from)], m.pills[stateIndex(m.to)], true)
	}
	for i, state := range groupStates {
		p.statePill(m.pills[i], state, g.State == state, form)
	}
}

func newStateMachine(p *pen, b box, g *view.Group, form stateForm) stateMachine {
	m := stateMachine{pills: make([]box, len(groupStates))}
	m.from, m.to = p.in.track.transition(g.ID, p.in.frame.Event)
	widths := statePillWidths(p, g, form)
	gap := min(p.u(26), (b.W-statesWidth(p, g, form))/float64(len(groupStates)-1)+p.u(12))
	height := p.u(25)
	if form == twoLines {
		height = p.u(34)
	}
	x := b.X
	for i, w := range widths {
		m.pills[i] = box{x, b.Y + p.u(2), w, height}
		x += w + gap
	}
	return m
}

func stateIndex(state string) int {
	for i, s := range groupStates {
		if s == state {
			return i
		}
	}
	return -1
}

// statePill draws one state: lit in the warm colour while the group rebalances, strong when it is at rest.
func (p *pen) statePill(b box, state string, lit bool, form stateForm) {
	t := p.in.theme
	fill, stroke, ink, width := t.panel, t.line, t.muted, 1.0
	switch {
	case lit && rebalancing(state):
		fill, stroke, ink, width = t.warnTint, t.warn, t.warn, 1.5
	case lit:
		fill, stroke, ink, width = t.strong, t.strong, t.onStrong, 1.5
	}
	if form == presently && !lit {
		b = box{b.X, b.midY() - b.W/2, b.W, b.W}
	}
	p.frame(b, min(b.H/2, p.u(13)), fill, stroke, width)
	s := p.tiny().colored(ink).aligned(scene.Center)
	if lit {
		s = s.bold()
	}
	lines, h := stateLines(state, lit, form), p.u(13)
	for i, line := range lines {
		p.write(box{b.X, b.midY() + (float64(i)-float64(len(lines))/2)*h, b.W, h}, line, s)
	}
}

// straightArrow joins two neighbouring states.
func (p *pen) straightArrow(a, b box, taken bool) {
	c, width := p.arrowInk(taken)
	from, to := scene.Point{X: a.right() + 2, Y: a.midY()}, scene.Point{X: b.X - 2, Y: b.midY()}
	p.line(from.X, from.Y, to.X-p.u(4), to.Y, c, width)
	p.arrowHead(from, to, p.u(6), c)
}

// backArrow leads from a state to an earlier one, below the others.
func (p *pen) backArrow(a, b box, taken bool) {
	c, width := p.arrowInk(taken)
	y, r := a.bottom(), p.u(7)
	depth := y + p.u(8)
	x1, x2 := a.midX(), b.midX()
	p.add(scene.Shape{Kind: scene.Curve, Stroke: c, StrokeWidth: width, Points: []scene.Point{
		{X: x1, Y: y + 1}, {X: x1, Y: depth}, {X: x1, Y: depth}, {X: x1 - r, Y: depth},
		{X: x1 - r, Y: depth}, {X: x2 + r, Y: depth}, {X: x2 + r, Y: depth},
		{X: x2, Y: depth}, {X: x2, Y: depth}, {X: x2, Y: y + p.u(4)},
	}})
	p.arrowHead(scene.Point{X: x2, Y: depth}, scene.Point{X: x2, Y: y + 1}, p.u(6), c)
}

func (p *pen) arrowInk(taken bool) (scene.Color, float64) {
	if taken {
		return p.in.theme.text, 2
	}
	return mix(p.in.theme.line, p.in.theme.muted, 0.3), 1.2
}
