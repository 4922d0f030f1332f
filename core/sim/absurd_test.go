package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// absurdOps are operations in places where no sound program has them.
func absurdOps(t *rapid.T, depth int) []client.Op {
	var ops []client.Op
	for range rapid.IntRange(0, 3).Draw(t, "operations") {
		op := client.Op{Line: 1, Do: client.OpKind(rapid.SampledFrom(client.OpKinds()).Draw(t, "does"))}
		op.For = rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second}).Draw(t, "for")
		op.Test = rapid.SampledFrom([]client.Test{client.EveryNth, client.CommitFailed, client.CommitNewest}).Draw(t, "test")
		op.Offsets = rapid.SampledFrom([]client.Offsets{client.Positions, client.Tracked}).Draw(t, "offsets")
		op.Topics, op.Every = []string{"T1"}, 1
		op.Class = rapid.SampledFrom([]string{"WakeupException", "KafkaException", "RuntimeException"}).Draw(t, "class")
		op.Partitions = []kafka.TopicPartition{{Topic: "T1", Partition: 1}}
		if depth > 0 && (op.Do == client.ForEach || op.Do == client.If || op.Do == client.Try) {
			op.Body = absurdOps(t, depth-1)
			op.Catch = []client.Catch{{Body: absurdOps(t, depth-1)}}
		}
		if depth > 0 && op.Do == client.CommitAsync {
			op.Callback = absurdOps(t, depth-1)
		}
		ops = append(ops, op)
	}
	return ops
}

// absurdScript runs a consumer whose program makes no sense, and has it close late.
func absurdScript(p client.Program) Script {
	c := consumer("C1", 0)
	c.Program, c.Store, c.Settings = p, "DB1", map[string]string{"auto.offset.reset": "earliest", "max.poll.records": "2"}
	return Script{
		Latency: time.Millisecond, Until: 20 * time.Second, Stores: []kafka.NodeID{"DB1"},
		Brokers:   []BrokerSpec{{ID: "B1"}},
		Topics:    []TopicSpec{{Name: "T1", Partitions: 2, Records: 5}},
		Consumers: []client.ConsumerSpec{c},
		Commands:  []Command{{At: 15 * time.Second, Do: Close, Node: "C1"}},
	}
}

func TestNoProgramStopsTheWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func() []client.Op { return absurdOps(t, 2) }
		w, err := New(absurdScript(client.Program{
			Name: "absurd", Listing: []string{"absurd"}, Workers: 1,
			Setup: part(), Body: part(), Closing: part(), OnRevoked: part(), OnAssigned: part(), OnLost: part(),
		}))
		require.NoError(t, err)
		for range 2000 {
			if _, more := w.Step(); !more {
				return
			}
		}
	})
}

func TestAProgramThatCallsItselfWithoutEndOverflowsItsStack(t *testing.T) {
	poll := client.Op{Do: client.Poll, Line: 1}
	for name, does := range map[string][]client.Op{
		"poll in the listener":    {poll},
		"unsubscribe, join in it": {{Do: client.Unsubscribe, Line: 1}, {Do: client.Subscribe, Line: 1, Topics: []string{"T1"}}, poll},
		"and a handler for it":    {{Do: client.Try, Line: 1, Body: []client.Op{poll}, Catch: []client.Catch{{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := client.Program{Listing: []string{"x"}, Body: []client.Op{poll}, OnRevoked: does, OnAssigned: does}
			f := last(play(t, absurdScript(p)))
			require.Equal(t, view.Closed, consumerOf(f, "C1").Liveness)
		})
	}
}

func TestLeavingTheLoopFromTheCallbackOfCloseEndsTheProcess(t *testing.T) {
	p := client.Program{
		Listing: []string{"x"}, Body: []client.Op{{Do: client.Poll, For: time.Second, Line: 1}},
		OnRevoked: []client.Op{{Do: client.Leave, Line: 1}},
	}
	f := last(play(t, absurdScript(p)))
	require.Equal(t, view.Closed, consumerOf(f, "C1").Liveness)
}

func TestALoopWithinALoopUsesUpTheBatchOfBoth(t *testing.T) {
	inner := client.Op{Do: client.ForEach, Line: 1, Body: []client.Op{{Do: client.Process, Line: 1}}}
	p := client.Program{Listing: []string{"x"}, Body: []client.Op{
		{Do: client.Poll, For: time.Second, Line: 1}, {Do: client.ForEach, Line: 1, Body: []client.Op{inner}}, {Do: client.Retry, Line: 1},
	}}
	f := last(play(t, absurdScript(p)))
	require.Equal(t, view.Closed, consumerOf(f, "C1").Liveness)
}

func TestScriptsTooLargeForTheModelAreRefused(t *testing.T) {
	s := absurdScript(client.Program{})
	s.Topics[0].Records = 1 << 62
	_, err := New(s)
	require.ErrorContains(t, err, "records at the start; expected at most 1000000")
	s = absurdScript(client.Program{})
	s.Brokers[0].Settings = map[string]string{"offsets.topic.num.partitions": "2147483647"}
	_, err = New(s)
	require.ErrorContains(t, err, "B1: offsets.topic.num.partitions: 2147483647 partitions; expected 1 to 10000")
}
