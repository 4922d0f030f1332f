package broker

import (
	"groupscope/core/kafka"
)

// syncGroup handles SyncGroup: followers wait until the leader has sent everybody's assignment.
//
// Source: coordinator.md section 6.
func (t *turn) syncGroup(from caller, r *kafka.SyncGroupRequest) {
	if err := t.syncError(r); err != kafka.None {
		t.reply(from, &kafka.SyncGroupResponse{Error: err})
		return
	}
	g := t.groups[r.Group]
	m := g.find(r.MemberID)
	m.synced = true
	if g.allSynced() {
		t.stopTimer(groupKey(pendingSyncTimer, g.id))
	}
	if g.state == stable {
		t.reply(from, &kafka.SyncGroupResponse{Assignment: m.assignment})
		if !t.has(kafka.JavaCoordinator) {
			t.startSession(g, m)
		}
		return
	}
	m.sync = from
	t.stopTimer(memberKey(sessionTimer, g.id, m.id)) // it does nothing to one who waits, and starts again with the reply
	if m.id == g.leader {
		t.assign(g, r.Assignments)
	}
}

// syncError makes the checks of SyncGroup, the last by state: only in CompletingRebalance and Stable can it succeed.
func (t *turn) syncError(r *kafka.SyncGroupRequest) kafka.ErrorCode {
	if err := t.groupError(r.Group); err != kafka.None {
		return err
	}
	g := t.groups[r.Group]
	if g == nil {
		return kafka.UnknownMemberID
	}
	if g.state == dead {
		return t.deadError()
	}
	if err := g.validate(r.MemberID, r.InstanceID); err != kafka.None {
		return err
	}
	switch {
	case r.Generation != g.generation:
		return kafka.IllegalGeneration
	case r.Version >= 5 && r.Protocol != "" && r.Protocol != g.protocol:
		return kafka.InconsistentGroupProtocol
	case g.state == empty:
		return kafka.UnknownMemberID
	case g.state == preparingRebalance:
		return kafka.RebalanceInProgress
	}
	return kafka.None
}

// assign takes the leader's assignment: members that it left out get nothing. The group is written to __consumer_offsets, and
// once that is done everybody who waits is answered.
func (t *turn) assign(g *ClassicGroup, assignments []kafka.MemberAssignment) {
	for i := range g.members {
		g.members[i].assignment = nil
	}
	for _, a := range assignments {
		if m := g.find(a.MemberID); m != nil {
			m.assignment = a.Partitions
		}
	}
	part := t.store(g.id, []stored{g.record()})
	wait := parkedAppend{waits: []appendPart{part}, sync: &parkedSync{g.id, g.generation}}
	t.appendedFor(wait, part.changed(), t.storeLimit())
}

// parkedSync is a group whose assignment is being stored. It never changes.
type parkedSync struct {
	group      string
	generation int32
}

// finishSync goes on when the assignment is stored, or could not be; if another rebalance began meanwhile it does not matter any more.
func (t *turn) finishSync(p *parkedSync, err kafka.ErrorCode) {
	g := t.groups[p.group]
	switch {
	case g == nil || g.state != completingRebalance || g.generation != p.generation:
	case err != kafka.None:
		t.cancelSync(g, storeError(err))
		t.prepareRebalance(g, g.leader)
	default:
		t.answerSyncs(g, kafka.None)
		t.enter(g, stable, g.leader)
	}
}

// cancelSync answers all parked SyncGroups with an error and forgets the assignments.
func (t *turn) cancelSync(g *ClassicGroup, err kafka.ErrorCode) {
	for i := range g.members {
		g.members[i].assignment = nil
	}
	t.answerSyncs(g, err)
}

func (t *turn) answerSyncs(g *ClassicGroup, err kafka.ErrorCode) {
	for i := range g.members {
		m := &g.members[i]
		if !m.sync.waits() {
			continue
		}
		t.reply(m.sync, &kafka.SyncGroupResponse{Error: err, Assignment: m.assignment})
		m.sync = caller{}
		t.startSession(g, m)
	}
}

// pendingSyncExpired removes the members that never sent SyncGroup, and starts a rebalance without them (KAFKA-12890).
func (t *turn) pendingSyncExpired(g *ClassicGroup) {
	var missing []string
	for _, m := range g.members {
		if !m.synced {
			missing = append(missing, m.id)
		}
	}
	t.takeOut(g, missing, "no SyncGroup")
	t.prepareRebalance(g, missing[0])
}

// storeError is what a member is told when its group could not be written to __consumer_offsets.
//
// Source: coordinator.md section 6; GroupMetadataManager.storeGroup.
func storeError(err kafka.ErrorCode) kafka.ErrorCode {
	switch err {
	case kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicas, kafka.NotEnoughReplicasAfterAppend:
		return kafka.CoordinatorNotAvailable
	case kafka.NotLeaderOrFollower, kafka.KafkaStorageError:
		return kafka.NotCoordinator
	case kafka.RequestTimedOut:
		return kafka.RebalanceInProgress
	case kafka.MessageTooLarge:
		return kafka.UnknownServerError
	}
	return err
}
