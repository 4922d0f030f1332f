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
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonRight) {
		g.Menu(now.X, now.Y)
	}
	if across, down := ebiten.Wheel(); across != 0 || down != 0 {
		g.Wheel(now.X, now.Y, -across*wheelStep, -down*wheelStep)
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
	if field := textbox(g.player); field != nil {
		g.typeInto(field)
		return
	}
	for _, r := range ebiten.AppendInputChars(nil) {
		if r != ' ' {
			g.Key(string(r))
		}
	}
	for key, name := range keyNames {
		if pressed(key) {
			g.pressKey(name)
		}
	}
}

// pressed reports whether a key has just gone down, or repeats.
func pressed(key ebiten.Key) bool {
	held := inpututil.KeyPressDuration(key)
	return held == 1 || held > repeatAfter && (held-repeatAfter)%repeatEvery == 0
}

// textbox is the field that has the focus; nil for none.
func textbox(p *Player) *scene.Shape {
	if field := scene.Find(p.Scene(), p.Session().Focused); field != nil && field.Role == scene.Textbox {
		return field
	}
	return nil
}

// typeInto writes into a field what the keyboard writes. Keys that write nothing do what they always do, but for those that would
// step through the lesson.
func (g *Game) typeInto(field *scene.Shape) {
	text := field.Value.Text + string(ebiten.AppendInputChars(nil))
	if runes := []rune(text); pressed(ebiten.KeyBackspace) && len(runes) > 0 {
		text = string(runes[:len(runes)-1])
	}
	if text != field.Value.Text {
		g.Type(field.ID, text)
	}
	for _, key := range []ebiten.Key{ebiten.KeyEscape, ebiten.KeyTab, ebiten.KeyEnter} {
		if pressed(key) {
			g.pressKey(keyNames[key])
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

func (g *Game) pressKey(name string) {
	if name == "Tab" && ebiten.IsKeyPressed(ebiten.KeyShift) {
		name = "Shift+Tab"
	}
	if action, ok := focusKey(g.player, name); ok {
		g.Act(action)
		return
	}
	g.Key(name)
}

// optionKeys are what the arrow keys do while an option of a question or an arrow of the sequence has the focus.
var optionKeys = map[string]string{
	"ArrowRight": stage.FocusNext, "ArrowDown": stage.FocusNext, "ArrowLeft": stage.FocusPrev, "ArrowUp": stage.FocusPrev,
}

// focusKey does for a window what a browser does for a page: Tab moves the focus, Enter and Space press what has it, arrows
// go from option to option, and along the sequence. It reports whether the key is one of these.
func focusKey(p *Player, name string) (scene.Action, bool) {
	switch name {
	case "Tab":
		return scene.Action{Do: stage.FocusNext}, true
	case "Shift+Tab":
		return scene.Action{Do: stage.FocusPrev}, true
	case "Enter", " ":
		return scene.Action{Do: stage.Activate}, p.Session().Focused != "" && textbox(p) == nil
	}
	focused := scene.Find(p.Scene(), p.Session().Focused)
	if focused == nil || focused.Role != scene.Radio && focused.Role != scene.Link || optionKeys[name] == "" {
		return scene.Action{}, false
	}
	return scene.Action{Do: optionKeys[name], Arg: string(focused.Role)}, true
}
