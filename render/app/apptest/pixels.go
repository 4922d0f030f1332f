// Package apptest compares what is on a screen with what a scene says.
package apptest

import (
	"fmt"
	"image"
	"image/color"

	"groupscope/render/scene"
)

// grid is how far apart the compared pixels are, in device-independent pixels.
const grid = 8

// Compare looks at a grid of pixels of a screen at scale 1. Where the scene leaves no doubt about a pixel's colour, as inside a
// filled rectangle with nothing over it, the screen must show it. It returns the pixels compared, and a line for each that differs.
func Compare(screen image.Image, s *scene.Scene) (compared int, differing []string) {
	for y := grid / 2; y < int(s.Height); y += grid {
		for x := grid / 2; x < int(s.Width); x += grid {
			at := spot{point: scene.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}, color: s.Background, sure: true}
			at.look(s.Shapes)
			if !at.sure {
				continue
			}
			compared++
			if shown := screen.At(x, y); !near(shown, at.color) {
				differing = append(differing, fmt.Sprintf("pixel %d,%d: shown %v, the scene says %v", x, y, shown, at.color))
			}
		}
	}
	return compared, differing
}

// spot is one point of a picture while the shapes are laid over it.
type spot struct {
	point scene.Point
	color scene.Color
	sure  bool
}

// reach is how far from its box a shape may still draw: half an outline, or the blur of an edge.
const reach = 4

func (s *spot) look(shapes []scene.Shape) {
	for i := range shapes {
		shape := &shapes[i]
		if shape.Kind == scene.Group {
			if !shape.Clip || scene.Bounds(shape).Grow(1).Has(s.point) {
				s.look(shape.Kids)
			}
			if shape.Clip && !scene.Bounds(shape).Grow(-1).Has(s.point) && scene.Bounds(shape).Grow(1).Has(s.point) {
				s.sure = false // on the edge of the clip
			}
			continue
		}
		s.cover(shape)
		s.look(shape.Kids)
	}
}

func (s *spot) cover(shape *scene.Shape) {
	if !draws(shape) || !scene.Bounds(shape).Grow(reach+shape.StrokeWidth).Has(s.point) {
		return
	}
	inner := scene.Bounds(shape).Grow(-reach - shape.StrokeWidth - shape.Radius/2)
	solid := shape.Kind == scene.Rect && shape.Fill.A == 255 && shape.Pattern == scene.Plain
	hollow := shape.Kind == scene.Rect && shape.Fill.A == 0 && shape.Pattern == scene.Plain
	switch {
	case solid && inner.Has(s.point):
		s.color, s.sure = shape.Fill, true
	case hollow && inner.Has(s.point):
	default:
		s.sure = false
	}
}

func draws(shape *scene.Shape) bool {
	return shape.Fill.A > 0 || shape.Stroke.A > 0 || shape.Pattern != scene.Plain
}

// near reports whether two colours look the same, within what rounding does.
func near(shown color.Color, wanted scene.Color) bool {
	r, g, b, _ := shown.RGBA()
	return apart(r, wanted.R) <= 3 && apart(g, wanted.G) <= 3 && apart(b, wanted.B) <= 3
}

func apart(shown uint32, wanted uint8) int {
	d := int(shown>>8) - int(wanted)
	return max(d, -d)
}
