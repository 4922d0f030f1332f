package scene

import "math"

// reach is how far from a thin line the pointer may be to hit it, in device-independent pixels.
const reach = 5

// Hit gives the topmost shape at a point that has an Action or a Tip, or nil. What a Clip hides is not there. A shape of Role
// Dialog hides everything below its box.
func Hit(s *Scene, x, y float64) *Shape {
	found, _ := hit(s.Shapes, Point{X: x, Y: y})
	return found
}

// hit also says whether the search is over, found or not.
func hit(shapes []Shape, p Point) (found *Shape, over bool) {
	for i := len(shapes) - 1; i >= 0; i-- {
		sh := &shapes[i]
		if sh.Clip && !Bounds(sh).Has(p) {
			continue
		}
		if found, over := hit(sh.Kids, p); over {
			return found, true
		}
		wanted := sh.Action != Action{} || sh.Tip != ""
		if (wanted || sh.Role == Dialog) && covers(sh, p) {
			if wanted {
				return sh, true
			}
			return nil, true
		}
	}
	return nil, false
}

func covers(sh *Shape, p Point) bool {
	switch sh.Kind {
	case Circle:
		return math.Hypot(p.X-sh.X, p.Y-sh.Y) <= math.Max(sh.Radius, reach)
	case Arc:
		return math.Hypot(p.X-sh.X, p.Y-sh.Y) <= sh.Radius+math.Max(sh.StrokeWidth/2, reach)
	case Line:
		return nearLine(sh.Points, p, math.Max(sh.StrokeWidth/2, reach))
	case Curve:
		return nearLine(FlattenCurve(sh.Points), p, math.Max(sh.StrokeWidth/2, reach))
	case Polygon:
		return inside(sh.Points, p) || nearLine(sh.Points, p, reach)
	}
	return Bounds(sh).Has(p)
}

func nearLine(points []Point, p Point, distance float64) bool {
	for i := 1; i < len(points); i++ {
		if fromSegment(points[i-1], points[i], p) <= distance {
			return true
		}
	}
	return false
}

// fromSegment is the distance of p from the line between a and b.
func fromSegment(a, b, p Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = math.Min(math.Max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length, 0), 1)
	}
	return math.Hypot(a.X+t*dx-p.X, a.Y+t*dy-p.Y)
}

// inside counts the edges that a ray to the left crosses.
func inside(points []Point, p Point) bool {
	in := false
	for i, j := 0, len(points)-1; i < len(points); j, i = i, i+1 {
		a, b := points[i], points[j]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	}
	return in
}

// curveSteps is into how many straight lines a piece of a curve is cut.
const curveSteps = 24

// FlattenCurve turns the points of a Curve into those of a Line.
func FlattenCurve(points []Point) []Point {
	if len(points) == 0 {
		return nil
	}
	flat := []Point{points[0]}
	for i := 0; i+3 < len(points); i += 3 {
		for step := 1; step <= curveSteps; step++ {
			flat = append(flat, OnCurve(points[i:i+4], float64(step)/curveSteps))
		}
	}
	return flat
}

// OnCurve is the point of a piece of a curve (start, two controls, end) at t from 0 to 1.
func OnCurve(piece []Point, t float64) Point {
	u := 1 - t
	a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return Point{
		X: a*piece[0].X + b*piece[1].X + c*piece[2].X + d*piece[3].X,
		Y: a*piece[0].Y + b*piece[1].Y + c*piece[2].Y + d*piece[3].Y,
	}
}
