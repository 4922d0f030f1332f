package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

var threeBrokers = []kafka.BrokerInfo{{ID: "B1"}, {ID: "B2"}, {ID: "B3"}}

func leaders(topic kafka.TopicInfo) []kafka.NodeID {
	var ids []kafka.NodeID
	for _, p := range topic.Partitions {
		ids = append(ids, p.Leader)
	}
	return ids
}

func TestInitialCluster(t *testing.T) {
	c := InitialCluster(threeBrokers, []TopicPlan{
		{Name: "T2", Partitions: 4}, {Name: "T1", Partitions: 2, Leaders: []kafka.NodeID{"B3"}},
	}, offsetsPlan(50))
	require.Equal(t, []string{"T1", "T2", kafka.OffsetsTopic}, []string{c.Topics[0].Name, c.Topics[1].Name, c.Topics[2].Name})
	require.Equal(t, []kafka.NodeID{"B3", "B2"}, leaders(c.Topics[0]))
	require.Equal(t, []kafka.NodeID{"B1", "B2", "B3", "B1"}, leaders(c.Topics[1]))
	offsets := c.Topics[2]
	require.True(t, offsets.Internal)
	require.Len(t, offsets.Partitions, 50)
	require.Equal(t, []kafka.NodeID{"B2", "B3", "B1"}, offsets.Partitions[49].Replicas)
}

// command lets the controller obey, and returns the image that it sent to the named brokers, nil if it sent none.
func command(t testing.TB, c *Controller, cmd node.Command, to ...kafka.NodeID) *kafka.Cluster {
	t.Helper()
	var out node.Out
	c.Handle(0, node.Input{Kind: node.Tell, Command: cmd}, &out)
	require.Len(t, out.Sends, len(to))
	for i, id := range to {
		require.Equal(t, id, out.Sends[i].To)
		require.Same(t, c.Cluster(), out.Sends[i].Body.(*kafka.UpdateMetadataRequest).Cluster)
	}
	if len(to) == 0 {
		require.Equal(t, view.ErrorSeen, out.Facts[0].Kind)
		return nil
	}
	return c.Cluster()
}

func TestControllerAddsTopicsAndPartitions(t *testing.T) {
	c := NewController(InitialCluster(threeBrokers, []TopicPlan{{Name: "T1", Partitions: 2}}, offsetsPlan(1)), brokerSettings)
	first := c.Cluster()
	image := command(t, c, node.Command{Do: AddTopic, Topic: "T2", Partitions: 3}, "B1", "B2", "B3")
	require.Equal(t, first.Epoch+1, image.Epoch)
	require.Equal(t, []kafka.NodeID{"B1", "B2", "B3"}, leaders(image.Topics[1]))
	_, before := first.Topic("T2")
	require.False(t, before, "the old image is not changed")
	image = command(t, c, node.Command{Do: AddPartitions, Topic: "T1", Partitions: 4}, "B1", "B2", "B3")
	require.Equal(t, []kafka.NodeID{"B1", "B2", "B3", "B1"}, leaders(image.Topics[0]))
	require.Len(t, first.Topics[0].Partitions, 2)
	command(t, c, node.Command{Do: AddPartitions, Topic: "T1", Partitions: 4}) // refused: the number can only grow
	command(t, c, node.Command{Do: AddTopic, Topic: "T1", Partitions: 4})      // refused: it exists
	require.Same(t, image, c.Cluster())
}

func TestControllerWhenABrokerDies(t *testing.T) {
	c := NewController(InitialCluster(threeBrokers, []TopicPlan{{Name: "T1", Partitions: 3}}, offsetsPlan(4)), brokerSettings)
	image := command(t, c, node.Command{Do: BrokerDown, Node: "B2"}, "B1", "B3")
	require.Equal(t, []kafka.NodeID{"B1", "", "B3"}, leaders(image.Topics[0]), "its only replica is gone")
	require.Equal(t, []kafka.NodeID{"B1", "B3", "B3", "B1"}, leaders(image.Topics[1]), "to the next live broker")
	require.Equal(t, int32(1), image.Topics[1].Partitions[1].LeaderEpoch)
	image = command(t, c, node.Command{Do: BrokerUp, Node: "B2"}, "B1", "B2", "B3")
	require.Equal(t, []kafka.NodeID{"B1", "B2", "B3"}, leaders(image.Topics[0]))
	require.Equal(t, []kafka.NodeID{"B1", "B3", "B3", "B1"}, leaders(image.Topics[1]), "leadership does not go back by itself")
}

