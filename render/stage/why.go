package stage

import (
	"slices"
	"strings"

	"groupscope/core/view"
	"groupscope/render/scene"
)

// A chain of causes that is longer than longChain shows its first and last links; the middle unfolds.
const (
	longChain  = 8
	chainFirst = 4
	chainLast  = 2
)

// causes lists the events that led to one, the nearest first, back to a command or to a timer that ran out.
func (in *input) causes(event int) []int {
	var out []int
	for cause := in.entries(event).Cause; cause > 0; cause = in.entries(cause).Cause {
		out = append(out, cause)
		if kind := in.entries(cause).Kind; kind == view.Commanded || kind == view.Fired {
			break
		}
	}
	return out
}

// whyRows links an event to the chain of its causes.
func (in *input) whyRows(event int) []row {
	w := in.words
	chain := in.causes(event)
	if len(chain) == 0 {
		return []row{{name: w.say("detail.cause"), value: w.say("detail.cause-script")}}
	}
	name := w.say("detail.cause")
	var rows []row
	for i := 0; i < len(chain); i++ {
		if hidden := len(chain) - chainFirst - chainLast; i == chainFirst && len(chain) > longChain && !in.session.Unfolded {
			rows = append(rows, row{
				name: w.say("detail.because"), value: w.say("detail.more-causes", "n", number(hidden)), id: "link:causes", action: scene.Action{Do: Unfold},
			})
			i += hidden
		}
		rows = append(rows, in.link(name, in.eventPlace(chain[i])+" · "+in.eventLead(in.entries(chain[i])), eventID(chain[i])))
		name = w.say("detail.because")
	}
	return rows
}

// eventPlace is an event's number and time.
func (in *input) eventPlace(event int) string {
	return in.words.say("detail.event-at", "n", number(event), "time", in.words.clock(in.track.times[event]))
}

// farBack is how many events back the last one of a thing is looked for.
const farBack = 20_000

// lastRows link a thing to the last event in which it had a part, and that to its causes.
func (in *input) lastRows(thing string) []row {
	for event := in.frame.Event; event > 0 && event > in.frame.Event-farBack; event-- {
		e := in.entries(event)
		if !acts(e, thing) {
			continue
		}
		rows := []row{{value: in.words.say("detail.why"), head: true},
			in.link(in.words.say("detail.last-event"), in.eventPlace(event)+" · "+in.eventSentence(e), eventID(event))}
		return append(rows, in.whyRows(event)...)
	}
	return nil
}

// acts reports whether a thing did something in an event, or something was done with it: of a node, more than that a message
// of it arrived elsewhere.
func acts(e *view.Entry, thing string) bool {
	if id, ok := strings.CutPrefix(thing, "node:"); ok {
		return string(e.Node) == id
	}
	return concerns(e, thing)
}

// nearRows list events of the chosen kind before and after the present one.
func (in *input) nearRows() []row {
	events, w := in.track.marks[in.session.Mark], in.words
	rows := []row{{value: w.say("detail.events", "mark", w.say("mark."+in.session.Mark), "n", number(len(events))), head: true}}
	following := Marks[(slices.Index(Marks, in.session.Mark)+1)%len(Marks)]
	rows = append(rows, row{value: w.say("mark.tip"), id: "near:kind", action: scene.Action{Do: Mark, Arg: following}})
	at, _ := slices.BinarySearch(events, in.frame.Event+1)
	for i := max(0, at-nearEvents); i < min(len(events), at+nearEvents); i++ {
		rows = append(rows, in.link("", in.eventPlace(events[i])+" · "+in.eventSentence(in.entries(events[i])), eventID(events[i])))
		rows[len(rows)-1].id = "near:" + number(events[i])
	}
	return rows
}

// nearEvents is how many events of a kind are listed before and after the present one.
const nearEvents = 6
