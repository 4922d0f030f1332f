package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/render/scene"
)

// ownersPane is the part of a picture that shows who owned what.
func ownersPane(sc *scene.Scene) *scene.Scene {
	return &scene.Scene{Shapes: scene.Find(sc, PanePrefix+"owners").Kids}
}

// TestAClickOnABarGoesToItsBeginning clicks in the middle of the time without an owner, after a crash.
func TestAClickOnABarGoesToItsBeginning(t *testing.T) {
	run := played(t, "consumer-crashes")
	s := New(run, Session{View: "owners", Event: run.History.Len()})
	sc := s.Scene()
	gap := s.figures.Group("G1").Partitions[2].Gaps(s.figures.End)[0]
	require.Equal(t, "T1-2", s.figures.Group("G1").Partitions[2].String())
	var bar scene.Box
	scene.Walk(ownersPane(sc), func(sh *scene.Shape) bool {
		if sh.Action == (scene.Action{Do: Seek, N: float64(gap.From.Event)}) && sh.Tip != "" {
			bar = scene.Bounds(sh)
		}
		return true
	})
	require.False(t, bar.Empty())
	hit := scene.Hit(sc, bar.X+bar.W/2, bar.Y+bar.H/2)
	require.NotNil(t, hit)
	require.Contains(t, hit.Tip, "has no owner from 20\u00a0s to 63\u00a0s")
	require.True(t, s.Do(hit.Action))
	require.Equal(t, gap.From.Event, s.Session().Event)
}

// TestOwnersToComeAreNotShown looks at the first half of a run: what a lesson asks is not told beforehand.
func TestOwnersToComeAreNotShown(t *testing.T) {
	run := played(t, "consumer-crashes")
	event := run.History.Len() / 2
	s := New(run, Session{View: "owners", Event: event})
	at := run.History.Frame(event).At
	in := s.input(event)
	plot := in.timesOf(box{X: 0, W: 1000, H: 10})
	require.InDelta(t, 1000*float64(at)/float64(72*time.Second), plot.until(s.figures.End), 1)
	scene.Walk(ownersPane(s.Scene()), func(sh *scene.Shape) bool {
		if sh.Tip != "" && sh.Action.Do == Seek {
			require.LessOrEqual(t, int(sh.Action.N), event)
		}
		return true
	})
}

// TestFiguresAreCountedOnce shows both views at several events.
func TestFiguresAreCountedOnce(t *testing.T) {
	s := New(played(t, "two-consumers"), Session{})
	s.Scene()
	require.Nil(t, s.figures)
	act(s, View, "figures", 0)
	s.Scene()
	first := s.figures
	require.NotNil(t, first)
	act(s, View, "owners", 0)
	act(s, Step, "", 3)
	s.Scene()
	require.Same(t, first, s.figures)
}

// TestTextsOfOwnersAndFiguresCanBeRead measures their contrast in every theme.
func TestTextsOfOwnersAndFiguresCanBeRead(t *testing.T) {
	for theme, needed := range map[string]float64{Light: minContrast, Dark: minContrast, Contrast: highContrast} {
		for _, id := range []string{"zombie", "auto-commit-loses", "fifth-is-idle"} {
			run := played(t, id)
			for _, view := range []string{"owners", "figures"} {
				s := New(run, Session{Theme: theme, View: view, Event: run.History.Len()})
				require.Empty(t, lowContrast(s.Scene(), needed), "%s, %s, %s", theme, id, view)
			}
		}
	}
}

// TestANameOfAPartitionSelectsIt so that it is lit in the other views too.
func TestANameOfAPartitionSelectsIt(t *testing.T) {
	run := played(t, "two-consumers")
	s := New(run, Session{View: "owners", Event: run.History.Len()})
	id := partitionID(kafka.TopicPartition{Topic: "T1", Partition: 0})
	name := scene.Find(s.Scene(), id+"@G1")
	require.NotNil(t, name)
	s.Do(name.Action)
	require.Equal(t, id, s.Session().Selected)
}
