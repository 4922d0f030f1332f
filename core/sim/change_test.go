package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// commandsOf lists the commands in a trace with their times.
func commandsOf(h *History) []string {
	var list []string
	for e := range h.Entries(1, h.Len()) {
		if e.Kind == view.Commanded {
			list = append(list, e.At.String()+" "+string(e.Node)+" "+e.Command)
		}
	}
	return list
}

func TestAClientClosesAndStartsAgainWithOtherSettings(t *testing.T) {
	s := oneTopic(20*second, consumer("C1", 0))
	s.Commands = []Command{{At: 10 * second, Do: Set, Node: "C1", Settings: map[string]string{"session.timeout.ms": "7000"}}}
	h := play(t, s)
	require.Equal(t, []string{"0s C1 add-consumer C1", "10s C1 set C1 session.timeout.ms=7000", "10s C1 restart C1"}, commandsOf(h))
	restart := slices.IndexFunc(slices.Collect(h.Entries(1, h.Len())), func(e *view.Entry) bool { return e.Command == "restart C1" }) + 1
	require.Positive(t, h.Entry(restart).Cause, "what let it end is why it starts again")
	require.Equal(t, "Stable", last(h).Groups[0].State)
	require.EqualValues(t, 3, last(h).Groups[0].Generation, "it left, and joined anew")
	session := last(h).Groups[0].Members[0].Session
	require.Equal(t, 7*second, session.To-session.From)
}

func TestAClientThatHasEndedHasItsNewSettingsWhenItIsRestarted(t *testing.T) {
	s := oneTopic(100*second, consumer("C1", 0))
	s.Commands = []Command{
		{At: 10 * second, Do: Crash, Node: "C1"},
		{At: 11 * second, Do: Set, Node: "C1", Settings: map[string]string{"session.timeout.ms": "7000"}},
		{At: 12 * second, Do: Restart, Node: "C1"},
	}
	h := play(t, s)
	require.Equal(t, []string{"0s C1 add-consumer C1", "10s C1 crash C1", "11s C1 set C1 session.timeout.ms=7000", "12s C1 restart C1"}, commandsOf(h))
	members := last(h).Groups[0].Members
	session := members[len(members)-1].Session
	require.Equal(t, 7*second, session.To-session.From)
}

func TestAClientThatDiesWhileItClosesForNewSettingsStaysDead(t *testing.T) {
	s := oneTopic(30*second, consumer("C1", 0))
	s.Latency = 10 * time.Millisecond
	s.Commands = []Command{
		{At: 10 * second, Do: Set, Node: "C1", Settings: map[string]string{"session.timeout.ms": "7000"}},
		{At: 10*second + time.Millisecond, Do: Crash, Node: "C1"},
	}
	h := play(t, s)
	require.Equal(t, view.Crashed, consumerOf(last(h), "C1").Liveness)
	require.Len(t, commandsOf(h), 3)
}

func TestAProgramIsChangedByStartingAgain(t *testing.T) {
	pattern, _ := client.PatternNamed("commit-sync", second, 10*time.Millisecond)
	s := oneTopic(20*second, consumer("C1", 0))
	s.Commands = []Command{{At: 10 * second, Do: Program, Node: "C1", Program: &pattern.Program, Settings: pattern.Settings}}
	h := play(t, s)
	require.Equal(t, "commit-sync", consumerOf(last(h), "C1").Program.Name)
	require.Equal(t, "Stable", last(h).Groups[0].State)
}

func TestASettingGoesBackToItsDefaultWhenItsValueIsTakenAway(t *testing.T) {
	c := consumer("C1", 0)
	c.Settings = map[string]string{"session.timeout.ms": "7000"}
	s := oneTopic(20*second, c)
	s.Commands = []Command{{At: 10 * second, Do: Set, Node: "C1", Settings: map[string]string{"session.timeout.ms": ""}}}
	session := last(play(t, s)).Groups[0].Members[0].Session
	require.Equal(t, 45*second, session.To-session.From)
}

