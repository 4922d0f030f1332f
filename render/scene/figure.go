package scene

import "math"

// The measures of the patterns, in device-independent pixels. A pattern is a square tile repeated from the corner of the
// shape's box.
const (
	PatternStep     = 8.0  // side of a tile
	HatchWidth      = 1.0  // of a line of Hatch and CrossHatch
	DotRadius       = 1.25 // of a dot of Dots, in the middle of its tile
	PatternStrength = 0.5  // what is left of the opacity of Stroke's colour, so that a label on top can be read
)

// OnArc is the point of an Arc at t from 0 to 1.
func (sh *Shape) OnArc(t float64) Point {
	sin, cos := math.Sincos(2 * math.Pi * (sh.Start + t*sh.Sweep))
	return Point{X: sh.X + sh.Radius*sin, Y: sh.Y - sh.Radius*cos}
}
