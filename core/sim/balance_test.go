package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// randomWork draws a group of one pattern, good or bad, whose members meet faults while they work. Some of the records
// are aborted, or cannot be read.
func randomWork(t *rapid.T) Script {
	name := rapid.SampledFrom(client.PatternNames()).Draw(t, "pattern")
	p, _ := client.PatternNamed(name, time.Second, time.Duration(rapid.IntRange(5, 300).Draw(t, "process"))*ms)
	s := crashRun(p, 1, 1, "crash")
	s.Commands = nil
	s.Consumers[1].Start = time.Duration(rapid.IntRange(0, 20).Draw(t, "second")) * second
	s.Producers = []client.ProducerSpec{
		{ID: "P1", Topic: "T1", Every: 300 * ms, Stop: 40 * second},
		{ID: "P2", Topic: "T1", Every: 700 * ms, Stop: 40 * second, PerTransaction: 3, Ends: []string{client.CommitTransaction, client.AbortTransaction},
			Settings: map[string]string{"transactional.id": "x"}},
	}
	for i := range s.Consumers {
		s.Consumers[i].Settings["isolation.level"] = rapid.SampledFrom([]string{"read_committed", "read_uncommitted"}).Draw(t, "isolation")
	}
	for range rapid.IntRange(0, 8).Draw(t, "faults") {
		c := Command{At: time.Duration(rapid.IntRange(0, 40_000).Draw(t, "at")) * ms}
		c.Node = rapid.SampledFrom([]kafka.NodeID{"C1", "C2"}).Draw(t, "whom")
		c.Do = rapid.SampledFrom([]Verb{Close, Crash, Restart, Restart, Freeze, Cut, Mend}).Draw(t, "do")
		switch c.Do {
		case Freeze:
			c.For = time.Duration(rapid.IntRange(1, 20).Draw(t, "for")) * second
		case Cut, Mend:
			c.Peer = "B1"
		}
		s.Commands = append(s.Commands, c)
	}
	return s
}

// books counts, record by record and from the trace alone, what the ledger keeps as runs.
type books struct {
	done  map[place]int
	begin map[kafka.TopicPartition]int64
}

func (b *books) enter(e *view.Entry) {
	for _, f := range e.Facts {
		switch f.Kind {
		case view.Processed:
			b.done[place{f.Partition, f.From}]++
		case view.PositionSet:
			if old, ok := b.begin[f.Partition]; !ok || f.To < old {
				b.begin[f.Partition] = f.To
			}
		}
	}
}

// compare checks that the ledger has each record of a partition as often as the books, and that each one which the group
// committed past was processed, is hidden, is in somebody's hands, or is lost: one of these, and no other is lost.
func (b *books) compare(t require.TestingT, w *World, f *view.Frame, work *view.Work) {
	tp := work.TopicPartition
	inRuns := map[int64]int{}
	for _, r := range work.Done {
		for offset := r.From; offset < r.To; offset++ {
			require.Zero(t, inRuns[offset], "runs overlap at %d of %v", offset, tp)
			inRuns[offset] = r.Times
		}
	}
	spans := w.hidden(tp)
	for i := range f.Consumers {
		for _, o := range f.Consumers[i].Owned {
			if o.TopicPartition == tp && !f.Consumers[i].Liveness.Gone() {
				spans = append(spans, o.Returned, o.Fetched)
			}
		}
	}
	if begin, ok := b.begin[tp]; ok {
		require.Equal(t, begin, work.Begin)
	}
	for offset := range f.Topics[0].Partitions[tp.Partition].LogEnd {
		times := b.done[place{tp, offset}]
		require.Equal(t, times, inRuns[offset], "%v at %d was processed so often", tp, offset)
		passed := work.Begin >= 0 && offset >= work.Begin && offset < work.Committed
		lost := passed && times == 0 && !covered(offset, spans)
		require.Equal(t, lost, covered(offset, work.Lost), "%v at %d is lost", tp, offset)
	}
}

func covered(offset int64, spans []view.Span) bool {
	for _, s := range spans {
		if offset >= s.From && offset < s.To {
			return true
		}
	}
	return false
}

func TestTheLedgerBalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(randomWork(t))
		require.NoError(t, err)
		h := NewHistory(w)
		b := books{map[place]int{}, map[kafka.TopicPartition]int64{}}
		for h.Step() {
			n := h.Len()
			b.enter(h.Entry(n))
			if n%50 == 0 || n < 50 {
				b.compareAll(t, h.At(n), h.Frame(n))
			}
			require.Less(t, n, 100_000, "the run does not end")
		}
		b.compareAll(t, h.At(h.Len()), last(h))
	})
}

func (b *books) compareAll(t require.TestingT, w *World, f *view.Frame) {
	for _, g := range f.Groups {
		for i := range g.Work {
			if g.Work[i].Topic == "T1" {
				b.compare(t, w, f, &g.Work[i])
			}
		}
	}
}
