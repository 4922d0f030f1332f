// Package figures counts what happened in a run, over its virtual time: who owned which partition when, lag, records,
// rebalances, duplicates, losses, requests. It reads trace and frames alone, so two runs can be counted and compared.
package figures

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// Run is what figures are counted from: a number of events, each entry from 1 on, and the frame after each event from 0 on.
type Run struct {
	Events int
	Entry  func(event int) *view.Entry
	Frame  func(event int) *view.Frame
}

// Moment is an event and its virtual time.
type Moment struct {
	Event int
	At    time.Duration
}

// Point is a value from a moment on.
type Point struct {
	Moment
	Value int64
}

// Series is a value over time: a point for each change, in the order of events.
type Series []Point

// last is the last point; the zero Point if there is none.
func (s Series) last() Point {
	if len(s) == 0 {
		return Point{}
	}
	return s[len(s)-1]
}

// before is the points before a moment of virtual time.
func (s Series) before(at time.Duration) Series {
	i, _ := slices.BinarySearchFunc(s, at, func(p Point, t time.Duration) int { return cmp.Compare(p.At, t) })
	return s[:i]
}

// At is the value after an event; 0 before the first point.
func (s Series) At(event int) int64 {
	i, _ := slices.BinarySearchFunc(s, event+1, func(p Point, n int) int { return p.Event - n })
	return s[:i].last().Value
}

// AtTime is the value at a moment of virtual time, after everything that happened at it.
func (s Series) AtTime(at time.Duration) int64 { return s.before(at + 1).last().Value }

// set appends a point if the value is another than the last one.
func (s *Series) set(m Moment, value int64) {
	n := len(*s)
	switch {
	case n > 0 && (*s)[n-1].Value == value || n == 0 && value == 0:
	case n > 0 && (*s)[n-1].Event == m.Event:
		(*s)[n-1].Value = value
	default:
		*s = append(*s, Point{m, value})
	}
}

// add appends a point that is so much higher than the last one.
func (s *Series) add(m Moment, more int64) {
	s.set(m, s.last().Value+more)
}

// Figures are those of one run.
type Figures struct {
	End      Moment
	Groups   []Group    // by id
	Produced Series     // records that leaders appended to logs, internal topics apart
	Requests []Requests // by kind
}

// Requests counts the requests of one kind that were sent.
type Requests struct {
	API  kafka.API
	Sent Series
}

// Group is what a group did. Duplicates and Lost are what frames say every Stride(events) events.
type Group struct {
	ID         string
	Partitions []Partition // that a member ever owned or committed, sorted
	Rebalances []Rebalance // in the order of their beginning
	Delivered  Series      // records that poll returned, each time counted
	Processed  Series      // records processed, each time counted
	Duplicates Series      // times a record was processed again
	Lost       Series      // records passed over for good
	Moved      Series      // partitions that went to another consumer than the one before
	Free       Series      // partitions that nobody has and somebody had before
}

// Partition is what a group did with one partition.
type Partition struct {
	kafka.TopicPartition
	Holdings []Holding // in the order of their beginning
	Lag      Series    // high watermark less committed offset, in records; NoLag while nothing is committed
}

// NoLag is the lag of a partition without a committed offset.
const NoLag = -1

// Holding is the time for which a consumer had a partition, by its own belief. To.Event is 0 while it goes on.
type Holding struct {
	Consumer kafka.NodeID
	From, To Moment
}

// Rebalance is one rebalance of a group. To.Event is 0 while it goes on.
type Rebalance struct {
	From, To   Moment
	Generation int32  // that it led to
	Member     string // whose doing began it, as far as the coordinator says
	Why        Why
	Moved      int // partitions that, until the next one begins, went to another consumer than the one before
}

// Why is what began a rebalance.
type Why uint8

// What begins a rebalance. Left includes members whose session or rebalance timeout expired.
const (
	Rejoined Why = iota // a member sent JoinGroup again, for a reason of its own
	Joined
	Left
)

var whyNames = [...]string{"rejoined", "joined", "left"}

func (w Why) String() string { return whyNames[w] }

