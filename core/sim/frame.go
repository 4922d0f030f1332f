package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// Frame shows the world as it is after its last event.
func (w *World) Frame() view.Frame {
	f := view.Frame{Event: w.event, At: w.now}
	for _, s := range w.slots {
		switch n := s.node.(type) {
		case *broker.Broker:
			f.Brokers = append(f.Brokers, view.Broker{
				ID: n.ID(), Release: n.Release(), Rack: n.Rack(), Liveness: s.liveness,
			})
		case *client.Consumer:
			c := n.View()
			c.Liveness, c.FrozenUntil = s.liveness, s.frozenUntil
			f.Consumers = append(f.Consumers, c)
		case *client.Store:
			f.Stores = append(f.Stores, n.View())
		case *client.Producer:
			p := n.View()
			p.Liveness = s.liveness
			f.Producers = append(f.Producers, p)
		}
	}
	slices.SortFunc(f.Brokers, func(a, b view.Broker) int { return cmp.Compare(a.ID, b.ID) })
	f.Topics = w.viewTopics()
	f.OffsetsPartitions = int32(len(w.offsetsTopic().Partitions))
	f.Groups = w.viewGroups(&f)
	f.Transactions = w.viewTransactions()
	f.Flying = w.viewFlights()
	f.Cuts = w.viewCuts()
	return f
}

// viewTopics shows every partition as its leader has it; one without a leader as its last leader left it.
func (w *World) viewTopics() []view.Topic {
	var topics []view.Topic
	for _, info := range w.controller().Cluster().Topics {
		if info.Internal {
			continue
		}
		topic := view.Topic{Name: info.Name}
		for p, part := range info.Partitions {
			tp := kafka.TopicPartition{Topic: info.Name, Partition: int32(p)}
			keeper := cmp.Or(part.Leader, part.ISR[0])
			seen, ok := w.slot(keeper).node.(*broker.Broker).Partition(tp)
			if !ok {
				seen = view.Partition{TopicPartition: tp} // created, and its leader has not heard of it yet
			}
			seen.Leader, seen.LeaderEpoch = part.Leader, part.LeaderEpoch
			seen.Replicas = w.viewReplicas(tp, part)
			topic.Partitions = append(topic.Partitions, seen)
		}
		topics = append(topics, topic)
	}
	return topics
}

// viewReplicas shows every copy of a partition as its broker has it, dead or alive, the preferred leader's first.
func (w *World) viewReplicas(tp kafka.TopicPartition, part kafka.PartitionInfo) []view.Replica {
	var list []view.Replica
	for _, id := range part.Replicas {
		if seen, ok := w.slot(id).node.(*broker.Broker).Replica(tp); ok {
			seen.InSync = slices.Contains(part.ISR, id)
			list = append(list, seen)
		}
	}
	return list
}

// viewGroups shows every group that a coordinator has or a consumer names, with the ledger's account of its work.
func (w *World) viewGroups(f *view.Frame) []view.Group {
	groups := map[string]view.Group{}
	for _, c := range f.Consumers {
		if c.Group != "" {
			groups[c.Group] = view.Group{ID: c.Group, OffsetsPartition: w.offsetsPartition(c.Group)}
		}
	}
	for _, s := range w.slots {
		b, ok := s.node.(*broker.Broker)
		if !ok || s.liveness.Gone() {
			continue
		}
		for _, g := range b.Groups() {
			groups[g.ID] = g
		}
	}
	list := make([]view.Group, 0, len(groups))
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		g := groups[id]
		g.Work = w.viewWork(id, f)
		list = append(list, g)
	}
	return list
}

func (w *World) offsetsTopic() kafka.TopicInfo {
	topic, _ := w.controller().Cluster().Topic(kafka.OffsetsTopic)
	return topic
}

func (w *World) offsetsPartition(group string) int32 {
	return kafka.GroupPartition(group, int32(len(w.offsetsTopic().Partitions)))
}

// committed is what a group has stored, as the leader of its partition of __consumer_offsets knows it.
func (w *World) committed(group string) []kafka.CommitOffset {
	part := w.offsetsTopic().Partitions[w.offsetsPartition(group)]
	keeper := cmp.Or(part.Leader, part.ISR[0])
	return w.slot(keeper).node.(*broker.Broker).Committed(group)
}

