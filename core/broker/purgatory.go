package broker

import (
	"slices"
	"strconv"
	"time"

	"groupscope/core/kafka"
)

// parkedAppend is what waits in purgatory until all that was appended is on every in-sync replica (DelayedProduce), or
// its timer runs out. Exactly one of the others says what then happens.
type parkedAppend struct {
	key     string         // of its timer, such as "append 17"
	waits   []appendPart   `clone:"shared"`
	produce *parkedProduce `clone:"shared"`
	commit  *parkedCommit  `clone:"shared"`
	sync    *parkedSync    `clone:"shared"`
	txn     *parkedTxn     `clone:"shared"`
	markers *parkedMarkers `clone:"shared"`
}

// appendPart is one partition of an append.
type appendPart struct {
	kafka.TopicPartition
	base  int64
	end   int64       // the high watermark that is waited for
	epoch kafka.Epoch // of the leader that appended
	err   kafka.ErrorCode
}

// parkedProduce is a Produce request with acks=all. It never changes.
type parkedProduce struct {
	from    caller
	request *kafka.ProduceRequest
}

// await parks what waits for an append, for at most the given time. If nothing has to be waited for it goes on at once.
func (t *turn) await(p parkedAppend, limit time.Duration) {
	if done, result := t.appendResult(&p); done {
		t.resume(&p, result)
		return
	}
	t.parked++
	p.key = string(appendTimer) + " " + strconv.Itoa(t.parked)
	t.appends = append(t.appends, p)
	t.setTimer(p.key, timer{kind: appendTimer}, limit)
}

// appendResult tells whether an append need not wait any longer, and the outcome of each of its partitions.
func (t *turn) appendResult(p *parkedAppend) (done bool, result []kafka.ErrorCode) {
	done = true
	for _, part := range p.waits {
		err, reached := part.err, true
		if err == kafka.None {
			err, reached = t.reached(&part)
		}
		done = done && reached
		result = append(result, err)
	}
	return done, result
}

// reached tells the outcome of one partition, and whether it is settled. If too few replicas are in sync by now, the producer is told so;
// the records are in the log, and committed, all the same.
//
// Source: Partition.checkEnoughReplicasReachOffset. Since 3.7 the high watermark stays in that case, and the wait ends with its time.
func (t *turn) reached(part *appendPart) (kafka.ErrorCode, bool) {
	if err := t.leaderError(part.TopicPartition); err != kafka.None {
		return err, true
	}
	log := t.logs[part.TopicPartition]
	if log.leaderEpoch != part.epoch {
		return kafka.NotLeaderOrFollower, true // this broker leads again, but its log may have lost the records in between
	}
	info, _ := t.cluster.Partition(part.TopicPartition)
	switch {
	case log.highWatermark < part.end:
		return kafka.RequestTimedOut, false
	case len(info.ISR) < t.minISR(part.TopicPartition):
		return kafka.NotEnoughReplicasAfterAppend, true
	}
	return kafka.None, true
}

// finishAppends looks again at all that is parked.
func (t *turn) finishAppends() {
	for _, p := range slices.Clone(t.appends) {
		if done, result := t.appendResult(&p); done {
			t.unpark(p.key)
			t.resume(&p, result)
		}
	}
}

// appendTimedOut ends a wait: what has not been reached is answered REQUEST_TIMED_OUT.
func (t *turn) appendTimedOut(key string) {
	i := slices.IndexFunc(t.appends, func(p parkedAppend) bool { return p.key == key })
	p := t.appends[i]
	t.unpark(key)
	_, result := t.appendResult(&p)
	t.resume(&p, result)
}

func (t *turn) unpark(key string) {
	t.appends = slices.DeleteFunc(t.appends, func(p parkedAppend) bool { return p.key == key })
	t.stopTimer(key)
}

// resume goes on with what waited for an append.
func (t *turn) resume(p *parkedAppend, result []kafka.ErrorCode) {
	switch {
	case p.produce != nil:
		response := &kafka.ProduceResponse{}
		for i, part := range p.waits {
			response.Partitions = append(response.Partitions, part.produced(result[i]))
		}
		t.replyProduce(p.produce.from, p.produce.request, response)
	case p.commit != nil:
		t.finishCommit(p.commit, result[0])
	case p.sync != nil:
		t.finishSync(p.sync, result[0])
	case p.txn != nil:
		t.finishTxn(p.txn, result[0])
	case p.markers != nil:
		t.finishMarkers(p.markers, result)
	}
}

// produced is the answer for one partition of a Produce.
func (p *appendPart) produced(err kafka.ErrorCode) kafka.ProducedPartition {
	base := p.base
	if err != kafka.None {
		base = kafka.NoOffset
	}
	return kafka.ProducedPartition{TopicPartition: p.TopicPartition, BaseOffset: base, Error: err}
}
