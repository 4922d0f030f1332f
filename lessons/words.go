package lessons

import (
	"fmt"
	"slices"
	"strings"
)

// template is a text with readings in it.
type template []piece

// piece is a stretch of text, or a reading to put there.
type piece struct {
	text  string
	query *Query
}

// fill writes the text with what read gives for each reading, in a language.
func (t template) fill(lang string, read func(*Query) Value) string {
	var b strings.Builder
	for _, p := range t {
		if p.query == nil {
			b.WriteString(p.text)
		} else {
			b.WriteString(read(p.query).words(lang))
		}
	}
	return b.String()
}

// beatTexts is what a words file says at a beat.
type beatTexts struct {
	id      string
	Title   template
	Text    template
	Predict template
	Options []optionText
	Explain template
	place   place
	node    *node
}

type optionText struct {
	id    string
	text  template
	place place
}

// wordsFile is a words file as it is written.
type wordsFile struct {
	Title, Idea, Variant string
	Beats                []beatTexts
	Variants             []variantEntry
}

var wordsKind = object("a words file", []field[wordsFile]{
	must("title", textKind, "the lesson's title", func(w *wordsFile) *string { return &w.Title }),
	must("idea", textKind, "the lesson in one sentence", func(w *wordsFile) *string { return &w.Idea }),
	may("variant", textKind, "the name of the base, where the lesson has variants", func(w *wordsFile) *string { return &w.Variant }),
	must("beats", byID(slugKind, readBeatTexts), "what each beat says", func(w *wordsFile) *[]beatTexts { return &w.Beats }),
	may("variants", byID(slugKind, readVariant), "what a variant says otherwise: a patch of everything above", func(w *wordsFile) *[]variantEntry { return &w.Variants }),
})

var beatTextsKind = object("a beat", []field[beatTexts]{
	must("title", templateKind, "what is to be learned here", func(b *beatTexts) *template { return &b.Title }),
	must("text", templateKind, "at most three sentences; a blank line begins a paragraph", func(b *beatTexts) *template { return &b.Text }),
	may("predict", templateKind, "the question", func(b *beatTexts) *template { return &b.Predict }),
	may("options", byID(slugKind, readOptionText), "what each option says", func(b *beatTexts) *[]optionText { return &b.Options }),
	may("explain", templateKind, "why the answer is right; read at the beat that shows it", func(b *beatTexts) *template { return &b.Explain }),
})

func readBeatTexts(d *decoder, id string, p pair) beatTexts {
	b := beatTextsKind.read(d, p.value)
	b.id, b.place, b.node = id, p.at, p.value
	return b
}

func readOptionText(d *decoder, id string, p pair) optionText {
	return optionText{id, templateKind.read(d, p.value), p.at}
}

// templateKind is a text that may hold readings such as {{committed group=G1 partition=T1-0}}.
var templateKind = kind[template]{expected: "a text", read: func(d *decoder, n *node) template {
	var t template
	rest := textKind.read(d, n)
	from := n.place
	for {
		before, after, found := strings.Cut(rest, "{{")
		t = append(t, piece{text: before})
		if !found {
			return t
		}
		inside, then, closed := strings.Cut(after, "}}")
		if !closed {
			d.problem(d.find("{{", from), "a reading is not closed", "}} after {{", "")
			return t
		}
		at := d.find("{{"+inside+"}}", from)
		t = append(t, piece{query: d.inlineQuery(inside, at)})
		rest, from = then, place{at.File, at.Line, at.Column + 1}
	}
}}

// inlineQuery reads what stands between the braces: a reading and its parameters.
func (d *decoder) inlineQuery(text string, at place) *Query {
	words := strings.Fields(text)
	if len(words) == 0 {
		d.problem(at, "no reading between the braces", "one such as {{committed group=G1 partition=T1-0}}", "")
		return nil
	}
	var parameters []pair
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			d.problem(at, fmt.Sprintf("%q is not a parameter", clip(word)), "name=value", "")
			continue
		}
		parameters = append(parameters, pair{key, at, &node{place: at, kind: scalar, text: value}})
	}
	return d.newQuery(words[0], at, parameters)
}

