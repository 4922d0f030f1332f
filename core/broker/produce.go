package broker

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// produce appends batches. acks=all is answered when every in-sync replica has them, acks=1 when they are in the leader's log.
// acks=0 is not answered at all; all that the broker can do about an error is to hang up.
func (t *turn) produce(from caller, r *kafka.ProduceRequest) {
	if t.holds(from.node) {
		t.unheard = append(t.unheard, unheard{from, r})
		return
	}
	var parts []appendPart
	var changed []kafka.TopicPartition
	for _, batch := range r.Partitions {
		part := t.appendBatch(batch, r.Acks)
		parts = append(parts, part)
		if part.err == kafka.None {
			changed = append(changed, batch.TopicPartition)
		}
	}
	switch {
	case r.Acks == acksAll:
		t.appendedFor(parkedAppend{waits: parts, produce: &parkedProduce{from, r}}, changed, r.Timeout)
		return
	case r.Acks != 0:
		response := &kafka.ProduceResponse{}
		for _, part := range parts {
			response.Partitions = append(response.Partitions, part.produced(part.err))
		}
		t.replyProduce(from, r, response)
	case len(changed) < len(r.Partitions):
		t.out.Hangups = append(t.out.Hangups, from.node)
	}
	t.appended(changed)
}

// acksAll asks for an answer only when all in-sync replicas have the records.
const acksAll = -1

func (t *turn) appendBatch(batch kafka.ProducePartition, acks int16) appendPart {
	part := appendPart{TopicPartition: batch.TopicPartition, base: kafka.NoOffset}
	if part.err = t.batchError(batch, acks); part.err != kafka.None {
		return part
	}
	log := t.logs[batch.TopicPartition]
	part.epoch = log.leaderEpoch
	if batch.Stamp != nil {
		found, err := log.sequenceError(batch.Stamp, len(batch.Records))
		if found != nil {
			part.base, part.end = found.base, found.base+int64(len(batch.Records))
		}
		if part.err = err; err != kafka.None || found != nil {
			return part
		}
	}
	part.base = log.end()
	for _, r := range batch.Records {
		r.Stamp = batch.Stamp
		log.append(t.now, r)
	}
	part.end, part.epoch = log.end(), log.leaderEpoch
	t.fact(view.Fact{Kind: view.Appended, Partition: batch.TopicPartition, From: part.base, To: part.end})
	return part
}

// batchError tells why a batch is not appended at all.
func (t *turn) batchError(batch kafka.ProducePartition, acks int16) kafka.ErrorCode {
	if err := t.leaderError(batch.TopicPartition); err != kafka.None {
		return err
	}
	info, _ := t.cluster.Partition(batch.TopicPartition)
	if acks == acksAll && len(info.ISR) < t.minISR(batch.TopicPartition) {
		return kafka.NotEnoughReplicas
	}
	size := 0
	for _, r := range batch.Records {
		size += r.Size
	}
	if size > int(t.topicInt(batch.Topic, "max.message.bytes", "message.max.bytes")) {
		return kafka.MessageTooLarge
	}
	return kafka.None
}

// leaderError tells why this broker cannot serve a partition; None if it leads it.
func (b *Broker) leaderError(tp kafka.TopicPartition) kafka.ErrorCode {
	if _, known := b.cluster.Partition(tp); !known {
		return kafka.UnknownTopicOrPartition
	}
	if !b.leads(tp) {
		return kafka.NotLeaderOrFollower
	}
	return kafka.None
}
