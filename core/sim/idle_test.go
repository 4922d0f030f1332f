package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// seldom is a script with two brokers and a producer that asks B1 for metadata and brings B2 a record every twenty minutes.
func seldom(settings map[string]string) Script {
	return Script{
		Latency:   5 * ms,
		Brokers:   []BrokerSpec{{ID: "B1"}, {ID: "B2"}},
		Topics:    []TopicSpec{{Name: "T1", Partitions: 1, Leaders: []kafka.NodeID{"B2"}}},
		Producers: []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 20 * time.Minute, Count: 3, Settings: settings}},
		Until:     time.Hour,
	}
}

// closings lists who learned when that a connection was closed.
func closings(h *History) []string {
	var list []string
	for e := range h.Entries(1, h.Len()) {
		if e.Kind == view.Disconnect {
			list = append(list, string(e.Node)+" "+string(e.Peer)+" "+e.At.Truncate(time.Second).String())
		}
	}
	return list
}

func TestAnIdleConnectionIsClosedByTheClientAfterNineMinutesAndTheNextRequestOpensAnother(t *testing.T) {
	h := play(t, seldom(nil))
	require.Equal(t, []string{"P1 B2 9m0s", "B2 P1 9m0s", "P1 B2 29m0s", "B2 P1 29m0s", "P1 B2 49m0s", "B2 P1 49m0s"}, closings(h),
		"metadata every five minutes keeps the connection to B1")
	require.EqualValues(t, 3, last(h).Producers[0].Acked)
}

func TestABrokerClosesAConnectionThatItsClientKeeps(t *testing.T) {
	h := play(t, seldom(map[string]string{"connections.max.idle.ms": "-1"}))
	require.Equal(t, "B2 P1 10m0s", closings(h)[0])
	require.EqualValues(t, 3, last(h).Producers[0].Acked)
	s := seldom(map[string]string{"connections.max.idle.ms": "-1"})
	for i := range s.Brokers {
		s.Brokers[i].Settings = map[string]string{"connections.max.idle.ms": "-1"}
	}
	require.Empty(t, closings(play(t, s)))
}

func TestAConnectionInUseIsNotWatchedAtEveryMessage(t *testing.T) {
	s := seldom(nil)
	s.Producers[0].Every, s.Producers[0].Count, s.Until = second, 600, 601*second
	w, err := New(s)
	require.NoError(t, err)
	h := NewHistory(w)
	require.NoError(t, h.Run(200_000))
	require.Empty(t, closings(h))
	watching := 0
	for _, e := range h.At(h.Len()).queue {
		if e.kind == idleEvent {
			watching++
		}
	}
	require.Equal(t, 2, watching, "one for each connection")
}
