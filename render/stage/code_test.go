package stage

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVariablesStandBesideTheCode(t *testing.T) {
	s := New(played(t, "commit-every-n"), Session{})
	in := s.input(s.run.Reached[2].Event)
	values := map[string]string{}
	for _, r := range in.variableRows(in.consumer("C1")) {
		values[r.name] = r.value
	}
	require.Equal(t, "101", values["count"])
	require.Equal(t, "T1-0: 101", values["offsets"])
	require.Equal(t, "T1-0 @ 101", values["record"])
	require.Contains(t, values["T1-0"], "position 125, committed 101")
}

func TestACrashedConsumerHasNoVariables(t *testing.T) {
	run := played(t, "consumer-crashes")
	in := New(run, Session{}).input(run.History.Len())
	require.Empty(t, in.variableRows(in.consumer("C2")))
}
