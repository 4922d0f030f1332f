package paint

// The shader draws every figure: a batch is one list of triangles, and each vertex says what its figure is. That keeps a
// picture of thousands of figures to a handful of draw calls, and its edges smooth at every scale.
//
// A vertex carries in custom: the place in the figure, from its middle, in device pixels (x, y); its radius (z); and its
// kind and the width of its line (w; see code). In src it carries half the width and half the height of a box, the
// middle and the half of an arc's angle in radians clockwise from the top, or the place of a glyph in the atlas.
// The colour is premultiplied.
const shaderSource = `//kage:unit pixels

package main

var Unit float // device pixels in a device-independent one

const (
	Glyph = 0.0
	Box   = 1.0
	Hatch = 2.0
	Cross = 3.0
	Dots  = 4.0
	Arc   = 5.0
	Plain = 6.0
)

// cover is how much of a pixel lies inside an edge at a signed distance, negative inside.
func cover(distance float) float {
	return clamp(0.5-distance, 0, 1)
}

func box(p, half vec2, radius float) float {
	q := abs(p) - half + vec2(radius)
	return min(max(q.x, q.y), 0) + length(max(q, vec2(0))) - radius
}

func stripe(across float) float {
	step := PatternStep * Unit
	away := abs(across - step*floor(across/step+0.5)) * 0.70710678
	return clamp(HatchWidth*Unit/2+0.5-away, 0, 1)
}

func dot(p vec2) float {
	step := PatternStep * Unit
	return cover(length(p-step*(floor(p/step)+0.5)) - DotRadius*Unit)
}

// wedge is the signed distance from the two straight edges of an arc's angle.
func wedge(p vec2, middle, half float) float {
	ahead := p.x*sin(middle) - p.y*cos(middle)
	aside := abs(p.x*cos(middle) + p.y*sin(middle))
	if aside*sin(half)+ahead*cos(half) < 0 {
		if half > 1.5707963 {
			return -length(p)
		}
		return length(p)
	}
	return aside*cos(half) - ahead*sin(half)
}

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	kind := floor(custom.w / 4096)
	if kind == Glyph {
		return color * imageSrc0UnsafeAt(src).a
	}
	if kind == Plain {
		return color * custom.z
	}
	p := custom.xy
	radius := custom.z
	line := custom.w - kind*4096 - 1024
	size := src - imageSrc0Origin()
	if kind == Arc {
		rim := length(p) - radius
		shape := cover(rim)
		if line > 0 {
			shape = cover(rim-line/2) - cover(rim+line/2)
		}
		return color * shape * cover(wedge(p, size.x, size.y))
	}
	edge := box(p, size, radius)
	shape := cover(edge)
	if kind == Box {
		if line > 0 {
			shape -= cover(edge + line)
		}
		return color * shape
	}
	at := p + size
	mark := 0.0
	if kind == Dots {
		mark = dot(at)
	} else {
		mark = stripe(at.x + at.y)
		if kind == Cross {
			mark = max(mark, stripe(at.x-at.y))
		}
	}
	return color * shape * mark
}
`

// kind is what a vertex belongs to.
type kind float32

// The kinds, as the shader names them.
const (
	glyph kind = iota
	box
	hatch
	cross
	dots
	arc
	plain
)

// code packs a kind and the width of its line, which is below 3072, in one number. The 1024 keep the kind clear of what
// the graphics processor rounds.
func (k kind) code(line float64) float32 { return float32(k)*4096 + 1024 + float32(line) }
