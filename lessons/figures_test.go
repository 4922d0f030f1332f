package lessons

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/figures"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

func figuresOf(r *Run) *figures.Figures {
	return figures.Of(figures.Run{Events: r.History.Len(), Entry: r.History.Entry, Frame: r.History.Frame})
}

func lessonNamed(t *testing.T, id string) *Lesson {
	l, err := Load(Builtin(), id)
	require.NoError(t, err)
	return l
}

// folded is what a reading off the trace gives after an event.
func folded(r *Run, event int, reading func(*Arguments) Fold, a Arguments) Value {
	fold := reading(&a)
	var at time.Duration
	for e := range r.History.Entries(1, event) {
		fold.Step(e)
		at = e.At
	}
	return fold.Value(at)
}

// TestFiguresAgreeWithTheReadings compares both at the end of every lesson, and half way through.
func TestFiguresAgreeWithTheReadings(t *testing.T) {
	for _, title := range Catalogue() {
		t.Run(title.ID, func(t *testing.T) {
			r, err := lessonNamed(t, title.ID).Play("")
			require.NoError(t, err)
			all := figuresOf(r)
			end := r.History.Len()
			stride := figures.Stride(end)
			for _, event := range []int{end / 2 / stride * stride, end} {
				for i := range all.Groups {
					agree(t, r, &all.Groups[i], event)
				}
				for _, k := range all.Requests {
					sent := folded(r, event, newRequests, Arguments{AnyError: true, API: k.API})
					require.Equal(t, sent.Number, k.Sent.At(event), "%v up to event %d", k.API, event)
				}
			}
		})
	}
}

func agree(t *testing.T, r *Run, g *figures.Group, event int) {
	f := r.History.Frame(event)
	a := Arguments{Group: g.ID, AnyPartition: true}
	require.Equal(t, duplicates(f, &a).Number, g.Duplicates.At(event), "duplicates of %s up to event %d", g.ID, event)
	require.Equal(t, lost(f, &a).Number, g.Lost.At(event), "lost")
	require.Equal(t, folded(r, event, newRebalances, a).Number, int64(len(g.Begun(event))), "rebalances")
	require.Equal(t, folded(r, event, newDelivered, a).Number, g.Delivered.At(event), "delivered")
	require.Equal(t, folded(r, event, newProcessed, a).Number, g.Processed.At(event), "processed")
	if total := lag(f, &a); total.Absent {
		require.EqualValues(t, figures.NoLag, g.Lag(event))
	} else {
		require.Equal(t, total.Number, g.Lag(event), "lag")
	}
	now := figures.Moment{Event: event, At: f.At}
	for i := range g.Partitions {
		p := &g.Partitions[i]
		a := Arguments{Group: g.ID, Partition: p.TopicPartition}
		var longest time.Duration
		for _, gap := range p.Gaps(now) {
			longest = max(longest, gap.Len())
		}
		unowned := folded(r, event, newLongestUnowned, a)
		require.Equal(t, unowned.Duration, longest, "the longest time without owner of %v", p.TopicPartition)
	}
}

// TestMovedPartitionsAgreeWithTheReading counts those of the last rebalance of a lesson. The reading counts first owners too.
func TestMovedPartitionsAgreeWithTheReading(t *testing.T) {
	for _, id := range []string{"consumer-crashes", "eager-and-cooperative", "two-consumers"} {
		r, err := lessonNamed(t, id).Play("")
		require.NoError(t, err)
		g := figuresOf(r).Groups[0]
		last := g.Rebalances[len(g.Rebalances)-1]
		fold := newMoved(&Arguments{Group: g.ID})
		for e := range r.History.Entries(1, r.History.Len()) {
			if e.Event == last.From.Event {
				fold.Mark(e.At)
			}
			fold.Step(e)
		}
		require.Equal(t, fold.Value(0).Number, int64(last.Moved), id)
		require.Positive(t, last.Moved, id)
	}
}

// TestARebalanceSaysWhatBeganIt looks at a lesson in which a consumer joins, and one in which a session expires.
func TestARebalanceSaysWhatBeganIt(t *testing.T) {
	r, err := lessonNamed(t, "consumer-crashes").Play("")
	require.NoError(t, err)
	g := figuresOf(r).Groups[0]
	require.Equal(t, figures.Joined, g.Rebalances[0].Why)
	require.Equal(t, figures.Left, g.Rebalances[len(g.Rebalances)-1].Why)
}

func TestTwoOwnersAtATimeAreSeen(t *testing.T) {
	part := kafka.TopicPartition{Topic: "T1"}
	assigned := func(event int, node kafka.NodeID, parts ...kafka.TopicPartition) view.Entry {
		return view.Entry{Event: event, At: time.Duration(event) * time.Second, Node: node,
			Facts: []view.Fact{{Kind: view.Assigned, Node: node, Group: "G1", Partitions: parts}}}
	}
	trace := []view.Entry{assigned(1, "C1", part), assigned(2, "C2", part), assigned(3, "C1"), assigned(4, "C2"), assigned(5, "C1", part)}
	f := figures.Of(figures.Run{
		Events: len(trace), Entry: func(n int) *view.Entry { return &trace[n-1] },
		Frame: func(n int) *view.Frame { return &view.Frame{Event: n} },
	})
	p := f.Groups[0].Partitions[0]
	at := func(event int) figures.Moment {
		return figures.Moment{Event: event, At: time.Duration(event) * time.Second}
	}
	require.Equal(t, []figures.Span{{From: at(2), To: at(3)}}, p.Doubles(at(5)))
	require.Equal(t, []figures.Span{{From: at(4), To: at(5)}}, p.Gaps(at(5)))
	require.Equal(t, time.Second, p.Unowned(at(5)))
}
