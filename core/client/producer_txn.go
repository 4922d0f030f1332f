package client

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// How a producer's program ends a transaction.
const (
	CommitTransaction = "commit"
	AbortTransaction  = "abort"
	HangTransaction   = "hang" // never: the process goes on living, and does nothing any more
)

// transacting is how far a transactional producer has come (TransactionManager).
type transacting struct {
	coordinator kafka.NodeID
	finding     bool
	number      int                    // of the transaction at hand, 0 for the first
	records     int                    // of it, so far
	added       []kafka.TopicPartition `clone:"shared"` // partitions that the coordinator knows of; replaced, never changed
	busy        bool                   // a request to the coordinator is in flight
	hung        bool
	committed   int
	aborted     int
}

// producerFencedException is what a transactional producer's methods throw when another of its name has come since.
const producerFencedException = "ProducerFencedException"

// transactional reports whether the producer has a transactional.id.
func (p *Producer) transactional() bool { return p.settings.transactionalID != "" }

// perTransaction is how many records a transaction has.
func (p *Producer) perTransaction() int { return max(1, p.spec.PerTransaction) }

// ending is how the transaction at hand ends. One that is not whole when the producer closes is aborted (Sender.run).
func (p *Producer) ending() string {
	if p.quit && p.transaction.records < p.perTransaction() {
		return AbortTransaction
	}
	if len(p.spec.Ends) == 0 {
		return CommitTransaction
	}
	return p.spec.Ends[p.transaction.number%len(p.spec.Ends)]
}

// identity is how the producer names itself to the coordinator.
func (p *Producer) identity() kafka.ProducerIdentity {
	return kafka.ProducerIdentity{
		TransactionalID: p.settings.transactionalID, ProducerID: p.idempotence.id, Epoch: p.idempotence.epoch,
	}
}

// initTransactions finds the coordinator and gets the producer's id and epoch from it; it reports whether both are there.
func (t *producerTurn) initTransactions() bool {
	x, i := &t.transaction, &t.idempotence
	switch {
	case x.coordinator == "":
		if to := t.network.anyBroker(t.now); !x.finding && to != "" {
			x.finding = true
			t.send(to, &kafka.FindCoordinatorRequest{TransactionalID: t.settings.transactionalID})
		}
	case !i.known && !i.asked && t.network.reachable(x.coordinator, t.now):
		i.asked = true
		t.send(x.coordinator, &kafka.InitProducerIDRequest{TransactionalID: t.settings.transactionalID, Timeout: t.settings.transactionTimeout})
	}
	return x.coordinator != "" && i.known
}

// added reports whether a partition may be written to: in a transaction, whether its coordinator knows of it.
func (t *producerTurn) added(tp kafka.TopicPartition) bool {
	return !t.transactional() || slices.Contains(t.transaction.added, tp)
}

// announce tells the coordinator of the partitions that the transaction is about to write to.
func (t *producerTurn) announce() {
	var parts []kafka.TopicPartition
	for i := range t.batches {
		if tp := t.batches[i].TopicPartition; !t.added(tp) && !slices.Contains(parts, tp) {
			parts = append(parts, tp)
		}
	}
	x := &t.transaction
	if len(parts) > 0 && !x.busy && t.network.reachable(x.coordinator, t.now) {
		x.busy = true
		t.send(x.coordinator, &kafka.AddPartitionsToTxnRequest{ProducerIdentity: t.identity(), Partitions: parts})
	}
}

// endTransaction ends the transaction when all its records are acknowledged.
func (t *producerTurn) endTransaction() {
	x := &t.transaction
	whole := x.records >= t.perTransaction() || t.quit && x.records > 0
	if !whole || len(t.batches) > 0 || x.busy || x.hung || !t.network.reachable(x.coordinator, t.now) {
		return
	}
	end := t.ending()
	if end == HangTransaction {
		x.hung = true
		return
	}
	x.busy = true
	t.send(x.coordinator, &kafka.EndTxnRequest{ProducerIdentity: t.identity(), Commit: end == CommitTransaction})
}

// coordinatorFound takes up who coordinates the producer's transactions.
func (t *producerTurn) coordinatorFound(r *kafka.FindCoordinatorResponse) {
	t.transaction.finding = false
	if r.Error != kafka.None {
		t.refused(kafka.FindCoordinatorAPI, r.Error)
		return
	}
	t.transaction.coordinator = r.Coordinator
}

func (t *producerTurn) idGiven(r *kafka.InitProducerIDResponse) {
	t.idempotence.asked = false
	if r.Error != kafka.None {
		t.refused(kafka.InitProducerIDAPI, r.Error)
		return
	}
	t.idempotence.known, t.idempotence.id, t.idempotence.epoch = true, r.ProducerID, r.Epoch
}

func (t *producerTurn) partitionsAdded(req *kafka.AddPartitionsToTxnRequest, err kafka.ErrorCode) {
	t.transaction.busy = false
	if err != kafka.None {
		t.refused(kafka.AddPartitionsToTxnAPI, err)
		return
	}
	t.transaction.added = append(slices.Clip(t.transaction.added), req.Partitions...)
}

func (t *producerTurn) transactionEnded(req *kafka.EndTxnRequest, err kafka.ErrorCode) {
	x := &t.transaction
	x.busy = false
	if err != kafka.None {
		t.refused(kafka.EndTxnAPI, err)
		return
	}
	if req.Commit {
		x.committed++
	} else {
		x.aborted++
	}
	x.number, x.records, x.added = x.number+1, 0, nil
}

// refused reacts to an error of the coordinator: it is tried again, with another coordinator if need be, or the producer is
// at its end.
func (t *producerTurn) refused(api kafka.API, err kafka.ErrorCode) {
	t.fact(view.Fact{Kind: view.ErrorSeen, Error: err, Text: api.String()})
	switch err {
	case kafka.ProducerFenced, kafka.InvalidProducerEpoch, kafka.InvalidProducerIDMapping, kafka.InvalidTxnState, kafka.InvalidTransactionTimeout:
		t.fail(err)
		return
	case kafka.NotCoordinator, kafka.CoordinatorNotAvailable:
		t.transaction.coordinator = ""
	}
	t.retry()
}

// fail ends the program with an exception: the user closes a producer that can do nothing any more.
func (t *producerTurn) fail(err kafka.ErrorCode) {
	t.exception = kafkaException
	if err == kafka.ProducerFenced || err == kafka.InvalidProducerEpoch {
		t.exception = producerFencedException
	}
	t.fact(view.Fact{Kind: view.ExceptionThrown, Text: t.exception})
	t.quit, t.queue, t.batches = true, nil, nil
}
