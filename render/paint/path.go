package paint

import (
	"math"
	"slices"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/scene"
)

// Paths that the shader has no form for become triangles here: lines of many pieces, curves, dashes and polygons. A
// fringe one pixel wide, over which the colour fades, makes their edges smooth.

// rib is a cut across a line: vertices from its left edge to its right one.
type rib struct {
	at    scene.Point
	out   scene.Point // from the middle to the left, as long as half the line is wide, if that were 1
	cover float64
}

// sharpest is how far, in half widths, the outer corner of a bend may stick out.
const sharpest = 2.5

// stroke adds a line through points, in device pixels.
func (b *batch) stroke(points []scene.Point, closed bool, width float64, c scene.Color) {
	points = distinct(points, closed)
	if len(points) < 2 || c.A == 0 {
		return
	}
	strength := 1.0
	if width < 1 {
		width, strength = 1, width
	}
	ribs := b.ribs[:0]
	for i := range points {
		before, after := neighbours(points, i, closed)
		ribs = append(ribs, rib{at: points[i], out: bend(before, points[i], after), cover: strength})
	}
	if closed {
		ribs = append(ribs, ribs[0])
	} else {
		ribs = fadeEnds(ribs, points)
	}
	b.ribs = ribs
	b.strip(ribs, width/2, c)
}

// distinct leaves out points that repeat the one before, which have no direction.
func distinct(points []scene.Point, closed bool) []scene.Point {
	const same = 1e-3
	kept := make([]scene.Point, 0, len(points))
	for _, p := range points {
		if n := len(kept); n > 0 && math.Hypot(p.X-kept[n-1].X, p.Y-kept[n-1].Y) < same {
			continue
		}
		kept = append(kept, p)
	}
	if n := len(kept); closed && n > 1 && math.Hypot(kept[0].X-kept[n-1].X, kept[0].Y-kept[n-1].Y) < same {
		kept = kept[:n-1]
	}
	return kept
}

func neighbours(points []scene.Point, i int, closed bool) (before, after scene.Point) {
	n := len(points)
	before, after = points[max(i-1, 0)], points[min(i+1, n-1)]
	if closed {
		before, after = points[(i+n-1)%n], points[(i+1)%n]
	}
	return before, after
}

// bend is the way from a point of a line to the corner left of it.
func bend(before, at, after scene.Point) scene.Point {
	in, out := left(before, at), left(at, after)
	if before == at {
		return out
	}
	if after == at {
		return in
	}
	sum := scene.Point{X: in.X + out.X, Y: in.Y + out.Y}
	length := math.Hypot(sum.X, sum.Y)
	if length < 0.1 {
		return in // it turns back
	}
	// The corner is 1/cos of half the turn away, and length is twice that cosine.
	reach := math.Min(2/length, sharpest) / length
	return scene.Point{X: sum.X * reach, Y: sum.Y * reach}
}

// left is the direction to the left of the way from p to q, of length 1.
func left(p, q scene.Point) scene.Point {
	dx, dy := q.X-p.X, q.Y-p.Y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return scene.Point{}
	}
	return scene.Point{X: dy / length, Y: -dx / length}
}

// fadeEnds adds a rib at both ends of an open line, so that it fades over the last pixel.
func fadeEnds(ribs []rib, points []scene.Point) []rib {
	n := len(ribs)
	head, tail := ribs[0], ribs[n-1]
	shift := func(r rib, towards scene.Point, by float64) rib {
		length := math.Hypot(towards.X-r.at.X, towards.Y-r.at.Y)
		r.at.X += (towards.X - r.at.X) / length * by
		r.at.Y += (towards.Y - r.at.Y) / length * by
		return r
	}
	ribs[0], ribs[n-1] = shift(head, points[1], 0.5), shift(tail, points[len(points)-2], 0.5)
	first, last := shift(head, points[1], -0.5), shift(tail, points[len(points)-2], -0.5)
	first.cover, last.cover = 0, 0
	ribs = append(ribs, rib{}, rib{})
	copy(ribs[1:], ribs[:n])
	ribs[0], ribs[n+1] = first, last
	return ribs
}

