// Package app puts a stage on a screen: it turns input into the stage's actions, draws only when something changed, and
// keeps a page or a window informed. What goes wrong is shown and survived.
package app

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"groupscope/lessons"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// Player is everything behind the picture: a lesson's stage, or what went wrong instead of one.
type Player struct {
	authored fs.FS // an author's lesson; nil without one
	host     Host  // nil until a game shows the player
	run      *lessons.Run
	stage    *stage.Stage // nil while a failure is shown
	failure  error
	session  stage.Session // of the stage, kept through failures
	picture  *scene.Scene  // nil when it has to be made again
	version  int           // raised with every change of the picture
	turned   float64       // how far, in pixels, a wheel has turned since it last zoomed
}

// NewPlayer returns a player that shows a place in one of the course's lessons.
func NewPlayer(place Place) *Player {
	p := &Player{}
	p.Go(place)
	return p
}

// Go shows a place. Its lesson is the first of the course if it names none.
func (p *Player) Go(place Place) {
	p.guard(func() error {
		if place.Session.Lesson == "" {
			place.Session.Lesson = lessons.Catalogue()[0].ID
		}
		return p.open(place)
	})
}

// Load shows an author's lesson from a folder of a file system. If it is on screen already, it stays where it was.
func (p *Player) Load(files fs.FS, dir string) {
	p.guard(func() error {
		p.authored = files
		place := Place{Session: p.session}
		if place.Session.Lesson != dir {
			place.Session.Lesson, place.Session.Variant, place.Session.Event = dir, "", 0
		}
		if err := p.open(place); err != nil {
			return err
		}
		return p.check()
	})
}

// LoadFiles is Load for a lesson that is handed over as its files: path to content.
func (p *Player) LoadFiles(files map[string]string) {
	p.guard(func() error {
		system := fstest.MapFS{}
		var dirs []string
		for name, content := range files {
			if !fs.ValidPath(name) {
				return fmt.Errorf("load lesson: %q is no path of a lesson's file", name)
			}
			system[name] = &fstest.MapFile{Data: []byte(content)}
			if path.Base(name) == "lesson.yaml" {
				dirs = append(dirs, path.Dir(name))
			}
		}
		if len(dirs) != 1 {
			slices.Sort(dirs)
			return fmt.Errorf("load lesson: %d files are named lesson.yaml (in %s); expected one", len(dirs), strings.Join(dirs, ", "))
		}
		p.Load(system, dirs[0])
		return nil
	})
}

// check verifies what an author's lesson claims. Those of the course are verified by their tests.
func (p *Player) check() error {
	if problems := p.run.Check(); len(problems) > 0 {
		return problems
	}
	return nil
}

func (p *Player) open(place Place) error {
	p.session = place.Session
	files, err := p.source(place.Session.Lesson)
	if err != nil {
		return err
	}
	lesson, err := lessons.Load(files, place.Session.Lesson)
	if err != nil {
		return err
	}
	run, err := lesson.Play(place.Session.Variant)
	if err != nil {
		return err
	}
	place.Session.Event = place.event(run)
	p.show(run, place.Session)
	return nil
}

// show puts a run on screen.
func (p *Player) show(run *lessons.Run, session stage.Session) {
	p.run, p.stage, p.failure = run, stage.New(run, session), nil
	p.changed()
}

// source is where a lesson is read from: its author's files, or the course. A name that neither has is mostly a
// mistake in an address.
func (p *Player) source(lesson string) (fs.FS, error) {
	if p.authored != nil {
		if _, err := fs.Stat(p.authored, lesson); err == nil {
			return p.authored, nil
		}
	}
	if files, ok := lessons.BuiltinOf(lesson); ok {
		return files, nil
	}
	var known []string
	for _, title := range lessons.Catalogue() {
		known = append(known, title.ID)
	}
	return nil, fmt.Errorf("there is no lesson %q\nthe lessons are %s\nEsc opens the first one", lesson, strings.Join(known, ", "))
}

// changed takes over what became of the stage's session.
func (p *Player) changed() {
	p.session = p.stage.Session()
	p.redraw()
}

// guard does one piece of work. An error, or a panic, becomes the picture.
func (p *Player) guard(work func() error) {
	defer func() {
		if cause := recover(); cause != nil {
			p.fail(fmt.Errorf("groupscope failed: %v\n%s", cause, debug.Stack()))
		}
	}()
	if err := work(); err != nil {
		p.fail(err)
	}
}

func (p *Player) fail(err error) {
	p.stage, p.failure = nil, err
	p.session.Playing, p.session.Overlay = false, ""
	p.redraw()
}

// redraw has the picture made anew.
func (p *Player) redraw() {
	p.picture = nil
	p.version++
}

// Do carries out an action.
func (p *Player) Do(a scene.Action) {
	p.guard(func() error {
		if p.stage == nil {
			return p.doAfterFailure(a)
		}
		if a.Do == stage.Export {
			return p.share(a.Arg)
		}
		if !p.stage.Do(a) {
			return nil
		}
		p.changed()
		if p.session.Lesson != p.run.Lesson.ID || p.session.Variant != p.run.Variant {
			return p.open(Place{Session: p.session})
		}
		return nil
	})
}

// Type says what is now written in a field.
func (p *Player) Type(field *scene.Shape, text string) {
	action := field.Action
	action.Arg = text
	p.Do(action)
}

// frontKeys are what keys do while a dialog is open; other keys would change what lies behind it, unseen.
var frontKeys = []string{stage.Open, stage.Close, stage.Theme, stage.Language, stage.Choose}

