package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/client"
	"groupscope/core/kafka"
)

// busy is a script in which something of everything happens.
func busy() Script {
	s := oneTopic(90*second, consumer("C1", 0), consumer("C2", 5*second), consumer("C3", 6*second))
	s.Latency = 2 * time.Millisecond
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 500 * time.Millisecond, Start: second}}
	s.Commands = []Command{
		{At: 15 * second, Do: Freeze, Node: "C3", For: 60 * second},
		{At: 20 * second, Do: Crash, Node: "C2"},
		{At: 30 * second, Do: Cut, Node: "C1", Peer: "B1"},
		{At: 33 * second, Do: Mend, Node: "C1", Peer: "B1"},
		{At: 70 * second, Do: Restart, Node: "C2"},
		{At: 80 * second, Do: Close, Node: "C1"},
	}
	return s
}

func TestGoingBackShowsTheSameFrame(t *testing.T) {
	h := play(t, busy())
	w, err := New(busy())
	require.NoError(t, err)
	for n := range h.Len() + 1 {
		require.Equal(t, w.Frame(), *h.Frame(n))
		w.Step()
	}
	for n := h.Len(); n >= 0; n -= 7 {
		require.Equal(t, h.At(n).Frame(), *h.Frame(n))
		require.Equal(t, n, h.Frame(n).Event)
	}
}

func TestTheSameScriptGivesTheSameTrace(t *testing.T) {
	a, b := play(t, busy()), play(t, busy())
	require.Equal(t, a.Len(), b.Len())
	require.Equal(t, a.Hash(a.Len()), b.Hash(b.Len()))
}

func TestACommandGivenInThePastMakesABranchAndKeepsTheOldFuture(t *testing.T) {
	h := play(t, busy())
	length, hash := h.Len(), h.Hash(h.Len())
	fork := h.Len() / 2

	id, err := h.Fork(fork, Command{Do: Crash, Node: "C1"})
	require.NoError(t, err)
	require.NoError(t, h.Run(100_000))
	require.Equal(t, "crash C1", h.Entry(fork+1).Command)
	branched := h.Hash(h.Len())
	require.NotEqual(t, hash, branched)

	h.Switch(0)
	require.Equal(t, length, h.Len())
	require.Equal(t, hash, h.Hash(h.Len()))

	h.Switch(id)
	require.Equal(t, branched, h.Hash(h.Len()))
	require.Equal(t, h.At(h.Len()).Frame(), *h.Frame(h.Len()))
	require.Equal(t, []Command{{At: h.Frame(fork).At, After: fork, Do: Crash, Node: "C1"}}, h.Branches()[id].Given)
}

func TestACommandThatMakesNoSenseIsRefusedAndChangesNothing(t *testing.T) {
	h := play(t, busy())
	length := h.Len()
	for _, c := range []Command{
		{Do: Crash, Node: "C9"}, {Do: "explode", Node: "C1"}, {Do: Restart, Node: "C3"}, {Do: AddConsumer},
		{Do: Close, Node: "B1"}, {Do: Crash, Node: kafka.Controller}, {Do: Cut, Node: "C1", Peer: "nobody"},
	} {
		require.Error(t, h.Do(c), c.Text())
		_, err := h.Fork(10, c)
		require.Error(t, err, c.Text())
	}
	require.Equal(t, length, h.Len())
	require.Len(t, h.Branches(), 1)
}

func TestAClonedWorldGoesItsOwnWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(busy())
		require.NoError(t, err)
		for range rapid.IntRange(0, 1500).Draw(t, "before") {
			w.Step()
		}
		before := w.Frame()
		c := w.Clone()
		for range 300 {
			c.Step()
		}
		require.Equal(t, before, w.Frame())
		w.Step()
		d := w.Clone()
		want, more := d.Step()
		got, _ := w.Step()
		if more {
			require.Equal(t, EntryText(&want), EntryText(&got))
		}
	})
}
