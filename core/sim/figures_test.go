package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/figures"
)

// BenchmarkFigures measures counting a history of 100,000 events.
func BenchmarkFigures(b *testing.B) {
	w, err := New(long())
	require.NoError(b, err)
	h := NewHistory(w)
	require.ErrorIs(b, h.Run(100_000), ErrTooLong)
	for b.Loop() {
		figures.Of(figures.Run{Events: h.Len(), Entry: h.Entry, Frame: h.Frame})
	}
}
