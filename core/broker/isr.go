package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// expandISR asks the controller to add a follower to the in-sync replicas of the partitions where it has caught up: with the high
// watermark, and with the beginning of the leader's term (replication.md section 3).
func (t *turn) expandISR(id kafka.NodeID, fetched []kafka.TopicPartition) {
	if _, live := t.cluster.Broker(id); !live {
		return
	}
	for _, tp := range fetched {
		log := t.logs[tp]
		info, _ := t.cluster.Partition(tp)
		end := log.follower(id).end
		if slices.Contains(info.ISR, id) || log.altering != nil || end < log.highWatermark || end < log.termStart() {
			continue
		}
		t.alter(tp, slices.DeleteFunc(slices.Clone(info.Replicas), func(r kafka.NodeID) bool {
			return r != id && !slices.Contains(info.ISR, r)
		}))
	}
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

// altered ends the waiting for the controller. What it agreed to has come with a new image before.
func (t *turn) altered(r *kafka.AlterPartitionResponse) {
	for _, p := range r.Partitions {
		if log := t.logs[p.TopicPartition]; log != nil {
			log.altering = nil
		}
	}
}
