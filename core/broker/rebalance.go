package broker

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// maybePrepareRebalance starts a rebalance unless one is being prepared.
func (t *turn) maybePrepareRebalance(g *ClassicGroup, member string) {
	if g.state != preparingRebalance {
		t.prepareRebalance(g, member)
	}
}

// prepareRebalance starts a rebalance: all members must send JoinGroup. A group that was Empty waits first for
// more members, whatever happens (KIP-134); otherwise the join phase lasts until all have joined, at most the longest
// rebalance timeout of those who are members now.
func (t *turn) prepareRebalance(g *ClassicGroup, member string) {
	if g.state == completingRebalance {
		t.cancelSync(g, kafka.RebalanceInProgress)
	}
	t.stopTimer(groupKey(pendingSyncTimer, g.id))
	g.initial = g.state == empty && t.has(kafka.InitialRebalanceDelay)
	t.enter(g, preparingRebalance, member)
	if g.initial {
		g.newMemberAdded = false
		g.wait = t.config.Duration("group.initial.rebalance.delay.ms")
		g.remaining = max(0, g.rebalanceTimeout()-g.wait)
		t.setGroupTimer(initialDelayTimer, g, g.wait)
		return
	}
	if g.allJoined() {
		t.completeJoin(g)
		return
	}
	t.setGroupTimer(rebalanceTimer, g, g.rebalanceTimeout())
}

// initialDelayOver extends the initial join phase if somebody came during the wait, else completes it.
//
// Source: coordinator.md section 4; InitialDelayedJoin.onComplete.
func (t *turn) initialDelayOver(g *ClassicGroup) {
	if !g.newMemberAdded || g.remaining == 0 {
		t.completeJoin(g)
		return
	}
	g.newMemberAdded = false
	last := g.wait
	g.wait = min(t.config.Duration("group.initial.rebalance.delay.ms"), g.remaining)
	g.remaining = max(0, g.remaining-last)
	t.setGroupTimer(initialDelayTimer, g, g.wait)
}

// maybeCompleteJoin completes the join phase if all members have joined. An initial join phase is never completed early.
func (t *turn) maybeCompleteJoin(g *ClassicGroup) {
	if g.state == preparingRebalance && !g.initial && g.allJoined() {
		t.completeJoin(g)
	}
}

// completeJoin ends the join phase, with those who joined. Static members stay even if they did not; if nobody at all
// joined, it is put off by another rebalance timeout.
func (t *turn) completeJoin(g *ClassicGroup) {
	t.stopTimer(groupKey(initialDelayTimer, g.id))
	t.stopTimer(groupKey(rebalanceTimer, g.id))
	g.initial = false
	var missing []string
	for _, m := range g.members {
		if !m.join.waits() && m.instanceID == "" {
			missing = append(missing, m.id)
		}
	}
	t.takeOut(g, missing, "rebalance timeout")
	switch {
	case len(g.members) == 0:
		t.becomeEmpty(g)
	case t.electJoined(g):
		t.beginGeneration(g)
	default:
		t.setGroupTimer(rebalanceTimer, g, g.rebalanceTimeout())
	}
}

// electJoined makes sure that the leader is one who joined: the present one, or else the first by member id that did (Kafka
// takes the first of a hash map). It reports whether there is one.
func (t *turn) electJoined(g *ClassicGroup) bool {
	if g.find(g.leader).join.waits() {
		return true
	}
	for i := range g.members {
		if g.members[i].join.waits() {
			t.setLeader(g, g.members[i].id)
			return true
		}
	}
	return false
}

// becomeEmpty ends a join phase to which nobody came. Before 0.10.1 such a group was removed at once.
func (t *turn) becomeEmpty(g *ClassicGroup) {
	g.generation++
	g.protocol = ""
	if !t.has(kafka.EmptyGroupState) {
		t.storeGroupTombstone(g)
		t.bury(g)
		return
	}
	t.enter(g, empty, "")
	t.storeGroup(g)
}

// beginGeneration answers all who joined, and waits for their SyncGroups.
func (t *turn) beginGeneration(g *ClassicGroup) {
	g.generation++
	g.protocol = g.vote()
	t.enter(g, completingRebalance, "")
	t.fact(view.Fact{Kind: view.ProtocolChosen, Group: g.id, Text: g.protocol})
	for i := range g.members {
		m := &g.members[i]
		if m.join.waits() {
			t.reply(m.join, g.joinReply(m))
		}
		m.join, m.isNew, m.synced = caller{}, false, false
		t.stopTimer(memberKey(newMemberTimer, g.id, m.id))
		t.startSession(g, m)
	}
	if t.has(kafka.PendingSyncExpiry) {
		t.setGroupTimer(pendingSyncTimer, g, g.rebalanceTimeout())
	}
}

// joinReply tells a member of the present generation; the leader alone is told who the others are.
func (g *ClassicGroup) joinReply(m *member) *kafka.JoinGroupResponse {
	reply := g.followerReply(m)
	if m.id == g.leader {
		reply.Members = g.joinedMembers()
	}
	return reply
}

func (g *ClassicGroup) followerReply(m *member) *kafka.JoinGroupResponse {
	return &kafka.JoinGroupResponse{Generation: g.generation, Protocol: g.protocol, Leader: g.leader, MemberID: m.id}
}

// sessionExpired removes a member that was not heard of. One who waits for a reply is not to blame, unless it is new.
func (t *turn) sessionExpired(g *ClassicGroup, id string) {
	if m := g.find(id); m.isNew || !m.join.waits() && !m.sync.waits() {
		t.removeMember(g, id, "session expired")
	}
}
