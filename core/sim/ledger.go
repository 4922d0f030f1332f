package sim

import (
	"maps"
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// ledger knows what no client can: for every group and record, how often it was processed. It is kept as runs.
type ledger struct {
	accounts map[account]*work // values are replaced, never changed
}

// account is one group's work on one partition.
type account struct {
	group string
	tp    kafka.TopicPartition
}

// work is what was done.
type work struct {
	begin   int64 // where the group's reading began
	done    []view.Run
	letters []view.Run // kept in a topic for dead letters
	stored  []view.Run // results written to an external store
}

func newLedger() ledger { return ledger{accounts: map[account]*work{}} }

func (l *ledger) clone() ledger { return ledger{accounts: maps.Clone(l.accounts)} }

// record enters the facts of one step.
func (l *ledger) record(facts []view.Fact) {
	for _, f := range facts {
		switch f.Kind {
		case view.PositionSet:
			l.begin(account{f.Group, f.Partition}, f.To)
		case view.Processed:
			l.processed(account{f.Group, f.Partition}, f.From)
		case view.DeadLettered:
			l.lettered(account{f.Group, f.Partition}, f.From)
		case view.ResultStored:
			l.stored(account{f.Group, f.Partition}, f.From)
		}
	}
}

// begin notes the smallest offset that a group ever set out from.
func (l *ledger) begin(a account, offset int64) {
	old := l.accounts[a]
	switch {
	case old == nil:
		l.accounts[a] = &work{begin: offset}
	case offset < old.begin:
		next := *old
		next.begin = offset
		l.accounts[a] = &next
	}
}

func (l *ledger) processed(a account, offset int64) {
	next := l.next(a, offset)
	next.done = addToRuns(next.done, offset)
	l.accounts[a] = &next
}

func (l *ledger) lettered(a account, offset int64) {
	next := l.next(a, offset)
	next.letters = addToRuns(next.letters, offset)
	l.accounts[a] = &next
}

func (l *ledger) stored(a account, offset int64) {
	next := l.next(a, offset)
	next.stored = addToRuns(next.stored, offset)
	l.accounts[a] = &next
}

// next is a copy of an account's work, to be changed; work that has not begun yet begins at the offset.
func (l *ledger) next(a account, offset int64) work {
	if old := l.accounts[a]; old != nil {
		return *old
	}
	return work{begin: offset}
}

// addToRuns counts one more processing of an offset, in a fresh slice of runs sorted by offset, in which neighbours
// of equal counts are one.
func addToRuns(runs []view.Run, offset int64) []view.Run {
	i, _ := slices.BinarySearchFunc(runs, offset, func(r view.Run, at int64) int {
		if r.To <= at {
			return -1
		}
		return 1
	})
	next := make([]view.Run, 0, len(runs)+2)
	next = append(next, runs[:i]...)
	one := view.Run{Span: view.Span{From: offset, To: offset + 1}, Times: 1}
	rest := runs[i:]
	if len(rest) > 0 && rest[0].From <= offset {
		split := rest[0]
		rest = rest[1:]
		one.Times = split.Times + 1
		next = join(next, view.Run{Span: view.Span{From: split.From, To: offset}, Times: split.Times})
		next = join(next, one)
		next = join(next, view.Run{Span: view.Span{From: offset + 1, To: split.To}, Times: split.Times})
	} else {
		next = join(next, one)
	}
	for _, r := range rest {
		next = join(next, r)
	}
	return next
}

// join appends a run, merging it with the last one where they touch and count the same; empty runs vanish.
func join(runs []view.Run, r view.Run) []view.Run {
	if r.Len() == 0 {
		return runs
	}
	if n := len(runs); n > 0 && runs[n-1].To == r.From && runs[n-1].Times == r.Times {
		runs[n-1].To = r.To
		return runs
	}
	return append(runs, r)
}

// notDone lists the stretches of from..to that no run covers.
func notDone(runs []view.Run, from, to int64) []view.Span {
	var gaps []view.Span
	for _, r := range runs {
		if r.To <= from {
			continue
		}
		if r.From >= to {
			break
		}
		if r.From > from {
			gaps = append(gaps, view.Span{From: from, To: r.From})
		}
		from = r.To
	}
	if from < to {
		gaps = append(gaps, view.Span{From: from, To: to})
	}
	return gaps
}

// onlyLettered lists the dead letters that nobody has processed after all.
func (w *work) onlyLettered() []view.Span {
	var spans []view.Span
	for _, r := range w.letters {
		spans = append(spans, notDone(w.done, r.From, r.To)...)
	}
	return spans
}

// cutOut takes a stretch out of others.
func cutOut(spans []view.Span, hole view.Span) []view.Span {
	if hole.Len() == 0 {
		return spans
	}
	var left []view.Span
	for _, s := range spans {
		if before := (view.Span{From: s.From, To: min(s.To, hole.From)}); before.Len() > 0 {
			left = append(left, before)
		}
		if after := (view.Span{From: max(s.From, hole.To), To: s.To}); after.Len() > 0 {
			left = append(left, after)
		}
	}
	return left
}
