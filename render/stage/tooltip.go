package stage

import "groupscope/render/scene"

// tooltip draws the tip of the shape under the pointer, beside it and within the window.
func tooltip(in *input, shapes []scene.Shape) []scene.Shape {
	if in.session.Hovered == "" {
		return nil
	}
	over := scene.Find(&scene.Scene{Shapes: shapes}, in.session.Hovered)
	if over == nil || over.Tip == "" {
		return nil
	}
	p := newPen(in)
	s := p.small().colored(in.theme.onStrong)
	window := box{0, 0, in.session.Width, in.session.Height}
	lines := scene.Wrap(s.font, over.Tip, min(p.u(320), window.W-p.u(32)))
	at := box{H: float64(len(lines))*s.lineHeight() + p.u(10)}
	for _, line := range lines {
		at.W = max(at.W, s.width(line)+p.u(20))
	}
	around := scene.Bounds(over)
	at.X = clamp(around.X+around.W/2-at.W/2, p.u(4), max(p.u(4), window.W-at.W-p.u(4)))
	at.Y = around.Y + around.H + p.u(6)
	if at.bottom() > window.H {
		at.Y = max(p.u(4), around.Y-at.H-p.u(6))
	}
	p.group(scene.Shape{X: at.X, Y: at.Y, W: at.W, H: at.H, ID: "tip"}, func(q *pen) {
		q.area(at, q.u(6), in.theme.strong)
		for i, line := range lines {
			q.write(box{at.X + q.u(10), at.Y + q.u(5) + float64(i)*s.lineHeight(), at.W, s.lineHeight()}, line, s)
		}
	})
	return p.shapes
}