func TestABrokerTakesUpWhatKafkaLetsItChangeWhileItRuns(t *testing.T) {
	for name, c := range map[string]struct {
		release  string
		settings map[string]string
		restarts bool
	}{
		"min.insync.replicas since 1.1":     {"3.9", map[string]string{"min.insync.replicas": "2"}, false},
		"not before":                        {"1.0", map[string]string{"min.insync.replicas": "2"}, true},
		"never the group's settings":        {"3.9", map[string]string{"group.min.session.timeout.ms": "1000"}, true},
		"nor one of them beside another":    {"3.9", map[string]string{"min.insync.replicas": "2", "group.max.size": "3"}, true},
		"log.segment.bytes while it writes": {"3.9", map[string]string{"log.segment.bytes": "500"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := oneTopic(30*second, consumer("C1", 0))
			s.Release, _ = kafka.ParseRelease(c.release)
			s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 100 * time.Millisecond}}
			s.Commands = []Command{{At: 10 * second, Do: Set, Node: "B2", Settings: c.settings}}
			h := play(t, s)
			require.Equal(t, c.restarts, slices.ContainsFunc(commandsOf(h), func(c string) bool { return c == "10s B2 restart B2" }), commandsOf(h))
			require.Equal(t, view.Up, last(h).Brokers[1].Liveness)
		})
	}
}

func TestMinInsyncReplicasOfABrokerCountsAtOnce(t *testing.T) {
	dies := Command{At: 10 * second, Do: Crash, Node: "B3"}
	raised := Command{At: 9 * second, Do: Set, Node: "B1", Settings: map[string]string{"min.insync.replicas": "3"}}
	require.Greater(t, last(play(t, replicated(40*second, nil, dies))).Producers[0].Acked, int64(20))
	require.Less(t, last(play(t, replicated(40*second, nil, raised, dies))).Producers[0].Acked, int64(12), "two are too few")
}

func TestRetentionOfATopicCanBeChanged(t *testing.T) {
	s := oneTopic(20*time.Minute, consumer("C1", 0))
	s.Topics[0].Records = 100
	s.Commands = []Command{{At: 60 * second, Do: Set, Topic: "T1", Settings: map[string]string{"retention.ms": "1000"}}}
	h := play(t, s)
	require.Equal(t, int64(100), last(h).Topics[0].Partitions[0].LogStart)
	s.Commands = nil
	require.Zero(t, last(play(t, s)).Topics[0].Partitions[0].LogStart)
}

func TestABrokerJoinsAndGetsReplicasOfWhatIsMadeFromNowOn(t *testing.T) {
	s := oneTopic(30*second, consumer("C1", 0))
	s.Topics[0].Replication = 2
	s.Commands = []Command{
		{At: 10 * second, Do: AddBroker, Broker: &BrokerSpec{ID: "B4", Rack: "a"}},
		{At: 11 * second, Do: AddTopic, NewTopic: &TopicSpec{Name: "T2", Partitions: 4, Replication: 4}},
		{At: 12 * second, Do: Subscribe, Node: "C1", Topics: []string{"T1", "T2"}},
		{At: 13 * second, Do: AddProducer, Producer: &client.ProducerSpec{ID: "P1", Topic: "T2", Every: 100 * time.Millisecond}},
	}
	f := last(play(t, s))
	require.Len(t, f.Brokers, 4)
	for _, p := range f.Topics[0].Partitions {
		require.NotContains(t, brokersOf(&p), kafka.NodeID("B4"), "what there was stays where it is")
	}
	leaders := []kafka.NodeID{}
	for _, p := range f.Topics[1].Partitions {
		require.Contains(t, inSync(&p), kafka.NodeID("B4"))
		leaders = append(leaders, p.Leader)
	}
	require.Contains(t, leaders, kafka.NodeID("B4"))
	require.Positive(t, f.Topics[1].Partitions[3].HighWatermark)
}

func brokersOf(p *view.Partition) []kafka.NodeID {
	var list []kafka.NodeID
	for _, r := range p.Replicas {
		list = append(list, r.Broker)
	}
	return list
}

func TestAStoreCanBeAdded(t *testing.T) {
	pattern, _ := client.PatternNamed("external-store", second, 10*time.Millisecond)
	s := oneTopic(20*second, consumer("C1", 0))
	s.Topics[0].Records = 5
	s.Commands = []Command{
		{At: 10 * second, Do: AddStore, Node: "S1"},
		{At: 10 * second, Do: Program, Node: "C1", Program: &pattern.Program, Settings: pattern.Settings, Peer: "S1"},
		{At: 15 * second, Do: AddProducer, Producer: &client.ProducerSpec{ID: "P1", Topic: "T1", Every: 100 * time.Millisecond, Count: 8}},
	}
	f := last(play(t, s))
	require.Equal(t, kafka.NodeID("S1"), f.Stores[0].ID)
	require.EqualValues(t, 8, f.Stores[0].Results)
}

