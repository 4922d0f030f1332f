// Package painttest runs tests that need Ebitengine's drawing, which works inside a game's loop alone.
package painttest

import (
	"fmt"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// Main runs the tests of a package inside a game, for its TestMain. It needs a display, as xvfb-run gives.
func Main(m *testing.M) {
	code := 1
	if err := Run(func() { code = m.Run() }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

// Run calls do once, where drawing and reading of pixels work, and comes back when it is done.
func Run(do func()) error {
	ebiten.SetWindowSize(320, 240)
	return ebiten.RunGame(&once{do: do})
}

// once is a game of one update.
type once struct{ do func() }

// Update implements ebiten.Game.
func (o *once) Update() error {
	o.do()
	return ebiten.Termination
}

// Draw implements ebiten.Game.
func (o *once) Draw(*ebiten.Image) {}

// Layout implements ebiten.Game.
func (o *once) Layout(width, height int) (int, int) { return width, height }
