package lessons

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// full uses every key that makes a script.
const full = `format: 1
release: "2.10"
seed: 42
latency: 20ms
until: 1m
settings:
  broker: {group.initial.rebalance.delay.ms: 0}
  consumer: {session.timeout.ms: 9000, max.poll.records: 10}
brokers:
  B1: {rack: a, settings: {group.initial.rebalance.delay.ms: 5}}
  B2: {release: 3.9}
topics:
  T1: {partitions: 2, leaders: [B2, B1], records: 5, record-size: 50}
  T3: {partitions: 1, replication: 2}
  T4: {partitions: 1, replicas: [[B2, B1]]}
consumers:
  C1:
    group: G1
    topics: [T1]
    start: 1500ms
    release: 0.10.1
    program: own
    store: DB
    settings: {max.poll.records: 20}
  C3: {group: G2, pattern: "T.*", program: commit-sync}
  C4: {assign: [T1-0], program: slow}
producers:
  P1: {topic: T1, every: 250ms, start: 1s, stop: 9s, count: 7, keys: [a, b], headers: {h: v}, size: 10, unreadable: false, per-transaction: 2, ends: [commit, abort, hang]}
stores:
  DB: {}
programs:
  slow: {pattern: auto-commit, poll: 2s}
  own:
    listing: |
      poll
      each
        process
      commit
      rest
    setup:
      - {subscribe: [T1], line: 5}
    body:
      - {poll: 100ms, line: 1}
      - {for-each: [{process: 2ms, line: 3}], line: 2}
      - {commit-async: tracked, callback: [{if: commit-retriable, do: [{retry: ~, line: 5}], line: 5}], line: 4}
      - {if: every, every: 3, do: [{store: 1, line: 5}], line: 5}
      - {try: [{throw: Oops, line: 5}], catch: [{classes: [Oops], do: [{leave: ~, line: 5}]}], line: 5}
      - {track: 1, line: 5}
      - {seek: [T1-0], to: 3, line: 5}
      - {pause: [], line: 5}
      - {dead-letter: T1, line: 5}
      - {warm: 2s, line: 5}
      - {count-key: ~, line: 5}
      - {buffer: ~, line: 5}
      - {flush: 50ms, line: 5}
    closing:
      - {commit-sync: positions, line: 4}
    on-revoked:
      - {untrack: ~, line: 5}
      - {close-handles: 1s, line: 5}
    workers: 2
commands:
  a: {at: 2s, freeze: C4, for: 12s}
  b: {at: 3s, cut: B1, peer: C1}
  c: {when: {time: {at-least: 4s}}, add-consumer: {C2: {group: G1, topics: [T1]}}}
  d: {at: 5s, add-topic: {T2: {partitions: 3}}}
  e: {at: 6s, add-partitions: T1, count: 4}
  f: {at: 7s, subscribe: C3, topics: [T1, T2]}
  g: {at: 8s, trap: C3, line: 3, times: 2, does: crash}
  h: {at: 9s, break: C3, peer: B1, api: OffsetCommit, reply: true}
  i: {at: 10s, call: C3, method: poll}
  j: {at: 11s, stop: B2}
beats:
  start: {look: [T1, DB]}
`

const fullWords = `title: Full
idea: Everything
beats:
  start: {title: Start, text: It begins}
`

