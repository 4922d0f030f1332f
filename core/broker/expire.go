package broker

import (
	"maps"
	"slices"
	"time"

	"groupscope/core/kafka"
)

// armExpiry sets the timer of the next look for expired offsets, if it does not run: at the next whole interval since the
// beginning.
func (t *turn) armExpiry() {
	if _, runs := t.timers[string(expiryTimer)]; runs {
		return
	}
	interval := t.config.Duration("offsets.retention.check.interval.ms")
	t.setTimer(string(expiryTimer), timer{kind: expiryTimer}, interval-t.now%interval)
}

// expireOffsets deletes the offsets whose time is over, and then the groups that have neither members nor offsets.
//
// Source: coordinator.md section 13; GroupMetadataManager.cleanupGroupMetadata.
func (t *turn) expireOffsets() {
	for _, id := range slices.Sorted(maps.Keys(t.offsets)) {
		t.expireOffsetsOf(id)
	}
	for _, id := range slices.Sorted(maps.Keys(t.groups)) {
		if g := t.groups[id]; g.state == empty && len(t.offsets[id]) == 0 {
			t.storeGroupTombstone(g)
			t.bury(g)
		}
	}
	if len(t.groups) > 0 || len(t.offsets) > 0 {
		t.armExpiry()
	}
}

func (t *turn) expireOffsetsOf(id string) {
	var expired []stored
	for _, o := range t.Committed(id) {
		if t.expired(t.groups[id], o.TopicPartition, t.offsets[id][o.TopicPartition].at) {
			expired = append(expired, stored{group: id, partition: o.TopicPartition})
		}
	}
	if len(expired) > 0 && t.storeAlone(id, expired) != kafka.None {
		return // looked at again next time
	}
	for _, s := range expired {
		delete(t.offsets[id], s.partition)
	}
	if len(t.offsets[id]) == 0 {
		delete(t.offsets, id)
	}
}

// expired reports whether an offset that was committed at a moment has been kept long enough. Since KIP-211 the offsets of a
// group with members are kept, but for topics that nobody subscribes to.
func (t *turn) expired(g *ClassicGroup, tp kafka.TopicPartition, committed time.Duration) bool {
	since := committed
	if g != nil && t.has(kafka.OffsetsExpireWhenEmpty) && g.protocolType != "" {
		switch {
		case g.state == empty:
			since = g.entered
		case g.state != stable || g.subscribes(tp.Topic):
			return false
		}
	}
	return t.now-since >= t.config.Duration("offsets.retention.minutes")
}

func (g *ClassicGroup) subscribes(topic string) bool {
	return slices.ContainsFunc(g.members, func(m member) bool { return slices.Contains(m.topics(), topic) })
}
