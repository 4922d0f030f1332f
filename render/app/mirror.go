package app

import (
	"math"
	"slices"

	"groupscope/render/scene"
)

// Element is a shape as the page mirrors it: what a keyboard or a screen reader needs to know of it. Its box is in whole
// pixels, so that a shape that glides by less is no difference.
type Element struct {
	ID       string     `json:"id"`
	Role     scene.Role `json:"role"`
	Label    string     `json:"label"`
	X        int        `json:"x"`
	Y        int        `json:"y"`
	W        int        `json:"w"`
	H        int        `json:"h"`
	Focus    bool       `json:"focus,omitempty"` // can be reached with the Tab key
	Pressed  bool       `json:"pressed,omitempty"`
	Selected bool       `json:"selected,omitempty"`
	Disabled bool       `json:"disabled,omitempty"`
	Min      float64    `json:"min"`
	Max      float64    `json:"max"`
	Now      float64    `json:"now"`
	Text     string     `json:"text,omitempty"`
}

// MirrorChange is what differs between two pictures: elements that are new or look different, ids that have gone, and the
// order of all, nil while it stays.
type MirrorChange struct {
	Set   []Element `json:"set,omitempty"`
	Drop  []string  `json:"drop,omitempty"`
	Order []string  `json:"order,omitempty"`
	Focus string    `json:"focus,omitempty"` // the element that has got the focus by a key of the program's own
}

// Empty reports whether nothing differs.
func (c MirrorChange) Empty() bool {
	return len(c.Set) == 0 && len(c.Drop) == 0 && c.Order == nil && c.Focus == ""
}

// Mirror remembers what the page has. The zero Mirror is an empty page.
type Mirror struct {
	order    []string
	elements map[string]Element
	link     string // the arrow of the sequence that has the focus
}

// Show returns what the page must change to mirror the scene.
func (m *Mirror) Show(s *scene.Scene) MirrorChange {
	var change MirrorChange
	elements := map[string]Element{}
	var order []string
	for _, e := range elementsOf(s) {
		if _, twice := elements[e.ID]; twice {
			continue
		}
		elements[e.ID] = e
		order = append(order, e.ID)
		if old, known := m.elements[e.ID]; !known || old != e {
			change.Set = append(change.Set, e)
		}
	}
	for _, id := range m.order {
		if _, still := elements[id]; !still {
			change.Drop = append(change.Drop, id)
		}
	}
	if !slices.Equal(order, m.order) {
		change.Order = order
	}
	if link := focusedLink(s); link != m.link {
		change.Focus, m.link = link, link
	}
	m.elements, m.order = elements, order
	return change
}

// focusedLink is the link that has the focus: the program moves it, since the others are no elements.
func focusedLink(s *scene.Scene) string {
	id := ""
	scene.Walk(dialogOf(s), func(shape *scene.Shape) bool {
		if shape.Role == scene.Link && shape.State.Focused {
			id = shape.ID
		}
		return true
	})
	return id
}

// elementsOf lists the elements in the order of the picture; those that take the focus have the order of the Tab key
// among themselves. An open dialog is all there is.
func elementsOf(s *scene.Scene) []Element {
	var elements []Element
	var places []int // in elements, of those that take the focus
	var focused []scene.Shape
	scene.Walk(dialogOf(s), func(shape *scene.Shape) bool {
		if shape.Role == scene.NoRole || shape.ID == "" {
			return true
		}
		if shape.Focus > 0 {
			places = append(places, len(elements))
			focused = append(focused, *shape)
		}
		elements = append(elements, elementOf(shape))
		return true
	})
	slices.SortStableFunc(focused, func(a, b scene.Shape) int { return a.Focus - b.Focus })
	for i, place := range places {
		elements[place] = elementOf(&focused[i])
	}
	return elements
}

// dialogOf is the dialog that lies over a scene, as a scene of its own; without one it is the scene itself.
func dialogOf(s *scene.Scene) *scene.Scene {
	dialog := s
	scene.Walk(s, func(shape *scene.Shape) bool {
		if shape.Role == scene.Dialog {
			dialog = &scene.Scene{Width: s.Width, Height: s.Height, Shapes: []scene.Shape{*shape}}
		}
		return true
	})
	return dialog
}

func elementOf(s *scene.Shape) Element {
	box := scene.Bounds(s)
	return Element{
		ID: s.ID, Role: s.Role, Label: s.Label,
		X: whole(box.X), Y: whole(box.Y), W: whole(box.W), H: whole(box.H),
		Focus: s.Focus > 0, Pressed: s.State.Pressed, Selected: s.State.Selected, Disabled: s.State.Disabled,
		Min: s.Value.Min, Max: s.Value.Max, Now: s.Value.Now, Text: s.Value.Text,
	}
}

func whole(x float64) int { return int(math.Round(x)) }
