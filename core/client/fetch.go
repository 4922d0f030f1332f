package client

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// fetcher keeps what was fetched and not yet returned (Fetcher, FetchBuffer).
type fetcher struct {
	order  []kafka.TopicPartition // in which partitions are asked for; those that delivered go to the end
	buffer []fetchedBatch         // in the order of arrival
}

// fetchedBatch is one partition's part of a Fetch reply. Its records are never changed.
type fetchedBatch struct {
	kafka.TopicPartition
	offset  int64 // it was fetched from here; stale when this is not the position any more
	records []kafka.Record
	end     int64  // the position behind it: markers and aborted records at its end are passed over
	placed  placed // the position behind it
	err     kafka.ErrorCode
}

func (f *fetcher) clone() fetcher {
	return fetcher{slices.Clone(f.order), slices.Clone(f.buffer)}
}

// assigned drops what belongs to partitions that are not assigned any more.
func (f *fetcher) assigned(parts []kafka.TopicPartition) {
	f.order = slices.DeleteFunc(f.order, func(tp kafka.TopicPartition) bool { return !slices.Contains(parts, tp) })
	for _, tp := range parts {
		if !slices.Contains(f.order, tp) {
			f.order = append(f.order, tp)
		}
	}
	f.buffer = slices.DeleteFunc(f.buffer, func(b fetchedBatch) bool { return !slices.Contains(parts, b.TopicPartition) })
}

func (f *fetcher) buffered(tp kafka.TopicPartition) bool {
	return slices.ContainsFunc(f.buffer, func(b fetchedBatch) bool { return b.TopicPartition == tp })
}

func (f *fetcher) moveToEnd(tp kafka.TopicPartition) {
	if i := slices.Index(f.order, tp); i >= 0 {
		f.order = append(slices.Delete(f.order, i, i+1), tp)
	}
}

// sendFetches asks every leader that is not already busy with a Fetch of ours for all partitions that have a position,
// are not paused and have nothing in the buffer (AbstractFetch.prepareFetchRequests).
func (t *turn) sendFetches() {
	var leaders []kafka.NodeID
	wanted := map[kafka.NodeID][]kafka.FetchPartition{}
	for _, tp := range t.fetcher.order {
		p := t.sub(tp)
		if p == nil || p.position == kafka.NoOffset || p.paused || t.fetcher.buffered(tp) || t.unvalidated(p) {
			continue
		}
		leader := t.readReplica(p)
		if leader == "" || t.network.inFlightTo(leader, kafka.FetchAPI) || !t.network.reachable(fetching(leader), t.now) {
			continue
		}
		if wanted[leader] == nil {
			leaders = append(leaders, leader)
		}
		wanted[leader] = append(wanted[leader], kafka.FetchPartition{
			TopicPartition: tp, Offset: p.position, MaxBytes: t.settings.partitionBytes, LeaderEpoch: t.leaderEpoch(tp),
		})
	}
	for _, leader := range leaders {
		t.send(leader, &kafka.FetchRequest{
			Version:       t.version(kafka.FetchAPI, leader),
			MaxWait:       t.settings.fetchMaxWait,
			MinBytes:      t.settings.fetchMinBytes,
			MaxBytes:      t.settings.fetchMaxBytes,
			ReadCommitted: t.settings.readCommitted,
			Rack:          t.settings.rack,
			ClientID:      t.headerID(),
			Partitions:    wanted[leader],
		}, "")
	}
}

// fetching names the connection to a broker that serves fetches. The one to a coordinator is another, which no quota for fetching holds up.
func fetching(broker kafka.NodeID) kafka.NodeID { return broker + " fetching" }

// headerID is the client.id, if it is another than the name of the node.
func (c *Consumer) headerID() string {
	if c.settings.clientID == string(c.spec.ID) {
		return ""
	}
	return c.settings.clientID
}

// readReplica is the broker that a partition is fetched from: its leader, or the replica that the leader has named, for as long as
// metadata.max.age.ms (KIP-392; SubscriptionState.preferredReadReplica).
func (t *turn) readReplica(p *partition) kafka.NodeID {
	if p.preferred != "" && t.now < p.preferredUntil && t.network.reachable(p.preferred, t.now) {
		return p.preferred
	}
	p.preferred = ""
	return t.reachableLeader(p.TopicPartition)
}

// redirected takes up that a leader has named a replica to fetch from.
func (t *turn) redirected(part *kafka.FetchedPartition) {
	if p := t.sub(part.TopicPartition); p != nil && part.PreferredReplica != "" {
		p.preferred, p.preferredUntil = part.PreferredReplica, t.now+t.settings.metadataAge
	}
}

