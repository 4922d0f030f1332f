//go:build !js

package app

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"groupscope/render/scene"
	"groupscope/render/stage"
)

// inPage says that the program runs in a page, which must not lose the focus to it.
const inPage = false

// window is what was last read from a window's mouse, fingers and keys.
type window struct {
	mouse  Sample
	finger ebiten.TouchID
	touch  bool
	last   Sample // of the finger
}

// wheelStep is how far one notch of a wheel scrolls, in pixels.
const wheelStep = 48

// readWindow turns what happened in the window since the last update into input.
func (g *Game) readWindow() {
	g.readMouse()
	g.readFinger()
	g.readKeys()
}

func (g *Game) readMouse() {
	x, y := ebiten.CursorPosition()
	now := Sample{X: float64(x) / g.scale, Y: float64(y) / g.scale}
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
		now.Down = true
		g.Pointer(now) // even if it is up again by now
	}
	now.Down = ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	if now != g.window.mouse {
		g.Pointer(now)
		g.window.mouse = now
	}
	if _, notches := ebiten.Wheel(); notches != 0 {
		g.Wheel(now.X, now.Y, -notches*wheelStep)
	}
}

// readFinger follows the first finger; others are ignored while it is down.
func (g *Game) readFinger() {
	w := &g.window
	if !w.touch {
		if begun := inpututil.AppendJustPressedTouchIDs(nil); len(begun) > 0 {
			w.finger, w.touch = begun[0], true
		}
	}
	if !w.touch {
		return
	}
	if inpututil.IsTouchJustReleased(w.finger) {
		w.touch = false
		w.last.Down = false
		g.Pointer(w.last)
		return
	}
	x, y := ebiten.TouchPosition(w.finger)
	w.last = Sample{X: float64(x) / g.scale, Y: float64(y) / g.scale, Down: true, Touch: true}
	g.Pointer(w.last)
}

// A key held down repeats after a while, in updates.
const (
	repeatAfter = 24
	repeatEvery = 4
)

func (g *Game) readKeys() {
	if ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta) || ebiten.IsKeyPressed(ebiten.KeyAlt) {
		return
	}
	for _, r := range ebiten.AppendInputChars(nil) {
		if r != ' ' {
			g.Key(string(r))
		}
	}
	for key, name := range keyNames {
		held := inpututil.KeyPressDuration(key)
		if held == 1 || held > repeatAfter && (held-repeatAfter)%repeatEvery == 0 {
			g.pressKey(name)
		}
	}
}

// keyNames are the names in a browser's terms of the keys that write nothing.
var keyNames = map[ebiten.Key]string{
	ebiten.KeySpace: " ", ebiten.KeyEnter: "Enter", ebiten.KeyEscape: "Escape", ebiten.KeyTab: "Tab",
	ebiten.KeyArrowLeft: "ArrowLeft", ebiten.KeyArrowRight: "ArrowRight",
	ebiten.KeyArrowUp: "ArrowUp", ebiten.KeyArrowDown: "ArrowDown",
	ebiten.KeyHome: "Home", ebiten.KeyEnd: "End", ebiten.KeyPageUp: "PageUp", ebiten.KeyPageDown: "PageDown",
}

// pressKey does for a window what a browser does for a page: Tab moves the focus, Enter and Space press what has it.
func (g *Game) pressKey(name string) {
	focused := g.player.Session().Focused != ""
	switch {
	case name == "Tab" && ebiten.IsKeyPressed(ebiten.KeyShift):
		g.Act(scene.Action{Do: stage.FocusPrev})
	case name == "Tab":
		g.Act(scene.Action{Do: stage.FocusNext})
	case focused && (name == "Enter" || name == " "):
		g.Act(scene.Action{Do: stage.Activate})
	default:
		g.Key(name)
	}
}
