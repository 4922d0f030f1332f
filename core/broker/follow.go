package broker

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// fetcher is how a broker copies the partitions that it follows from one leader: a request is always in flight, after each
// answer the next (ReplicaFetcherThread). While one waits at the leader another follows only to name partitions that came to
// it since; the real follower has them wait for at most replica.fetch.wait.max.ms.
type fetcher struct {
	leader      kafka.NodeID
	inFlight    []int32                         // the requests that wait for their answer, by correlation
	asked       map[kafka.TopicPartition]asking // what the leader was last told of each partition
	pausedUntil time.Duration                   // the connection was lost just now
}

// asking is what a fetch says of a partition; a fetch names only those of which it has something new to say.
type asking struct {
	offset int64
	epoch  kafka.Epoch
	after  time.Duration // the leader answered with an error: not to be asked for before
}

// fetchBackoff is how long a follower pauses after an error (replica.fetch.backoff.ms, which nobody changes).
const fetchBackoff = time.Second

func (f *fetcher) clone() fetcher {
	c := *f
	c.inFlight = slices.Clone(f.inFlight)
	c.asked = make(map[kafka.TopicPartition]asking, len(f.asked))
	for tp, a := range f.asked {
		c.asked[tp] = a
	}
	return c
}

// followed lists the partitions that this broker copies from a leader, in order.
func (b *Broker) followed(leader kafka.NodeID) []kafka.TopicPartition {
	var list []kafka.TopicPartition
	for _, topic := range b.cluster.Topics {
		for p, info := range topic.Partitions {
			if info.Leader == leader && slices.Contains(info.Replicas, b.id) {
				list = append(list, kafka.TopicPartition{Topic: topic.Name, Partition: int32(p)})
			}
		}
	}
	return list
}

// follow sees to it that a request is on its way to every broker that leads what this one follows.
func (t *turn) follow() {
	for _, other := range t.cluster.Brokers {
		if other.ID == t.id {
			continue
		}
		if parts := t.followed(other.ID); len(parts) > 0 {
			t.askLeader(t.fetcherOf(other.ID), parts)
		}
	}
	t.fetchers = slices.DeleteFunc(t.fetchers, func(f fetcher) bool { return len(f.inFlight) == 0 && len(t.followed(f.leader)) == 0 })
}

func (b *Broker) fetcherOf(leader kafka.NodeID) *fetcher {
	i, found := slices.BinarySearchFunc(b.fetchers, leader, func(f fetcher, id kafka.NodeID) int { return cmp.Compare(f.leader, id) })
	if !found {
		b.fetchers = slices.Insert(b.fetchers, i, fetcher{leader: leader, asked: map[kafka.TopicPartition]asking{}})
	}
	return &b.fetchers[i]
}

// askLeader sends the next request, if none is in flight or there is something new to say. Before 2.7 a follower asks
// first where its last epoch ends on a new leader (KIP-101), and before 0.11 it cuts its log at its own high watermark.
func (t *turn) askLeader(f *fetcher, parts []kafka.TopicPartition) {
	if f.pausedUntil > t.now {
		return
	}
	if !t.has(kafka.TruncationOnFetch) {
		if ask := t.unsettled(parts); len(ask) > 0 {
			t.sendOwn(f.leader, &kafka.OffsetForLeaderEpochRequest{Replica: t.id, Partitions: ask})
			f.inFlight = append(f.inFlight, t.correlation)
		}
	}
	news := t.newsFor(f, parts)
	if len(f.inFlight) > 0 && len(news) == 0 {
		return
	}
	t.sendOwn(f.leader, &kafka.FetchRequest{
		Version: kafka.MaxVersion(kafka.FetchAPI, t.config.Release()), Replica: t.id,
		MaxWait: t.config.Duration("replica.fetch.wait.max.ms"), MinBytes: int(t.config.Int("replica.fetch.min.bytes")),
		Partitions: news,
	})
	f.inFlight = append(f.inFlight, t.correlation)
}

// unsettled lists the partitions whose log may differ from the new leader's.
func (t *turn) unsettled(parts []kafka.TopicPartition) []kafka.PartitionEpoch {
	var ask []kafka.PartitionEpoch
	for _, tp := range parts {
		log := t.logs[tp]
		switch {
		case !log.truncating || log.settling:
		case t.has(kafka.LeaderEpochTruncation):
			log.settling = true
			ask = append(ask, kafka.PartitionEpoch{TopicPartition: tp, LeaderEpoch: log.leaderEpoch, Epoch: log.lastEpoch()})
		default:
			t.cut(tp, log.highWatermark)
			log.truncating = false
		}
	}
	return ask
}

// newsFor lists what a leader does not know yet: from where on each partition is wanted.
func (t *turn) newsFor(f *fetcher, parts []kafka.TopicPartition) []kafka.FetchPartition {
	var news []kafka.FetchPartition
	for _, tp := range parts {
		log := t.logs[tp]
		a := asking{offset: log.end(), epoch: log.leaderEpoch}
		if told, ok := f.asked[tp]; ok && (told == a || told.after > t.now) {
			continue
		}
		part := kafka.FetchPartition{TopicPartition: tp, Offset: a.offset, LeaderEpoch: a.epoch, LastEpoch: kafka.NoEpoch}
		switch {
		case t.has(kafka.TruncationOnFetch):
			part.LastEpoch = log.lastEpoch()
		case log.truncating:
			continue
		}
		f.asked[tp] = a
		news = append(news, part)
	}
	return news
}

// sendOwn sends a request of this broker's own.
func (t *turn) sendOwn(to kafka.NodeID, body kafka.Body) {
	t.correlation++
	t.out.Send(to, t.correlation, body)
}

