package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// flush sends what can be sent: one Produce request for each leader.
func (t *producerTurn) flush() {
	if t.refresh(); t.exception != "" || t.network.cluster == nil || !t.hasID() {
		return
	}
	t.accumulate()
	if t.retrying {
		return
	}
	if t.transactional() {
		t.announce()
		t.endTransaction()
	}
	var leaders []kafka.NodeID
	parts := map[kafka.NodeID][]kafka.ProducePartition{}
	var busy []kafka.TopicPartition // a batch of theirs goes now, or holds up those behind it
	stuck := len(t.queue) > 0 && !t.transactional()
	for i := range t.batches {
		b := &t.batches[i]
		if t.mustWait(b, busy) {
			continue
		}
		leader := t.leader(b.TopicPartition)
		switch {
		case t.heldUntil(b, leader) > t.now:
			t.linger(t.heldUntil(b, leader))
			busy = append(busy, b.TopicPartition)
			continue
		case leader == "":
			stuck = true
			busy = append(busy, b.TopicPartition)
			continue
		case t.inFlightProduces(leader) >= t.settings.maxInFlight:
			busy = append(busy, b.TopicPartition)
			continue
		}
		if parts[leader] == nil {
			leaders = append(leaders, leader)
		}
		busy = append(busy, b.TopicPartition)
		parts[leader] = append(parts[leader], t.launch(b))
	}
	for _, leader := range leaders {
		t.send(leader, &kafka.ProduceRequest{
			Version:         kafka.Negotiate(kafka.ProduceAPI, t.release, t.network.releaseOf(leader, t.release)),
			ClientID:        t.headerID(),
			TransactionalID: t.settings.transactionalID,
			Acks:            t.settings.acks,
			Timeout:         t.settings.requestTimeout,
			Partitions:      parts[leader],
		})
	}
	t.forgetUnanswered()
	if stuck {
		t.network.wantMetadata = true
		t.retry()
	}
}

// mustWait reports whether a batch is on its way, or one before it of the same partition goes first: in the same request there is
// one batch of each partition, and an idempotent producer keeps their order over retries.
func (t *producerTurn) mustWait(b *outBatch, busy []kafka.TopicPartition) bool {
	if b.flying || slices.Contains(busy, b.TopicPartition) || !t.added(b.TopicPartition) {
		return true
	}
	return t.settings.idempotent && b.stamp == nil && slices.ContainsFunc(t.batches, func(o outBatch) bool {
		return o.TopicPartition == b.TopicPartition && o.tries > 0
	})
}

// launch numbers a batch if need be, and makes the part of a request that carries it.
func (t *producerTurn) launch(b *outBatch) kafka.ProducePartition {
	b.flying = true
	if t.settings.idempotent && b.stamp == nil {
		b.stamp = t.idempotence.stamp(b.TopicPartition, len(b.records), t.transactional())
	}
	if t.settings.sticky && !t.full(b) {
		t.switches++ // the batch is closed before it is full
	}
	return kafka.ProducePartition{TopicPartition: b.TopicPartition, Stamp: b.stamp, Records: b.records}
}

// forgetUnanswered counts batches as done that nobody will answer for.
func (t *producerTurn) forgetUnanswered() {
	if t.settings.acks == 0 {
		t.batches = slices.DeleteFunc(t.batches, func(b outBatch) bool { return b.flying })
	}
}

// leader finds who leads a partition; "" when nobody can be asked now.
func (t *producerTurn) leader(tp kafka.TopicPartition) kafka.NodeID {
	info, _ := t.network.cluster.Partition(tp)
	if info.Leader == "" || !t.network.reachable(info.Leader, t.now) {
		return ""
	}
	return info.Leader
}

// heldUntil is when a batch may go: when it has lingered, and no quota closes the way to its leader any more.
func (t *producerTurn) heldUntil(b *outBatch, leader kafka.NodeID) time.Duration {
	return max(t.lingers(b), t.network.mayRetry(producing(leader)))
}

// producing names the connection to a broker as the one for records, which a quota closes for a while.
func producing(broker kafka.NodeID) kafka.NodeID { return broker + " producing" }

