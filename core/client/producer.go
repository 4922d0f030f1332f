package client

import (
	"fmt"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Producer is a producer process that sends records at a steady pace. With linger.ms 0 a record is a batch of its own, unless others
// wait with it for want of metadata or of a leader.
type Producer struct {
	spec        *ProducerSpec // never changed
	release     kafka.Release
	settings    producerSettings
	network     network
	made        int64 // records made so far
	acked       int64
	failed      int64
	queue       []kafka.Record `clone:"shared"` // made, and their partition not chosen yet, for want of metadata; replaced, never changed
	batches     []outBatch     // in the order in which they were begun
	switches    int64          // how often records without a key went on to another partition
	quit        bool
	lingerUntil time.Duration // when the linger timer runs out; 0 while it does not run
	retrying    bool          // the retry timer runs
	failures    int           // retries in a row
	idempotence idempotence
	transaction transacting
	exception   string // the class of the exception that ended the program; "" for none
}

// producerSettings are a producer's configuration, read once.
type producerSettings struct {
	clientID           string
	acks               int16
	requestTimeout     time.Duration
	deliveryTimeout    time.Duration // 0 before KIP-91: retries alone bound a delivery
	linger             time.Duration
	batchSize          int
	retries            int64
	maxInFlight        int
	idempotent         bool
	transactionalID    string
	transactionTimeout time.Duration
	sticky             bool // records without a key stay with a partition for a batch (KIP-480)
	retry              pause
	reconnect          pause
	metadataAge        time.Duration
	maxIdle            time.Duration // negative: no limit
}

func readProducerSettings(c kafka.Config) producerSettings {
	s := producerSettings{
		clientID:           c.String("client.id"),
		acks:               1,
		requestTimeout:     c.Duration("request.timeout.ms"),
		deliveryTimeout:    c.Duration("delivery.timeout.ms"),
		linger:             c.Duration("linger.ms"),
		batchSize:          int(c.Int("batch.size")),
		retries:            c.Int("retries"),
		maxInFlight:        int(c.Int("max.in.flight.requests.per.connection")),
		sticky:             kafka.StickyPartitioner.Client(c.Release()),
		transactionalID:    c.String("transactional.id"),
		transactionTimeout: c.Duration("transaction.timeout.ms"),
		retry:              readPause(c, "retry.backoff.ms", "retry.backoff.max.ms"),
		reconnect:          readPause(c, "reconnect.backoff.ms", "reconnect.backoff.max.ms"),
		metadataAge:        c.Duration("metadata.max.age.ms"),
		maxIdle:            c.Duration("connections.max.idle.ms"),
	}
	switch c.String("acks") {
	case "0":
		s.acks = 0
	case "all", "-1":
		s.acks = -1
	}
	s.idempotent = s.transactionalID != "" || c.Bool("enable.idempotence") && (c.Set("enable.idempotence") || idempotentByDefault(c, &s))
	if s.transactionalID != "" {
		s.acks = -1
	}
	return s
}

// idempotentByDefault reports whether idempotence comes into effect without being asked for: since 3.0.1, if no other setting
// contradicts it (KIP-679, KAFKA-13598).
func idempotentByDefault(c kafka.Config, s *producerSettings) bool {
	return kafka.IdempotenceByDefault.Client(c.Release()) && s.acks == -1 && s.retries > 0 && s.maxInFlight <= 5
}

// The timers of a producer.
const (
	sendTimer    = "send"
	retryTimer   = "retry"
	lingerTimer  = "linger"
	refreshTimer = "metadata age"
	timeoutTimer = "timeout" // of a request, or of the delivery of a batch
)

// NewProducer makes a producer. The config is of kafka.ProducerScope and valid.
func NewProducer(spec *ProducerSpec, config kafka.Config, bootstrap []kafka.NodeID) *Producer {
	p := &Producer{spec: spec, release: config.Release(), settings: readProducerSettings(config)}
	p.network.bootstrap = bootstrap
	return p
}

// Clone returns a copy that shares only the spec, messages and records.
func (p *Producer) Clone() node.Node {
	c := *p
	c.network = p.network.clone()
	c.batches = slices.Clone(p.batches)
	c.idempotence.sequences = slices.Clone(p.idempotence.sequences)
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
	t.watchTimeouts()
	if t.quit && t.idle() {
		t.fact(view.Fact{Kind: view.NodeClosed})
		t.out.Ended = true
	}
}

// idle reports whether the producer waits for nothing; after an exception it does not wait at all.
func (p *Producer) idle() bool {
	return p.exception != "" || len(p.queue) == 0 && len(p.batches) == 0 && len(p.network.pending) == 0 &&
		(p.transaction.records == 0 || p.transaction.hung)
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
	switch key {
	case retryTimer:
		t.retrying = false
	case lingerTimer:
		t.lingerUntil = 0
	case refreshTimer:
		t.network.wantMetadata = true
	case timeoutTimer:
		t.expire()
	case sendTimer:
		t.makeNext()
	}
}

// makeNext makes the next record, if its time has not run out.
func (t *producerTurn) makeNext() {
	spec := t.spec
	done := spec.Count > 0 && t.made >= int64(spec.Count) || spec.Stop > 0 && t.now >= spec.Stop
	if done || t.quit || t.transaction.hung {
		return
	}
	t.queue = append(slices.Clip(t.queue), t.make())
	t.out.SetTimer(sendTimer, t.now+spec.Every)
}

// make makes the next record.
func (t *producerTurn) make() kafka.Record {
	spec := t.spec
	r := kafka.Record{
		Timestamp: t.now, NullKey: true, Headers: spec.Headers, Size: spec.Size, Unreadable: spec.Unreadable,
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

// MaxIdle is connections.max.idle.ms; negative for no limit.
func (p *Producer) MaxIdle() time.Duration { return p.settings.maxIdle }

// View is what can be seen of the producer. Liveness is the world's to fill in.
func (p *Producer) View() view.Producer {
	return view.Producer{
		ID: p.spec.ID, Topic: p.spec.Topic, Sent: p.made, Acked: p.acked, Failed: p.failed, Release: p.release,
		TransactionalID: p.settings.transactionalID, Committed: p.transaction.committed, Aborted: p.transaction.aborted,
		Exception: p.exception,
	}
}
