package svg

import (
	"fmt"
	"math"
	"strings"

	"groupscope/render/scene"
)

func (d *document) shapes(shapes []scene.Shape) {
	for i := range shapes {
		sh := &shapes[i]
		switch sh.Kind {
		case scene.Group:
			d.group(sh)
			continue // its kids are inside
		case scene.Text:
			d.text(sh)
		default:
			d.figure(sh)
		}
		d.shapes(sh.Kids)
	}
}

// group writes an element only where it says something.
func (d *document) group(sh *scene.Shape) {
	if !sh.Clip && sh.ID == "" && sh.Role == scene.NoRole && sh.Tip == "" {
		d.shapes(sh.Kids)
		return
	}
	clip := ""
	if sh.Clip {
		clip = d.clip(sh)
	}
	d.open("g")
	if clip != "" {
		d.attr("clip-path", "url(#"+clip+")")
	}
	d.meaning(sh)
	d.WriteString(">")
	if sh.Tip != "" {
		d.title(sh.Tip)
	}
	d.WriteString("\n")
	d.shapes(sh.Kids)
	d.close("g")
}

// clip defines the clip of a group and gives its id. Ids are made from what they stand for, so that several documents in
// one page do not disturb each other.
func (d *document) clip(sh *scene.Shape) string {
	box := scene.Bounds(sh)
	id := "clip" + joined(box.X, box.Y, box.W, box.H)
	if !d.known[id] {
		d.known[id] = true
		d.open("clipPath")
		d.attr("id", id)
		d.WriteString(">")
		d.open("rect")
		d.number("x", box.X)
		d.number("y", box.Y)
		d.number("width", box.W)
		d.number("height", box.H)
		d.WriteString("/>")
		d.close("clipPath")
	}
	return id
}

func joined(values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString("_" + decimal(v))
	}
	return b.String()
}

// figure writes a shape that is neither a group nor a text: its fill, then its pattern, then its outline. They are one
// element where one can say it all.
func (d *document) figure(sh *scene.Shape) {
	patterned := sh.Pattern != scene.Plain && sh.Stroke.A > 0 && (sh.Kind == scene.Rect || sh.Kind == scene.Circle)
	slice := sh.Kind == scene.Arc && sh.Fill.A > 0
	if !patterned && !slice {
		d.drawn(sh, sh.Fill)
		return
	}
	tag := outline(sh, 0)
	if slice {
		tag = element{"path", [][2]string{{"d", arcPath(sh) + fmt.Sprintf(" L%s,%s Z", decimal(sh.X), decimal(sh.Y))}}}
	}
	if sh.Fill.A > 0 {
		d.open(tag.name)
		d.write(tag.attrs)
		d.paint("fill", sh.Fill)
		d.endEmpty()
	}
	if patterned {
		id := d.pattern(sh)
		d.open(tag.name)
		d.write(tag.attrs)
		d.attr("fill", "url(#"+id+")")
		d.endEmpty()
	}
	d.drawn(sh, scene.Color{})
}

// drawn writes a shape with that fill, its outline and its meaning.
func (d *document) drawn(sh *scene.Shape, fill scene.Color) {
	outlined := sh.Stroke.A > 0 && sh.StrokeWidth > 0
	inset := 0.0
	if outlined {
		inset = sh.StrokeWidth / 2
	}
	tag := outline(sh, inset)
	d.open(tag.name)
	d.write(tag.attrs)
	d.paint("fill", fill)
	if outlined {
		d.paint("stroke", sh.Stroke)
		d.number("stroke-width", sh.StrokeWidth)
		if len(sh.Dash) > 0 {
			d.attr("stroke-dasharray", strings.TrimPrefix(strings.ReplaceAll(joined(sh.Dash...), "_", " "), " "))
		}
	}
	d.meaning(sh)
	d.end(tag.name, sh)
}

// element is a tag and the attributes that give its form.
type element struct {
	name  string
	attrs [][2]string
}

func (d *document) write(attrs [][2]string) {
	for _, a := range attrs {
		d.attr(a[0], a[1])
	}
}

// outline gives the form of a shape. The outline of a rectangle lies inside its box: inset is half its width.
func outline(sh *scene.Shape, inset float64) element {
	switch sh.Kind {
	case scene.Rect:
		attrs := [][2]string{
			{"x", decimal(sh.X + inset)}, {"y", decimal(sh.Y + inset)},
			{"width", decimal(math.Max(sh.W-2*inset, 0))}, {"height", decimal(math.Max(sh.H-2*inset, 0))},
		}
		if sh.Radius > 0 {
			attrs = append(attrs, [2]string{"rx", decimal(math.Max(sh.Radius-inset, 0))})
		}
		return element{"rect", attrs}
	case scene.Circle:
		return circle(sh)
	case scene.Arc:
		if math.Abs(sh.Sweep) >= 1 {
			return circle(sh)
		}
		return element{"path", [][2]string{{"d", arcPath(sh)}}}
	case scene.Polygon:
		return element{"polygon", [][2]string{{"points", pairs(sh.Points)}}}
	case scene.Curve:
		return element{"path", [][2]string{{"d", curvePath(sh.Points)}}}
	}
	return element{"polyline", [][2]string{{"points", pairs(sh.Points)}}}
}

