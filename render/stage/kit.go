package stage

import (
	"math"

	"groupscope/render/scene"
)

// pen draws the panels' parts into a list of shapes.
type pen struct {
	in     *input
	shapes []scene.Shape
	focus  *int // the last place in the order of the Tab key that is taken
}

func newPen(in *input) *pen { return &pen{in: in, focus: new(int)} }

// style is how a text looks.
type style struct {
	font  scene.Font
	color scene.Color
	align scene.Align
}

func (s style) colored(c scene.Color) style       { s.color = c; return s }
func (s style) aligned(a scene.Align) style       { s.align = a; return s }
func (s style) bold() style                       { s.font.Bold = true; return s }
func (s style) lineHeight() float64               { return round(s.font.Size * 1.45) }
func (s style) width(text string) float64         { return scene.Width(s.font, text) }
func (s style) fit(text string, w float64) string { return scene.Ellipsis(s.font, text, w) }

// The text styles of the stage, from large to small.
func (p *pen) title() style { return p.style(p.in.size.title, p.in.theme.text).bold() }
func (p *pen) body() style  { return p.style(p.in.size.body, p.in.theme.text) }
func (p *pen) label() style { return p.style(p.in.size.label, p.in.theme.text) }
func (p *pen) small() style { return p.style(p.in.size.small, p.in.theme.muted) }
func (p *pen) tiny() style  { return p.style(p.in.size.tiny, p.in.theme.muted) }
func (p *pen) code() style {
	s := p.style(p.in.size.label, p.in.theme.text)
	s.font.Face = scene.Mono
	return s
}

func (p *pen) style(size float64, c scene.Color) style {
	return style{font: scene.Font{Size: size}, color: c}
}

// u is a length of x design pixels at the stage's scale, on the pixel grid.
func (p *pen) u(x float64) float64 { return p.in.size.u(x) }

func (p *pen) add(s scene.Shape) { p.shapes = append(p.shapes, s) }

// group draws into a group of its own, so that its kids move, clip and mean something together.
func (p *pen) group(g scene.Shape, draw func(*pen)) {
	inner := &pen{in: p.in, focus: p.focus}
	draw(inner)
	g.Kind, g.Kids = scene.Group, inner.shapes
	p.add(g)
}

// with draws from another input.
func (p *pen) with(in *input, draw func(*pen)) {
	q := &pen{in: in, shapes: p.shapes, focus: p.focus}
	draw(q)
	p.shapes = q.shapes
}

// area draws a rectangle.
func (p *pen) area(b box, radius float64, fill scene.Color) {
	p.add(scene.Shape{Kind: scene.Rect, X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: radius, Fill: fill})
}

// frame draws a rectangle with an outline inside its edge.
func (p *pen) frame(b box, radius float64, fill, stroke scene.Color, width float64, dash ...float64) {
	b = b.inset(width/2, width/2)
	p.add(scene.Shape{
		Kind: scene.Rect, X: b.X, Y: b.Y, W: b.W, H: b.H, Radius: radius,
		Fill: fill, Stroke: stroke, StrokeWidth: width, Dash: dash,
	})
}

// panel draws the ground of a panel.
func (p *pen) panel(b box) { p.frame(b, p.u(10), p.in.theme.panel, p.in.theme.line, 1) }

// write draws one line of text in the middle of the box's height, shortened if the box is too narrow.
func (p *pen) write(b box, text string, s style) {
	text = s.fit(text, b.W)
	if text == "" {
		return
	}
	x := b.X
	switch s.align {
	case scene.Center:
		x = b.midX()
	case scene.Right:
		x = b.right()
	}
	p.add(scene.Shape{
		Kind: scene.Text, X: x, Y: baseline(b, s), Text: text, Font: s.font, Fill: s.color, Align: s.align,
	})
}

// baseline is where a line of text sits in the middle of a box's height: Latin capitals and Chinese look centred.
func baseline(b box, s style) float64 { return round(b.midY() + 0.36*s.font.Size) }

// run writes texts one after another on one line and returns where the last one ended.
func (p *pen) run(b box, parts ...span) float64 {
	x := b.X
	for _, part := range parts {
		w := min(part.style.width(part.text), b.right()-x)
		if w <= 0 {
			break
		}
		p.write(box{x, b.Y, w + 0.5, b.H}, part.text, part.style)
		x += w + part.gap
	}
	return x
}

// span is a piece of a line, and the gap after it.
type span struct {
	text  string
	style style
	gap   float64
}

// paragraph breaks a text into lines and writes them from the top; it returns what is left of the box.
func (p *pen) paragraph(b box, text string, s style) box {
	h := s.lineHeight()
	for _, line := range scene.Wrap(s.font, text, b.W) {
		var strip box
		strip, b = b.top(h)
		if strip.H < h {
			strip.H = h // a scrolling pane clips it
			b.Y += h
		}
		p.write(strip, line, s)
	}
	return b
}

// paragraphHeight is the height that paragraph needs.
func paragraphHeight(text string, w float64, s style) float64 {
	return s.lineHeight() * float64(len(scene.Wrap(s.font, text, w)))
}