// Press carries out the action of a key.
func (p *Player) Press(key scene.Action) {
	if p.session.Overlay == "" || slices.Contains(frontKeys, key.Do) {
		p.Do(key)
	}
}

// doAfterFailure carries out what needs no stage: to look at the message in another theme or language, and to open another
// lesson. Closing the message opens the first lesson of the course.
func (p *Player) doAfterFailure(a scene.Action) error {
	if a.Do == stage.Close && p.session.Overlay == "" {
		a = scene.Action{Do: stage.Lesson, Arg: lessons.Catalogue()[0].ID}
	}
	if a.Do == stage.Scroll {
		p.session.Scroll = map[string]float64{a.Arg: max(0, p.session.Scroll[a.Arg]+a.N)}
	} else if !p.session.Do(a) {
		return nil
	}
	if a.Do == stage.Lesson || a.Do == stage.Variant {
		return p.open(Place{Session: p.session})
	}
	p.redraw()
	return nil
}

// Menu shows what can be done to the thing at a point, or else to the focused or selected one.
func (p *Player) Menu(x, y float64) {
	thing := ""
	if hit := scene.Hit(p.Scene(), x, y); hit != nil && hit.Action.Do == stage.Select {
		thing = hit.Action.Arg
	}
	p.Press(scene.Action{Do: stage.Offer, Arg: thing})
}

// wheelZoom is how many pixels a wheel turns for one step of zooming.
const wheelZoom = 60

// Wheel scrolls what is under a point by so many pixels, downwards and to the right if positive. Where a sequence has no lanes
// out of view it is zoomed: away from the person is in.
func (p *Player) Wheel(x, y, across, down float64) {
	ground := p.ground(x, y)
	if ground == nil || p.scrollable(x, y) != "" && down != 0 {
		p.Scroll(x, y, down)
		return
	}
	p.Drag(x, y, across)
	p.turned += down
	for ; math.Abs(p.turned) >= wheelZoom; p.turned -= math.Copysign(wheelZoom, p.turned) {
		p.Do(scene.Action{Do: stage.Zoom, N: -math.Copysign(1, p.turned)})
	}
}

// ground is the area of the sequence at a point; nil if there is another thing.
func (p *Player) ground(x, y float64) *scene.Shape {
	ground := scene.Find(p.Scene(), stage.GroundID)
	if p.session.Overlay != "" || ground == nil || !scene.Bounds(ground).Has(scene.Point{X: x, Y: y}) {
		return nil
	}
	return ground
}

// Drag moves the sequence under a point by so many pixels, to later times if positive. It reports whether one is there.
func (p *Player) Drag(x, y, by float64) bool {
	ground := p.ground(x, y)
	if ground != nil && by != 0 {
		p.Do(scene.Action{Do: stage.Pan, N: by / ground.W})
	}
	return ground != nil
}

// Scroll moves the pane under a point by so many pixels, downwards if positive.
func (p *Player) Scroll(x, y, by float64) {
	if name := p.scrollable(x, y); name != "" {
		p.Do(scene.Action{Do: stage.Scroll, Arg: name, N: by})
	}
}

// scrollable is the name of the innermost pane under a point that can be scrolled; "" for none.
func (p *Player) scrollable(x, y float64) string {
	return p.pane(x, y, func(shape *scene.Shape) bool { return shape.Clip })
}

// paneAt is the name of the pane under a point; "" for none.
func (p *Player) paneAt(x, y float64) string {
	return p.pane(x, y, func(*scene.Shape) bool { return true })
}

// pane is the name of the innermost pane under a point of those that are wanted; "" for none.
func (p *Player) pane(x, y float64, wanted func(*scene.Shape) bool) (found string) {
	scene.Walk(p.Scene(), func(shape *scene.Shape) bool {
		name, ok := strings.CutPrefix(shape.ID, stage.PanePrefix)
		inside := !shape.Clip && !ok || scene.Bounds(shape).Has(scene.Point{X: x, Y: y})
		if ok && inside && wanted(shape) {
			found = name // the innermost is the last
		}
		return inside
	})
	return found
}

// Advance lets time pass on screen.
func (p *Player) Advance(dt time.Duration) {
	p.guard(func() error {
		if p.stage != nil && p.stage.Advance(dt) {
			p.changed()
		}
		return nil
	})
}

// Resize sets the size of the picture in device-independent pixels.
func (p *Player) Resize(width, height float64) {
	if p.session.Width == width && p.session.Height == height {
		return
	}
	p.session.Width, p.session.Height = width, height
	if p.stage == nil {
		p.redraw()
		return
	}
	p.Do(scene.Action{Do: stage.Resize, Arg: fmt.Sprintf("%gx%g", width, height)})
}

// Scene is the present picture. It stays the same until Version changes.
func (p *Player) Scene() *scene.Scene {
	if p.picture == nil && p.stage != nil {
		p.guard(func() error {
			p.picture = p.stage.Scene()
			return nil
		})
	}
	if p.picture == nil {
		p.picture = stage.Failure(p.failure, p.session)
	}
	return p.picture
}

// Version is another number for every other picture.
func (p *Player) Version() int { return p.version }

// Busy reports whether the picture moves by itself.
func (p *Player) Busy() bool { return p.stage != nil && p.stage.Busy() }

// Session is what the person has on screen.
func (p *Player) Session() stage.Session { return p.session }

// Title is that of the lesson on screen, in the person's language; "" while a failure is shown.
func (p *Player) Title() string {
	if p.stage == nil {
		return ""
	}
	return p.run.Title(p.session.Lang)
}

// Announce says in a sentence what is on screen.
func (p *Player) Announce() string {
	if p.stage == nil {
		return p.failure.Error()
	}
	return p.stage.Announce()
}
