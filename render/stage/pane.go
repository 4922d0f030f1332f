package stage

import (
	"groupscope/render/scene"
)

// PanePrefix begins the ids of the panes: a clipped group whose id is PanePrefix and a name can be scrolled by
// the action Scroll with that name.
const PanePrefix = "pane:"

// scrolled is how far a pane is scrolled down, within what its content allows.
func (p *pen) scrolled(name string, content, visible float64) float64 {
	return clamp(p.in.standsAt(name), 0, p.in.limit(name, content-visible))
}

// standsAt is how far a pane is scrolled by somebody or, while nobody has, by itself.
func (in *input) standsAt(name string) float64 {
	if at, ok := in.session.Scroll[name]; ok {
		return at
	}
	return in.rests[name]
}

// limit notes how far a pane can be scrolled.
func (in *input) limit(name string, by float64) float64 {
	in.limits[name] = max(0, by)
	return in.limits[name]
}

// pane draws content that may be taller than its box: clipped, and with a bar at its right edge that shows how
// much there is. The content is drawn at its scrolled place already.
func (p *pen) pane(name, label string, b box, content float64, draw func(*pen)) {
	clip := scene.Box{X: b.X - 6, Y: b.Y - 5, W: b.W + 12, H: b.H + 10}
	inner := &pen{in: p.in, focus: p.focus}
	draw(inner)
	scrolls := content > b.H+0.5
	if scrolls {
		inner.shapes = prune(inner.shapes, clip)
	}
	p.add(scene.Shape{
		X: clip.X, Y: clip.Y, W: clip.W, H: clip.H, Clip: scrolls, ID: PanePrefix + name, Role: scene.Region, Label: label,
		Kids: inner.shapes,
	})
	if !scrolls {
		return
	}
	share, at := b.H/content, p.scrolled(name, content, b.H)/content
	p.area(box{b.right() + 6, b.Y + at*b.H, 4, share * b.H}, 2, p.in.theme.muted)
}

// prune leaves out what a pane does not show: figures outside of it, and what its edge would cut of lines of text and of
// groups that mean nothing by themselves. A
// control that is out of sight stays, without its figures, at the pane's edge: the keyboard can still reach it.
func prune(shapes []scene.Shape, clip scene.Box) []scene.Shape {
	kept := shapes[:0]
	for _, sh := range shapes {
		bounds := scene.Bounds(&sh)
		seen := !bounds.Grow(1).Meet(clip).Empty()
		switch {
		case sh.Kind == scene.Text || sh.Kind == scene.Group && sh.Role == scene.NoRole:
			seen = clip.Holds(bounds)
		case sh.Kind == scene.Group && seen:
			sh.Kids = prune(sh.Kids, clip)
		case sh.Kind == scene.Group && sh.Role != scene.NoRole:
			sh.Y, sh.H, sh.Kids = clamp(sh.Y, clip.Y, clip.Y+clip.H-1), 1, nil
			seen = true
		}
		if seen {
			kept = append(kept, sh)
		}
	}
	return kept
}
