package figures

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

func at(event int, seconds float64) Moment {
	return Moment{event, time.Duration(seconds * float64(time.Second))}
}

func TestARateIsTheGrowthOfEachStep(t *testing.T) {
	counted := Series{{at(1, 0.5), 4}, {at(2, 1.5), 10}, {at(5, 3.5), 12}}
	rate := counted.Rate(time.Second, at(6, 4))
	for second, want := range []int64{4, 6, 0, 2} {
		require.Equal(t, want, rate.AtTime(time.Duration(second)*time.Second+time.Millisecond), "second %d", second)
	}
	require.EqualValues(t, 2, counted.Rate(2*time.Second, at(6, 4)).AtTime(0)-3)
}

func TestASeriesHasItsValueFromAPointOn(t *testing.T) {
	s := Series{{at(2, 1), 5}, {at(4, 2), 7}}
	for event, want := range []int64{0, 0, 5, 5, 7, 7} {
		require.Equal(t, want, s.At(event), "event %d", event)
	}
}

func TestLagOfAGroupIsTheSumOfWhatIsCommitted(t *testing.T) {
	g := Group{Partitions: []Partition{
		{Lag: Series{{at(0, 0), NoLag}, {at(2, 1), 4}}},
		{Lag: Series{{at(1, 0.5), 3}, {at(3, 2), 0}}},
	}}
	for event, want := range []int64{NoLag, 3, 7, 4} {
		require.Equal(t, want, g.Lag(event), "event %d", event)
	}
	require.Equal(t, Series{{at(1, 0.5), 3}, {at(2, 1), 7}, {at(3, 2), 4}}, g.LagSum())
}

func TestStridesArePowersOfTwoThatLeaveFewFrames(t *testing.T) {
	for events, want := range map[int]int{0: 1, 240: 1, 500: 4, 100_000: 512} {
		require.Equal(t, want, Stride(events), "%d events", events)
	}
}

func TestCSVHasALineForEachChange(t *testing.T) {
	f := Figures{
		Produced: Series{{at(1, 0.0015), 3}},
		Requests: []Requests{{kafka.FetchAPI, Series{{at(2, 1), 1}}}},
		Groups: []Group{{
			ID: "a,b", Rebalances: []Rebalance{{From: at(3, 2), Why: Left, Moved: 2}},
			Partitions: []Partition{{
				TopicPartition: kafka.TopicPartition{Topic: "T1"}, Lag: Series{{at(4, 3), 9}},
				Holdings: []Holding{{"C1", at(1, 1), at(3, 2)}, {"C2", at(4, 3), Moment{}}},
			}},
		}},
	}
	var figures, owners strings.Builder
	require.NoError(t, f.CSV(&figures))
	require.Equal(t, "figure,group,subject,event,ms,value\nproduced,,,1,1.5,3\nrequests,,Fetch,2,1000,1\n"+
		"lag,\"a,b\",T1-0,4,3000,9\nmoved,\"a,b\",left,3,2000,2\n", figures.String())
	require.NoError(t, f.OwnersCSV(&owners))
	require.Equal(t, "group,partition,consumer,from_event,from_ms,to_event,to_ms\n"+
		"\"a,b\",T1-0,C1,1,1000,3,2000\n\"a,b\",T1-0,C2,4,3000,,\n", owners.String())
}
