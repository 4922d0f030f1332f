package fonts

import (
	"golang.org/x/image/font/sfnt"
)

// Op is what a segment of an outline does.
type Op uint8

// The kinds of segments. The fonts are TrueType, so their curves are quadratic.
const (
	MoveTo Op = iota // begins a closed contour at X, Y
	LineTo
	QuadTo // by the control point CX, CY
)

// Segment is a piece of an outline, in ems from the glyph's origin; y grows downwards.
type Segment struct {
	Op           Op
	X, Y, CX, CY float64
}

// Outline appends the outline of a glyph to dst and returns it.
func (g Glyph) Outline(dst []Segment) []Segment {
	mutex.Lock()
	defer mutex.Unlock()
	s := sources[g.source]
	segments, err := s.font.LoadGlyph(&buffer, g.index, s.ppem(), nil)
	if err != nil {
		return dst // a font that SetHan accepted, but that is damaged inside: nothing is drawn
	}
	for _, from := range segments {
		to := Segment{Op: MoveTo, X: s.ems(from.Args[0].X), Y: s.ems(from.Args[0].Y)}
		switch from.Op {
		case sfnt.SegmentOpLineTo:
			to.Op = LineTo
		case sfnt.SegmentOpQuadTo:
			to.Op = QuadTo
			to.CX, to.CY = to.X, to.Y
			to.X, to.Y = s.ems(from.Args[1].X), s.ems(from.Args[1].Y)
		}
		dst = append(dst, to)
	}
	return dst
}
