package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// Without is an image as it will be when a broker is found to be dead. The epoch of the image stays.
func Without(c *kafka.Cluster, dead kafka.NodeID, config kafka.Config) *kafka.Cluster {
	next := *c
	next.Brokers = slices.DeleteFunc(slices.Clone(c.Brokers), func(b kafka.BrokerInfo) bool { return b.ID == dead })
	next.Topics = slices.Clone(c.Topics)
	electAll(&next, config)
	return &next
}

// electAll brings every partition's leader and in-sync replicas up to date with the brokers that live.
func electAll(next *kafka.Cluster, config kafka.Config) {
	changeAll(next, func(topic *kafka.TopicInfo, p kafka.PartitionInfo) kafka.PartitionInfo {
		return elect(next, p, uncleanAllowed(topic, config))
	})
}

// changeAll replaces every partition of an image that is being made.
func changeAll(next *kafka.Cluster, change func(topic *kafka.TopicInfo, p kafka.PartitionInfo) kafka.PartitionInfo) {
	for i := range next.Topics {
		topic := &next.Topics[i]
		topic.Partitions = slices.Clone(topic.Partitions)
		for p, info := range topic.Partitions {
			topic.Partitions[p] = change(topic, info)
		}
	}
}

func uncleanAllowed(topic *kafka.TopicInfo, config kafka.Config) bool {
	const key = "unclean.leader.election.enable"
	if topic.Config != (kafka.Config{}) && topic.Config.Set(key) {
		return topic.Config.Bool(key)
	}
	return config.Bool(key)
}

// elect takes dead brokers out of the in-sync replicas and keeps a living leader; otherwise the first living replica of the list that
// is in sync takes over. The last in-sync replica stays one though it is dead, as the only candidate: until it returns the
// partition has no leader, unless an unclean election is allowed. Then any living replica may lead, and what it lacks is lost.
//
// Source: replication.md section 5; PartitionChangeBuilder.
func elect(c *kafka.Cluster, p kafka.PartitionInfo, unclean bool) kafka.PartitionInfo {
	lives := func(id kafka.NodeID) bool { _, up := c.Broker(id); return up }
	if isr := slices.DeleteFunc(slices.Clone(p.ISR), func(id kafka.NodeID) bool { return !lives(id) }); len(isr) > 0 {
		p.ISR = isr
	}
	if p.Leader != "" && lives(p.Leader) {
		return p
	}
	leader := kafka.NodeID("")
	for _, id := range p.Replicas {
		if leader == "" && lives(id) && slices.Contains(p.ISR, id) {
			leader = id
		}
	}
	if i := slices.IndexFunc(p.Replicas, lives); leader == "" && unclean && i >= 0 {
		leader = p.Replicas[i]
		p.ISR = []kafka.NodeID{leader}
	}
	return ledBy(p, leader)
}

// moveLeaders moves the leaderships of a broker that is about to stop, and takes it out of the in-sync replicas, where
// others can do without it.
func moveLeaders(next *kafka.Cluster, from kafka.NodeID) {
	changeAll(next, func(_ *kafka.TopicInfo, p kafka.PartitionInfo) kafka.PartitionInfo {
		others := slices.DeleteFunc(slices.Clone(p.ISR), func(id kafka.NodeID) bool { return id == from })
		if len(others) == 0 || !slices.Contains(p.Replicas, from) {
			return p
		}
		p.ISR = others
		if p.Leader != from {
			return p
		}
		i := slices.IndexFunc(p.Replicas, func(id kafka.NodeID) bool { return slices.Contains(others, id) })
		return ledBy(p, p.Replicas[i])
	})
}

// preferLeaders gives partitions back to their preferred leaders, of those brokers that lead too few of theirs. It reports whether
// there were any.
func preferLeaders(next *kafka.Cluster, percentage int64) (changed bool) {
	due := map[kafka.NodeID]bool{}
	for _, b := range next.Brokers {
		preferred, away := imbalance(next, b.ID)
		due[b.ID] = int64(away)*100 > percentage*int64(preferred)
	}
	changeAll(next, func(_ *kafka.TopicInfo, p kafka.PartitionInfo) kafka.PartitionInfo {
		first := p.Replicas[0]
		if due[first] && p.Leader != first && p.Leader != "" && slices.Contains(p.ISR, first) {
			changed = true
			return ledBy(p, first)
		}
		return p
	})
	return changed
}

// imbalance counts the partitions that prefer a broker as their leader, and those of them that others lead.
func imbalance(c *kafka.Cluster, id kafka.NodeID) (preferred, away int) {
	for _, topic := range c.Topics {
		for _, p := range topic.Partitions {
			if p.Replicas[0] != id {
				continue
			}
			preferred++
			if p.Leader != id {
				away++
			}
		}
	}
	return preferred, away
}

// ledBy is a partition under another leader, or under none: either begins a new leader epoch.
func ledBy(p kafka.PartitionInfo, leader kafka.NodeID) kafka.PartitionInfo {
	if leader != p.Leader {
		p.Leader = leader
		p.LeaderEpoch++
	}
	return p
}
