package stage

import (
	"math"

	"groupscope/render/scene"
)

// box is an area of the picture. Layout cuts boxes off boxes, so that two areas never overlap.
type box struct{ X, Y, W, H float64 }

func (b box) right() float64  { return b.X + b.W }
func (b box) bottom() float64 { return b.Y + b.H }
func (b box) midX() float64   { return b.X + b.W/2 }
func (b box) midY() float64   { return b.Y + b.H/2 }

// inset takes a margin off all four sides.
func (b box) inset(x, y float64) box {
	return box{b.X + x, b.Y + y, max(0, b.W-2*x), max(0, b.H-2*y)}
}

// top cuts a strip of that height off the top and returns the strip and what is left below it.
func (b box) top(h float64) (strip, rest box) {
	h = min(h, b.H)
	return box{b.X, b.Y, b.W, h}, box{b.X, b.Y + h, b.W, b.H - h}
}

func (b box) under(h float64) (strip, rest box) {
	h = min(h, b.H)
	return box{b.X, b.bottom() - h, b.W, h}, box{b.X, b.Y, b.W, b.H - h}
}

// left cuts a strip of that width off the left and returns the strip and what is left beside it.
func (b box) left(w float64) (strip, rest box) {
	w = min(w, b.W)
	return box{b.X, b.Y, w, b.H}, box{b.X + w, b.Y, b.W - w, b.H}
}

func (b box) rightmost(w float64) (strip, rest box) {
	w = min(w, b.W)
	return box{b.right() - w, b.Y, w, b.H}, box{b.X, b.Y, b.W - w, b.H}
}

// columns divides the box into n columns of equal width with a gap between them.
func (b box) columns(n int, gap float64) []box {
	w := (b.W - gap*float64(n-1)) / float64(n)
	out := make([]box, n)
	for i := range out {
		out[i] = box{b.X + float64(i)*(w+gap), b.Y, w, b.H}
	}
	return out
}

// row is the place of line i when the box is filled from the top with lines of height h.
func (b box) row(i int, h float64) box {
	return box{b.X, b.Y + float64(i)*h, b.W, h}
}

// atHeight is the same box with another height.
func (b box) atHeight(h float64) box { b.H = h; return b }

// meets reports whether two boxes share some area.
func (b box) meets(o box) bool {
	return b.X < o.right() && o.X < b.right() && b.Y < o.bottom() && o.Y < b.bottom()
}

func round(x float64) float64 { return math.Round(x) }

func clamp(x, low, high float64) float64 { return max(low, min(high, x)) }

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

func lerpPoint(a, b scene.Point, t float64) scene.Point {
	return scene.Point{X: lerp(a.X, b.X, t), Y: lerp(a.Y, b.Y, t)}
}
