package broker

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

// BenchmarkRebalance lets a thousand members join one group and send SyncGroup.
func BenchmarkRebalance(b *testing.B) {
	for b.Loop() {
		r := newRig(b, "3.9", nil)
		var members []*person
		for i := range 1000 {
			p := &person{client: kafka.NodeID(fmt.Sprintf("C%d", i))}
			r.join(p)
			members = append(members, p)
		}
		r.pass(10 * time.Second)
		for _, p := range members {
			r.sync(*p)
		}
		require.Equal(b, string(stable), r.state())
	}
}
