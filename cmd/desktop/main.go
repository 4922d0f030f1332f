// Command desktop shows the lessons in a window, with no network. With a path it shows an author's lesson.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hajimehoshi/ebiten/v2"

	"groupscope/render/app"
	"groupscope/render/export"
	"groupscope/render/fonts/han"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are what the command line asks for.
type options struct {
	place       app.Place
	size        string
	path        string // an author's lesson; "" for one of the course
	link        string // a link to open
	shot, shots string // where to write pictures; "" for none
}

func parse(args []string) (options, error) {
	var o options
	session := &o.place.Session
	flags := flag.NewFlagSet("desktop", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "desktop [FLAGS] [FOLDER]\n\nShows the course in a window, or the lesson in an author's FOLDER.\n")
		flags.PrintDefaults()
	}
	flags.StringVar(&session.Lesson, "lesson", "", "lesson of the course to open")
	flags.StringVar(&session.Variant, "variant", "", "its variant")
	flags.StringVar(&o.place.Beat, "beat", "", "beat to go to")
	flags.IntVar(&session.Event, "event", 0, "event to go to, where no beat is named")
	flags.StringVar(&session.Lang, "lang", "", "language: en, zh")
	flags.StringVar(&session.Theme, "theme", "", "theme: light, dark")
	flags.StringVar(&o.link, "link", "", "a link's text, from the page's address after #g=")
	flags.StringVar(&o.size, "size", "1280x800", "size of the window")
	flags.StringVar(&o.shot, "shot", "", "write a picture to this PNG file and exit")
	flags.StringVar(&o.shots, "shots", "", "write pictures of every beat of the course into this folder and exit")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 1 {
		return o, fmt.Errorf("%d paths given; expected one lesson's folder or none", flags.NArg())
	}
	o.path = flags.Arg(0)
	if _, err := fmt.Sscanf(o.size, "%fx%f", &session.Width, &session.Height); err != nil || session.Width < 1 || session.Height < 1 {
		return o, fmt.Errorf("-size %s: expected a width and a height, such as 1280x800", o.size)
	}
	return o, nil
}

func run(args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if err := han.Use(); err != nil {
		return err
	}
	if o.shots != "" {
		return writeShots(o.shots)
	}
	player, err := newPlayer(o)
	if err != nil {
		return err
	}
	if o.shot != "" {
		return draw(func() error { return writePicture(o.shot, player) })
	}
	ebiten.SetWindowTitle("groupscope")
	ebiten.SetWindowSize(int(o.place.Session.Width), int(o.place.Session.Height))
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	return app.Run(app.NewGame(player, window{player}))
}

// newPlayer opens what the options name.
func newPlayer(o options) (*app.Player, error) {
	player := app.NewPlayer(o.place)
	if o.link != "" {
		player.OpenLink(o.link)
	}
	if o.path == "" {
		return player, nil
	}
	folder, err := filepath.Abs(o.path)
	if err != nil {
		return nil, err
	}
	player.Load(os.DirFS(filepath.Dir(folder)), filepath.Base(folder))
	if o.place.Beat != "" || o.place.Session.Event > 0 {
		place := o.place
		place.Session.Lesson = filepath.Base(folder)
		player.Go(place)
	}
	return player, nil
}

// window is a window as the program's host: it has all fonts, and nobody to tell of changes. What is saved goes into the working
// directory.
type window struct{ player *app.Player }

// WantHan implements app.Host.
func (window) WantHan() {}

// Save implements app.Host.
func (window) Save(file export.File) { report(file.Name, os.WriteFile(file.Name, file.Data, 0o644)) }

// SavePicture implements app.Host.
func (w window) SavePicture(name string) { report(name, writePicture(name, w.player)) }

// Copy implements app.Host: a window has no clipboard that works everywhere, so the link is printed.
func (window) Copy(link string) { fmt.Println(link) }

// report says on the terminal what became of a file.
func report(name string, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println("saved", name)
}

// Drawn implements app.Host.
func (window) Drawn(*app.Player) {}
