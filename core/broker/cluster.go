package broker

import (
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// TopicPlan describes a topic that a cluster begins with.
type TopicPlan struct {
	Name       string
	Partitions int32
	Leaders    []kafka.NodeID // of each partition; where there is none, brokers take turns
}

// InitialCluster makes the image of the cluster that a run begins with: every broker (at least one) live, the topics, and
// __consumer_offsets with offsetsPartitions partitions. Partition p goes to the broker at p modulo their number.
func InitialCluster(brokers []kafka.BrokerInfo, topics []TopicPlan, offsetsPartitions int32) *kafka.Cluster {
	c := &kafka.Cluster{Epoch: 1, Brokers: slices.Clone(brokers)}
	for _, plan := range topics {
		c.Topics = append(c.Topics, dealTopic(c.Brokers, plan))
	}
	c.Topics = append(c.Topics, offsetsTopic(c.Brokers, offsetsPartitions))
	sortTopics(c.Topics)
	return c
}

func sortTopics(topics []kafka.TopicInfo) {
	slices.SortFunc(topics, func(a, b kafka.TopicInfo) int { return strings.Compare(a.Name, b.Name) })
}

// dealTopic gives each partition of a new topic its only replica.
func dealTopic(brokers []kafka.BrokerInfo, plan TopicPlan) kafka.TopicInfo {
	topic := kafka.TopicInfo{Name: plan.Name}
	for p := range plan.Partitions {
		leader := brokers[int(p)%len(brokers)].ID
		if int(p) < len(plan.Leaders) && plan.Leaders[p] != "" {
			leader = plan.Leaders[p]
		}
		topic.Partitions = append(topic.Partitions, solePartition(leader))
	}
	return topic
}

func solePartition(leader kafka.NodeID) kafka.PartitionInfo {
	replicas := []kafka.NodeID{leader}
	return kafka.PartitionInfo{Leader: leader, Replicas: replicas, ISR: replicas}
}

// offsetsTopic lays out __consumer_offsets. Every broker counts as an in-sync replica of each of its partitions: it
// stands for a log that survives any broker.
func offsetsTopic(brokers []kafka.BrokerInfo, partitions int32) kafka.TopicInfo {
	topic := kafka.TopicInfo{Name: kafka.OffsetsTopic, Internal: true}
	for p := range partitions {
		replicas := make([]kafka.NodeID, len(brokers))
		for i := range brokers {
			replicas[i] = brokers[(int(p)+i)%len(brokers)].ID
		}
		topic.Partitions = append(topic.Partitions, kafka.PartitionInfo{Leader: replicas[0], Replicas: replicas, ISR: replicas})
	}
	return topic
}
