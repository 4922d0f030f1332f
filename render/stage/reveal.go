package stage

import "groupscope/render/scene"

// reveal scrolls a pane so that a shape that the keyboard reached is in view.
func (s *Stage) reveal(id string) bool {
	s.version++
	for i := range s.drawn().shapes {
		pane := &s.made.shapes[i]
		name, ok := paneName(pane)
		if !ok {
			continue
		}
		shape := scene.Find(&scene.Scene{Shapes: pane.Kids}, id)
		if shape == nil || shape.Kids != nil {
			continue
		}
		// The shape is out of sight and lies, without its figures, at the edge that it is beyond.
		by := pane.H * 0.7
		if shape.Y <= pane.Y+1 {
			by = -by
		}
		if s.scroll(name, by) {
			return s.reveal(id)
		}
	}
	return true
}

// paneName is the name of a pane that can be scrolled.
func paneName(sh *scene.Shape) (string, bool) {
	if !sh.Clip || len(sh.ID) <= len(PanePrefix) || sh.ID[:len(PanePrefix)] != PanePrefix {
		return "", false
	}
	return sh.ID[len(PanePrefix):], true
}
