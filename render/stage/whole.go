package stage

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/sim"
	"groupscope/core/view"
	"groupscope/lessons"
)

// whole is what the layout knows of the whole run: it leaves room for all that will come, so that nothing changes its
// place or its size on the way.
type whole struct {
	views   []*view.Frame // at every beat and at the end, which is the last
	starts  map[kafka.NodeID]time.Duration
	readers map[string]int // by topic: how many groups read it at most
	rooms   map[roomKey]room
	nodes   []kafka.NodeID // that have a lane in the sequence, in its order
}

func newWhole(views []*view.Frame, starts map[kafka.NodeID]time.Duration) *whole {
	w := &whole{views: views, starts: starts, readers: map[string]int{}, rooms: map[roomKey]room{}}
	w.nodes = laneNodes(w.last())
	for _, f := range views {
		in := input{frame: f}
		for i := range f.Topics {
			name := f.Topics[i].Name
			w.readers[name] = max(w.readers[name], in.readers(name))
		}
	}
	return w
}

// wholeRun gathers what the layout knows of a run.
func wholeRun(run *lessons.Run) *whole {
	var views []*view.Frame
	for _, r := range reachedIn(run) {
		views = append(views, run.History.Frame(r.Event))
	}
	return newWhole(append(views, run.History.Frame(run.History.Len())), starts(scriptOf(run)))
}

// scriptOf is a lesson's script with what was given in the branches that lead to the present one.
func scriptOf(run *lessons.Run) *sim.Script {
	script, branches := run.Plan.Script, run.History.Branches()
	for b := branches[run.History.Current()]; ; b = branches[b.Parent] {
		script.Commands = slices.Concat(script.Commands, b.Given)
		if b.ID == 0 {
			return &script
		}
	}
}

// starts says when the clients of a script start.
func starts(s *sim.Script) map[kafka.NodeID]time.Duration {
	out := map[kafka.NodeID]time.Duration{}
	for i := range s.Consumers {
		out[s.Consumers[i].ID] = s.Consumers[i].Start
	}
	for i := range s.Producers {
		out[s.Producers[i].ID] = s.Producers[i].Start
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Consumer != nil {
			out[c.Consumer.ID] = c.At
		}
		if c.Producer != nil {
			out[c.Producer.ID] = c.At
		}
	}
	return out
}

// last is the frame at the end of the run: it has everybody who ever takes part.
func (w *whole) last() *view.Frame { return w.views[len(w.views)-1] }

// lanes is how many lanes the sequence diagram has.
func (w *whole) lanes() int { return len(w.nodes) }

// isClient reports whether a node is ever a consumer or a producer.
func (w *whole) isClient(id kafka.NodeID) bool {
	f := w.last()
	return slices.ContainsFunc(f.Consumers, func(c view.Consumer) bool { return c.ID == id }) ||
		slices.ContainsFunc(f.Producers, func(p view.Producer) bool { return p.ID == id })
}

// replicated reports whether a partition has more than one copy, so that its high watermark can lag.
func replicated(f *view.Frame) bool {
	return slices.ContainsFunc(f.Topics, func(t view.Topic) bool {
		return slices.ContainsFunc(t.Partitions, func(p view.Partition) bool { return len(p.Replicas) > 1 || p.HighWatermark < p.LogEnd })
	})
}

// occurs reports whether some record of the run is ever such a rare cell.
func (w *whole) occurs(c cell) bool {
	f := w.last()
	if c == cellUnreplicated {
		return slices.ContainsFunc(w.views, replicated)
	}
	return slices.ContainsFunc(f.Groups, func(g view.Group) bool {
		return slices.ContainsFunc(g.Work, func(k view.Work) bool {
			twice, lost := amiss(&k)
			return c == cellTwice && twice > 0 || c == cellLost && lost > 0 || c == cellLetter && len(k.Letters) > 0
		})
	})
}
