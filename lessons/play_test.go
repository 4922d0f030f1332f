package lessons

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/view"
)

// playChanged plays the lesson "small" with one part replaced.
func playChanged(t *testing.T, old, new string) *Run {
	t.Helper()
	return play(t, changed(t, small, old, new), smallWords)
}

func TestTimedBeatIsReachedAfterAllOfItsMoment(t *testing.T) {
	run := playChanged(t, "    at: 9s", "    at: 8s")
	at := run.Reached[2].Event
	require.Equal(t, view.Crashed, run.History.Frame(at).Consumers[0].Liveness, "the crash at 8 s is over")
	require.Equal(t, 8*time.Second, run.History.Entry(at).At)
	require.Greater(t, run.History.Entry(at+1).At, 8*time.Second)
}

func TestTimedBeatAfterTheLastEventIsReachedThere(t *testing.T) {
	run := playChanged(t, "    at: 9s", "    at: 10s")
	require.Equal(t, run.History.Len(), run.Reached[2].Event)
}

func TestConditionalBeatIsReachedAfterItsFirstEvent(t *testing.T) {
	run := play(t, small, smallWords)
	before, at := run.History.Frame(run.Reached[1].Event-1), run.History.Frame(run.Reached[1].Event)
	require.Empty(t, before.Consumers[0].Owned)
	require.Len(t, at.Consumers[0].Owned, 2)
}

func TestBeatsAreReachedInOrder(t *testing.T) {
	// The second beat's condition holds only after the third one's time, which then comes at the next moment.
	run := playChanged(t, "{assignment-size: {consumer: C1, is: 2}}", "{liveness: {node: C1, is: crashed}}")
	require.Equal(t, []string{"start 0", "ready 8", "end 9"}, reached(run))
}

func TestBeatAtTellsTheBeatOfAnEvent(t *testing.T) {
	run := play(t, small, smallWords)
	ready := run.Reached[1].Event
	require.Equal(t, 0, run.BeatAt(0))
	require.Equal(t, 0, run.BeatAt(ready-1))
	require.Equal(t, 1, run.BeatAt(ready))
	require.Equal(t, 2, run.BeatAt(run.History.Len()))
	late := playChanged(t, "  start:\n    look: [T1]", "  start:\n    at: 1s")
	require.Equal(t, -1, late.BeatAt(0))
}

func TestConditionalCommandIsGivenOnceAfterItsEvent(t *testing.T) {
	run := playChanged(t, "at: 8s, crash: C1", "when: {delivered: {group: G1, at-least: 4}}, freeze: C1, for: 1s")
	var given []int
	for e := range run.History.Entries(1, run.History.Len()) {
		if e.Command == "freeze C1 1s" {
			given = append(given, e.Event)
		}
	}
	require.Len(t, given, 1)
	require.Equal(t, run.History.Entry(given[0]-1).At, run.History.Entry(given[0]).At)
	require.Empty(t, run.Check())
}

func TestOneConditionalCommandCanBringOnAnother(t *testing.T) {
	run := playChanged(t, "kill: {at: 8s, crash: C1}",
		"back: {when: {liveness: {node: C1, is: crashed}}, restart: C1}\n  kill: {when: {delivered: {group: G1, at-least: 2}}, crash: C1}")
	var given []string
	for e := range run.History.Entries(1, run.History.Len()) {
		if e.Command != "" {
			given = append(given, e.Command)
		}
	}
	require.Equal(t, []string{"add-consumer C1", "add-producer P1", "crash C1", "restart C1"}, given)
}

func TestCountsSinceTheBeatBefore(t *testing.T) {
	run := playChanged(t, "    at: 9s", `    at: 9s
    must:
      - delivered: {group: G1, is: 8}
      - delivered: {group: G1, since: beat, is: 8}
      - time: {since: beat, at-least: 5s}
      - requests: {api: JoinGroup, since: beat, is: 0}
      - requests: {api: JoinGroup, is: 2}`)
	require.Empty(t, run.Check())
}

func TestSameLessonSameTrace(t *testing.T) {
	a, b := play(t, small, smallWords), play(t, small, smallWords)
	require.Equal(t, a.History.Hash(a.History.Len()), b.History.Hash(b.History.Len()))
}

