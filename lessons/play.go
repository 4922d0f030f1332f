package lessons

import (
	"fmt"
	"slices"

	"groupscope/core/sim"
)

// maxEvents bounds a run, so that a lesson with a slip in it cannot occupy the player for ever.
const maxEvents = 200_000

// Play plays the lesson, or a variant of it ("" is the base), to its end. It verifies nothing; Check does. The error is
// of type Problems, unless there is no such variant.
func (l *Lesson) Play(variant string) (*Run, error) {
	plan, words, err := l.Variant(variant)
	if err != nil {
		return nil, err
	}
	world, err := sim.New(plan.Script)
	if err != nil {
		return nil, plan.until.problem(err.Error(), "a script that the model can play")
	}
	run := &Run{Lesson: l, Variant: variant, Plan: plan, History: sim.NewHistory(world), words: words, values: map[*Query]Value{}}
	p := newPlayer(run)
	for run.History.Step() {
		p.follow()
		if err := p.command(); err != nil {
			return nil, err
		}
		if run.History.Len() > maxEvents {
			return nil, plan.until.problem(fmt.Sprintf("more than %d events happen before the end: the last of them at %s s", maxEvents, seconds(p.reader.at)),
				"an earlier end, or fewer records")
		}
	}
	p.end()
	return run, nil
}

// player follows a history as it grows, and notices what is waited for: the next beat, and commands.
type player struct {
	run     *Run
	reader  *reader
	queries [][]*Query    // by beat: what is read when it is reached
	waiting []Conditional // commands not given yet
}

func newPlayer(run *Run) *player {
	p := &player{
		run:     run,
		reader:  newReader(run.History),
		queries: beatQueries(run.Plan.Beats, run.words),
		waiting: slices.Clone(run.Plan.Commands),
	}
	watch := func(q *Query) { p.reader.watch(q) }
	for i, b := range run.Plan.Beats {
		p.reader.watch(p.queries[i]...)
		if b.When != nil {
			b.When.queries(watch)
		}
	}
	for _, c := range p.waiting {
		c.When.queries(watch)
	}
	if first := run.Plan.Beats[0]; !first.Timed && first.When == nil {
		p.reach()
	}
	return p
}

// next is the beat that is waited for; nil after the last.
func (p *player) next() *Beat {
	if len(p.run.Reached) == len(p.run.Plan.Beats) {
		return nil
	}
	return &p.run.Plan.Beats[len(p.run.Reached)]
}

// reach notes that the next beat is reached at the reader's event, and reads what it needs there.
func (p *player) reach() {
	for _, q := range p.queries[len(p.run.Reached)] {
		p.run.values[q] = p.reader.read(q)
	}
	p.run.Reached = append(p.run.Reached, Reached{Event: p.reader.event, At: p.reader.at})
	p.reader.mark()
}

// follow takes up the history's last event.
func (p *player) follow() {
	entry := p.run.History.Entry(p.run.History.Len())
	for b := p.next(); b != nil && b.Timed && entry.At > b.At; b = p.next() {
		p.reach()
	}
	p.reader.step(entry)
	if b := p.next(); b != nil && b.When != nil && b.When.holds(p.reader.read) {
		p.reach()
	}
}

// command gives the commands whose condition holds now. Each is an event, which may bring the next one on.
func (p *player) command() error {
	for i := 0; i < len(p.waiting); i++ {
		c := p.waiting[i]
		if !c.When.holds(p.reader.read) {
			continue
		}
		if err := p.run.History.Do(c.Command); err != nil {
			return c.place.problem(fmt.Sprintf("the world refuses this command: %s", err), "")
		}
		p.waiting = slices.Delete(p.waiting, i, i+1)
		p.follow()
		i = -1
	}
	return nil
}

// end reaches the beats that are timed after the last event: at their time the world is as that event left it.
func (p *player) end() {
	for b := p.next(); b != nil && b.Timed && b.At <= p.run.Plan.Script.Until; b = p.next() {
		p.reach()
	}
	p.run.waiting = p.waiting
}

// beatQueries lists, by beat, everything that is read when it is reached: by its claims and its words, and by the
// question that it answers.
func beatQueries(beats []Beat, words Words) [][]*Query {
	queries := make([][]*Query, len(beats))
	at := func(beat int) func(*Query) {
		return func(q *Query) { queries[beat] = append(queries[beat], q) }
	}
	for i, b := range beats {
		for _, claim := range b.Must {
			claim.queries(at(i))
		}
		for _, w := range words {
			w.Beats[i].queries(at(i))
			if b.Question != nil {
				w.Beats[i].Explain.queries(at(b.Question.Answer))
			}
		}
		if b.Question != nil {
			for _, o := range b.Question.Options {
				o.Is.queries(at(b.Question.Answer))
			}
		}
	}
	return queries
}

// queries calls visit for every reading in what is said at the beat itself.
func (t *beatTexts) queries(visit func(*Query)) {
	for _, text := range []template{t.Title, t.Text, t.Predict} {
		text.queries(visit)
	}
	for _, o := range t.Options {
		o.text.queries(visit)
	}
}

func (t template) queries(visit func(*Query)) {
	for _, p := range t {
		if p.query != nil {
			visit(p.query)
		}
	}
}
