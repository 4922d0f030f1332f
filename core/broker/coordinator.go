package broker

import (
	"strconv"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// groupError makes the checks that come before any state logic for JoinGroup, SyncGroup, Heartbeat and LeaveGroup. Loading
// a partition takes no time here, so COORDINATOR_LOAD_IN_PROGRESS is never answered.
func (b *Broker) groupError(group string) kafka.ErrorCode {
	if group == "" {
		return kafka.InvalidGroupID
	}
	return b.coordinatorError(group)
}

// coordinatorError is groupError for OffsetCommit and OffsetFetch, which allow the empty group id.
func (b *Broker) coordinatorError(group string) kafka.ErrorCode {
	if !b.leads(b.offsetsPartition(group)) {
		return kafka.NotCoordinator
	}
	return kafka.None
}

// deadError answers requests to a group in state Dead: look for the coordinator again. Before 2.3 it told the member
// that it is unknown.
func (b *Broker) deadError() kafka.ErrorCode {
	if b.has(kafka.DeadGroupMoved) {
		return kafka.CoordinatorNotAvailable
	}
	return kafka.UnknownMemberID
}

// createGroup begins a group that nobody is in yet. Before 0.10.1 there was no state Empty, and a new group was Stable.
func (t *turn) createGroup(id, protocolType string) *ClassicGroup {
	g := &ClassicGroup{id: id, state: empty, entered: t.now}
	if !t.has(kafka.EmptyGroupState) {
		g.state, g.protocolType = stable, protocolType
	}
	t.groups[id] = g
	t.armExpiry()
	t.fact(view.Fact{Kind: view.GroupState, Group: id, Text: string(g.state)})
	return g
}

// enter brings a group into a state; member is the one that caused it, "" if none did.
func (t *turn) enter(g *ClassicGroup, s state, member string) {
	g.visit(g.state, s)
	g.state, g.entered = s, t.now
	t.fact(view.Fact{Kind: view.GroupState, Group: g.id, Member: member, Text: string(s), To: int64(g.generation)})
}

func (g *ClassicGroup) visit(from, to state) {
	for i := range g.visits {
		if g.visits[i].From == string(from) && g.visits[i].To == string(to) {
			g.visits[i].Times++
			return
		}
	}
	g.visits = append(g.visits, view.Visit{From: string(from), To: string(to), Times: 1})
}

// bury ends a group: it is Dead for a moment and then forgotten.
func (t *turn) bury(g *ClassicGroup) {
	t.stopGroupTimers(g)
	t.enter(g, dead, "")
	delete(t.groups, g.id)
}

func (t *turn) stopGroupTimers(g *ClassicGroup) {
	for _, kind := range []timerKind{initialDelayTimer, rebalanceTimer, pendingSyncTimer} {
		t.stopTimer(groupKey(kind, g.id))
	}
	for i := range g.members {
		t.stopMemberTimers(g, g.members[i].id)
	}
	for _, id := range g.pending {
		t.stopTimer(memberKey(pendingTimer, g.id, id))
	}
}

func (t *turn) stopMemberTimers(g *ClassicGroup, id string) {
	t.stopTimer(memberKey(sessionTimer, g.id, id))
	t.stopTimer(memberKey(newMemberTimer, g.id, id))
}

// startSession starts, or starts anew, a member's session timer.
func (t *turn) startSession(g *ClassicGroup, m *member) {
	t.setMemberTimer(sessionTimer, g, m.id, m.sessionTimeout)
}

// newMemberID makes a member id from a client id, or from the instance id of a static member. Kafka adds a random UUID; a
// number that counts up is as unique, and reads better.
func (t *turn) newMemberID(base string) string {
	t.ids[base]++
	return base + "-" + strconv.Itoa(t.ids[base])
}

// setLeader makes a member the leader of the group.
func (t *turn) setLeader(g *ClassicGroup, id string) {
	g.leader = id
	t.fact(view.Fact{Kind: view.LeaderElected, Group: g.id, Member: id})
}

// removeMember takes a member out after a timer of its own ran out, and starts, or may complete, the rebalance
// that this makes necessary.
func (t *turn) removeMember(g *ClassicGroup, id, why string) {
	t.takeOut(g, []string{id}, why)
	if g.state == preparingRebalance && t.has(kafka.JavaCoordinator) && g.allJoined() {
		t.completeJoin(g) // even an initial join phase (GroupMetadataManager.removeMemberAndUpdateClassicGroup)
		return
	}
	t.rebalanceWithout(g, id)
}

// rebalanceWithout follows the removal of a member.
func (t *turn) rebalanceWithout(g *ClassicGroup, id string) {
	switch g.state {
	case stable, completingRebalance:
		t.prepareRebalance(g, id)
	case preparingRebalance:
		t.maybeCompleteJoin(g)
	}
}

// takeOut removes members. A parked JoinGroup is answered UNKNOWN_MEMBER_ID, so that a client that is alive joins again. If the
// leader is among them the first of the others, by member id, takes over; Kafka takes the first of a hash map.
func (t *turn) takeOut(g *ClassicGroup, ids []string, why string) {
	for _, id := range ids {
		if m := g.find(id); m.join.waits() {
			t.refuseJoin(m.join, "", kafka.UnknownMemberID)
		}
		t.stopMemberTimers(g, id)
		g.delete(id)
		t.fact(view.Fact{Kind: view.MemberRemoved, Group: g.id, Member: id, Text: why})
	}
	if g.find(g.leader) != nil {
		return
	}
	g.leader = ""
	if len(g.members) > 0 {
		t.setLeader(g, g.members[0].id)
	}
}
