package lessons

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// The readings off a frame. What a frame does not hold yet reads as absent, or as 0 where it counts.

func groupOf(f *view.Frame, id string) *view.Group {
	for i := range f.Groups {
		if f.Groups[i].ID == id {
			return &f.Groups[i]
		}
	}
	return nil
}

func consumerOf(f *view.Frame, id kafka.NodeID) *view.Consumer {
	for i := range f.Consumers {
		if f.Consumers[i].ID == id {
			return &f.Consumers[i]
		}
	}
	return nil
}

// memberOf finds a consumer among the members of its group, as the coordinator knows them.
func memberOf(f *view.Frame, id kafka.NodeID) *view.Member {
	for i := range f.Groups {
		for j := range f.Groups[i].Members {
			if f.Groups[i].Members[j].Client == id {
				return &f.Groups[i].Members[j]
			}
		}
	}
	return nil
}

func partitionOf(f *view.Frame, tp kafka.TopicPartition) *view.Partition {
	for i := range f.Topics {
		if f.Topics[i].Name == tp.Topic && int(tp.Partition) < len(f.Topics[i].Partitions) {
			return &f.Topics[i].Partitions[tp.Partition]
		}
	}
	return nil
}

func workOf(f *view.Frame, group string, tp kafka.TopicPartition) *view.Work {
	if g := groupOf(f, group); g != nil {
		for i := range g.Work {
			if g.Work[i].TopicPartition == tp {
				return &g.Work[i]
			}
		}
	}
	return nil
}

// sumWork adds up over the asked partition, or over all that the group ever worked on.
func sumWork(f *view.Frame, a *Arguments, of func(w *view.Work, p *view.Partition) int64) Value {
	g := groupOf(f, a.Group)
	if g == nil {
		return number(0)
	}
	var sum int64
	for i := range g.Work {
		w := &g.Work[i]
		if p := partitionOf(f, w.TopicPartition); p != nil && (a.AnyPartition || w.TopicPartition == a.Partition) {
			sum += of(w, p)
		}
	}
	return number(sum)
}

func partitionNames(list []kafka.TopicPartition) Value {
	texts := make([]string, len(list))
	for i, tp := range list {
		texts[i] = tp.String()
	}
	return namesOf(texts)
}

func owner(f *view.Frame, a *Arguments) Value {
	w := workOf(f, a.Group, a.Partition)
	if w == nil {
		return absent(Name)
	}
	return name(w.Owner)
}

func assignment(f *view.Frame, a *Arguments) Value {
	c := consumerOf(f, a.Consumer)
	if c == nil || c.Liveness.Gone() {
		return namesOf(nil)
	}
	texts := make([]string, len(c.Owned))
	for i, o := range c.Owned {
		texts[i] = o.TopicPartition.String()
	}
	return namesOf(texts)
}

func assignmentSize(f *view.Frame, a *Arguments) Value {
	return number(int64(len(assignment(f, a).Names)))
}

func promised(f *view.Frame, a *Arguments) Value {
	if m := memberOf(f, a.Consumer); m != nil {
		return partitionNames(m.Assignment)
	}
	return namesOf(nil)
}

func knows(f *view.Frame, a *Arguments) Value {
	c := consumerOf(f, a.Consumer)
	if c == nil {
		return namesOf(nil)
	}
	var known []string
	for _, line := range c.Computed {
		i := slices.IndexFunc(f.Consumers, func(other view.Consumer) bool {
			return other.Group == c.Group && other.MemberID == line.Member
		})
		if i >= 0 {
			known = append(known, string(f.Consumers[i].ID))
		}
	}
	slices.Sort(known)
	return namesOf(known)
}

func groupState(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return name(g.State)
	}
	return absent(Name)
}

func generation(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return number(int64(g.Generation))
	}
	return absent(Number)
}

func members(f *view.Frame, a *Arguments) Value {
	g := groupOf(f, a.Group)
	if g == nil {
		return namesOf(nil)
	}
	list := make([]string, len(g.Members))
	for i, m := range g.Members {
		list[i] = string(m.Client)
	}
	slices.Sort(list)
	return namesOf(list)
}

func memberCount(f *view.Frame, a *Arguments) Value {
	return number(int64(len(members(f, a).Names)))
}

