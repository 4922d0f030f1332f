package lessons

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/view"
)

// guide is the example of README.md that begins with these lines.
func guide(t *testing.T, begins string) string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(readme), "```yaml\n"+begins)
	require.True(t, found, begins)
	block, _, _ := strings.Cut(after, "```")
	return begins + block
}

// stateful is a lesson in which C2 takes over T1-1 from C1, which runs the guide's program.
func stateful(t *testing.T) string {
	lesson := changed(t, small, "beats:\n", guide(t, "programs:\n  stateful:\n")+"beats:\n")
	lesson = changed(t, lesson, "kill: {at: 8s, crash: C1}", "join: {at: 12s, add-consumer: {C2: {group: G1, topics: [T1], program: stateful}}}")
	lesson = changed(t, lesson, "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], program: stateful}")
	lesson = changed(t, lesson, "start: 4s}", "keys: [a, b, c, d], stop: 20s}")
	lesson = changed(t, lesson, "until: 10s\n", "until: 30s\nsettings: {consumer: {enable.auto.commit: false, auto.offset.reset: earliest}}\n")
	return changed(t, lesson, "    at: 9s\n", "    at: 30s\n    must: [{duplicates: {group: G1, is: 0}}, {waiting: {group: G1, is: 0}}]\n")
}

// variable is a variable of a consumer's program; "" if it has not come into use.
func variable(c *view.Consumer, name string) string {
	for _, call := range c.Threads[0].Stack {
		for _, l := range call.Locals {
			if l.Name == name {
				return l.Value
			}
		}
	}
	return ""
}

func TestAProgramsStateStaysBehindWhenAPartitionMoves(t *testing.T) {
	run := play(t, stateful(t), smallWords)
	require.Empty(t, run.Check())
	last := run.History.Frame(run.History.Len())
	for i, owned := range []string{"T1-0", "T1-1"} {
		c := &last.Consumers[i]
		require.Equal(t, owned, variable(c, "cache"), c.ID)
		for count := range strings.SplitSeq(variable(c, "counts"), ", ") {
			require.True(t, strings.HasPrefix(count, owned+" "), count)
		}
	}
}

// failing is a lesson in which C1, with commit-sync, meets one of the guide's failures, and what must be true at a time.
func failing(t *testing.T, failure, at, must string) string {
	_, line, found := strings.Cut(guide(t, "commands:\n  crash: "), "  "+failure+": ")
	require.True(t, found, failure)
	line, _, _ = strings.Cut(line, "\n")
	lesson := changed(t, small, "kill: {at: 8s, crash: C1}", failure+": "+line)
	lesson = changed(t, lesson, "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], program: commit-sync}")
	lesson = changed(t, lesson, "  B1: {}", "  B1: {}\n  B2: {}")
	lesson = changed(t, lesson, "T1: {partitions: 2}", "T1: {partitions: 2, leaders: [B1, B1]}")
	lesson, _, _ = strings.Cut(lesson, "beats:\n")
	return lesson + "beats:\n  start: {look: [T1]}\n  end: {at: " + at + ", must: [" + must + "]}\n"
}

const failingWords = "title: Failing\nidea: A failure\nbeats: {start: {title: Start, text: It begins}, end: {title: End, text: It ends}}\n"

func TestTheGuidesFailuresDoWhatItSays(t *testing.T) {
	for failure, row := range map[string]struct{ at, must string }{
		"crash":             {"9s", "{liveness: {node: C1, is: crashed}}, {processed: {consumer: C1, is: 1}}, {committed: {group: G1, partition: T1-0, is: 0}}"},
		"close":             {"9s", "{liveness: {node: C1, is: closed}}, {exception: {consumer: C1, is: none}}, {processed: {consumer: C1, is: 1}}"},
		"exception":         {"9s", "{exception: {consumer: C1, is: SQLException}}, {processed: {consumer: C1, is: 2}}"},
		"slow-record":       {"9s", "{line: {consumer: C1, is: 6}}, {processed: {consumer: C1, is: 2}}"},
		"lost-request":      {"4050ms", "{requests: {api: OffsetCommit, is: 1}}, {answers: {api: OffsetCommit, is: 0}}, {committed: {group: G1, partition: T1-0, is: none}}"},
		"lost-reply":        {"4050ms", "{requests: {api: OffsetCommit, is: 1}}, {answers: {api: OffsetCommit, is: 0}}, {committed: {group: G1, partition: T1-0, is: 0}}"},
		"coordinator-moved": {"9s", "{coordinator: {group: G1, is: B2}}, {thrown: {consumer: C1, is: []}}, {lost: {group: G1, is: 0}}"},
		"overtaken":         {"9s", "{liveness: {node: B2, is: frozen}}"},
	} {
		t.Run(failure, func(t *testing.T) {
			require.Empty(t, play(t, failing(t, failure, row.at, row.must), failingWords).Check())
		})
	}
}
