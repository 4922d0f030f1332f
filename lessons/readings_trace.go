package lessons

import (
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// The readings off the trace.

// tally counts: each entry adds what of says.
type tally struct {
	arguments *Arguments
	of        func(a *Arguments, e *view.Entry) int64
	sum       int64
}

func (t *tally) Step(e *view.Entry)        { t.sum += t.of(t.arguments, e) }
func (t *tally) Mark(time.Duration)        { t.sum = 0 }
func (t *tally) Value(time.Duration) Value { return number(t.sum) }

// collection lists: each entry appends what of says.
type collection struct {
	arguments *Arguments
	of        func(a *Arguments, e *view.Entry) []string
	names     []string
}

func (c *collection) Step(e *view.Entry)        { c.names = append(c.names, c.of(c.arguments, e)...) }
func (c *collection) Mark(time.Duration)        { c.names = nil }
func (c *collection) Value(time.Duration) Value { return namesOf(c.names) }

// counting makes a reading out of a function that counts in one entry.
func counting(of func(a *Arguments, e *view.Entry) int64) func(*Arguments) Fold {
	return func(a *Arguments) Fold { return &tally{arguments: a, of: of} }
}

// countingFacts makes a reading out of a function that counts in one fact.
func countingFacts(of func(a *Arguments, f *view.Fact) int64) func(*Arguments) Fold {
	return counting(func(a *Arguments, e *view.Entry) int64 {
		var sum int64
		for i := range e.Facts {
			sum += of(a, &e.Facts[i])
		}
		return sum
	})
}

// one is 1 if the condition holds.
func one(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// concerns reports whether a fact is about the group, consumer and partition asked for, as far as they were given.
func (a *Arguments) concerns(f *view.Fact) bool {
	return (a.Group == "" || a.Group == f.Group) && (a.Consumer == "" || a.Consumer == f.Node) &&
		(a.AnyPartition || a.Partition == f.Partition)
}

// matches reports whether a message is of the kind, the sender and the receiver asked for, as far as they were given.
func (a *Arguments) matches(m *kafka.Message) bool {
	return (a.AnyAPI || a.API == m.Body.API()) && (a.From == "" || a.From == m.From) && (a.To == "" || a.To == m.To)
}

var (
	newProcessed = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.Processed && a.concerns(f))
	})
	newDelivered = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.RecordsReturned && a.concerns(f)) * f.Count
	})
	newUnreadable = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.RecordUnreadable && a.concerns(f))
	})
	newPolls = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.PollReturned && a.concerns(f))
	})
	newEmptyPolls = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.PollReturned && f.To == 0 && a.concerns(f))
	})
	newRebalances = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.GroupState && f.Group == a.Group && f.Text == "PreparingRebalance")
	})
	newGroupRecords = countingFacts(func(a *Arguments, f *view.Fact) int64 {
		return one(f.Kind == view.OffsetsAppended && f.Group == a.Group && strings.HasPrefix(f.Text, "group"))
	})
	newRequests = counting(func(a *Arguments, e *view.Entry) int64 {
		var sum int64
		for i := range e.Sent {
			sum += one(!e.Sent[i].Reply() && a.matches(&e.Sent[i]))
		}
		return sum
	})
	newAnswers = counting(func(a *Arguments, e *view.Entry) int64 {
		m := e.Message
		return one(m != nil && m.Reply() && a.matches(m) && (a.AnyError || a.Error == kafka.ErrorOf(m.Body)))
	})
)

func newRequestOrder(a *Arguments) Fold {
	return &collection{arguments: a, of: func(a *Arguments, e *view.Entry) []string {
		var sent []string
		for i := range e.Sent {
			if m := &e.Sent[i]; !m.Reply() && a.matches(m) {
				sent = append(sent, m.Body.API().String())
			}
		}
		return sent
	}}
}

func newCallbacks(a *Arguments) Fold {
	return &collection{arguments: a, of: func(a *Arguments, e *view.Entry) []string {
		var ran []string
		for _, f := range e.Facts {
			if f.Kind == view.CallbackStarted && f.Node == a.Consumer {
				ran = append(ran, strings.Join(append([]string{f.Text}, partitionNames(f.Partitions).Names...), " "))
			}
		}
		return ran
	}}
}

func newIntercepted(a *Arguments) Fold {
	return &collection{arguments: a, of: func(a *Arguments, e *view.Entry) []string {
		var ran []string
		for _, f := range e.Facts {
			switch {
			case f.Node != a.Consumer:
			case f.Kind == view.OnConsume:
				ran = append(ran, f.Text+".onConsume")
			case f.Kind == view.OnCommit:
				ran = append(ran, f.Text+".onCommit")
			}
		}
		return ran
	}}
}

func newThrown(a *Arguments) Fold {
	return &collection{arguments: a, of: func(a *Arguments, e *view.Entry) []string {
		var thrown []string
		for _, f := range e.Facts {
			if f.Kind == view.ExceptionThrown && f.Node == a.Consumer {
				thrown = append(thrown, f.Text)
			}
		}
		return thrown
	}}
}

// listed keeps how many members the last JoinGroup reply to a consumer listed.
type listed struct {
	consumer kafka.NodeID
	last     Value
}

