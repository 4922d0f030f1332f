package figures

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// mostSamples is how many frames are looked at, at most, beside the last.
const mostSamples = 240

// Stride is how many events lie between two frames that are looked at in a run of so many events. It is a power of two: in a
// long run these are events whose worlds a history keeps, so that nothing has to be played again.
func Stride(events int) int {
	stride := 1
	for events/stride > mostSamples {
		stride *= 2
	}
	return stride
}

// Of counts a run.
func Of(run Run) *Figures {
	c := counter{
		groups: map[string]*count{}, requests: map[kafka.API]*Series{}, homes: map[kafka.NodeID]string{},
		samples: Stride(run.Events),
	}
	for event := 1; event <= run.Events; event++ {
		c.entry(run.Entry(event))
	}
	for event := 0; event < run.Events; event += c.samples {
		c.sample(run.Frame(event))
	}
	c.sample(run.Frame(run.Events))
	return c.figures()
}

// counter counts as the events come.
type counter struct {
	now      Moment
	produced Series
	groups   map[string]*count
	requests map[kafka.API]*Series
	homes    map[kafka.NodeID]string // the group of each consumer
	samples  int
}

// count is one group's.
type count struct {
	Group
	parts map[kafka.TopicPartition]*part
	free  int
}

// part is a partition with the holdings that go on.
type part struct {
	Partition
	open []int // indices of Holdings, in the order in which the consumers took it
}

func (c *counter) group(id string) *count {
	g := c.groups[id]
	if g == nil {
		g = &count{Group: Group{ID: id}, parts: map[kafka.TopicPartition]*part{}}
		c.groups[id] = g
	}
	return g
}

func (g *count) part(tp kafka.TopicPartition) *part {
	p := g.parts[tp]
	if p == nil {
		p = &part{Partition: Partition{TopicPartition: tp}}
		g.parts[tp] = p
	}
	return p
}

func (c *counter) entry(e *view.Entry) {
	c.now = Moment{e.Event, e.At}
	for i := range e.Sent {
		if m := &e.Sent[i]; !m.Reply() {
			api := m.Body.API()
			if c.requests[api] == nil {
				c.requests[api] = &Series{}
			}
			c.requests[api].add(c.now, 1)
		}
	}
	for i := range e.Facts {
		c.fact(e, &e.Facts[i])
	}
}

func (c *counter) fact(e *view.Entry, f *view.Fact) {
	switch f.Kind {
	case view.Appended:
		if !strings.HasPrefix(f.Partition.Topic, "__") {
			c.produced.add(c.now, f.To-f.From)
		}
	case view.NodeCrashed, view.NodeClosed:
		if group, ok := c.homes[f.Node]; ok {
			c.group(group).give(c.now, f.Node, nil)
		}
	}
	if f.Group == "" {
		return
	}
	g := c.group(f.Group)
	switch f.Kind {
	case view.Assigned:
		c.homes[f.Node] = f.Group
		g.give(c.now, f.Node, f.Partitions)
	case view.RecordsReturned:
		g.Delivered.add(c.now, f.Count)
	case view.Processed:
		g.Processed.add(c.now, 1)
	case view.GroupState:
		g.state(c.now, e, f)
	}
}

// give makes the partitions all that a consumer has.
func (g *count) give(now Moment, to kafka.NodeID, partitions []kafka.TopicPartition) {
	for _, p := range g.parts {
		has := slices.Contains(partitions, p.TopicPartition)
		i := slices.IndexFunc(p.open, func(h int) bool { return p.Holdings[h].Consumer == to })
		if i < 0 || has {
			continue
		}
		p.Holdings[p.open[i]].To = now
		p.open = slices.Delete(p.open, i, i+1)
		if len(p.open) == 0 {
			g.free++
		}
	}
	for _, tp := range partitions {
		p := g.part(tp)
		if slices.ContainsFunc(p.open, func(h int) bool { return p.Holdings[h].Consumer == to }) {
			continue
		}
		if n := len(p.Holdings); n > 0 {
			g.taken(now, len(p.open) == 0, p.Holdings[n-1].Consumer != to)
		}
		p.open = append(p.open, len(p.Holdings))
		p.Holdings = append(p.Holdings, Holding{Consumer: to, From: now})
	}
	g.Free.set(now, int64(g.free))
}

// taken counts a partition that somebody had before.
func (g *count) taken(now Moment, free, moved bool) {
	if free {
		g.free--
	}
	if n := len(g.Rebalances); moved && n > 0 {
		g.Rebalances[n-1].Moved++
		g.Moved.add(now, 1)
	}
}

// state follows the group's rebalances: one that begins anew before it has ended ends the one before.
func (g *count) state(now Moment, e *view.Entry, f *view.Fact) {
	open := len(g.Rebalances) > 0 && g.Rebalances[len(g.Rebalances)-1].To.Event == 0
	switch f.Text {
	case "PreparingRebalance":
		if open {
			g.Rebalances[len(g.Rebalances)-1].To = now
		}
		g.Rebalances = append(g.Rebalances, Rebalance{From: now, Member: f.Member, Why: why(e, f.Group)})
	case "Stable", "Empty", "Dead":
		if open {
			last := &g.Rebalances[len(g.Rebalances)-1]
			last.To, last.Generation = now, int32(f.To)
		}
	}
}

// why tells what began a rebalance, by what the coordinator did in the same event.
func why(e *view.Entry, group string) Why {
	for i := range e.Facts {
		switch f := &e.Facts[i]; {
		case f.Group != group:
		case f.Kind == view.MemberAdded:
			return Joined
		case f.Kind == view.MemberRemoved:
			return Left
		}
	}
	return Rejoined
}

// sample reads off a frame what the trace does not say by itself.
func (c *counter) sample(f *view.Frame) {
	now := Moment{f.Event, f.At}
	marks := map[kafka.TopicPartition]int64{}
	for i := range f.Topics {
		for _, p := range f.Topics[i].Partitions {
			marks[p.TopicPartition] = p.HighWatermark
		}
	}
	for i := range f.Groups {
		g := c.group(f.Groups[i].ID)
		var again, lost int64
		for j := range f.Groups[i].Work {
			w := &f.Groups[i].Work[j]
			mark, exists := marks[w.TopicPartition]
			if !exists {
				continue
			}
			lag := int64(NoLag)
			if w.Committed >= 0 {
				lag = mark - w.Committed
			}
			g.part(w.TopicPartition).Lag.record(now, lag)
			for _, run := range w.Done {
				again += run.Len() * int64(run.Times-1)
			}
			for _, span := range w.Lost {
				lost += span.Len()
			}
		}
		g.Duplicates.set(now, again)
		g.Lost.set(now, lost)
	}
}

// record is set, for a value whose first point may be 0.
func (s *Series) record(m Moment, value int64) {
	if n := len(*s); n == 0 || (*s)[n-1].Value != value {
		*s = append(*s, Point{m, value})
	}
}

// figures is all that was counted, in order.
func (c *counter) figures() *Figures {
	f := &Figures{End: c.now, Produced: c.produced}
	for _, id := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[id]
		for _, tp := range slices.SortedFunc(maps.Keys(g.parts), kafka.TopicPartition.Compare) {
			g.Partitions = append(g.Partitions, g.parts[tp].Partition)
		}
		f.Groups = append(f.Groups, g.Group)
	}
	for _, api := range slices.SortedFunc(maps.Keys(c.requests), func(a, b kafka.API) int { return cmp.Compare(a.String(), b.String()) }) {
		f.Requests = append(f.Requests, Requests{api, *c.requests[api]})
	}
	return f
}
