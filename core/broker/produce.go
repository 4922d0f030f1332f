package broker

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// produce appends batches. With one replica a record is on all in-sync replicas as soon as the leader has it, so acks=all
// is answered as soon as acks=1. acks=0 is not answered at all; all that the broker can do about an error is to hang up.
func (t *turn) produce(from caller, r *kafka.ProduceRequest) {
	response := &kafka.ProduceResponse{}
	var changed []kafka.TopicPartition
	for _, batch := range r.Partitions {
		result := t.appendBatch(batch)
		response.Partitions = append(response.Partitions, result)
		if result.Error == kafka.None {
			changed = append(changed, batch.TopicPartition)
		}
	}
	switch {
	case r.Acks != 0:
		t.reply(from, response)
	case len(changed) < len(r.Partitions):
		t.out.Hangups = append(t.out.Hangups, from.node)
	}
	t.retestFetches(changed)
}

func (t *turn) appendBatch(batch kafka.ProducePartition) kafka.ProducedPartition {
	result := kafka.ProducedPartition{TopicPartition: batch.TopicPartition, BaseOffset: kafka.NoOffset}
	if result.Error = t.leaderError(batch.TopicPartition); result.Error != kafka.None {
		return result
	}
	size := 0
	for _, r := range batch.Records {
		size += r.Size
	}
	if size > int(t.config.Int("message.max.bytes")) {
		result.Error = kafka.MessageTooLarge
		return result
	}
	log := t.logs[batch.TopicPartition]
	result.BaseOffset = log.end()
	for _, r := range batch.Records {
		log.append(t.now, r)
	}
	log.advanceHighWatermark()
	t.fact(view.Fact{Kind: view.Appended, Partition: batch.TopicPartition, From: result.BaseOffset, To: log.end()})
	return result
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
