package sim

import (
	"testing"
	"time"

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

// hasty is a script with a producer that makes a hundred records of 1000 bytes, ten a second.
func hasty(release string) Script {
	s := Script{
		Latency: 5 * ms, Brokers: []BrokerSpec{{ID: "B1"}}, Topics: []TopicSpec{{Name: "T1", Partitions: 1}},
		Producers: []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 100 * ms, Count: 100, Size: 1000}},
		Until:     120 * second,
	}
	s.Release, _ = kafka.ParseRelease(release)
	return s
}

// brought is when all hundred records are in the log, and how long the broker took over the longest of its answers.
func brought(t *testing.T, s Script) (all, longest time.Duration) {
	h := play(t, s)
	sent := map[int32]time.Duration{}
	for e := range h.Entries(1, h.Len()) {
		if e.Message != nil && e.Message.Body.API() == kafka.ProduceAPI {
			if e.Message.Reply() {
				longest = max(longest, e.At-sent[e.Message.Correlation])
			} else {
				sent[e.Message.Correlation] = e.At
			}
		}
	}
	return when(h, func(f *view.Frame) bool { return partitionOf(f).LogEnd == 100 }), longest
}

func TestAQuotaHoldsAProducerToItsRate(t *testing.T) {
	for release, waitsItself := range map[string]bool{"1.1": false, "2.0": true, "3.9": true} {
		s := hasty(release)
		free, _ := brought(t, s)
		require.Less(t, free, 11*second, release)
		s.Quotas = []broker.Quota{{ClientID: "P1", ProduceRate: 4_000}}
		all, longest := brought(t, s)
		require.Greater(t, all, 14*second, "%s: a hundred thousand bytes, four thousand a second, those of a window in advance", release)
		require.Less(t, all, 40*second, release)
		require.Equal(t, waitsItself, longest < 10*ms, "%s: the answer comes at once since 2.0", release)
	}
}

func TestAnOldProducerIsHeldUpByANewBroker(t *testing.T) {
	s := hasty("3.9")
	s.Quotas = []broker.Quota{{ClientID: "bulk", ProduceRate: 4_000}}
	s.Producers[0].Release, _ = kafka.ParseRelease("1.1")
	all, _ := brought(t, s)
	require.Less(t, all, 11*second, "the quota is another's")
	s.Producers[0].Settings = map[string]string{"client.id": "bulk"}
	all, longest := brought(t, s)
	require.Greater(t, all, 14*second)
	require.Greater(t, longest, second)
}
