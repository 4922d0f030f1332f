package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// drawTrace makes up a trace: nodes send messages, some of them quiet, which arrive in order, with waits of any length
// between the events.
func drawTrace(t *rapid.T) []view.Entry {
	var trace []view.Entry
	var flying []*kafka.Message
	now, id := time.Duration(0), int64(0)
	for event := 1; event <= rapid.IntRange(1, 60).Draw(t, "events"); event++ {
		now += time.Duration(rapid.SampledFrom([]int{0, 0, 1, 20, 500, 3000, 45_000, 3_600_000}).Draw(t, "wait")) * time.Millisecond
		e := view.Entry{Event: event, At: now, Node: "B1", Kind: view.Fired}
		if len(flying) > 0 && rapid.Bool().Draw(t, "arrives") {
			e.Kind, e.Message, flying = view.Received, flying[0], flying[1:]
		}
		for range rapid.IntRange(0, 2).Draw(t, "sent") {
			id++
			body := rapid.SampledFrom([]kafka.Body{&kafka.HeartbeatRequest{}, &kafka.JoinGroupRequest{}, &kafka.FetchRequest{}}).Draw(t, "body")
			m := kafka.Message{ID: id, From: "C1", To: "B1", Body: body}
			e.Sent = append(e.Sent, m)
			flying = append(flying, &m)
		}
		trace = append(trace, e)
	}
	return trace
}

func drawTrack(t *rapid.T) *track {
	trace := drawTrace(t)
	return newTrack(len(trace), func(event int) *view.Entry { return &trace[event-1] })
}

func TestPaceNeverRunsBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTrack(t)
		p, unpaced := newPace(tr), newTrueTime(tr)
		for i := 1; i < len(p.moments); i++ {
			require.GreaterOrEqual(t, p.moments[i], p.moments[i-1])
			require.GreaterOrEqual(t, unpaced.moments[i], unpaced.moments[i-1])
		}
	})
}

func TestEveryMessageOfTheStoryIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTrack(t)
		p := newPace(tr)
		for _, a := range tr.arrows {
			if a.arrived > 0 && !quietAPI(a.api()) {
				require.GreaterOrEqual(t, p.at(a.arrived, 0)-p.at(a.sent, 0), a.flightTime()-1e-9)
			}
		}
	})
}

func TestFindUndoesAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTrack(t)
		p := newPace(tr)
		event := rapid.IntRange(0, tr.len()).Draw(t, "event")
		phase := rapid.Float64Range(0, 0.99).Draw(t, "phase")
		at := p.at(event, phase)
		e, ph := p.find(at)
		require.InDelta(t, at, p.at(e, ph), 1e-9)
		require.GreaterOrEqual(t, ph, 0.0)
		require.Less(t, ph, 1.0)
	})
}

func TestLongWaitsAreShortenedAndMarked(t *testing.T) {
	trace := []view.Entry{{Event: 1, Kind: view.Commanded}, {Event: 2, At: 45 * time.Second, Kind: view.Commanded}}
	tr := newTrack(2, func(event int) *view.Entry { return &trace[event-1] })
	p := newPace(tr)
	require.Less(t, p.end(), 4.0)
	require.Equal(t, []shortened{{from: 1, to: 2, wait: 45 * time.Second}}, p.short)
	require.Equal(t, 45.0, newTrueTime(tr).end())
	require.Empty(t, newTrueTime(tr).short)
}

func TestAThousandQuietEventsTakeNoLongerThanTheirWait(t *testing.T) {
	var trace []view.Entry
	for i := range 1000 {
		m := kafka.Message{ID: int64(i), Body: &kafka.ProduceRequest{}}
		trace = append(trace, view.Entry{Event: i + 1, At: time.Duration(i) * time.Millisecond, Kind: view.Received, Message: &m})
	}
	p := newPace(newTrack(len(trace), func(event int) *view.Entry { return &trace[event-1] }))
	require.Less(t, p.end(), waitOnScreen(time.Second)+quietMost+loudGap)
}

func TestALessonsPaceSuitsAClass(t *testing.T) {
	for _, id := range []string{"one-consumer", "two-consumers", "consumer-closes"} {
		run := played(t, id)
		p := newPace(newTrack(run.History.Len(), run.History.Entry))
		require.Less(t, p.end(), 180.0, id)
		require.Greater(t, p.end(), 10.0, id)
	}
}

func TestMomentIsWhenATimeIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTrack(t)
		p := newPace(tr)
		event := rapid.IntRange(0, tr.len()).Draw(t, "event")
		at := p.moment(tr.times[event])
		require.LessOrEqual(t, at, p.at(event, 0))
		e, phase := p.find(at)
		require.Equal(t, tr.times[event], p.time(e, phase))
	})
}