// fetched puts a reply into the buffer.
func (t *turn) fetched(req request, reply *kafka.FetchResponse) {
	switch {
	case reply.Throttle > 0:
		t.network.backOff(fetching(req.to), t.now+time.Duration(reply.Throttle))
	case reply.Empty() && t.now == req.deadline-t.settings.requestTimeout:
		t.network.backOff(fetching(req.to), t.now+shortestWait) // with fetch.max.wait.ms=0 over a link without latency
	}
	asked := req.body.(*kafka.FetchRequest).Partitions
	for _, part := range reply.Partitions {
		t.redirected(&part)
		i := slices.IndexFunc(asked, func(f kafka.FetchPartition) bool { return f.TopicPartition == part.TopicPartition })
		if part.Partial > 0 {
			part.Error = kafka.MessageTooLarge // of the client's own making: it can do nothing with a piece of a record
		}
		if i < 0 || t.sub(part.TopicPartition) == nil || part.Error == kafka.None && len(part.Records) == 0 {
			continue
		}
		t.fetcher.buffer = append(t.fetcher.buffer, fetchedBatch{
			TopicPartition: part.TopicPartition, offset: asked[i].Offset, records: visible(&part), err: part.Error, end: endOf(&part),
			placed: placed{epochOf(&part), asked[i].LeaderEpoch},
		})
		t.fetcher.moveToEnd(part.TopicPartition)
		if n := len(part.Records); n > 0 {
			t.fact(view.Fact{Kind: view.RecordsBuffered, Partition: part.TopicPartition,
				From: part.Records[0].Offset, To: part.Records[n-1].Offset + 1})
		}
	}
}

// endOf is the offset behind the records of a fetched partition.
func endOf(part *kafka.FetchedPartition) int64 {
	if n := len(part.Records); n > 0 {
		return part.Records[n-1].Offset + 1
	}
	return kafka.NoOffset
}

// epochOf is the leader epoch of the last record of a fetched partition.
func epochOf(part *kafka.FetchedPartition) kafka.Epoch {
	if n := len(part.Records); n > 0 {
		return part.Records[n-1].Epoch
	}
	return kafka.NoEpoch
}

// visible are the records that the application is given: neither markers, nor, with read_committed, those of aborted transactions,
// which the reply lists (CompletedFetch.nextFetchedRecord; replication.md section 9).
func visible(part *kafka.FetchedPartition) []kafka.Record {
	if !slices.ContainsFunc(part.Records, func(r kafka.Record) bool { return r.Stamp != nil && r.Stamp.Transactional }) {
		return part.Records
	}
	waiting := slices.SortedFunc(slices.Values(part.Aborted), func(a, b kafka.AbortedTransaction) int { return cmp.Compare(a.FirstOffset, b.FirstOffset) })
	var records []kafka.Record
	var aborting []int64 // producers whose records are being left out, up to their next marker
	for _, r := range part.Records {
		for len(waiting) > 0 && waiting[0].FirstOffset <= r.Offset {
			aborting = append(aborting, waiting[0].ProducerID)
			waiting = waiting[1:]
		}
		switch {
		case r.Stamp == nil:
			records = append(records, r)
		case r.Stamp.Marker != kafka.NoMarker:
			aborting = slices.DeleteFunc(aborting, func(id int64) bool { return id == r.Stamp.ProducerID })
		case !slices.Contains(aborting, r.Stamp.ProducerID):
			records = append(records, r)
		}
	}
	return records
}

// batch is what the last poll returned, and how far the program has come with it.
type batch struct {
	parts  []returned
	part   int // the part at hand
	record int // the record at hand, in that part
}

// returned is one partition's records in a batch, never changed.
type returned struct {
	kafka.TopicPartition
	records []kafka.Record
}

// current is the record at hand; false when none is left.
func (b *batch) current() (kafka.TopicPartition, *kafka.Record, bool) {
	if b.part >= len(b.parts) {
		return kafka.TopicPartition{}, nil, false
	}
	p := &b.parts[b.part]
	return p.TopicPartition, &p.records[b.record], true
}

// next moves on to the next record, if there is one: a loop or a poll within the loop can have used up the batch.
func (b *batch) next() {
	if b.part >= len(b.parts) {
		return
	}
	b.record++
	if b.record == len(b.parts[b.part].records) {
		b.part, b.record = b.part+1, 0
	}
}

// size is the number of records in the batch.
func (b *batch) size() int {
	n := 0
	for _, p := range b.parts {
		n += len(p.records)
	}
	return n
}

// left is the number of records that the program has not finished.
func (b *batch) left() int {
	n := -b.record
	for _, p := range b.parts[min(b.part, len(b.parts)):] {
		n += len(p.records)
	}
	return max(0, n)
}