// viewWork lists what a group did, one line for each partition that it committed, began to read, or owns.
func (w *World) viewWork(group string, f *view.Frame) []view.Work {
	lines := map[kafka.TopicPartition]*view.Work{}
	line := func(tp kafka.TopicPartition) *view.Work {
		if lines[tp] == nil {
			lines[tp] = &view.Work{TopicPartition: tp, Committed: kafka.NoOffset, Begin: kafka.NoOffset}
		}
		return lines[tp]
	}
	for _, o := range w.committed(group) {
		line(o.TopicPartition).Committed = o.Offset
	}
	for a, done := range w.ledger.accounts {
		if a.group == group {
			l := line(a.tp)
			l.Begin, l.Done, l.Letters, l.Stored = done.begin, done.done, done.onlyLettered(), done.stored
		}
	}
	for i := range f.Consumers {
		c := &f.Consumers[i]
		if c.Group != group || c.Liveness.Gone() {
			continue
		}
		for _, o := range c.Owned {
			line(o.TopicPartition).Owner = c.ID
		}
	}
	list := make([]view.Work, 0, len(lines))
	for _, l := range lines {
		l.Lost = w.lost(group, l, f)
		list = append(list, *l)
	}
	slices.SortFunc(list, func(a, b view.Work) int { return a.Compare(b.TopicPartition) })
	return list
}

// lost lists the records that a group has passed over for good: committed past, neither processed by anybody nor kept as a
// dead letter, and in the hands of no living consumer.
func (w *World) lost(group string, l *view.Work, f *view.Frame) []view.Span {
	if l.Begin == kafka.NoOffset || l.Committed == kafka.NoOffset {
		return nil
	}
	spans := notDone(l.Done, l.Begin, l.Committed)
	for _, handled := range slices.Concat(l.Letters, w.hidden(l.TopicPartition)) {
		spans = cutOut(spans, handled)
	}
	for i := range f.Consumers {
		c := &f.Consumers[i]
		if len(spans) == 0 || c.Group != group || c.Liveness.Gone() {
			continue
		}
		for _, o := range c.Owned {
			if o.TopicPartition == l.TopicPartition {
				spans = cutOut(cutOut(spans, o.Returned), o.Fetched)
			}
		}
		if c.HandOf == l.TopicPartition {
			spans = cutOut(spans, c.Hand)
		}
	}
	return spans
}

// hidden lists the offsets of a partition that stand for no record of anybody's: markers, and records of aborted transactions. Nobody misses them.
func (w *World) hidden(tp kafka.TopicPartition) []view.Span {
	info, ok := w.controller().Cluster().Partition(tp)
	if !ok {
		return nil
	}
	return w.slot(cmp.Or(info.Leader, info.ISR[0])).node.(*broker.Broker).Hidden(tp)
}

// viewTransactions shows the transactions of every live coordinator, by transactional id.
func (w *World) viewTransactions() []view.Transaction {
	var list []view.Transaction
	for _, s := range w.slots {
		if b, ok := s.node.(*broker.Broker); ok && !s.liveness.Gone() {
			list = append(list, b.Transactions()...)
		}
	}
	slices.SortFunc(list, func(a, b view.Transaction) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// viewFlights lists the messages on their way. One that a cut link holds has no time of arrival.
func (w *World) viewFlights() []view.Flight {
	var list []view.Flight
	for _, e := range w.queue {
		if e.kind == arrivalEvent && !w.unheard(e) && !w.slot(e.to).liveness.Gone() {
			list = append(list, view.Flight{Message: e.message, SentAt: e.sentAt, SentEvent: e.cause, ArrivesAt: e.at})
		}
	}
	for _, l := range w.links {
		for _, e := range l.held {
			if e.kind == arrivalEvent {
				list = append(list, view.Flight{Message: e.message, SentAt: e.sentAt, SentEvent: e.cause, Held: true})
			}
		}
	}
	slices.SortFunc(list, func(a, b view.Flight) int { return cmp.Compare(a.Message.ID, b.Message.ID) })
	return list
}

func (w *World) viewCuts() []view.Cut {
	var list []view.Cut
	for p, l := range w.links {
		if l.cut {
			list = append(list, view.Cut{A: p.a, B: p.b})
		}
	}
	slices.SortFunc(list, func(a, b view.Cut) int {
		return cmp.Or(strings.Compare(string(a.A), string(b.A)), strings.Compare(string(a.B), string(b.B)))
	})
	return list
}
