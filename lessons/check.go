package lessons

import (
	"fmt"
	"strings"
)

// Check verifies everything the lesson says of this run: that every beat and command came, each claim, what must hold
// between beats, and that each question has exactly one right option.
func (r *Run) Check() Problems {
	var c checker
	c.commands(r)
	for i, b := range r.Plan.Beats {
		if i == len(r.Reached) {
			c.missed(r, i)
			break
		}
		if i > 0 && r.Reached[i].Event == r.Reached[i-1].Event {
			c.problem(b.place, fmt.Sprintf("nothing happens between beat %q and the one before", b.ID), "a later moment")
		}
		for _, claim := range b.Must {
			if !claim.holds(r.value) {
				c.failed(r, claim, r.value, r.Reached[i].Event)
			}
		}
		c.question(r, b.Question)
	}
	return append(c.problems, r.checkDuring()...).sorted()
}

// Claims counts what Check verifies: claims, conditions between beats, and questions.
func (p *Plan) Claims() int {
	count := 0
	for _, b := range p.Beats {
		count += len(b.Must) + len(b.During)
		if b.Question != nil {
			count++
		}
	}
	return count
}

// checker collects what a run does not bear out.
type checker struct{ problems Problems }

func (c *checker) problem(at place, message, expected string) {
	c.problems = append(c.problems, Problem{File: at.File, Line: at.Line, Column: at.Column, Message: message, Expected: expected})
}

// failed reports a claim that does not hold.
func (c *checker) failed(r *Run, claim *Condition, read func(*Query) Value, event int) {
	found, expected := claim.failure(read)
	c.problem(claim.place, fmt.Sprintf("%s at event %d, %s%s", found, event, r.clock(event), r.inVariant()), expected)
}

func (r *Run) inVariant() string {
	if r.Variant == "" {
		return ""
	}
	return fmt.Sprintf(" (variant %s)", r.Variant)
}

func (r *Run) clock(event int) string {
	if event == 0 {
		return "0 s"
	}
	return seconds(r.History.Entry(event).At) + " s"
}

// missed reports the first beat that was not reached, and with it those that follow.
func (c *checker) missed(r *Run, beat int) {
	b := r.Plan.Beats[beat]
	message := fmt.Sprintf("beat %q is never reached%s", b.ID, r.inVariant())
	if b.When != nil {
		message += ": its condition held at no event before the end, " + seconds(r.Plan.Script.Until) + " s"
		if beat > 0 {
			message += fmt.Sprintf(", after beat %q", r.Plan.Beats[beat-1].ID)
		}
	}
	expected := ""
	if later := len(r.Plan.Beats) - beat - 1; later > 0 {
		message += fmt.Sprintf("; nor the %s after it", counted(later, "beat"))
	}
	if b.Timed {
		expected = "a time before until: " + seconds(r.Plan.Script.Until) + " s"
	}
	c.problem(b.place, message, expected)
}

// commands reports the commands that were never given, and those that the world refused.
func (c *checker) commands(r *Run) {
	for _, w := range r.waiting {
		c.problem(w.place, fmt.Sprintf("command %q is never given%s: its condition held at no event", w.ID, r.inVariant()), "")
	}
	for i, why := range r.refused() {
		if why != "" && !r.Plan.given[i].optional {
			c.problem(r.Plan.given[i].place, "the world refuses this command: "+why, "")
		}
	}
}

// refused tells why the world refused each of the script's commands in the current branch; "" for those that it did not.
func (r *Run) refused() []string {
	reasons := make([]string, len(r.Plan.Script.Commands))
	for e := range r.History.Entries(1, r.History.Len()) {
		_, why, refused := strings.Cut(e.Command, " (refused: ")
		if !refused {
			continue
		}
		for i := range r.Plan.Script.Commands {
			given := &r.Plan.Script.Commands[i]
			if given.At == e.At && strings.HasPrefix(e.Command, given.Text()+" (") {
				reasons[i] = strings.TrimSuffix(why, ")")
			}
		}
	}
	return reasons
}

// question reports a question that does not have exactly one right option.
func (c *checker) question(r *Run, q *Question) {
	if q == nil || q.Answer >= len(r.Reached) {
		return
	}
	var right, found []string
	for _, o := range q.Options {
		if o.Is.holds(r.value) {
			right = append(right, o.ID)
		} else {
			message, _ := o.Is.failure(r.value)
			found = append(found, message)
		}
	}
	at := fmt.Sprintf(" at beat %q%s", r.Plan.Beats[q.Answer].ID, r.inVariant())
	switch {
	case len(right) == 0:
		c.problem(q.place, fmt.Sprintf("no option of question %q is right%s: %s", q.ID, at, strings.Join(found, "; ")), "one")
	case len(right) > 1:
		c.problem(q.place, fmt.Sprintf("%d options of question %q are right%s: %s", len(right), q.ID, at, strings.Join(right, ", ")), "one")
	}
}

// checkDuring goes through the run once more and verifies what must hold between beats; each claim is reported at
// the first event that breaks it.
func (r *Run) checkDuring() Problems {
	reader, last := newReader(r.History), -1
	for i := range r.Reached {
		for _, claim := range r.Plan.Beats[i].During {
			claim.queries(func(q *Query) { reader.watch(q) })
			last = i
		}
	}
	var c checker
	broken := map[*Condition]bool{}
	for i := 0; i <= last; i++ {
		for reader.event < r.Reached[i].Event {
			reader.step(r.History.Entry(reader.event + 1))
			for _, claim := range r.Plan.Beats[i].During {
				if !broken[claim] && !claim.holds(reader.read) {
					broken[claim] = true
					c.failed(r, claim, reader.read, reader.event)
				}
			}
		}
		reader.mark()
	}
	return c.problems
}
