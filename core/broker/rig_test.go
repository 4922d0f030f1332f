package broker

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// rig drives one broker through virtual time: it hands it messages, fires its timers and keeps what it sends.
type rig struct {
	t       testing.TB
	broker  *Broker
	now     time.Duration
	release kafka.Release
	alarms  map[string]time.Duration
	facts   []view.Fact
	replies map[call]kafka.Body
	others  map[kafka.NodeID]*Broker // that follow this one; they answer at once
	calls   int32
	sent    []node.Send
}

// call is one request that was sent to the broker.
type call struct {
	from        kafka.NodeID
	correlation int32
}

const (
	second = time.Second
	ms     = time.Millisecond
)

// newRig makes a broker B1 that leads topic T1 with 4 partitions and all of __consumer_offsets.
func newRig(t testing.TB, release string, settings map[string]string) *rig {
	return newRigOf(t, release, settings, []kafka.NodeID{"B1"})
}

func newRigOf(t testing.TB, release string, settings map[string]string, brokers []kafka.NodeID) *rig {
	r, err := kafka.ParseRelease(release)
	require.NoError(t, err)
	config, errs := kafka.NewConfig(kafka.BrokerScope, r, settings)
	require.Empty(t, errs)
	var infos []kafka.BrokerInfo
	for _, id := range brokers {
		infos = append(infos, kafka.BrokerInfo{ID: id, Release: r})
	}
	cluster := InitialCluster(infos, []TopicPlan{{Name: "T1", Partitions: 4}}, offsetsPlan(50))
	g := &rig{t: t, release: r, alarms: map[string]time.Duration{}, replies: map[call]kafka.Body{}, others: map[kafka.NodeID]*Broker{}}
	g.broker = New(Spec{ID: brokers[0], Config: config, Cluster: cluster})
	for _, id := range brokers[1:] {
		g.others[id] = New(Spec{ID: id, Config: config, Cluster: cluster})
	}
	g.handle(node.Input{Kind: node.Start})
	for _, id := range brokers[1:] {
		g.carry(id, node.Input{Kind: node.Start})
	}
	return g
}

// offsetsPlan plans __consumer_offsets with so many partitions.
func offsetsPlan(partitions int32) TopicPlan {
	return TopicPlan{Partitions: partitions, Replication: 3}
}

// brokerSettings are the defaults of a broker.
var brokerSettings, _ = kafka.NewConfig(kafka.BrokerScope, kafka.DefaultRelease, nil)

// tell sends another broker a message of the controller's.
func (r *rig) tell(id kafka.NodeID, body kafka.Body) {
	r.carry(id, node.Input{Kind: node.Receive, Message: &kafka.Message{From: kafka.Controller, To: id, Body: body}})
}

// carry hands another broker an input, and this one what it sends here.
func (r *rig) carry(id kafka.NodeID, in node.Input) {
	var out node.Out
	r.others[id].Handle(r.now, in, &out)
	for _, s := range out.Sends {
		if s.To == r.broker.id {
			r.handle(node.Input{Kind: node.Receive, Message: &kafka.Message{From: id, To: s.To, Correlation: s.Correlation, Body: s.Body}})
		}
	}
}

func (r *rig) handle(in node.Input) {
	var out node.Out
	r.broker.Handle(r.now, in, &out)
	for _, timer := range out.Timers {
		delete(r.alarms, timer.Key)
		if !timer.Stop {
			r.alarms[timer.Key] = timer.At
		}
	}
	r.facts = append(r.facts, out.Facts...)
	for _, s := range out.Sends {
		if r.others[s.To] != nil {
			r.carry(s.To, node.Input{Kind: node.Receive, Message: &kafka.Message{From: r.broker.id, To: s.To, Correlation: s.Correlation, Body: s.Body}})
			continue
		}
		r.sent = append(r.sent, s)
		r.replies[call{s.To, s.Correlation}] = s.Body
	}
}

