package client

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// rig drives one consumer by hand: it plays the brokers and the clock.
type rig struct {
	t      *testing.T
	c      *Consumer
	now    time.Duration
	sent   []node.Send // requests not answered yet
	facts  []view.Fact
	timers map[string]time.Duration
	ended  bool
}

var oneBroker = &kafka.Cluster{
	Epoch:   1,
	Brokers: []kafka.BrokerInfo{{ID: "B1", Release: kafka.DefaultRelease}},
	Topics: []kafka.TopicInfo{{Name: "T1", Partitions: []kafka.PartitionInfo{
		{Leader: "B1", Replicas: []kafka.NodeID{"B1"}}, {Leader: "B1", Replicas: []kafka.NodeID{"B1"}},
	}}},
}

// newRig starts a consumer of that release ("" for the default) with those settings, running that program.
func newRig(t *testing.T, release string, program Program, settings map[string]string) *rig {
	t.Helper()
	r := kafka.DefaultRelease
	if release != "" {
		var err error
		r, err = kafka.ParseRelease(release)
		require.NoError(t, err)
	}
	set := map[string]string{"client.id": "C1", "group.id": "G1", "auto.offset.reset": "earliest"}
	maps.Copy(set, settings)
	config, problems := kafka.NewConfig(kafka.ConsumerScope, r, set)
	require.Empty(t, problems)
	spec := &ConsumerSpec{ID: "C1", Group: "G1", Topics: []string{"T1"}, Program: program}
	g := &rig{t: t, c: NewConsumer(spec, config, []kafka.NodeID{"B1"}), timers: map[string]time.Duration{}}
	g.input(node.Input{Kind: node.Start})
	return g
}

// input hands the consumer an input and takes up what it wants done.
func (g *rig) input(in node.Input) {
	var out node.Out
	g.c.Handle(g.now, in, &out)
	g.sent = append(g.sent, out.Sends...)
	g.facts = append(g.facts, out.Facts...)
	for _, timer := range out.Timers {
		delete(g.timers, timer.Key)
		if !timer.Stop {
			g.timers[timer.Key] = timer.At
		}
	}
	g.ended = g.ended || out.Ended
}

// advance lets time pass, and the timers that run out with it.
func (g *rig) advance(d time.Duration) {
	end := g.now + d
	for {
		key := g.nextTimer()
		if key == "" || g.timers[key] > end {
			g.now = end
			return
		}
		g.now = max(g.now, g.timers[key])
		delete(g.timers, key)
		g.input(node.Input{Kind: node.Timer, Timer: key})
	}
}

func (g *rig) nextTimer() string {
	first := ""
	for _, key := range slices.Sorted(maps.Keys(g.timers)) {
		if first == "" || g.timers[key] < g.timers[first] {
			first = key
		}
	}
	return first
}

// asked finds a request of that kind that waits for its answer; nil if there is none.
func (g *rig) asked(api kafka.API) kafka.Body {
	for _, s := range g.sent {
		if s.Body.API() == api {
			return s.Body
		}
	}
	return nil
}

// answer answers the first request of the reply's kind.
func (g *rig) answer(reply kafka.Body) {
	g.t.Helper()
	i := slices.IndexFunc(g.sent, func(s node.Send) bool { return s.Body.API() == reply.API() })
	require.GreaterOrEqual(g.t, i, 0, "no %v was sent; waiting: %v", reply.API(), g.waiting())
	s := g.sent[i]
	g.sent = slices.Delete(g.sent, i, i+1)
	g.input(node.Input{Kind: node.Receive, Message: &kafka.Message{From: s.To, To: "C1", Correlation: s.Correlation, Body: reply}})
}

// waiting lists the requests that wait for an answer.
func (g *rig) waiting() []string {
	names := []string{}
	for _, s := range g.sent {
		names = append(names, s.Body.API().String())
	}
	return names
}

// find takes the consumer to its first JoinGroup.
func (g *rig) find() *rig {
	g.t.Helper()
	g.answer(&kafka.MetadataResponse{Cluster: oneBroker})
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	return g
}

// join takes it from there to its SyncGroup, as a follower of generation 1.
func (g *rig) join() *rig {
	g.t.Helper()
	g.answer(&kafka.JoinGroupResponse{Generation: 1, Protocol: "range", Leader: "C0-1", MemberID: "C1-1"})
	return g
}

// sync gives it both partitions, from offset 0, and leaves it waiting for records.
func (g *rig) sync() *rig {
	g.t.Helper()
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	g.answer(&kafka.OffsetFetchResponse{Partitions: []kafka.FetchedOffset{
		{TopicPartition: both[0]}, {TopicPartition: both[1]},
	}})
	return g
}

var both = []kafka.TopicPartition{{Topic: "T1", Partition: 0}, {Topic: "T1", Partition: 1}}

// records are n records of a partition from an offset on.
func records(from int64, n int) []kafka.Record {
	var list []kafka.Record
	for i := range int64(n) {
		list = append(list, kafka.Record{Offset: from + i, Size: 100})
	}
	return list
}

// fetch answers the Fetch with records of partition 0.
func (g *rig) fetch(from int64, n int) {
	g.t.Helper()
	g.answer(&kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{TopicPartition: both[0], Records: records(from, n)}}})
}

// saw reports whether a fact of that kind and text came up.
func (g *rig) saw(kind view.FactKind, text string) bool {
	return slices.ContainsFunc(g.facts, func(f view.Fact) bool { return f.Kind == kind && f.Text == text })
}

// callbacks lists the listener calls so far, with the partitions they were told of.
func (g *rig) callbacks() []string {
	list := []string{}
	for _, f := range g.facts {
		if f.Kind == view.CallbackStarted {
			name := f.Text
			for _, tp := range f.Partitions {
				name += " " + tp.String()
			}
			list = append(list, name)
		}
	}
	return list
}

// loop is a program that polls for a second and processes each record for the given time, then does what is given.
func loop(processing time.Duration, then ...Op) Program {
	p := AutoCommit(time.Second, processing)
	p.Body = append(p.Body, then...)
	return p
}
