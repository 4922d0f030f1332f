package client

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Producer is a producer process that sends records at a steady pace. Every record is a batch of its own, as with
// linger.ms 0 at a low rate. Records without a key go to the partitions in turn: the releases since 2.4 stick to one
// partition for a batch and draw the next at random, which with batches of one comes to the same in the long run.
type Producer struct {
	spec      *ProducerSpec // never changed
	release   kafka.Release
	acks      int16
	timeout   time.Duration
	backoff   pause
	reconnect pause
	network   network
	made      int64 // records made so far
	acked     int64
	failed    int64
	queue     []outgoing // made and not sent, or to be sent again
	quit      bool
	retrying  bool // the retry timer runs
	failures  int  // retries in a row
}

// outgoing is a record that waits to be sent.
type outgoing struct {
	partition int32 // -1: not chosen yet, for want of metadata
	record    kafka.Record
}

// The timers of a producer.
const (
	sendTimer  = "send"
	retryTimer = "retry"
)

// NewProducer makes a producer. The config is of kafka.ProducerScope and valid.
func NewProducer(spec *ProducerSpec, config kafka.Config, bootstrap []kafka.NodeID) *Producer {
	p := &Producer{
		spec: spec, release: config.Release(), acks: 1,
		timeout:   config.Duration("request.timeout.ms"),
		backoff:   readPause(config, "retry.backoff.ms", "retry.backoff.max.ms"),
		reconnect: readPause(config, "reconnect.backoff.ms", "reconnect.backoff.max.ms"),
	}
	switch config.String("acks") {
	case "0":
		p.acks = 0
	case "all", "-1":
		p.acks = -1
	}
	p.network.bootstrap = bootstrap
	return p
}

// Clone returns a copy that shares only the spec, messages and records.
func (p *Producer) Clone() node.Node {
	c := *p
	c.network = p.network.clone()
	c.queue = slices.Clone(p.queue)
	return &c
}

// Handle takes one input.
func (p *Producer) Handle(now time.Duration, in node.Input, out *node.Out) {
	t := &producerTurn{Producer: p, now: now, out: out}
	switch in.Kind {
	case node.Start:
		t.fact(view.Fact{Kind: view.NodeStarted})
		t.out.SetTimer(sendTimer, now)
		t.network.wantMetadata = true
	case node.Receive:
		t.receive(in.Message)
	case node.Disconnected:
		t.disconnected(in.Peer)
	case node.Timer:
		t.fired(in.Timer)
	case node.Tell:
		t.quit = t.quit || in.Command.Do == DoClose
	}
	t.flush()
	if t.quit && len(t.queue) == 0 && len(t.network.pending) == 0 {
		t.fact(view.Fact{Kind: view.NodeClosed})
		t.out.Ended = true
	}
}

// producerTurn is one call of Handle.
type producerTurn struct {
	*Producer
	now time.Duration
	out *node.Out
}

func (t *producerTurn) fact(f view.Fact) {
	f.Node = t.spec.ID
	t.out.Fact(f)
}

func (t *producerTurn) fired(key string) {
	if key == retryTimer {
		t.retrying = false
		return
	}
	spec := t.spec
	done := spec.Count > 0 && t.made >= int64(spec.Count) || spec.Stop > 0 && t.now >= spec.Stop
	if done || t.quit {
		return
	}
	t.queue = append(t.queue, outgoing{partition: -1, record: t.make()})
	t.out.SetTimer(sendTimer, t.now+spec.Every)
}

// make makes the next record.
func (t *producerTurn) make() kafka.Record {
	spec := t.spec
	r := kafka.Record{
		Timestamp: t.now, NullKey: true, Headers: spec.Headers, Size: spec.Size,
		Value: fmt.Sprintf("%s-%d", spec.ID, t.made),
	}
	if r.Size == 0 {
		r.Size = 100
	}
	if len(spec.Keys) > 0 {
		r.NullKey = false
		r.Key = spec.Keys[t.made%int64(len(spec.Keys))]
	}
	t.made++
	return r
}

