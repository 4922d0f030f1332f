package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// failover stops the coordinator of G1 and lets B2, which has the given settings, take over.
func (g *trio) failover(settings map[string]string) *rig {
	image := command(g.t, NewController(g.broker.cluster, g.broker.config), node.Command{Do: BrokerDown, Node: "B1"}, "B2")
	next := newRigOf(g.t, g.release.String(), settings, []kafka.NodeID{"B1", "B2"})
	config := next.broker.config
	next.broker, next.others, next.now = g.others["B2"], nil, g.now
	next.broker.config = config
	next.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: image})
	return next
}

func twoBrokers(t *testing.T, s state) *trio {
	return groupIn(t, newRigOf(t, "3.9", nil, []kafka.NodeID{"B1", "B2"}), s)
}

func TestFailoverOfAStableGroup(t *testing.T) {
	g := twoBrokers(t, stable)
	g.commit(*g.b, 1, 12)
	g.send("N", g.joinOf(person{client: "N"})) // a pending id, which is lost
	g.pass(4 * second)
	next := g.failover(nil)
	require.Equal(t, []string{" Stable 1"}, next.texts(view.GroupState))
	loaded := next.group()
	require.Equal(t, "A-1", loaded.leader)
	require.Equal(t, "range", loaded.protocol)
	require.Empty(t, loaded.pending)
	require.Equal(t, []kafka.TopicPartition{t1(1)}, loaded.find("B-1").assignment)
	require.Equal(t, next.now+10*second, next.sessionEnd(*g.s), "sessions begin anew")
	require.Equal(t, kafka.None, next.beat(*g.b), "no rebalance")
	require.Equal(t, int64(12), next.committed())
}

func TestFailoverForgetsAnUnfinishedRebalance(t *testing.T) {
	g := twoBrokers(t, preparingRebalance)
	newcomer := &person{client: "N"}
	g.join(newcomer)
	g.join(g.b)
	g.join(g.s)
	require.Equal(t, int32(2), g.group().generation)
	next := g.failover(nil)
	generation2 := func(p person) kafka.ErrorCode {
		c := next.send(p.client, &kafka.HeartbeatRequest{Group: "G1", MemberID: p.id, InstanceID: p.instance, Generation: 2})
		return answer[*kafka.HeartbeatResponse](next, c).Error
	}
	require.Equal(t, kafka.IllegalGeneration, generation2(*g.b))
	require.Equal(t, kafka.UnknownMemberID, generation2(*newcomer))
}

func TestFailoverOfAnEmptyGroup(t *testing.T) {
	next := twoBrokers(t, empty).failover(nil)
	require.Equal(t, []string{" Empty 2"}, next.texts(view.GroupState))
	reply := answer[*kafka.JoinGroupResponse](next, next.send("A", next.joinOf(person{client: "A"})))
	require.Equal(t, "A-2", reply.MemberID, "no member id is handed out twice")
}

func TestFailoverOfASimpleGroup(t *testing.T) {
	g := twoBrokers(t, stable)
	simple := g.commitOf(person{client: "N"}, kafka.NoGeneration, 5)
	simple.Group = "a1" // like G1 in a partition of B1's
	g.send("N", simple)
	next := g.failover(nil)
	require.Equal(t, int64(5), next.broker.Committed("a1")[0].Offset)
	require.Equal(t, string(empty), string(next.broker.groups["a1"].state))
}

func TestFailoverToABrokerThatAllowsFewerMembers(t *testing.T) {
	next := twoBrokers(t, stable).failover(map[string]string{"group.max.size": "2"})
	require.Equal(t, []string{" Stable 1", " PreparingRebalance 1"}, next.texts(view.GroupState))
}

func TestPartitionMovesToAnotherBroker(t *testing.T) {
	for _, s := range []state{preparingRebalance, completingRebalance} {
		t.Run(string(s), func(t *testing.T) {
			g := twoBrokers(t, s)
			g.commit(person{client: "N"}, kafka.NoGeneration, 1)
			image := command(t, NewController(g.broker.cluster, g.broker.config), node.Command{Do: BrokerDown, Node: "B1"}, "B2")
			g.facts = nil
			g.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: image})
			require.Equal(t, []string{" Dead 1"}, g.texts(view.GroupState))
			require.Equal(t, kafka.NotCoordinator, kafka.ErrorOf(g.replies[g.parked[0]]))
			require.Empty(t, g.broker.Groups())
			require.Empty(t, g.broker.Committed("G1"))
			for key := range g.alarms {
				require.NotContains(t, key, "G1", "no timer of the group is left")
			}
		})
	}
}

func TestRestartedBrokerHasItsLogsAndGroups(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	g.put(t1(0), 100)
	g.broker = g.broker.Restart(g.broker.cluster, g.broker.config)
	g.handle(node.Input{Kind: node.Start})
	seen, _ := g.broker.Partition(t1(0))
	require.Equal(t, int64(1), seen.LogEnd)
	require.Equal(t, string(stable), g.state())
	require.Equal(t, kafka.None, g.beat(*g.a))
}
