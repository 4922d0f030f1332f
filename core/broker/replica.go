package broker

import (
	"slices"
	"time"

	"groupscope/core/kafka"
)

// followerState is what a leader knows of one follower (Replica.scala).
type followerState struct {
	id       kafka.NodeID
	end      int64         // its log end, by the offset of its last fetch; NoOffset before the first
	caughtUp time.Duration // the last moment at which it had all that the leader had
	fetched  time.Duration // when its last fetch came,
	ended    int64         // and where the leader's log ended then
	told     marks         // what it was last told
	fetching bool          // its fetches cover this partition; no more once its connection is lost
}

// marks are the offsets of a leader that its followers learn from answers to their fetches.
type marks struct{ start, highWatermark int64 }

func (l *partitionLog) marks() marks { return marks{l.start, l.highWatermark} }

// follower finds the state of a follower; nil if this broker does not lead, or knows no such follower.
func (l *partitionLog) follower(id kafka.NodeID) *followerState {
	i := slices.IndexFunc(l.followers, func(f followerState) bool { return f.id == id })
	if i < 0 {
		return nil
	}
	return &l.followers[i]
}

// note takes up a fetch of the follower's, from an offset on. A follower is caught up if it has all there is, or has all there was
// at its fetch before, so that a fast writer does not push out one that keeps up (replication.md section 3).
func (f *followerState) note(now time.Duration, offset, leaderEnd int64) {
	switch {
	case offset >= leaderEnd:
		f.caughtUp = now
	case offset >= f.ended:
		f.caughtUp = max(f.caughtUp, f.fetched)
	}
	f.end, f.fetched, f.ended, f.fetching = offset, now, leaderEnd, true
}

// idle notes, before the leader's log grows beyond its end, that a follower whose fetch waits there had all of it until now. (The
// real follower repeats an idle fetch every replica.fetch.wait.max.ms; the model leaves it at the leader.)
func (f *followerState) idle(now time.Duration, end int64) {
	if f.fetching && f.end == end {
		f.caughtUp = now
	}
}

// keepsUp reports whether a follower counts as caught up.
func (t *turn) keepsUp(l *partitionLog, f *followerState) bool {
	return f.end == l.end() || t.now-f.caughtUp <= t.config.Duration("replica.lag.time.max.ms")
}

// takeRoles opens logs of new partitions and takes up the roles that the image gives to this broker: leader or follower, by
// leader epoch.
func (t *turn) takeRoles() {
	t.openLogs()
	for _, topic := range t.cluster.Topics {
		for p, info := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			log := t.logs[tp]
			if log == nil {
				continue
			}
			if epoch := kafka.Epoch(info.LeaderEpoch); epoch > log.leaderEpoch {
				log.leaderEpoch = epoch
				t.take(log, info)
			}
			if slices.Equal(log.altering, info.ISR) {
				log.altering = nil
			}
			if info.Leader == t.id {
				t.advance(tp)
				t.expandISR([]kafka.TopicPartition{tp}) // a follower may count as live only now
			}
		}
	}
}

// take begins a term as leader or follower. A leader gives in-sync followers the time of replica.lag.time.max.ms to come forward
// (Partition.makeLeader). A follower has to find out where its log differs from the new leader's.
func (t *turn) take(log *partitionLog, info kafka.PartitionInfo) {
	log.followers, log.altering, log.truncating, log.settling = nil, nil, false, false
	if info.Leader != t.id {
		log.truncating = log.end() > 0
		return
	}
	log.noteEpoch(log.leaderEpoch, log.end())
	for _, id := range info.Replicas {
		if id == t.id {
			continue
		}
		f := followerState{id: id, end: kafka.NoOffset, caughtUp: -t.config.Duration("replica.lag.time.max.ms") - 1}
		if slices.Contains(info.ISR, id) {
			f.caughtUp = t.now
		}
		log.followers = append(log.followers, f)
	}
}

// advance moves the high watermark of a partition that this broker leads up to what all have who must: the leader, the in-sync
// replicas, those that the controller is being asked to add, and those that keep up and will be added. It never moves back.
// Since 3.7 it stays where it is while too few replicas are in sync. It reports whether the high watermark moved.
//
// Source: replication.md section 2; Partition.maybeIncrementLeaderHW.
func (t *turn) advance(tp kafka.TopicPartition) bool {
	log := t.logs[tp]
	info, _ := t.cluster.Partition(tp)
	if t.has(kafka.HighWatermarkWaitsForMinISR) && len(info.ISR) < t.minISR(tp) {
		return false
	}
	mark := log.end()
	for i := range log.followers {
		f := &log.followers[i]
		_, live := t.cluster.Broker(f.id)
		if slices.Contains(info.ISR, f.id) || slices.Contains(log.altering, f.id) || live && f.fetching && t.keepsUp(log, f) {
			mark = min(mark, f.end)
		}
	}
	if mark <= log.highWatermark {
		return false
	}
	log.highWatermark = mark
	return true
}

// appended does what follows from an append to partitions that this broker leads.
func (t *turn) appended(changed []kafka.TopicPartition) {
	moved := t.advanceAll(changed)
	t.finishAppends()
	t.servedMore(moved)
	t.watchRetention(changed)
}

// appendedFor is appended, for an append that somebody waits for; waiting for it begins behind those who came before.
func (t *turn) appendedFor(p parkedAppend, changed []kafka.TopicPartition, limit time.Duration) {
	moved := t.advanceAll(changed)
	t.finishAppends()
	t.await(p, limit)
	t.servedMore(moved)
	t.watchRetention(changed)
}

func (t *turn) advanceAll(changed []kafka.TopicPartition) (moved []kafka.TopicPartition) {
	for _, tp := range changed {
		if t.advance(tp) {
			moved = append(moved, tp)
		}
	}
	return moved
}

// servedMore answers those who wait for records, now that high watermarks moved and logs may have grown.
func (t *turn) servedMore(moved []kafka.TopicPartition) {
	t.retestFetches(moved)
	t.feedFollowers()
	t.watchISR()
}

// minISR is how many replicas must be in sync for a write with acks=all: min.insync.replicas, but never more than there are.
func (t *turn) minISR(tp kafka.TopicPartition) int {
	info, _ := t.cluster.Partition(tp)
	return min(int(t.topicInt(tp.Topic, "min.insync.replicas", "min.insync.replicas")), len(info.Replicas))
}

// topicInt is a setting of a topic: its own if it has one, else the broker's under the broker's name for it.
func (b *Broker) topicInt(topic, key, brokerKey string) int64 {
	info, _ := b.cluster.Topic(topic)
	if info.Config != (kafka.Config{}) && info.Config.Set(key) {
		return info.Config.Int(key)
	}
	return b.config.Int(brokerKey)
}
