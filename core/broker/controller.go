package broker

import (
	"fmt"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// The verbs of a node.Command that the controller obeys, and the fields each one reads. A broker obeys StopBroker and Configure.
const (
	AddTopic      = "add-topic"      // Topic, Partitions, Replication, Config
	AddPartitions = "add-partitions" // Topic, Partitions: the new total
	BrokerDown    = "broker-down"    // Node
	BrokerUp      = "broker-up"      // Node
	AddBroker     = "add-broker"     // Broker
	Configure     = "configure"      // Config; of a topic if Topic is given
	StopBroker    = "stop"
)

// Controller is the cluster's controller: it holds the image of the cluster, changes it on command or when a broker asks, and sends
// each new image to the live brokers. It never fails.
type Controller struct {
	cluster     *kafka.Cluster
	config      kafka.Config       // of BrokerScope
	known       []kafka.BrokerInfo `clone:"shared"` // every broker there ever was
	correlation int32
	balancing   bool // the timer runs that gives leadership back
}

// balanceTimer is when the controller looks for leaders that are not the preferred ones.
const balanceTimer = "leader balance"

// NewController makes a controller with the cluster's first image.
func NewController(cluster *kafka.Cluster, config kafka.Config) *Controller {
	return &Controller{cluster: cluster, config: config, known: cluster.Brokers}
}

// Cluster returns the present image of the cluster.
func (c *Controller) Cluster() *kafka.Cluster { return c.cluster }

// Config returns the controller's settings.
func (c *Controller) Config() kafka.Config { return c.config }

// Clone returns an independent copy.
func (c *Controller) Clone() node.Node {
	clone := *c
	return &clone
}

// Handle obeys a command, or answers a broker. What changes nothing sends no image.
func (c *Controller) Handle(now time.Duration, in node.Input, out *node.Out) {
	next := &kafka.Cluster{Epoch: c.cluster.Epoch + 1, Brokers: c.cluster.Brokers, Topics: slices.Clone(c.cluster.Topics)}
	switch in.Kind {
	case node.Tell:
		if refusal := c.change(next, in.Command); refusal != kafka.None {
			out.Fact(view.Fact{Kind: view.ErrorSeen, Node: kafka.Controller, Error: refusal, Text: in.Command.Do})
			return
		}
		c.publish(next, out)
	case node.Receive:
		c.answer(next, in.Message, out)
	case node.Timer:
		c.balancing = false
		if preferLeaders(next, c.config.Int("leader.imbalance.per.broker.percentage")) {
			c.publish(next, out)
		}
	}
	c.watchBalance(now, out)
}

// publish makes an image the present one and sends it to the live brokers.
func (c *Controller) publish(next *kafka.Cluster, out *node.Out) {
	noteChanges(c.cluster, next, out)
	c.cluster = next
	for _, b := range next.Brokers {
		c.correlation++
		out.Send(b.ID, c.correlation, &kafka.UpdateMetadataRequest{Cluster: next})
	}
}

// noteChanges tells the trace of new leaders and in-sync replicas, but for internal topics.
func noteChanges(before, after *kafka.Cluster, out *node.Out) {
	for _, topic := range after.Topics {
		if topic.Internal {
			continue
		}
		for p, info := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			old, known := before.Partition(tp)
			if known && old.Leader != info.Leader {
				out.Fact(view.Fact{Kind: view.LeaderChanged, Node: kafka.Controller, Partition: tp, Text: string(info.Leader), To: int64(info.LeaderEpoch)})
			}
			if known && !slices.Equal(old.ISR, info.ISR) {
				out.Fact(view.Fact{Kind: view.ISRChanged, Node: kafka.Controller, Partition: tp, Text: fmt.Sprint(info.ISR)})
			}
		}
	}
}

// answer does what a broker asks for.
func (c *Controller) answer(next *kafka.Cluster, m *kafka.Message, out *node.Out) {
	switch r := m.Body.(type) {
	case *kafka.AlterPartitionRequest:
		response := &kafka.AlterPartitionResponse{}
		changed := false
		for _, p := range r.Partitions {
			err := alterPartition(next, m.From, p)
			changed = changed || err == kafka.None
			response.Partitions = append(response.Partitions, kafka.PartitionError{TopicPartition: p.TopicPartition, Error: err})
		}
		if changed {
			c.publish(next, out)
		}
		out.Send(m.From, m.Correlation, response)
	case *kafka.ControlledShutdownRequest:
		moveLeaders(next, m.From)
		c.publish(next, out)
		out.Send(m.From, m.Correlation, &kafka.ControlledShutdownResponse{})
	}
}

