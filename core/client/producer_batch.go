package client

import (
	"slices"
	"strconv"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// outBatch is a batch of records for one partition, from its first record until it is acknowledged or given up (ProducerBatch).
type outBatch struct {
	kafka.TopicPartition
	records []kafka.Record `clone:"shared"` // replaced, never changed
	size    int
	began   time.Duration
	stamp   *kafka.Stamp // once it was sent by an idempotent producer; never changed
	flying  bool         // sent, and not answered yet
	tries   int64        // how often it was sent in vain
}

// idempotence is what makes retries harmless: the producer's id and epoch, and a sequence number for each record of a partition.
type idempotence struct {
	asked     bool
	known     bool
	id        int64
	epoch     int16
	sequences []nextSequence
}

// nextSequence is the sequence number that the next record of a partition will get.
type nextSequence struct {
	kafka.TopicPartition
	next int32
}

// stamp numbers a batch of records of a partition.
func (i *idempotence) stamp(tp kafka.TopicPartition, records int, transactional bool) *kafka.Stamp {
	at := slices.IndexFunc(i.sequences, func(s nextSequence) bool { return s.TopicPartition == tp })
	if at < 0 {
		at = len(i.sequences)
		i.sequences = append(i.sequences, nextSequence{TopicPartition: tp})
	}
	s := &kafka.Stamp{ProducerID: i.id, Epoch: i.epoch, Sequence: i.sequences[at].next, Transactional: transactional}
	i.sequences[at].next += int32(records)
	return s
}

// bump begins a new epoch, in which the sequences begin at 0 again: when a numbered batch was given up, so that there is a gap (KIP-360).
func (i *idempotence) bump() {
	i.epoch++
	i.sequences = nil
}

// accumulate puts records whose partition can be chosen now into batches.
func (t *producerTurn) accumulate() {
	topic, ok := t.network.cluster.Topic(t.spec.Topic)
	if !ok {
		return
	}
	for len(t.queue) > 0 {
		r := t.queue[0]
		if t.transactional() {
			if t.transaction.records >= t.perTransaction() {
				return // what follows belongs to the next transaction
			}
			t.transaction.records++
		}
		t.queue = t.queue[1:]
		tp := kafka.TopicPartition{Topic: t.spec.Topic, Partition: t.partition(&r, int32(len(topic.Partitions)))}
		t.add(tp, r)
	}
}

// add puts a record into the last batch of its partition, or into a new one if that has been sent or is full.
func (t *producerTurn) add(tp kafka.TopicPartition, r kafka.Record) {
	for i := len(t.batches) - 1; i >= 0; i-- {
		b := &t.batches[i]
		if b.TopicPartition != tp {
			continue
		}
		if b.flying || b.tries > 0 || b.size+r.Size > t.settings.batchSize {
			break
		}
		b.records = append(slices.Clip(b.records), r)
		b.size += r.Size
		return
	}
	t.batches = append(t.batches, outBatch{TopicPartition: tp, records: []kafka.Record{r}, size: r.Size, began: t.now})
}

// partition chooses the partition of a record: by the hash of its key; without a key in turn, up to 2.3 for each record, since 2.4 for
// each batch. (Since 2.4 the next one is drawn at random. In the long run turns come to the same.)
//
// Source: replication.md section 8.
func (t *producerTurn) partition(r *kafka.Record, n int32) int32 {
	if !r.NullKey {
		return kafka.KeyPartition(r.Key, n)
	}
	if !t.settings.sticky || t.settings.linger == 0 {
		count, _ := strconv.ParseInt(r.Value[len(t.spec.ID)+1:], 10, 64)
		return int32(count % int64(n))
	}
	tp := kafka.TopicPartition{Topic: t.spec.Topic, Partition: int32(t.switches % int64(n))}
	for i := range t.batches {
		if b := &t.batches[i]; b.TopicPartition == tp && b.size+r.Size > t.settings.batchSize {
			t.switches++
			return int32(t.switches % int64(n))
		}
	}
	return tp.Partition
}

// full reports whether a batch has no room for another record of the usual size.
func (t *producerTurn) full(b *outBatch) bool {
	return b.size+max(1, b.size/len(b.records)) > t.settings.batchSize
}

// lingers is until when a batch waits for more records.
func (t *producerTurn) lingers(b *outBatch) time.Duration {
	if t.quit || b.tries > 0 || t.full(b) {
		return t.now
	}
	return b.began + t.settings.linger
}

// giveUp fails the batches that may not be tried any more.
func (t *producerTurn) giveUp(lost func(b *outBatch) bool, err kafka.ErrorCode) {
	gap := false
	t.batches = slices.DeleteFunc(t.batches, func(b outBatch) bool {
		if !lost(&b) {
			return false
		}
		gap = gap || b.stamp != nil
		t.failed += int64(len(b.records))
		t.fact(view.Fact{Kind: view.ErrorSeen, Partition: b.TopicPartition, Error: err, Text: kafka.ProduceAPI.String()})
		return true
	})
	if gap {
		t.idempotence.bump()
		for i := range t.batches {
			t.batches[i].stamp = nil // numbered anew when it is sent
		}
	}
}
