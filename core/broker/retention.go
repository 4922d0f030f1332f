package broker

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// segment is a stretch of a log that is one file on disk, and is deleted as a whole.
type segment struct {
	base     int64 // its first offset
	bytes    int64
	first    time.Duration // the timestamp of its first record
	youngest time.Duration // the largest timestamp of its records
}

// segmentLimits say when a new segment is begun.
type segmentLimits struct {
	bytes int64
	age   time.Duration
}

func (b *Broker) segmentLimits(topic string) segmentLimits {
	return segmentLimits{
		bytes: b.topicInt(topic, "segment.bytes", "log.segment.bytes"),
		age:   b.topicDuration(topic, "segment.ms", "log.roll.hours"),
	}
}

// topicDuration is topicInt for a time; -1 ms stands for no limit.
func (b *Broker) topicDuration(topic, key, brokerKey string) time.Duration {
	info, _ := b.cluster.Topic(topic)
	if info.Config != (kafka.Config{}) && info.Config.Set(key) {
		return info.Config.Duration(key)
	}
	return b.config.Duration(brokerKey)
}

// addToSegment counts a record that was appended, in a new segment if the last one is full, or if its first record is too old.
//
// Source: LogSegment.shouldRoll.
func (l *partitionLog) addToSegment(r *kafka.Record) {
	n := len(l.segments)
	if n == 0 || l.segments[n-1].bytes > 0 &&
		(l.segments[n-1].bytes+int64(r.Size) > l.limits.bytes || r.Timestamp-l.segments[n-1].first > l.limits.age) {
		l.segments = append(l.segments, segment{base: r.Offset, first: r.Timestamp, youngest: r.Timestamp})
		n++
	}
	s := &l.segments[n-1]
	s.bytes += int64(r.Size)
	s.youngest = max(s.youngest, r.Timestamp)
}

// takeFromSegment forgets the last record.
func (l *partitionLog) takeFromSegment(r *kafka.Record) {
	n := len(l.segments)
	if l.segments[n-1].bytes -= int64(r.Size); l.segments[n-1].base == r.Offset {
		l.segments = l.segments[:n-1]
	}
}

// due is when the oldest segment may be deleted: at once if the log without it is still as large as retention.bytes, else
// when its youngest record is older than retention.ms. false: never.
//
// Source: replication.md section 10. UnifiedLog.deleteRetentionMsBreachedSegments, deleteRetentionSizeBreachedSegments.
func (t *turn) due(topic string, l *partitionLog) (time.Duration, bool) {
	if len(l.segments) == 0 || l.next() > l.highWatermark {
		return 0, false
	}
	oldest := l.segments[0]
	if limit := t.topicInt(topic, "retention.bytes", "log.retention.bytes"); limit >= 0 && l.bytes-oldest.bytes >= limit {
		return t.now, true
	}
	age := t.topicDuration(topic, "retention.ms", "log.retention.hours")
	return max(t.now, oldest.youngest+age+1), age >= 0
}

// next is where the oldest segment ends.
func (l *partitionLog) next() int64 {
	if len(l.segments) > 1 {
		return l.segments[1].base
	}
	return l.end()
}

// watchRetention sets the timer of the check at which the next segment of these logs will be deleted. The real broker looks every
// log.retention.check.interval.ms in any case. Internal topics are compacted instead, which the model leaves out.
func (t *turn) watchRetention(partitions []kafka.TopicPartition) {
	for _, tp := range partitions {
		info, _ := t.cluster.Topic(tp.Topic)
		at, ever := t.due(tp.Topic, t.logs[tp])
		if info.Internal || !ever || !t.deletes(info) {
			continue
		}
		interval := max(1, t.config.Duration("log.retention.check.interval.ms"))
		if wait := at % interval; wait > 0 || at == t.now {
			at += interval - wait
		}
		if running, runs := t.timers[string(retentionTimer)]; !runs || running.to > at {
			t.setTimer(string(retentionTimer), timer{kind: retentionTimer}, at-t.now)
		}
	}
}

// deletes reports whether old segments of a topic are deleted; a compacted topic keeps the last record of each key for ever.
func (t *turn) deletes(topic kafka.TopicInfo) bool {
	if topic.Config == (kafka.Config{}) || !topic.Config.Set("cleanup.policy") {
		return true
	}
	for _, policy := range topic.Config.List("cleanup.policy") {
		if policy == "delete" {
			return true
		}
	}
	return false
}

// deleteSegments deletes the segments whose time has come, the oldest first, up to the first that must stay.
func (t *turn) deleteSegments() {
	all := t.replicas()
	for _, tp := range all {
		log := t.logs[tp]
		from := log.start
		info, _ := t.cluster.Topic(tp.Topic)
		for at, ever := t.due(tp.Topic, log); ever && at <= t.now && !info.Internal && t.deletes(info); at, ever = t.due(tp.Topic, log) {
			log.start = log.next()
			log.bytes -= log.segments[0].bytes
			log.segments = append([]segment(nil), log.segments[1:]...)
		}
		if log.start > from {
			t.fact(view.Fact{Kind: view.RecordsDeleted, Partition: tp, From: from, To: log.start})
		}
	}
	t.watchRetention(all)
	t.feedFollowers()
}

// replicas lists the partitions that this broker keeps a copy of, in order.
func (b *Broker) replicas() []kafka.TopicPartition {
	var list []kafka.TopicPartition
	for _, topic := range b.cluster.Topics {
		for p := range topic.Partitions {
			if tp := (kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}); b.logs[tp] != nil {
				list = append(list, tp)
			}
		}
	}
	return list
}
