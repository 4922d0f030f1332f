package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// A random world has faults until quietFrom; what is left then must have settled well before settledBy.
const (
	quietFrom = 90 * time.Second
	settledBy = 240 * time.Second
)

// randomScript draws a cluster, a group and a run of faults.
func randomScript(t *rapid.T) Script {
	s := Script{Until: settledBy, Latency: time.Duration(rapid.IntRange(0, 20).Draw(t, "latency")) * time.Millisecond}
	s.Release, _ = kafka.ParseRelease(rapid.SampledFrom([]string{"0.10.1", "1.1", "2.3", "2.6", "3.0", "3.9", "4.0"}).Draw(t, "release"))
	for i := range rapid.IntRange(1, 3).Draw(t, "brokers") {
		s.Brokers = append(s.Brokers, BrokerSpec{ID: kafka.NodeID(fmt.Sprintf("B%d", i+1))})
	}
	s.Topics = []TopicSpec{
		{Name: "T1", Partitions: rapid.Int32Range(1, 6).Draw(t, "partitions of T1")},
		{Name: "T2", Partitions: rapid.Int32Range(1, 3).Draw(t, "partitions of T2")},
	}
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 700 * time.Millisecond}}
	settings := randomSettings(t, s.Release)
	for i := range rapid.IntRange(1, 5).Draw(t, "consumers") {
		c := consumer(kafka.NodeID(fmt.Sprintf("C%d", i+1)), time.Duration(rapid.IntRange(0, 60).Draw(t, "start"))*time.Second)
		c.Topics = rapid.SampledFrom([][]string{{"T1"}, {"T1", "T2"}}).Draw(t, "topics")
		c.Program = client.AutoCommit(time.Second, time.Duration(rapid.IntRange(0, 3000).Draw(t, "processing"))*time.Millisecond)
		c.Settings = map[string]string{}
		for k, v := range settings {
			c.Settings[k] = v
		}
		if kafka.StaticMembership.Client(s.Release) && rapid.Bool().Draw(t, "static") {
			c.Settings["group.instance.id"] = string(c.ID)
		}
		s.Consumers = append(s.Consumers, c)
	}
	for range rapid.IntRange(0, 12).Draw(t, "faults") {
		s.Commands = append(s.Commands, randomFault(t, &s))
	}
	return s
}

func randomSettings(t *rapid.T, r kafka.Release) map[string]string {
	set := map[string]string{"session.timeout.ms": "10000", "max.poll.interval.ms": "20000", "max.poll.records": "3", "metadata.max.age.ms": "20000"}
	if !kafka.DefaultAPITimeout.Client(r) {
		set["request.timeout.ms"] = "30000" // had to be above the poll interval before 2.0
	}
	assignors := []string{"range", "roundrobin"}
	if kafka.CooperativeRebalance.Client(r) {
		assignors = append(assignors, "sticky", "cooperative-sticky")
	}
	set["partition.assignment.strategy"] = rapid.SampledFrom(assignors).Draw(t, "assignor")
	return set
}

func randomFault(t *rapid.T, s *Script) Command {
	c := Command{At: time.Duration(rapid.IntRange(0, int(quietFrom/time.Millisecond)).Draw(t, "at")) * time.Millisecond}
	c.Node = s.Consumers[rapid.IntRange(0, len(s.Consumers)-1).Draw(t, "whom")].ID
	broker := s.Brokers[rapid.IntRange(0, len(s.Brokers)-1).Draw(t, "which broker")].ID
	c.Do = rapid.SampledFrom([]Verb{Close, Crash, Restart, Freeze, Cut, Mend, AddPartitions, Slow, Latency}).Draw(t, "do")
	switch c.Do {
	case Freeze:
		c.For = time.Duration(rapid.IntRange(1, 40).Draw(t, "for")) * time.Second
	case Slow:
		c.For = time.Duration(rapid.IntRange(0, 4000).Draw(t, "for")) * time.Millisecond
	case Latency:
		c.For = time.Duration(rapid.IntRange(0, 500).Draw(t, "for")) * time.Millisecond
	case Cut, Mend:
		c.Peer = broker
	case AddPartitions:
		c.Node, c.Topic, c.Count = "", "T1", rapid.Int32Range(2, 8).Draw(t, "count")
	case Crash, Restart:
		if rapid.Bool().Draw(t, "a broker") {
			c.Node = broker
		}
	}
	return c
}

