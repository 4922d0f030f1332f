package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

func TestOneGoesFromEventToEventOfAKind(t *testing.T) {
	run := played(t, "consumer-crashes")
	holds := map[string]func(e *view.Entry) bool{
		"rebalance": func(e *view.Entry) bool {
			return hasFact(e, func(f view.Fact) bool { return f.Kind == view.GroupState && f.Text == "PreparingRebalance" })
		},
		"commit": func(e *view.Entry) bool {
			return hasFact(e, func(f view.Fact) bool { return f.Kind == view.OffsetCommitted })
		},
		"command": func(e *view.Entry) bool { return e.Kind == view.Commanded },
		"error": func(e *view.Entry) bool {
			return e.Message != nil && kafka.ErrorOf(e.Message.Body) != kafka.None || hasFact(e, func(f view.Fact) bool { return f.Kind == view.ErrorSeen })
		},
	}
	for mark, is := range holds {
		s := New(run, Session{})
		var there, back []int
		for act(s, NextMark, mark, 0) {
			require.True(t, is(run.History.Entry(s.Session().Event)), "%s: event %d", mark, s.Session().Event)
			there = append(there, s.Session().Event)
		}
		require.NotEmpty(t, there, mark)
		for act(s, PrevMark, mark, 0) {
			back = append([]int{s.Session().Event}, back...)
		}
		require.Equal(t, there[:len(there)-1], back, mark)
	}
}

func hasFact(e *view.Entry, is func(view.Fact) bool) bool {
	for _, f := range e.Facts {
		if is(f) {
			return true
		}
	}
	return false
}

func TestTheButtonsGoToTheKindThatWasChosen(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{})
	require.True(t, s.Do(scene.Find(s.Scene(), "mark:kind").Action))
	require.Equal(t, "commit", s.Session().Mark)
	require.True(t, s.Do(scene.Find(s.Scene(), "mark:on").Action))
	require.Equal(t, s.track.marks["commit"][0], s.Session().Event)
	require.False(t, act(s, Mark, "cellar", 0))
	require.False(t, act(s, NextMark, "cellar", 0))
}

func TestOneGoesToTheEventsOfWhatIsSelected(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 2000})
	require.False(t, act(s, NextMark, "selected", 0), "nothing is selected")
	message := s.track.arrows[1000].message.ID
	for _, id := range []string{"node:C2", "partition:T1-2", "group:G1", messageID(message), "event:40"} {
		s.session.Selected = id
		s.goTo(2000, 0)
		for s.Do(scene.Action{Do: PrevMark, Arg: "selected"}) {
			require.True(t, concerns(s.run.History.Entry(s.Session().Event), id), id)
			if s.Session().Event < 1900 {
				break
			}
		}
		require.Less(t, s.Session().Event, 2000, id)
	}
}

func TestAStretchIsPlayedAgainAndAgain(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Speed: 16, Event: 20})
	answerEverything(s)
	require.True(t, act(s, Repeat, "start", 0))
	act(s, Seek, "", 60)
	require.True(t, act(s, Repeat, "end", 0))
	require.Equal(t, Loop{20, 60}, s.Session().Loop)
	act(s, Seek, "", 30)
	act(s, Play, "", 0)
	returns, last := 0, 30
	for range 2000 {
		require.True(t, s.Advance(20*time.Millisecond))
		at := s.Session().Event
		require.True(t, at >= 20 && at < 60, at)
		if at < last {
			returns++
		}
		last = at
	}
	require.Greater(t, returns, 2)
	require.True(t, s.Busy())
	require.True(t, act(s, Repeat, "off", 0))
	act(s, Pause, "", 0)
	playOn(t, s)
	require.Equal(t, s.track.len(), s.Session().Event)
}

func TestTheEndsOfAStretchStayInOrder(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 50})
	act(s, Repeat, "end", 0)
	require.Equal(t, Loop{0, 50}, s.Session().Loop)
	act(s, Seek, "", 80)
	act(s, Repeat, "start", 0)
	require.Equal(t, Loop{80, s.track.len()}, s.Session().Loop)
	act(s, Last, "", 0)
	act(s, Repeat, "start", 0)
	require.True(t, s.Session().Loop.on())
	act(s, NextBeat, "", 0)
	act(s, First, "", 0)
	act(s, Repeat, "beat", 0)
	require.Equal(t, Loop{s.beatBefore(0, 1), s.beatAfter(0)}, s.Session().Loop)
	require.Equal(t, Loop{}, New(s.run, Session{Loop: Loop{5, 1 << 30}}).Session().Loop, "a stretch beyond the run is none")
}

func TestTheMenuOfTimeOffersWhatThereIs(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 50, Width: 390, Height: 844})
	require.True(t, s.Do(scene.Find(s.Scene(), "menu:time").Action))
	text := allText(s.Scene())
	require.Contains(t, text, "next rebalance")
	require.NotContains(t, text, "selected")
	require.NotContains(t, text, "repeat nothing")
	require.True(t, act(s, NextMark, "commit", 0))
	require.Empty(t, s.Session().Overlay, "choosing closes the menu")
}
