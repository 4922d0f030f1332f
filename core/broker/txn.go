package broker

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// txnState is a state of a transaction.
type txnState string

// The states (TransactionState). What is prepared will happen, whoever dies: it is in __transaction_state.
const (
	txnEmpty          txnState = "Empty"
	txnOngoing        txnState = "Ongoing"
	txnPrepareCommit  txnState = "PrepareCommit"
	txnPrepareAbort   txnState = "PrepareAbort"
	txnCompleteCommit txnState = "CompleteCommit"
	txnCompleteAbort  txnState = "CompleteAbort"
)

// transaction is what a coordinator knows of a transactional id (TransactionMetadata).
type transaction struct {
	id         string
	producerID int64
	epoch      int16
	state      txnState
	timeout    time.Duration
	began      time.Duration
	partitions []kafka.TopicPartition `clone:"shared"` // that it writes to; replaced, never changed
	unmarked   []kafka.TopicPartition `clone:"shared"` // of these, the ones whose marker is still to be written; replaced, never changed
}

func (x *transaction) prepared() bool {
	return x.state == txnPrepareCommit || x.state == txnPrepareAbort
}

// txnAbortInterval is how often a coordinator looks for transactions that have been open for too long
// (transaction.abort.timed.out.transaction.cleanup.interval.ms, which nobody changes).
const txnAbortInterval = 10 * time.Second

// txnPartition is the partition of __transaction_state that a transactional id belongs to, by the same rule as for groups.
func (b *Broker) txnPartition(id string) kafka.TopicPartition {
	topic, _ := b.cluster.Topic(kafka.TransactionsTopic)
	n := max(1, len(topic.Partitions))
	return kafka.TopicPartition{Topic: kafka.TransactionsTopic, Partition: kafka.GroupPartition(id, int32(n))}
}

// initTransactional gives a transactional producer its id and a new epoch, which fences older producers of that name. What those have
// left open is aborted first; meanwhile the new one is to come again.
//
// Source: TransactionCoordinator.handleInitProducerId.
func (t *turn) initTransactional(from caller, r *kafka.InitProducerIDRequest) {
	refuse := func(err kafka.ErrorCode) {
		t.reply(from, &kafka.InitProducerIDResponse{Error: err, ProducerID: -1, Epoch: -1})
	}
	if !t.leads(t.txnPartition(r.TransactionalID)) {
		refuse(kafka.NotCoordinator)
		return
	}
	if r.Timeout > t.config.Duration("transaction.max.timeout.ms") {
		refuse(kafka.InvalidTransactionTimeout)
		return
	}
	x := t.txns[r.TransactionalID]
	switch {
	case x == nil:
		x = &transaction{id: r.TransactionalID, producerID: t.nextProducerID, state: txnEmpty}
		t.nextProducerID++
		t.txns[x.id] = x
	case x.prepared():
		refuse(kafka.ConcurrentTransactions)
		return
	case x.state == txnOngoing:
		x.epoch++
		t.prepare(x, txnPrepareAbort, caller{})
		refuse(kafka.ConcurrentTransactions)
		return
	default:
		x.epoch++
		x.state = txnEmpty
	}
	x.timeout = r.Timeout
	t.storeTxn(x, from, &kafka.InitProducerIDResponse{ProducerID: x.producerID, Epoch: x.epoch},
		&kafka.InitProducerIDResponse{Error: kafka.CoordinatorNotAvailable, ProducerID: -1, Epoch: -1})
}

// transactionOf finds the transaction that a producer means, or tells why it may not go on with it: another producer of that name
// has come since, or the coordinator has aborted it for its age.
func (t *turn) transactionOf(p kafka.ProducerIdentity) (*transaction, kafka.ErrorCode) {
	x := t.txns[p.TransactionalID]
	switch {
	case !t.leads(t.txnPartition(p.TransactionalID)):
		return nil, kafka.NotCoordinator
	case x == nil || x.producerID != p.ProducerID:
		return nil, kafka.InvalidProducerIDMapping
	case x.epoch != p.Epoch && t.has(kafka.ProducerFencedCode):
		return nil, kafka.ProducerFenced
	case x.epoch != p.Epoch:
		return nil, kafka.InvalidProducerEpoch
	case x.prepared():
		return x, kafka.ConcurrentTransactions
	}
	return x, kafka.None
}

// addToTxn makes partitions a part of a transaction, which begins with the first.
func (t *turn) addToTxn(from caller, p kafka.ProducerIdentity, added []kafka.TopicPartition, reply func(kafka.ErrorCode) kafka.Body) {
	x, err := t.transactionOf(p)
	if err != kafka.None {
		t.reply(from, reply(err))
		return
	}
	if x.state != txnOngoing {
		x.state, x.began, x.partitions = txnOngoing, t.now, nil
		t.watchTxn(x)
	}
	for _, tp := range added {
		if !slices.Contains(x.partitions, tp) {
			x.partitions = append(slices.Clip(x.partitions), tp)
		}
	}
	t.storeTxn(x, from, reply(kafka.None), reply(kafka.CoordinatorNotAvailable))
}

func (t *turn) addPartitionsToTxn(from caller, r *kafka.AddPartitionsToTxnRequest) {
	t.addToTxn(from, r.ProducerIdentity, r.Partitions, func(err kafka.ErrorCode) kafka.Body {
		return &kafka.AddPartitionsToTxnResponse{Error: err}
	})
}

