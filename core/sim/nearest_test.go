package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
)

// fetchedFrom lists the brokers that a consumer fetched from, without repeats of the one before.
func fetchedFrom(h *History, id kafka.NodeID) []kafka.NodeID {
	var list []kafka.NodeID
	for e := range h.Entries(1, h.Len()) {
		for _, m := range e.Sent {
			if m.From == id && m.Body.API() == kafka.FetchAPI && (len(list) == 0 || list[len(list)-1] != m.To) {
				list = append(list, m.To)
			}
		}
	}
	return list
}

// racks is a replicated script whose brokers are in racks a, b and c, with a consumer in rack b.
func racks(release string) Script {
	s := replicated(30*second, nil)
	s.Release, _ = kafka.ParseRelease(release)
	for i, rack := range []string{"a", "b", "c"} {
		s.Brokers[i].Rack = rack
		if kafka.FollowerFetching.Broker(s.Release) {
			s.Brokers[i].Settings = map[string]string{"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"}
		}
	}
	s.Consumers = []client.ConsumerSpec{{ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}}, Settings: map[string]string{"auto.offset.reset": "earliest"}}}
	if kafka.FollowerFetching.Client(s.Release) {
		s.Consumers[0].Settings["client.rack"] = "b"
	}
	return s
}

func TestAConsumerFetchesFromTheReplicaOfItsRack(t *testing.T) {
	h := play(t, racks("3.9"))
	require.Equal(t, []kafka.NodeID{"B1", "B2"}, fetchedFrom(h, "C1"))
	require.EqualValues(t, 29, last(h).Consumers[0].Owned[0].Position, "up to the high watermark that the follower knows")
	require.Equal(t, []kafka.NodeID{"B1"}, fetchedFrom(play(t, racks("2.3")), "C1"))
}

func TestAConsumerGoesBackToTheLeaderWhenItsReplicaDies(t *testing.T) {
	s := racks("3.9")
	s.Commands = []Command{{At: 15 * second, Do: Crash, Node: "B2"}}
	h := play(t, s)
	require.Equal(t, []kafka.NodeID{"B1", "B2", "B1"}, fetchedFrom(h, "C1")[:3])
	require.Greater(t, last(h).Consumers[0].Owned[0].Position, int64(20))
}
