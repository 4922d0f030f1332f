package stage

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
	"groupscope/render/scene"
)

func TestUnknownActionsChangeNothing(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 30})
	before := s.Session()
	for _, a := range []scene.Action{
		{}, {Do: "explode"}, {Do: Theme, Arg: "pink"}, {Do: Language, Arg: "xx"}, {Do: Panel, Arg: "cellar"}, {Do: Open, Arg: "door"},
		{Do: Resize, Arg: "wide"}, {Do: Visit, Arg: "message:999999"}, {Do: Visit, Arg: "nonsense"}, {Do: Scroll, Arg: "nowhere", N: 10},
		{Do: Answer, Arg: "no-option"}, {Do: Activate}, {Do: Close},
	} {
		require.False(t, s.Do(a), "%v", a)
	}
	require.Equal(t, before, s.Session())
}

func TestPositionActionsStayWithinTheRun(t *testing.T) {
	run := played(t, "one-consumer")
	s := New(run, Session{ReducedMotion: true})
	require.False(t, act(s, Back, "", 0))
	require.False(t, act(s, PrevBeat, "", 0))
	act(s, Last, "", 0)
	require.Equal(t, run.History.Len(), s.Session().Event)
	require.False(t, act(s, Step, "", 0))
	act(s, Seek, "", 40)
	act(s, Back, "", 15)
	require.Equal(t, 25, s.Session().Event)
	act(s, Scrub, "", 2)
	require.Equal(t, run.History.Len(), s.Session().Event)
	act(s, First, "", 0)
	require.Zero(t, s.Session().Event)
}

func TestBackFromTheMiddleOfAGapReturnsToItsBeginning(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 20, Phase: 0.5})
	act(s, Back, "", 0)
	require.Equal(t, 20, s.Session().Event)
	require.Zero(t, s.Session().Phase)
}

func TestBeatsAreGoneThroughForwardAndBack(t *testing.T) {
	run := played(t, "two-consumers")
	s := New(run, Session{})
	var there, back []int
	for act(s, NextBeat, "", 0) {
		there = append(there, s.Session().Event)
	}
	for act(s, PrevBeat, "", 0) {
		back = append([]int{s.Session().Event}, back...)
	}
	require.Equal(t, run.History.Len(), there[len(there)-1])
	for _, r := range run.Reached {
		if r.Event > 0 && r.Event < run.History.Len() {
			require.Contains(t, there, r.Event)
			require.Contains(t, back, r.Event)
		}
	}
}

func TestVisitingAMessageSelectsItAndGoesWhereItArrived(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 100})
	a := s.track.arrows[3]
	require.True(t, act(s, Visit, messageID(a.message.ID), 0))
	require.Equal(t, a.arrived, s.Session().Event)
	require.Equal(t, messageID(a.message.ID), s.Session().Selected)
	require.Equal(t, "details", s.Session().Panel)
}

func TestTheFirstAnswerStands(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{})
	require.True(t, act(s, Answer, "q/a", 0))
	require.False(t, act(s, Answer, "q/b", 0))
	require.Equal(t, map[string]string{"q": "a"}, s.Session().Answers)
}

func TestSelectingTwiceSelectsNothing(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{})
	act(s, Select, "node:C1", 0)
	require.Equal(t, "node:C1", s.Session().Selected)
	act(s, Select, "node:C1", 0)
	require.Empty(t, s.Session().Selected)
}

func TestSpeedGoesUpAndDownInSteps(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{})
	for range 10 {
		act(s, Faster, "", 0)
	}
	require.Equal(t, 16.0, s.Session().Speed)
	require.False(t, act(s, Faster, "", 0))
	for range 10 {
		act(s, Slower, "", 0)
	}
	require.Equal(t, 0.125, s.Session().Speed)
	act(s, Speed, "", 100)
	require.Equal(t, 16.0, s.Session().Speed)
}

