//go:build display

package main

import (
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/app/apptest"
	"groupscope/render/fonts/han"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// screen is the window that all tests look at: the program's game, with an eye on what it draws.
var screen = &watched{
	Game: app.NewGame(app.NewPlayer(app.Place{Session: stage.Session{ReducedMotion: true}}), window{}),
	asks: make(chan chan image.Image),
}

// TestMain opens the window and runs the tests beside it.
func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	ebiten.SetWindowSize(1280, 800)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	code := 1
	go func() {
		code = m.Run()
		screen.done.Store(true)
	}()
	if err := app.Run(screen); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// watched is a game that shows its screen to whoever asks.
type watched struct {
	*app.Game
	asks chan chan image.Image
	done atomic.Bool
}

// Update implements ebiten.Game.
func (w *watched) Update() error {
	if w.done.Load() {
		return ebiten.Termination
	}
	return w.Game.Update()
}

// Draw implements ebiten.Game.
func (w *watched) Draw(screen *ebiten.Image) {
	w.Game.Draw(screen)
	select {
	case answer := <-w.asks:
		picture := image.NewRGBA(screen.Bounds())
		screen.ReadPixels(picture.Pix)
		answer <- picture
	default:
	}
}

// look returns what is on the screen after everything that was asked for so far.
func look(t *testing.T) image.Image {
	t.Helper()
	within(t, func() {}) // what was queued before is done, and drawn in the same frame
	answer := make(chan image.Image)
	select {
	case screen.asks <- answer:
		return <-answer
	case <-time.After(10 * time.Second):
		require.FailNow(t, "the window draws nothing")
		return nil
	}
}

// within does something in the game's loop and waits for it.
func within(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	screen.Queue(func() { do(); close(done) })
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		require.FailNow(t, "the window does not answer")
	}
}

func state(t *testing.T) (state app.State) {
	t.Helper()
	within(t, func() { state = screen.Player().State() })
	return state
}

// requireShown fails unless the window shows what the scene says.
func requireShown(t *testing.T) {
	t.Helper()
	picture := look(t)
	var compared int
	var differing []string
	within(t, func() { compared, differing = apptest.Compare(picture, screen.Player().Scene()) })
	require.Greater(t, compared, 3000)
	require.Empty(t, differing)
}

func press(key string, times int) {
	for range times {
		screen.Key(key)
	}
}

func same(a, b image.Image) bool {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return a.Bounds() == b.Bounds()
}

func TestTheWindowShowsWhatTheSceneSays(t *testing.T) {
	for _, theme := range []string{stage.Dark, stage.Light} {
		for _, lang := range stage.Languages() {
			screen.Act(scene.Action{Do: stage.Theme, Arg: theme})
			screen.Act(scene.Action{Do: stage.Language, Arg: lang})
			requireShown(t)
			require.Equal(t, theme, state(t).Session.Theme)
			require.Equal(t, lang, state(t).Session.Lang)
		}
	}
}

func TestKeysStepThroughALessonAndBackExactly(t *testing.T) {
	press("Home", 1)
	start, startPicture := state(t), look(t)
	half := start.Events / 2
	press("ArrowRight", half)
	middle, middlePicture := state(t), look(t)
	require.Equal(t, half, middle.Event)
	require.False(t, same(startPicture, middlePicture))
	press("ArrowRight", start.Events-half)
	require.Equal(t, start.Events, state(t).Event)
	press("ArrowLeft", start.Events-half)
	require.Equal(t, middle, state(t))
	require.True(t, same(middlePicture, look(t)))
	press("ArrowLeft", half)
	require.Equal(t, start, state(t))
	require.True(t, same(startPicture, look(t)))
}

func TestTheMouseClicksWhatItIsOver(t *testing.T) {
	press("Home", 1)
	var box scene.Box
	within(t, func() {
		scene.Walk(screen.Player().Scene(), func(shape *scene.Shape) bool {
			if shape.Action.Do == stage.Last && shape.Focus > 0 {
				box = scene.Bounds(shape)
			}
			return true
		})
	})
	at := app.Sample{X: box.X + box.W/2, Y: box.Y + box.H/2, Down: true}
	screen.Pointer(at)
	at.Down = false
	screen.Pointer(at)
	require.Equal(t, state(t).Events, state(t).Event)
}

func TestPlayingMovesThePicture(t *testing.T) {
	press("Home", 1)
	before := look(t)
	screen.Act(scene.Action{Do: stage.Play})
	deadline := time.Now().Add(10 * time.Second)
	for state(t).Event < 2 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	screen.Act(scene.Action{Do: stage.Pause})
	require.False(t, same(before, look(t)))
}

func TestTheWindowFollowsItsSize(t *testing.T) {
	ebiten.SetWindowSize(900, 700)
	defer ebiten.SetWindowSize(1280, 800)
	deadline := time.Now().Add(10 * time.Second)
	for state(t).Session.Width != 900 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	require.Equal(t, 900.0, state(t).Session.Width)
	requireShown(t)
}

func TestAWrongLessonIsShownAndSurvived(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.Mkdir(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "lesson.yaml"), []byte("format: 1\nrelaese: 3.7\n"), 0o600))
	within(t, func() { screen.Player().Load(os.DirFS(filepath.Dir(folder)), "mine") })
	require.Contains(t, state(t).Failure, "mine/lesson.yaml:2:1")
	requireShown(t)
	press("Escape", 1)
	require.Empty(t, state(t).Failure)
	requireShown(t)
}

func TestTheProgramWritesAPicture(t *testing.T) {
	program := filepath.Join(t.TempDir(), "groupscope")
	said, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(said))
	picture := filepath.Join(t.TempDir(), "beat.png")
	said, err = exec.Command(program, "-size", "1024x640", "-theme", "dark", "-lang", "zh", "-event", "30", "-shot", picture).CombinedOutput()
	require.NoError(t, err, string(said))
	file, err := os.Open(picture)
	require.NoError(t, err)
	defer file.Close()
	shown, err := png.Decode(file)
	require.NoError(t, err)
	require.Equal(t, image.Pt(1024, 640), shown.Bounds().Size())
	player := app.NewPlayer(app.Place{Session: stage.Session{
		Width: 1024, Height: 640, Theme: stage.Dark, Lang: "zh", Event: 30,
	}})
	compared, differing := apptest.Compare(shown, player.Scene())
	require.Greater(t, compared, 3000)
	require.Empty(t, differing)
}
