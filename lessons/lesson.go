// Package lessons reads lessons from their files, plays them on the model and checks what they claim.
//
// A lesson is a folder: lesson.yaml says what happens and what must be true, and one words file for each language
// (en.yaml, zh.yaml) says it to people. README.md beside this file is the author's guide to the format.
package lessons

import (
	"time"

	"groupscope/core/sim"
)

// Lesson is one lesson. The embedded Plan and Words are those of the base; a variant has its own.
type Lesson struct {
	ID      string // the name of its folder
	Chapter string // its chapter's id in the course; "" outside the course
	Order   int    // its place in the course, 1 for the first; 0 outside the course
	Sources []Source
	Plan
	Words    Words
	Variants []Variant // in the order of the file

	files map[string]string // that it was read from, by name
}

// Variant is the lesson with some of it replaced: another release, another setting, another claim.
type Variant struct {
	ID string
	Plan
	Words Words
}

// Source is a section of a document that the lesson teaches from.
type Source struct {
	Document string
	Headings []string
}

// Plan is what is played: the script, the commands that wait for a condition, and the beats in order.
type Plan struct {
	Script   sim.Script
	Commands []Conditional
	Beats    []Beat

	root  *node // what was read
	file  *lessonFile
	until place          // of the script's end
	given []timedCommand // the script's commands
}

// timedCommand is what a plan keeps of a command of its script.
type timedCommand struct {
	place    place
	optional bool // the world may refuse it
}

// Conditional is a command given once, after the first event at which its condition holds.
type Conditional struct {
	ID      string
	When    *Condition
	Command sim.Command

	place place
}

// Beat is one step of the narration. It is reached at its moment: after everything that happens up to At, or
// after the first event since the beat before at which When holds. With neither, it is the start, before any event.
type Beat struct {
	ID       string
	At       time.Duration
	Timed    bool // At counts
	When     *Condition
	Look     []string // what to look at: ids of nodes, groups, topics and partitions, or areas of the stage
	Must     []*Condition
	During   []*Condition // at every event since the beat before
	Question *Question    // nil: nothing to predict

	place place
}

// Question is something to predict at a beat. Exactly one option is right: the one whose condition holds at the
// beat that answers it.
type Question struct {
	ID      string
	Answer  int // index of the beat that answers it
	Options []Option

	place place
}

// Option is one possible answer.
type Option struct {
	ID string
	Is *Condition

	place place
}

// Words is what a lesson says, by language ("en", "zh").
type Words map[string]*LessonWords

// LessonWords is what a lesson says in one language.
type LessonWords struct {
	Title   string
	Idea    string      // the lesson in one sentence
	Variant string      // the name of this variant; "" where there is only one
	Beats   []beatTexts // by index of the beat
}

// place is where something stands in a file.
type place struct {
	File         string
	Line, Column int
}
