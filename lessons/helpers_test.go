package lessons

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// small is a lesson that is in order: C1 of group G1 reads T1 with two partitions.
const small = `format: 1
until: 10s
brokers:
  B1: {}
topics:
  T1: {partitions: 2}
consumers:
  C1: {group: G1, topics: [T1]}
producers:
  P1: {topic: T1, every: 500ms, start: 4s}
commands:
  kill: {at: 8s, crash: C1}
beats:
  start:
    look: [T1]
  ready:
    when: {assignment-size: {consumer: C1, is: 2}}
    must:
      - generation: {group: G1, is: 1}
    predict:
      id: how-many
      options:
        one: {member-count: {group: G1, is: 1}}
        two: {member-count: {group: G1, is: 2}}
  end:
    at: 9s
`

// smallWords are its words, in any language.
const smallWords = `title: Small
idea: Nothing much
beats:
  start: {title: Start, text: It begins}
  ready:
    title: Ready
    text: C1 has {{assignment consumer=C1}}.
    predict: How many members?
    options: {one: One, two: Two}
    explain: "{{member-count group=G1}}, it is."
  end: {title: End, text: "{{time}} s"}
`

// files makes a file system with the lesson "small" out of its three files.
func files(lesson, en, zh string) fs.FS {
	return fstest.MapFS{
		"small/lesson.yaml": {Data: []byte(lesson)},
		"small/en.yaml":     {Data: []byte(en)},
		"small/zh.yaml":     {Data: []byte(zh)},
	}
}

// changed is a text with one part of it replaced. The part must stand there once.
func changed(t *testing.T, text, old, new string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, old), "%q stands once in the text", old)
	return strings.Replace(text, old, new, 1)
}

// load loads the lesson "small", which must be in order.
func load(t *testing.T, lesson, words string) *Lesson {
	t.Helper()
	l, err := Load(files(lesson, words, words), "small")
	require.NoError(t, err)
	return l
}

// play loads and plays the lesson "small".
func play(t *testing.T, lesson, words string) *Run {
	t.Helper()
	run, err := load(t, lesson, words).Play("")
	require.NoError(t, err)
	return run
}

// reached lists the beats of a run with their times.
func reached(r *Run) []string {
	var list []string
	for i, at := range r.Reached {
		list = append(list, fmt.Sprintf("%s %s", r.Plan.Beats[i].ID, seconds(at.At)))
	}
	return list
}

func TestSmallLessonIsInOrder(t *testing.T) {
	run := play(t, small, smallWords)
	require.Empty(t, run.Check())
	require.Equal(t, []string{"start 0", "ready 3", "end 9"}, reached(run))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
