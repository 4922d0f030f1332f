package app

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/export"
	"groupscope/render/fonts"
	"groupscope/render/paint"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// Host is what a program runs in: a page, or a window.
type Host interface {
	// WantHan is told once, when a text first needs the Chinese font and it is not there.
	WantHan()
	// Save keeps a file for the person, and Copy a link on the clipboard.
	Save(file export.File)
	Copy(link string)
	// SavePicture keeps what is on screen as a PNG file.
	SavePicture(name string)
	// Drawn is told after a frame in which the picture changed, or began or ceased to move by itself.
	Drawn(p *Player)
}

// Game shows a player with Ebitengine. It steps the player by the clock, never by ticks, and draws only what changed.
type Game struct {
	player  *Player
	host    Host
	pointer pointer
	window  window

	width, height float64 // of the screen, in device-independent pixels
	scale         float64 // device pixels to one of them
	shown         int     // the version of the picture on screen; 0 asks for a new one
	busy          bool    // the picture on screen moves by itself
	updated       time.Time
	wantedHan     bool
	noHan         atomic.Bool

	mutex  sync.Mutex
	queued []func()
}

// NewGame returns a game that shows the player.
func NewGame(player *Player, host Host) *Game {
	player.host = host
	return &Game{player: player, host: host, scale: 1}
}

// Player is the player that the game shows.
func (g *Game) Player() *Player { return g.player }

// Queue has something done before the next picture. It may be called from anywhere and does not block.
func (g *Game) Queue(do func()) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.queued = append(g.queued, do)
}

func (g *Game) drain() {
	g.mutex.Lock()
	queued := g.queued
	g.queued = nil
	g.mutex.Unlock()
	for _, do := range queued {
		do()
	}
}

// longestStep bounds the time of one update: after a pause in the background a lesson goes on where it was.
const longestStep = 100 * time.Millisecond

// Update implements ebiten.Game.
func (g *Game) Update() error {
	now := time.Now()
	dt := min(now.Sub(g.updated), longestStep)
	g.updated = now
	if g.waitsForHan() {
		return nil
	}
	g.player.Resize(g.width, g.height)
	g.readWindow()
	g.drain()
	if g.busy {
		g.player.Advance(dt)
	}
	return nil
}

// waitsForHan reports whether the Chinese font is needed and not there: the picture before stays until it is, and input
// waits. The host says when it has the font, or that there is none.
func (g *Game) waitsForHan() bool {
	if g.player.Session().Lang != "zh" || fonts.HasHan() || g.noHan.Load() {
		return false
	}
	if !g.wantedHan {
		g.wantedHan = true
		g.host.WantHan()
	}
	return true
}

// NoHan has Chinese drawn without its font, since it cannot be had.
func (g *Game) NoHan() { g.noHan.Store(true) }

// Draw implements ebiten.Game. Without a change it draws nothing, and Ebitengine shows the picture before.
func (g *Game) Draw(screen *ebiten.Image) {
	version, busy := g.player.Version(), g.player.Busy()
	if version == g.shown && busy == g.busy || g.waitsForHan() {
		return
	}
	paint.Draw(screen, g.player.Scene(), g.scale)
	g.shown, g.busy = version, busy
	g.host.Drawn(g.player)
}

// LayoutF implements ebiten.LayoutFer: the picture has a pixel for each of the device.
func (g *Game) LayoutF(width, height float64) (float64, float64) {
	scale := ebiten.Monitor().DeviceScaleFactor()
	if width != g.width || height != g.height || scale != g.scale {
		g.width, g.height, g.scale = width, height, scale
		g.shown = 0
	}
	return width * scale, height * scale
}

// Layout implements ebiten.Game; Ebitengine calls LayoutF instead.
func (g *Game) Layout(int, int) (int, int) { panic("unreachable: LayoutF is there") }

// Pointer takes a place of the mouse or a finger.
func (g *Game) Pointer(now Sample) {
	g.Queue(func() {
		g.pointer.feed(g.player, now)
		if !now.Touch && !now.Down {
			g.hover(now)
		}
	})
}

// hover marks what the mouse is over.
func (g *Game) hover(now Sample) {
	id, cursor := "", ebiten.CursorShapeDefault
	if hit := scene.Hit(g.player.Scene(), now.X, now.Y); hit != nil {
		id = hit.ID
		if hit.Action != (scene.Action{}) && !hit.State.Disabled {
			cursor = ebiten.CursorShapePointer
		}
	}
	ebiten.SetCursorShape(cursor)
	if id != g.player.Session().Hovered {
		g.player.Do(scene.Action{Do: stage.Hover, Arg: id})
	}
}

// Menu shows what can be done to the thing at a place. The press that asked for it does nothing more.
func (g *Game) Menu(x, y float64) {
	g.Queue(func() {
		g.pointer = pointer{last: g.pointer.last}
		g.player.Menu(x, y)
	})
}

// Wheel scrolls or zooms what is at a place, by so many pixels to the right and downwards.
func (g *Game) Wheel(x, y, across, down float64) {
	g.Queue(func() { g.player.Wheel(x, y, across, down) })
}

// Key presses a key by its name in the terms of a browser (KeyboardEvent.key). It reports whether the key does anything.
func (g *Game) Key(name string) bool {
	action, ok := stage.KeyAction(name)
	if ok {
		g.Queue(func() { g.player.Press(action) })
	}
	return ok
}

// Act carries out an action.
func (g *Game) Act(action scene.Action) {
	g.Queue(func() { g.player.Do(action) })
}

// Press does what a click on the shape does.
func (g *Game) Press(id string) {
	g.Queue(func() {
		if shape := scene.Find(g.player.Scene(), id); shape != nil && !shape.State.Disabled {
			g.player.Do(shape.Action)
		}
	})
}

// Slide puts a slider's knob at a value.
func (g *Game) Slide(id string, value float64) {
	g.Queue(func() {
		shape := scene.Find(g.player.Scene(), id)
		if shape == nil || shape.Role != scene.Slider {
			return
		}
		action := shape.Action
		action.N = value
		g.player.Do(action)
	})
}

// Type says what is now written in a field.
func (g *Game) Type(id, text string) {
	g.Queue(func() {
		if shape := scene.Find(g.player.Scene(), id); shape != nil && shape.Role == scene.Textbox {
			g.player.Type(shape, text)
		}
	})
}

// Focus marks the shape that the keyboard is on; "" for none.
func (g *Game) Focus(id string) { g.Act(scene.Action{Do: stage.Focus, Arg: id}) }

// Run opens the screen for a game and returns when it is closed.
func Run(game ebiten.Game) error {
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	return ebiten.RunGameWithOptions(game, &ebiten.RunGameOptions{InitUnfocused: inPage})
}
