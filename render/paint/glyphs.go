package paint

import (
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"golang.org/x/image/vector"

	"groupscope/render/fonts"
)

// The atlas holds all glyphs in use: some 3000 of a usual size on a screen with two device pixels to one.
const (
	atlasWidth  = 2048
	atlasHeight = 1024
	gap         = 1 // between neighbours in the atlas
)

// steps is how many places within a pixel a glyph may start at: letters stand where they should, at a quarter of a pixel.
const steps = 4

// glyphKey tells drawn glyphs apart. Size is in device pixels.
type glyphKey struct {
	glyph fonts.Glyph
	size  float32
	step  uint8
}

// drawn is a glyph in the atlas; offset leads from the whole pixel of its origin to the corner of its picture.
type drawn struct {
	src    image.Rectangle // empty: nothing to draw, as for a blank
	offset image.Point
}

// glyphs draws outlines once and keeps them in rows in an atlas.
type glyphs struct {
	atlas   *ebiten.Image
	known   map[glyphKey]drawn
	x, y    int // where the next one goes
	rowH    int
	outline []fonts.Segment
	raster  vector.Rasterizer
	mask    *image.Alpha
	pixels  []byte
}

func (g *glyphs) prepare() {
	if g.atlas == nil {
		g.atlas = ebiten.NewImageWithOptions(image.Rect(0, 0, atlasWidth, atlasHeight), &ebiten.NewImageOptions{Unmanaged: true})
		g.known = map[glyphKey]drawn{}
	}
}

// get finds a glyph, or draws it. It is false if the atlas is full: then reset it, once what refers to it is drawn.
func (g *glyphs) get(key glyphKey) (drawn, bool) {
	if d, ok := g.known[key]; ok {
		return d, true
	}
	g.outline = key.glyph.Outline(g.outline[:0])
	shift := float64(key.step) / steps
	bounds := pixelBounds(g.outline, float64(key.size), shift)
	if bounds.Empty() || bounds.Dx() > atlasWidth || bounds.Dy() > atlasHeight {
		g.known[key] = drawn{}
		return drawn{}, true
	}
	at, ok := g.place(bounds.Size())
	if !ok {
		return drawn{}, false
	}
	g.rasterize(bounds, float64(key.size), shift)
	d := drawn{src: image.Rectangle{Min: at, Max: at.Add(bounds.Size())}, offset: bounds.Min}
	g.atlas.SubImage(d.src).(*ebiten.Image).WritePixels(g.pixels)
	g.known[key] = d
	return d, true
}

// reset forgets every glyph.
func (g *glyphs) reset() {
	clear(g.known)
	g.x, g.y, g.rowH = 0, 0, 0
	g.atlas.Clear()
}

func (g *glyphs) place(size image.Point) (image.Point, bool) {
	if g.x+size.X > atlasWidth {
		g.x, g.y, g.rowH = 0, g.y+g.rowH+gap, 0
	}
	if g.y+size.Y > atlasHeight {
		return image.Point{}, false
	}
	at := image.Pt(g.x, g.y)
	g.x += size.X + gap
	g.rowH = max(g.rowH, size.Y)
	return at, true
}

// pixelBounds is the box of whole pixels around an outline whose origin is shift right of a whole pixel.
func pixelBounds(outline []fonts.Segment, size, shift float64) image.Rectangle {
	if len(outline) == 0 {
		return image.Rectangle{}
	}
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	grow := func(x, y float64) {
		minX, maxX = math.Min(minX, x), math.Max(maxX, x)
		minY, maxY = math.Min(minY, y), math.Max(maxY, y)
	}
	for _, s := range outline {
		grow(s.X, s.Y)
		if s.Op == fonts.QuadTo {
			grow(s.CX, s.CY)
		}
	}
	return image.Rect(
		int(math.Floor(minX*size+shift)), int(math.Floor(minY*size)),
		int(math.Ceil(maxX*size+shift)), int(math.Ceil(maxY*size)))
}

// rasterize fills pixels with the outline in white, premultiplied.
func (g *glyphs) rasterize(bounds image.Rectangle, size, shift float64) {
	w, h := bounds.Dx(), bounds.Dy()
	g.raster.Reset(w, h)
	at := func(x, y float64) (float32, float32) {
		return float32(x*size + shift - float64(bounds.Min.X)), float32(y*size - float64(bounds.Min.Y))
	}
	for _, s := range g.outline {
		x, y := at(s.X, s.Y)
		switch s.Op {
		case fonts.MoveTo:
			g.raster.ClosePath()
			g.raster.MoveTo(x, y)
		case fonts.LineTo:
			g.raster.LineTo(x, y)
		case fonts.QuadTo:
			cx, cy := at(s.CX, s.CY)
			g.raster.QuadTo(cx, cy, x, y)
		}
	}
	g.raster.ClosePath()
	if g.mask == nil || len(g.mask.Pix) < w*h {
		g.mask = image.NewAlpha(image.Rect(0, 0, w, h))
	}
	mask := &image.Alpha{Pix: g.mask.Pix[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	clear(mask.Pix)
	g.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	g.pixels = g.pixels[:0]
	for _, a := range mask.Pix {
		g.pixels = append(g.pixels, a, a, a, a)
	}
}
