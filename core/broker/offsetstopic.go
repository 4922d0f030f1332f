package broker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// stored is what a record of __consumer_offsets stands for: a group's metadata, or an offset of a group, or, with neither, a
// tombstone for the offset of the partition, or for the group if there is no partition. It never changes.
type stored struct {
	group     string
	metadata  *groupMetadata
	partition kafka.TopicPartition
	offset    *storedOffset
}

// groupMetadata is what is kept of a group. Its members have no parked requests, and offer the chosen protocol alone.
type groupMetadata struct {
	protocolType string
	generation   int32
	protocol     string
	leader       string
	entered      time.Duration
	members      []member
}

// storedOffset is a committed offset and when it was committed.
type storedOffset struct {
	kafka.OffsetAndMetadata
	at time.Duration
}

// groupOffsets are the offsets of one group.
type groupOffsets map[kafka.TopicPartition]storedOffset

// store appends records to a group's partition of __consumer_offsets, all or none, and returns what has to be waited for until they
// are on all in-sync replicas. The error is that of the append: NOT_ENOUGH_REPLICAS or MESSAGE_TOO_LARGE.
func (t *turn) store(group string, records []stored) appendPart {
	return t.storeStamped(group, records, nil)
}

// storeStamped is store, of a transactional producer's records.
func (t *turn) storeStamped(group string, records []stored, stamp *kafka.Stamp) appendPart {
	tp := t.offsetsPartition(group)
	batch := kafka.ProducePartition{TopicPartition: tp}
	for i := range records {
		batch.Records = append(batch.Records, records[i].record(t.now))
	}
	part := appendPart{TopicPartition: tp, base: kafka.NoOffset}
	if part.err = t.batchError(batch, acksAll); part.err != kafka.None {
		return part
	}
	log := t.logs[tp]
	part.base = log.end()
	for _, r := range batch.Records {
		r.Stamp = stamp
		offset := log.append(t.now, r)
		t.fact(view.Fact{Kind: view.OffsetsAppended, Group: group, Partition: tp, From: offset, Text: r.Key + ": " + r.Value})
	}
	part.end, part.epoch = log.end(), log.leaderEpoch
	return part
}

// storeAlone stores what nobody waits for.
func (t *turn) storeAlone(group string, records []stored) kafka.ErrorCode {
	part := t.store(group, records)
	t.appended(part.changed())
	return part.err
}

// changed lists the partition if something was appended to it.
func (p *appendPart) changed() []kafka.TopicPartition {
	if p.err != kafka.None {
		return nil
	}
	return []kafka.TopicPartition{p.TopicPartition}
}

// storeLimit is how long a store waits for the in-sync replicas.
func (t *turn) storeLimit() time.Duration { return t.config.Duration("offsets.commit.timeout.ms") }

// record makes the record in words. Its size is that of the words, which is near enough to Kafka's binary form.
func (s *stored) record(now time.Duration) kafka.Record {
	kept := *s
	r := kafka.Record{Timestamp: now, Key: "group " + s.group, Content: &kept}
	switch {
	case s.metadata != nil:
		r.Value = s.metadata.words()
	case s.offset != nil:
		r.Value = fmt.Sprint(s.offset.Offset)
	default:
		r.Value = "(deleted)"
	}
	if s.partition.Topic != "" {
		r.Key = fmt.Sprintf("offset %s %s", s.group, s.partition)
	}
	r.Size = len(r.Key) + len(r.Value)
	return r
}

// words puts a group's metadata like this: generation 2, range, leader C1-1, C1-1 [T1-0 T1-1], C2-1 [T1-2].
func (m *groupMetadata) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "generation %d", m.generation)
	if len(m.members) == 0 {
		b.WriteString(", no members")
		return b.String()
	}
	fmt.Fprintf(&b, ", %s, leader %s", m.protocol, m.leader)
	for i := range m.members {
		fmt.Fprintf(&b, ", %s %s", m.members[i].id, m.members[i].assignment)
	}
	return b.String()
}

// record is what is stored of a group as it is now.
func (g *ClassicGroup) record() stored {
	metadata := &groupMetadata{
		protocolType: g.protocolType, generation: g.generation, protocol: g.protocol, leader: g.leader,
		entered: g.entered, members: slices.Clone(g.members),
	}
	for i := range metadata.members {
		m := &metadata.members[i]
		m.join, m.sync = caller{}, caller{}
		m.protocols = []kafka.Protocol{{Name: g.protocol, Subscription: m.subscription(g.protocol)}}
	}
	return stored{group: g.id, metadata: metadata}
}

// storeGroup writes the group as it is now. Nobody waits for it: what the caller answers does not depend on it.
func (t *turn) storeGroup(g *ClassicGroup) { t.storeAlone(g.id, []stored{g.record()}) }

func (t *turn) storeGroupTombstone(g *ClassicGroup) { t.storeAlone(g.id, []stored{{group: g.id}}) }
