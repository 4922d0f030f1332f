package broker

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// replaceStatic lets a static member that has lost its member id come back under a new one (KIP-345). Whoever still waits
// under the old id is fenced. In a stable group nothing else changes, unless another assignor would be chosen now.
func (t *turn) replaceStatic(g *ClassicGroup, old string, from caller, r *kafka.JoinGroupRequest) {
	leader := g.leader
	m := t.swapID(g, old, from, r)
	switch g.state {
	case stable:
		if g.vote() == g.protocol {
			t.storeGroup(g)
			t.reply(from, t.replacedReply(g, m, leader, r.Version))
			return
		}
		t.parkJoin(g, m, from)
		t.prepareRebalance(g, m.id)
	case completingRebalance:
		// The leader may be assigning partitions to the old id just now.
		t.parkJoin(g, m, from)
		t.prepareRebalance(g, m.id)
	case preparingRebalance:
		t.parkJoin(g, m, from)
	}
}

// swapID puts the new member id in the place of the old one, with what the new JoinGroup says.
func (t *turn) swapID(g *ClassicGroup, old string, from caller, r *kafka.JoinGroupRequest) *member {
	m := *g.find(old)
	if m.join.waits() {
		t.refuseJoin(m.join, old, kafka.FencedInstanceID)
	}
	if m.sync.waits() {
		t.reply(m.sync, &kafka.SyncGroupResponse{Error: kafka.FencedInstanceID})
	}
	t.stopMemberTimers(g, old)
	g.delete(old)
	m.id, m.join, m.sync = t.newMemberID(r.InstanceID), caller{}, caller{}
	m.update(from, r)
	g.insert(m)
	t.fact(view.Fact{Kind: view.MemberRemoved, Group: g.id, Member: old, Text: "static member replaced"})
	t.fact(view.Fact{Kind: view.MemberAdded, Group: g.id, Member: m.id})
	if g.leader == old {
		t.setLeader(g, m.id)
	}
	t.startSession(g, &m)
	return g.find(m.id)
}

// replacedReply answers a static member that came back into a stable group. A leader is told since JoinGroup v9 that it leads and is
// not to assign; before, it was told the leader's old id, so that it took itself for a follower (KIP-814).
func (t *turn) replacedReply(g *ClassicGroup, m *member, leaderBefore string, version int16) *kafka.JoinGroupResponse {
	reply := g.followerReply(m)
	if version < 9 {
		reply.Leader = leaderBefore
		return reply
	}
	if m.id == g.leader {
		reply.SkipAssignment = true
		reply.Members = g.joinedMembers()
	}
	return reply
}
