package scene

import "math"

// Box is an upright rectangle.
type Box struct{ X, Y, W, H float64 }

// Everywhere is the box that holds every point.
var Everywhere = Box{X: -1e9, Y: -1e9, W: 2e9, H: 2e9}

// Empty says whether the box holds nothing.
func (b Box) Empty() bool { return b.W <= 0 || b.H <= 0 }

// Has says whether the point lies in the box.
func (b Box) Has(p Point) bool {
	return p.X >= b.X && p.X < b.X+b.W && p.Y >= b.Y && p.Y < b.Y+b.H
}

// Holds says whether all of c lies in the box.
func (b Box) Holds(c Box) bool {
	return c.X >= b.X && c.Y >= b.Y && c.X+c.W <= b.X+b.W && c.Y+c.H <= b.Y+b.H
}

// Meet is what two boxes have in common; an empty box if they do not touch.
func (b Box) Meet(c Box) Box {
	x, y := math.Max(b.X, c.X), math.Max(b.Y, c.Y)
	w := math.Min(b.X+b.W, c.X+c.W) - x
	h := math.Min(b.Y+b.H, c.Y+c.H) - y
	return Box{X: x, Y: y, W: math.Max(w, 0), H: math.Max(h, 0)}
}

// Join is the smallest box around two; an empty one does not count.
func (b Box) Join(c Box) Box {
	if b.Empty() {
		return c
	}
	if c.Empty() {
		return b
	}
	x, y := math.Min(b.X, c.X), math.Min(b.Y, c.Y)
	return Box{X: x, Y: y, W: math.Max(b.X+b.W, c.X+c.W) - x, H: math.Max(b.Y+b.H, c.Y+c.H) - y}
}

// Grow is the box with room added on each side.
func (b Box) Grow(by float64) Box {
	return Box{X: b.X - by, Y: b.Y - by, W: b.W + 2*by, H: b.H + 2*by}
}

// Bounds is the box around what a shape draws, its kids included, without the width of its outline. That of a text goes
// from the top of the capitals to the bottom of the descenders.
func Bounds(sh *Shape) Box {
	switch sh.Kind {
	case Group:
		own := Box{X: sh.X, Y: sh.Y, W: sh.W, H: sh.H}
		if !own.Empty() {
			return own
		}
		var all Box
		for i := range sh.Kids {
			all = all.Join(Bounds(&sh.Kids[i]))
		}
		return all
	case Circle, Arc:
		return Box{X: sh.X - sh.Radius, Y: sh.Y - sh.Radius, W: 2 * sh.Radius, H: 2 * sh.Radius}
	case Line, Polygon, Curve:
		return boundsOf(sh.Points)
	case Text:
		return textBox(sh)
	}
	return Box{X: sh.X, Y: sh.Y, W: sh.W, H: sh.H}
}

func boundsOf(points []Point) Box {
	if len(points) == 0 {
		return Box{}
	}
	low, high := points[0], points[0]
	for _, p := range points[1:] {
		low = Point{X: math.Min(low.X, p.X), Y: math.Min(low.Y, p.Y)}
		high = Point{X: math.Max(high.X, p.X), Y: math.Max(high.Y, p.Y)}
	}
	return Box{X: low.X, Y: low.Y, W: high.X - low.X, H: high.Y - low.Y}
}

// TextLeft is where the first glyph of a text begins.
func TextLeft(sh *Shape) float64 {
	switch sh.Align {
	case Center:
		return sh.X - Width(sh.Font, sh.Text)/2
	case Right:
		return sh.X - Width(sh.Font, sh.Text)
	}
	return sh.X
}

// Walk visits the shapes in the order in which they are drawn, a group before its kids. Where visit returns false the kids
// are left out.
func Walk(s *Scene, visit func(*Shape) bool) { walk(s.Shapes, visit) }

func walk(shapes []Shape, visit func(*Shape) bool) {
	for i := range shapes {
		if visit(&shapes[i]) {
			walk(shapes[i].Kids, visit)
		}
	}
}

// Find gives the shape with that ID, or nil. The shapes without an ID are not found.
func Find(s *Scene, id string) *Shape {
	if id == "" {
		return nil
	}
	var found *Shape
	Walk(s, func(sh *Shape) bool {
		if found == nil && sh.ID == id {
			found = sh
		}
		return found == nil
	})
	return found
}
