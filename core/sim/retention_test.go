package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// Segments of two records each.
func retained(settings map[string]string) Script {
	settings["segment.bytes"] = "200"
	s := replicated(400*second, settings)
	s.Topics[0].Replication = 0
	for i := range s.Brokers {
		s.Brokers[i].Settings = map[string]string{"log.retention.check.interval.ms": "60000"}
	}
	s.Producers[0].Every, s.Producers[0].Start = 10*second, 0
	s.Producers[0].Stop = 200 * second
	return s
}

func TestSegmentsAreDeletedByTimeWithTheActiveOneToo(t *testing.T) {
	h := play(t, retained(map[string]string{"retention.ms": "55000"}))
	first := when(h, func(f *view.Frame) bool { return partitionOf(f).LogStart > 0 })
	require.Equal(t, 120*second, first, "at 60 s the first segment was too young")
	n := 0
	for h.At(n).Now() < 180*second {
		n++
	}
	require.EqualValues(t, 12, partitionOf(h.Frame(n+2)).LogStart)
	require.EqualValues(t, 20, partitionOf(last(h)).LogStart)
	require.EqualValues(t, 20, partitionOf(last(h)).LogEnd, "offsets go on where they were")
	require.Zero(t, partitionOf(last(h)).Bytes)
}

func TestSegmentsAreDeletedBySizeAsLongAsEnoughIsLeft(t *testing.T) {
	h := play(t, retained(map[string]string{"retention.bytes": "500"}))
	require.EqualValues(t, 600, partitionOf(last(h)).Bytes)
	require.EqualValues(t, 14, partitionOf(last(h)).LogStart)
}

func TestAPositionThatWasDeletedIsOutOfRange(t *testing.T) {
	s := retained(map[string]string{"retention.ms": "55000"})
	slow := client.ConsumerSpec{ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}}, Settings: map[string]string{"auto.offset.reset": "earliest", "max.poll.records": "1", "fetch.max.bytes": "100", "max.partition.fetch.bytes": "100"}}
	slow.Program = client.AutoCommit(second, 50*second)
	s.Consumers = []client.ConsumerSpec{slow}
	seen := false
	h := play(t, s)
	for e := range h.Entries(1, h.Len()) {
		seen = seen || e.Message != nil && kafka.ErrorOf(e.Message.Body) == kafka.OffsetOutOfRange
	}
	require.True(t, seen)
	require.EqualValues(t, 20, last(h).Consumers[0].Owned[0].Position)
}
