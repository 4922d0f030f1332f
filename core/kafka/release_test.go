package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReleaseIsReadAndWrittenAsKafkaNumbersIt(t *testing.T) {
	for text, want := range map[string]string{
		"0.9": "0.9", "0.9.0.1": "0.9.0.1", "0.10.1": "0.10.1", "0.10.1.0": "0.10.1", "2.6.1": "2.6.1", "3.9.0": "3.9", "4.3": "4.3",
	} {
		r, err := ParseRelease(text)
		require.NoError(t, err)
		require.Equal(t, want, r.String())
	}
}

func TestOtherTextIsNoRelease(t *testing.T) {
	for _, text := range []string{"", "3", "3.x", "3.9.0.0.1", "-1.0", "v3.9"} {
		_, err := ParseRelease(text)
		require.ErrorContains(t, err, "is not a Kafka release", text)
	}
	for _, text := range []string{"0.8.2", "5.0"} {
		_, err := ParseRelease(text)
		require.ErrorContains(t, err, "is not modelled", text)
	}
}

func TestReleasesAreOrderedByAge(t *testing.T) {
	order := []string{"0.9", "0.9.0.1", "0.10", "0.10.1", "0.11", "1.0", "2.6", "2.6.1", "2.7", "2.8.1", "2.10", "3.0", "4.0"}
	for i := 1; i < len(order); i++ {
		require.Negative(t, mustRelease(order[i-1]).Compare(mustRelease(order[i])), order[i])
	}
}
