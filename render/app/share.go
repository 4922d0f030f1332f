package app

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/lessons"
	"groupscope/render/export"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// share lets the person take away what is on screen.
func (p *Player) share(kind string) error {
	if p.host == nil {
		return nil
	}
	p.Do(scene.Action{Do: stage.Close})
	name := p.run.Lesson.ID
	switch kind {
	case stage.CopyLink:
		p.host.Copy(p.Link())
		p.notice(stage.LinkCopied)
		return nil
	case stage.SaveLesson:
		return p.saveLesson(name)
	case "png":
		p.host.SavePicture(name + ".png")
		p.notice(stage.FileSaved, "name", name+".png")
		return nil
	}
	if !slices.Contains(export.Kinds, kind) {
		return nil
	}
	file, err := export.Of(p.stage, kind)
	if err != nil {
		return err
	}
	p.host.Save(file)
	p.notice(stage.FileSaved, "name", file.Name)
	return nil
}

// saveLesson saves the run as a lesson: its files, named after a folder for them.
func (p *Player) saveLesson(name string) error {
	files := p.run.Save(p.Title(), p.session.Lang)
	var names []string
	for file := range files {
		names = append(names, file)
	}
	slices.Sort(names)
	for _, file := range names {
		p.host.Save(export.File{Name: name + "." + file, MIME: "application/yaml", Data: []byte(files[file])})
	}
	p.notice(stage.FileSaved, "name", name+"."+strings.Join(names, ", "+name+"."))
	return nil
}

// notice says something in passing.
func (p *Player) notice(key string, args ...string) {
	p.stage.Notice(key, args...)
	p.changed()
}

// Link is the text of a link that leads back to what is on screen; "" while a failure is shown.
func (p *Player) Link() string {
	if p.stage == nil {
		return ""
	}
	return p.run.Link(p.session.Event).String()
}

// OpenLink shows what a link says. A link that cannot be read or followed is told of, and nothing of it is shown.
func (p *Player) OpenLink(text string) {
	p.guard(func() error {
		link, err := lessons.ParseLink(text)
		if err != nil {
			return err
		}
		a, err := link.Open()
		if err != nil {
			return err
		}
		session := p.session
		session.Lesson, session.Variant, session.Event, session.Phase, session.Playing = a.Run.Lesson.ID, a.Run.Variant, a.Event, 0, false
		session.Selected, session.Overlay = "", ""
		p.show(a.Run, session)
		switch {
		case len(a.Refused) > 0:
			p.notice(stage.LinkRefused, "list", strings.Join(a.Refused, "; "))
		case !a.Exact:
			p.notice(stage.LinkDiffers, "model", strconv.Itoa(a.Model), "same", strconv.Itoa(a.Same), "differs", strconv.Itoa(a.Differs))
		}
		return nil
	})
}
