// Command bare is an Ebitengine program that shows nothing: what every program made with Ebitengine weighs and costs.
package main

import (
	"fmt"
	"os"

	"github.com/hajimehoshi/ebiten/v2"
)

type game struct{}

func (game) Update() error                           { return nil }
func (game) Draw(*ebiten.Image)                      {}
func (game) Layout(width, height int) (w int, h int) { return width, height }

func main() {
	if err := ebiten.RunGame(game{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
