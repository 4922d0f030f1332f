package stage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// madeCluster is a frame of so many brokers, each partition on three of them: of every third one a follower is behind, of
// every fifth one it has fallen out.
func madeCluster(brokers, partitions int) *view.Frame {
	f := madeFrame(3, partitions)
	f.Brokers = f.Brokers[:brokers]
	f.Brokers[0].Rack, f.Brokers[brokers-1].Liveness = "a", view.Frozen
	for i := range f.Topics[0].Partitions {
		part := &f.Topics[0].Partitions[i]
		part.Leader, part.LeaderEpoch = f.Brokers[i%brokers].ID, int32(i%4)
		for j := range brokers {
			if (j-i%brokers+brokers)%brokers > 2 {
				continue
			}
			r := view.Replica{Broker: f.Brokers[j].ID, HighWatermark: part.HighWatermark - 3, LogEnd: part.LogEnd, InSync: true}
			switch {
			case r.Broker == part.Leader:
				r.HighWatermark = part.HighWatermark
			case i%5 == 4:
				r.InSync, r.LogEnd = false, part.LogEnd/2
			case i%3 == 2:
				r.LogEnd -= 3
			}
			part.Replicas = append(part.Replicas, r)
		}
	}
	message := &kafka.Message{ID: 7, From: "B2", To: "B1", Body: &kafka.FetchRequest{}}
	f.Flying = []view.Flight{{Message: message, SentEvent: 1, SentAt: f.At, ArrivesAt: f.At}}
	return f
}

func TestLargeClustersFitToo(t *testing.T) {
	for _, many := range [][2]int{{1, 0}, {1, 1}, {2, 3}, {3, 30}, {6, 12}, {6, 1000}} {
		f := madeCluster(many[0], many[1])
		for _, size := range sizes {
			for _, lang := range Languages() {
				sc := madeScene(f, Session{Lang: lang, Width: size[0], Height: size[1], View: "cluster"})
				require.Empty(t, scene.Faults(sc, moves), "%v, %v, %s", many, size, lang)
			}
		}
	}
}

func TestMessagesBetweenBrokersCoverNothing(t *testing.T) {
	run := played(t, "acks-and-loss")
	for _, size := range sizes {
		s, wires := New(run, Session{Width: size[0], Height: size[1], View: "cluster"}), 0
		for event := 0; event < run.History.Len(); event += 7 {
			for _, phase := range []float64{0, 0.2, 0.5, 0.95} {
				s.goTo(event, phase)
				require.Empty(t, scene.Faults(s.Scene(), func(string) bool { return false }), "event %d phase %v, %v", event, phase, size)
				if s.made.wires != nil {
					wires += len(s.made.wires.couriers)
				}
			}
		}
		require.Positive(t, wires, "%v", size)
	}
}

// replicas collects the labels of the replicas on screen.
func replicas(sc *scene.Scene) map[string]*scene.Shape {
	found := map[string]*scene.Shape{}
	scene.Walk(sc, func(sh *scene.Shape) bool {
		if strings.HasPrefix(sh.ID, "replica:") {
			found[sh.ID] = sh
		}
		return true
	})
	return found
}

func TestAReplicaTellsHowFarItIs(t *testing.T) {
	s := New(played(t, "high-watermark"), Session{View: "cluster"})
	act(s, Seek, "", float64(s.run.Reached[5].Event))
	found := replicas(s.Scene())
	require.Contains(t, found["replica:T1-0@B1"].Label, "leader")
	require.Contains(t, found["replica:T1-0@B3"].Label, "in sync, 5 to fetch; log 0 to 1")
	act(s, Seek, "", float64(s.run.Reached[6].Event))
	require.Contains(t, replicas(s.Scene())["replica:T1-0@B3"].Label, "not in sync")
}

func TestAFormerLeadersSurplusIsTold(t *testing.T) {
	s := New(played(t, "acks-and-loss"), Session{View: "cluster"})
	act(s, Seek, "", float64(s.run.Reached[3].Event))
	require.Contains(t, replicas(s.Scene())["replica:T1-0@B1"].Label, "3 beyond the leader's end")
}

func TestAllCopiesOfAPartitionLightUp(t *testing.T) {
	s := New(played(t, "high-watermark"), Session{View: "cluster"})
	act(s, Seek, "", float64(s.run.Reached[5].Event))
	before := replicas(s.Scene())
	plain := len(before["replica:T1-0@B2"].Kids)
	act(s, Hover, "replica:T1-0@B3", 0)
	require.Greater(t, len(replicas(s.Scene())["replica:T1-0@B2"].Kids), plain)
	s.Do(before["replica:T1-0@B3"].Action)
	for id, sh := range replicas(s.Scene()) {
		require.True(t, sh.State.Selected, id)
	}
}
