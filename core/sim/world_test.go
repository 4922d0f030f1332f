package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/assign"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

const second = time.Second

// oneTopic is a script with three brokers and the topic T1 of four partitions.
func oneTopic(until time.Duration, consumers ...client.ConsumerSpec) Script {
	return Script{
		Brokers:   []BrokerSpec{{ID: "B1"}, {ID: "B2"}, {ID: "B3"}},
		Topics:    []TopicSpec{{Name: "T1", Partitions: 4}},
		Consumers: consumers,
		Until:     until,
	}
}

func consumer(id kafka.NodeID, start time.Duration) client.ConsumerSpec {
	return client.ConsumerSpec{ID: id, Group: "G1", Topics: []string{"T1"}, Start: start}
}

// play runs a script to its end.
func play(t *testing.T, s Script) *History {
	t.Helper()
	w, err := New(s)
	require.NoError(t, err)
	h := NewHistory(w)
	require.NoError(t, h.Run(200_000))
	return h
}

// when is the time of the first event at which a condition holds on the frame.
func when(h *History, condition func(*view.Frame) bool) time.Duration {
	for n := range h.Len() + 1 {
		if f := h.Frame(n); condition(f) {
			return f.At
		}
	}
	return -1
}

func consumerOf(f *view.Frame, id kafka.NodeID) *view.Consumer {
	i := slices.IndexFunc(f.Consumers, func(c view.Consumer) bool { return c.ID == id })
	if i < 0 {
		return &view.Consumer{}
	}
	return &f.Consumers[i]
}

// owns lists the partition numbers that a consumer owns.
func owns(f *view.Frame, id kafka.NodeID) []int32 {
	list := []int32{}
	for _, o := range consumerOf(f, id).Owned {
		list = append(list, o.Partition)
	}
	return list
}

func stable(generation int32) func(*view.Frame) bool {
	return func(f *view.Frame) bool {
		return len(f.Groups) > 0 && f.Groups[0].State == "Stable" && f.Groups[0].Generation == generation
	}
}

func last(h *History) *view.Frame { return h.Frame(h.Len()) }