func TestTrueTimeKeepsTheEvent(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 50})
	paced := s.pace.end()
	require.True(t, act(s, TrueTime, "", 0))
	require.Equal(t, 50, s.Session().Event)
	require.NotEqual(t, paced, s.pace.end())
	require.False(t, act(s, TrueTime, "on", 0))
	require.True(t, act(s, TrueTime, "off", 0))
	require.Equal(t, paced, s.pace.end())
}

func TestAskingForAnotherLessonStartsItFromTheBeginning(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 50, Overlay: "lessons", Theme: Dark, Selected: "node:C1"})
	require.True(t, act(s, Lesson, "two-consumers", 0))
	got := s.Session()
	require.Equal(t, "two-consumers", got.Lesson)
	require.Zero(t, got.Event)
	require.Empty(t, got.Overlay)
	require.Empty(t, got.Selected)
	require.Equal(t, Dark, got.Theme)
}

func TestAtTheEndOfALessonTheNextOneIsOpened(t *testing.T) {
	catalogue := lessons.Catalogue()
	for i, id := range map[int]string{0: catalogue[0].ID, len(catalogue) - 1: catalogue[len(catalogue)-1].ID} {
		s := New(played(t, id), Session{})
		require.Equal(t, NextBeat, scene.Find(s.Scene(), "beat:next").Action.Do)
		act(s, Last, "", 0)
		next := scene.Find(s.Scene(), "beat:next")
		if i == len(catalogue)-1 {
			require.True(t, next.State.Disabled, "nothing comes after the last lesson")
			continue
		}
		require.False(t, next.State.Disabled)
		require.Equal(t, "Next lesson", next.Label)
		require.True(t, s.Do(next.Action))
		require.Equal(t, catalogue[i+1].ID, s.Session().Lesson)
	}
}

func TestScrollingStopsAtBothEnds(t *testing.T) {
	s := New(played(t, "fifth-is-idle"), Session{Width: 640, Height: 400, Event: 100})
	require.True(t, act(s, Scroll, "picture", 1e6))
	require.False(t, act(s, Scroll, "picture", 10))
	bottom := s.Session().Scroll["picture"]
	require.Greater(t, bottom, 0.0)
	require.True(t, act(s, Scroll, "picture", -10))
	require.Equal(t, bottom-10, s.Session().Scroll["picture"])
	require.True(t, act(s, Scroll, "picture", -1e6))
	require.False(t, act(s, Scroll, "picture", -1))
}

func TestASessionSurvivesJSON(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 30, Phase: 0.25, Selected: "node:C1"})
	act(s, Answer, "q/a", 0)
	data, err := json.Marshal(s.Session())
	require.NoError(t, err)
	var back Session
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, s.Session(), back)
}

func TestEveryKeyDoesAKnownAction(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range keyTable {
		require.Contains(t, Actions, k.do.Do)
		for _, key := range k.keys {
			require.False(t, seen[key], "key %s does two things", key)
			seen[key] = true
			a, ok := KeyAction(key)
			require.True(t, ok)
			require.Equal(t, k.do, a)
		}
	}
	_, ok := KeyAction("F5")
	require.False(t, ok)
	a, ok := KeyAction(" ")
	require.True(t, ok)
	require.Equal(t, Toggle, a.Do)
}

func TestAnAnswerBringsItsExplanationIntoView(t *testing.T) {
	run := played(t, "consumer-crashes")
	s := New(run, Session{Event: run.Reached[1].Event, Width: 1024, Height: 640})
	answerAll(s)
	question := run.Words("en", 1).Question
	require.Contains(t, allText(s.Scene()), lastWord(question.Explain))
	act(s, NextBeat, "", 0)
	require.Contains(t, allText(s.Scene()), run.Words("en", 2).Title, "the next beat is read from its beginning")
}

func lastWord(text string) string {
	words := strings.Fields(text)
	return words[len(words)-1]
}
