package broker

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// newMemberJoinTimeout is how long a new member may wait in JoinGroup (GroupCoordinator.NewMemberJoinTimeoutMs).
const newMemberJoinTimeout = 5 * time.Minute

// joinGroup handles JoinGroup. The order of the checks is that of coordinator.md section 3.
func (t *turn) joinGroup(from caller, r *kafka.JoinGroupRequest) {
	if err := t.joinError(r); err != kafka.None {
		t.refuseJoin(from, r.MemberID, err)
		return
	}
	g := t.groups[r.Group]
	if g == nil {
		if r.MemberID != "" {
			t.refuseJoin(from, r.MemberID, kafka.UnknownMemberID)
			return
		}
		g = t.createGroup(r.Group, r.ProtocolType)
		if t.has(kafka.JavaCoordinator) {
			t.storeGroup(g)
		}
	}
	err := t.admissionError(g, r)
	switch {
	case err != kafka.None:
		t.refuseJoin(from, r.MemberID, err)
	case r.MemberID == "":
		t.joinAsNew(g, from, r)
	default:
		t.joinAsKnown(g, from, r)
	}
	t.maybeCompleteJoin(g)
}

// joinError makes the checks that need no group.
func (t *turn) joinError(r *kafka.JoinGroupRequest) kafka.ErrorCode {
	if err := t.groupError(r.Group); err != kafka.None {
		return err
	}
	if r.SessionTimeout < t.config.Duration("group.min.session.timeout.ms") ||
		r.SessionTimeout > t.config.Duration("group.max.session.timeout.ms") {
		return kafka.InvalidSessionTimeout
	}
	return kafka.None
}

// admissionError checks the size of the group, its state, and whether it has a protocol in common with the member. One who
// finds the group too large loses the member id that it has.
func (t *turn) admissionError(g *ClassicGroup, r *kafka.JoinGroupRequest) kafka.ErrorCode {
	switch {
	case t.has(kafka.GroupMaxSize) && !g.hasRoom(r.MemberID, int(t.config.Int("group.max.size"))):
		t.dropID(g, r.MemberID)
		return kafka.GroupMaxSizeReached
	case g.state == dead:
		return t.deadError()
	case !g.supports(r.ProtocolType, r.Protocols):
		return kafka.InconsistentGroupProtocol
	}
	return kafka.None
}

// hasRoom reports whether a member may be in a group of at most that many. While a rebalance is prepared those count
// that wait already, so that the last to rejoin are turned away.
func (g *ClassicGroup) hasRoom(id string, most int) bool {
	m := g.find(id)
	switch g.state {
	case preparingRebalance:
		return m != nil && m.join.waits() || g.joined() < most
	case completingRebalance, stable:
		return m != nil || len(g.members) < most
	}
	return true
}

// dropID forgets the id of one who was turned away, be it a member's or a pending one.
func (t *turn) dropID(g *ClassicGroup, id string) {
	if g.find(id) != nil {
		t.takeOut(g, []string{id}, "group.max.size reached")
	}
	t.dropPending(g, id, "group.max.size reached")
}

// joinAsNew handles a JoinGroup without a member id.
func (t *turn) joinAsNew(g *ClassicGroup, from caller, r *kafka.JoinGroupRequest) {
	if r.InstanceID != "" {
		if known := g.static(r.InstanceID); known != nil {
			t.replaceStatic(g, known.id, from, r)
			return
		}
		t.addMember(g, t.newMemberID(r.InstanceID), from, r)
		return
	}
	id := t.newMemberID(r.ClientID)
	if r.Version < 4 {
		t.addMember(g, id, from, r)
		return
	}
	// KIP-394: a member id is handed out first, and only one who comes back with it becomes a member.
	g.addPending(id)
	t.setMemberTimer(pendingTimer, g, id, r.SessionTimeout)
	t.fact(view.Fact{Kind: view.MemberPending, Group: g.id, Member: id})
	t.refuseJoin(from, id, kafka.MemberIDRequired)
}