func TestScriptIsWhatTheFileSays(t *testing.T) {
	plan := load(t, full, fullWords).Plan
	pattern, _ := client.PatternNamed("commit-sync", time.Second, 10*time.Millisecond)
	require.Equal(t, sim.Script{
		Seed: 42, Release: kafka.Release{Major: 2, Minor: 10}, Latency: 20 * time.Millisecond, Until: time.Minute,
		Stores: []kafka.NodeID{"DB"},
		Brokers: []sim.BrokerSpec{
			{ID: "B1", Rack: "a", Settings: map[string]string{"group.initial.rebalance.delay.ms": "5"}},
			{ID: "B2", Release: kafka.Release{Major: 3, Minor: 9}, Settings: map[string]string{"group.initial.rebalance.delay.ms": "0"}},
		},
		Topics: []sim.TopicSpec{
			{Name: "T1", Partitions: 2, Leaders: []kafka.NodeID{"B2", "B1"}, Records: 5, RecordSize: 50, Settings: map[string]string{}},
			{Name: "T3", Partitions: 1, Replication: 2, Settings: map[string]string{}},
			{Name: "T4", Partitions: 1, Replicas: [][]kafka.NodeID{{"B2", "B1"}}, Settings: map[string]string{}},
		},
		Consumers: []client.ConsumerSpec{{
			ID: "C1", Group: "G1", Topics: []string{"T1"}, Start: 1500 * time.Millisecond, Release: kafka.Release{Minor: 10, Patch: 1},
			Settings: map[string]string{"session.timeout.ms": "9000", "max.poll.records": "20"},
			Program: client.Program{
				Name: "own", Listing: []string{"poll", "each", "  process", "commit", "rest"},
				Setup: []client.Op{{Do: client.Subscribe, Line: 5, Topics: []string{"T1"}}},
				Body: []client.Op{
					{Do: client.Poll, Line: 1, For: 100 * time.Millisecond},
					{Do: client.ForEach, Line: 2, Body: []client.Op{{Do: client.Process, Line: 3, For: 2 * time.Millisecond}}},
					{Do: client.CommitAsync, Line: 4, Offsets: client.Tracked, Callback: []client.Op{
						{Do: client.If, Line: 5, Test: client.CommitRetriable, Body: []client.Op{{Do: client.Retry, Line: 5}}}}},
					{Do: client.If, Line: 5, Test: client.EveryNth, Every: 3, Body: []client.Op{{Do: client.StoreBoth, Line: 5, Offset: 1}}},
					{Do: client.Try, Line: 5, Body: []client.Op{{Do: client.Throw, Line: 5, Class: "Oops"}},
						Catch: []client.Catch{{Classes: []string{"Oops"}, Body: []client.Op{{Do: client.Leave, Line: 5}}}}},
					{Do: client.Track, Line: 5, Offset: 1},
					{Do: client.Seek, Line: 5, Partitions: []kafka.TopicPartition{tp(0)}, Offset: 3},
					{Do: client.Pause, Line: 5, Partitions: []kafka.TopicPartition{}},
					{Do: client.DeadLetter, Line: 5, Topics: []string{"T1"}},
					{Do: client.Warm, Line: 5, For: 2 * time.Second},
					{Do: client.CountKey, Line: 5},
					{Do: client.Buffer, Line: 5},
					{Do: client.Flush, Line: 5, For: 50 * time.Millisecond},
				},
				Closing:   []client.Op{{Do: client.CommitSync, Line: 4}},
				OnRevoked: []client.Op{{Do: client.Untrack, Line: 5}, {Do: client.CloseHandles, Line: 5, For: time.Second}},
				Workers:   2,
			},
			Store: "DB",
		}, {
			ID: "C3", Group: "G2", Pattern: "T.*", Program: pattern.Program,
			Settings: map[string]string{"session.timeout.ms": "9000", "max.poll.records": "10", "enable.auto.commit": "false"},
		}, {
			ID: "C4", Assigned: []kafka.TopicPartition{tp(0)}, Program: client.AutoCommit(2*time.Second, 10*time.Millisecond),
			Settings: map[string]string{"session.timeout.ms": "9000", "max.poll.records": "10"},
		}},
		Producers: []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: 250 * time.Millisecond, Start: time.Second, Stop: 9 * time.Second,
			Count: 7, Keys: []string{"a", "b"}, Headers: []kafka.Header{{Name: "h", Value: "v"}}, Size: 10, Settings: map[string]string{},
			PerTransaction: 2, Ends: []string{"commit", "abort", "hang"}}},
		Commands: []sim.Command{
			{At: 2 * time.Second, Do: sim.Freeze, Node: "C4", For: 12 * time.Second},
			{At: 3 * time.Second, Do: sim.Cut, Node: "B1", Peer: "C1"},
			{At: 5 * time.Second, Do: sim.AddTopic, NewTopic: &sim.TopicSpec{Name: "T2", Partitions: 3, Settings: map[string]string{}}},
			{At: 6 * time.Second, Do: sim.AddPartitions, Topic: "T1", Count: 4},
			{At: 7 * time.Second, Do: sim.Subscribe, Node: "C3", Topics: []string{"T1", "T2"}},
			{At: 8 * time.Second, Do: sim.Trap, Node: "C3", Line: 3, Count: 2, Method: "crash"},
			{At: 9 * time.Second, Do: sim.Break, Node: "C3", Peer: "B1", API: kafka.OffsetCommitAPI, Reply: true},
			{At: 10 * time.Second, Do: sim.Call, Node: "C3", Method: "poll"},
			{At: 11 * time.Second, Do: sim.Stop, Node: "B2"},
		},
	}, plan.Script)
	require.Len(t, plan.Commands, 1)
	require.Equal(t, sim.AddConsumer, plan.Commands[0].Command.Do)
	require.Equal(t, "9000", plan.Commands[0].Command.Consumer.Settings["session.timeout.ms"])
}

func TestFullLessonPlays(t *testing.T) {
	run := play(t, full, fullWords)
	require.Empty(t, run.Check())
}