func newListed(a *Arguments) Fold           { return &listed{a.Consumer, absent(Number)} }
func (l *listed) Mark(time.Duration)        { l.last = absent(Number) }
func (l *listed) Value(time.Duration) Value { return l.last }
func (l *listed) Step(e *view.Entry) {
	if e.Message == nil || e.Message.To != l.consumer {
		return
	}
	if reply, ok := e.Message.Body.(*kafka.JoinGroupResponse); ok && reply.Error == kafka.None {
		l.last = number(int64(len(reply.Members)))
	}
}

// clock is the time since its mark.
type clock struct{ from time.Duration }

func newClock(*Arguments) Fold                { return &clock{} }
func (c *clock) Step(*view.Entry)             {}
func (c *clock) Mark(at time.Duration)        { c.from = at }
func (c *clock) Value(at time.Duration) Value { return duration(at - c.from) }

// eventCount counts events.
type eventCount struct{ n int64 }

func newEventCount(*Arguments) Fold             { return &eventCount{} }
func (c *eventCount) Step(*view.Entry)          { c.n++ }
func (c *eventCount) Mark(time.Duration)        { c.n = 0 }
func (c *eventCount) Value(time.Duration) Value { return number(c.n) }

// owners follows who has which partition of a group, by what consumers believe.
type owners struct {
	group string
	of    map[kafka.TopicPartition][]kafka.NodeID
}

func (o *owners) Step(e *view.Entry) {
	for i := range e.Facts {
		f := &e.Facts[i]
		switch {
		case f.Kind == view.Assigned && f.Group == o.group:
			o.give(f.Node, f.Partitions)
		case f.Kind == view.NodeCrashed || f.Kind == view.NodeClosed:
			o.give(f.Node, nil)
		}
	}
}

// give makes the partitions all that a consumer has.
func (o *owners) give(to kafka.NodeID, partitions []kafka.TopicPartition) {
	for tp, who := range o.of {
		o.of[tp] = slices.DeleteFunc(who, func(id kafka.NodeID) bool { return id == to })
	}
	for _, tp := range partitions {
		o.of[tp] = append(o.of[tp], to)
	}
}

// unowned is how long nobody has had a partition that somebody had before.
type unowned struct {
	owners
	partition kafka.TopicPartition
	owned     bool // it has had an owner once
	since     time.Duration
	longest   time.Duration // of the times that are over
}

func newUnownedFold(a *Arguments) *unowned {
	return &unowned{owners: owners{a.Group, map[kafka.TopicPartition][]kafka.NodeID{}}, partition: a.Partition}
}

func newUnowned(a *Arguments) Fold { return newUnownedFold(a) }

// free reports whether nobody has the partition after somebody had it.
func (u *unowned) free() bool { return u.owned && len(u.of[u.partition]) == 0 }

func (u *unowned) Step(e *view.Entry) {
	before := u.free()
	u.owners.Step(e)
	u.owned = u.owned || len(u.of[u.partition]) > 0
	switch now := u.free(); {
	case before && !now:
		u.longest = max(u.longest, e.At-u.since)
	case !before && now:
		u.since = e.At
	}
}

func (u *unowned) Mark(at time.Duration) {
	u.longest = 0
	if u.free() {
		u.since = at
	}
}

func (u *unowned) Value(at time.Duration) Value {
	if u.free() {
		return duration(at - u.since)
	}
	return duration(0)
}

// longestUnowned is the longest such time, the present one included.
type longestUnowned struct{ *unowned }

func newLongestUnowned(a *Arguments) Fold { return longestUnowned{newUnownedFold(a)} }

func (l longestUnowned) Value(at time.Duration) Value {
	return duration(max(l.longest, l.unowned.Value(at).Duration))
}

// moved counts partitions whose owner is another than at its mark.
type moved struct {
	owners
	before map[kafka.TopicPartition]kafka.NodeID
}

func newMoved(a *Arguments) Fold {
	return &moved{owners: owners{a.Group, map[kafka.TopicPartition][]kafka.NodeID{}}}
}

func (m *moved) Mark(time.Duration) {
	m.before = make(map[kafka.TopicPartition]kafka.NodeID, len(m.of))
	for tp, who := range m.of {
		if len(who) > 0 {
			m.before[tp] = who[0]
		}
	}
}

func (m *moved) Value(time.Duration) Value {
	var sum int64
	for tp, who := range m.of {
		sum += one(len(who) > 0 && who[0] != m.before[tp])
	}
	return number(sum)
}

// fetchedBytes counts bytes of records in replies to consumers; followers, which fetch too, are left out.
type fetchedBytes struct {
	tally
	consumers map[kafka.NodeID]bool // that have sent Fetch
}

func newFetchedBytes(a *Arguments) Fold {
	return &fetchedBytes{tally{arguments: a}, map[kafka.NodeID]bool{}}
}

func (f *fetchedBytes) Step(e *view.Entry) {
	for i := range e.Sent {
		m := &e.Sent[i]
		switch body := m.Body.(type) {
		case *kafka.FetchRequest:
			if body.Replica == "" {
				f.consumers[m.From] = true
			}
		case *kafka.FetchResponse:
			if f.consumers[m.To] && (f.arguments.Consumer == "" || f.arguments.Consumer == m.To) {
				f.sum += bytesOf(body)
			}
		}
	}
}

func bytesOf(reply *kafka.FetchResponse) int64 {
	var sum int64
	for _, p := range reply.Partitions {
		for _, r := range p.Records {
			sum += int64(r.Size)
		}
	}
	return sum
}
