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