func pending(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return number(int64(len(g.Pending)))
	}
	return number(0)
}

func leader(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		for _, m := range g.Members {
			if m.Leader {
				return name(m.Client)
			}
		}
	}
	return absent(Name)
}

func protocol(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return name(g.Protocol)
	}
	return absent(Name)
}

func coordinator(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return name(g.Coordinator)
	}
	return absent(Name)
}

func offsetsPartition(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return number(int64(g.OffsetsPartition))
	}
	return absent(Number)
}

func parked(f *view.Frame, a *Arguments) Value {
	if m := memberOf(f, a.Consumer); m != nil {
		return name(m.Parked)
	}
	return absent(Name)
}

func committed(f *view.Frame, a *Arguments) Value {
	if w := workOf(f, a.Group, a.Partition); w != nil {
		return offset(w.Committed)
	}
	return absent(Number)
}

func begin(f *view.Frame, a *Arguments) Value {
	if w := workOf(f, a.Group, a.Partition); w != nil {
		return offset(w.Begin)
	}
	return absent(Number)
}

func position(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		for _, o := range c.Owned {
			if o.TopicPartition == a.Partition {
				return offset(o.Position)
			}
		}
	}
	return absent(Number)
}

func lag(f *view.Frame, a *Arguments) Value {
	stored := false
	sum := sumWork(f, a, func(w *view.Work, p *view.Partition) int64 {
		if w.Committed < 0 {
			return 0
		}
		stored = true
		return p.HighWatermark - w.Committed
	})
	if !stored {
		return absent(Number)
	}
	return sum
}

func waiting(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, p *view.Partition) int64 {
		if w.Begin < 0 {
			return 0
		}
		left := p.HighWatermark - w.Begin
		for _, run := range w.Done {
			left -= max(0, min(run.To, p.HighWatermark)-max(run.From, w.Begin))
		}
		return max(0, left-length(w.Letters)-length(w.Lost))
	})
}

func duplicates(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, _ *view.Partition) int64 { return again(w.Done) })
}

func stored(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, _ *view.Partition) int64 {
		var writes int64
		for _, run := range w.Stored {
			writes += run.Len() * int64(run.Times)
		}
		return writes
	})
}

func storedTwice(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, _ *view.Partition) int64 { return again(w.Stored) })
}

// again counts what was done beyond the first time.
func again(runs []view.Run) int64 {
	var more int64
	for _, run := range runs {
		more += run.Len() * int64(run.Times-1)
	}
	return more
}

func lost(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, _ *view.Partition) int64 { return length(w.Lost) })
}

func deadLetters(f *view.Frame, a *Arguments) Value {
	return sumWork(f, a, func(w *view.Work, _ *view.Partition) int64 { return length(w.Letters) })
}

func length(spans []view.Span) int64 {
	var n int64
	for _, span := range spans {
		n += span.Len()
	}
	return n
}

func logEnd(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		return number(p.LogEnd)
	}
	return absent(Number)
}

func highWatermark(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		return number(p.HighWatermark)
	}
	return absent(Number)
}

func lastStable(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		return number(p.LastStable)
	}
	return absent(Number)
}

func logStart(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		return number(p.LogStart)
	}
	return absent(Number)
}

func records(f *view.Frame, a *Arguments) Value {
	var sum int64
	for _, t := range f.Topics {
		if t.Name == a.Topic {
			for _, p := range t.Partitions {
				sum += p.LogEnd - p.LogStart
			}
		}
	}
	return number(sum)
}

func inSync(f *view.Frame, a *Arguments) Value {
	var brokers []string
	if p := partitionOf(f, a.Partition); p != nil {
		for _, r := range p.Replicas {
			if r.InSync {
				brokers = append(brokers, string(r.Broker))
			}
		}
	}
	return namesOf(brokers)
}

func replicaEnd(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		for _, r := range p.Replicas {
			if r.Broker == a.Node {
				return number(r.LogEnd)
			}
		}
	}
	return absent(Number)
}

func partitionLeader(f *view.Frame, a *Arguments) Value {
	if p := partitionOf(f, a.Partition); p != nil {
		return name(p.Leader)
	}
	return absent(Name)
}