// send hands the broker a request.
func (r *rig) send(from kafka.NodeID, body kafka.Body) call {
	r.calls++
	r.handle(node.Input{Kind: node.Receive, Message: &kafka.Message{From: from, To: r.broker.id, Correlation: r.calls, Body: body}})
	return call{from, r.calls}
}

// until lets time pass, and fires the timers that run out on the way.
func (r *rig) until(t time.Duration) {
	for {
		key, at := "", t
		for k, a := range r.alarms {
			if cmp.Or(cmp.Compare(a, at), cmp.Compare(k, key)) < 0 || a == at && key == "" {
				key, at = k, a
			}
		}
		r.now = at
		if key == "" {
			return
		}
		delete(r.alarms, key)
		r.handle(node.Input{Kind: node.Timer, Timer: key})
	}
}

func (r *rig) pass(d time.Duration) { r.until(r.now + d) }

// answer returns the reply to a call, and fails if there is none or it is of another type.
func answer[T kafka.Body](r *rig, c call) T {
	r.t.Helper()
	require.Contains(r.t, r.replies, c, "no reply")
	body, ok := r.replies[c].(T)
	require.True(r.t, ok, "reply is %T", r.replies[c])
	return body
}

func (r *rig) waits(c call) bool {
	_, answered := r.replies[c]
	return !answered
}

func (r *rig) group() *ClassicGroup { return r.broker.groups["G1"] }

func (r *rig) state() string { return string(r.group().state) }

// texts lists the facts of a kind since the beginning, as "member text to".
func (r *rig) texts(kind view.FactKind) []string {
	var list []string
	for _, f := range r.facts {
		if f.Kind == kind {
			list = append(list, fmt.Sprintf("%s %s %d", f.Member, f.Text, f.To))
		}
	}
	return list
}

// person is a client as a test sees it.
type person struct {
	client   kafka.NodeID
	id       string // member id
	instance string
}

// joinOf makes a JoinGroup of the highest version that the rig's release speaks.
func (r *rig) joinOf(p person, assignors ...string) *kafka.JoinGroupRequest {
	if len(assignors) == 0 {
		assignors = []string{"range"}
	}
	var protocols []kafka.Protocol
	for _, name := range assignors {
		protocols = append(protocols, kafka.Protocol{Name: name, Subscription: &kafka.Subscription{Topics: []string{"T1"}}})
	}
	return &kafka.JoinGroupRequest{
		Version: kafka.MaxVersion(kafka.JoinGroupAPI, r.release), Group: "G1", MemberID: p.id, InstanceID: p.instance, ClientID: string(p.client),
		SessionTimeout: 10 * second, RebalanceTimeout: 60 * second, ProtocolType: "consumer", Protocols: protocols,
	}
}

// join sends JoinGroup; a dynamic member without an id goes through MEMBER_ID_REQUIRED first. It gives p its member id.
func (r *rig) join(p *person, assignors ...string) call {
	c := r.send(p.client, r.joinOf(*p, assignors...))
	if reply, ok := r.replies[c].(*kafka.JoinGroupResponse); ok && reply.Error == kafka.MemberIDRequired {
		p.id = reply.MemberID
		c = r.send(p.client, r.joinOf(*p, assignors...))
	}
	if p.id == "" {
		base := string(p.client)
		if p.instance != "" {
			base = p.instance
		}
		p.id = fmt.Sprintf("%s-%d", base, r.broker.ids[base])
	}
	return c
}

func (r *rig) syncOf(p person, assignments ...kafka.MemberAssignment) *kafka.SyncGroupRequest {
	return &kafka.SyncGroupRequest{
		Version: kafka.MaxVersion(kafka.SyncGroupAPI, r.release), Group: "G1", MemberID: p.id, InstanceID: p.instance,
		Generation: r.group().generation, Assignments: assignments,
	}
}

func (r *rig) sync(p person, assignments ...kafka.MemberAssignment) call {
	return r.send(p.client, r.syncOf(p, assignments...))
}

