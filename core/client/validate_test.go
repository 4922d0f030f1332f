package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// moved is the cluster after partition 0 has got a new leader epoch.
func moved(release kafka.Release) *kafka.Cluster {
	c := *oneBroker
	c.Brokers = []kafka.BrokerInfo{{ID: "B1", Release: release}}
	c.Topics = []kafka.TopicInfo{{Name: "T1", Partitions: []kafka.PartitionInfo{
		{Leader: "B1", LeaderEpoch: 1, Replicas: []kafka.NodeID{"B1"}}, {Leader: "B1", Replicas: []kafka.NodeID{"B1"}},
	}}}
	return &c
}

// onceMoved takes a consumer to offset 10 of partition 0, and to the metadata in which that has a new leader epoch.
func onceMoved(t *testing.T, release, reset string, brokers kafka.Release) *rig {
	t.Helper()
	g := newRig(t, release, loop(0), map[string]string{"auto.offset.reset": reset, "enable.auto.commit": "false"}).find().join().sync()
	g.fetch(0, 10)
	g.advance(shortestWait)
	fenced := &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{TopicPartition: both[0], Error: kafka.FencedLeaderEpoch}}}
	g.answer(fenced)
	g.advance(time.Second)
	g.answer(&kafka.MetadataResponse{Cluster: moved(brokers)})
	g.answer(fenced) // the fetch that was sent while metadata was awaited
	g.advance(200 * time.Millisecond)
	return g
}

func release(t *testing.T, text string) kafka.Release {
	t.Helper()
	r, err := kafka.ParseRelease(text)
	require.NoError(t, err)
	return r
}

// epochEnds answers where the epoch ends.
func (g *rig) epochEnds(epoch kafka.Epoch, offset int64) {
	g.t.Helper()
	g.answer(&kafka.OffsetForLeaderEpochResponse{Partitions: []kafka.PartitionEpochEnd{
		{TopicPartition: both[0], EpochEnd: kafka.EpochEnd{Epoch: epoch, Offset: offset}},
	}})
}

// fetchesFrom is from where a fetch that waits for its answer wants partition 0; -1 if none does.
func (g *rig) fetchesFrom() int64 {
	for _, s := range g.sent {
		if r, ok := s.Body.(*kafka.FetchRequest); ok {
			for _, p := range r.Partitions {
				if p.TopicPartition == both[0] {
					return p.Offset
				}
			}
		}
	}
	return -1
}

func TestAPositionIsValidatedUnderANewLeaderEpochBeforeFetchingGoesOn(t *testing.T) {
	g := onceMoved(t, "2.3", "earliest", release(t, "3.9"))
	require.Equal(t, &kafka.OffsetForLeaderEpochRequest{Partitions: []kafka.PartitionEpoch{
		{TopicPartition: both[0], LeaderEpoch: 1, Epoch: 0},
	}}, g.asked(kafka.OffsetForLeaderEpochAPI))
	require.EqualValues(t, -1, g.fetchesFrom())
	g.epochEnds(0, 10)
	g.answer(&kafka.FetchResponse{}) // of partition 1, which was under way
	require.EqualValues(t, 10, g.fetchesFrom())
	require.Nil(t, g.asked(kafka.OffsetForLeaderEpochAPI), "once is enough")
}

func TestAConsumerGoesBackToWhereTheLogWasCut(t *testing.T) {
	g := onceMoved(t, "2.3", "earliest", release(t, "3.9"))
	g.epochEnds(0, 2)
	g.answer(&kafka.FetchResponse{})
	require.EqualValues(t, 2, g.fetchesFrom())
	require.True(t, g.saw(view.PositionSet, "truncation"))
}

func TestWithoutTheEpochAtTheLeaderTheResetPolicyDecides(t *testing.T) {
	g := onceMoved(t, "2.3", "earliest", release(t, "3.9"))
	g.epochEnds(kafka.NoEpoch, kafka.NoOffset)
	require.Equal(t, kafka.EarliestTimestamp, g.asked(kafka.ListOffsetsAPI).(*kafka.ListOffsetsRequest).Partitions[0].Timestamp)
}

func TestWithPolicyNoneACutLogThrows(t *testing.T) {
	g := onceMoved(t, "2.3", "none", release(t, "3.9"))
	g.epochEnds(0, 2)
	require.True(t, g.saw(view.ExceptionThrown, "LogTruncationException"))
}

func TestNobodyValidatesBefore2_3(t *testing.T) {
	g := onceMoved(t, "2.2", "earliest", release(t, "3.9"))
	require.Nil(t, g.asked(kafka.OffsetForLeaderEpochAPI))
	g = onceMoved(t, "3.9", "earliest", release(t, "2.2"))
	require.Nil(t, g.asked(kafka.OffsetForLeaderEpochAPI))
	g.answer(&kafka.FetchResponse{})
	require.EqualValues(t, 10, g.fetchesFrom(), "what cannot be validated is taken for good")
}