// answered takes the request that a message answers from those in flight. It reports false for one that was given up when
// its connection was lost: its answer says nothing any more.
func (f *fetcher) answered(m *kafka.Message) bool {
	i := slices.Index(f.inFlight, m.Correlation)
	if i < 0 {
		return false
	}
	f.inFlight = slices.Delete(f.inFlight, i, i+1)
	return true
}

// copied takes up what a leader answered. Partitions that moved to another leader meanwhile are left alone.
func (t *turn) copied(m *kafka.Message, r *kafka.FetchResponse) {
	leader := m.From
	f := t.fetcherOf(leader)
	if !f.answered(m) {
		return
	}
	var moved []kafka.TopicPartition
	for i := range r.Partitions {
		part := &r.Partitions[i]
		moved = append(moved, part.TopicPartition)
		info, _ := t.cluster.Partition(part.TopicPartition)
		log := t.logs[part.TopicPartition]
		if info.Leader == leader && f.asked[part.TopicPartition] == (asking{offset: log.end(), epoch: log.leaderEpoch}) {
			t.copyPart(f, log, part)
			t.watchRetention([]kafka.TopicPartition{part.TopicPartition})
		}
	}
	t.retestFetches(moved) // of consumers that read from this follower
	t.follow()
}

// copyPart takes up one partition of a leader's answer: records to append, where the log diverges, or an error.
func (t *turn) copyPart(f *fetcher, log *partitionLog, part *kafka.FetchedPartition) {
	switch {
	case part.Error == kafka.OffsetOutOfRange:
		t.beginAnew(log, part)
		return
	case part.Error != kafka.None:
		f.asked[part.TopicPartition] = asking{after: t.now + fetchBackoff}
		t.retryLater(f)
		return
	case part.Diverging != nil:
		t.cutTo(part.TopicPartition, *part.Diverging)
		delete(f.asked, part.TopicPartition) // even if no record was cut, it is asked for anew: with the epoch before
		return
	}
	for _, r := range part.Records {
		if r.Offset == log.end() { // the answer to a fetch that overtook another may bring what is here already
			log.take(t.now, r)
		}
	}
	log.highWatermark = max(log.highWatermark, min(part.HighWatermark, log.end()))
	log.start = max(log.start, min(part.LogStartOffset, log.end()))
}

// beginAnew lets a follower go on where the leader's log is, when it has nothing in common with it any more. (The real follower asks for
// the leader's first and last offset with ListOffsets; here the answer with the error has them.)
func (t *turn) beginAnew(log *partitionLog, part *kafka.FetchedPartition) {
	if log.end() > part.LogStartOffset {
		t.cut(part.TopicPartition, part.LastStableOffset)
		return
	}
	log.beginAt(part.LogStartOffset)
}

// epochsEnded cuts logs where a leader says that their last epoch ends (KIP-101). If the leader does not know that epoch, the
// follower asks again with the one before (KIP-279).
func (t *turn) epochsEnded(m *kafka.Message, r *kafka.OffsetForLeaderEpochResponse) {
	leader := m.From
	f := t.fetcherOf(leader)
	if !f.answered(m) {
		return
	}
	for _, end := range r.Partitions {
		log := t.logs[end.TopicPartition]
		info, _ := t.cluster.Partition(end.TopicPartition)
		log.settling = false
		switch {
		case info.Leader != leader || !log.truncating:
		case end.Error != kafka.None:
			f.pausedUntil = t.now + fetchBackoff
			t.retryLater(f)
		default:
			asked := log.lastEpoch()
			t.cutTo(end.TopicPartition, end.EpochEnd)
			older := end.Epoch != kafka.NoEpoch && end.Epoch < asked && log.lastEpoch() != end.Epoch
			log.truncating = older && log.end() > log.start && t.has(kafka.UnknownEpochTruncation)
		}
	}
	t.follow()
}

// cutTo cuts a log to where an epoch ends, on the leader or here, whichever comes first. A leader that knows nothing of it leaves the
// high watermark.
func (t *turn) cutTo(tp kafka.TopicPartition, end kafka.EpochEnd) {
	log := t.logs[tp]
	if end.Epoch == kafka.NoEpoch {
		t.cut(tp, log.highWatermark)
		return
	}
	own := log.endOf(end.Epoch)
	if own.Epoch == kafka.NoEpoch {
		own.Offset = log.end()
	}
	t.cut(tp, min(end.Offset, own.Offset))
}

// cut cuts a log at an offset, if it is longer.
func (t *turn) cut(tp kafka.TopicPartition, offset int64) {
	log := t.logs[tp]
	end := log.end()
	log.truncate(offset)
	if log.end() < end {
		t.fact(view.Fact{Kind: view.Truncated, Partition: tp, From: log.end(), To: end})
	}
}

// retryLater lets a fetcher try again after a while: with everything that had an error until now.
func (t *turn) retryLater(f *fetcher) {
	t.setTimer(groupKey(followTimer, string(f.leader)), timer{kind: followTimer}, fetchBackoff)
}

// leaderLost forgets the requests in flight to a leader whose connection was lost, and what that leader knew.
func (t *turn) leaderLost(leader kafka.NodeID) {
	for i := range t.fetchers {
		f := &t.fetchers[i]
		if f.leader != leader || len(f.inFlight) == 0 {
			continue
		}
		f.inFlight = nil
		clear(f.asked)
		f.pausedUntil = t.now + fetchBackoff
		t.retryLater(f)
		for _, tp := range t.followed(leader) {
			t.logs[tp].settling = false
		}
	}
}
