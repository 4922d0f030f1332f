package lessons

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/sim"
)

// act gives a command that must be possible.
func act(t *testing.T, r *Run, event int, line string) sim.BranchID {
	t.Helper()
	id, err := r.Act(event, line)
	require.NoError(t, err, line)
	return id
}

// eventAt is the last event at or before a time.
func eventAt(r *Run, at time.Duration) int { return r.History.EventAt(at) }

func hashOf(r *Run) string { return r.History.Hash(r.History.Len()) }

func TestAnActMakesABranchAndTheNarrationStopsThere(t *testing.T) {
	r := play(t, small, smallWords)
	base := hashOf(r)
	event := eventAt(r, 5*time.Second)
	id := act(t, r, event, "freeze C1 1s")
	require.Equal(t, id, r.History.Current())
	require.Equal(t, "freeze C1 1s", r.History.Entry(event+1).Command)
	require.NotEqual(t, base, hashOf(r))
	require.Equal(t, 1, r.BeatAt(event), "ready")
	require.Equal(t, -1, r.BeatAt(event+1))
	require.True(t, r.Narrated(event))
	require.False(t, r.Narrated(event+1))
	require.Equal(t, []string{"freeze C1 1s"}, r.Branches()[id].Changed)

	r.Switch(0)
	require.Equal(t, base, hashOf(r))
	require.Equal(t, 2, r.BeatAt(r.History.Len()))
	require.Empty(t, r.Check())
}

func TestUndoAndRedoGoToWhereTheActWas(t *testing.T) {
	r := play(t, small, smallWords)
	base, event := hashOf(r), eventAt(r, 5*time.Second)
	first := act(t, r, event, "slow C1 300ms")
	slowed := hashOf(r)
	later := eventAt(r, 7*time.Second)
	second := act(t, r, later, "add-consumer C2 group=G1 topics=T1")
	third := act(t, r, 0, "latency B1 5ms") // given where all branches are one, so its parent is the base

	at, ok := r.Undo()
	require.True(t, ok)
	require.Zero(t, at)
	require.Equal(t, second, r.History.Current(), "back to where the person was")
	at, _ = r.Undo()
	require.Equal(t, later, at)
	require.Equal(t, first, r.History.Current())
	require.Equal(t, slowed, hashOf(r))
	at, _ = r.Undo()
	require.Equal(t, event, at)
	require.Equal(t, base, hashOf(r))
	_, ok = r.Undo()
	require.False(t, ok)

	at, _ = r.Redo()
	require.Equal(t, event+1, at)
	require.Equal(t, first, r.History.Current())
	_, _ = r.Redo()
	at, _ = r.Redo()
	require.Equal(t, 1, at)
	require.Equal(t, third, r.History.Current())
	_, ok = r.Redo()
	require.False(t, ok)

	_, _ = r.Undo()
	act(t, r, event, "crash C1")
	_, ok = r.Redo()
	require.False(t, ok, "what was undone is over once something else is done")
}

func TestABranchPlayedAnewIsTheSame(t *testing.T) {
	lines := []struct {
		at   time.Duration
		line string
	}{
		{0, "latency B1 5ms"}, {4 * time.Second, "add-consumer C2 group=G1 topics=T1 program=commit-sync process=20ms"},
		{5 * time.Second, "set C1 session.timeout.ms=10000"}, {5 * time.Second, "set T1 retention.ms=1000"},
		{6 * time.Second, "add-broker B2"}, {6500 * time.Millisecond, "add-topic T2 partitions=2"}, {7 * time.Second, "program C2 auto-commit"},
		{9 * time.Second, "add-partitions T1 4"},
	}
	once := func() *Run {
		r := play(t, small, smallWords)
		for _, l := range lines {
			act(t, r, eventAt(r, l.at), l.line)
		}
		return r
	}
	a, b := once(), once()
	require.Equal(t, hashOf(a), hashOf(b))
	for n := a.History.Len(); n >= 0; n -= 7 {
		require.Equal(t, *a.History.Frame(n), *b.History.Frame(n))
	}
	hash := hashOf(a)
	for id := range a.Branches() {
		a.Switch(sim.BranchID(id))
		require.Equal(t, a.History.At(a.History.Len()).Frame(), *a.History.Frame(a.History.Len()))
		for n := a.History.Len(); n >= 0; n -= 31 {
			require.Equal(t, n, a.History.Frame(n).Event)
		}
	}
	require.Equal(t, hash, hashOf(a), "going about changes nothing")
	require.Len(t, a.Acts(), len(lines))
}

func TestACommandOfTheLessonWaitsInTheBranchIfItWasNotGivenBeforeIt(t *testing.T) {
	conditional := changed(t, small, "kill: {at: 8s, crash: C1}", "kill: {when: {processed: {group: G1, at-least: 3}}, crash: C1}")
	r := play(t, conditional, smallWords)
	given := func() (event int) {
		for e := range r.History.Entries(1, r.History.Len()) {
			if e.Command == "crash C1" {
				require.Zero(t, event, "once")
				event = e.Event
			}
		}
		return event
	}
	base := given()
	require.Positive(t, base)
	before := base - 4
	act(t, r, before, "slow C1 400ms")
	require.Greater(t, given(), base, "it comes later where work is slow")
	r.Switch(0)
	act(t, r, base, "restart C1")
	require.Equal(t, base, given(), "it was given before the branch, and is not given again")
	r.Switch(0)
	act(t, r, before, "crash C1")
	require.Equal(t, before+1, given(), "the lesson's command makes no sense any more, and is passed over")
}

