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
	run := &Run{
		Lesson: l, Variant: variant, Plan: plan, History: sim.NewHistory(world), branches: make([]branchState, 1), words: words,
		values: map[*Query]Value{},
	}
	p := newPlayer(run, run.waitingAt(0))
	if first := plan.Beats[0]; !first.Timed && first.When == nil {
		p.reach()
	}
	if err := p.play(); err != nil {
		return nil, plan.until.problem(err.Error(), "an earlier end, or fewer records")
	}
	if len(p.refused) > 0 {
		return nil, p.refused[0]
	}
	for _, i := range p.waiting {
		run.waiting = append(run.waiting, plan.Commands[i])
	}
	return run, nil
}

// player follows a branch of a history as it grows, and notices what is waited for: the next beat, and commands.
type player struct {
	run     *Run
	reader  *reader
	queries [][]*Query // by beat: what is read when it is reached
	waiting []int      // commands not given yet
	refused []error    // what the world said to commands that make no sense
}

// newPlayer makes a player at the tip of the current branch.
func newPlayer(run *Run, waiting []int) *player {
	p := &player{run: run, reader: newReader(run.History), queries: beatQueries(run.Plan.Beats, run.words), waiting: waiting}
	watch := func(q *Query) { p.reader.watch(q) }
	for i, b := range run.Plan.Beats {
		p.reader.watch(p.queries[i]...)
		if b.When != nil {
			b.When.queries(watch)
		}
	}
	for _, i := range waiting {
		run.Plan.Commands[i].When.queries(watch)
	}
	p.reader.goOver(run)
	return p
}

// goOver takes the reader through what has happened, with the beats that were reached in it.
func (r *reader) goOver(run *Run) {
	beat := 0
	for narrated := run.narrated(); ; r.step(run.History.Entry(r.event + 1)) {
		for ; beat < len(run.Reached) && run.Reached[beat].Event == r.event && r.event <= narrated; beat++ {
			r.mark()
		}
		if r.event == run.History.Len() {
			return
		}
	}
}

// play plays the current branch from its tip to its end.
func (p *player) play() error {
	for {
		p.command()
		if p.run.History.Len() > maxEvents {
			return fmt.Errorf("more than %d events happen before the end: the last of them at %s s", maxEvents, seconds(p.reader.at))
		}
		if !p.run.History.Step() {
			break
		}
		p.follow()
	}
	for b := p.next(); b != nil && b.Timed && b.At <= p.run.Until(); b = p.next() {
		p.reach() // at a time after the last event the world is as that event left it
	}
	return nil
}

// next is the beat that is waited for; nil after the last, and where a person has changed what happens.
func (p *player) next() *Beat {
	if len(p.run.Reached) == len(p.run.Plan.Beats) || p.run.History.Current() != 0 {
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
func (p *player) command() {
	for i := 0; i < len(p.waiting); i++ {
		index := p.waiting[i]
		c := &p.run.Plan.Commands[index]
		if !c.When.holds(p.reader.read) {
			continue
		}
		p.waiting = slices.Delete(p.waiting, i, i+1)
		i = -1
		if err := p.run.History.Do(c.Command); err != nil {
			p.refused = append(p.refused, c.place.problem(fmt.Sprintf("the world refuses this command: %s", err), ""))
			continue
		}
		branch := &p.run.branches[p.run.History.Current()]
		branch.given = append(branch.given, given{index, p.run.History.Len() - 1})
		p.follow()
	}
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
