package lessons

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// reopened saves a run's current branch, and loads and plays what was saved. It must be in order.
func reopened(t require.TestingT, r *Run, lang string) *Run {
	fsys := fstest.MapFS{}
	for name, content := range r.Save("Mine", lang) {
		fsys["mine/"+name] = &fstest.MapFile{Data: []byte(content)}
	}
	lesson, err := Load(fsys, "mine")
	require.NoError(t, err, r.Save("Mine", lang)[lessonName])
	again, err := lesson.Play("")
	require.NoError(t, err)
	require.Empty(t, again.Check(), r.Save("Mine", lang)[lessonName])
	return again
}

func TestASavedRunHasTheSameTrace(t *testing.T) {
	conditional := changed(t, small, "kill: {at: 8s, crash: C1}", "kill: {when: {processed: {group: G1, at-least: 3}}, crash: C1}\n  late: {at: 9s, latency: B1, for: 3ms}")
	r := play(t, conditional, smallWords)
	act(t, r, 0, "latency B1 5ms")
	act(t, r, 1, "add-topic T2 partitions=2")
	act(t, r, r.History.EventAt(4*time.Second), `add-producer P2 topic=T2 every=250ms headers={from: "a {{b}} \"c\""}`)
	event := r.History.EventAt(5 * time.Second)
	act(t, r, event, "slow C1 400ms")
	act(t, r, event+1, "add-consumer C2 group=G1 topics=T1,T2 program=commit-sync process=20ms session.timeout.ms=10000")
	act(t, r, r.History.EventAt(6*time.Second), "set C1 enable.auto.commit=false")
	require.NoError(t, r.Extend(15*time.Second))
	act(t, r, r.History.EventAt(14*time.Second), "add-partitions T1 4")
	for _, lang := range languages {
		again := reopened(t, r, lang)
		require.Equal(t, r.History.Len(), again.History.Len())
		require.Equal(t, hashOf(r), hashOf(again))
		require.Equal(t, "Mine", again.Title(lang))
		require.Len(t, again.Reached, 8, "the start and each act")
	}
	twice := reopened(t, reopened(t, r, "en"), "en")
	require.Equal(t, hashOf(r), hashOf(twice))
	act(t, twice, twice.History.EventAt(13*time.Second), "crash C2")
	require.Equal(t, hashOf(twice), hashOf(reopened(t, twice, "zh")), "and so on")
}

func TestASavedBranchKeepsTheBeatsBeforeIt(t *testing.T) {
	r := play(t, small, smallWords)
	act(t, r, r.History.EventAt(7*time.Second), "freeze C1 2s")
	again := reopened(t, r, "en")
	require.Equal(t, []string{"start", "ready", "act-1"}, []string{again.Plan.Beats[0].ID, again.Plan.Beats[1].ID, again.Plan.Beats[2].ID})
	require.Equal(t, "C1 has T1-0, T1-1.", again.Words("en", 1).Text[0])
	require.Equal(t, "freeze C1 2s", again.Words("en", 2).Title)
}

func TestEveryLessonCanBeSavedAfterAnActAnywhere(t *testing.T) {
	runs, err := played()
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		played := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
		run, err := played.Lesson.Play(played.Variant)
		require.NoError(t, err)
		for range rapid.IntRange(1, 3).Draw(t, "acts") {
			event := rapid.IntRange(0, run.History.Len()).Draw(t, "event")
			offers := run.Offers(event, offerable(t, run, event)...)
			if len(offers) == 0 {
				continue
			}
			if o := rapid.SampledFrom(offers).Draw(t, "offer"); o.Ready {
				_, err := run.Act(event, o.Text)
				require.NoError(t, err)
			}
		}
		require.Equal(t, hashOf(run), hashOf(reopened(t, run, "en")))
	})
}

// offerable is something that there is at an event; nothing stands for the cluster.
func offerable(t *rapid.T, r *Run, event int) []string {
	d := r.directory(event)
	all := append(append(append([]string{""}, d.processes()...), d.topicNames()...), d.groups...)
	if thing := rapid.SampledFrom(all).Draw(t, "thing"); thing != "" {
		return []string{thing}
	}
	return nil
}
