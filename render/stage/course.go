package stage

import (
	"slices"
	"sync"

	"groupscope/lessons"
)

// course is the built-in lessons with the titles of their chapters, read once.
var course = sync.OnceValue(func() []courseLesson {
	chapters := map[string]map[string]string{}
	for _, c := range lessons.Chapters() {
		chapters[c.ID] = c.Titles
	}
	var out []courseLesson
	for _, t := range lessons.Catalogue() {
		out = append(out, courseLesson{id: t.ID, titles: t.Titles, chapter: chapters[t.Chapter]})
	}
	return out
})

// courseLesson is one lesson of the course, its titles by language.
type courseLesson struct {
	id              string
	titles, chapter map[string]string
}

// courseMenu is the course as a menu.
func courseMenu(lang string) []menuItem {
	var out []menuItem
	for _, l := range course() {
		out = append(out, menuItem{id: l.id, title: inLanguage(l.titles, lang), chapter: inLanguage(l.chapter, lang)})
	}
	return out
}

// presetMenu is what a sandbox can start from, as the last part of a menu.
func presetMenu(lang string) []menuItem {
	var out []menuItem
	for _, t := range lessons.Presets() {
		out = append(out, menuItem{id: t.ID, title: inLanguage(t.Titles, lang), chapter: languages()[lang].say("menu.sandbox")})
	}
	return out
}

// lessonAfter is the id of the next lesson of the course; "" after the last, and for a lesson that is not of the course.
func lessonAfter(id string) string {
	all := course()
	at := slices.IndexFunc(all, func(l courseLesson) bool { return l.id == id })
	if at < 0 || at+1 == len(all) {
		return ""
	}
	return all[at+1].id
}

// inLanguage is a text in the language, or in English where there is none.
func inLanguage(texts map[string]string, lang string) string {
	if text, ok := texts[lang]; ok {
		return text
	}
	return texts["en"]
}
