package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
)

// long is a script of well over 100,000 events.
func long() Script {
	s := oneTopic(2*time.Hour, consumer("C1", 0), consumer("C2", 0), consumer("C3", 5*second), consumer("C4", 6*second))
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 250 * time.Millisecond, Start: second}}
	return s
}

// BenchmarkEvents measures simulation: one operation is one event.
func BenchmarkEvents(b *testing.B) {
	w, err := New(long())
	require.NoError(b, err)
	for b.Loop() {
		if _, ok := w.Step(); !ok {
			w, _ = New(long())
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkSeek measures going to a random place in a history of 100,000 events, and seeing the frame there.
func BenchmarkSeek(b *testing.B) {
	w, err := New(long())
	require.NoError(b, err)
	h := NewHistory(w)
	require.ErrorIs(b, h.Run(100_000), ErrTooLong)
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		h.Frame(random.IntN(h.Len()))
	}
}

// BenchmarkStepBack measures going back one event at a time, from the end of a history of 100,000 events.
func BenchmarkStepBack(b *testing.B) {
	w, err := New(long())
	require.NoError(b, err)
	h := NewHistory(w)
	require.ErrorIs(b, h.Run(100_000), ErrTooLong)
	n := h.Len()
	for b.Loop() {
		if n--; n < 0 {
			n = h.Len()
		}
		h.Frame(n)
	}
}
