// Package assign decides which member of a group gets which partitions, by the rules of Kafka's four client-side
// assignors. Each is a pure function: the same topics and members give the same assignment.
package assign

import (
	"slices"

	"groupscope/core/kafka"
)

// Member is one member of the group as the leader knows it from the subscriptions.
type Member struct {
	ID         string
	InstanceID string // group.instance.id, "" for a dynamic member
	Topics     []string
	Owned      []kafka.TopicPartition // what it had; for Sticky, what its user data remembers
	Generation int32                  // in which it was given them; kafka.NoGeneration if unknown
	Rack       string                 // client.rack, "" if not set
}

// Topic is one topic of the cluster.
type Topic struct {
	Name       string
	Partitions int32
	Racks      [][]string // the racks of the replicas, by partition; nil: unknown
}

// Assignment gives each member its partitions. It has an entry, maybe an empty one, for every member.
type Assignment map[string][]kafka.TopicPartition

// Assignor is one of Kafka's client-side assignors.
type Assignor uint8

// The assignors.
const (
	Range Assignor = iota
	RoundRobin
	Sticky
	CooperativeSticky
)

var assignors = [...]struct {
	name        string
	cooperative bool
	assign      func(*group) [][]int32
}{
	Range:             {"range", false, assignRange},
	RoundRobin:        {"roundrobin", false, assignRoundRobin},
	Sticky:            {"sticky", false, assignSticky},
	CooperativeSticky: {"cooperative-sticky", true, assignCooperativeSticky},
}

// ByName finds an assignor by the name that it has in the group protocol.
func ByName(name string) (Assignor, bool) {
	i := slices.Index(Names(), name)
	return Assignor(max(i, 0)), i >= 0
}

// Names lists the names of all assignors.
func Names() []string {
	names := make([]string, len(assignors))
	for i, a := range assignors {
		names[i] = a.name
	}
	return names
}

// Name returns the name that the assignor has in the group protocol.
func (a Assignor) Name() string { return assignors[a].name }

// Cooperative reports whether members may keep their partitions over a rebalance (KIP-429).
func (a Assignor) Cooperative() bool { return assignors[a].cooperative }

// Assign gives the partitions of the topics to the members that subscribe to them. The order of the members is that of
// the JoinGroup response; it matters only where two member ids meet in a bucket of a Java HashMap.
func (a Assignor) Assign(topics []Topic, members []Member) Assignment {
	g := newGroup(topics, members)
	if len(members) == 0 {
		return Assignment{}
	}
	return g.assignment(assignors[a].assign(g))
}