func (t *turn) addOffsetsToTxn(from caller, r *kafka.AddOffsetsToTxnRequest) {
	offsets := []kafka.TopicPartition{t.offsetsPartition(r.Group)}
	t.addToTxn(from, r.ProducerIdentity, offsets, func(err kafka.ErrorCode) kafka.Body {
		return &kafka.AddOffsetsToTxnResponse{Error: err}
	})
}

// endTxn decides a transaction. The producer is answered when the decision is stored; the markers follow.
func (t *turn) endTxn(from caller, r *kafka.EndTxnRequest) {
	state := txnPrepareAbort
	if r.Commit {
		state = txnPrepareCommit
	}
	x, err := t.transactionOf(r.ProducerIdentity)
	switch {
	case err == kafka.ConcurrentTransactions && x.state == state, err == kafka.None && x.state == state.complete():
		err = kafka.None // it comes a second time, its answer was lost
	case err == kafka.None && x.state != txnOngoing:
		err = kafka.InvalidTxnState
	case err == kafka.None:
		t.prepare(x, state, from)
		return
	}
	t.reply(from, &kafka.EndTxnResponse{Error: err})
}

// complete is the state in which a prepared one ends.
func (s txnState) complete() txnState {
	if s == txnPrepareCommit {
		return txnCompleteCommit
	}
	return txnCompleteAbort
}

// prepare decides how a transaction ends, and answers who asked for it.
func (t *turn) prepare(x *transaction, state txnState, from caller) {
	x.state, x.unmarked = state, x.partitions
	t.stopTimer(groupKey(txnTimer, x.id))
	t.storeTxn(x, from, &kafka.EndTxnResponse{}, &kafka.EndTxnResponse{Error: kafka.CoordinatorNotAvailable})
}

// watchTxn sets the timer of the check that finds a transaction too old.
func (t *turn) watchTxn(x *transaction) {
	end := max(t.now, x.began+x.timeout) + txnAbortInterval
	t.setTimer(groupKey(txnTimer, x.id), timer{kind: txnTimer, member: x.id}, end-end%txnAbortInterval-t.now)
}

// txnTimedOut aborts a transaction that has been open for too long, and fences its producer.
func (t *turn) txnTimedOut(id string) {
	if x := t.txns[id]; x.state == txnOngoing {
		x.epoch++
		t.prepare(x, txnPrepareAbort, caller{})
	}
}

// parkedTxn is a change of a transaction that is being stored. It never changes.
type parkedTxn struct {
	id      string
	epoch   int16
	state   txnState
	from    caller
	stored  kafka.Body // the answer when it is stored
	refusal kafka.Body // the answer when it could not be
}

// storeTxn writes a transaction to __transaction_state as it is now.
func (t *turn) storeTxn(x *transaction, from caller, stored, refusal kafka.Body) {
	t.fact(view.Fact{Kind: view.TransactionState, Member: x.id, Text: string(x.state), To: int64(x.epoch)})
	kept := *x
	record := kafka.Record{
		Timestamp: t.now, Key: "transaction " + x.id, Content: &kept,
		Value: fmt.Sprintf("%s, producer %d epoch %d, %v", x.state, x.producerID, x.epoch, x.partitions),
	}
	record.Size = len(record.Key) + len(record.Value)
	part := t.appendBatch(kafka.ProducePartition{TopicPartition: t.txnPartition(x.id), Records: []kafka.Record{record}}, acksAll)
	wait := &parkedTxn{x.id, x.epoch, x.state, from, stored, refusal}
	t.appendedFor(parkedAppend{waits: []appendPart{part}, txn: wait}, part.changed(), t.storeLimit())
}

// finishTxn goes on when a change is stored, or could not be.
func (t *turn) finishTxn(p *parkedTxn, err kafka.ErrorCode) {
	if p.from.waits() {
		answer := p.stored
		if err != kafka.None {
			answer = p.refusal
		}
		t.reply(p.from, answer)
	}
	x := t.txns[p.id]
	if x != nil && x.state == p.state && x.epoch == p.epoch && x.prepared() {
		t.sendMarkers(x)
	}
}

// loadTxns replays a partition of __transaction_state: the last record of a transactional id counts. What was prepared is brought to
// its end.
func (t *turn) loadTxns(tp kafka.TopicPartition) {
	log := t.logs[tp]
	var ids []string
	for offset := log.start; offset < log.end(); offset++ {
		kept := *log.at(offset).Content.(*transaction)
		t.txns[kept.id] = &kept
		if !slices.Contains(ids, kept.id) {
			ids = append(ids, kept.id)
		}
	}
	for _, id := range ids {
		switch x := t.txns[id]; {
		case x.prepared():
			t.sendMarkers(x)
		case x.state == txnOngoing:
			t.watchTxn(x)
		}
	}
}

// unloadTxns forgets the transactions of a partition of __transaction_state that another broker leads now.
func (t *turn) unloadTxns(tp kafka.TopicPartition) {
	for _, id := range slices.Sorted(maps.Keys(t.txns)) {
		if t.txnPartition(id) == tp {
			t.stopTimer(groupKey(txnTimer, id))
			t.stopTimer(groupKey(markersTimer, id))
			delete(t.txns, id)
		}
	}
}
