package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// heavy is a script with one broker, 100 records of 1000 bytes and a consumer that reads them all.
func heavy() Script {
	return Script{
		Brokers: []BrokerSpec{{ID: "B1"}}, Topics: []TopicSpec{{Name: "T1", Partitions: 1, Records: 100, RecordSize: 1000}},
		Consumers: []client.ConsumerSpec{{
			ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}},
			Settings: map[string]string{"auto.offset.reset": "earliest", "max.partition.fetch.bytes": "10000"},
		}},
		Until: 120 * second,
	}
}

// read is when a consumer had all hundred records.
func read(h *History) int64 {
	return when(h, func(f *view.Frame) bool {
		return len(f.Consumers) > 0 && len(f.Consumers[0].Owned) > 0 && f.Consumers[0].Owned[0].Position == 100
	}).Milliseconds()
}

func TestALinkOfLimitedBandwidthTakesTimeForEachByte(t *testing.T) {
	s := heavy()
	quick := read(play(t, s))
	s.Bandwidth = 10_000
	slow := read(play(t, s))
	require.GreaterOrEqual(t, slow-quick, int64(9_000), "a hundred thousand bytes, ten thousand a second")
	s.Bandwidth = 0
	s.Commands = []Command{{Do: Bandwidth, Node: "B1", Peer: "C1", Count: 10_000}}
	require.Greater(t, read(play(t, s)), quick)
}

func TestAQuotaHoldsAConsumerToItsRate(t *testing.T) {
	s := heavy()
	s.Consumers[0].Program = client.AutoCommit(second, 0)
	quick := read(play(t, s))
	s.Quotas = []broker.Quota{{ClientID: "C1", FetchRate: 2_000}}
	h := play(t, s)
	require.Greater(t, read(h)-quick, int64(30_000), "a hundred thousand bytes, two thousand a second, some of them in advance")
	throttled := 0
	for e := range h.Entries(1, h.Len()) {
		if e.Message == nil {
			continue
		}
		if r, ok := e.Message.Body.(*kafka.FetchResponse); ok && r.Throttle > 0 {
			throttled++
			require.Empty(t, r.Partitions[0].Records)
		}
	}
	require.Positive(t, throttled)
	s.Quotas[0].ClientID = "others"
	require.Equal(t, quick, read(play(t, s)))
}
