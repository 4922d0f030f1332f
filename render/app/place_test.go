package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/render/stage"
)

func TestAPlaceComesBackFromItsText(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Event: 20, Theme: stage.Dark, Lang: "zh", Selected: "node:C1"}})
	place, err := ParsePlace(p.Place().String())
	require.NoError(t, err)
	again := NewPlayer(place)
	require.Equal(t, p.State(), again.State())
}

func TestAPlaceIsNeverPlaying(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Playing: true}})
	require.False(t, p.Place().Session.Playing)
}

func TestAPlaceInAnotherTraceIsFoundByItsTime(t *testing.T) {
	place := firstLesson(30).Place()
	place.Hash = "of another model"
	place.Session.Event = 12345
	p := NewPlayer(place)
	history := p.run.History
	at := p.State().Event
	require.LessOrEqual(t, history.Entry(at).At, place.At)
	require.Greater(t, history.Entry(at+1).At, place.At)
}

func TestAPlaceBeyondTheEndIsTheEnd(t *testing.T) {
	state := firstLesson(1 << 20).State()
	require.Equal(t, state.Events, state.Event)
}

func TestTextsThatAreNoPlacesAreRefused(t *testing.T) {
	for _, text := range []string{"", "nonsense", "{}", `{"Version": 99, "Session": {"Lesson": "x"}}`, `{"Version": 1}`} {
		_, err := ParsePlace(text)
		require.Error(t, err, text)
	}
}

func TestThePlaceKnowsItsTimeAndTrace(t *testing.T) {
	place := firstLesson(30).Place()
	require.Positive(t, place.At)
	require.NotEmpty(t, place.Hash)
	require.Less(t, place.At, time.Hour)
}
