package app

import (
	"math"

	"groupscope/render/scene"
	"groupscope/render/stage"
)

// Sample is where the pointer is at one moment, in device-independent pixels.
type Sample struct {
	X, Y  float64
	Down  bool // the button is pressed, or the finger is on the screen
	Touch bool // it is a finger
}

// pointer makes actions of where the pointer goes: a press and a release on the same shape is a click, a press on a slider
// takes hold of it, a finger that moves elsewhere scrolls what is under it, and sideways steps through the lesson; the sequence goes
// along with either.
type pointer struct {
	pressed string      // the id of what the press was on; "" for nothing
	held    scene.Shape // the slider in hand; no ID: none
	below   scene.Shape // the slider below what the press was on: moving away takes hold of it
	start   Sample      // of the press
	last    Sample
	moved   bool // away from the press
	dragged bool // the sequence, which went along
}

// slack is how far the pointer may slip, in pixels, and still click.
const slack = 8

// feed takes the next sample and has the player do what it asks for.
func (p *pointer) feed(player *Player, now Sample) {
	switch {
	case now.Down && !p.last.Down:
		p.press(player, now)
	case now.Down:
		p.drag(player, now)
	case p.last.Down:
		p.release(player, now)
	}
	p.last = now
}

func (p *pointer) press(player *Player, now Sample) {
	*p = pointer{start: now, last: p.last}
	picture := player.Scene()
	hit := scene.Hit(picture, now.X, now.Y)
	if hit == nil || hit.State.Disabled {
		return
	}
	p.pressed = hit.ID
	if hit.Role == scene.Slider {
		p.held = *hit
		player.Do(slide(&p.held, now.X))
		return
	}
	p.below = sliderAt(picture, scene.Point{X: now.X, Y: now.Y})
}

// sliderAt finds a slider at a point, whatever lies over it; a shape without ID if there is none.
func sliderAt(s *scene.Scene, at scene.Point) (found scene.Shape) {
	scene.Walk(s, func(shape *scene.Shape) bool {
		if shape.Role == scene.Slider && scene.Bounds(shape).Has(at) {
			found = *shape
		}
		return true
	})
	return found
}

func (p *pointer) drag(player *Player, now Sample) {
	if math.Hypot(now.X-p.start.X, now.Y-p.start.Y) > slack {
		p.moved = true
		if p.held.ID == "" {
			p.held = p.below
		}
	}
	switch {
	case p.held.ID != "":
		player.Do(slide(&p.held, now.X))
	case p.moved:
		p.dragged = player.Drag(p.start.X, p.start.Y, p.last.X-now.X) || p.dragged
		if now.Touch {
			player.Scroll(p.start.X, p.start.Y, p.last.Y-now.Y)
		}
	}
}

func (p *pointer) release(player *Player, now Sample) {
	if p.held.ID == "" && p.moved && now.Touch && !p.dragged {
		p.swipe(player, now)
		return
	}
	if p.held.ID != "" || p.pressed == "" || p.dragged {
		return
	}
	hit := scene.Hit(player.Scene(), now.X, now.Y)
	if hit == nil || hit.ID != p.pressed {
		return
	}
	if hit.Value.Max > hit.Value.Min {
		player.Do(slide(hit, now.X)) // what has a range is clicked at a place in it
		return
	}
	player.Do(hit.Action)
}

// A swipe goes at least so many pixels, and so many times as far sideways as up or down.
const (
	swipeLength = 48
	swipeSlant  = 2
)

// swipe steps on when a finger has gone to the left, and back to the right: over the narration by beats, over the picture by events.
func (p *pointer) swipe(player *Player, now Sample) {
	dx, dy := now.X-p.start.X, now.Y-p.start.Y
	if math.Abs(dx) < swipeLength || math.Abs(dx) < swipeSlant*math.Abs(dy) {
		return
	}
	ways := map[string][2]string{"narration": {stage.NextBeat, stage.PrevBeat}, "picture": {stage.Step, stage.Back}}
	way, ok := ways[player.paneAt(p.start.X, p.start.Y)]
	switch {
	case !ok:
	case dx < 0:
		player.Do(scene.Action{Do: way[0]})
	default:
		player.Do(scene.Action{Do: way[1]})
	}
}

// slide is the action that puts a slider's knob below a place on the screen.
func slide(s *scene.Shape, x float64) scene.Action {
	share := min(max(0, (x-s.X)/s.W), 1)
	action := s.Action
	action.N = s.Value.Min + share*(s.Value.Max-s.Value.Min)
	return action
}
