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

// Broker is one broker. It keeps one replica, the leader's, of every partition that it leads.
type Broker struct {
	id      kafka.NodeID
	rack    string
	config  kafka.Config
	cluster *kafka.Cluster // the last image from the controller
	logs    map[kafka.TopicPartition]*partitionLog
	fetches []parkedFetch // in the order of arrival
	timers  map[string]timer

	// What the group coordinator keeps in memory.
	groups  map[string]*ClassicGroup
	offsets map[string]groupOffsets // by group id
	ids     map[string]int          // how many member ids were made from a client id or instance id
}

// Spec describes a broker.
type Spec struct {
	ID       kafka.NodeID
	Rack     string
	Config   kafka.Config // of BrokerScope
	Cluster  *kafka.Cluster
	Preloads []Preload
}

// Preload says what the log of a partition holds when the run begins: that many records with timestamp 0. Preloads of
// partitions that others lead are ignored.
type Preload struct {
	kafka.TopicPartition
	Records int
	Size    int // bytes of each record; 0: 100
}

// New makes a broker that knows the given image of the cluster.
func New(spec Spec) *Broker {
	b := &Broker{
		id: spec.ID, rack: spec.Rack, config: spec.Config, cluster: spec.Cluster,
		logs:    map[kafka.TopicPartition]*partitionLog{},
		timers:  map[string]timer{},
		groups:  map[string]*ClassicGroup{},
		offsets: map[string]groupOffsets{},
		ids:     map[string]int{},
	}
	b.openLogs()
	for _, p := range spec.Preloads {
		if b.leads(p.TopicPartition) {
			b.logs[p.TopicPartition].preload(p.Records, p.Size)
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
	return &c
}

// Restart returns the broker as it begins again after its process died: what was on disk is there, what was in memory is
// gone. The cluster is the controller's image at that moment.
func (b *Broker) Restart(cluster *kafka.Cluster) *Broker {
	fresh := New(Spec{ID: b.id, Rack: b.rack, Config: b.config, Cluster: cluster})
	for tp, log := range b.logs {
		fresh.logs[tp] = log.clone()
	}
	return fresh
}

// CopyOffsetsTopic takes over the logs of __consumer_offsets that a dead broker led. It stands for their replication: a
// broker that becomes leader of one of them finds every record there that the dead one wrote.
func (b *Broker) CopyOffsetsTopic(dead *Broker) {
	for tp, log := range dead.logs {
		if tp.Topic == kafka.OffsetsTopic && dead.leads(tp) {
			b.logs[tp] = log.clone()
		}
	}
}

// Handle handles one input.
func (b *Broker) Handle(now time.Duration, in node.Input, out *node.Out) {
	t := turn{Broker: b, now: now, out: out}
	switch in.Kind {
	case node.Start:
		t.loadOwnGroups()
	case node.Receive:
		t.receive(in.Message)
	case node.Timer:
		t.fire(in.Timer)
	case node.Disconnected:
		t.dropFetches(in.Peer)
	}
}

// turn is one input being handled: the broker, the moment, and the place for what comes of it.
type turn struct {
	*Broker
	now time.Duration
	out *node.Out
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
		t.reply(from, t.offsetCommit(r))
	case *kafka.OffsetFetchRequest:
		t.reply(from, t.offsetFetch(r))
	}
}
