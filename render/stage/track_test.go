package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// trackOf reads a trace given entry by entry; events and times are filled in, a second apart.
func trackOf(entries ...view.Entry) *track {
	for i := range entries {
		entries[i].Event, entries[i].At = i+1, time.Duration(i)*time.Second
	}
	return newTrack(len(entries), func(event int) *view.Entry { return &entries[event-1] })
}

func heartbeat(id int64) kafka.Message {
	return kafka.Message{ID: id, From: "C1", To: "B1", Body: &kafka.HeartbeatRequest{}}
}

func TestAMessageEndsWhereItArrives(t *testing.T) {
	m := heartbeat(7)
	tr := trackOf(view.Entry{Kind: view.Fired, Sent: []kafka.Message{m}}, view.Entry{Kind: view.Received, Message: &m})
	require.Equal(t, 1, tr.arrow(7).sent)
	require.Equal(t, 2, tr.arrow(7).end())
	require.Nil(t, tr.arrow(8))
}

func TestAMessageIsLostWithItsConnection(t *testing.T) {
	tr := trackOf(
		view.Entry{Kind: view.Fired, Sent: []kafka.Message{heartbeat(1)}},
		view.Entry{Kind: view.Disconnect, Node: "B1", Peer: "C2"},
		view.Entry{Kind: view.Disconnect, Node: "B1", Peer: "C1"})
	require.Equal(t, 3, tr.arrow(1).dropped)
	require.Zero(t, tr.arrow(1).arrived)
}

func TestARebalanceIsABandFromItsBeginningToItsEnd(t *testing.T) {
	state := func(group, state string, generation int64) view.Entry {
		return view.Entry{Kind: view.Fired, Facts: []view.Fact{{Kind: view.GroupState, Group: group, Text: state, To: generation}}}
	}
	tr := trackOf(state("G1", "PreparingRebalance", 0), state("G2", "PreparingRebalance", 4), state("G1", "CompletingRebalance", 1),
		state("G1", "Stable", 1), state("G1", "PreparingRebalance", 1))
	require.Equal(t, []band{
		{group: "G1", from: 1, to: 4, generation: 1}, {group: "G2", from: 2}, {group: "G1", from: 5},
	}, tr.bands)
	from, to := tr.transition("G1", 4)
	require.Equal(t, []string{"CompletingRebalance", "Stable"}, []string{from, to})
	from, to = tr.transition("G2", 5)
	require.Equal(t, []string{"Empty", "PreparingRebalance"}, []string{from, to})
	from, to = tr.transition("G3", 5)
	require.Equal(t, []string{"", ""}, []string{from, to})
}

func TestFlowingRecordsAreQuietAndTheGroupsStoryIsNot(t *testing.T) {
	fetch, join := kafka.FetchResponse{}, kafka.JoinGroupRequest{}
	moved := kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{Error: kafka.NotLeaderOrFollower}}}
	received := func(b kafka.Body) view.Entry {
		return view.Entry{Kind: view.Received, Message: &kafka.Message{Body: b}}
	}
	require.True(t, isQuiet(ptr(received(&fetch))))
	require.False(t, isQuiet(ptr(received(&moved))), "an error is never quiet")
	require.False(t, isQuiet(ptr(received(&join))))
	require.False(t, isQuiet(&view.Entry{Kind: view.Commanded}))
	require.True(t, isQuiet(&view.Entry{Kind: view.Fired, Facts: []view.Fact{{Kind: view.Processed}}}))
	require.False(t, isQuiet(&view.Entry{Kind: view.Fired, Sent: []kafka.Message{heartbeat(1)}}))
}

func ptr[T any](v T) *T { return &v }
