package lessons

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"sync"
)

//go:embed *.yaml */*.yaml presets/*/*.yaml
var builtin embed.FS

// Builtin holds the lessons that come with the program: course.yaml and a folder for each lesson.
func Builtin() fs.FS { return builtin }

// courseName is the file that orders the lessons beside it.
const courseName = "course.yaml"

// Chapter is a chapter of the course.
type Chapter struct {
	ID      string
	Titles  map[string]string // by language
	Lessons []string          // ids, in teaching order
}

// Title is one lesson of the catalogue.
type Title struct {
	ID      string
	Chapter string
	Titles  map[string]string // by language
}

// courseFile is course.yaml as it is written.
type courseFile struct {
	Format   int
	Chapters []Chapter
}

var courseKind = object("a course", []field[courseFile]{
	must("format", formatKind, "the format of this file: 1", func(c *courseFile) *int { return &c.Format }),
	must("chapters", byID(slugKind, readChapter), "the chapters, in order", func(c *courseFile) *[]Chapter { return &c.Chapters }),
})

func readChapter(d *decoder, id string, p pair) Chapter {
	return Chapter{ID: id, Lessons: list(slugKind).read(d, p.value)}
}

// chapterTitle is the title of a chapter in one language.
type chapterTitle struct{ id, title string }

var courseWordsKind = object("the words of a course", []field[[]chapterTitle]{
	must("chapters", byID(slugKind, func(d *decoder, id string, p pair) chapterTitle {
		return chapterTitle{id, textKind.read(d, p.value)}
	}), "the title of each chapter", func(c *[]chapterTitle) *[]chapterTitle { return c }),
})

// LoadCourse reads course.yaml and its words in a folder. The error is of type Problems.
func LoadCourse(fsys fs.FS, dir string) ([]Chapter, error) {
	l := loader{words: map[string]wordsSource{}}
	root := l.file(fsys, path.Join(dir, courseName))
	if root == nil {
		return nil, l.problems.err()
	}
	d := &decoder{}
	chapters := courseKind.read(d, root).Chapters
	seen := map[string]bool{}
	for _, p := range pairsOf(root.find("chapters")) {
		for _, item := range p.value.items {
			if _, err := fs.Stat(fsys, path.Join(dir, item.text, lessonName)); err != nil {
				d.problem(item.place, "there is no lesson "+clip(item.text), "the name of a folder with "+lessonName, "")
			}
			if seen[item.text] {
				d.problem(item.place, "lesson "+clip(item.text)+" stands here a second time", "each once", "")
			}
			seen[item.text] = true
		}
	}
	l.readWordsFiles(fsys, dir, languages)
	for _, lang := range l.languages {
		if source, ok := l.words[lang]; ok {
			titleChapters(d, chapters, source.root, lang)
		}
	}
	l.problems = append(l.problems, d.problems...)
	return chapters, l.problems.err()
}

// titleChapters gives the chapters their titles in a language.
func titleChapters(d *decoder, chapters []Chapter, root *node, lang string) {
	titles := courseWordsKind.read(d, root)
	for i := range chapters {
		at := slices.IndexFunc(titles, func(t chapterTitle) bool { return t.id == chapters[i].ID })
		if at < 0 {
			d.problem(root.keyPlace("chapters"), "no title for chapter "+clip(chapters[i].ID), "a text", "")
			continue
		}
		if chapters[i].Titles == nil {
			chapters[i].Titles = map[string]string{}
		}
		chapters[i].Titles[lang] = titles[at].title
	}
}

// takePlace gives the lesson its place in the course of its parent folder, if that has one with it.
func (l *Lesson) takePlace(fsys fs.FS, parent string) {
	chapters, err := LoadCourse(fsys, parent)
	if err != nil {
		return
	}
	order := 0
	for _, c := range chapters {
		for _, id := range c.Lessons {
			order++
			if id == l.ID {
				l.Chapter, l.Order = c.ID, order
			}
		}
	}
}

// Chapters lists the chapters of the built-in course, in teaching order. A test checks that the course is in order.
var Chapters = sync.OnceValue(func() []Chapter {
	chapters, _ := LoadCourse(builtin, ".")
	return chapters
})

// Catalogue lists the built-in lessons in teaching order.
var Catalogue = sync.OnceValue(func() []Title {
	var titles []Title
	for _, c := range Chapters() {
		for _, id := range c.Lessons {
			titles = append(titles, Title{ID: id, Chapter: c.ID, Titles: titlesOf(builtin, id)})
		}
	}
	return titles
})

// titlesOf reads a lesson's titles alone.
func titlesOf(fsys fs.FS, dir string) map[string]string {
	l := loader{words: map[string]wordsSource{}}
	l.readWordsFiles(fsys, dir, languages)
	titles := map[string]string{}
	for lang, source := range l.words {
		if title := source.root.find("title"); title != nil {
			titles[lang] = title.text
		}
	}
	return titles
}
