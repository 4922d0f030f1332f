// Package broker is the server side of the model: a broker with its partition logs and its group coordinator, and
// the controller that tells brokers who leads what.
//
// A broker answers a request at once, or parks it as data: who asked, and what for. All its state is plain data that
// Clone copies; only what never changes is shared (messages, images of the cluster, records in logs).
package broker

import (
	"maps"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Broker is one broker. It keeps a replica of every partition that it leads or follows.
type Broker struct {
	id      kafka.NodeID
	rack    string
	config  kafka.Config
	cluster *kafka.Cluster // the last image from the controller
	logs    map[kafka.TopicPartition]*partitionLog
	fetches []parkedFetch  // in the order of arrival
	quotas  []Quota        `clone:"shared"` // never changed
	taken   []sample       // what clients with quotas have taken, and brought, lately
	appends []parkedAppend // in the order of arrival
	parked  int            // how many appends were ever parked
	timers  map[string]timer

	heldReplies []heldReply // to producers above their quota, in the order of holding
	unheard     []unheard   // in the order of arrival

	// What it does as a leader for its followers, and as a follower.
	waiting     []waitingFollower // by id
	fetchers    []fetcher         // by leader
	correlation int32             // of its own requests
	stopping    bool              // it has asked the controller to move its leaderships

	// What the transaction coordinator keeps in memory.
	nextProducerID int64
	txns           map[string]*transaction // by transactional id

	// What the group coordinator keeps in memory.
	groups  map[string]*ClassicGroup
	offsets map[string]groupOffsets // by group id
	pending []pendingOffset         `clone:"shared"` // replaced, never changed
	ids     map[string]int          // how many member ids were made from a client id or instance id
}

// Spec describes a broker.
type Spec struct {
	ID       kafka.NodeID
	Rack     string
	Config   kafka.Config // of BrokerScope
	Cluster  *kafka.Cluster
	Preloads []Preload
	Quotas   []Quota
	FirstID  int64 // the first producer id that it gives; the controller hands them out in blocks
}

// Preload says what the log of a partition holds when the run begins: that many records with timestamp 0. Preloads of
// partitions that it keeps no replica of are ignored.
type Preload struct {
	kafka.TopicPartition
	Records int
	Size    int // bytes of each record; 0: 100
}

// New makes a broker that knows the given image of the cluster.
func New(spec Spec) *Broker {
	b := &Broker{
		quotas:         spec.Quotas,
		nextProducerID: spec.FirstID,
		id:             spec.ID, rack: spec.Rack, config: spec.Config, cluster: spec.Cluster,
		logs:    map[kafka.TopicPartition]*partitionLog{},
		timers:  map[string]timer{},
		groups:  map[string]*ClassicGroup{},
		offsets: map[string]groupOffsets{},
		ids:     map[string]int{},
		txns:    map[string]*transaction{},
	}
	b.openLogs()
	for _, p := range spec.Preloads {
		if log := b.logs[p.TopicPartition]; log != nil {
			log.preload(p.Records, p.Size)
		}
	}
	return b
}

// Clone returns an independent copy.
func (b *Broker) Clone() node.Node {
	c := *b
	c.logs = make(map[kafka.TopicPartition]*partitionLog, len(b.logs))
	for tp, log := range b.logs {
		c.logs[tp] = log.clone()
	}
	c.fetches = slices.Clone(b.fetches)
	c.taken = slices.Clone(b.taken)
	c.appends = slices.Clone(b.appends)
	c.heldReplies = slices.Clone(b.heldReplies)
	c.unheard = slices.Clone(b.unheard)
	c.waiting = slices.Clone(b.waiting)
	c.fetchers = slices.Clone(b.fetchers)
	for i := range c.fetchers {
		c.fetchers[i] = c.fetchers[i].clone()
	}
	c.timers = maps.Clone(b.timers)
	c.groups = make(map[string]*ClassicGroup, len(b.groups))
	for id, g := range b.groups {
		c.groups[id] = g.clone()
	}
	c.offsets = make(map[string]groupOffsets, len(b.offsets))
	for id, offsets := range b.offsets {
		c.offsets[id] = maps.Clone(offsets)
	}
	c.ids = maps.Clone(b.ids)
	c.txns = make(map[string]*transaction, len(b.txns))
	for id, x := range b.txns {
		kept := *x
		c.txns[id] = &kept
	}
	return &c
}

// Restart returns the broker as it begins again after its process died: what was on disk is there, what was in memory is
// gone. The cluster is an image in which the broker is not live yet: it takes up its roles with the next one. Its settings are those
// that stand in its file by then.
func (b *Broker) Restart(cluster *kafka.Cluster, config kafka.Config) *Broker {
	fresh := New(Spec{ID: b.id, Rack: b.rack, Config: config, Cluster: cluster, Quotas: b.quotas, FirstID: b.nextProducerID})
	for tp, log := range b.logs {
		kept := log.clone()
		kept.leaderEpoch, kept.followers, kept.altering, kept.truncating, kept.settling = kafka.NoEpoch, nil, nil, false, false
		fresh.logs[tp] = kept
	}
	return fresh
}

// Handle handles one input.
func (b *Broker) Handle(now time.Duration, in node.Input, out *node.Out) {
	t := turn{Broker: b, now: now, out: out}
	switch in.Kind {
	case node.Start:
		t.takeRoles()
		t.watchRetention(t.replicas())
		t.loadOwn()
		t.follow()
	case node.Receive:
		t.receive(in.Message)
	case node.Timer:
		t.fire(in.Timer)
	case node.Disconnected:
		t.dropFetches(in.Peer)
		t.dropReplies(in.Peer)
		t.followerLost(in.Peer)
		t.leaderLost(in.Peer)
	case node.Tell:
		t.obey(in.Command)
	}
	t.sendAlters()
}

// turn is one input being handled: the broker, the moment, and the place for what comes of it.
type turn struct {
	*Broker
	now    time.Duration
	out    *node.Out
	alters []kafka.PartitionISR // changes of in-sync replicas to be asked for
}

// obey does what a person has this broker do: it stops in order, after the controller has moved its leaderships; or it takes up
// settings that can change while it runs (KIP-226).
func (t *turn) obey(cmd node.Command) {
	switch {
	case cmd.Do == Configure:
		t.config = cmd.Config
		t.takeRoles()
		t.finishAppends()
		t.watchRetention(t.replicas())
	case cmd.Do == StopBroker && !t.stopping:
		t.stopping = true
		t.sendOwn(kafka.Controller, &kafka.ControlledShutdownRequest{})
	}
}

// caller is who waits for the reply to a request. The zero caller is nobody.
type caller struct {
	node        kafka.NodeID
	correlation int32
}

func (c caller) waits() bool { return c.node != "" }

func (t *turn) reply(to caller, body kafka.Body) { t.out.Send(to.node, to.correlation, body) }

func (t *turn) fact(f view.Fact) {
	f.Node = t.id
	t.out.Fact(f)
}

// has reports whether this broker's release has a feature.
func (b *Broker) has(f kafka.Feature) bool { return f.Broker(b.config.Release()) }

// receive answers one request, or parks it.
func (t *turn) receive(m *kafka.Message) {
	from := caller{m.From, m.Correlation}
	switch r := m.Body.(type) {
	case *kafka.ProduceRequest:
		t.produce(from, r)
	case *kafka.FetchRequest:
		t.fetch(from, r)
	case *kafka.ListOffsetsRequest:
		t.reply(from, t.listOffsets(r))
	case *kafka.MetadataRequest:
		t.reply(from, t.metadata(r))
	case *kafka.UpdateMetadataRequest:
		t.updateMetadata(r)
		t.reply(from, &kafka.UpdateMetadataResponse{})
	case *kafka.FindCoordinatorRequest:
		t.reply(from, t.findCoordinator(r))
	case *kafka.JoinGroupRequest:
		t.joinGroup(from, r)
	case *kafka.SyncGroupRequest:
		t.syncGroup(from, r)
	case *kafka.HeartbeatRequest:
		t.reply(from, &kafka.HeartbeatResponse{Error: t.heartbeat(r)})
	case *kafka.LeaveGroupRequest:
		t.reply(from, t.leaveGroup(r))
	case *kafka.OffsetCommitRequest:
		t.offsetCommit(from, r)
	case *kafka.OffsetFetchRequest:
		t.reply(from, t.offsetFetch(r))
	case *kafka.InitProducerIDRequest:
		t.initProducerID(from, r)
	case *kafka.AddPartitionsToTxnRequest:
		t.addPartitionsToTxn(from, r)
	case *kafka.AddOffsetsToTxnRequest:
		t.addOffsetsToTxn(from, r)
	case *kafka.TxnOffsetCommitRequest:
		t.txnOffsetCommit(from, r)
	case *kafka.EndTxnRequest:
		t.endTxn(from, r)
	case *kafka.WriteTxnMarkersRequest:
		t.writeTxnMarkers(from, r)
	case *kafka.OffsetForLeaderEpochRequest:
		t.reply(from, t.offsetForLeaderEpoch(r))
	default:
		t.receiveReply(m)
	}
}

// receiveReply takes up the answer to a request of this broker's own.
func (t *turn) receiveReply(m *kafka.Message) {
	switch r := m.Body.(type) {
	case *kafka.FetchResponse:
		t.copied(m, r)
	case *kafka.OffsetForLeaderEpochResponse:
		t.epochsEnded(m, r)
	case *kafka.AlterPartitionResponse:
		t.altered(r)
	case *kafka.WriteTxnMarkersResponse:
		t.markersWritten(r)
	case *kafka.ControlledShutdownResponse:
		t.fact(view.Fact{Kind: view.NodeClosed})
		t.out.Ended = true
	}
}

// MaxIdle is connections.max.idle.ms; negative for no limit.
func (b *Broker) MaxIdle() time.Duration { return b.config.Duration("connections.max.idle.ms") }

// SessionTimeout is how long the controller waits without a sign of life of this broker before it takes it for dead: since 3.3 a
// session with the KRaft controller, before with ZooKeeper.
func (b *Broker) SessionTimeout() time.Duration {
	if b.has(kafka.KRaft) {
		return b.config.Duration("broker.session.timeout.ms")
	}
	return b.config.Duration("zookeeper.session.timeout.ms")
}