// collect takes up to max.poll.records from the buffer, draining one partition's fetch before the next, and moves the
// positions past them (FetchCollector). An error in the buffer becomes an exception, or a reset.
func (t *turn) collect() (exception string) {
	t.batch = batch{}
	room := t.settings.maxPollRecords
	f := &t.fetcher
	for room > 0 && len(f.buffer) > 0 {
		b := &f.buffer[0]
		p := t.sub(b.TopicPartition)
		switch {
		case p == nil || p.position != b.offset || t.unvalidated(p):
			// stale: fetched before a seek, a reassignment or a change of leader
		case b.err != kafka.None:
			if t.batch.size() > 0 {
				return "" // hand out what there is; the next poll meets the error
			}
			exception = t.fetchFailed(p, b.err)
		case len(b.records) == 0:
			p.position, p.placed = b.end, b.placed // there was nothing but markers and aborted records
		default:
			n := readable(b.records[:min(room, len(b.records))])
			if n == 0 {
				return t.unreadableAt(p, b)
			}
			t.batch.parts = append(t.batch.parts, returned{b.TopicPartition, b.records[:n:n]})
			room -= n
			p.position, p.placed = b.records[n-1].Offset+1, placed{b.records[n-1].Epoch, b.placed.under}
			if n < len(b.records) {
				b.records, b.offset = b.records[n:], p.position
				continue
			}
			p.position, p.placed = b.end, b.placed
		}
		f.buffer = slices.Delete(f.buffer, 0, 1)
		if exception != "" {
			return exception
		}
	}
	return ""
}

// readable is how many records come before the first that cannot be deserialized.
func readable(records []kafka.Record) int {
	for i := range records {
		if records[i].Unreadable {
			return i
		}
	}
	return len(records)
}

// unreadableAt meets a record that cannot be deserialized. What poll has already collected is returned first; then poll
// throws at the same offset again and again, until the program seeks past it (client.md section 8).
func (t *turn) unreadableAt(p *partition, b *fetchedBatch) (exception string) {
	if t.batch.size() > 0 {
		return ""
	}
	t.unreadable = unreadable{p.TopicPartition, b.records[0]}
	t.fact(view.Fact{Kind: view.RecordUnreadable, Partition: p.TopicPartition, From: b.records[0].Offset})
	return deserializationException
}

// fetchFailed reacts to the error of a fetched partition (client.md section 8).
func (t *turn) fetchFailed(p *partition, e kafka.ErrorCode) (exception string) {
	from := p.preferred
	p.preferred = ""
	switch e {
	case kafka.OffsetOutOfRange:
		if from != "" {
			return "" // a follower may lag: the leader is asked
		}
		if t.settings.reset == fromNothing {
			return offsetOutOfRangeException
		}
		p.position, p.origin = kafka.NoOffset, t.settings.reset
	case kafka.NotLeaderOrFollower, kafka.UnknownTopicOrPartition, kafka.ReplicaNotAvailable,
		kafka.KafkaStorageError, kafka.FencedLeaderEpoch, kafka.UnknownLeaderEpoch, kafka.OffsetNotAvailable:
		t.network.wantMetadata = true
		t.network.backOff(t.leaderOf(p.TopicPartition), t.now+t.settings.retry.base)
	default:
		return exceptionOf(e)
	}
	return ""
}

// leaderEpoch is the leader epoch that the client knows of a partition, so that a broker of another one refuses the fetch (KIP-320).
func (t *turn) leaderEpoch(tp kafka.TopicPartition) kafka.Epoch {
	if !t.does(kafka.PositionValidation) || t.network.cluster == nil {
		return kafka.NoEpoch
	}
	info, _ := t.network.cluster.Partition(tp)
	return kafka.Epoch(info.LeaderEpoch)
}

// fetchMemory is how many bytes of records the replies to the consumer's fetches may bring at once: max.partition.fetch.bytes for each
// partition and, since KIP-74 (Fetch version 3), at most fetch.max.bytes from each broker. One record more may come, however large.
//
// Source: KIP-81, motivation: min(brokers * fetch.max.bytes, partitions * max.partition.fetch.bytes).
func (c *Consumer) fetchMemory() int64 {
	var sum int64
	from := map[kafka.NodeID]int64{}
	for _, p := range c.subs {
		leader := c.leaderOf(p.TopicPartition)
		bytes := int64(c.settings.partitionBytes)
		if kafka.Negotiate(kafka.FetchAPI, c.release, c.network.releaseOf(leader, c.release)) >= 3 {
			bytes = min(bytes, int64(c.settings.fetchMaxBytes)-from[leader])
		}
		from[leader] += bytes
		sum += bytes
	}
	return sum
}

// leaderOf is the broker that the client believes to lead a partition.
func (c *Consumer) leaderOf(tp kafka.TopicPartition) kafka.NodeID {
	if c.network.cluster == nil {
		return ""
	}
	info, _ := c.network.cluster.Partition(tp)
	return info.Leader
}