// line draws a straight line.
func (p *pen) line(x1, y1, x2, y2 float64, c scene.Color, width float64, dash ...float64) {
	p.add(scene.Shape{
		Kind: scene.Line, Points: []scene.Point{{X: x1, Y: y1}, {X: x2, Y: y2}}, Stroke: c, StrokeWidth: width, Dash: dash,
	})
}

// polygon draws a filled figure.
func (p *pen) polygon(c scene.Color, points ...scene.Point) {
	p.add(scene.Shape{Kind: scene.Polygon, Points: points, Fill: c})
}

// mark draws the figure that names a consumer, in a circle of radius r around a point.
func (p *pen) mark(m mark, x, y, r float64, c scene.Color) {
	corners := map[mark]int{square: 4, triangle: 3, diamond: 4, hexagon: 6}
	switch m {
	case disc:
		p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r * 0.92, Fill: c})
	case cross:
		p.area(box{x - r, y - r*0.34, 2 * r, r * 0.68}, 0, c)
		p.area(box{x - r*0.34, y - r, r * 0.68, 2 * r}, 0, c)
	default:
		turn := 0.0
		if m == square {
			turn = 0.125
		}
		p.polygon(c, corner(x, y, r*1.1, corners[m], turn)...)
	}
}

// corner lists the corners of a regular polygon, the first one at the given turn clockwise from the top.
func corner(x, y, r float64, n int, turn float64) []scene.Point {
	out := make([]scene.Point, n)
	for i := range out {
		a := 2 * math.Pi * (turn + float64(i)/float64(n))
		out[i] = scene.Point{X: x + r*math.Sin(a), Y: y - r*math.Cos(a)}
	}
	return out
}

// arrowHead draws the tip of an arrow that comes from one point and ends in another.
func (p *pen) arrowHead(from, to scene.Point, size float64, c scene.Color) {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return
	}
	dx, dy := (to.X-from.X)/length*size, (to.Y-from.Y)/length*size
	p.polygon(c, to, scene.Point{X: to.X - dx - dy/2, Y: to.Y - dy + dx/2}, scene.Point{X: to.X - dx + dy/2, Y: to.Y - dy - dx/2})
}

// ring draws a timer's ring: the track, and what is left of it, clockwise from the top.
func (p *pen) ring(x, y, r, width, left float64, c scene.Color) {
	p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r, Stroke: p.in.theme.line, StrokeWidth: width})
	if left > 0 {
		p.add(scene.Shape{Kind: scene.Arc, X: x, Y: y, Radius: r, Start: 0, Sweep: left, Stroke: c, StrokeWidth: width})
	}
}

// control is a shape that a person can act on.
type control struct {
	id, label, tip string
	role           scene.Role
	action         scene.Action
	state          scene.State
	value          scene.Value
}

// control draws a control: a group that is known by its id, can be reached with the Tab key and says whether
// the pointer is over it. draw gets that state.
func (p *pen) control(b box, c control, draw func(*pen, scene.State)) {
	if c.role == scene.NoRole {
		c.role = scene.Button
	}
	c.state.Hovered = p.in.session.Hovered == c.id
	c.state.Focused = p.in.session.Focused == c.id
	g := scene.Shape{
		X: b.X, Y: b.Y, W: b.W, H: b.H, ID: c.id, Role: c.role, Label: c.label, Tip: c.tip,
		Action: c.action, State: c.state, Value: c.value,
	}
	if !c.state.Disabled {
		*p.focus++
		g.Focus = *p.focus
	}
	p.group(g, func(q *pen) {
		draw(q, c.state)
		if c.state.Focused {
			q.frame(box{b.X - 2, b.Y - 2, b.W + 4, b.H + 4}, q.u(7), scene.Color{}, q.in.theme.text, 2)
		}
	})
}

// button draws a button with a text.
func (p *pen) button(b box, c control, text string) {
	p.control(b, c, func(q *pen, s scene.State) {
		fill, stroke, ink := q.buttonColors(s)
		q.frame(b, q.u(7), fill, stroke, 1)
		q.write(b.inset(q.u(6), 0), text, q.label().colored(ink).aligned(scene.Center))
	})
}

// iconButton draws a button with an icon.
func (p *pen) iconButton(b box, c control, icon func(p *pen, x, y, r float64, c scene.Color)) {
	p.control(b, c, func(q *pen, s scene.State) {
		fill, stroke, ink := q.buttonColors(s)
		q.frame(b, q.u(7), fill, stroke, 1)
		icon(q, b.midX(), b.midY(), min(b.W, b.H)*0.2, ink)
	})
}

// buttonColors are fill, outline and ink of a button in its state.
func (p *pen) buttonColors(s scene.State) (fill, stroke, ink scene.Color) {
	t := p.in.theme
	switch {
	case s.Disabled:
		return t.panel, t.line, mix(t.muted, t.panel, 0.35)
	case s.Pressed || s.Selected:
		return t.strong, t.strong, t.onStrong
	case s.Hovered:
		return t.line, t.line, t.text
	}
	return t.sunken, t.line, t.text
}
