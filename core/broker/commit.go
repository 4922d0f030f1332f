package broker

import (
	"slices"
	"unicode/utf8"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// parkedCommit is an OffsetCommit whose offsets are being stored. It never changes.
type parkedCommit struct {
	from     caller
	request  *kafka.OffsetCommitRequest
	results  []kafka.PartitionError
	accepted []stored
	pending  bool // it belongs to a transaction, and counts only when that is committed
}

// offsetCommit handles OffsetCommit. Offsets are not checked against the log, nor against what the member was assigned. They count, and the
// committer is answered, when all in-sync replicas of __consumer_offsets have them.
func (t *turn) offsetCommit(from caller, r *kafka.OffsetCommitRequest) {
	err := t.commitError(r)
	if err == kafka.None {
		t.takeCommit(r)
	}
	p := &parkedCommit{from: from, request: r}
	if !t.accept(p, r.Offsets, err) {
		return
	}
	part := t.store(r.Group, p.accepted)
	t.appendedFor(parkedAppend{waits: []appendPart{part}, commit: p}, part.changed(), t.storeLimit())
}

// accept takes in the offsets of a commit that nothing speaks against, err being what speaks against all of them. It answers at once,
// and reports false, if there are none.
func (t *turn) accept(p *parkedCommit, offsets []kafka.CommitOffset, err kafka.ErrorCode) bool {
	for _, o := range offsets {
		result := kafka.PartitionError{TopicPartition: o.TopicPartition, Error: t.offsetError(o, err)}
		if result.Error == kafka.None {
			offset := &storedOffset{OffsetAndMetadata: o.OffsetAndMetadata, at: t.now}
			p.accepted = append(p.accepted, stored{group: p.request.Group, partition: o.TopicPartition, offset: offset})
		}
		p.results = append(p.results, result)
	}
	if len(p.accepted) == 0 {
		t.answerCommit(p, p.results)
	}
	return len(p.accepted) > 0
}

// finishCommit answers a commit when its offsets are stored, or could not be.
func (t *turn) finishCommit(p *parkedCommit, err kafka.ErrorCode) {
	results := slices.Clone(p.results)
	if err == kafka.None && !p.pending {
		t.cacheOffsets(p)
	}
	for i := range results {
		if results[i].Error == kafka.None && err != kafka.None {
			results[i].Error = commitStoreError(err)
		}
	}
	t.answerCommit(p, results)
}

// answerCommit answers a commit by its kind.
func (t *turn) answerCommit(p *parkedCommit, results []kafka.PartitionError) {
	if p.pending {
		t.reply(p.from, &kafka.TxnOffsetCommitResponse{Partitions: results})
		return
	}
	t.reply(p.from, &kafka.OffsetCommitResponse{Partitions: results})
}

// offsetError is the answer for one partition, given that for the request.
func (t *turn) offsetError(o kafka.CommitOffset, err kafka.ErrorCode) kafka.ErrorCode {
	if _, known := t.cluster.Partition(o.TopicPartition); !known {
		return kafka.UnknownTopicOrPartition
	}
	if err == kafka.None && utf8.RuneCountInString(o.Metadata) > int(t.config.Int("offset.metadata.max.bytes")) {
		return kafka.OffsetMetadataTooLarge // Kafka counts characters, for all that the setting speaks of bytes
	}
	return err
}

// commitError tells whether a commit is refused as a whole. The order of the checks is that of coordinator.md section 10.
func (t *turn) commitError(r *kafka.OffsetCommitRequest) kafka.ErrorCode {
	if err := t.coordinatorError(r.Group); err != kafka.None {
		return err
	}
	g := t.groups[r.Group]
	switch {
	case g == nil:
		return t.groupMissingError(r)
	case g.state == dead:
		return t.deadError()
	case r.Generation < 0 && g.state == empty:
		return kafka.None // an administrator's tool, or a consumer that assigned partitions to itself
	case g.state == completingRebalance && !t.has(kafka.CommitChecksMemberFirst):
		return kafka.RebalanceInProgress
	case r.Generation < 0 && r.MemberID == "" && r.InstanceID == "":
		return kafka.UnknownMemberID
	}
	if err := g.validate(r.MemberID, r.InstanceID); err != kafka.None {
		return err
	}
	if r.Generation != g.generation {
		return kafka.IllegalGeneration
	}
	if g.state == completingRebalance {
		return kafka.RebalanceInProgress
	}
	return kafka.None
}

func (t *turn) groupMissingError(r *kafka.OffsetCommitRequest) kafka.ErrorCode {
	switch {
	case r.Generation < 0:
		return kafka.None
	case t.has(kafka.JavaCoordinator) && r.Version >= 9:
		return kafka.GroupIDNotFound
	}
	return kafka.IllegalGeneration
}

// takeCommit does what an accepted commit does beside storing offsets: it counts as a sign of life of the member, and a group
// that did not exist begins as one that only commits.
func (t *turn) takeCommit(r *kafka.OffsetCommitRequest) {
	g := t.groups[r.Group]
	if g == nil {
		if t.has(kafka.EmptyGroupState) {
			t.createGroup(r.Group, "")
		}
		return
	}
	if m := g.find(r.MemberID); m != nil && t.has(kafka.CommitResetsSession) {
		t.startSession(g, m)
	}
}

// cacheOffsets takes stored offsets into memory, from where they are fetched.
func (t *turn) cacheOffsets(p *parkedCommit) {
	for _, s := range p.accepted {
		t.cacheOffset(s)
		t.fact(view.Fact{
			Kind: view.OffsetCommitted, Group: s.group, Member: p.request.MemberID, Partition: s.partition, To: s.offset.Offset,
		})
	}
}

func (t *turn) cacheOffset(s stored) {
	if t.offsets[s.group] == nil {
		t.offsets[s.group] = groupOffsets{}
		t.armExpiry()
	}
	t.offsets[s.group][s.partition] = *s.offset
}

// commitStoreError is what a committer is told when its offsets could not be written to __consumer_offsets.
//
// Source: GroupMetadataManager.storeOffsets.
func commitStoreError(err kafka.ErrorCode) kafka.ErrorCode {
	switch err {
	case kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicas, kafka.NotEnoughReplicasAfterAppend, kafka.RequestTimedOut:
		return kafka.CoordinatorNotAvailable
	case kafka.NotLeaderOrFollower, kafka.KafkaStorageError:
		return kafka.NotCoordinator
	case kafka.MessageTooLarge:
		return kafka.InvalidCommitOffsetSize
	}
	return err
}

// offsetFetch handles OffsetFetch: anyone may ask, in every state of the group (coordinator.md section 11). Who requires stable offsets is
// to come again while a transaction that has committed some is not decided.
func (t *turn) offsetFetch(r *kafka.OffsetFetchRequest) *kafka.OffsetFetchResponse {
	response := &kafka.OffsetFetchResponse{Error: t.coordinatorError(r.Group)}
	if response.Error != kafka.None {
		return response
	}
	for _, tp := range r.Partitions {
		fetched := kafka.FetchedOffset{TopicPartition: tp, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: kafka.NoOffset}}
		if stored, ok := t.offsets[r.Group][tp]; ok {
			fetched.OffsetAndMetadata = stored.OffsetAndMetadata
		}
		if r.RequireStable && t.unstable(r.Group, tp) {
			fetched = kafka.FetchedOffset{
				TopicPartition: tp, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: kafka.NoOffset}, Error: kafka.UnstableOffsetCommit,
			}
		}
		response.Partitions = append(response.Partitions, fetched)
	}
	return response
}
