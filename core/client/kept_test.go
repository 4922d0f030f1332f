package client

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// each is a program that polls and does something with each record, and in onPartitionsRevoked what is given.
func each(ops []Op, revoked ...Op) Program {
	return Program{
		Listing:   []string{"poll", "for each", "revoked"},
		Body:      []Op{{Do: Poll, Line: 1, For: time.Second}, {Do: ForEach, Line: 2, Body: ops}},
		OnRevoked: revoked,
	}
}

// variable is a variable of the program as the frame shows it; "" if it has not come into use.
func (g *rig) variable(name string) string {
	for _, call := range g.c.View().Threads[0].Stack {
		for _, l := range call.Locals {
			if l.Name == name {
				return l.Value
			}
		}
	}
	return ""
}

// offsets lists the offsets of the facts of a kind so far.
func (g *rig) offsets(kind view.FactKind) []int64 {
	var list []int64
	for _, f := range g.facts {
		if f.Kind == kind {
			list = append(list, f.From)
		}
	}
	return list
}

// rebalance lets the group begin a rebalance, which a heartbeat tells the member of.
func (g *rig) rebalance() {
	g.t.Helper()
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress})
	g.advance(2 * time.Second)
}

func TestAProgramCountsTheRecordsOfEachKey(t *testing.T) {
	g := newRig(t, "", each([]Op{{Do: CountKey, Line: 2}}), nil).find().join().sync()
	require.Empty(t, g.variable("counts"))
	list := records(0, 3)
	list[0].Key, list[1].Key, list[2].Key = "b", "a", "b"
	g.answer(&kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{TopicPartition: both[0], Records: list}}})
	require.Equal(t, "T1-0 a: 1, T1-0 b: 2", g.variable("counts"))
	before := g.c.Clone().(*Consumer)
	g.advance(10 * time.Millisecond) // to the next round of the loop
	g.answer(&kafka.FetchResponse{Partitions: []kafka.FetchedPartition{
		{TopicPartition: both[0], Records: []kafka.Record{{Offset: 3, NullKey: true}}},
	}})
	require.Equal(t, "T1-0 a: 1, T1-0 b: 2, T1-0 null: 1", g.variable("counts"))
	require.Len(t, before.vars.kept.counts, 2, "a clone keeps its own")
}

func TestACacheIsWarmedBeforeTheFirstRecordOfAPartition(t *testing.T) {
	g := newRig(t, "", each([]Op{{Do: Warm, Line: 2, For: 2 * time.Second}, {Do: Process, Line: 2, For: 10 * time.Millisecond}},
		Op{Do: CloseHandles, Line: 3}), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.fetch(0, 2)
	g.advance(time.Second)
	require.Empty(t, g.offsets(view.ProcessingStarted))
	require.Empty(t, g.variable("cache"))
	g.advance(1100 * time.Millisecond)
	require.Equal(t, []int64{0, 1}, g.offsets(view.Processed), "the second record waits for nothing")
	require.Equal(t, "T1-0", g.variable("cache"))
	g.advance(10 * time.Millisecond)
	g.rebalance()
	require.Equal(t, []string{"onPartitionsAssigned T1-0 T1-1", "onPartitionsRevoked T1-0 T1-1"}, g.callbacks())
	require.Empty(t, g.variable("cache"), "closed on revoke: it is cold after the handover")
}

func TestABufferIsProcessedWhenItIsFlushed(t *testing.T) {
	program := each([]Op{{Do: Buffer, Line: 2}})
	program.Body = append(program.Body, Op{Do: Flush, Line: 1, For: 50 * time.Millisecond})
	g := newRig(t, "", program, nil).find().join().sync()
	g.fetch(0, 3)
	require.Equal(t, []int64{0, 1, 2}, g.offsets(view.ProcessingStarted))
	require.Empty(t, g.offsets(view.Processed))
	require.Equal(t, "T1-0: 3", g.variable("buffer"))
	require.Equal(t, view.Span{From: 0, To: 3}, g.c.View().Owned[0].Returned, "they are still in the program's hand")
	g.advance(60 * time.Millisecond)
	require.Equal(t, []int64{0, 1, 2}, g.offsets(view.Processed))
	require.Empty(t, g.variable("buffer"))
}

func TestABufferIsFlushedAndHandlesAreClosedOnRevoke(t *testing.T) {
	ops := []Op{{Do: CountKey, Line: 2}, {Do: Buffer, Line: 2}}
	for name, row := range map[string]struct {
		revoked        []Op
		processed      []int64
		buffer, counts string
	}{
		"nothing":                 {nil, nil, "T1-0: 2", "T1-0 : 2"},
		"flush":                   {[]Op{{Do: Flush, Line: 3}}, []int64{0, 1}, "", "T1-0 : 2"},
		"flush and close handles": {[]Op{{Do: Flush, Line: 3}, {Do: CloseHandles, Line: 3, For: 20 * time.Millisecond}}, []int64{0, 1}, "", ""},
		"close handles alone":     {[]Op{{Do: CloseHandles, Line: 3}}, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, "", each(ops, row.revoked...), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
			g.fetch(0, 2)
			require.Equal(t, "T1-0: 2", g.variable("buffer"))
			g.rebalance()
			require.True(t, slices.Contains(g.waiting(), "JoinGroup"), "%v", g.waiting())
			require.Equal(t, row.processed, g.offsets(view.Processed))
			require.Equal(t, row.buffer, g.variable("buffer"))
			require.Equal(t, row.counts, g.variable("counts"))
		})
	}
}