// find is where a stretch of text stands in the file, at or after a place; the place itself when it spans lines.
func (d *decoder) find(text string, from place) place {
	for i := from.Line; i <= len(d.lines); i++ {
		line, skip := d.lines[i-1], 0
		if i == from.Line {
			skip = min(len(line), byteColumn(line, from.Column))
		}
		if at := strings.Index(line[skip:], text); at >= 0 {
			return place{from.File, i, len([]rune(line[:skip+at])) + 1}
		}
	}
	return from
}

// byteColumn turns a column, counted in characters from 1, into an index.
func byteColumn(line string, column int) int {
	count := 0
	for i := range line {
		count++
		if count == column {
			return i
		}
	}
	return len(line)
}

// readWords makes the words of a plan in one language out of a tree.
func readWords(d *decoder, root *node, beats []Beat) *LessonWords {
	w := wordsKind.read(d, root)
	words := &LessonWords{Title: w.Title, Idea: w.Idea, Variant: w.Variant, Beats: make([]beatTexts, len(beats))}
	if beatsNode := root.find("beats"); beatsNode != nil {
		for i, b := range beats {
			words.Beats[i] = matchBeat(d, b, w.Beats, root.keyPlace("beats"))
		}
		matchIDs(d, "beat", w.Beats, func(b beatTexts) (string, place) { return b.id, b.place }, d.names.beats)
	}
	return words
}

// scenarioWords is what a scenario says for want of words: its ids.
func scenarioWords(lesson, variant string, beats []Beat) *LessonWords {
	words := &LessonWords{Title: lesson, Idea: lesson, Variant: variant}
	for _, b := range beats {
		id := template{{text: b.ID}}
		words.Beats = append(words.Beats, beatTexts{id: b.ID, Title: id, Text: id})
	}
	return words
}

// checkVariantName checks that words name their variant if the lesson, as a tree, has variants, and do not otherwise.
func checkVariantName(d *decoder, words, lesson *node) {
	several, named := lesson.find("variants") != nil, words.find("variant") != nil
	if several && !named {
		d.problem(words.place, `the words lack "variant"`, "the name of this variant, as the lesson has several", "")
	}
	if !several && named {
		d.problem(words.keyPlace("variant"), "the lesson has no variants", `no "variant"`, "")
	}
}

// matchBeat finds a beat's words and checks that they have what the beat needs.
func matchBeat(d *decoder, b Beat, texts []beatTexts, at place) beatTexts {
	i := slices.IndexFunc(texts, func(t beatTexts) bool { return t.id == b.ID })
	if i < 0 {
		d.problem(at, fmt.Sprintf("no words for beat %q", clip(b.ID)), "title and text", "")
		return beatTexts{}
	}
	t := texts[i]
	var options []string
	if b.Question != nil {
		for _, o := range b.Question.Options {
			options = append(options, o.ID)
		}
	}
	for _, key := range []string{"predict", "options", "explain"} {
		switch there := t.node.find(key) != nil; {
		case b.Question != nil && !there:
			d.problem(t.place, fmt.Sprintf("beat %q lacks %q", clip(b.ID), key), "the words of its question", "")
		case b.Question == nil && there:
			d.problem(t.node.keyPlace(key), fmt.Sprintf("beat %q asks nothing", clip(b.ID)), fmt.Sprintf("no %q", key), "")
		}
	}
	if b.Question != nil && t.node.find("options") != nil {
		matchIDs(d, "option", t.Options, func(o optionText) (string, place) { return o.id, o.place }, options)
		for _, id := range options {
			if !slices.ContainsFunc(t.Options, func(o optionText) bool { return o.id == id }) {
				d.problem(t.node.keyPlace("options"), fmt.Sprintf("no words for option %q", clip(id)), "a text", "")
			}
		}
	}
	return t
}

// matchIDs reports words for something that the lesson does not have.
func matchIDs[T any](d *decoder, what string, texts []T, of func(T) (string, place), known []string) {
	for _, t := range texts {
		if id, at := of(t); !slices.Contains(known, id) {
			d.unknown(at, what, id, known)
		}
	}
}
