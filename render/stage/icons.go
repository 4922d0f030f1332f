package stage

import "groupscope/render/scene"

// The icons are drawn as figures, because no font has all of them. Each fits a circle of radius r around x, y.

func iconPlay(p *pen, x, y, r float64, c scene.Color) { p.wedge(x-r*0.65, y, 1.6*r, r, c) }

func iconPause(p *pen, x, y, r float64, c scene.Color) {
	p.area(box{x - r*0.8, y - r, r * 0.6, 2 * r}, 1, c)
	p.area(box{x + r*0.2, y - r, r * 0.6, 2 * r}, 1, c)
}

func iconStep(p *pen, x, y, r float64, c scene.Color) { p.chevron(x-r*0.4, y, r*0.8, c) }
func iconBack(p *pen, x, y, r float64, c scene.Color) { p.chevron(x+r*0.4, y, -r*0.8, c) }

func iconNextBeat(p *pen, x, y, r float64, c scene.Color) {
	p.wedge(x-r*0.95, y, 1.4*r, r*0.9, c)
	p.area(box{x + r*0.6, y - r*0.9, r * 0.36, r * 1.8}, 1, c)
}

func iconPrevBeat(p *pen, x, y, r float64, c scene.Color) {
	p.wedge(x+r*0.95, y, -1.4*r, r*0.9, c)
	p.area(box{x - r*0.96, y - r*0.9, r * 0.36, r * 1.8}, 1, c)
}

func iconFirst(p *pen, x, y, r float64, c scene.Color) {
	p.wedge(x+r*1.1, y, -r, r*0.8, c)
	p.wedge(x+r*0.2, y, -r, r*0.8, c)
	p.area(box{x - r*1.1, y - r*0.8, r * 0.32, r * 1.6}, 1, c)
}

func iconLast(p *pen, x, y, r float64, c scene.Color) {
	p.wedge(x-r*1.1, y, r, r*0.8, c)
	p.wedge(x-r*0.2, y, r, r*0.8, c)
	p.area(box{x + r*0.78, y - r*0.8, r * 0.32, r * 1.6}, 1, c)
}

// iconTheme is a disc, half of it dark.
func iconTheme(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r, Stroke: c, StrokeWidth: 1.5})
	p.add(scene.Shape{Kind: scene.Arc, X: x, Y: y, Radius: r, Start: 0, Sweep: 0.5, Fill: c})
}

// iconClock is a disc with two hands.
func iconClock(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r * 1.1, Stroke: c, StrokeWidth: 1.5})
	p.add(scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: x, Y: y - r*0.7}, {X: x, Y: y}, {X: x + r*0.5, Y: y + r*0.3}}, Stroke: c, StrokeWidth: 1.5})
}

func iconClose(p *pen, x, y, r float64, c scene.Color) {
	p.line(x-r*0.7, y-r*0.7, x+r*0.7, y+r*0.7, c, 1.8)
	p.line(x-r*0.7, y+r*0.7, x+r*0.7, y-r*0.7, c, 1.8)
}

func iconUp(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: x - r, Y: y + r*0.4}, {X: x, Y: y - r*0.5}, {X: x + r, Y: y + r*0.4}}, Stroke: c, StrokeWidth: 2})
}

func iconDown(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: x - r, Y: y - r*0.4}, {X: x, Y: y + r*0.5}, {X: x + r, Y: y - r*0.4}}, Stroke: c, StrokeWidth: 2})
}

// iconTick says right, iconClose says wrong.
func iconTick(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: x - r*0.8, Y: y}, {X: x - r*0.2, Y: y + r*0.7}, {X: x + r*0.9, Y: y - r*0.7}}, Stroke: c, StrokeWidth: 2})
}

// wedge is a triangle whose upright side is at x and whose tip is w to its right, or left.
func (p *pen) wedge(x, y, w, h float64, c scene.Color) {
	p.polygon(c, scene.Point{X: x, Y: y - h}, scene.Point{X: x + w, Y: y}, scene.Point{X: x, Y: y + h})
}

// chevron is an open angle whose tip is w to the right, or left, of x.
func (p *pen) chevron(x, y, w float64, c scene.Color) {
	h := max(w, -w) * 1.1
	p.add(scene.Shape{
		Kind: scene.Line, Points: []scene.Point{{X: x, Y: y - h}, {X: x + w, Y: y}, {X: x, Y: y + h}}, Stroke: c, StrokeWidth: 2,
	})
}

func iconMinus(p *pen, x, y, r float64, c scene.Color) { p.area(box{x - r, y - 1, 2 * r, 2}, 0, c) }

func iconPlus(p *pen, x, y, r float64, c scene.Color) {
	iconMinus(p, x, y, r, c)
	p.area(box{x - 1, y - r, 2, 2 * r}, 0, c)
}

// iconFilter is a funnel.
func iconFilter(p *pen, x, y, r float64, c scene.Color) {
	p.polygon(c, scene.Point{X: x - r*1.1, Y: y - r*0.9}, scene.Point{X: x + r*1.1, Y: y - r*0.9}, scene.Point{X: x + r*0.25, Y: y + r*0.1},
		scene.Point{X: x + r*0.25, Y: y + r}, scene.Point{X: x - r*0.25, Y: y + r*0.7}, scene.Point{X: x - r*0.25, Y: y + r*0.1})
}

// iconSearch is a looking glass.
func iconSearch(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Circle, X: x - r*0.2, Y: y - r*0.2, Radius: r * 0.75, Stroke: c, StrokeWidth: 1.8})
	p.line(x+r*0.4, y+r*0.4, x+r*1.05, y+r*1.05, c, 2)
}

// iconLoop is a circle that goes round, open at its upper right, with a head.
func iconLoop(p *pen, x, y, r float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Arc, X: x, Y: y, Radius: r, Start: 0.2, Sweep: 0.75, Stroke: c, StrokeWidth: 2})
	p.polygon(c, scene.Point{X: x - r*0.1, Y: y - r*1.6}, scene.Point{X: x + r*0.75, Y: y - r*0.95}, scene.Point{X: x - r*0.1, Y: y - r*0.3})
}
