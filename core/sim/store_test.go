package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
)

// storing is a consumer that writes results with the offset of each record plus added to a store, and dies between two
// records; another takes over.
func storing(added int64) Script {
	p, _ := client.PatternNamed("external-store", time.Second, 10*time.Millisecond)
	p.Program.Body[1].Body[1].Offset = added
	s := crashRun(p, 11, 4, "crash")
	s.Topics[0].Partitions = 1
	return s
}

func TestAStoreWithTheNextOffsetHasEveryResultOnce(t *testing.T) {
	twice, missing := outcome(last(play(t, storing(1))), true)
	require.Zero(t, twice)
	require.Zero(t, missing)
}

func TestAStoreWithTheLastOffsetHasOneResultTwice(t *testing.T) {
	twice, missing := outcome(last(play(t, storing(0))), true)
	require.EqualValues(t, 1, twice)
	require.Zero(t, missing)
}

func TestDeadLettersGoToATopicThatTheConsumerDoesNotRead(t *testing.T) {
	s := oneProducer(1, nil)
	s.Topics = append(s.Topics, TopicSpec{Name: "T2", Partitions: 1})
	s.Producers[0].Unreadable = true
	s.Consumers = []client.ConsumerSpec{{
		ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}}, Settings: map[string]string{"auto.offset.reset": "earliest"},
		Program: client.Program{Name: "letters", Listing: []string{"poll", "letter", "seek"}, Body: []client.Op{
			{Do: client.Try, Line: 1, Body: []client.Op{{Do: client.Poll, Line: 1, For: second}}, Catch: []client.Catch{{Body: []client.Op{
				{Do: client.DeadLetter, Line: 2, Topics: []string{"T2"}}, {Do: client.SeekPast, Line: 3},
			}}}},
		}},
	}}
	h := play(t, s)
	require.EqualValues(t, 3, last(h).Consumers[0].Owned[0].Position)
	require.EqualValues(t, 3, last(h).Topics[1].Partitions[0].LogEnd)
}
