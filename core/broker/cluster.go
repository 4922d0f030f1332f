package broker

import (
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// TopicPlan describes a topic that is to be made.
type TopicPlan struct {
	Name        string
	Partitions  int32
	Replication int32            // how many brokers keep a copy of each partition; 0: 1
	Leaders     []kafka.NodeID   // of each partition, the preferred one; where there is none, brokers take turns
	Replicas    [][]kafka.NodeID // of each partition, the preferred leader first; where there are none, the brokers after the leader
	Config      kafka.Config     // of TopicScope
}

// InitialCluster makes the image of the cluster that a run begins with: every broker (at least one) live, the topics, and
// __consumer_offsets. Partition p goes to the broker at p modulo their number. Of __consumer_offsets there cannot be more copies
// than brokers.
func InitialCluster(brokers []kafka.BrokerInfo, topics []TopicPlan, offsets TopicPlan) *kafka.Cluster {
	c := &kafka.Cluster{Epoch: 1, Brokers: slices.Clone(brokers)}
	for _, plan := range topics {
		c.Topics = append(c.Topics, dealTopic(c.Brokers, plan))
	}
	offsets.Name, offsets.Replication = kafka.OffsetsTopic, min(offsets.Replication, int32(len(brokers)))
	c.Topics = append(c.Topics, dealTopic(c.Brokers, offsets))
	sortTopics(c.Topics)
	return c
}

func sortTopics(topics []kafka.TopicInfo) {
	slices.SortFunc(topics, func(a, b kafka.TopicInfo) int { return strings.Compare(a.Name, b.Name) })
}

// dealTopic gives each partition of a new topic its replicas, all of them in sync.
func dealTopic(brokers []kafka.BrokerInfo, plan TopicPlan) kafka.TopicInfo {
	topic := kafka.TopicInfo{Name: plan.Name, Internal: plan.Name == kafka.OffsetsTopic || plan.Name == kafka.TransactionsTopic, Config: plan.Config}
	for p := range plan.Partitions {
		replicas := plan.replicas(brokers, int(p))
		topic.Partitions = append(topic.Partitions, kafka.PartitionInfo{Leader: replicas[0], Replicas: replicas, ISR: replicas})
	}
	return topic
}

// replicas chooses the brokers of a partition.
func (plan *TopicPlan) replicas(brokers []kafka.BrokerInfo, p int) []kafka.NodeID {
	if p < len(plan.Replicas) && len(plan.Replicas[p]) > 0 {
		return plan.Replicas[p]
	}
	first := p % len(brokers)
	if p < len(plan.Leaders) && plan.Leaders[p] != "" {
		first = slices.IndexFunc(brokers, func(b kafka.BrokerInfo) bool { return b.ID == plan.Leaders[p] })
		if first < 0 {
			return []kafka.NodeID{plan.Leaders[p]}
		}
	}
	var list []kafka.NodeID
	for i := range max(1, int(plan.Replication)) {
		list = append(list, brokers[(first+i)%len(brokers)].ID)
	}
	return list
}
