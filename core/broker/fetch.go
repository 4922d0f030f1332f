package broker

import (
	"math"
	"slices"
	"strconv"

	"groupscope/core/kafka"
)

// parkedFetch is a Fetch in purgatory: it waits for fetch.min.bytes until its timer runs out.
type parkedFetch struct {
	key     string // of its timer, such as "fetch C1/17"
	from    caller
	request *kafka.FetchRequest
}

// fetch answers at once if there is nothing to wait for: no wait allowed, no partitions, enough bytes, or an error
// (client.md section 8). Otherwise it parks the request.
func (t *turn) fetch(from caller, r *kafka.FetchRequest) {
	if r.Replica != "" {
		t.followerFetch(from, r)
		return
	}
	response, done := t.readFetch(r)
	if done || r.MaxWait <= 0 || len(r.Partitions) == 0 {
		t.reply(from, t.throttled(from, r, response))
		return
	}
	key := memberKey(fetchTimer, string(from.node), strconv.Itoa(int(from.correlation)))
	t.fetches = append(t.fetches, parkedFetch{key, from, r})
	t.setTimer(key, timer{kind: fetchTimer}, r.MaxWait)
}

// retestFetches looks again at the parked fetches that read one of the changed partitions.
func (t *turn) retestFetches(changed []kafka.TopicPartition) {
	for _, f := range slices.Clone(t.fetches) {
		if slices.ContainsFunc(f.request.Partitions, func(p kafka.FetchPartition) bool {
			return slices.Contains(changed, p.TopicPartition)
		}) {
			t.retest(f)
		}
	}
}

func (t *turn) retest(f parkedFetch) {
	if _, done := t.readFetch(f.request); done {
		t.answerFetch(f.key)
	}
}

// answerFetch answers a parked fetch with what there is.
func (t *turn) answerFetch(key string) {
	i := slices.IndexFunc(t.fetches, func(f parkedFetch) bool { return f.key == key })
	parked := t.fetches[i]
	t.fetches = slices.Delete(t.fetches, i, i+1)
	t.stopTimer(key)
	response, _ := t.readFetch(parked.request)
	t.reply(parked.from, t.throttled(parked.from, parked.request, response))
}

// dropFetches forgets the parked fetches of a peer whose connection was lost. Parked JoinGroups and SyncGroups stay: a
// coordinator learns of a dead member from the session timer alone.
func (t *turn) dropFetches(peer kafka.NodeID) {
	t.fetches = slices.DeleteFunc(t.fetches, func(f parkedFetch) bool {
		if f.from.node == peer {
			t.stopTimer(f.key)
		}
		return f.from.node == peer
	})
}

// budget is what a fetch response may still take up.
type budget struct {
	bytes  int
	always bool // one record more, however large: nothing has been read yet, and KIP-74 applies
	taken  int
}

// budgetFor gives a response its limits. KIP-74: the first record of the first partition that has any is returned even if
// it is larger than all of them, so that a consumer can always get on. Fetch before version 3 has no limit for the
// whole response, and no such exception.
func (t *turn) budgetFor(r *kafka.FetchRequest) *budget {
	b := &budget{bytes: math.MaxInt}
	if r.Version >= 3 {
		b.bytes, b.always = r.MaxBytes, true
	}
	if t.has(kafka.BrokerFetchMaxBytes) {
		b.bytes = min(b.bytes, int(t.config.Int("fetch.max.bytes")))
	}
	return b
}

func (b *budget) take(size int) {
	b.taken += size
	b.bytes = max(0, b.bytes-size)
	b.always = b.always && size == 0
}

// readFetch reads what a fetch may have now; done tells that the answer need not wait: enough bytes, or an error.
func (t *turn) readFetch(r *kafka.FetchRequest) (response *kafka.FetchResponse, done bool) {
	response = &kafka.FetchResponse{}
	left := t.budgetFor(r)
	for _, p := range r.Partitions {
		part := t.readPartition(r, p, left)
		response.Partitions = append(response.Partitions, part)
		done = done || part.Error != kafka.None || part.PreferredReplica != ""
	}
	return response, done || left.taken >= r.MinBytes
}

// fetchError tells why a partition cannot be read here: this broker does not lead it, or knows of another leader's term than the one who
// asks (KIP-320). Old clients send no epoch.
func (t *turn) fetchError(p kafka.FetchPartition) kafka.ErrorCode {
	if err := t.leaderError(p.TopicPartition); err != kafka.None {
		return err
	}
	return t.epochError(p)
}

// epochError tells that this broker knows of another leader's term than the one who asks.
func (t *turn) epochError(p kafka.FetchPartition) kafka.ErrorCode {
	switch present := t.logs[p.TopicPartition].leaderEpoch; {
	case p.LeaderEpoch == kafka.NoEpoch:
		return kafka.None
	case p.LeaderEpoch < present:
		return kafka.FencedLeaderEpoch
	case p.LeaderEpoch > present:
		return kafka.UnknownLeaderEpoch
	}
	return kafka.None
}

func (t *turn) readPartition(r *kafka.FetchRequest, p kafka.FetchPartition, left *budget) kafka.FetchedPartition {
	part := kafka.FetchedPartition{
		TopicPartition: p.TopicPartition, Error: t.readError(r, p),
		HighWatermark: kafka.NoOffset, LastStableOffset: kafka.NoOffset, LogStartOffset: kafka.NoOffset,
	}
	if part.Error != kafka.None {
		return part
	}
	log := t.logs[p.TopicPartition]
	if p.Offset < log.start || p.Offset > log.end() {
		part.Error = kafka.OffsetOutOfRange
		return part
	}
	part.HighWatermark, part.LastStableOffset, part.LogStartOffset = log.highWatermark, log.lastStable(), log.start
	if part.PreferredReplica = t.nearest(r, p); part.PreferredReplica != "" {
		return part
	}
	bound := log.readableEnd(r.ReadCommitted)
	if p.Offset >= bound {
		return part
	}
	limit := min(p.MaxBytes, left.bytes)
	if left.always {
		limit = max(limit, log.at(p.Offset).Size)
	}
	records, size := log.read(p.Offset, bound, limit)
	if len(records) == 0 && r.Version < 3 {
		part.Partial = kafka.Bytes(limit)
		size = limit
	}
	part.Records = records
	if r.ReadCommitted && len(records) > 0 {
		part.Aborted = log.txns.abortedIn(p.Offset, p.Offset+int64(len(records)))
	}
	left.take(size)
	return part
}
