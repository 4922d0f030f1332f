package scene

import (
	"fmt"

	"groupscope/render/fonts"
)

// PlacedText is a text that can be seen, where it can be seen, for tests of a layout.
type PlacedText struct {
	Text   string
	Owner  string // ID of the nearest shape above it that has one
	Box    Box    // of the whole text
	Within Box    // the nearest group above it that has a box, or the scene
	Shown  Box    // what the clips leave of Box
}

// Texts lists the visible texts of a scene in the order in which they are drawn.
func Texts(s *Scene) []PlacedText {
	whole := Box{W: s.Width, H: s.Height}
	return texts(nil, s.Shapes, surroundings{within: whole, clip: whole})
}

// surroundings is what a shape inherits from those above it.
type surroundings struct {
	owner        string
	within, clip Box
}

func texts(list []PlacedText, shapes []Shape, around surroundings) []PlacedText {
	for i := range shapes {
		sh := &shapes[i]
		here := around
		if sh.ID != "" {
			here.owner = sh.ID
		}
		switch sh.Kind {
		case Text:
			list = appendVisible(list, sh, here)
		case Group:
			if own := (Box{X: sh.X, Y: sh.Y, W: sh.W, H: sh.H}); !own.Empty() {
				here.within = own
			}
			if sh.Clip {
				here.clip = here.clip.Meet(Bounds(sh))
			}
		}
		list = texts(list, sh.Kids, here)
	}
	return list
}

func appendVisible(list []PlacedText, sh *Shape, around surroundings) []PlacedText {
	box := textBox(sh)
	shown := box.Meet(around.clip)
	if sh.Fill.A == 0 || shown.Empty() {
		return list
	}
	return append(list, PlacedText{Text: sh.Text, Owner: around.owner, Box: box, Within: around.within, Shown: shown})
}

func textBox(sh *Shape) Box {
	width := Width(sh.Font, sh.Text)
	heights := fonts.Heights(sh.Font.Style())
	top, bottom := heights.CapHeight*sh.Font.Size, heights.Descent*sh.Font.Size
	return Box{X: TextLeft(sh), Y: sh.Y - top, W: width, H: top + bottom}
}

// slack is by how much labels may touch before a reader would notice, in device-independent pixels.
const slack = 0.5

// Faults lists what is wrong with the texts of a picture, a sentence each: two that overlap, and one that leaves the box
// it stands in or is cut by a clip. A text that passes for another reason, such as a moving label, is left out by ignoring
// its owner.
func Faults(s *Scene, ignore func(owner string) bool) []string {
	var placed []PlacedText
	for _, p := range Texts(s) {
		if !ignore(p.Owner) {
			placed = append(placed, p)
		}
	}
	var faults []string
	for i, p := range placed {
		if in := p.Box.Grow(-slack); !p.Within.Holds(in) {
			faults = append(faults, fmt.Sprintf("%q of %q at %s leaves its box %s", p.Text, p.Owner, p.Box, p.Within))
		} else if !p.Shown.Holds(in) {
			faults = append(faults, fmt.Sprintf("%q of %q at %s is cut to %s", p.Text, p.Owner, p.Box, p.Shown))
		}
		for _, q := range placed[:i] {
			if !p.Shown.Grow(-slack).Meet(q.Shown.Grow(-slack)).Empty() {
				faults = append(faults, fmt.Sprintf("%q of %q at %s overlaps %q of %q at %s", q.Text, q.Owner, q.Box, p.Text, p.Owner, p.Box))
			}
		}
	}
	return faults
}

// String gives the corners, rounded to whole pixels.
func (b Box) String() string {
	return fmt.Sprintf("(%.0f,%.0f)-(%.0f,%.0f)", b.X, b.Y, b.X+b.W, b.Y+b.H)
}
