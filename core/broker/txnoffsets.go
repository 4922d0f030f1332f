package broker

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// pendingOffset is an offset that was committed in a transaction which is not decided yet.
type pendingOffset struct {
	producerID int64
	stored
}

// txnOffsetCommit stores offsets as a part of a transaction. Member and generation are checked if they are given (KIP-447); the
// state of the group is not (coordinator.md section 10).
func (t *turn) txnOffsetCommit(from caller, r *kafka.TxnOffsetCommitRequest) {
	err := t.txnCommitError(r)
	p := &parkedCommit{from: from, request: &kafka.OffsetCommitRequest{Group: r.Group, MemberID: r.MemberID}, pending: true}
	if !t.accept(p, r.Offsets, err) {
		return
	}
	stamp := &kafka.Stamp{ProducerID: r.ProducerID, Epoch: r.Epoch, Sequence: -1, Transactional: true}
	part := t.storeStamped(r.Group, p.accepted, stamp)
	if part.err == kafka.None {
		for _, s := range p.accepted {
			t.pending = append(slices.Clip(t.pending), pendingOffset{r.ProducerID, s})
		}
	}
	t.appendedFor(parkedAppend{waits: []appendPart{part}, commit: p}, part.changed(), t.storeLimit())
}

func (t *turn) txnCommitError(r *kafka.TxnOffsetCommitRequest) kafka.ErrorCode {
	if err := t.coordinatorError(r.Group); err != kafka.None {
		return err
	}
	g := t.groups[r.Group]
	if g == nil || r.MemberID == "" && r.InstanceID == "" || !t.has(kafka.TransactionalCommitFencing) {
		return kafka.None
	}
	if err := g.validate(r.MemberID, r.InstanceID); err != kafka.None {
		return err
	}
	if r.Generation != g.generation {
		return kafka.IllegalGeneration
	}
	return kafka.None
}

// decideOffsets lets the offsets of a transaction count when its commit marker is in their partition, and drops them when it was aborted.
func (t *turn) decideOffsets(tp kafka.TopicPartition, producerID int64, marker kafka.Marker) {
	t.pending = slices.DeleteFunc(slices.Clone(t.pending), func(p pendingOffset) bool {
		if p.producerID != producerID || t.offsetsPartition(p.group) != tp {
			return false
		}
		if marker == kafka.CommitMarker {
			t.cacheOffset(p.stored)
			t.fact(view.Fact{Kind: view.OffsetCommitted, Group: p.group, Partition: p.partition, To: p.offset.Offset})
		}
		return true
	})
}

// unstable reports whether a transaction that is not decided yet has committed an offset of a group's.
func (b *Broker) unstable(group string, tp kafka.TopicPartition) bool {
	return slices.ContainsFunc(b.pending, func(p pendingOffset) bool { return p.group == group && p.partition == tp })
}
