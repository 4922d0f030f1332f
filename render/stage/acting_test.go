package stage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// playedAnew is a run of its own of a lesson or preset, to be changed.
func playedAnew(t *testing.T, id string) *lessons.Run {
	files, ok := lessons.BuiltinOf(id)
	require.True(t, ok)
	lesson, err := lessons.Load(files, id)
	require.NoError(t, err)
	run, err := lesson.Play("")
	require.NoError(t, err)
	return run
}

// inTheMiddle is a stage of a lesson in the middle of which somebody can act.
func inTheMiddle(t *testing.T) *Stage {
	run := playedAnew(t, "two-consumers")
	return New(run, Session{Event: run.History.Len() / 2})
}

// dead reports whether a consumer has ended at the event on screen.
func dead(s *Stage, id kafka.NodeID) bool {
	return s.input(s.session.Event).consumer(id).Liveness.Gone()
}

func TestACommandInThePaletteActs(t *testing.T) {
	s := inTheMiddle(t)
	event := s.Session().Event
	act(s, Open, "palette", 0)
	act(s, Type, "crash C2", 0)
	require.Equal(t, scene.Action{Do: Act, Arg: "crash C2"}, scene.Find(s.Scene(), firstFound).Action)
	require.True(t, act(s, Choose, "", 0))
	require.Equal(t, event+1, s.Session().Event)
	require.Empty(t, s.Session().Overlay)
	require.True(t, dead(s, "C2"))
	require.Equal(t, s.run.History.Len(), s.track.len(), "the track is that of the branch")
	require.Contains(t, allText(s.Scene()), "On a branch")
}

func TestWhatIsChosenOfAnUnfinishedCommandIsWrittenIntoThePalette(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Open, "palette", 0)
	act(s, Type, "fre", 0)
	require.True(t, act(s, Choose, "", 0))
	require.Equal(t, "freeze ", s.Session().Draft)
	require.Equal(t, "palette", s.Session().Overlay)
	require.Equal(t, scene.Action{Do: Type, Arg: "freeze C1 "}, scene.Find(s.Scene(), firstFound).Action)
}

func TestWhatIsWrongWithACommandIsTold(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Open, "palette", 0)
	act(s, Type, "crash C9", 0)
	require.Contains(t, allText(s.Scene()), "unknown consumer, producer or broker \"C9\"")
	require.False(t, act(s, Choose, "", 0), "there is nothing to choose")

	act(s, Close, "", 0)
	branches := len(s.run.History.Branches())
	for _, line := range []string{"crash C9", "", "<b>&", "freeze C1 for=\"", strings.Repeat("crash ", 500), "set C1 acks=[{"} {
		act(s, Act, line, 0)
		require.Equal(t, "palette", s.Session().Overlay, line)
		require.Len(t, s.run.History.Branches(), branches, line)
		require.NotNil(t, s.Scene())
	}
}

func TestUndoGoesBackToBeforeTheActAndRedoForwardAgain(t *testing.T) {
	s := inTheMiddle(t)
	event := s.Session().Event
	hash := s.run.History.Hash(s.run.History.Len())
	require.False(t, act(s, Undo, "", 0))
	act(s, Act, "crash C2", 0)
	act(s, Last, "", 0)
	require.True(t, act(s, Undo, "", 0))
	require.Equal(t, event, s.Session().Event)
	require.Equal(t, hash, s.run.History.Hash(s.run.History.Len()))
	require.False(t, dead(s, "C2"))
	require.NotContains(t, allText(s.Scene()), "On a branch")
	require.True(t, act(s, Redo, "", 0))
	require.Equal(t, event+1, s.Session().Event)
	require.True(t, dead(s, "C2"))
	require.False(t, act(s, Redo, "", 0))
}

func TestAnotherBranchIsShownAtTheSameTime(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Act, "crash C2", 0)
	act(s, Last, "", 0)
	at := s.track.times[s.Session().Event]
	act(s, Open, "branches", 0)
	require.True(t, scene.Find(s.Scene(), "branch:1").State.Selected)
	require.True(t, s.Do(scene.Find(s.Scene(), "branch:0").Action))
	require.False(t, dead(s, "C2"))
	require.LessOrEqual(t, s.track.times[s.Session().Event], at)
	if next := s.Session().Event + 1; next <= s.track.len() {
		require.Greater(t, s.track.times[next], at)
	}
	for _, wrong := range []string{"0", "-1", "2", "x", ""} {
		require.False(t, act(s, Branch, wrong, 0), wrong)
	}
}

func TestOnABranchEveryBeatBeforeItIsStillReached(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Act, "crash C2", 0)
	act(s, PrevBeat, "", 0)
	require.GreaterOrEqual(t, s.run.BeatAt(s.Session().Event), 0)
	act(s, Last, "", 0)
	for range 10 {
		act(s, PrevBeat, "", 0)
	}
	require.Zero(t, s.Session().Event)
	act(s, Play, "", 0)
	for s.Session().Event < s.track.len() {
		answerAll(s)
		act(s, NextBeat, "", 0)
		s.Scene()
	}
	require.Equal(t, -1, s.run.BeatAt(s.Session().Event))
}

func TestTheDetailsOfferWhatCanBeDone(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Select, "node:C2", 0)
	act(s, Panel, "details", 0)
	act(s, Scroll, "details", bottom)
	rows := s.input(s.session.Event).offerRows()
	require.Contains(t, rows, row{name: "crash C2", value: "dies at once", id: "do:crash C2", action: scene.Action{Do: Act, Arg: "crash C2"}})
	require.True(t, s.Do(scene.Find(s.Scene(), "do:crash C2").Action))
	require.True(t, dead(s, "C2"))
	require.Contains(t, s.input(s.session.Event).offerRows(), row{
		name: "restart C2", value: "starts again", id: "do:restart C2", action: scene.Action{Do: Act, Arg: "restart C2"},
	})
}

func TestTheMenuOffersWhatCanBeDoneToTheFocusedThing(t *testing.T) {
	s := inTheMiddle(t)
	act(s, Focus, "node:C1", 0)
	require.True(t, act(s, Offer, "", 0))
	require.Equal(t, "node:C1", s.Session().Selected)
	require.True(t, s.Do(scene.Find(s.Scene(), "act:crash C1").Action))
	require.True(t, dead(s, "C1"))
	require.Empty(t, s.Session().Overlay)
}

func TestASandboxGoesOnBeyondItsEnd(t *testing.T) {
	s := New(playedAnew(t, "sandbox-empty"), Session{})
	act(s, Act, "add-topic T1 partitions=2", 0)
	act(s, Act, "add-consumer C1 group=G1 topics=T1", 0)
	act(s, Last, "", 0)
	before := s.track.len()
	require.True(t, s.Do(scene.Find(s.Scene(), "beat:next").Action))
	require.Greater(t, s.track.len(), before)
	require.Equal(t, before, s.Session().Event)
}
