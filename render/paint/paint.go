// Package paint draws scenes with Ebitengine.
package paint

import (
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/fonts"
	"groupscope/render/scene"
)

// Draw draws a scene on dst, with scale device pixels to a device-independent one. It is called from the game's loop
// alone, as all of Ebitengine's drawing. Straight edges of boxes and of upright and level lines go to whole device pixels.
func Draw(dst *ebiten.Image, s *scene.Scene, scale float64) { shared.draw(dst, s, scale) }

// Snapshot draws a scene on an image of its own. It is called from the game's loop alone.
func Snapshot(s *scene.Scene, scale float64) *image.RGBA {
	w, h := int(math.Ceil(s.Width*scale)), int(math.Ceil(s.Height*scale))
	canvas := ebiten.NewImage(w, h)
	defer canvas.Deallocate()
	Draw(canvas, s, scale)
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	canvas.ReadPixels(picture.Pix)
	return picture
}

// shared keeps what is worth keeping between pictures: there is one graphics processor.
var shared painter

type painter struct {
	batch
	glyphs
	lines map[line][]fonts.Placed
	han   bool // whether the lines were laid out with the Chinese font
}

// line is a text as it is laid out.
type line struct {
	style fonts.Style
	text  string
}

// manyLines is how many laid out texts are kept; then all are forgotten.
const manyLines = 8192

func (p *painter) draw(dst *ebiten.Image, s *scene.Scene, scale float64) {
	p.begin(dst, scale)
	p.prepare()
	if han := fonts.HasHan(); p.lines == nil || len(p.lines) > manyLines || han != p.han {
		p.lines, p.han = map[line][]fonts.Placed{}, han
	}
	ground := scene.Shape{Kind: scene.Rect, W: s.Width, H: s.Height, Fill: s.Background}
	p.rect(&ground)
	p.shapes(s.Shapes)
	p.flush(p.atlas)
}

func (p *painter) shapes(shapes []scene.Shape) {
	for i := range shapes {
		sh := &shapes[i]
		if sh.Kind == scene.Group && sh.Clip {
			p.clipped(sh)
			continue
		}
		p.figureOf(sh)
		p.shapes(sh.Kids)
	}
}

// clipped draws the kids of a group inside its box.
func (p *painter) clipped(sh *scene.Shape) {
	window := scene.Bounds(sh)
	outer := p.clip
	inner := outer.Intersect(image.Rect(
		p.snap(window.X), p.snap(window.Y), p.snap(window.X+window.W), p.snap(window.Y+window.H)))
	if inner.Empty() {
		return
	}
	p.setClip(inner)
	p.shapes(sh.Kids)
	p.setClip(outer)
}

func (p *painter) setClip(clip image.Rectangle) {
	if clip != p.clip {
		p.flush(p.atlas)
		p.clip = clip
	}
}

func (p *painter) snap(v float64) int { return int(math.Floor(v*p.unit + 0.5)) }

func (p *painter) figureOf(sh *scene.Shape) {
	switch sh.Kind {
	case scene.Rect:
		p.rect(sh)
	case scene.Circle:
		p.circle(sh)
	case scene.Arc:
		p.arcOf(sh)
	case scene.Line:
		p.lineOf(sh, sh.Points, false)
	case scene.Curve:
		p.lineOf(sh, scene.FlattenCurve(sh.Points), false)
	case scene.Polygon:
		p.polygon(p.toPixels(sh.Points), sh.Fill)
		p.lineOf(sh, sh.Points, true)
	case scene.Text:
		p.text(sh)
	}
}

// thickness is the width of an outline in device pixels: a whole number of them, at least one.
func (p *painter) thickness(sh *scene.Shape) float64 {
	if sh.Stroke.A == 0 || sh.StrokeWidth <= 0 {
		return 0
	}
	return math.Max(math.Floor(sh.StrokeWidth*p.unit+0.5), 1)
}

func (p *painter) rect(sh *scene.Shape) {
	x, y := p.snap(sh.X), p.snap(sh.Y)
	w, h := p.snap(sh.X+sh.W)-x, p.snap(sh.Y+sh.H)-y
	if w == 0 && sh.W > 0 {
		w = 1
	}
	if h == 0 && sh.H > 0 {
		h = 1
	}
	halfW, halfH := float64(w)/2, float64(h)/2
	whole := rounded{x: float64(x) + halfW, y: float64(y) + halfH, halfW: halfW, halfH: halfH, radius: sh.Radius * p.unit}
	width := p.thickness(sh)
	p.filled(sh, inset(whole, width/2))
	p.outlined(sh, whole, width)
}

func (p *painter) circle(sh *scene.Shape) {
	radius := sh.Radius * p.unit
	disc := rounded{x: sh.X * p.unit, y: sh.Y * p.unit, halfW: radius, halfH: radius, radius: radius}
	width := p.thickness(sh)
	p.filled(sh, disc)
	p.outlined(sh, inset(disc, -width/2), width)
}

func inset(r rounded, by float64) rounded {
	return rounded{x: r.x, y: r.y, halfW: r.halfW - by, halfH: r.halfH - by, radius: math.Max(r.radius-by, 0)}
}

// patternKinds says how the shader calls the patterns.
var patternKinds = [...]kind{scene.Hatch: hatch, scene.CrossHatch: cross, scene.Dots: dots}

func (p *painter) filled(sh *scene.Shape, r rounded) {
	p.figure(r, box, 0, sh.Fill)
	if sh.Pattern != scene.Plain {
		c := sh.Stroke
		c.A = uint8(float64(c.A) * scene.PatternStrength)
		p.figure(r, patternKinds[sh.Pattern], 0, c)
	}
}

