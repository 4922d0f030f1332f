package paint

import (
	"fmt"
	"image"
	"math"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/scene"
)

// batch gathers the triangles of figures that are drawn in one call: on the same image, inside the same clip.
type batch struct {
	dst      *ebiten.Image
	clip     image.Rectangle // device pixels
	unit     float64         // device pixels in a device-independent one
	vertices []ebiten.Vertex
	indices  []uint32
	ribs     []rib // kept for its room
	shader   *ebiten.Shader
}

func (b *batch) begin(dst *ebiten.Image, unit float64) {
	if b.shader == nil {
		b.shader = compile()
	}
	b.dst, b.clip, b.unit = dst, dst.Bounds(), unit
}

func compile() *ebiten.Shader {
	source := strings.NewReplacer(
		"PatternStep", fmt.Sprintf("%f", scene.PatternStep),
		"HatchWidth", fmt.Sprintf("%f", scene.HatchWidth),
		"DotRadius", fmt.Sprintf("%f", scene.DotRadius),
	).Replace(shaderSource)
	shader, err := ebiten.NewShader([]byte(source))
	if err != nil {
		panic(fmt.Sprintf("shader: %v", err))
	}
	return shader
}

// flush draws what was gathered; glyphs are taken from the atlas.
func (b *batch) flush(atlas *ebiten.Image) {
	if len(b.indices) == 0 {
		return
	}
	target := b.dst
	if b.clip != b.dst.Bounds() {
		target = b.dst.SubImage(b.clip).(*ebiten.Image)
	}
	target.DrawTrianglesShader32(b.vertices, b.indices, b.shader, &ebiten.DrawTrianglesShaderOptions{
		Uniforms: map[string]any{"Unit": float32(b.unit)},
		Images:   [4]*ebiten.Image{atlas},
	})
	b.vertices, b.indices = b.vertices[:0], b.indices[:0]
}

// tint sets the colour of a vertex, premultiplied.
func tint(v ebiten.Vertex, c scene.Color) ebiten.Vertex {
	a := float32(c.A) / 255
	v.ColorR, v.ColorG, v.ColorB, v.ColorA = a*float32(c.R)/255, a*float32(c.G)/255, a*float32(c.B)/255, a
	return v
}

// rounded is a box with round corners by its middle, in device pixels; a circle, if the radius is half its side.
type rounded struct{ x, y, halfW, halfH, radius float64 }

// large is half the side of a box from which on its inside is drawn apart from its edges.
const large = 40

// figure adds a figure of a kind that the shader forms: box, hatch, cross or dots. A box with a line is its outline alone,
// inside the edge.
func (b *batch) figure(r rounded, k kind, line float64, c scene.Color) {
	if c.A == 0 || r.halfW <= 0 || r.halfH <= 0 {
		return
	}
	r.radius = math.Max(math.Min(r.radius, math.Min(r.halfW, r.halfH)), 0)
	v := tint(ebiten.Vertex{SrcX: float32(r.halfW), SrcY: float32(r.halfH), Custom2: float32(r.radius), Custom3: k.code(line)}, c)
	rim := math.Ceil(math.Max(r.radius, line)) + 1
	outerX, outerY, innerX, innerY := r.halfW+1, r.halfH+1, r.halfW-rim, r.halfH-rim
	if k != box || math.Min(innerX, innerY) < large {
		b.quad(v, r.x, r.y, span{-outerX, -outerY, outerX, outerY})
		return
	}
	// To ask of each pixel of a large panel how near the edge it is would cost a slow graphics processor most of its time.
	b.quad(v, r.x, r.y, span{-outerX, -outerY, outerX, -innerY})
	b.quad(v, r.x, r.y, span{-outerX, innerY, outerX, outerY})
	b.quad(v, r.x, r.y, span{-outerX, -innerY, -innerX, innerY})
	b.quad(v, r.x, r.y, span{innerX, -innerY, outerX, innerY})
	if line == 0 {
		b.solid(r.x, r.y, span{-innerX, -innerY, innerX, innerY}, c)
	}
}

// solid adds a box without looking at its edges.
func (b *batch) solid(x, y float64, s span, c scene.Color) {
	first := uint32(len(b.vertices))
	b.point(x+s.left, y+s.top, 1, c)
	b.point(x+s.right, y+s.top, 1, c)
	b.point(x+s.right, y+s.bottom, 1, c)
	b.point(x+s.left, y+s.bottom, 1, c)
	b.indices = append(b.indices, first, first+1, first+2, first, first+2, first+3)
}

// arc adds a part of a circle: from the turn start by sweep, as wide as line, or the whole slice if line is 0.
func (b *batch) arc(x, y, radius, start, sweep, line float64, c scene.Color) {
	if c.A == 0 || radius <= 0 || sweep == 0 {
		return
	}
	v := tint(ebiten.Vertex{Custom2: float32(radius), Custom3: arc.code(line)}, c)
	v.SrcX = float32(2 * math.Pi * (start + sweep/2))
	v.SrcY = float32(math.Pi * math.Abs(sweep))
	reach := radius + line/2 + 1
	b.quad(v, x, y, span{-reach, -reach, reach, reach})
}

// span is a part of a figure, from its middle.
type span struct{ left, top, right, bottom float64 }

// quad adds four copies of v around a part of the figure in the middle of x, y, each with its place.
func (b *batch) quad(v ebiten.Vertex, x, y float64, s span) {
	first := uint32(len(b.vertices))
	for _, corner := range [4][2]float64{{s.left, s.top}, {s.right, s.top}, {s.right, s.bottom}, {s.left, s.bottom}} {
		v.DstX, v.DstY = float32(x+corner[0]), float32(y+corner[1])
		v.Custom0, v.Custom1 = float32(corner[0]), float32(corner[1])
		b.vertices = append(b.vertices, v)
	}
	b.indices = append(b.indices, first, first+1, first+2, first, first+2, first+3)
}

// picture adds the part of the atlas at src to dst, one pixel to one.
func (b *batch) picture(src image.Rectangle, dst image.Point, c scene.Color) {
	first := uint32(len(b.vertices))
	v := tint(ebiten.Vertex{Custom3: glyph.code(0)}, c)
	for _, corner := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		dx, dy := corner[0]*src.Dx(), corner[1]*src.Dy()
		v.DstX, v.DstY = float32(dst.X+dx), float32(dst.Y+dy)
		v.SrcX, v.SrcY = float32(src.Min.X+dx), float32(src.Min.Y+dy)
		b.vertices = append(b.vertices, v)
	}
	b.indices = append(b.indices, first, first+1, first+2, first, first+2, first+3)
}
