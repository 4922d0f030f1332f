package broker

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/kafka"
)

// waitingFollower is the fetch of a follower that has all there is; it waits at the leader. There is at most one of each follower.
//
// The real one waits for replica.fetch.wait.max.ms and comes again. Here it waits until there is something to tell: a new record at
// once, a mark that moved (the high watermark, the log start) when the real one's time would be up. So an idle cluster is quiet.
type waitingFollower struct {
	from     caller
	since    time.Duration
	maxWait  time.Duration
	minBytes int
}

// followerFetch takes up from where a follower wants to read, which tells how far it is, and answers or parks the fetch.
func (t *turn) followerFetch(from caller, r *kafka.FetchRequest) {
	if t.waitsAt(from.node) >= 0 {
		t.answerFollower(from.node) // it comes with more partitions before that one was answered
	}
	var refused []kafka.FetchedPartition
	var noted []kafka.TopicPartition
	for _, p := range r.Partitions {
		if part, ok := t.noteFollower(r.Replica, p); !ok {
			refused = append(refused, part)
			continue
		}
		noted = append(noted, p.TopicPartition)
	}
	t.expandISR(noted)
	moved := t.advanceAll(noted)
	t.finishAppends()
	t.retestFetches(moved)
	t.waiting = append(t.waiting, waitingFollower{from, t.now, r.MaxWait, r.MinBytes})
	slices.SortFunc(t.waiting, func(a, b waitingFollower) int { return cmp.Compare(a.from.node, b.from.node) })
	if len(refused) > 0 {
		t.answerFollower(from.node, refused...)
	}
	t.feedFollowers()
}

// noteFollower notes how far a follower has copied a partition; or answers with what it has to do first: find out who leads, or
// cut its log where it differs.
func (t *turn) noteFollower(id kafka.NodeID, p kafka.FetchPartition) (kafka.FetchedPartition, bool) {
	part := kafka.FetchedPartition{
		TopicPartition: p.TopicPartition, Error: t.fetchError(p),
		HighWatermark: kafka.NoOffset, LastStableOffset: kafka.NoOffset, LogStartOffset: kafka.NoOffset,
	}
	if part.Error != kafka.None {
		return part, false
	}
	log := t.logs[p.TopicPartition]
	f := log.follower(id)
	if f == nil {
		part.Error = kafka.UnknownTopicOrPartition
		return part, false
	}
	if p.LastEpoch != kafka.NoEpoch {
		if end := log.endOf(p.LastEpoch); end.Epoch != kafka.NoEpoch && (end.Epoch < p.LastEpoch || end.Offset < p.Offset) {
			part.Diverging = &end
			return part, false
		}
	}
	if p.Offset < log.start || p.Offset > log.end() {
		part.Error, part.LogStartOffset, part.LastStableOffset = kafka.OffsetOutOfRange, log.start, log.end()
		return part, false
	}
	f.note(t.now, p.Offset, log.end())
	return part, true
}

// waitsAt is the place of a follower among those who wait; -1 if it does not.
func (b *Broker) waitsAt(id kafka.NodeID) int {
	return slices.IndexFunc(b.waiting, func(w waitingFollower) bool { return w.from.node == id })
}

// feedFollowers answers the followers who wait for records that are there now, and sees to it that the others learn of marks that
// moved.
func (t *turn) feedFollowers() {
	for _, w := range slices.Clone(t.waiting) {
		news, size := t.newsOf(w.from.node)
		switch {
		case size >= max(1, w.minBytes):
			t.answerFollower(w.from.node)
		case len(news) > 0:
			t.remind(w)
		}
	}
}

// remind sets the timer of a follower that waits: when the fetch would be answered by replica.fetch.wait.max.ms.
func (t *turn) remind(w waitingFollower) {
	key := groupKey(followerTimer, string(w.from.node))
	if _, runs := t.timers[key]; runs {
		return
	}
	wait := max(w.maxWait, 1)
	waited := t.now - w.since
	t.setTimer(key, timer{kind: followerTimer, member: string(w.from.node)}, wait-waited%wait)
}

// answerFollower answers a follower who waits with all that is new to it, and with what else it is to be told.
func (t *turn) answerFollower(id kafka.NodeID, more ...kafka.FetchedPartition) {
	i := t.waitsAt(id)
	from := t.waiting[i].from
	t.waiting = slices.Delete(t.waiting, i, i+1)
	t.stopTimer(groupKey(followerTimer, string(id)))
	news, _ := t.newsOf(id)
	for _, part := range news {
		log := t.logs[part.TopicPartition]
		log.follower(id).told = log.marks()
	}
	t.reply(from, &kafka.FetchResponse{Replica: id, Partitions: append(news, more...)})
}

// newsOf lists the partitions of which a follower has something to learn, with the records that it lacks, and their size.
func (t *turn) newsOf(id kafka.NodeID) (news []kafka.FetchedPartition, size int) {
	for _, topic := range t.cluster.Topics {
		for p := range topic.Partitions {
			tp := kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)}
			log := t.logs[tp]
			if log == nil {
				continue
			}
			f := log.follower(id)
			if f == nil || !f.fetching || f.end == log.end() && f.told == log.marks() {
				continue
			}
			records := log.slice(f.end, log.end())
			for i := range records {
				size += records[i].Size
			}
			news = append(news, kafka.FetchedPartition{
				TopicPartition: tp, HighWatermark: log.highWatermark, LastStableOffset: log.lastStable(),
				LogStartOffset: log.start, Records: records,
			})
		}
	}
	return news, size
}

// followerLost forgets that a follower's fetches cover anything, when its connection was lost.
func (t *turn) followerLost(id kafka.NodeID) {
	if i := t.waitsAt(id); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
		t.stopTimer(groupKey(followerTimer, string(id)))
	}
	for _, log := range t.logs {
		if f := log.follower(id); f != nil {
			f.fetching = false
		}
	}
}

// offsetForLeaderEpoch tells where epochs end in the logs that this broker leads.
func (t *turn) offsetForLeaderEpoch(r *kafka.OffsetForLeaderEpochRequest) *kafka.OffsetForLeaderEpochResponse {
	response := &kafka.OffsetForLeaderEpochResponse{}
	for _, p := range r.Partitions {
		end := kafka.PartitionEpochEnd{TopicPartition: p.TopicPartition, EpochEnd: kafka.EpochEnd{Epoch: kafka.NoEpoch, Offset: kafka.NoOffset}}
		end.Error = t.fetchError(kafka.FetchPartition{TopicPartition: p.TopicPartition, LeaderEpoch: p.LeaderEpoch})
		if end.Error == kafka.None {
			end.EpochEnd = t.logs[p.TopicPartition].endOf(p.Epoch)
		}
		response.Partitions = append(response.Partitions, end)
	}
	return response
}
