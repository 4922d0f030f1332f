package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
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

// unreadableOnes is a member that automatically commits past three records that it cannot read, and does something about each first.
func unreadableOnes(about ...client.Op) Script {
	s := oneProducer(1, nil)
	s.Topics = append(s.Topics, TopicSpec{Name: "T2", Partitions: 1})
	s.Producers[0].Unreadable = true
	c := consumer("C1", 0)
	c.Settings = map[string]string{"auto.offset.reset": "earliest"}
	c.Program = client.Program{Name: "letters", Listing: []string{"poll", "letter", "seek"}, Body: []client.Op{
		{Do: client.Try, Line: 1, Body: []client.Op{{Do: client.Poll, Line: 1, For: second}}, Catch: []client.Catch{{
			Body: append(about, client.Op{Do: client.SeekPast, Line: 3}),
		}}},
	}}
	s.Consumers = []client.ConsumerSpec{c}
	return s
}

func TestADeadLetterIsHandledAndNotLost(t *testing.T) {
	letter := client.Op{Do: client.DeadLetter, Line: 2, Topics: []string{"T2"}}
	for _, c := range []struct {
		about         []client.Op
		letters, lost []view.Span
	}{
		{[]client.Op{letter}, []view.Span{{From: 0, To: 3}}, nil},
		{nil, nil, []view.Span{{From: 0, To: 3}}},
	} {
		w := last(play(t, unreadableOnes(c.about...))).Groups[0].Work[0]
		require.EqualValues(t, 3, w.Committed)
		require.Equal(t, c.letters, w.Letters)
		require.Equal(t, c.lost, w.Lost)
	}
}

func TestADeadLetterThatTheBrokerRefusesIsAnException(t *testing.T) {
	s := unreadableOnes(client.Op{Do: client.DeadLetter, Line: 2, Topics: []string{"T2"}})
	s.Topics[1].Settings = map[string]string{"max.message.bytes": "10"}
	f := last(play(t, s))
	require.NotEmpty(t, f.Consumers[0].Exception)
	for _, w := range f.Groups[0].Work {
		require.Empty(t, w.Letters)
	}
}
