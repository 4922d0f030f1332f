package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// positionsSet lists where a consumer was told to read from, and why.
func positionsSet(h *History, id kafka.NodeID) []view.Fact {
	var set []view.Fact
	for e := range h.Entries(1, h.Len()) {
		for _, f := range e.Facts {
			if f.Kind == view.PositionSet && f.Node == id {
				set = append(set, f)
			}
		}
	}
	return set
}

// young is a script in which records are made at 1 s, 2 s and so on until a moment, and a consumer begins at 20.5 s with what is not older
// than five seconds.
func young(until time.Duration) Script {
	s := oneTopic(22*second, client.ConsumerSpec{
		ID: "C1", Start: 20500 * ms, Assigned: []kafka.TopicPartition{{Topic: "T1"}},
		Settings: map[string]string{"auto.offset.reset": "by_duration:PT5S"},
	})
	s.Release, _ = kafka.ParseRelease("4.0")
	s.Topics[0].Partitions, s.Topics[0].Records = 1, 0
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: second, Start: second, Stop: until}}
	return s
}

func TestByDurationBeginsWithTheFirstRecordThatIsNotOlder(t *testing.T) {
	set := positionsSet(play(t, young(30*second)), "C1")
	require.Len(t, set, 1)
	require.EqualValues(t, 15, set[0].To, "the record of 16 s: that of 15 s is older than five seconds at 20.5 s")
	require.Equal(t, "by_duration", set[0].Text)
}

func TestByDurationBeginsAtTheEndWhenNoRecordIsThatYoung(t *testing.T) {
	set := positionsSet(play(t, young(5*second)), "C1")
	require.Len(t, set, 1)
	require.EqualValues(t, 4, set[0].To)
	require.Equal(t, "latest", set[0].Text)
}

// oversize is a script with five records of 100 bytes, one of 2000 and three more, and a consumer that takes 1000 bytes of a partition.
func oversize(release string) Script {
	s := oneTopic(10*second, client.ConsumerSpec{
		ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}},
		Settings: map[string]string{"auto.offset.reset": "earliest", "max.partition.fetch.bytes": "1000"},
	})
	s.Release, _ = kafka.ParseRelease(release)
	s.Topics[0].Partitions, s.Topics[0].Records = 1, 5
	s.Producers = []client.ProducerSpec{
		{ID: "P1", Topic: "T1", Every: second, Start: second, Count: 1, Size: 2000},
		{ID: "P2", Topic: "T1", Every: second, Start: 2 * second, Count: 3},
	}
	return s
}

func TestARecordLargerThanTheLimitStopsTheConsumerBefore0_10_1(t *testing.T) {
	for _, release := range []string{"0.9", "0.10"} {
		c := consumerOf(last(play(t, oversize(release))), "C1")
		require.Equal(t, "RecordTooLargeException", c.Exception, release)
		require.Equal(t, view.Closed, c.Liveness, release)
	}
	c := consumerOf(last(play(t, oversize("0.10.1"))), "C1")
	require.Empty(t, c.Exception)
	require.EqualValues(t, 9, c.Owned[0].Position)
}

func TestPollThrowsAtTheRecordThatIsTooLargeAgainAndAgain(t *testing.T) {
	s := oversize("0.10")
	s.Consumers[0].Program = client.Program{Body: []client.Op{
		{Do: client.Try, Line: 1, Catch: []client.Catch{{}}, Body: []client.Op{{Do: client.Poll, Line: 2, For: second}}},
	}}
	thrown := 0
	h := play(t, s)
	for e := range h.Entries(1, h.Len()) {
		for _, f := range e.Facts {
			if f.Kind == view.ExceptionThrown {
				require.Equal(t, "RecordTooLargeException", f.Text)
				thrown++
			}
		}
	}
	require.Greater(t, thrown, 2)
	require.EqualValues(t, 5, last(h).Consumers[0].Owned[0].Position)
}

// wide is a script with ten partitions on two brokers, and a consumer of them all that takes at most 1000 bytes of a partition and 3000 of a broker.
func wide(release string) Script {
	s := oneTopic(10*second, client.ConsumerSpec{
		ID: "C1", Group: "G1", Topics: []string{"T1"}, Settings: map[string]string{"max.partition.fetch.bytes": "1000"},
	})
	s.Release, _ = kafka.ParseRelease(release)
	s.Brokers = []BrokerSpec{{ID: "B1"}, {ID: "B2"}}
	s.Topics[0].Partitions = 10
	if kafka.FirstBatchReturned.Client(s.Release) {
		s.Consumers[0].Settings["fetch.max.bytes"] = "3000"
	}
	return s
}

func TestAConsumerMayNeedMemoryForEachPartitionAndSince0_10_1AtMostForEachBroker(t *testing.T) {
	for release, bytes := range map[string]int64{"0.10": 10 * 1000, "0.10.1": 2 * 3000, "3.9": 2 * 3000} {
		require.Equal(t, bytes, consumerOf(last(play(t, wide(release))), "C1").FetchMemory, release)
	}
}