func TestOffsetsPartitionWaitsForTheBrokerThatHasAllOfIt(t *testing.T) {
	c := NewController(InitialCluster([]kafka.BrokerInfo{{ID: "B1"}, {ID: "B2"}}, nil, offsetsPlan(1)), brokerSettings)
	command(t, c, node.Command{Do: BrokerDown, Node: "B1"}, "B2")
	var out node.Out
	c.Handle(0, node.Input{Kind: node.Tell, Command: node.Command{Do: BrokerDown, Node: "B2"}}, &out)
	require.Empty(t, out.Sends, "nobody is left to be told")
	image := command(t, c, node.Command{Do: BrokerUp, Node: "B1"}, "B1")
	require.Equal(t, []kafka.NodeID{""}, leaders(image.Topics[0]), "B1 was not in sync when B2 died")
	image = command(t, c, node.Command{Do: BrokerUp, Node: "B2"}, "B1", "B2")
	require.Equal(t, []kafka.NodeID{"B2"}, leaders(image.Topics[0]))
}

func TestMetadata(t *testing.T) {
	r := newRig(t, "3.9", nil)
	require.Same(t, r.broker.cluster, answer[*kafka.MetadataResponse](r, r.send("C1", &kafka.MetadataRequest{})).Cluster)
	part := answer[*kafka.MetadataResponse](r, r.send("C1", &kafka.MetadataRequest{Topics: []string{"T1", "T9"}})).Cluster
	require.Len(t, part.Topics, 1)
}

// The group hash: coordinator.md section 12.
func TestFindCoordinator(t *testing.T) {
	brokers := []kafka.NodeID{"B1", "B2", "B3"}
	r := newRigOf(t, "3.9", nil, brokers)
	for group, partition := range map[string]int{
		"test": 48, "group1": 40, "CountryCounter": 38, "G1": 0, "G2": 1, "my-group": 12, "consumer-group": 38, "order-service": 26,
		"payment": 38, "analytics": 10, "demo": 1, "groupA": 24, "groupB": 23, "test-group": 12, "polygenelubricants": 0, "a": 47, "测试组": 28,
	} {
		reply := answer[*kafka.FindCoordinatorResponse](r, r.send("C1", &kafka.FindCoordinatorRequest{Group: group}))
		require.Equal(t, &kafka.FindCoordinatorResponse{Coordinator: brokers[partition%3]}, reply, group)
	}
}

func TestFindCoordinatorWithoutLeader(t *testing.T) {
	r := newRig(t, "3.9", nil)
	image := *r.broker.cluster
	image.Epoch++
	image.Topics = nil
	r.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: &image})
	reply := answer[*kafka.FindCoordinatorResponse](r, r.send("C1", &kafka.FindCoordinatorRequest{Group: "G1"}))
	require.Equal(t, kafka.CoordinatorNotAvailable, reply.Error)
}

func TestUpdateMetadata(t *testing.T) {
	r := newRig(t, "3.9", nil)
	controller := NewController(r.broker.cluster, r.broker.config)
	grown := command(t, controller, node.Command{Do: AddPartitions, Topic: "T1", Partitions: 5}, "B1")
	answer[*kafka.UpdateMetadataResponse](r, r.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: grown}))
	require.Len(t, r.broker.Partitions(), 5)
	old := *grown
	old.Epoch, old.Topics = 1, nil
	r.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: &old})
	require.Len(t, r.broker.Partitions(), 5, "an older image is ignored")
}

func TestParkedFetchIsAnsweredWhenLeadershipIsLost(t *testing.T) {
	r := newRigOf(t, "3.9", nil, []kafka.NodeID{"B1", "B2"})
	c := r.send("C1", get(0, nil))
	moved := InitialCluster([]kafka.BrokerInfo{{ID: "B2"}}, []TopicPlan{{Name: "T1", Partitions: 4}}, offsetsPlan(50))
	moved.Epoch = 2
	r.send(kafka.Controller, &kafka.UpdateMetadataRequest{Cluster: moved})
	require.Equal(t, kafka.NotLeaderOrFollower, answer[*kafka.FetchResponse](r, c).Partitions[0].Error)
}
