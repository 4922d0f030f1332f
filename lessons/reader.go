package lessons

import (
	"time"

	"groupscope/core/sim"
	"groupscope/core/view"
)

// reader reads queries off a history, going through it from the first event on.
type reader struct {
	history *sim.History
	event   int
	at      time.Duration
	folds   map[*Query]Fold
	order   []*Query // the queries that have folds
}

func newReader(h *sim.History) *reader { return &reader{history: h, folds: map[*Query]Fold{}} }

// watch readies the reader for a query. Queries must be watched before the first event.
func (r *reader) watch(queries ...*Query) {
	for _, q := range queries {
		if q.Reading.Trace != nil && r.folds[q] == nil {
			r.folds[q] = q.Reading.Trace(&q.Arguments)
			r.order = append(r.order, q)
		}
	}
}

// step goes on to the next event.
func (r *reader) step(e *view.Entry) {
	r.event, r.at = e.Event, e.At
	for _, q := range r.order {
		r.folds[q].Step(e)
	}
}

// mark makes what is counted since the beat before begin here.
func (r *reader) mark() {
	for _, q := range r.order {
		if q.Since == SinceBeat {
			r.folds[q].Mark(r.at)
		}
	}
}

// read is what a query gives after the last event.
func (r *reader) read(q *Query) Value {
	if fold := r.folds[q]; fold != nil {
		return fold.Value(r.at)
	}
	return q.Reading.Frame(r.history.Frame(r.event), &q.Arguments)
}
