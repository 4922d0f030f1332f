package main

import (
	"bufio"
	"fmt"
	"image/png"
	"os"
	"path/filepath"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/lessons"
	"groupscope/render/app"
	"groupscope/render/paint"
	"groupscope/render/stage"
)

// The pictures of a lesson: every beat in every one of these.
var (
	shotSizes  = [][2]float64{{1440, 900}, {1024, 640}, {390, 844}}
	shotThemes = []string{stage.Light, stage.Dark}
)

// writeShots writes pictures of every beat of the course.
func writeShots(folder string) error {
	return draw(func() error {
		for _, title := range lessons.Catalogue() {
			fmt.Println("shots:", title.ID)
			if err := writeLesson(folder, title.ID); err != nil {
				return fmt.Errorf("lesson %s: %w", title.ID, err)
			}
		}
		return nil
	})
}

func writeLesson(folder, lesson string) error {
	for _, size := range shotSizes {
		for _, theme := range shotThemes {
			for _, lang := range stage.Languages() {
				session := stage.Session{Lesson: lesson, Lang: lang, Theme: theme, Width: size[0], Height: size[1]}
				look := fmt.Sprintf("%gx%g-%s-%s.png", size[0], size[1], theme, lang)
				if err := writeBeats(filepath.Join(folder, lesson), look, session); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeBeats writes a picture of each beat, named after its place in the lesson, its id and the look.
func writeBeats(folder, look string, session stage.Session) error {
	player := app.NewPlayer(app.Place{Session: session})
	for i, beat := range player.State().Beats {
		player.Go(app.Place{Session: session, Beat: beat})
		if err := writePicture(filepath.Join(folder, fmt.Sprintf("%02d-%s-%s", i+1, beat, look)), player); err != nil {
			return err
		}
	}
	return nil
}

// writePicture writes what the player shows. It is called where Ebitengine draws.
func writePicture(path string, player *app.Player) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffer := bufio.NewWriter(file)
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(buffer, paint.Snapshot(player.Scene(), 1)); err != nil {
		return err
	}
	return buffer.Flush()
}

// draw does something once inside Ebitengine's loop, where pictures can be drawn and read, and ends.
func draw(do func() error) error {
	ebiten.SetWindowSize(320, 240)
	ebiten.SetWindowTitle("groupscope")
	once := &once{do: do}
	if err := ebiten.RunGameWithOptions(once, &ebiten.RunGameOptions{InitUnfocused: true}); err != nil {
		return err
	}
	return once.err
}

// once is a game of one update.
type once struct {
	do  func() error
	err error
}

// Update implements ebiten.Game.
func (o *once) Update() error {
	o.err = o.do()
	return ebiten.Termination
}

// Draw implements ebiten.Game.
func (o *once) Draw(*ebiten.Image) {}

// Layout implements ebiten.Game.
func (o *once) Layout(width, height int) (int, int) { return width, height }
