package kafka

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestISODurationsAreReadAsJavaReadsThem(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"PT1H": time.Hour, "P1D": 24 * time.Hour, "P2DT3H4M": 51*time.Hour + 4*time.Minute, "pt30m": 30 * time.Minute,
		"PT20.345S": 20345 * time.Millisecond, "PT0S": 0, "PT0.000000001S": time.Nanosecond,
	} {
		got, ok := ParseISODuration(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "P", "PT", "P1DT", "1h", "PT1", "P1H", "PT-1H", "-PT1H", "PT1M1H", "P1Y", "PT1.5H", "P999999999999D", "PT99999999999999999999S"} {
		_, ok := ParseISODuration(text)
		require.False(t, ok, text)
	}
}
