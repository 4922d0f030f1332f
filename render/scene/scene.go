// Package scene describes a picture as data: a tree of shapes in device-independent pixels. One scene has four readers:
// the painter, the SVG writer, the pointer, and the page's mirror for keyboards and screen readers.
package scene

// Scene is one picture.
type Scene struct {
	Width, Height float64
	Background    Color
	Shapes        []Shape // drawn in order, later ones on top
}

// Shape is one figure, or a group of them. Which fields matter depends on Kind.
type Shape struct {
	Kind Kind

	X, Y, W, H float64 // the box; for Text: X, Y is the left (or, by Align, centre or right) end of the baseline
	Radius     float64 // Rect: of the corners; Circle, Arc: of the circle around X, Y
	Points     []Point // Line, Polygon, and Curve (start, then two controls and an end for each piece)
	Start      float64 // Arc: where it begins, in turns clockwise from the top
	Sweep      float64 // Arc: how far it goes, in turns

	Text  string
	Font  Font
	Align Align

	Fill        Color   // zero: not filled. For Text: its colour. For Arc: that of the slice of the disc; the outline is the arc alone
	Stroke      Color   // zero: no outline
	StrokeWidth float64 // of the outline, which lies inside the box of a Rect, and halfway inside any other figure; 0: no outline
	Dash        []float64
	Pattern     Pattern // Rect, Circle: laid over the fill in Stroke's colour, so that colour is never alone

	Clip bool    // Group: nothing is drawn outside the box
	Kids []Shape // Group

	// What the shape means. A shape with a Role is known to pointer and mirror by its ID.
	ID     string
	Role   Role
	Label  string // accessible name
	Value  Value  // of a slider or a progress bar
	State  State
	Focus  int    // position in the order of the Tab key; 0: not reachable
	Action Action // what a click, or Enter, does; zero: nothing
	Tip    string // shown when the pointer rests
}

// Kind is the kind of a figure.
type Kind uint8

// The kinds of figures.
const (
	Group Kind = iota
	Rect
	Circle
	Arc
	Line    // a polyline, open
	Polygon // closed
	Curve   // cubic Bezier pieces, open
	Text    // one line; line breaking happens before
)

// Point is a place.
type Point struct{ X, Y float64 }

// Color is a colour with straight (not premultiplied) alpha. The zero Color draws nothing.
type Color struct{ R, G, B, A uint8 }

// Face is a typeface.
type Face uint8

// Sans is for words, Mono for code and numbers that must line up.
const (
	Sans Face = iota
	Mono
)

// Font is a face in a size (in device-independent pixels) and a weight.
type Font struct {
	Face Face
	Size float64
	Bold bool
}

// Align says which end of a text its X is.
type Align uint8

// The alignments of a text.
const (
	Left Align = iota
	Center
	Right
)

// Pattern tells areas apart without colour.
type Pattern uint8

// The patterns.
const (
	Plain Pattern = iota
	Hatch         // lines rising to the right
	CrossHatch
	Dots
)

// Role is what a shape is to somebody who cannot see it: an ARIA role.
type Role string

// The roles in use. The empty Role marks decoration.
const (
	NoRole   Role = ""
	Button   Role = "button"
	Slider   Role = "slider"
	Image    Role = "img"
	Heading  Role = "heading"
	Region   Role = "region"
	ListItem Role = "listitem"
	Note     Role = "note"
	Radio    Role = "radio"
	Link     Role = "link"
	Tab      Role = "tab"
	Dialog   Role = "dialog"
	Textbox  Role = "textbox" // Value.Text is what is written in it; its action takes the new text as Arg
	Status   Role = "status"  // announced when it changes
)

// Value is a slider's range and place.
type Value struct {
	Min, Max, Now float64
	Text          string // Now in words
}

// State is what may be true of a control.
type State struct {
	Pressed, Selected, Disabled, Focused, Hovered bool
}

// Action is something a person can ask for, as data: keyboard, pointer, page and links all emit the same ones. Do names
// it; Arg and N are its arguments. The zero Action asks for nothing.
type Action struct {
	Do  string
	Arg string
	N   float64
}