func TestPatchesMergeAsJSONMergePatch(t *testing.T) {
	for _, c := range []struct{ base, patch, want string }{
		{"{a: 1}", "{a: 2}", "{a: 2}"},
		{"{a: 1}", "{b: 2}", "{a: 1, b: 2}"},
		{"{a: 1, b: 2}", "{a: ~}", "{b: 2}"},
		{"{a: [1, 2]}", "{a: [3]}", "{a: [3]}"},
		{"{a: {b: 1, c: 2}}", "{a: {c: 3, d: 4}}", "{a: {b: 1, c: 3, d: 4}}"},
		{"{a: 1}", "{a: {b: ~, c: 1}}", "{a: {c: 1}}"},
		{"{a: {b: 1}}", "{a: 2}", "{a: 2}"},
		{"{a: 1}", "{}", "{a: 1}"},
		{"{a: 1}", "[2]", "[2]"},
		{"{when: {time: 1}}", "{when: {state: 2}}", "{when: {state: 2}}"},
		{"{options: {x: {time: 1}, y: 2}}", "{options: {x: {state: 3}}}", "{options: {x: {state: 3}, y: 2}}"},
	} {
		base, problems := parseYAML("base", []byte(c.base))
		require.Empty(t, problems)
		patch, problems := parseYAML("patch", []byte(c.patch))
		require.Empty(t, problems)
		require.Equal(t, c.want, flow(patched(base, patch)), "%s under %s", c.base, c.patch)
	}
}

// flow writes a tree in YAML's flow style.
func flow(n *node) string {
	open, shut, text := "", "", n.text
	switch n.kind {
	case mapping:
		open, shut = "{", "}"
		for i, p := range n.pairs {
			text += map[bool]string{true: ", "}[i > 0] + p.key + ": " + flow(p.value)
		}
	case sequence:
		open, shut = "[", "]"
		for i, item := range n.items {
			text += map[bool]string{true: ", "}[i > 0] + flow(item)
		}
	}
	return open + text + shut
}

func TestProblemsInAVariantPointIntoItsPatch(t *testing.T) {
	lesson := small + "variants:\n  other:\n    consumers:\n      C1: {settings: {session.timeout.ms: 1x}}\n    beats:\n      ready: {when: {member-count: {group: G1, is: 1}}, must: [{generation: {group: G1, is: 7}}]}\n"
	words := "variant: Base\n" + smallWords + "variants: {other: {variant: Other}}\n"
	_, err := Load(files(lesson, words, words), "small")
	require.Equal(t, []string{`30:23: session.timeout.ms: not a number of type int; expected a whole number of at least 0`}, said(err))

	l := load(t, changed(t, lesson, "1x", "9000"), words)
	run, err := l.Play("other")
	require.NoError(t, err)
	require.Equal(t, []string{"32:65: generation group=G1 is 0 at event N, 0 s (variant other); expected 7"},
		[]string{anyEvent.ReplaceAllString(said(run.Check().err())[0], "event N")})
	base, err := l.Play("")
	require.NoError(t, err)
	require.Empty(t, base.Check())
}

func TestVariantCanRemoveABeatAndItsWords(t *testing.T) {
	lesson := small + "variants:\n  short: {beats: {end: ~, ready: {predict: ~}}}\n"
	words := "variant: Long\n" + smallWords + "variants: {short: {variant: Short, beats: {end: ~, ready: {predict: ~, options: ~, explain: ~}}}}\n"
	run, err := load(t, lesson, words).Play("short")
	require.NoError(t, err)
	require.Equal(t, []string{"start 0", "ready 3"}, reached(run))
	require.Equal(t, "Short", run.VariantName("en"))
}

func TestATimeOf0sOfAPatternIsNoAbsentTime(t *testing.T) {
	times := func(lesson string) []time.Duration {
		body := load(t, lesson, smallWords).Plan.Script.Consumers[0].Program.Body
		return []time.Duration{body[0].For, body[1].Body[0].For}
	}
	consumer := func(keys string) string {
		return changed(t, small, "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], "+keys+"}")
	}
	programs := "programs: {own: {pattern: auto-commit, poll: 0s, process: 0s}}\nbeats:\n"
	require.Equal(t, []time.Duration{0, 0}, times(changed(t, consumer("program: own"), "beats:\n", programs)))
	require.Equal(t, []time.Duration{5 * time.Second, 0}, times(changed(t, consumer("program: own, poll: 5s"), "beats:\n", programs)))
	require.Equal(t, []time.Duration{0, 10 * time.Millisecond}, times(consumer("poll: 0s")))
	require.Equal(t, []time.Duration{time.Second, 0}, times(consumer("program: auto-commit, process: 0s")))
}