// headerID is the client.id, if it is set to another than the name of the node.
func (p *Producer) headerID() string {
	if p.settings.clientID == string(p.spec.ID) {
		return ""
	}
	return p.settings.clientID
}

func (t *producerTurn) inFlightProduces(to kafka.NodeID) int {
	n := 0
	for _, r := range t.network.pending {
		if r.to == to && r.body.API() == kafka.ProduceAPI {
			n++
		}
	}
	return n
}

func (t *producerTurn) linger(until time.Duration) {
	if t.lingerUntil == 0 || until < t.lingerUntil {
		t.lingerUntil = until
		t.out.SetTimer(lingerTimer, until)
	}
}

func (t *producerTurn) send(to kafka.NodeID, body kafka.Body) {
	n := &t.network
	n.correlation++
	produce, ok := body.(*kafka.ProduceRequest)
	if ok {
		for _, p := range produce.Partitions {
			t.fact(view.Fact{Kind: view.RecordSent, Partition: p.TopicPartition, From: t.made - 1, To: int64(len(p.Records))})
		}
	}
	if !ok || produce.Acks != 0 {
		n.pending = append(n.pending, request{correlation: n.correlation, to: to, body: body, deadline: t.now + t.settings.requestTimeout})
	}
	t.out.Send(to, n.correlation, body)
}

// refresh asks for metadata when it is wanted.
func (t *producerTurn) refresh() {
	n := &t.network
	if !n.wantMetadata || n.inFlight(kafka.MetadataAPI) || n.metadataAt > t.now {
		return
	}
	if to := n.anyBroker(t.now); to != "" {
		n.wantMetadata = false
		n.metadataAt = t.now + t.settings.retry.base
		t.send(to, &kafka.MetadataRequest{Topics: []string{t.spec.Topic}})
	}
}

// hasID reports whether the producer may send: an idempotent one asks any broker for its id first.
func (t *producerTurn) hasID() bool {
	i := &t.idempotence
	switch {
	case !t.settings.idempotent:
		return true
	case t.retrying && (!i.known || t.transactional() && t.transaction.coordinator == ""):
		return false
	case t.transactional():
		return t.initTransactions()
	case i.known:
		return true
	}
	if to := t.network.anyBroker(t.now); !i.asked && to != "" {
		i.asked = true
		t.send(to, &kafka.InitProducerIDRequest{})
	}
	return false
}

// retry wakes the producer after retry.backoff.ms.
func (t *producerTurn) retry() {
	if !t.retrying {
		t.retrying = true
		t.failures++
		t.out.SetTimer(retryTimer, t.now+t.settings.retry.after(t.failures))
	}
}

func (t *producerTurn) receive(m *kafka.Message) {
	req, ok := t.network.answered(m.Correlation)
	if !ok {
		return
	}
	t.network.heardFrom(req.to)
	switch reply := m.Body.(type) {
	case *kafka.MetadataResponse:
		t.network.cluster = reply.Cluster
		t.out.SetTimer(refreshTimer, t.now+t.settings.metadataAge)
	case *kafka.InitProducerIDResponse:
		t.idGiven(reply)
	case *kafka.FindCoordinatorResponse:
		t.coordinatorFound(reply)
	case *kafka.AddPartitionsToTxnResponse:
		t.partitionsAdded(req.body.(*kafka.AddPartitionsToTxnRequest), reply.Error)
	case *kafka.EndTxnResponse:
		t.transactionEnded(req.body.(*kafka.EndTxnRequest), reply.Error)
	case *kafka.ProduceResponse:
		if reply.Throttle > 0 && kafka.ClientThrottles.Client(t.release) {
			t.network.backOff(producing(req.to), t.now+time.Duration(reply.Throttle))
		}
		t.produced(req.body.(*kafka.ProduceRequest), reply)
	}
}