// alterPartition changes the in-sync replicas of a partition if its leader asks for it, and all of them live.
func alterPartition(next *kafka.Cluster, from kafka.NodeID, p kafka.PartitionISR) kafka.ErrorCode {
	info, ok := next.Partition(p.TopicPartition)
	switch {
	case !ok:
		return kafka.UnknownTopicOrPartition
	case info.Leader != from || kafka.Epoch(info.LeaderEpoch) != p.LeaderEpoch:
		return kafka.FencedLeaderEpoch
	}
	for _, id := range p.ISR {
		if _, live := next.Broker(id); !live {
			return kafka.IneligibleReplica
		}
	}
	i := slices.IndexFunc(next.Topics, func(t kafka.TopicInfo) bool { return t.Name == p.Topic })
	info.ISR = p.ISR
	next.Topics[i].Partitions = slices.Clone(next.Topics[i].Partitions)
	next.Topics[i].Partitions[p.Partition] = info
	return kafka.None
}

// watchBalance sets the timer that gives leadership back to preferred leaders, while there is a partition that waits for
// it. The real controller looks at the same moments in any case.
func (c *Controller) watchBalance(now time.Duration, out *node.Out) {
	if c.balancing || !c.config.Bool("auto.leader.rebalance.enable") || !c.unbalanced() {
		return
	}
	c.balancing = true
	interval := time.Duration(c.config.Int("leader.imbalance.check.interval.seconds")) * time.Second
	out.SetTimer(balanceTimer, now+interval-now%interval)
}

// unbalanced reports whether a partition has a leader that is not the preferred one, though that one lives.
func (c *Controller) unbalanced() bool {
	for _, b := range c.cluster.Brokers {
		if _, away := imbalance(c.cluster, b.ID); away > 0 {
			return true
		}
	}
	return false
}

// change carries a command out on a new image, or tells why it cannot.
func (c *Controller) change(next *kafka.Cluster, cmd node.Command) kafka.ErrorCode {
	switch cmd.Do {
	case AddTopic:
		return addTopic(next, TopicPlan{Name: cmd.Topic, Partitions: cmd.Partitions, Replication: cmd.Replication, Config: cmd.Config})
	case AddPartitions:
		return addPartitions(next, cmd.Topic, cmd.Partitions)
	case BrokerDown:
		*next = *Without(next, cmd.Node, c.config)
		return kafka.None
	case AddBroker:
		c.known = append(slices.Clone(c.known), cmd.Broker)
		next.Brokers = c.liveWith(next.Brokers, cmd.Broker.ID)
		return kafka.None
	case Configure:
		return c.configure(next, cmd)
	case BrokerUp:
		next.Brokers = c.liveWith(next.Brokers, cmd.Node)
		electAll(next, c.config)
		return kafka.None
	}
	return kafka.UnsupportedVersion
}

// configure changes the settings of a topic, or those that the controller itself goes by.
func (c *Controller) configure(next *kafka.Cluster, cmd node.Command) kafka.ErrorCode {
	if cmd.Topic == "" {
		c.config = cmd.Config
	} else {
		i := slices.IndexFunc(next.Topics, func(t kafka.TopicInfo) bool { return t.Name == cmd.Topic })
		if i < 0 {
			return kafka.UnknownTopicOrPartition
		}
		next.Topics[i].Config = cmd.Config
	}
	electAll(next, c.config)
	return kafka.None
}

func addTopic(next *kafka.Cluster, plan TopicPlan) kafka.ErrorCode {
	if _, exists := next.Topic(plan.Name); exists {
		return kafka.TopicAlreadyExists
	}
	if plan.Partitions < 1 {
		return kafka.InvalidPartitions
	}
	if len(next.Brokers) < max(1, int(plan.Replication)) {
		return kafka.InvalidReplicationFactor
	}
	next.Topics = append(next.Topics, dealTopic(next.Brokers, plan))
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
	replication := len(present[0].Replicas)
	if len(next.Brokers) < replication {
		return kafka.InvalidReplicationFactor
	}
	grown := dealTopic(next.Brokers, TopicPlan{
		Name: name, Partitions: total, Replication: int32(replication), Config: next.Topics[i].Config,
	})
	copy(grown.Partitions, present)
	next.Topics[i] = grown
	return kafka.None
}

// liveWith adds a known broker to the live ones, in the order in which all brokers became known.
func (c *Controller) liveWith(live []kafka.BrokerInfo, id kafka.NodeID) []kafka.BrokerInfo {
	return slices.DeleteFunc(slices.Clone(c.known), func(b kafka.BrokerInfo) bool {
		return b.ID != id && !slices.Contains(live, b)
	})
}
