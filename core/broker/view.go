package broker

import (
	"maps"
	"slices"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// ID returns the broker's id.
func (b *Broker) ID() kafka.NodeID { return b.id }

// Rack returns the broker's rack.
func (b *Broker) Rack() string { return b.rack }

// Release returns the release that the broker runs.
func (b *Broker) Release() kafka.Release { return b.config.Release() }

// Partitions returns what can be seen of the partitions that this broker leads, sorted, without internal topics.
func (b *Broker) Partitions() []view.Partition {
	var list []view.Partition
	for _, topic := range b.cluster.Topics {
		if topic.Internal {
			continue
		}
		for p := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			if seen, ok := b.Partition(tp); ok && b.leads(tp) {
				list = append(list, seen)
			}
		}
	}
	return list
}

// Partition returns what can be seen of one partition as this broker has it; false if it has no copy.
func (b *Broker) Partition(tp kafka.TopicPartition) (view.Partition, bool) {
	log, ok := b.logs[tp]
	if !ok {
		return view.Partition{}, false
	}
	info, _ := b.cluster.Partition(tp)
	return view.Partition{
		TopicPartition: tp, Leader: info.Leader, LeaderEpoch: info.LeaderEpoch,
		LogStart: log.start, HighWatermark: log.highWatermark, LastStable: log.lastStable(), LogEnd: log.end(),
		Replicas: []view.Replica{b.replica(log, slices.Contains(info.ISR, b.id))},
		Bytes:    log.bytes, LastAppendTime: log.lastAppend,
	}, true
}

// Replica returns what can be seen of this broker's copy of a partition; false if it has none. Whether it is in sync is not for it to say.
func (b *Broker) Replica(tp kafka.TopicPartition) (view.Replica, bool) {
	log, ok := b.logs[tp]
	if !ok {
		return view.Replica{}, false
	}
	return b.replica(log, false), true
}

func (b *Broker) replica(log *partitionLog, inSync bool) view.Replica {
	return view.Replica{Broker: b.id, LogStart: log.start, HighWatermark: log.highWatermark, LogEnd: log.end(), InSync: inSync}
}

// Groups returns what can be seen of the groups that this broker coordinates, by id, all but their Work.
func (b *Broker) Groups() []view.Group {
	list := make([]view.Group, 0, len(b.groups))
	for _, id := range slices.Sorted(maps.Keys(b.groups)) {
		list = append(list, b.groups[id].seen(b))
	}
	return list
}

// Committed returns the offsets that a group has stored with this broker, sorted by partition.
func (b *Broker) Committed(group string) []kafka.CommitOffset {
	offsets := b.offsets[group]
	list := make([]kafka.CommitOffset, 0, len(offsets))
	for tp, o := range offsets {
		list = append(list, kafka.CommitOffset{TopicPartition: tp, OffsetAndMetadata: o.OffsetAndMetadata})
	}
	slices.SortFunc(list, func(a, b kafka.CommitOffset) int { return a.Compare(b.TopicPartition) })
	return list
}

// seen makes what a frame shows of a group.
func (g *ClassicGroup) seen(b *Broker) view.Group {
	v := view.Group{
		ID: g.id, Coordinator: b.id, OffsetsPartition: b.offsetsPartition(g.id).Partition,
		State: string(g.state), Generation: g.generation, ProtocolType: g.protocolType, Protocol: g.protocol,
		Leader: g.leader, Pending: slices.Clone(g.pending), Waiting: g.waiting(), Visits: slices.Clone(g.visits),
	}
	for _, kind := range []timerKind{initialDelayTimer, rebalanceTimer, pendingSyncTimer} {
		if timer := b.seen(groupKey(kind, g.id)); timer.Running() {
			v.Timers = append(v.Timers, timer)
		}
	}
	for i := range g.members {
		v.Members = append(v.Members, g.members[i].seen(b, g))
	}
	return v
}

func (m *member) seen(b *Broker, g *ClassicGroup) view.Member {
	v := view.Member{
		ID: m.id, InstanceID: m.instanceID, ClientID: m.clientID, Client: m.client, Leader: m.id == g.leader,
		Synced: m.synced, Assignment: m.assignment, Session: b.seen(memberKey(sessionTimer, g.id, m.id)),
	}
	switch {
	case m.join.waits():
		v.Parked = kafka.JoinGroupAPI.String()
	case m.sync.waits():
		v.Parked = kafka.SyncGroupAPI.String()
	}
	for _, p := range m.protocols {
		v.Protocols = append(v.Protocols, p.Name)
	}
	v.Topics = m.topics()
	return v
}

// waiting tells what the coordinator waits for.
func (g *ClassicGroup) waiting() view.Waiting {
	switch g.state {
	case preparingRebalance:
		if g.initial {
			return view.Waiting{For: view.WaitInitialDelay}
		}
		missing := slices.Clone(g.pending)
		for i := range g.members {
			if !g.members[i].join.waits() {
				missing = append(missing, g.members[i].id)
			}
		}
		slices.SortFunc(missing, strings.Compare)
		return view.Waiting{For: view.WaitJoins, Members: missing}
	case completingRebalance:
		if g.find(g.leader).sync.waits() {
			return view.Waiting{For: view.WaitAppend} // the leader's assignment is here, and not yet on every in-sync replica
		}
		return view.Waiting{For: view.WaitLeaderSync, Members: []string{g.leader}}
	}
	return view.Waiting{}
}

// Record returns a record of this broker's copy of a partition; false if it has none at that offset.
func (b *Broker) Record(tp kafka.TopicPartition, offset int64) (kafka.Record, bool) {
	log, ok := b.logs[tp]
	if !ok || offset < log.start || offset >= log.end() {
		return kafka.Record{}, false
	}
	return *log.at(offset), true
}

// Hidden lists the offsets of a partition that hold no record for an application: markers, and records of aborted transactions.
func (b *Broker) Hidden(tp kafka.TopicPartition) []view.Span {
	log, ok := b.logs[tp]
	if !ok {
		return nil
	}
	var spans []view.Span
	for _, e := range log.txns.ended {
		spans = append(spans, view.Span{From: e.marker, To: e.marker + 1})
		for offset := max(e.first, log.base); e.aborted && offset < e.marker; offset++ {
			if r := log.at(offset); r.Stamp != nil && r.Stamp.ProducerID == e.producerID {
				spans = append(spans, view.Span{From: offset, To: offset + 1})
			}
		}
	}
	return spans
}

// Transactions returns what can be seen of the transactions that this broker coordinates, by transactional id.
func (b *Broker) Transactions() []view.Transaction {
	var list []view.Transaction
	for _, id := range slices.Sorted(maps.Keys(b.txns)) {
		x := b.txns[id]
		timeout := b.seen(groupKey(txnTimer, id))
		timeout.Name = "transaction"
		list = append(list, view.Transaction{
			ID: id, Coordinator: b.id, State: string(x.state), ProducerID: x.producerID, Epoch: x.epoch,
			Partitions: x.partitions, Timeout: timeout,
		})
	}
	return list
}