// outlined draws a line of that width inside the edge of r.
func (p *painter) outlined(sh *scene.Shape, r rounded, width float64) {
	if width == 0 {
		return
	}
	if len(sh.Dash) == 0 {
		p.figure(r, box, width, sh.Stroke)
		return
	}
	outline := roundedOutline(inset(r, width/2))
	p.dashed(append(outline, outline[0]), sh.Dash, width, sh.Stroke)
}

// cornerPieces is into how many straight lines a quarter of a circle is cut where it is dashed.
const cornerPieces = 8

// roundedOutline goes round a box clockwise from the left end of its upper edge.
func roundedOutline(r rounded) []scene.Point {
	radius := math.Max(math.Min(r.radius, math.Min(r.halfW, r.halfH)), 0)
	var points []scene.Point
	for quarter, corner := range [4]scene.Point{{X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
		turn := scene.Shape{
			X: r.x + corner.X*(r.halfW-radius), Y: r.y + corner.Y*(r.halfH-radius),
			Radius: radius, Start: float64(quarter) / 4, Sweep: 0.25,
		}
		for i := 0; i <= cornerPieces; i++ {
			points = append(points, turn.OnArc(float64(i)/cornerPieces))
		}
	}
	last := len(points) - 1
	return append(points[last:last+1:last+1], points[:last]...)
}

func (p *painter) arcOf(sh *scene.Shape) {
	x, y, radius := sh.X*p.unit, sh.Y*p.unit, sh.Radius*p.unit
	if math.Abs(sh.Sweep) >= 1 {
		p.circle(sh)
		return
	}
	p.arc(x, y, radius, sh.Start, sh.Sweep, 0, sh.Fill)
	width := p.thickness(sh)
	if width == 0 {
		return
	}
	if len(sh.Dash) == 0 {
		p.arc(x, y, radius, sh.Start, sh.Sweep, width, sh.Stroke)
		return
	}
	pieces := int(math.Ceil(math.Abs(sh.Sweep) * 4 * cornerPieces))
	var points []scene.Point
	for i := 0; i <= pieces; i++ {
		at := sh.OnArc(float64(i) / float64(pieces))
		points = append(points, scene.Point{X: at.X * p.unit, Y: at.Y * p.unit})
	}
	p.dashed(points, sh.Dash, width, sh.Stroke)
}

// lineOf draws the outline along points. An upright or level line goes to whole pixels.
func (p *painter) lineOf(sh *scene.Shape, points []scene.Point, closed bool) {
	if sh.Stroke.A == 0 || sh.StrokeWidth <= 0 {
		return
	}
	pixels, width := p.toPixels(points), sh.StrokeWidth*p.unit
	if len(pixels) == 2 && (points[0].X == points[1].X || points[0].Y == points[1].Y) {
		width = p.thickness(sh)
		snapLine(pixels, width)
	}
	switch {
	case len(sh.Dash) == 0:
		p.stroke(pixels, closed, width, sh.Stroke)
	case closed && len(pixels) > 0:
		p.dashed(append(pixels, pixels[0]), sh.Dash, width, sh.Stroke)
	default:
		p.dashed(pixels, sh.Dash, width, sh.Stroke)
	}
}

// snapLine moves a straight line, width pixels wide, so that its edges lie between pixels.
func snapLine(line []scene.Point, width float64) {
	shift := math.Mod(width, 2) / 2
	across := func(v float64) float64 { return math.Floor(v-shift+0.5) + shift }
	along := func(v float64) float64 { return math.Floor(v + 0.5) }
	level := line[0].Y == line[1].Y
	for i, at := range line {
		if level {
			line[i] = scene.Point{X: along(at.X), Y: across(at.Y)}
		} else {
			line[i] = scene.Point{X: across(at.X), Y: along(at.Y)}
		}
	}
}

func (p *painter) toPixels(points []scene.Point) []scene.Point {
	pixels := make([]scene.Point, len(points))
	for i, at := range points {
		pixels[i] = scene.Point{X: at.X * p.unit, Y: at.Y * p.unit}
	}
	return pixels
}

func (p *painter) dashed(pixels []scene.Point, dash []float64, width float64, c scene.Color) {
	lengths := make([]float64, len(dash))
	for i, d := range dash {
		lengths[i] = d * p.unit
	}
	for _, part := range dashes(pixels, lengths) {
		p.stroke(part, false, width, c)
	}
}

func (p *painter) text(sh *scene.Shape) {
	if sh.Fill.A == 0 || sh.Text == "" {
		return
	}
	size := sh.Font.Size * p.unit
	left, baseline := scene.TextLeft(sh)*p.unit, p.snap(sh.Y)
	for _, placed := range p.laid(sh) {
		at := math.Floor((left+placed.X*size)*steps + 0.5)
		whole := math.Floor(at / steps)
		key := glyphKey{glyph: placed.Glyph, size: float32(size), step: uint8(at - whole*steps)}
		d, ok := p.get(key)
		if !ok {
			p.flush(p.atlas)
			p.reset()
			d, _ = p.get(key)
		}
		if !d.src.Empty() {
			p.picture(d.src, image.Pt(int(whole), baseline).Add(d.offset), sh.Fill)
		}
	}
}

func (p *painter) laid(sh *scene.Shape) []fonts.Placed {
	key := line{style: sh.Font.Style(), text: sh.Text}
	placed, ok := p.lines[key]
	if !ok {
		placed, _ = fonts.Lay(nil, key.style, key.text)
		p.lines[key] = placed
	}
	return placed
}