func (t *producerTurn) produced(req *kafka.ProduceRequest, reply *kafka.ProduceResponse) {
	for i, p := range reply.Partitions {
		b := t.batchOf(&req.Partitions[i])
		if b < 0 {
			continue
		}
		n := int64(len(t.batches[b].records))
		switch p.Error {
		case kafka.None, kafka.DuplicateSequenceNumber:
			t.acked += n
			t.failures = 0
			t.fact(view.Fact{Kind: view.RecordAcked, Partition: p.TopicPartition, From: p.BaseOffset, To: p.BaseOffset + n})
			t.batches = slices.Delete(t.batches, b, b+1)
		case kafka.InvalidProducerEpoch, kafka.ProducerFenced:
			if t.transactional() {
				t.refused(kafka.ProduceAPI, p.Error)
				return
			}
			t.giveUp(func(o *outBatch) bool { return sameBatch(o, &req.Partitions[i]) }, p.Error)
		case kafka.MessageTooLarge, kafka.InvalidTopic, kafka.TopicAuthorizationFailed:
			t.giveUp(func(o *outBatch) bool { return sameBatch(o, &req.Partitions[i]) }, p.Error)
		default:
			t.fact(view.Fact{Kind: view.ErrorSeen, Partition: p.TopicPartition, Error: p.Error, Text: kafka.ProduceAPI.String()})
			t.again(&req.Partitions[i], p.Error)
		}
	}
}

// batchOf finds the batch that a part of a request carried; -1 if it has been given up.
func (t *producerTurn) batchOf(p *kafka.ProducePartition) int {
	return slices.IndexFunc(t.batches, func(b outBatch) bool { return sameBatch(&b, p) })
}

// sameBatch reports whether a part of a request carried a batch: records are told apart by their values.
func sameBatch(b *outBatch, p *kafka.ProducePartition) bool {
	return b.TopicPartition == p.TopicPartition && b.flying && b.records[0].Value == p.Records[0].Value
}

// again lets a batch that failed for now be sent again, unless it has been tried often enough.
func (t *producerTurn) again(p *kafka.ProducePartition, err kafka.ErrorCode) {
	i := t.batchOf(p)
	if i < 0 {
		return
	}
	b := &t.batches[i]
	b.tries++
	if b.tries > t.settings.retries {
		t.giveUp(func(o *outBatch) bool { return sameBatch(o, p) }, err)
	} else {
		b.flying = false
	}
	t.network.wantMetadata = true
	t.retry()
}

func (t *producerTurn) disconnected(peer kafka.NodeID) {
	t.network.lostConnection(peer, t.now, t.settings.reconnect)
	t.network.wantMetadata = true
	t.network.drop(peer)
	if t.transaction.coordinator == peer {
		t.transaction.coordinator = ""
	}
	t.takeLosses()
	t.retry()
}

// takeLosses takes up that requests will have no answer. Whether their records are in the log nobody can tell.
func (t *producerTurn) takeLosses() {
	for _, d := range t.network.inbox {
		switch r := d.lost.body.(type) {
		case *kafka.ProduceRequest:
			for i := range r.Partitions {
				t.again(&r.Partitions[i], kafka.RequestTimedOut)
			}
		case *kafka.InitProducerIDRequest:
			t.idempotence.asked = false
		case *kafka.FindCoordinatorRequest:
			t.transaction.finding = false
		case *kafka.AddPartitionsToTxnRequest, *kafka.EndTxnRequest:
			t.transaction.busy = false
		}
	}
	t.network.inbox = nil
}

// expire gives up on requests that waited too long, and on batches whose time for delivery is over.
func (t *producerTurn) expire() {
	for _, r := range slices.Clone(t.network.pending) {
		if r.deadline <= t.now {
			t.out.Hangups = append(t.out.Hangups, r.to)
			t.disconnected(r.to)
		}
	}
	if limit := t.settings.deliveryTimeout; limit > 0 {
		t.giveUp(func(b *outBatch) bool { return b.began+limit <= t.now }, kafka.RequestTimedOut)
	}
}

// watchTimeouts sets the timer of the next request or delivery that runs out of time.
func (t *producerTurn) watchTimeouts() {
	at := t.network.firstDeadline()
	if limit := t.settings.deliveryTimeout; limit > 0 {
		for i := range t.batches {
			if end := t.batches[i].began + limit; at == 0 || end < at {
				at = end
			}
		}
	}
	if at == 0 {
		t.out.StopTimer(timeoutTimer)
		return
	}
	t.out.SetTimer(timeoutTimer, at)
}