func circle(sh *scene.Shape) element {
	return element{"circle", [][2]string{{"cx", decimal(sh.X)}, {"cy", decimal(sh.Y)}, {"r", decimal(sh.Radius)}}}
}

func pairs(points []scene.Point) string {
	var b strings.Builder
	for i, p := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(decimal(p.X) + "," + decimal(p.Y))
	}
	return b.String()
}

func curvePath(points []scene.Point) string {
	if len(points) < 4 {
		return ""
	}
	whole := (len(points)-1)/3*3 + 1
	return "M" + pairs(points[:1]) + " C" + pairs(points[1:whole])
}

func arcPath(sh *scene.Shape) string {
	from, to := sh.OnArc(0), sh.OnArc(1)
	large, clockwise := 0, 1
	if math.Abs(sh.Sweep) > 0.5 {
		large = 1
	}
	if sh.Sweep < 0 {
		clockwise = 0
	}
	r := decimal(sh.Radius)
	return fmt.Sprintf("M%s A%s,%s 0 %d %d %s", pairs([]scene.Point{from}), r, r, large, clockwise, pairs([]scene.Point{to}))
}

func (d *document) text(sh *scene.Shape) {
	if sh.Fill.A == 0 || sh.Text == "" {
		return
	}
	d.open("text")
	d.number("x", sh.X)
	d.number("y", sh.Y)
	if sh.Font.Face == scene.Mono {
		d.attr("font-family", monoFamily)
	}
	d.number("font-size", sh.Font.Size)
	if sh.Font.Bold {
		d.attr("font-weight", "700")
	}
	switch sh.Align {
	case scene.Center:
		d.attr("text-anchor", "middle")
	case scene.Right:
		d.attr("text-anchor", "end")
	}
	d.paint("fill", sh.Fill)
	// The width is given, so that the layout holds where another font stands in.
	d.number("textLength", scene.Width(sh.Font, sh.Text))
	d.attr("lengthAdjust", "spacingAndGlyphs")
	d.attr("xml:space", "preserve")
	d.meaning(sh)
	d.WriteString(">")
	if sh.Tip != "" {
		d.title(sh.Tip)
	}
	d.escape(sh.Text)
	d.close("text")
}

// pattern defines the pattern of a shape, which starts at the corner of its box, and gives its id.
func (d *document) pattern(sh *scene.Shape) string {
	box := scene.Bounds(sh)
	x, y := math.Mod(box.X, scene.PatternStep), math.Mod(box.Y, scene.PatternStep)
	c := sh.Stroke
	id := fmt.Sprintf("pattern%d_%02x%02x%02x%02x%s", sh.Pattern, c.R, c.G, c.B, c.A, joined(x, y))
	if d.known[id] {
		return id
	}
	d.known[id] = true
	d.open("pattern")
	d.attr("id", id)
	d.number("x", x)
	d.number("y", y)
	d.number("width", scene.PatternStep)
	d.number("height", scene.PatternStep)
	d.attr("patternUnits", "userSpaceOnUse")
	d.WriteString(">")
	c.A = uint8(float64(c.A) * scene.PatternStrength)
	if sh.Pattern == scene.Dots {
		d.open("circle")
		d.number("cx", scene.PatternStep/2)
		d.number("cy", scene.PatternStep/2)
		d.number("r", scene.DotRadius)
		d.paint("fill", c)
	} else {
		d.open("path")
		d.attr("d", hatchPath(sh.Pattern))
		d.paint("stroke", c)
		d.number("stroke-width", scene.HatchWidth)
	}
	d.WriteString("/>")
	d.close("pattern")
	return id
}

// hatchPath draws the lines of one tile; they go over its corners, so that the tiles join.
func hatchPath(p scene.Pattern) string {
	const s = scene.PatternStep
	rising := fmt.Sprintf("M-1,1 L1,-1 M0,%v L%v,0 M%v,%v L%v,%v", s, s, s-1, s+1, s+1, s-1)
	if p == scene.Hatch {
		return rising
	}
	return rising + fmt.Sprintf(" M-1,%v L1,%v M0,0 L%v,%v M%v,-1 L%v,1", s-1, s+1, s, s, s-1, s+1)
}