// joinAsKnown handles a JoinGroup with a member id: of a pending member, or of one that joins again.
func (t *turn) joinAsKnown(g *ClassicGroup, from caller, r *kafka.JoinGroupRequest) {
	if g.isPending(r.MemberID) {
		t.addMember(g, r.MemberID, from, r)
		return
	}
	if err := g.validate(r.MemberID, r.InstanceID); err != kafka.None {
		t.refuseJoin(from, r.MemberID, err)
		return
	}
	m := g.find(r.MemberID)
	leads, same := m.id == g.leader, m.matches(r.Protocols)
	switch g.state {
	case preparingRebalance:
		t.rejoin(g, m, from, r)
	case completingRebalance:
		if same { // it did not get the reply to its JoinGroup
			t.reply(from, g.joinReply(m))
			return
		}
		t.rejoin(g, m, from, r)
	case stable:
		if same && !leads { // the leader may know of a change that its metadata does not show, such as new partitions
			t.reply(from, g.joinReply(m))
			return
		}
		t.rejoin(g, m, from, r)
	}
}

// addMember lets a new member in. It waits in JoinGroup until the join phase is complete.
func (t *turn) addMember(g *ClassicGroup, id string, from caller, r *kafka.JoinGroupRequest) {
	if g.state == preparingRebalance && g.initial && (g.generation == 0 || t.has(kafka.JavaCoordinator)) {
		g.newMemberAdded = true // coordinator.md section 4: the Java coordinator also when the group was in use before
	}
	g.deletePending(id)
	t.stopTimer(memberKey(pendingTimer, g.id, id))
	if len(g.members) == 0 {
		g.protocolType = r.ProtocolType
	}
	m := member{id: id, instanceID: r.InstanceID, join: from, isNew: true}
	m.update(from, r)
	g.insert(m)
	t.fact(view.Fact{Kind: view.MemberAdded, Group: g.id, Member: id})
	if g.leader == "" {
		t.setLeader(g, id)
	}
	if t.has(kafka.NewMemberJoinTimeout) {
		t.setMemberTimer(newMemberTimer, g, id, newMemberJoinTimeout)
	}
	t.maybePrepareRebalance(g, id)
}

// update takes over what a JoinGroup says of the member.
func (m *member) update(from caller, r *kafka.JoinGroupRequest) {
	m.client, m.clientID = from.node, r.ClientID
	m.protocols = r.Protocols
	m.sessionTimeout, m.rebalanceTimeout = r.SessionTimeout, r.RebalanceTimeout
	if r.Version == 0 {
		m.rebalanceTimeout = r.SessionTimeout
	}
}

// rejoin parks the JoinGroup of a member, and starts a rebalance if none is being prepared.
func (t *turn) rejoin(g *ClassicGroup, m *member, from caller, r *kafka.JoinGroupRequest) {
	m.update(from, r)
	t.parkJoin(g, m, from)
	t.maybePrepareRebalance(g, m.id)
}

// parkJoin lets a member wait. The session timer does nothing to one who waits, unless it is new; so it is stopped, and
// started again with the reply.
func (t *turn) parkJoin(g *ClassicGroup, m *member, from caller) {
	m.join = from
	if !m.isNew {
		t.stopTimer(memberKey(sessionTimer, g.id, m.id))
	}
}

func (t *turn) refuseJoin(to caller, id string, err kafka.ErrorCode) {
	t.reply(to, &kafka.JoinGroupResponse{Error: err, MemberID: id, Generation: kafka.NoGeneration})
}

// dropPending forgets a pending member id.
func (t *turn) dropPending(g *ClassicGroup, id, why string) {
	if !g.isPending(id) {
		return
	}
	g.deletePending(id)
	t.stopTimer(memberKey(pendingTimer, g.id, id))
	t.fact(view.Fact{Kind: view.MemberRemoved, Group: g.id, Member: id, Text: why})
}

func (t *turn) pendingExpired(g *ClassicGroup, id string) {
	t.dropPending(g, id, "member id not used")
	t.maybeCompleteJoin(g)
}