// Group finds a group; nil if there is none such.
func (f *Figures) Group(id string) *Group {
	for i := range f.Groups {
		if f.Groups[i].ID == id {
			return &f.Groups[i]
		}
	}
	return nil
}

// Span is a stretch of virtual time.
type Span struct{ From, To Moment }

// Len is how long it lasts.
func (s Span) Len() time.Duration { return s.To.At - s.From.At }

// Gaps are the stretches up to a moment in which nobody had the partition, after somebody had it.
func (p *Partition) Gaps(now Moment) []Span {
	return p.stretches(now, func(owners int) bool { return owners == 0 })
}

// Doubles are the stretches up to a moment in which more than one consumer had the partition.
func (p *Partition) Doubles(now Moment) []Span {
	return p.stretches(now, func(owners int) bool { return owners > 1 })
}

// Unowned is how long, up to a moment, nobody had the partition after somebody had it.
func (p *Partition) Unowned(now Moment) time.Duration { return total(p.Gaps(now)) }

func total(spans []Span) time.Duration {
	var sum time.Duration
	for _, s := range spans {
		sum += s.Len()
	}
	return sum
}

// stretches lists the stretches from the first holding on for which a number of owners holds.
func (p *Partition) stretches(now Moment, holds func(owners int) bool) []Span {
	type change struct {
		Moment
		by int
	}
	var changes []change
	for _, h := range p.Holdings {
		if h.From.Event > now.Event {
			break
		}
		changes = append(changes, change{h.From, 1})
		if h.To.Event > 0 && h.To.Event <= now.Event {
			changes = append(changes, change{h.To, -1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.Event - b.Event })
	var out []Span
	owners := 0
	for i := 0; i < len(changes); {
		from := changes[i].Moment
		for ; i < len(changes) && changes[i].Event == from.Event; i++ {
			owners += changes[i].by
		}
		to := now
		if i < len(changes) {
			to = changes[i].Moment
		}
		if holds(owners) && to.At > from.At {
			out = append(out, Span{from, to})
		}
	}
	return out
}

// Unowned is how long, up to a moment, partitions of the group had no owner, all added up.
func (g *Group) Unowned(now Moment) time.Duration {
	var sum time.Duration
	for i := range g.Partitions {
		sum += g.Partitions[i].Unowned(now)
	}
	return sum
}

// Lag is that of all partitions with a committed offset; NoLag if there is none.
func (g *Group) Lag(event int) int64 {
	sum := int64(NoLag)
	for i := range g.Partitions {
		lags := g.Partitions[i].Lag
		if len(lags) == 0 || lags[0].Event > event {
			continue
		}
		if lag := lags.At(event); lag >= 0 {
			sum = max(0, sum) + lag
		}
	}
	return sum
}

// Begun lists the rebalances that began up to an event.
func (g *Group) Begun(event int) []Rebalance {
	i := 0
	for i < len(g.Rebalances) && g.Rebalances[i].From.Event <= event {
		i++
	}
	return g.Rebalances[:i]
}

// LagSum is the lag of all partitions together, over time.
func (g *Group) LagSum() Series {
	var changes []Point
	for i := range g.Partitions {
		last := int64(0)
		for _, p := range g.Partitions[i].Lag {
			changes = append(changes, Point{p.Moment, max(0, p.Value) - last})
			last = max(0, p.Value)
		}
	}
	slices.SortStableFunc(changes, func(a, b Point) int { return a.Event - b.Event })
	var sum Series
	for _, c := range changes {
		sum.add(c.Moment, c.Value)
	}
	return sum
}

// Rate is how much a count grew a second, in whole numbers, for each step of virtual time before the end. A point is at the
// beginning of a step, with the last event before it that changed the count.
func (s Series) Rate(step time.Duration, end Moment) Series {
	var rate Series
	before := int64(0)
	for from := time.Duration(0); from < end.At; from += step {
		count := s.AtTime(from + step - 1)
		rate.record(Moment{s.before(from).last().Event, from}, (count-before)*int64(time.Second)/int64(step))
		before = count
	}
	return rate
}
