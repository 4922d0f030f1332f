package client

import (
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// partition is the state of one assigned partition (SubscriptionState.TopicPartitionState).
type partition struct {
	kafka.TopicPartition
	position int64  // the next offset poll will return; NoOffset while unknown
	origin   origin // while the position is unknown: where it will come from
	paused   bool
	placed   placed // the position

	preferred      kafka.NodeID // the replica to fetch from instead of the leader; "" for the leader
	preferredUntil time.Duration
}

// origin is where a position comes from.
type origin uint8

const (
	fromCommitted origin = iota // the group's committed offset; where there is none, what auto.offset.reset says
	fromEarliest
	fromLatest
	fromAge     // the first record that is not older than settings.resetAge
	fromNothing // the policy none: there will be an exception instead
)

var originNames = [...]string{"committed", "earliest", "latest", byDuration, "none"}

// byDuration is the policy by_duration of auto.offset.reset, behind which the age stands (KIP-1106).
const byDuration = "by_duration"

// readReset reads auto.offset.reset.
func readReset(policy string) (origin, time.Duration) {
	name, iso, _ := strings.Cut(policy, ":")
	age, _ := kafka.ParseISODuration(iso)
	return origin(slices.Index(originNames[:], name)), age
}

// timestamp is what ListOffsets is asked for; its timestamps are whole milliseconds.
func (t *turn) timestamp(o origin) time.Duration {
	switch o {
	case fromEarliest:
		return kafka.EarliestTimestamp
	case fromAge:
		return (t.now - t.settings.resetAge).Truncate(time.Millisecond)
	}
	return kafka.LatestTimestamp
}

// owned lists the assigned partitions, in a fresh slice.
func (c *Consumer) owned() []kafka.TopicPartition {
	parts := make([]kafka.TopicPartition, len(c.subs))
	for i := range c.subs {
		parts[i] = c.subs[i].TopicPartition
	}
	return parts
}

// sub finds the state of an assigned partition; nil if it is not assigned.
func (c *Consumer) sub(tp kafka.TopicPartition) *partition {
	i, ok := slices.BinarySearchFunc(c.subs, tp, func(p partition, tp kafka.TopicPartition) int { return p.TopicPartition.Compare(tp) })
	if !ok {
		return nil
	}
	return &c.subs[i]
}

// assign replaces the assignment. Partitions that stay keep their state; the others begin without a position, to be
// read from the group's committed offset (SubscriptionState.assignFromSubscribed).
func (t *turn) assign(parts []kafka.TopicPartition) {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, kafka.TopicPartition.Compare)
	if slices.Equal(parts, t.owned()) {
		return
	}
	subs := make([]partition, len(parts))
	for i, tp := range parts {
		if old := t.sub(tp); old != nil {
			subs[i] = *old
			continue
		}
		subs[i] = partition{TopicPartition: tp, position: kafka.NoOffset}
	}
	t.subs = subs
	t.fetcher.assigned(parts)
	t.fact(view.Fact{Kind: view.Assigned, Partitions: parts})
}

// positions asks for the positions that are missing: first for the group's committed offsets, then, where there is none,
// for what auto.offset.reset says. It reports whether poll must wait for committed offsets, and the exception
// that the policy "none" throws.
func (t *turn) positions() (wait bool, exception string) {
	if exception = t.validate(); exception != "" {
		return false, exception
	}
	var committed []kafka.TopicPartition
	for i := range t.subs {
		p := &t.subs[i]
		if p.position == kafka.NoOffset && p.origin == fromCommitted {
			if t.spec.Group == "" {
				p.origin = t.settings.reset // without a group there is nobody to ask
				continue
			}
			committed = append(committed, p.TopicPartition)
		}
	}
	if len(committed) == 0 {
		return false, t.listOffsets()
	}
	if t.findCoordinator() && t.network.reachable(t.group.coordinator, t.now) && !t.network.inFlight(kafka.OffsetFetchAPI) {
		t.send(t.group.coordinator, &kafka.OffsetFetchRequest{
			Version:       t.version(kafka.OffsetFetchAPI, t.group.coordinator),
			Group:         t.spec.Group,
			Partitions:    committed,
			RequireStable: t.does(kafka.RequireStable),
		}, "")
	}
	return true, ""
}

func (t *turn) committedArrived(reply *kafka.OffsetFetchResponse) {
	switch reply.Error {
	case kafka.NotCoordinator, kafka.CoordinatorNotAvailable:
		t.coordinatorUnknown()
		return
	case kafka.CoordinatorLoadInProgress:
		t.network.backOff(t.group.coordinator, t.now+t.settings.retry.base)
		return
	}
	for _, o := range reply.Partitions {
		p := t.sub(o.TopicPartition)
		if p == nil || p.position != kafka.NoOffset || p.origin != fromCommitted || o.Error != kafka.None {
			continue
		}
		if o.Offset == kafka.NoOffset {
			p.origin = t.settings.reset
			continue
		}
		t.setPosition(p, o.Offset, originNames[fromCommitted])
	}
}

// listOffsets asks the leaders of the partitions that are to be reset.
func (t *turn) listOffsets() (exception string) {
	var leaders []kafka.NodeID
	asked := map[kafka.NodeID][]kafka.ListOffset{}
	for _, p := range t.subs {
		if p.position != kafka.NoOffset {
			continue
		}
		if p.origin == fromNothing {
			return noOffsetForPartitionException
		}
		leader := t.reachableLeader(p.TopicPartition)
		if leader == "" || t.network.inFlightTo(leader, kafka.ListOffsetsAPI) {
			continue
		}
		if asked[leader] == nil {
			leaders = append(leaders, leader)
		}
		asked[leader] = append(asked[leader], kafka.ListOffset{TopicPartition: p.TopicPartition, Timestamp: t.timestamp(p.origin)})
	}
	for _, leader := range leaders {
		t.send(leader, &kafka.ListOffsetsRequest{ReadCommitted: t.settings.readCommitted, Partitions: asked[leader]}, "")
	}
	return ""
}

func (t *turn) offsetsListed(req request, reply *kafka.ListOffsetsResponse) {
	for _, o := range reply.Partitions {
		p := t.sub(o.TopicPartition)
		if p == nil || p.position != kafka.NoOffset || p.origin == fromCommitted {
			continue
		}
		if o.Error != kafka.None {
			t.network.wantMetadata = true
			t.network.backOff(req.to, t.now+t.settings.retry.base)
			continue
		}
		if o.Offset == kafka.NoOffset {
			p.origin = fromLatest // no record is that young (client.md section 7)
			continue
		}
		t.setPosition(p, o.Offset, originNames[p.origin])
	}
}

// setPosition sets a position; what is in the buffer for another one is stale and will be dropped.
func (t *turn) setPosition(p *partition, offset int64, why string) {
	p.position, p.placed = offset, placed{kafka.NoEpoch, t.leaderEpoch(p.TopicPartition)}
	t.fact(view.Fact{Kind: view.PositionSet, Partition: p.TopicPartition, To: offset, Text: why})
}

// reachableLeader is the broker that leads a partition and may be asked now; "" if there is none. Where the client knows of none it
// wants new metadata.
func (t *turn) reachableLeader(tp kafka.TopicPartition) kafka.NodeID {
	if t.network.cluster == nil {
		return ""
	}
	info, ok := t.network.cluster.Partition(tp)
	if !ok || info.Leader == "" {
		t.network.wantMetadata = true
		return ""
	}
	if !t.network.reachable(info.Leader, t.now) {
		return ""
	}
	return info.Leader
}