func (r *rig) beat(p person) kafka.ErrorCode {
	r.t.Helper()
	c := r.send(p.client, &kafka.HeartbeatRequest{Group: "G1", MemberID: p.id, InstanceID: p.instance, Generation: r.group().generation})
	return answer[*kafka.HeartbeatResponse](r, c).Error
}

func (r *rig) leave(p person) *kafka.LeaveGroupResponse {
	r.t.Helper()
	c := r.send(p.client, &kafka.LeaveGroupRequest{Version: 5, Group: "G1", Members: []kafka.LeavingMember{{MemberID: p.id, InstanceID: p.instance}}})
	return answer[*kafka.LeaveGroupResponse](r, c)
}

func (r *rig) commitOf(p person, generation int32, offset int64) *kafka.OffsetCommitRequest {
	return &kafka.OffsetCommitRequest{
		Version: kafka.MaxVersion(kafka.OffsetCommitAPI, r.release), Group: "G1", MemberID: p.id, InstanceID: p.instance, Generation: generation,
		Offsets: []kafka.CommitOffset{{TopicPartition: t1(0), OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: offset}}},
	}
}

func (r *rig) commit(p person, generation int32, offset int64) kafka.ErrorCode {
	r.t.Helper()
	return answer[*kafka.OffsetCommitResponse](r, r.send(p.client, r.commitOf(p, generation, offset))).Partitions[0].Error
}

func t1(partition int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: "T1", Partition: partition}
}

func give(p person, partitions ...int32) kafka.MemberAssignment {
	a := kafka.MemberAssignment{MemberID: p.id}
	for _, n := range partitions {
		a.Partitions = append(a.Partitions, t1(n))
	}
	return a
}

// trio is a group of three: the leader A, the follower B and the static follower S.
type trio struct {
	*rig
	a, b, s *person
	parked  []call        // JoinGroups or SyncGroups that wait in the state that was asked for
	began   time.Duration // when the test of a transition began
}

// groupIn makes a group of three and brings it into a state. While PreparingRebalance only A has joined again; while
// CompletingRebalance B alone has sent SyncGroup. An Empty group is one that everybody has left.
func groupIn(t testing.TB, r *rig, s state) *trio {
	g := &trio{rig: r, a: &person{client: "A"}, b: &person{client: "B"}, s: &person{client: "S"}}
	if kafka.StaticMembership.Broker(r.release) {
		g.s.instance = "s"
	}
	g.parked = []call{r.join(g.a), r.join(g.b), r.join(g.s)}
	r.pass(6 * second)
	if r.group().generation == 1 { // without an initial delay A made a generation of its own
		g.parked = []call{r.join(g.a), r.join(g.b), r.join(g.s)}
	}
	require.Equal(t, string(completingRebalance), r.state())
	switch s {
	case completingRebalance:
		g.parked = []call{r.sync(*g.b)}
		return g
	case stable:
		g.settle()
	case preparingRebalance:
		g.settle()
		g.parked = []call{r.join(g.a)}
	case empty:
		g.settle()
		for _, p := range []*person{g.a, g.b, g.s} {
			r.leave(*p)
		}
	case dead:
		g.settle()
		r.group().state = dead // in Kafka a request meets a dead group only in a race
	}
	require.Equal(t, string(s), r.state())
	return g
}

// settle lets everybody send SyncGroup.
func (g *trio) settle() {
	g.sync(*g.b)
	g.sync(*g.s)
	g.sync(*g.a, give(*g.a, 0), give(*g.b, 1), give(*g.s, 2, 3))
	require.Equal(g.t, string(stable), g.state())
}

func (g *trio) has(id string) bool { return g.group().find(id) != nil }

// sessionEnd is when a member's session runs out; 0 if its timer does not run.
func (r *rig) sessionEnd(p person) time.Duration {
	return r.broker.seen(memberKey(sessionTimer, "G1", p.id)).To
}

func memberIDs(g *ClassicGroup) []string {
	var ids []string
	for _, m := range g.members {
		ids = append(ids, m.id)
	}
	slices.Sort(ids)
	return ids
}
