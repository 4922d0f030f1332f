package lessons

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// parseCondition reads a condition about the scene of the readings' tests.
func parseCondition(t *testing.T, text string) *Condition {
	t.Helper()
	root, problems := parseYAML("c.yaml", []byte(text))
	require.Empty(t, problems)
	d := &decoder{names: sceneNames()}
	c := d.condition(root)
	require.Empty(t, d.problems)
	return c
}

// values answers queries by the reading's name.
func values(known map[string]Value) func(*Query) Value {
	return func(q *Query) Value { return known[q.Reading.Name] }
}

var known = values(map[string]Value{
	"generation": number(3), "committed": absent(Number), "time": duration(2500 * time.Millisecond),
	"state": name("Stable"), "owner": absent(Name), "assignment": namesOf([]string{"T1-0", "T1-1"}), "members": namesOf(nil),
})

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		text  string
		holds bool
	}{
		{"generation: {group: G1, is: 3}", true},
		{"generation: {group: G1, is: 4}", false},
		{"generation: {group: G1, not: 4}", true},
		{"generation: {group: G1, at-least: 3, at-most: 3}", true},
		{"generation: {group: G1, at-least: 4}", false},
		{"generation: {group: G1, at-most: 2}", false},
		{"generation: {group: G1, one-of: [1, 3]}", true},
		{"generation: {group: G1, one-of: []}", false},
		{"committed: {group: G1, partition: T1-0, is: none}", true},
		{"committed: {group: G1, partition: T1-0, is: 0}", false},
		{"committed: {group: G1, partition: T1-0, not: 7}", true},
		{"committed: {group: G1, partition: T1-0, at-least: 0}", false},
		{"committed: {group: G1, partition: T1-0, one-of: [none, 7]}", true},
		{"time: {is: 2500ms}", true},
		{"time: {at-least: 2s, at-most: 3s}", true},
		{"state: {group: G1, is: Stable}", true},
		{"state: {group: G1, one-of: [Empty, Dead]}", false},
		{"owner: {group: G1, partition: T1-0, is: none}", true},
		{"owner: {group: G1, partition: T1-0, is: C1}", false},
		{"assignment: {consumer: C1, is: [T1-0, T1-1]}", true},
		{"assignment: {consumer: C1, is: [T1-1, T1-0]}", false},
		{"assignment: {consumer: C1, not: [T1-0]}", true},
		{"assignment: {consumer: C1, contains: [T1-1]}", true},
		{"assignment: {consumer: C1, contains: [T1-1, T1-0]}", true},
		{"assignment: {consumer: C2, lacks: [T1-1]}", false},
		{"assignment: {consumer: C1, begins: [T1-0]}", true},
		{"assignment: {consumer: C1, begins: [T1-1]}", false},
		{"members: {group: G1, is: []}", true},
		{"not: {generation: {group: G1, is: 4}}", true},
		{"all: [{generation: {group: G1, is: 3}}, {state: {group: G1, is: Stable}}]", true},
		{"all: [{generation: {group: G1, is: 3}}, {state: {group: G1, is: Dead}}]", false},
		{"any: [{generation: {group: G1, is: 4}}, {state: {group: G1, is: Stable}}]", true},
		{"any: []", false},
		{"all: []", true},
	} {
		t.Run(c.text, func(t *testing.T) { require.Equal(t, c.holds, parseCondition(t, c.text).holds(known)) })
	}
}

func TestFailuresSayWhatWasFoundAndWhatWasExpected(t *testing.T) {
	for _, c := range []struct{ text, found, expected string }{
		{"generation: {group: G1, is: 4}", "generation group=G1 is 3", "4"},
		{"generation: {group: G1, at-least: 4, at-most: 5}", "generation group=G1 is 3", "at-least 4 and at-most 5"},
		{"time: {since: beat, at-most: 1s}", "time since=beat is 2.5 s", "at-most 1 s"},
		{"committed: {group: G1, partition: T1-0, is: 7}", "committed group=G1 partition=T1-0 is none", "7"},
		{"assignment: {consumer: C1, lacks: [T1-0]}", "assignment consumer=C1 is [T1-0, T1-1]", "lacks [T1-0]"},
		{"all: [{generation: {group: G1, is: 3}}, {state: {group: G1, is: Dead}}]", "state group=G1 is Stable", "Dead"},
		{"any: [{generation: {group: G1, is: 4}}, {state: {group: G1, is: Dead}}]",
			"none of these holds: generation group=G1 is 3; state group=G1 is Stable", "4, or Dead"},
		{"not: {any: [{generation: {group: G1, is: 3}}, {time: {is: 1s}}]}",
			"this holds, but should not: any of generation group=G1 3, time 1 s", ""},
	} {
		found, expected := parseCondition(t, c.text).failure(known)
		require.Equal(t, c.found, found)
		require.Equal(t, c.expected, expected)
	}
}
