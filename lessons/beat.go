package lessons

import (
	"fmt"
	"slices"
	"time"
)

var beatEntryKind = object("a beat", []field[Beat]{
	may("at", durationKind, "it is reached after everything that happens up to this time", func(b *Beat) *time.Duration { return &b.At }),
	may("when", conditionKind, "it is reached after the first event at which this holds", func(b *Beat) **Condition { return &b.When }),
	may("look", list(lookKind), "what to look at", func(b *Beat) *[]string { return &b.Look }),
	may("must", conditionsKind, "what must be true at the beat", func(b *Beat) *[]*Condition { return &b.Must }),
	may("during", conditionsKind, "what must be true at every event since the beat before", func(b *Beat) *[]*Condition { return &b.During }),
	may("predict", questionKind, "a question to answer before going on", func(b *Beat) **Question { return &b.Question }),
})

func readBeat(d *decoder, id string, p pair) Beat {
	b := beatEntryKind.read(d, p.value)
	b.ID, b.place = id, p.at
	b.Timed = p.value.find("at") != nil
	for _, moment := range []string{"at", "when"} {
		if p.value.find(moment) != nil {
			b.place = p.value.keyPlace(moment)
		}
	}
	switch first := d.names.beats[0] == id; {
	case b.Timed && b.When != nil:
		d.problem(p.at, fmt.Sprintf("beat %q has both at and when", clip(id)), "one of them", "")
	case !first && !b.Timed && b.When == nil:
		d.problem(p.at, fmt.Sprintf("beat %q is never reached", clip(id)), "at or when; only the first beat may be the start itself", "")
	}
	return b
}

// areas are the parts of the stage that a beat can point at, beside what the lesson names.
var areas = []string{"sequence", "coordinator", "code", "clock", "figures"}

// lookKind is something to look at: a process, a store, a group, a topic, a partition, or an area of the stage.
var lookKind = kind[string]{expected: "the id of something on the stage", read: func(d *decoder, n *node) string {
	known := slices.Concat(d.names.processes(), d.names.stores, d.names.groups, d.names.topicNames(), d.names.partitionNames(), areas)
	if n.kind != scalar {
		d.mismatch(n, "the id of something on the stage")
	} else if !slices.Contains(known, n.text) {
		d.unknown(n.place, "thing to look at", n.text, known)
	}
	return n.text
}}

// questionEntry is a question as a file writes it.
type questionEntry struct {
	id      string
	at      string
	options []Option
}

var questionEntryKind = object("a question", []field[questionEntry]{
	must("id", slugKind, "the question's id", func(q *questionEntry) *string { return &q.id }),
	may("at", beatKind, "the beat that shows the answer; the next one if absent", func(q *questionEntry) *string { return &q.at }),
	must("options", byID(slugKind, readOption), "possible answers, each with the condition that makes it right", func(q *questionEntry) *[]Option { return &q.options }),
})

// questionKind is a question; which beat answers it is settled once all beats are read.
var questionKind = kind[*Question]{expected: "a question", read: func(d *decoder, n *node) *Question {
	entry := questionEntryKind.read(d, n)
	q := &Question{ID: entry.id, Answer: slices.Index(d.names.beats, entry.at), Options: entry.options, place: n.place}
	if options := n.find("options"); options != nil && len(q.Options) < 2 {
		d.problem(options.place, "a question needs a choice", "two options or more", "")
	}
	return q
}}

func readOption(d *decoder, id string, p pair) Option {
	return Option{ID: id, Is: d.condition(p.value), place: p.at}
}

// settleQuestions gives each question the beat that answers it, and checks that their ids differ.
func settleQuestions(d *decoder, beats []Beat) {
	seen := map[string]bool{}
	for i := range beats {
		q := beats[i].Question
		if q == nil {
			continue
		}
		if seen[q.ID] {
			d.problem(q.place, fmt.Sprintf("a second question has the id %q", clip(q.ID)), "ids that differ", "")
		}
		seen[q.ID] = true
		if q.Answer < 0 {
			q.Answer = i + 1
		}
		if q.Answer <= i || q.Answer >= len(beats) {
			d.problem(q.place, "no later beat answers this question", "at: a beat after this one", "")
		}
	}
}
