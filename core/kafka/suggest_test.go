package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSuggestFindsTheNearestName(t *testing.T) {
	names := []string{"session.timeout.ms", "heartbeat.interval.ms", "max.poll.interval.ms", "group.id", "C1", "C10"}
	for name, want := range map[string]string{
		"sesion.timeout.ms":    "session.timeout.ms",
		"max.poll.intervel.ms": "max.poll.interval.ms",
		"SESSION.TIMEOUT.MS":   "session.timeout.ms",
		"gruop.id":             "group.id",
		"C2":                   "C1",
		"C11":                  "C1",
		"completely.different": "",
		"":                     "",
	} {
		require.Equal(t, want, Suggest(name, names), name)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1},
		{"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}, {"消费者", "消费组", 1},
	} {
		require.Equal(t, c.want, editDistance([]rune(c.a), []rune(c.b)), "%s %s", c.a, c.b)
	}
}

func TestEditDistanceIsSymmetricAndBoundedByTheLongerWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching(`[a-c]{0,8}`).Draw(t, "a"), rapid.StringMatching(`[a-c]{0,8}`).Draw(t, "b")
		d := editDistance([]rune(a), []rune(b))
		require.Equal(t, d, editDistance([]rune(b), []rune(a)))
		require.LessOrEqual(t, d, max(len(a), len(b)))
		require.Equal(t, a == b, d == 0)
	})
}