// asked lists the requests that a consumer sent, without repeats of the one before.
func asked(h *History, id kafka.NodeID) []string {
	var names []string
	for e := range h.Entries(1, h.Len()) {
		for _, m := range e.Sent {
			name := m.Body.API().String()
			if m.From == id && !m.Reply() && (len(names) == 0 || names[len(names)-1] != name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func TestALoneConsumerGetsEveryPartitionWhenTheInitialDelayIsOver(t *testing.T) {
	h := play(t, oneTopic(10*second, consumer("C1", 0)))
	require.Equal(t, 3*second, when(h, stable(1)))
	require.Equal(t, []int32{0, 1, 2, 3}, owns(last(h), "C1"))
}

func TestAConsumerStartsWithTheRequestsOfTheJavaClient(t *testing.T) {
	h := play(t, oneTopic(4*second, consumer("C1", 0)))
	require.Equal(t, []string{"Metadata", "FindCoordinator", "JoinGroup", "SyncGroup", "OffsetFetch", "ListOffsets", "Fetch"},
		slices.DeleteFunc(asked(h, "C1"), func(s string) bool { return s == "Heartbeat" }))
}

func TestANewcomerWaitsForTheNextHeartbeatOfTheOthers(t *testing.T) {
	h := play(t, oneTopic(20*second, consumer("C1", 0), consumer("C2", 10*second)))
	require.Equal(t, 12*second, when(h, stable(2)))
	require.Equal(t, []int32{0, 1}, owns(last(h), "C1"))
	require.Equal(t, []int32{2, 3}, owns(last(h), "C2"))
}

func TestNewcomersShareOneRebalanceWhileTheInitialDelayRuns(t *testing.T) {
	h := play(t, oneTopic(10*second,
		consumer("C1", 0), consumer("C2", second), consumer("C3", 2*second), consumer("C4", 2500*time.Millisecond)))
	require.Equal(t, 6*second, when(h, stable(1)))
	for i, id := range []kafka.NodeID{"C1", "C2", "C3", "C4"} {
		require.Equal(t, []int32{int32(i)}, owns(last(h), id))
	}
}

func TestAConsumerThatClosesIsReplacedAtTheNextHeartbeat(t *testing.T) {
	s := oneTopic(30*second, consumer("C1", 0), consumer("C2", 0))
	s.Commands = []Command{{At: 20 * second, Do: Close, Node: "C2"}}
	h := play(t, s)
	took := when(h, func(f *view.Frame) bool { return len(owns(f, "C1")) == 4 && f.At >= 20*second })
	require.LessOrEqual(t, took, 23*second)
	require.Equal(t, view.Closed, consumerOf(last(h), "C2").Liveness)
	require.Equal(t, []int32{0, 1, 2, 3}, owns(last(h), "C1"))
}

func TestAConsumerThatCrashesIsReplacedWhenItsSessionExpires(t *testing.T) {
	for release, expected := range map[string]time.Duration{"3.9": 63 * second, "2.4": 28 * second} {
		s := oneTopic(80*second, consumer("C1", 0), consumer("C2", 0))
		s.Release, _ = kafka.ParseRelease(release)
		s.Commands = []Command{{At: 20 * second, Do: Crash, Node: "C2"}}
		h := play(t, s)
		removed := when(h, func(f *view.Frame) bool { return f.At > 20*second && len(f.Groups[0].Members) == 1 })
		require.Equal(t, expected, removed, release)
		require.Equal(t, []int32{0, 1, 2, 3}, owns(last(h), "C1"), release)
	}
}

func TestRecordsAreProcessedOnceAndCommittedByTheNextDuePoll(t *testing.T) {
	s := oneTopic(20*second, consumer("C1", 0))
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 250 * time.Millisecond, Start: 4 * second, Stop: 10 * second}}
	h := play(t, s)
	var processed, committed int64
	for _, w := range last(h).Groups[0].Work {
		for _, r := range w.Done {
			require.Equal(t, 1, r.Times)
			processed += r.Len()
		}
		committed += w.Committed
		require.Empty(t, w.Lost)
	}
	require.EqualValues(t, 24, processed)
	require.EqualValues(t, 24, committed)
}

func TestAGroupWhoseMembersAllHaveACustomAssignorUsesIt(t *testing.T) {
	custom := []assign.Custom{{Name: "heavy", Weights: map[string]int{"C1": 3}}}
	a, b := consumer("C1", 0), consumer("C2", 0)
	a.Custom, b.Custom = custom, custom
	f := last(play(t, oneTopic(8*second, a, b)))
	require.Equal(t, "heavy", f.Groups[0].Protocol)
	require.Equal(t, []int32{0, 1, 2}, owns(f, "C1"))
	require.Equal(t, []int32{3}, owns(f, "C2"))
}

func TestAGroupOutlivesItsCoordinatorWithoutARebalance(t *testing.T) {
	s := oneTopic(60*second, consumer("C1", 0), consumer("C2", 0))
	s.Topics[0].Leaders = []kafka.NodeID{"B2", "B3", "B2", "B3"}
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 250 * time.Millisecond, Start: 4 * second, Stop: 40 * second}}
	s.Commands = []Command{{At: 20 * second, Do: Crash, Node: "B1"}, {At: 40 * second, Do: Restart, Node: "B1"}}
	h := play(t, s)

	f := last(h)
	require.Equal(t, kafka.NodeID("B2"), f.Groups[0].Coordinator)
	require.EqualValues(t, 1, f.Groups[0].Generation)
	require.Equal(t, "Stable", f.Groups[0].State)
	require.Len(t, f.Groups[0].Members, 2)
	var committed int64
	for _, w := range f.Groups[0].Work {
		committed += w.Committed
		for _, r := range w.Done {
			require.Equal(t, 1, r.Times)
		}
	}
	require.EqualValues(t, 144, committed)
}
