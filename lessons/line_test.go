package lessons

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// linesRun is a run in which everything that lines name exists: the small lesson with two brokers, a store and a program.
func linesRun(t *testing.T) *Run {
	lesson := changed(t, small, "  B1: {}\n", "  B1: {}\n  B2: {}\n")
	lesson = changed(t, lesson, "beats:\n", `stores:
  S1: {}
programs:
  quick: {pattern: commit-sync, process: 1ms}
  own:
    listing: |
      poll
    body:
      - {poll: 1s, line: 1}
beats:
`)
	return play(t, lesson, smallWords)
}

func TestEveryVerbCanBeSaidInALine(t *testing.T) {
	r := linesRun(t)
	event, _ := r.EventOf("ready")
	lines := map[sim.Verb]string{
		sim.AddBroker:     "add-broker B3 rack=a release=3.0 min.insync.replicas=1",
		sim.AddConsumer:   `add-consumer C3 group=G1 topics=T1 program=quick poll=2s release=2.4 session.timeout.ms=10000 partition.assignment.strategy=range,roundrobin`,
		sim.AddProducer:   `add-producer P2 topic=T1 every=100ms keys=a,b headers={from: "b \"c\""} acks=all`,
		sim.AddTopic:      "add-topic T2 partitions=3 replication=2 retention.ms=60000",
		sim.AddStore:      "add-store S2",
		sim.AddPartitions: "add-partitions T1 6",
		sim.Set:           "set C1 session.timeout.ms=12000 heartbeat.interval.ms=",
		sim.Program:       "program C1 external-store store=S1 process=5ms",
		sim.Close:         "close C1",
		sim.Stop:          "stop B2",
		sim.Crash:         "crash C1",
		sim.Restart:       "restart C1",
		sim.Wakeup:        "wakeup C1",
		sim.Freeze:        "freeze C1 12s",
		sim.Cut:           "cut C1 B1",
		sim.Mend:          "mend C1",
		sim.Latency:       "latency C1 B1 250ms",
		sim.Bandwidth:     "bandwidth B1 1000",
		sim.Slow:          "slow C1 250ms",
		sim.Subscribe:     "subscribe C1 T1",
		sim.Call:          "call C1 poll",
		sim.Trap:          `trap C1 line=7 does=crash times=2`,
		sim.Break:         "break C1 B1 OffsetCommit reply=true",
	}
	for _, v := range verbs {
		line, there := lines[v.name]
		require.True(t, there, "%s has no line here", v.name)
		at := event
		if v.name == sim.Restart {
			at = r.History.Len() // the lesson has crashed it by then
		}
		said, err := r.Parse(at, line)
		require.NoError(t, err)
		require.Equal(t, line, said)
		command, _, err := r.command(at, line)
		require.NoError(t, err)
		require.Equal(t, v.name, command.Do)
	}
}

func TestALineIsReadAsItIsMeant(t *testing.T) {
	r := linesRun(t)
	event, _ := r.EventOf("ready")
	for line, want := range map[string]sim.Command{
		"latency C1 20ms":                             {Do: sim.Latency, Node: "C1", For: 20 * time.Millisecond},
		"latency C1 B2 20ms":                          {Do: sim.Latency, Node: "C1", Peer: "B2", For: 20 * time.Millisecond},
		"remove C1":                                   {Do: sim.Close, Node: "C1"},
		"remove B2":                                   {Do: sim.Stop, Node: "B2"},
		"  freeze   C1 for=3s ":                       {Do: sim.Freeze, Node: "C1", For: 3 * time.Second},
		"set T1 retention.ms=5":                       {Do: sim.Set, Topic: "T1", Settings: map[string]string{"retention.ms": "5"}},
		"set B1 min.insync.replicas=":                 {Do: sim.Set, Node: "B1", Settings: map[string]string{"min.insync.replicas": ""}},
		`add-topic T9 partitions="3"`:                 {Do: sim.AddTopic, NewTopic: &sim.TopicSpec{Name: "T9", Partitions: 3, Settings: map[string]string{}}},
		"break C1 B1 api=Fetch":                       {Do: sim.Break, Node: "C1", Peer: "B1", API: kafka.FetchAPI},
		"subscribe C1 [T1]":                           {Do: sim.Subscribe, Node: "C1", Topics: []string{"T1"}},
		"add-broker B7 settings={fetch.max.bytes: 1}": {},
	} {
		command, _, err := r.command(event, line)
		if want.Do == "" {
			require.Error(t, err, line)
			continue
		}
		require.NoError(t, err, line)
		require.Equal(t, want, command, line)
	}
}

