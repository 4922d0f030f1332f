package lessons

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"groupscope/core/sim"
)

// Run is a lesson played to its end.
type Run struct {
	Lesson  *Lesson
	Variant string // "" is the base
	Plan    *Plan  // of the variant
	History *sim.History
	Reached []Reached // one for each beat reached, in order; shorter than Plan.Beats if one was never reached

	branches []branchState // by the history's ids
	undone   []sim.BranchID
	waiting  []Conditional // commands whose condition never held in the base
	words    Words
	values   map[*Query]Value // what each query of claims, options and words gave at its beat
}

// Reached tells after which event a beat is reached; 0 is before the first event.
type Reached struct {
	Event int
	At    time.Duration
}

// BeatAt returns the index of the beat that the moment after the event of the current branch belongs to; -1 before the first, and
// where the lesson's words are silent.
func (r *Run) BeatAt(event int) int {
	beat := -1
	if !r.Narrated(event) {
		return beat
	}
	for i, reached := range r.Reached {
		if reached.Event > event {
			break
		}
		beat = i
	}
	return beat
}

// EventOf returns the event at which the beat of that id is reached; false if there is no such beat, or it is never reached.
func (r *Run) EventOf(beat string) (event int, reached bool) {
	for i, b := range r.Plan.Beats {
		if b.ID == beat && i < len(r.Reached) {
			return r.Reached[i].Event, true
		}
	}
	return 0, false
}

// BeatWords is what a beat says, its readings filled in.
type BeatWords struct {
	Title    string
	Text     []string       // paragraphs
	Question *QuestionWords // nil: nothing to predict
}

// QuestionWords is a question as it is put to a learner.
type QuestionWords struct {
	ID      string
	Prompt  string
	Options []OptionWords
	Explain string // said once it is answered
	Answer  int    // index of the beat that shows the answer
}

// OptionWords is one possible answer.
type OptionWords struct {
	ID    string
	Text  string
	Right bool // as the model says
}

// Title is the lesson's title in a language; in English, or else in whatever there is, where that is missing.
func (r *Run) Title(lang string) string { return r.words.in(lang).Title }

// Idea is the lesson in one sentence.
func (r *Run) Idea(lang string) string { return r.words.in(lang).Idea }

// VariantName is the name of the variant that is played; "" where the lesson has only one.
func (r *Run) VariantName(lang string) string { return r.words.in(lang).Variant }

func (w Words) in(lang string) *LessonWords {
	for _, wanted := range []string{lang, "en"} {
		if words, ok := w[wanted]; ok {
			return words
		}
	}
	return w[slices.Min(slices.Collect(maps.Keys(w)))]
}

// Words is what a beat says in a language, its readings filled in with what they gave when it was reached.
func (r *Run) Words(lang string, beat int) BeatWords {
	texts := r.words.in(lang).Beats[beat]
	fill := func(t template) string { return strings.Join(paragraphs(t.fill(lang, r.value)), "\n\n") }
	words := BeatWords{Title: fill(texts.Title), Text: strings.Split(fill(texts.Text), "\n\n")}
	q := r.Plan.Beats[beat].Question
	if q == nil {
		return words
	}
	words.Question = &QuestionWords{ID: q.ID, Prompt: fill(texts.Predict), Explain: fill(texts.Explain), Answer: q.Answer}
	for _, o := range q.Options {
		option := OptionWords{ID: o.ID, Right: r.right(q, o)}
		for _, t := range texts.Options {
			if t.id == o.ID {
				option.Text = fill(t.text)
			}
		}
		words.Question.Options = append(words.Question.Options, option)
	}
	return words
}

// paragraphs splits a text at its blank lines; a line break within a paragraph is a space, or nothing between
// characters of a script that sets none.
func paragraphs(text string) []string {
	var list []string
	for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(p), "\n")
		joined := strings.TrimSpace(lines[0])
		for _, line := range lines[1:] {
			joined = joinLines(joined, strings.TrimSpace(line))
		}
		list = append(list, joined)
	}
	return list
}

func joinLines(before, after string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if wide(last) && wide(first) || widePunctuation(last) || widePunctuation(first) {
		return before + after
	}
	return before + " " + after
}

// wide reports whether a character is one of those that are set without spaces between words.
func wide(r rune) bool { return r >= 0x2E80 && r <= 0xFFEF }

// widePunctuation reports whether a character brings its own space.
func widePunctuation(r rune) bool { return r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF }

// value is what a query gave at its beat; nothing if that was not reached.
func (r *Run) value(q *Query) Value {
	if v, ok := r.values[q]; ok {
		return v
	}
	return absent(q.Reading.Type)
}

// right reports whether an option is right, as the model says.
func (r *Run) right(q *Question, o Option) bool {
	return q.Answer < len(r.Reached) && o.Is.holds(r.value)
}
