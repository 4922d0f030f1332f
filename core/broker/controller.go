package broker

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// The verbs of a node.Command that the controller obeys, and the fields each one reads.
const (
	AddTopic      = "add-topic"      // Topic, Partitions
	AddPartitions = "add-partitions" // Topic, Partitions: the new total
	BrokerDown    = "broker-down"    // Node
	BrokerUp      = "broker-up"      // Node
)

// Controller is the cluster's controller: it holds the image of the cluster, changes it on command, and sends each new
// image to the live brokers. It never fails.
type Controller struct {
	cluster     *kafka.Cluster
	known       []kafka.BrokerInfo `clone:"shared"` // every broker there ever was
	correlation int32
}

// NewController makes a controller with the cluster's first image.
func NewController(cluster *kafka.Cluster) *Controller {
	return &Controller{cluster: cluster, known: cluster.Brokers}
}

// Cluster returns the present image of the cluster.
func (c *Controller) Cluster() *kafka.Cluster { return c.cluster }

// Clone returns an independent copy.
func (c *Controller) Clone() node.Node {
	clone := *c
	return &clone
}

// Handle obeys a command. A command that changes nothing sends nothing.
func (c *Controller) Handle(_ time.Duration, in node.Input, out *node.Out) {
	if in.Kind != node.Tell {
		return
	}
	next := &kafka.Cluster{Epoch: c.cluster.Epoch + 1, Brokers: c.cluster.Brokers, Topics: slices.Clone(c.cluster.Topics)}
	if refusal := c.change(next, in.Command); refusal != kafka.None {
		out.Fact(view.Fact{Kind: view.ErrorSeen, Node: kafka.Controller, Error: refusal, Text: in.Command.Do})
		return
	}
	c.cluster = next
	for _, b := range next.Brokers {
		c.correlation++
		out.Send(b.ID, c.correlation, &kafka.UpdateMetadataRequest{Cluster: next})
	}
}

// change carries a command out on a new image, or tells why it cannot.
func (c *Controller) change(next *kafka.Cluster, cmd node.Command) kafka.ErrorCode {
	switch cmd.Do {
	case AddTopic:
		return addTopic(next, cmd.Topic, cmd.Partitions)
	case AddPartitions:
		return addPartitions(next, cmd.Topic, cmd.Partitions)
	case BrokerDown:
		next.Brokers = slices.DeleteFunc(slices.Clone(next.Brokers), func(b kafka.BrokerInfo) bool { return b.ID == cmd.Node })
		electAll(next)
		return kafka.None
	case BrokerUp:
		next.Brokers = c.liveWith(next.Brokers, cmd.Node)
		electAll(next)
		return kafka.None
	}
	return kafka.UnsupportedVersion
}

func addTopic(next *kafka.Cluster, name string, partitions int32) kafka.ErrorCode {
	if _, exists := next.Topic(name); exists {
		return kafka.TopicAlreadyExists
	}
	if partitions < 1 {
		return kafka.InvalidPartitions
	}
	if len(next.Brokers) == 0 {
		return kafka.InvalidReplicationFactor
	}
	next.Topics = append(next.Topics, dealTopic(next.Brokers, TopicPlan{Name: name, Partitions: partitions}))
	sortTopics(next.Topics)
	return kafka.None
}

// addPartitions raises the number of a topic's partitions; it can only grow (replication.md section 5).
func addPartitions(next *kafka.Cluster, name string, total int32) kafka.ErrorCode {
	i := slices.IndexFunc(next.Topics, func(t kafka.TopicInfo) bool { return t.Name == name })
	if i < 0 {
		return kafka.UnknownTopicOrPartition
	}
	present := next.Topics[i].Partitions
	if int(total) <= len(present) {
		return kafka.InvalidPartitions
	}
	if len(next.Brokers) == 0 {
		return kafka.InvalidReplicationFactor
	}
	grown := dealTopic(next.Brokers, TopicPlan{Name: name, Partitions: total})
	copy(grown.Partitions, present)
	grown.Internal = next.Topics[i].Internal
	next.Topics[i] = grown
	return kafka.None
}

// liveWith adds a known broker to the live ones, in the order in which all brokers became known.
func (c *Controller) liveWith(live []kafka.BrokerInfo, id kafka.NodeID) []kafka.BrokerInfo {
	return slices.DeleteFunc(slices.Clone(c.known), func(b kafka.BrokerInfo) bool {
		return b.ID != id && !slices.Contains(live, b)
	})
}

// electAll brings every partition's ISR and leader up to date with the brokers that live.
func electAll(next *kafka.Cluster) {
	for i, topic := range next.Topics {
		next.Topics[i].Partitions = slices.Clone(topic.Partitions)
		for p, info := range topic.Partitions {
			next.Topics[i].Partitions[p] = elect(next, info)
		}
	}
}

// elect keeps a living leader; otherwise the first living replica of the list that is in sync takes over, and while there is
// none the partition has no leader (replication.md section 5). A topic's partition has one replica, so it is offline while that broker is
// down; __consumer_offsets moves to the next live broker. Replicas are in sync as soon as they live beside a leader.
func elect(c *kafka.Cluster, p kafka.PartitionInfo) kafka.PartitionInfo {
	live := slices.DeleteFunc(slices.Clone(p.Replicas), func(id kafka.NodeID) bool {
		_, up := c.Broker(id)
		return !up
	})
	leader := p.Leader
	if !slices.Contains(live, leader) {
		leader = ""
		if i := slices.IndexFunc(live, func(id kafka.NodeID) bool { return slices.Contains(p.ISR, id) }); i >= 0 {
			leader = live[i]
		}
	}
	if leader != "" {
		p.ISR = live
	}
	if leader != p.Leader {
		p.Leader = leader
		p.LeaderEpoch++
	}
	return p
}