func TestARefusedActChangesNothing(t *testing.T) {
	r := play(t, small, smallWords)
	hash := hashOf(r)
	for _, line := range []string{"", "crash C9", "restart C1", "add-producer P2 topic=T1 every=1ms count=100000000 size=1 frobnicate=1"} {
		_, err := r.Act(r.History.Len()/2, line)
		require.IsType(t, Problems{}, err, line)
	}
	_, err := r.Act(r.History.Len()+1, "crash C1")
	require.Error(t, err)
	require.Len(t, r.Branches(), 1)
	require.Equal(t, hash, hashOf(r))
}

func TestTheEndCanBeMovedAndIsPartOfABranch(t *testing.T) {
	r := play(t, small, smallWords)
	act(t, r, eventAt(r, 5*time.Second), "slow C1 20ms")
	length, hash := r.History.Len(), hashOf(r)
	require.NoError(t, r.Extend(20*time.Second))
	require.Greater(t, r.History.Len(), length)
	require.Equal(t, hash, r.History.Hash(length))
	require.Error(t, r.Extend(10*time.Second), "what has happened stays")
	act(t, r, eventAt(r, 15*time.Second), "restart C1")
	require.Equal(t, 20*time.Second, r.Until(), "a branch goes on as far as the one it comes from")
	for n := r.History.Len(); n > 0; n -= 13 {
		require.Equal(t, n, r.History.Frame(n).Event)
	}
	r.Switch(0)
	require.Equal(t, 10*time.Second, r.Until())
}

func TestABranchThatNobodySawBeyondTheNextActIsStale(t *testing.T) {
	r := play(t, small, smallWords)
	r.Look(r.History.Len())
	event := eventAt(r, 5*time.Second)
	first := act(t, r, event, "slow C1 300ms")
	r.Look(event + 20)
	second := act(t, r, event+20, "freeze C1 1s")
	list := r.Branches()
	require.False(t, list[0].Stale, "the lesson was seen to its end")
	require.True(t, list[first].Stale)
	require.Equal(t, []string{"slow C1 300ms", "freeze C1 1s"}, list[second].Changed)
	r.Look(event + 60)
	third := act(t, r, event+30, "crash C1")
	list = r.Branches()
	require.False(t, list[second].Stale)
	require.Equal(t, []string{"crash C1"}, list[third].Changed)
	r.Rename(third, "dead")
	require.Equal(t, "dead", r.Branches()[third].Name)
}

func TestOffersAreCommandsThatCanBeGiven(t *testing.T) {
	r := play(t, small, smallWords)
	event := eventAt(r, 5*time.Second)
	texts := func(event int, things ...string) (list []string) {
		for _, o := range r.Offers(event, things...) {
			list = append(list, o.Text)
			require.NotEmpty(t, o.About, o.Text)
			if o.Ready {
				_, err := r.Parse(event, o.Text)
				require.NoError(t, err)
			}
		}
		return list
	}
	require.Contains(t, texts(event, "C1"), "crash C1")
	require.NotContains(t, texts(event, "C1"), "restart C1")
	require.Equal(t, []string{"restart C1", "program C1 ", "set C1 "}, texts(r.History.Len(), "C1"), "it has crashed")
	require.Contains(t, texts(event, "B1"), "stop B1")
	require.Contains(t, texts(event, "T1-0"), "add-partitions T1 3")
	require.Equal(t, []string{"add-consumer C2 group=G1 topics=T1"}, texts(event, "G1"))
	require.Contains(t, texts(event, "C1", "B1"), "cut C1 B1")
	require.Contains(t, texts(event), "add-broker B2")
}

func TestALineIsCompletedWordByWord(t *testing.T) {
	r := play(t, small, smallWords)
	event := eventAt(r, 5*time.Second)
	first := func(line string) string {
		offers := r.Complete(event, line)
		if len(offers) == 0 {
			return ""
		}
		return offers[0].Text
	}
	for line, want := range map[string]string{
		"cr": "crash", "crash ": "crash C1", "add-consumer ": "add-consumer C2", "add-consumer C2 gr": "add-consumer C2 group=",
		"add-consumer C2 group=": "add-consumer C2 group=G1", "add-consumer C2 group=G1 program=commit-s": "add-consumer C2 group=G1 program=commit-sync",
		"set C1 session": "set C1 session.timeout.ms=", "set C1 auto.offset.reset=l": "set C1 auto.offset.reset=latest",
		"freeze C1 ": "freeze C1 250ms", "cut C1 B": "cut C1 B1", "restart ": "", "zzz": "", "zzz ": "", "program C1 com": "program C1 commit-sync",
	} {
		require.Equal(t, want, first(line), line)
	}
	require.Len(t, r.Complete(event, ""), len(verbs)+1)
}
