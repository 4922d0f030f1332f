package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// producerState is what a log knows of one idempotent producer: its epoch and its last batches (ProducerStateEntry). It follows from
// the records, so every replica has it.
type producerState struct {
	epoch   int16
	batches []batchPlace `clone:"shared"` // replaced, never changed: the oldest first, at most keptBatches; none after an epoch began with a marker
}

// batchPlace is a batch's sequence numbers, and where it is in the log.
type batchPlace struct {
	stamp       *kafka.Stamp
	first, last int32
	base        int64
}

// keptBatches is how many batches a log recognises when a retry brings them again. So an idempotent producer has at most so many
// requests in flight.
const keptBatches = 5

// noteProducer takes up a record that is appended.
func (l *partitionLog) noteProducer(r *kafka.Record) {
	if r.Stamp == nil {
		return
	}
	if l.producers == nil {
		l.producers = map[int64]producerState{}
	}
	state := l.producers[r.Stamp.ProducerID]
	if r.Stamp.Epoch != state.epoch {
		state = producerState{epoch: r.Stamp.Epoch}
	}
	switch n := len(state.batches); {
	case r.Stamp.Marker != kafka.NoMarker:
	case n > 0 && state.batches[n-1].stamp == r.Stamp:
		state.batches = slices.Clone(state.batches)
		state.batches[n-1].last++
	default:
		place := batchPlace{stamp: r.Stamp, first: r.Stamp.Sequence, last: r.Stamp.Sequence, base: r.Offset}
		state.batches = append(state.batches[max(0, n+1-keptBatches):n:n], place)
	}
	l.producers[r.Stamp.ProducerID] = state
}

// sequenceError checks the sequence numbers of a batch of a number of records. A batch that is in the log already is found: it is to be
// answered as if it had just been appended (KIP-98). A producer that the log knows nothing of may begin anywhere (KIP-360).
//
// Source: ProducerAppendInfo, ProducerStateEntry.findDuplicateBatch.
func (l *partitionLog) sequenceError(s *kafka.Stamp, records int) (found *batchPlace, err kafka.ErrorCode) {
	state, known := l.producers[s.ProducerID]
	n := len(state.batches)
	switch {
	case !known:
		return nil, kafka.None
	case s.Epoch < state.epoch:
		return nil, kafka.InvalidProducerEpoch
	case s.Epoch > state.epoch && s.Sequence != 0:
		return nil, kafka.OutOfOrderSequenceNumber
	case s.Epoch > state.epoch || n == 0:
		return nil, kafka.None
	}
	last := s.Sequence + int32(records) - 1
	for i := range state.batches {
		if b := &state.batches[i]; b.first == s.Sequence && b.last == last {
			return b, kafka.None
		}
	}
	if s.Sequence != state.batches[n-1].last+1 {
		return nil, kafka.OutOfOrderSequenceNumber
	}
	return nil, kafka.None
}

// initProducerID gives a producer its id. Ids come in blocks of a thousand for each broker (KIP-730).
func (t *turn) initProducerID(from caller, r *kafka.InitProducerIDRequest) {
	if r.TransactionalID != "" {
		t.initTransactional(from, r)
		return
	}
	t.reply(from, &kafka.InitProducerIDResponse{ProducerID: t.nextProducerID})
	t.nextProducerID++
}