// flush sends what can be sent: one Produce request for each leader.
func (t *producerTurn) flush() {
	if t.refresh(); t.network.cluster == nil || t.retrying {
		return
	}
	var leaders []kafka.NodeID
	batches := map[kafka.NodeID][]kafka.ProducePartition{}
	t.queue = slices.DeleteFunc(t.queue, func(o outgoing) bool {
		tp, leader := t.place(&o)
		if leader == "" {
			return false
		}
		if batches[leader] == nil {
			leaders = append(leaders, leader)
		}
		batches[leader] = addRecord(batches[leader], tp, o.record)
		return true
	})
	for _, leader := range leaders {
		t.send(leader, &kafka.ProduceRequest{Acks: t.acks, Timeout: t.timeout, Partitions: batches[leader]})
	}
	if len(t.queue) > 0 {
		t.network.wantMetadata = true
		t.retry()
	}
}

// place chooses the partition of a record, once, and finds who leads it; "" when nobody can be asked now.
func (t *producerTurn) place(o *outgoing) (kafka.TopicPartition, kafka.NodeID) {
	topic, ok := t.network.cluster.Topic(t.spec.Topic)
	if !ok {
		return kafka.TopicPartition{}, ""
	}
	if o.partition < 0 {
		n := int32(len(topic.Partitions))
		o.partition = kafka.KeyPartition(o.record.Key, n)
		if o.record.NullKey {
			count, _ := strconv.ParseInt(o.record.Value[len(t.spec.ID)+1:], 10, 64)
			o.partition = int32(count % int64(n))
		}
	}
	tp := kafka.TopicPartition{Topic: t.spec.Topic, Partition: o.partition}
	leader := topic.Partitions[o.partition].Leader
	if leader == "" || !t.network.reachable(leader, t.now) {
		return tp, ""
	}
	return tp, leader
}

func addRecord(parts []kafka.ProducePartition, tp kafka.TopicPartition, r kafka.Record) []kafka.ProducePartition {
	for i := range parts {
		if parts[i].TopicPartition == tp {
			parts[i].Records = append(parts[i].Records, r)
			return parts
		}
	}
	return append(parts, kafka.ProducePartition{TopicPartition: tp, Records: []kafka.Record{r}})
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
		n.pending = append(n.pending, request{correlation: n.correlation, to: to, body: body})
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
		n.metadataAt = t.now + t.backoff.base
		t.send(to, &kafka.MetadataRequest{Topics: []string{t.spec.Topic}})
	}
}

// retry wakes the producer after retry.backoff.ms.
func (t *producerTurn) retry() {
	if !t.retrying {
		t.retrying = true
		t.failures++
		t.out.SetTimer(retryTimer, t.now+t.backoff.after(t.failures))
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
	case *kafka.ProduceResponse:
		t.produced(req.body.(*kafka.ProduceRequest), reply)
	}
}

func (t *producerTurn) produced(req *kafka.ProduceRequest, reply *kafka.ProduceResponse) {
	for i, p := range reply.Partitions {
		n := int64(len(req.Partitions[i].Records))
		switch p.Error {
		case kafka.None:
			t.acked += n
			t.failures = 0
			t.fact(view.Fact{Kind: view.RecordAcked, Partition: p.TopicPartition, From: p.BaseOffset, To: p.BaseOffset + n})
		case kafka.MessageTooLarge, kafka.InvalidTopic, kafka.TopicAuthorizationFailed:
			t.failed += n
			t.fact(view.Fact{Kind: view.ErrorSeen, Partition: p.TopicPartition, Error: p.Error, Text: "Produce"})
		default:
			t.fact(view.Fact{Kind: view.ErrorSeen, Partition: p.TopicPartition, Error: p.Error, Text: "Produce"})
			t.again(req.Partitions[i])
		}
	}
}

// again puts a batch that failed for now back at the head of the queue.
func (t *producerTurn) again(p kafka.ProducePartition) {
	var back []outgoing
	for _, r := range p.Records {
		back = append(back, outgoing{partition: p.Partition, record: r})
	}
	t.queue = append(back, t.queue...)
	t.network.wantMetadata = true
	t.retry()
}

func (t *producerTurn) disconnected(peer kafka.NodeID) {
	t.network.lostConnection(peer, t.now, t.reconnect)
	t.network.wantMetadata = true
	t.network.drop(peer)
	for _, d := range t.network.inbox {
		if produce, ok := d.lost.body.(*kafka.ProduceRequest); ok {
			for _, p := range produce.Partitions {
				t.again(p)
			}
		}
	}
	t.network.inbox = nil
	t.retry()
}

// View is what can be seen of the producer. Liveness is the world's to fill in.
func (p *Producer) View() view.Producer {
	return view.Producer{ID: p.spec.ID, Topic: p.spec.Topic, Sent: p.made, Acked: p.acked, Failed: p.failed, Release: p.release}
}
