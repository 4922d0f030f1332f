package client

import (
	"slices"
	"strings"

	"groupscope/core/assign"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// isCooperative reports whether an assignor lets members keep their partitions; assignors of the user's own do not.
func (c *Consumer) isCooperative(assignor string) bool {
	a, ok := assign.ByName(assignor)
	return ok && a.Cooperative()
}

// compute runs an assignor, Kafka's or the user's own.
func (c *Consumer) compute(name string, topics []assign.Topic, members []assign.Member) assign.Assignment {
	for i := range c.spec.Custom {
		if c.spec.Custom[i].Name == name {
			return c.spec.Custom[i].Assign(topics, members)
		}
	}
	if a, ok := assign.ByName(name); ok {
		return a.Assign(topics, members)
	}
	return nil
}

// protocols is what the consumer offers in JoinGroup: each assignor with the subscription it would be given.
func (t *turn) protocols() []kafka.Protocol {
	var list []kafka.Protocol
	for _, name := range t.settings.assignors {
		sub := &kafka.Subscription{Topics: slices.Clone(t.topics), Generation: kafka.NoGeneration}
		if t.does(kafka.SubscriptionOwned) {
			sub.Version = 1
			sub.Owned = t.owned()
		}
		if t.does(kafka.SubscriptionGeneration) {
			sub.Version = 2
			sub.Generation = t.group.generation
		}
		if t.does(kafka.SubscriptionRack) {
			sub.Version = 3
			sub.Rack = t.settings.rack
		}
		if name == "sticky" {
			sub.UserData = t.group.remembered
		}
		list = append(list, kafka.Protocol{Name: name, Subscription: sub})
	}
	return list
}

// knowsTopics notes which topics the group's members subscribe to. If the leader never asked for one of them, it asks for
// metadata now and reports false.
func (t *turn) knowsTopics(reply *kafka.JoinGroupResponse) bool {
	var topics []string
	for _, m := range reply.Members {
		topics = append(topics, m.Subscription.Topics...)
	}
	slices.Sort(topics)
	t.group.groupTopics = slices.Compact(topics)
	if t.network.cluster != nil && (t.network.askedAll || len(missing(t.group.groupTopics, t.network.asked)) == 0) {
		return true
	}
	t.network.wantMetadata, t.network.metadataAt = true, 0
	t.refreshMetadata()
	return false
}

// missing lists what is in a and not in b.
func missing[T comparable](a, b []T) []T {
	var rest []T
	for _, x := range a {
		if !slices.Contains(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// lead runs the chosen assignor over the member list that only the leader is given (onLeaderElected). The reply's
// reader runs it, whichever thread that is.
func (t *turn) lead(reply *kafka.JoinGroupResponse) []kafka.MemberAssignment {
	t.group.counts = countPartitions(t.network.cluster, t.group.groupTopics)
	if reply.SkipAssignment {
		return nil // KIP-814: a returning static leader leaves the assignment as it is, and watches the topics again
	}
	members := make([]assign.Member, len(reply.Members))
	for i, m := range reply.Members {
		members[i] = assignMember(m, reply.Protocol)
	}
	given := t.compute(reply.Protocol, t.assignTopics(t.group.groupTopics), members)

	slices.SortFunc(members, func(a, b assign.Member) int { return strings.Compare(a.ID, b.ID) })
	assignments := make([]kafka.MemberAssignment, len(members))
	t.group.computed = make([]view.MemberPartitions, len(members))
	for i, m := range members {
		parts := given[m.ID]
		assignments[i] = kafka.MemberAssignment{MemberID: m.ID, Partitions: parts}
		t.group.computed[i] = view.MemberPartitions{Member: m.ID, Partitions: parts}
	}
	t.fact(view.Fact{Kind: view.PartitionsComputed, Text: reply.Protocol, To: int64(len(members))})
	return assignments
}

// assignMember is a line of the leader's list as an assignor sees it. The sticky assignor reads its user data, the
// others the owned partitions (assignors.md section 3.1).
func assignMember(m kafka.JoinedMember, protocol string) assign.Member {
	sub := m.Subscription
	member := assign.Member{
		ID: m.MemberID, InstanceID: m.InstanceID, Topics: sub.Topics,
		Owned: sub.Owned, Generation: sub.Generation, Rack: sub.Rack,
	}
	if protocol == "sticky" {
		member.Owned, member.Generation = nil, kafka.NoGeneration
		if sub.UserData != nil {
			member.Owned, member.Generation = sub.UserData.Partitions, sub.UserData.Generation
		}
	}
	return member
}

// assignTopics is what the leader's metadata knows of the group's topics.
func (t *turn) assignTopics(names []string) []assign.Topic {
	var topics []assign.Topic
	for _, name := range names {
		info, ok := t.topic(name)
		if !ok {
			continue
		}
		topic := assign.Topic{Name: name, Partitions: int32(len(info.Partitions))}
		for _, p := range info.Partitions {
			topic.Racks = append(topic.Racks, t.racks(p.Replicas))
		}
		topics = append(topics, topic)
	}
	return topics
}

// racks lists the racks of the given brokers; those without a rack are left out.
func (t *turn) racks(brokers []kafka.NodeID) []string {
	var racks []string
	for _, id := range brokers {
		if b, ok := t.network.cluster.Broker(id); ok && b.Rack != "" {
			racks = append(racks, b.Rack)
		}
	}
	return racks
}

func (t *turn) topic(name string) (kafka.TopicInfo, bool) {
	if t.network.cluster == nil {
		return kafka.TopicInfo{}, false
	}
	return t.network.cluster.Topic(name)
}

// partitionsDiffer reports whether a topic of this member, or of its group if it leads, has another number of partitions in a
// new image of the cluster.
func (t *turn) partitionsDiffer(next *kafka.Cluster) bool {
	names := slices.Concat(t.topics, t.group.groupTopics)
	return !slices.Equal(countPartitions(t.network.cluster, names), countPartitions(next, names))
}

func countPartitions(cluster *kafka.Cluster, topics []string) []topicCount {
	counts := []topicCount{}
	for _, name := range topics {
		if info, ok := cluster.Topic(name); ok {
			counts = append(counts, topicCount{name, len(info.Partitions)})
		}
	}
	return counts
}

// otherPartitions reports whether a topic of the group has more partitions than when this leader last assigned; followers
// take no notice (client.md section 9).
func (t *turn) otherPartitions() bool {
	g := &t.group
	return g.leader && g.counts != nil && !slices.Equal(g.counts, countPartitions(t.network.cluster, g.groupTopics))
}
