package broker

import (
	"maps"
	"slices"

	"groupscope/core/kafka"
)

// leads reports whether this broker leads a partition, by the image of the cluster that it has.
func (b *Broker) leads(tp kafka.TopicPartition) bool {
	info, ok := b.cluster.Partition(tp)
	return ok && info.Leader == b.id
}

// offsetsPartition is the partition of __consumer_offsets that a group belongs to (coordinator.md section 12).
func (b *Broker) offsetsPartition(group string) kafka.TopicPartition {
	topic, _ := b.cluster.Topic(kafka.OffsetsTopic)
	n := max(1, len(topic.Partitions))
	return kafka.TopicPartition{Topic: kafka.OffsetsTopic, Partition: kafka.GroupPartition(group, int32(n))}
}

// openLogs makes an empty log for every partition that this broker keeps a replica of and has no log of. All go by the settings that
// their topics have now.
func (b *Broker) openLogs() {
	for _, topic := range b.cluster.Topics {
		limits := b.segmentLimits(topic.Name)
		for p, info := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			if slices.Contains(info.Replicas, b.id) && b.logs[tp] == nil {
				b.logs[tp] = newLog(limits)
			}
			if log := b.logs[tp]; log != nil {
				log.limits = limits
			}
		}
	}
}

// led lists the partitions of a topic that this broker leads, in order.
func (b *Broker) led(topic string) []kafka.TopicPartition {
	var led []kafka.TopicPartition
	info, _ := b.cluster.Topic(topic)
	for p := range info.Partitions {
		if tp := (kafka.TopicPartition{Topic: topic, Partition: int32(p)}); b.leads(tp) {
			led = append(led, tp)
		}
	}
	return led
}

// updateMetadata takes up a new image: the broker leads and follows as it says, groups and transactions move with the partitions of
// the internal topics, and what waits is looked at again. An image that is not newer is ignored.
func (t *turn) updateMetadata(r *kafka.UpdateMetadataRequest) {
	if r.Cluster.Epoch <= t.cluster.Epoch {
		return
	}
	offsets, txns := t.led(kafka.OffsetsTopic), t.led(kafka.TransactionsTopic)
	t.cluster = r.Cluster
	t.takeRoles()
	t.watchRetention(t.replicas())
	handOver(offsets, t.led(kafka.OffsetsTopic), t.unloadGroups, t.loadGroups)
	handOver(txns, t.led(kafka.TransactionsTopic), t.unloadTxns, t.loadTxns)
	t.finishAppends()
	for _, f := range slices.Clone(t.fetches) {
		t.retest(f)
	}
	t.feedFollowers()
	t.follow()
	t.watchISR()
}

// handOver unloads the partitions that this broker leads no longer, and loads those that it leads now.
func handOver(before, after []kafka.TopicPartition, unload, load func(kafka.TopicPartition)) {
	for _, tp := range before {
		if !slices.Contains(after, tp) {
			unload(tp)
		}
	}
	for _, tp := range after {
		if !slices.Contains(before, tp) {
			load(tp)
		}
	}
}

// groupsOf lists the ids of the groups in memory that belong to a partition of __consumer_offsets, sorted.
func (b *Broker) groupsOf(tp kafka.TopicPartition) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(b.groups)) {
		if b.offsetsPartition(id) == tp {
			ids = append(ids, id)
		}
	}
	return ids
}

// metadata answers with the image, cut down to the topics that were asked for.
func (t *turn) metadata(r *kafka.MetadataRequest) *kafka.MetadataResponse {
	if len(r.Topics) == 0 {
		return &kafka.MetadataResponse{Cluster: t.cluster}
	}
	part := &kafka.Cluster{Epoch: t.cluster.Epoch, Brokers: t.cluster.Brokers}
	for _, topic := range t.cluster.Topics {
		if slices.Contains(r.Topics, topic.Name) {
			part.Topics = append(part.Topics, topic)
		}
	}
	return &kafka.MetadataResponse{Cluster: part}
}

// findCoordinator names the leader of the group's partition of __consumer_offsets, or of the transactional id's partition of
// __transaction_state.
func (t *turn) findCoordinator(r *kafka.FindCoordinatorRequest) *kafka.FindCoordinatorResponse {
	tp := t.offsetsPartition(r.Group)
	if r.TransactionalID != "" {
		tp = t.txnPartition(r.TransactionalID)
	}
	info, ok := t.cluster.Partition(tp)
	if _, live := t.cluster.Broker(info.Leader); !ok || !live {
		return &kafka.FindCoordinatorResponse{Error: kafka.CoordinatorNotAvailable}
	}
	return &kafka.FindCoordinatorResponse{Coordinator: info.Leader}
}
