package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
)

// storing is a consumer that writes results with the offset of each record plus added to a store, and dies between two
// records; another takes over.
func storing(added int64) Script {
	p, _ := client.PatternNamed("external-store", time.Second, 10*time.Millisecond)
	p.Program.Body[1].Body[1].Offset = added
	s := crashRun(p, 11, 4, "crash")
	s.Topics[0].Partitions = 1
	return s
}

func TestAStoreWithTheNextOffsetHasEveryResultOnce(t *testing.T) {
	twice, missing := outcome(last(play(t, storing(1))), true)
	require.Zero(t, twice)
	require.Zero(t, missing)
}

func TestAStoreWithTheLastOffsetHasOneResultTwice(t *testing.T) {
	twice, missing := outcome(last(play(t, storing(0))), true)
	require.EqualValues(t, 1, twice)
	require.Zero(t, missing)
}
