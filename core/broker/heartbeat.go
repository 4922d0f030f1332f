package broker

import "groupscope/core/kafka"

// heartbeat handles Heartbeat (coordinator.md section 7).
func (t *turn) heartbeat(r *kafka.HeartbeatRequest) kafka.ErrorCode {
	if err := t.groupError(r.Group); err != kafka.None {
		return err
	}
	g := t.groups[r.Group]
	switch {
	case g == nil:
		return kafka.UnknownMemberID
	case g.state == dead:
		return t.deadError()
	case g.state != stable && !t.has(kafka.HeartbeatChecksMember):
		return kafka.RebalanceInProgress
	}
	if err := g.validate(r.MemberID, r.InstanceID); err != kafka.None {
		return err
	}
	if r.Generation != g.generation {
		return kafka.IllegalGeneration
	}
	return t.alive(g, g.find(r.MemberID))
}

// alive takes a heartbeat of a member that passed the checks. In CompletingRebalance it counts since KAFKA-10134.
func (t *turn) alive(g *ClassicGroup, m *member) kafka.ErrorCode {
	if g.state == completingRebalance && !t.has(kafka.HeartbeatDuringSync) {
		return kafka.RebalanceInProgress
	}
	t.startSession(g, m)
	if g.state == preparingRebalance {
		return kafka.RebalanceInProgress
	}
	return kafka.None
}