// strip adds the triangles between ribs: the core of the line and a fringe on either side.
func (b *batch) strip(ribs []rib, half float64, c scene.Color) {
	core, edge := half-0.5, half+0.5
	for i, r := range ribs {
		first := uint32(len(b.vertices))
		b.point(r.at.X+r.out.X*edge, r.at.Y+r.out.Y*edge, 0, c)
		b.point(r.at.X+r.out.X*core, r.at.Y+r.out.Y*core, r.cover, c)
		b.point(r.at.X-r.out.X*core, r.at.Y-r.out.Y*core, r.cover, c)
		b.point(r.at.X-r.out.X*edge, r.at.Y-r.out.Y*edge, 0, c)
		if i == 0 {
			continue
		}
		for k := first; k < first+3; k++ {
			b.indices = append(b.indices, k-4, k-3, k, k, k-3, k+1)
		}
	}
}

func (b *batch) point(x, y, cover float64, c scene.Color) {
	b.vertices = append(b.vertices, tint(ebiten.Vertex{
		DstX: float32(x), DstY: float32(y), Custom2: float32(cover), Custom3: plain.code(0),
	}, c))
}

// polygon fills a simple polygon, in device pixels.
func (b *batch) polygon(points []scene.Point, c scene.Color) {
	points = distinct(points, true)
	if len(points) < 3 || c.A == 0 {
		return
	}
	side := 1.0 // which side of the outline is the outer one
	if area(points) < 0 {
		side = -1
	}
	first := uint32(len(b.vertices))
	n := uint32(len(points))
	for i, p := range points {
		before, after := neighbours(points, i, true)
		out := bend(before, p, after)
		b.point(p.X-out.X*side*0.5, p.Y-out.Y*side*0.5, 1, c)
		b.point(p.X+out.X*side*0.5, p.Y+out.Y*side*0.5, 0, c)
	}
	for i := range n {
		k, next := first+2*i, first+2*((i+1)%n)
		b.indices = append(b.indices, k, k+1, next, next, k+1, next+1)
	}
	for _, corner := range triangulate(points, side) {
		b.indices = append(b.indices, first+2*uint32(corner))
	}
}

// area is twice the area of a polygon, positive if it goes clockwise on the screen.
func area(points []scene.Point) float64 {
	sum := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum
}

// triangulate cuts a simple polygon into triangles, three corners each, by taking off ears.
func triangulate(points []scene.Point, side float64) []int {
	rest := make([]int, len(points))
	for i := range rest {
		rest[i] = i
	}
	var corners []int
	for len(rest) > 3 {
		ear := findEar(points, rest, side)
		n := len(rest)
		corners = append(corners, rest[(ear+n-1)%n], rest[ear], rest[(ear+1)%n])
		rest = append(rest[:ear], rest[ear+1:]...)
	}
	return append(corners, rest...)
}

// findEar gives a corner that can be cut off; any one if the polygon crosses itself and has none.
func findEar(points []scene.Point, rest []int, side float64) int {
	n := len(rest)
	for i := range rest {
		triangle := []scene.Point{points[rest[(i+n-1)%n]], points[rest[i]], points[rest[(i+1)%n]]}
		if area(triangle)*side <= 0 {
			continue
		}
		free := true
		for k := range rest {
			if k != i && k != (i+1)%n && k != (i+n-1)%n && within(triangle, points[rest[k]], side) {
				free = false
				break
			}
		}
		if free {
			return i
		}
	}
	return 0
}

func within(triangle []scene.Point, p scene.Point, side float64) bool {
	for i, q := range triangle {
		if area([]scene.Point{q, triangle[(i+1)%3], p})*side < 0 {
			return false
		}
	}
	return true
}

// dashes cuts a line into the parts that are drawn: on and off by turns, as long as dash says. A dash that never ends or
// is too fine to see, or not a length, leaves the line whole.
func dashes(points []scene.Point, dash []float64) [][]scene.Point {
	total := 0.0
	for _, d := range dash {
		total += d
	}
	if total < 1 || len(points) < 2 || slices.Min(dash) < 0 {
		return [][]scene.Point{points}
	}
	var (
		parts [][]scene.Point
		part  = []scene.Point{points[0]}
		turn  int
		rest  = dash[0]
	)
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		length := math.Hypot(to.X-from.X, to.Y-from.Y)
		for done := 0.0; done < length; {
			if length-done < rest {
				rest -= length - done
				part = append(part, to)
				break
			}
			done += rest
			t := done / length
			at := scene.Point{X: from.X + t*(to.X-from.X), Y: from.Y + t*(to.Y-from.Y)}
			if turn%2 == 0 {
				parts = append(parts, append(part, at))
			}
			turn++
			part, rest = []scene.Point{at}, dash[turn%len(dash)]
		}
	}
	if turn%2 == 0 && len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}
