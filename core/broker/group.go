package broker

import (
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// state is a state of a classic group.
type state string

// The states. What was called AwaitingSync before release 1.1 is called CompletingRebalance throughout.
const (
	empty               state = "Empty"
	preparingRebalance  state = "PreparingRebalance"
	completingRebalance state = "CompletingRebalance"
	stable              state = "Stable"
	dead                state = "Dead"
)

// ClassicGroup is a group whose members speak the classic protocol: JoinGroup, SyncGroup, Heartbeat, LeaveGroup.
//
// Source: coordinator.md; GroupMetadata and ClassicGroup of Apache Kafka.
type ClassicGroup struct {
	id             string
	state          state
	entered        time.Duration // when it entered its state
	generation     int32
	protocolType   string // "" before the first member, and of a group that only commits
	protocol       string // the assignor chosen for this generation
	leader         string
	members        []member // by id
	pending        []string // ids handed out with MEMBER_ID_REQUIRED, by id
	visits         []view.Visit
	initial        bool          // the join phase that is being prepared began in state Empty
	newMemberAdded bool          // during this wait of the initial join phase
	wait           time.Duration // of the initial join phase: this wait
	remaining      time.Duration // of the initial join phase: what it may be extended by
}

// member is one member of a classic group. Its slices are replaced, never changed.
type member struct {
	id, instanceID, clientID string
	client                   kafka.NodeID // the process it speaks from
	sessionTimeout           time.Duration
	rebalanceTimeout         time.Duration
	protocols                []kafka.Protocol       `clone:"shared"`
	assignment               []kafka.TopicPartition `clone:"shared"`
	join, sync               caller                 // who waits for the reply to a parked JoinGroup or SyncGroup
	isNew                    bool                   // has not yet lived through the end of a join phase
	synced                   bool                   // sent SyncGroup in this generation
}

func (g *ClassicGroup) clone() *ClassicGroup {
	c := *g
	c.members = slices.Clone(g.members)
	c.pending = slices.Clone(g.pending)
	c.visits = slices.Clone(g.visits)
	return &c
}

// find returns the member of that id, nil if there is none. The pointer is good until members are added or removed.
func (g *ClassicGroup) find(id string) *member {
	i, ok := g.index(id)
	if !ok {
		return nil
	}
	return &g.members[i]
}

func (g *ClassicGroup) index(id string) (int, bool) {
	return slices.BinarySearchFunc(g.members, id, func(m member, id string) int { return strings.Compare(m.id, id) })
}

// static returns the static member of an instance id, nil if there is none.
func (g *ClassicGroup) static(instance string) *member {
	if instance == "" {
		return nil
	}
	i := slices.IndexFunc(g.members, func(m member) bool { return m.instanceID == instance })
	if i < 0 {
		return nil
	}
	return &g.members[i]
}

func (g *ClassicGroup) insert(m member) {
	i, _ := g.index(m.id)
	g.members = slices.Insert(g.members, i, m)
}

func (g *ClassicGroup) delete(id string) {
	if i, ok := g.index(id); ok {
		g.members = slices.Delete(g.members, i, i+1)
	}
}

func (g *ClassicGroup) isPending(id string) bool {
	_, ok := slices.BinarySearch(g.pending, id)
	return ok
}

func (g *ClassicGroup) addPending(id string) {
	i, _ := slices.BinarySearch(g.pending, id)
	g.pending = slices.Insert(g.pending, i, id)
}

func (g *ClassicGroup) deletePending(id string) {
	if i, ok := slices.BinarySearch(g.pending, id); ok {
		g.pending = slices.Delete(g.pending, i, i+1)
	}
}

// rebalanceTimeout is the longest rebalance timeout of the members.
func (g *ClassicGroup) rebalanceTimeout() time.Duration {
	var longest time.Duration
	for i := range g.members {
		longest = max(longest, g.members[i].rebalanceTimeout)
	}
	return longest
}

// allJoined reports whether every member waits in JoinGroup and nobody is expected to come back with a new member id.
func (g *ClassicGroup) allJoined() bool {
	return len(g.pending) == 0 && g.joined() == len(g.members)
}

// joined counts the members that wait in JoinGroup.
func (g *ClassicGroup) joined() int {
	n := 0
	for i := range g.members {
		if g.members[i].join.waits() {
			n++
		}
	}
	return n
}

// allSynced reports whether every member sent SyncGroup in this generation.
func (g *ClassicGroup) allSynced() bool {
	return !slices.ContainsFunc(g.members, func(m member) bool { return !m.synced })
}

// validate tells why a request may not act for a member; None if it may (coordinator.md section 3).
func (g *ClassicGroup) validate(id, instance string) kafka.ErrorCode {
	if instance != "" {
		switch known := g.static(instance); {
		case known == nil:
			return kafka.UnknownMemberID
		case known.id != id:
			return kafka.FencedInstanceID
		}
	}
	if g.find(id) == nil {
		return kafka.UnknownMemberID
	}
	return kafka.None
}

// topics lists the topics that the member subscribes to, by its first protocol.
func (m *member) topics() []string {
	if len(m.protocols) == 0 || m.protocols[0].Subscription == nil {
		return nil
	}
	return m.protocols[0].Subscription.Topics
}

// subscription returns what the member sent for a protocol.
func (m *member) subscription(protocol string) *kafka.Subscription {
	i := slices.IndexFunc(m.protocols, func(p kafka.Protocol) bool { return p.Name == protocol })
	if i < 0 {
		return nil
	}
	return m.protocols[i].Subscription
}

// matches reports whether the member already offers just these protocols: the same names in the same order, with the
// same metadata (coordinator.md section 3).
func (m *member) matches(protocols []kafka.Protocol) bool {
	return slices.EqualFunc(m.protocols, protocols, func(a, b kafka.Protocol) bool {
		return a.Name == b.Name && sameSubscription(a.Subscription, b.Subscription)
	})
}

func sameSubscription(a, b *kafka.Subscription) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.Version == b.Version && a.Generation == b.Generation && a.Rack == b.Rack &&
		slices.Equal(a.Topics, b.Topics) && slices.Equal(a.Owned, b.Owned) && sameUserData(a.UserData, b.UserData)
}

func sameUserData(a, b *kafka.StickyUserData) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.Generation == b.Generation && slices.Equal(a.Partitions, b.Partitions)
}

// joinedMembers is the list that the leader assigns from, by member id.
func (g *ClassicGroup) joinedMembers() []kafka.JoinedMember {
	list := make([]kafka.JoinedMember, len(g.members))
	for i := range g.members {
		m := &g.members[i]
		list[i] = kafka.JoinedMember{MemberID: m.id, InstanceID: m.instanceID, Subscription: m.subscription(g.protocol)}
	}
	return list
}