func TestUnknownVariantIsExplained(t *testing.T) {
	lesson, err := Load(builtin, "two-consumers")
	require.NoError(t, err)
	_, err = lesson.Play("roundrobbin")
	require.EqualError(t, err, `lesson two-consumers has no variant "roundrobbin"; it has roundrobin; did you mean "roundrobin"?`)
	_, err = load(t, small, smallWords).Play("fast")
	require.EqualError(t, err, `lesson small has no variants, so none is called "fast"`)
}

func TestRunawayLessonIsStopped(t *testing.T) {
	l := load(t, changed(t, small, "until: 10s", "until: 600h"), smallWords)
	_, err := l.Play("")
	require.EqualError(t, err, "small/lesson.yaml:2:1: more than 200000 events happen before the end: the last of them at 33268 s; expected an earlier end, or fewer records")
}

var failedClaims = []struct {
	name, old, new string
	said           []string
}{
	{"claim", "generation: {group: G1, is: 1}", "generation: {group: G1, is: 4}", []string{
		"19:9: generation group=G1 is 1 at event N, 3 s; expected 4"}},
	{"condition never reached", "{assignment-size: {consumer: C1, is: 2}}", "{assignment-size: {consumer: C1, is: 3}}", []string{
		`17:5: beat "ready" is never reached: its condition held at no event before the end, 10 s, after beat "start"; nor the 1 beat after it`}},
	{"beat after the end", "    at: 9s", "    at: 11s", []string{
		`26:5: beat "end" is never reached; expected a time before until: 10 s`}},
	{"command never given", "at: 8s, crash: C1", "when: {member-count: {group: G1, is: 2}}, crash: C1", []string{
		`12:3: command "kill" is never given: its condition held at no event`}},
	{"command refused", "at: 8s, crash: C1", "at: 8s, restart: C1", []string{
		`12:3: the world refuses this command: restart: C1 is running`}},
	{"no option right", "one: {member-count: {group: G1, is: 1}}", "one: {member-count: {group: G1, is: 3}}", []string{
		`21:7: no option of question "how-many" is right at beat "end": member-count group=G1 is 1; member-count group=G1 is 1; expected one`}},
	{"two options right", "two: {member-count: {group: G1, is: 2}}", "two: {member-count: {group: G1, at-most: 2}}", []string{
		`21:7: 2 options of question "how-many" are right at beat "end": one, two; expected one`}},
	{"broken between beats", "    at: 9s", "    at: 9s\n    during:\n      - liveness: {node: C1, is: up}\n      - state: {group: G1, is: Stable}", []string{
		"28:9: liveness node=C1 is crashed at event N, 8 s; expected up"}},
}

// anyEvent is the number of an event, which is none of a message's business.
var anyEvent = regexp.MustCompile(`event \d+`)

func TestFailedClaimsAreExplained(t *testing.T) {
	for _, c := range failedClaims {
		t.Run(c.name, func(t *testing.T) {
			found := said(playChanged(t, c.old, c.new).Check().err())
			for i := range found {
				found[i] = anyEvent.ReplaceAllString(found[i], "event N")
			}
			require.Equal(t, c.said, found)
		})
	}
}

func TestTwoBeatsCannotShareAnEvent(t *testing.T) {
	lesson := changed(t, small, "    at: 9s", "    at: 8900ms\n  last:\n    at: 8910ms")
	words := changed(t, smallWords, "  end:", "  last: {title: L, text: L}\n  end:")
	require.Equal(t, []string{`28:5: nothing happens between beat "last" and the one before; expected a later moment`},
		said(play(t, lesson, words).Check().err()))
}

func TestALessonWhereNothingTakesTimeComesToItsEnd(t *testing.T) {
	run := playChanged(t, "until: 10s\n", "until: 10s\nlatency: 0ms\nsettings:\n  consumer: {fetch.max.wait.ms: 0, retry.backoff.ms: 0}\n")
	require.Equal(t, 9*time.Second, run.History.Entry(run.Reached[2].Event).At.Truncate(time.Second))
}
