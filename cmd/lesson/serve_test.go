package main

import (
	"bytes"
	"flag"
	"path/filepath"
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

func TestServeExplainsItsCommandLine(t *testing.T) {
	var out bytes.Buffer
	require.ErrorIs(t, serve([]string{"-h"}, &out), flag.ErrHelp)
	require.Contains(t, out.String(), "lesson serve [FOLDER]")
	require.EqualError(t, serve([]string{"a", "b"}, &out), "usage: serve: 2 folders given; expected one lesson's folder or none")
	require.EqualError(t, serve([]string{"-prot", "1"}, &out), "usage: serve: flag provided but not defined: -prot")
}

func TestServeBuildsNothingForALessonThatIsNotThere(t *testing.T) {
	var out bytes.Buffer
	dist := filepath.Join(t.TempDir(), "dist")
	require.EqualError(t, serve([]string{"nowhere", "-dist", dist, "-port", "0"}, &out), "preview: there is no folder nowhere")
	require.Empty(t, out.String())
	require.NoDirExists(t, dist)
}
