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

// store appends records to the group's partition of __consumer_offsets, all or none. It may answer MESSAGE_TOO_LARGE.
func (t *turn) store(records []stored) kafka.ErrorCode {
	texts := make([]kafka.Record, len(records))
	size := 0
	for i := range records {
		texts[i] = records[i].record(t.now)
		size += texts[i].Size
	}
	if size > int(t.config.Int("message.max.bytes")) {
		return kafka.MessageTooLarge
	}
	for i, s := range records {
		tp := t.offsetsPartition(s.group)
		log := t.logs[tp]
		offset := log.append(t.now, texts[i])
		log.stored.append(s)
		log.advanceHighWatermark()
		t.fact(view.Fact{Kind: view.OffsetsAppended, Group: s.group, Partition: tp, From: offset, Text: texts[i].Key + ": " + texts[i].Value})
	}
	if len(records) > 0 {
		t.retestFetches([]kafka.TopicPartition{t.offsetsPartition(records[0].group)})
	}
	return kafka.None
}

// record makes the record in words. Its size is that of the words, which is near enough to Kafka's binary form.
func (s *stored) record(now time.Duration) kafka.Record {
	r := kafka.Record{Timestamp: now, Key: "group " + s.group}
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

// storeGroup writes the group as it is now.
func (t *turn) storeGroup(g *ClassicGroup) kafka.ErrorCode {
	metadata := &groupMetadata{
		protocolType: g.protocolType, generation: g.generation, protocol: g.protocol, leader: g.leader,
		entered: g.entered, members: slices.Clone(g.members),
	}
	for i := range metadata.members {
		m := &metadata.members[i]
		m.join, m.sync = caller{}, caller{}
		m.protocols = []kafka.Protocol{{Name: g.protocol, Subscription: m.subscription(g.protocol)}}
	}
	return t.store([]stored{{group: g.id, metadata: metadata}})
}

func (t *turn) storeGroupTombstone(g *ClassicGroup) { t.store([]stored{{group: g.id}}) }
