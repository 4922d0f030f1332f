package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// expandISR asks the controller to add followers to the in-sync replicas of the partitions where they have caught up: with the high
// watermark, and with the beginning of the leader's term (replication.md section 3).
func (t *turn) expandISR(partitions []kafka.TopicPartition) {
	for _, tp := range partitions {
		log := t.logs[tp]
		info, _ := t.cluster.Partition(tp)
		if log.altering != nil || info.Leader != t.id {
			continue
		}
		isr := slices.DeleteFunc(slices.Clone(info.Replicas), func(id kafka.NodeID) bool {
			return !slices.Contains(info.ISR, id) && !t.returns(log, id)
		})
		if len(isr) > len(info.ISR) {
			t.alter(tp, isr)
		}
	}
}

// returns reports whether a follower that is not in sync has caught up.
func (t *turn) returns(log *partitionLog, id kafka.NodeID) bool {
	f := log.follower(id)
	_, live := t.cluster.Broker(id)
	return live && f != nil && f.fetching && f.end >= log.highWatermark && f.end >= log.termStart()
}

// termStart is where the last epoch of this log begins.
func (l *partitionLog) termStart() int64 {
	if len(l.epochs) == 0 {
		return l.start
	}
	return l.epochs[len(l.epochs)-1].start
}

// watchISR sets the timer of the next look for followers that lag, if there is one that does not have everything. The real leader looks
// every replica.lag.time.max.ms / 2 in any case.
func (t *turn) watchISR() {
	if _, runs := t.timers[string(isrTimer)]; runs || !t.someoneLags() {
		return
	}
	interval := max(1, t.config.Duration("replica.lag.time.max.ms")/2)
	t.setTimer(string(isrTimer), timer{kind: isrTimer}, interval-t.now%interval)
}

func (t *turn) someoneLags() bool {
	for _, log := range t.logs {
		for i := range log.followers {
			if log.followers[i].end < log.end() {
				return true
			}
		}
	}
	return false
}

// shrinkISR asks the controller to take followers out that have not kept up. The leader always stays.
func (t *turn) shrinkISR() {
	for _, topic := range t.cluster.Topics {
		for p, info := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			log := t.logs[tp]
			if info.Leader != t.id || log.altering != nil {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(info.ISR), func(id kafka.NodeID) bool {
				f := log.follower(id)
				return f != nil && !t.keepsUp(log, f)
			})
			if len(left) < len(info.ISR) {
				t.alter(tp, left)
			}
		}
	}
	t.watchISR()
}

// alter asks for other in-sync replicas. All that one turn asks for goes in one request.
func (t *turn) alter(tp kafka.TopicPartition, isr []kafka.NodeID) {
	log := t.logs[tp]
	log.altering = isr
	t.alters = append(t.alters, kafka.PartitionISR{TopicPartition: tp, LeaderEpoch: log.leaderEpoch, ISR: isr})
}

func (t *turn) sendAlters() {
	if len(t.alters) > 0 {
		t.sendOwn(kafka.Controller, &kafka.AlterPartitionRequest{Partitions: t.alters})
	}
}

// altered ends the waiting for the controller. What it agreed to has come with a new image before. What it refused is asked for again
// when there is news.
func (t *turn) altered(r *kafka.AlterPartitionResponse) {
	for _, p := range r.Partitions {
		log := t.logs[p.TopicPartition]
		if log == nil {
			continue
		}
		log.altering = nil
		if p.Error == kafka.None {
			t.expandISR([]kafka.TopicPartition{p.TopicPartition})
		}
	}
}