func TestWhatIsWrongWithALineIsSaidWhereItIs(t *testing.T) {
	r := linesRun(t)
	event, _ := r.EventOf("ready")
	for line, want := range map[string]string{
		"":                                     "column 1: nothing is said; expected a command such as crash C1",
		"crush C1":                             `column 1: unknown verb "crush"; expected one of add-broker, add-consumer, add-producer, add-topic, add-store, add-partitions, set, program, close, stop, crash, restart, wakeup, freeze, cut, mend, and 8 more; did you mean "crash"?`,
		"crash":                                "column 1: crash lacks what it is done to; expected the id of a consumer, producer or broker",
		"crash C7":                             `column 7: unknown consumer, producer or broker "C7"; expected one of C1, B1, B2; did you mean "C1"?`,
		"freeze C1":                            `column 1: freeze lacks "for"`,
		"freeze C1 12":                         `column 11: "12" lacks its unit, such as 12s or 12ms; expected a time such as 500ms, 3s or 2m`,
		"freeze C1 1s 2s":                      "column 14: freeze takes no more: 2s",
		"restart C1":                           "column 1: restart: C1 is running",
		"add-broker B1":                        `column 1: add-broker: "B1" is taken`,
		"set C1 session.timeout=5":             `column 8: session.timeout: no such setting of a consumer; did you mean "session.timeout.ms"?`,
		"set C1 session.timeout.ms=x":          `column 8: session.timeout.ms: not a number of type int; expected a whole number of at least 0`,
		"set C1 session.timeout.ms=2000":       "column 8: session.timeout.ms: heartbeat.interval.ms must be less than session.timeout.ms (heartbeat.interval.ms is 3000, session.timeout.ms is 2000)",
		"program C1 external-store":            `column 1: program "external-store" lacks "store"; expected the external store that it writes to`,
		"program C1 own poll=1s":               `column 1: program "own" has its times in its code; expected poll and process only with a pattern`,
		"add-consumer C3 group=G1 topics=T1,T": `column 26: unknown topic "T"; expected one of T1; did you mean "T1"?`,
		"add-consumer C3 gruop=G1 topics=T1":   "",
		"add-consumer C3 group=G1 group=G1":    "",
		`call C1 "poll`:                        `column 9: a quote that does not end, or ends too soon; expected a text such as "a b"`,
		"add-topic T2 partitions={":            "",
	} {
		_, err := r.Parse(event, line)
		require.IsType(t, Problems{}, err, line)
		if want != "" {
			require.Equal(t, want, err.Error(), line)
		}
	}
}

// anyText is a text of any characters at all.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringMatching(`[A-Za-z0-9._-]{1,12}`), rapid.StringN(0, 8, -1))
}

// anyValue is a value as a line can hold it.
func anyValue() *rapid.Generator[*node] {
	text := rapid.Map(anyText(), func(s string) *node { return &node{kind: scalar, text: s} })
	list := rapid.Map(rapid.SliceOfN(text, 0, 3), func(items []*node) *node { return &node{kind: sequence, items: items} })
	pairs := rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,5}`), text, 1, 3), func(m map[string]*node) *node {
		n := &node{kind: mapping}
		for _, key := range sortedKeys(m) {
			n.pairs = append(n.pairs, pair{key: key, value: m[key]})
		}
		return n
	})
	return rapid.OneOf(text, list, pairs)
}

func TestAnyTreeOfACommandComesBackFromItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(verbs).Draw(t, "verb")
		scalarText := rapid.StringMatching(`[A-Za-z0-9._-]{1,12}`).Draw(t, "subject")
		tree := &node{kind: mapping}
		if adds(v.name) {
			description := &node{kind: mapping}
			keys, _ := added(v.name)
			for _, k := range keys {
				if k.name != "settings" && rapid.Bool().Draw(t, k.name) {
					description.pairs = append(description.pairs, pair{key: k.name, value: valueFor(t, k)})
				}
			}
			tree.pairs = []pair{{key: string(v.name), value: &node{kind: mapping, pairs: []pair{{key: scalarText, value: description}}}}}
		} else {
			tree.pairs = []pair{{key: string(v.name), value: &node{kind: scalar, text: scalarText}}}
			for _, name := range v.needs {
				if name == "settings" {
					value := rapid.StringMatching(`[a-z0-9,.]{0,9}`).Draw(t, "setting")
					tree.pairs = append(tree.pairs, pair{key: name, value: &node{kind: mapping, pairs: []pair{{key: "session.timeout.ms", value: &node{kind: scalar, text: value}}}}})
					continue
				}
				tree.pairs = append(tree.pairs, pair{key: name, value: valueFor(t, findKey(commandKind.keys, name))})
			}
		}
		line := lineOf(tree)
		d := &decoder{}
		again := d.readLine(line)
		require.Empty(t, d.problems, line)
		require.Equal(t, flowYAML(tree), flowYAML(again), line)
		require.Equal(t, line, lineOf(again))
	})
}

// valueFor is any value for a key: where a list is wanted, a list or a mapping.
func valueFor(t *rapid.T, k key) *node {
	v := anyValue().Filter(func(n *node) bool { return k.many && n.kind != scalar || !k.many && n.kind != sequence }).Draw(t, k.name)
	return v
}

func FuzzLine(f *testing.F) {
	for _, line := range []string{"crash C1", `add-consumer C3 group=G1 topics=T1 headers={a: b}`, "set C1 a=b", `x="\`, "a=[", "freeze C1 1s", "\x00=\xff"} {
		f.Add(line)
	}
	lesson, err := Load(files(small, smallWords, smallWords), "small")
	require.NoError(f, err)
	r, err := lesson.Play("")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, line string) {
		_ = r.Complete(10, line)
		said, err := r.Parse(10, line)
		if err != nil {
			require.IsType(t, Problems{}, err)
			return
		}
		again, err := r.Parse(10, said)
		require.NoError(t, err, fmt.Sprintf("%q was read, %q is not", line, said))
		require.Equal(t, said, again)
	})
}