// settle ends all faults: links pass, brokers live.
func settle(t require.TestingT, h *History, s *Script) {
	f := last(h)
	for _, cut := range f.Cuts {
		require.NoError(t, h.Do(Command{Do: Mend, Node: cut.A, Peer: cut.B}))
	}
	for _, b := range f.Brokers {
		if b.Liveness == view.Crashed {
			require.NoError(t, h.Do(Command{Do: Restart, Node: b.ID}))
		}
	}
	for _, c := range s.Consumers {
		if consumerOf(last(h), c.ID).Liveness == view.Up || consumerOf(last(h), c.ID).Liveness == view.Frozen {
			require.NoError(t, h.Do(Command{Do: Slow, Node: c.ID, For: 100 * time.Millisecond}))
		}
	}
}

func TestRandomWorldsKeepTheRulesOfTheGroupProtocol(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomScript(t)
		w, err := New(s)
		require.NoError(t, err)
		h := NewHistory(w)
		var generation int32
		settled := false
		for h.Step() {
			if h.At(h.Len()).Now() > quietFrom && !settled {
				settled = true
				settle(t, h, &s)
			}
			if touchesOwnership(h.Entry(h.Len())) {
				generation = checkEvent(t, h.Frame(h.Len()), generation)
			}
			require.Less(t, h.Len(), 100_000, "the run does not end")
		}
		checkSettled(t, last(h))
		checkReplay(t, h, s)
	})
}

// touchesOwnership reports whether an event can have changed what checkEvent looks at.
func touchesOwnership(e *view.Entry) bool {
	return slices.ContainsFunc(e.Facts, func(f view.Fact) bool {
		return f.Kind == view.Assigned || f.Kind == view.JoinStateChanged || f.Kind == view.GroupState
	})
}

// checkEvent checks what must hold after every event, and returns the group's last stored generation.
func checkEvent(t require.TestingT, f *view.Frame, before int32) int32 {
	type claim struct {
		tp         kafka.TopicPartition
		generation int32
	}
	owners := map[claim]kafka.NodeID{}
	for i := range f.Consumers {
		c := &f.Consumers[i]
		if c.JoinState != "stable" || c.Liveness.Gone() {
			continue
		}
		for _, o := range c.Owned {
			k := claim{o.TopicPartition, c.Generation}
			require.Empty(t, owners[k], "%v has two owners in generation %d: %s and %s, at event %d", k.tp, k.generation, owners[k], c.ID, f.Event)
			owners[k] = c.ID
		}
	}
	// A generation counts once its assignment is stored: one that is not dies with its coordinator (coordinator.md
	// section 14, point 6), and the next coordinator gives its number again.
	if len(f.Groups) == 0 || f.Groups[0].State != "Stable" {
		return before
	}
	require.GreaterOrEqual(t, f.Groups[0].Generation, before, "the generation fell at event %d", f.Event)
	return f.Groups[0].Generation
}

// checkSettled checks what must hold when the faults have been over for long enough.
func checkSettled(t require.TestingT, f *view.Frame) {
	live := map[kafka.NodeID]bool{}
	owned := map[kafka.TopicPartition]int{}
	wanted := map[string]bool{}
	for _, c := range f.Consumers {
		if c.Liveness != view.Up {
			continue
		}
		live[c.ID] = true
		for _, topic := range c.Topics {
			wanted[topic] = true
		}
		for _, o := range c.Owned {
			owned[o.TopicPartition]++
		}
	}
	if len(live) == 0 {
		return
	}
	g := f.Groups[0]
	require.Equal(t, "Stable", g.State)
	require.Len(t, g.Members, len(live))
	for _, topic := range f.Topics {
		for _, p := range topic.Partitions {
			if wanted[topic.Name] {
				require.Equal(t, 1, owned[p.TopicPartition], "owners of %v", p.TopicPartition)
			}
		}
	}
}

// checkReplay runs the script again, gives the same commands at the same events, and compares.
func checkReplay(t require.TestingT, h *History, s Script) {
	w, err := New(s)
	require.NoError(t, err)
	again := NewHistory(w)
	for _, c := range h.Branches()[0].Given {
		for again.Len() < c.After {
			again.Step()
		}
		require.NoError(t, again.Do(c))
	}
	for again.Step() {
	}
	require.Equal(t, h.Len(), again.Len())
	require.Equal(t, h.Hash(h.Len()), again.Hash(again.Len()))
}
