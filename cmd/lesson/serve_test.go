package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePortIsANumberOrTheDefault(t *testing.T) {
	port, err := wantedPort("")
	require.NoError(t, err)
	require.Equal(t, defaultPort, port)
	port, err = wantedPort("9000")
	require.NoError(t, err)
	require.Equal(t, 9000, port)
	for _, text := range []string{"eighty", "-1", "65536"} {
		_, err := wantedPort(text)
		require.ErrorContains(t, err, text)
	}
}

func TestServeTakesOneLessonAtMost(t *testing.T) {
	require.ErrorContains(t, serve([]string{"a", "b"}), "expected one lesson's folder")
}