func TestChangesThatMakeNoSenseAreRefused(t *testing.T) {
	h := play(t, busy())
	for _, c := range []Command{
		{Do: Set, Node: "C3"}, {Do: Set, Node: "C9", Settings: map[string]string{"acks": "1"}},
		{Do: Set, Node: "C3", Settings: map[string]string{"acks": "1"}}, {Do: Set, Topic: "T9", Settings: map[string]string{"retention.ms": "1"}},
		{Do: Set, Topic: kafka.OffsetsTopic, Settings: map[string]string{"retention.ms": "1"}},
		{Do: Set, Node: kafka.Controller, Settings: map[string]string{"min.insync.replicas": "1"}},
		{Do: Program, Node: "C3"}, {Do: Program, Node: "P1", Program: &client.Program{}}, {Do: AddBroker}, {Do: AddStore},
		{Do: AddBroker, Broker: &BrokerSpec{ID: "C1"}}, {Do: AddStore, Node: "B1"},
	} {
		require.Error(t, h.Do(c), c.Text())
	}
}

// randomChange is a command that changes what a world is made of.
func randomChange(t *rapid.T, s *Script) Command {
	pattern := rapid.SampledFrom(client.Patterns(second, 10*time.Millisecond)[:7]).Draw(t, "pattern")
	consumer := rapid.SampledFrom(s.Consumers).Draw(t, "consumer").ID
	broker := rapid.SampledFrom(s.Brokers).Draw(t, "broker").ID
	timeout := map[string]string{"session.timeout.ms": rapid.SampledFrom([]string{"6000", "10000", ""}).Draw(t, "timeout")}
	return rapid.SampledFrom([]Command{
		{Do: Set, Node: consumer, Settings: timeout},
		{Do: Program, Node: consumer, Program: &pattern.Program, Settings: pattern.Settings},
		{Do: Set, Node: broker, Settings: map[string]string{"min.insync.replicas": "1"}},
		{Do: Set, Node: broker, Settings: map[string]string{"group.initial.rebalance.delay.ms": "500"}},
		{Do: Set, Topic: "T1", Settings: map[string]string{"retention.ms": "100000"}},
		{Do: AddBroker, Broker: &BrokerSpec{ID: "B7"}},
		{Do: AddTopic, NewTopic: &TopicSpec{Name: "T7", Partitions: 3}},
		{Do: AddPartitions, Topic: "T1", Count: 9},
		{Do: Crash, Node: consumer}, {Do: Restart, Node: consumer}, {Do: Freeze, Node: broker, For: 3 * second},
	}).Draw(t, "change")
}

func TestBranchesOfBranchesReplayExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := busy()
		w, err := New(s)
		require.NoError(t, err)
		h := NewHistory(w)
		require.NoError(t, h.Run(200_000))
		hashes := []string{h.Hash(h.Len())}
		for range rapid.IntRange(1, 5).Draw(t, "branches") {
			h.Switch(BranchID(rapid.IntRange(0, len(hashes)-1).Draw(t, "from")))
			if _, err := h.Fork(rapid.IntRange(0, h.Len()).Draw(t, "fork"), randomChange(t, &s)); err != nil {
				continue
			}
			if rapid.Bool().Draw(t, "extended") {
				require.NoError(t, h.Extend(h.branch().Until+5*second))
			}
			require.NoError(t, h.Run(200_000))
			hashes = append(hashes, h.Hash(h.Len()))
		}
		for id, hash := range hashes {
			h.Switch(BranchID(id))
			require.Equal(t, hash, h.Hash(h.Len()))
			n := rapid.IntRange(0, h.Len()).Draw(t, "event")
			require.Equal(t, anew(t, s, h, n).Frame(), *h.Frame(n))
		}
	})
}

// anew plays a script to event n of a history's current branch, with the commands that were given on the way there.
func anew(t require.TestingT, s Script, h *History, n int) *World {
	var given []Command
	end := n
	for id := h.Current(); ; id = h.Branches()[id].Parent {
		b := h.Branches()[id]
		for _, c := range b.Given {
			if c.After < end {
				given = append(given, c)
			}
		}
		if end = min(end, b.Fork); id == 0 {
			break
		}
	}
	s.Until = h.branch().Until
	w, err := New(s)
	require.NoError(t, err)
	for w.Event() < n {
		i := slices.IndexFunc(given, func(c Command) bool { return c.After == w.Event() })
		if i < 0 {
			w.Step()
			continue
		}
		_, err := w.Do(given[i])
		require.NoError(t, err)
	}
	return w
}
