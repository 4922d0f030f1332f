package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// membership is what a consumer knows of its group (AbstractCoordinator).
type membership struct {
	coordinator kafka.NodeID  // "" while unknown
	lookupAt    time.Duration // not before this is FindCoordinator sent again
	lookups     int           // FindCoordinator failures in a row, in the call under way
	state       joinState
	memberID    string
	generation  int32
	protocol    string // the chosen assignor
	leader      bool
	rejoin      bool                     // must join (again)
	prepared    bool                     // onJoinPrepare is done for the join under way
	prepareBy   time.Duration            // when onJoinPrepare stops waiting for its commit; 0 while it does not wait
	finishing   bool                     // onJoinComplete has begun: it goes on even if the generation is lost meanwhile
	subscribed  []string                 // the topics that the last JoinGroup told of; nil before the first; never changed
	joinAt      time.Duration            // not before this is JoinGroup sent again
	failed      bool                     // the last attempt to join came to nothing, and the next has not begun
	joined      *joined                  // SyncGroup was answered; onJoinComplete is still to run; never changed
	fatal       string                   // the class of the exception that the next poll throws
	counts      []topicCount             // the leader's: partitions of the group's topics when it last assigned; never changed
	groupTopics []string                 // the leader's: topics that any member subscribes to; never changed
	electing    *kafka.JoinGroupResponse // the leader waits for metadata before it assigns; never changed
	computed    []view.MemberPartitions  // the leader's: what it last gave to whom; never changed
	remembered  *kafka.StickyUserData    // what the sticky assignor was last given; never changed
}

// joined is the outcome of a join.
type joined struct {
	assignment []kafka.TopicPartition
}

// topicCount is how many partitions a topic had.
type topicCount struct {
	topic      string
	partitions int
}

// joinState is AbstractCoordinator.MemberState.
type joinState uint8

const (
	unjoined   joinState = iota
	preparing            // JoinGroup was sent
	completing           // JoinGroup was answered, SyncGroup sent
	stable
)

var joinStateNames = [...]string{"unjoined", "preparing", "completing", "stable"}

func (s joinState) String() string { return joinStateNames[s] }

func (m *membership) clone() membership { return *m }

// member reports whether the coordinator has given this consumer an id.
func (m *membership) member() bool { return m.memberID != "" }

// cooperative reports whether the consumer keeps its partitions through a rebalance: only if every one of its
// assignors can (client.md section 5).
func (c *Consumer) cooperative() bool {
	if !c.does(kafka.CooperativeRebalance) {
		return false
	}
	return !slices.ContainsFunc(c.settings.assignors, func(name string) bool { return !c.isCooperative(name) })
}

func (t *turn) setState(s joinState) {
	if t.group.state == s {
		return
	}
	t.group.state = s
	t.fact(view.Fact{Kind: view.JoinStateChanged, Text: s.String(), To: int64(t.group.generation)})
}

// findCoordinator asks for the coordinator if it is unknown, and reports whether it is known. One that cannot be connected to
// just now is as good as unknown (ConsumerNetworkClient.isUnavailable).
func (t *turn) findCoordinator() bool {
	if t.group.coordinator != "" && !t.network.reconnects(t.group.coordinator, t.now) {
		return true
	}
	t.coordinatorUnknown()
	if t.network.inFlight(kafka.FindCoordinatorAPI) || t.group.lookupAt > t.now {
		return false
	}
	if to := t.network.anyBroker(t.now); to != "" {
		t.send(to, &kafka.FindCoordinatorRequest{Group: t.spec.Group}, "")
	}
	return false
}

func (t *turn) coordinatorAnswered(reply *kafka.FindCoordinatorResponse) {
	if reply.Error != kafka.None || t.network.reconnects(reply.Coordinator, t.now) {
		t.group.lookups++
		t.group.lookupAt = t.now + t.settings.retry.after(t.group.lookups)
		t.commitsWithoutCoordinator()
		return
	}
	t.group.lookups = 0
	t.group.coordinator = reply.Coordinator
	t.heartbeat.session = t.now + t.settings.sessionTimeout
	t.fact(view.Fact{Kind: view.CoordinatorFound, Text: string(reply.Coordinator)})
	t.sendWaitingCommits()
}

// coordinatorUnknown forgets the coordinator; the next thread to need it looks it up (markCoordinatorUnknown). That is at once,
// but for a thread that pauses before it tries again.
func (t *turn) coordinatorUnknown() {
	if t.group.coordinator == "" {
		return
	}
	t.fact(view.Fact{Kind: view.CoordinatorLost, Text: string(t.group.coordinator)})
	t.group.coordinator = ""
}

// forget is what a member does when its coordinator does not know it, or not in this generation.
func (t *turn) forget(e kafka.ErrorCode) {
	if e == kafka.UnknownMemberID {
		t.resetAll()
	} else {
		t.resetGeneration()
	}
}

// resetAll forgets member id and generation: the consumer will join as a newcomer.
func (t *turn) resetAll() {
	t.group.memberID = ""
	t.resetGeneration()
}

// resetGeneration forgets the generation. Since 3.2 the member id survives it; before, it did not (client.md section 4). Before
// KIP-62 there was no such thing: the member only noted that it must rejoin, and committed before that in vain.
func (t *turn) resetGeneration() {
	if t.does(kafka.HeartbeatThread) {
		t.group.generation = kafka.NoGeneration
		if !t.does(kafka.ResetGenerationKeepsMemberID) {
			t.group.memberID = ""
		}
	}
	t.group.leader = false
	t.group.electing = nil
	if !t.group.finishing {
		t.group.joined = nil
	}
	if t.does(kafka.ResetPreparesJoin) {
		t.group.prepared = false
	}
	t.group.rejoin, t.group.failed = true, false
	t.disableHeartbeat()
	t.setState(unjoined)
}

// join takes the consumer as far towards membership of a completed generation as it can go now; the next call goes on
// where this one stopped (joinGroupIfNeeded).
func (t *turn) join(f *call) verdict {
	if t.group.fatal != "" {
		return t.app.throw(t.takeFatal())
	}
	if f.pc == joinStart && t.group.finishing {
		t.joinInterrupted()
	}
	switch {
	case t.group.joined != nil:
		return t.joinComplete(f)
	case f.pc == joinRevoked:
		return t.joinPrepare(f)
	case !t.findCoordinator():
		return t.joinWait(f)
	case !t.group.prepared:
		return t.joinPrepare(f)
	case t.joining(), t.group.joinAt > t.now, t.network.inFlight(kafka.JoinGroupAPI), t.network.inFlight(kafka.SyncGroupAPI):
		return t.joinWait(f) // also for the answer to a JoinGroup of a membership that was given up meanwhile
	}
	t.sendJoin()
	return again
}

// joinInterrupted takes up a join whose last callback was left by an exception. The generation may be gone since.
func (t *turn) joinInterrupted() {
	t.group.finishing = false
	if t.group.generation == kafka.NoGeneration {
		t.group.joined = nil
	}
}

// joinWait gives up for now if the join may not block; the poll that called it waits instead. Before 2.0 poll blocked
// until the join was over, whatever its timeout.
func (t *turn) joinWait(f *call) verdict {
	if f.mayNotBlock {
		return t.app.done()
	}
	return t.joinBlock()
}

// joinBlock waits, whatever the timeout of poll is; only wakeup() ends that.
func (t *turn) joinBlock() verdict {
	if t.wakeup {
		t.wakeup = false
		t.commits.parting = commitIdle
		return t.app.throw(wakeupException)
	}
	return t.app.wait(waitNetwork, t.nextAttempt())
}

// nextAttempt is the first moment at which something that failed may be tried again; 0 if nothing waits for that.
func (t *turn) nextAttempt() time.Duration {
	return t.earliest(t.group.lookupAt, t.group.joinAt, t.group.prepareBy, t.commits.retryAt, t.network.nextRetry(t.now))
}

func (t *turn) joining() bool {
	return t.group.state == preparing || t.group.state == completing
}

// The places in a join where something has to be waited for.
const (
	joinStart    = iota
	joinRevoked  // the callback before JoinGroup has run
	joinReleased // the callback for what a cooperative assignment takes away has run
	joinAssigned // the callback after SyncGroup has run
)

// joinPrepare is what a member does before it sends JoinGroup (ConsumerCoordinator.onJoinPrepare): commit if
// commits are automatic, then give up partitions, telling the listener.
func (t *turn) joinPrepare(f *call) verdict {
	if f.pc == joinStart {
		if !t.committedBeforeJoin() {
			if !t.does(kafka.AutoCommitBeforeJoinAsync) {
				return t.joinBlock() // the commit blocked
			}
			return t.joinWait(f)
		}
		t.group.prepareBy = 0
		f.pc, f.parts = joinRevoked, t.keptThroughJoin()
		if callback, parts := t.givenUpBeforeJoin(); callback != "" {
			t.tellListener(callback, parts)
			return again
		}
	}
	f.pc = joinStart
	t.assign(f.parts)
	t.group.prepared = true
	t.commits.parting = commitIdle
	if t.takeListenerError() != "" {
		return t.app.throw(kafkaException)
	}
	return again
}

// givenUpBeforeJoin is the callback that runs before JoinGroup, "" for none, and the partitions it is told of.
func (t *turn) givenUpBeforeJoin() (string, []kafka.TopicPartition) {
	owned := t.owned()
	switch {
	case t.group.generation == kafka.NoGeneration:
		if len(owned) == 0 && t.does(kafka.OnPartitionsLost) {
			return "", nil // the very first join, or nothing to lose
		}
		if !t.does(kafka.OnPartitionsLost) {
			return onRevoked, owned
		}
		return onLost, owned
	case t.cooperative():
		gone := slices.DeleteFunc(owned, func(tp kafka.TopicPartition) bool { return slices.Contains(t.topics, tp.Topic) })
		if len(gone) == 0 {
			return "", nil
		}
		return onRevoked, gone
	default:
		return onRevoked, owned
	}
}

// keptThroughJoin lists the partitions that the consumer goes on reading during the rebalance.
func (t *turn) keptThroughJoin() []kafka.TopicPartition {
	if !t.cooperative() || t.group.generation == kafka.NoGeneration {
		return nil
	}
	return slices.DeleteFunc(t.owned(), func(tp kafka.TopicPartition) bool { return !slices.Contains(t.topics, tp.Topic) })
}

func (t *turn) sendJoin() {
	g := &t.group
	t.disableHeartbeat()
	t.setState(preparing)
	g.joinAt, g.failed = 0, false
	g.subscribed = append([]string{}, t.topics...)
	body := &kafka.JoinGroupRequest{
		Version:          t.version(kafka.JoinGroupAPI, g.coordinator),
		Group:            t.spec.Group,
		MemberID:         g.memberID,
		InstanceID:       t.settings.instanceID,
		ClientID:         t.settings.clientID,
		SessionTimeout:   t.settings.sessionTimeout,
		RebalanceTimeout: t.settings.rebalanceTimeout(),
		ProtocolType:     "consumer",
		Protocols:        t.protocols(),
	}
	t.sendWithin(g.coordinator, body, "", joinRequestTimeout(&t.settings))
}

// joinRequestTimeout is longer than other requests': a JoinGroup is parked until the slowest member rejoined (JoinGroup
// request timeout, client.md section 4).
func joinRequestTimeout(s *settings) time.Duration {
	return max(s.requestTimeout, s.rebalanceTimeout()+5*time.Second)
}

// joinAgain ends an attempt to join; the next may begin at once.
func (t *turn) joinAgain() {
	t.group.electing = nil
	t.disableHeartbeat()
	t.setState(unjoined)
	t.group.rejoin, t.group.failed = true, true
}

// joinLater ends an attempt to join; the next may begin after retry.backoff.ms.
func (t *turn) joinLater() {
	t.joinAgain()
	t.group.joinAt = t.now + t.settings.retry.base
	if t.group.coordinator == "" {
		t.group.lookupAt = t.group.joinAt
	}
}

func (t *turn) joinAnswered(reply *kafka.JoinGroupResponse) {
	if t.group.state != preparing {
		return
	}
	switch reply.Error {
	case kafka.None:
		t.joinAccepted(reply)
	case kafka.MemberIDRequired:
		// KIP-394: take the id and ask again at once.
		t.group.memberID = reply.MemberID
		t.joinAgain()
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		t.forget(reply.Error)
	default:
		t.joinRefused(reply.Error)
	}
}

// joinRefused reacts to the errors that JoinGroup and SyncGroup have in common (client.md section 4).
func (t *turn) joinRefused(e kafka.ErrorCode) {
	switch e {
	case kafka.CoordinatorNotAvailable, kafka.NotCoordinator:
		t.coordinatorUnknown()
		t.joinLater()
	case kafka.CoordinatorLoadInProgress:
		t.joinLater()
	case kafka.RebalanceInProgress:
		t.joinAgain()
	default:
		t.joinAgain()
		t.group.fatal = exceptionOf(e)
	}
}

func (t *turn) joinAccepted(reply *kafka.JoinGroupResponse) {
	g := &t.group
	g.memberID, g.generation, g.protocol = reply.MemberID, reply.Generation, reply.Protocol
	g.leader = reply.Leader == reply.MemberID
	t.setState(completing)
	if t.does(kafka.HeartbeatAfterJoin) {
		t.enableHeartbeat()
	}
	if g.leader && !t.knowsTopics(reply) {
		g.electing = reply // the leader assigns when it knows the partitions of every member's topics (ensureFreshMetadata)
		return
	}
	t.sendSync(reply)
}

func (t *turn) sendSync(reply *kafka.JoinGroupResponse) {
	g := &t.group
	g.electing = nil
	body := &kafka.SyncGroupRequest{
		Version:    t.version(kafka.SyncGroupAPI, g.coordinator),
		Group:      t.spec.Group,
		MemberID:   g.memberID,
		InstanceID: t.settings.instanceID,
		Generation: g.generation,
		Protocol:   g.protocol,
	}
	if g.leader {
		body.Assignments = t.lead(reply)
	}
	t.send(g.coordinator, body, "")
}

func (t *turn) syncAnswered(reply *kafka.SyncGroupResponse) {
	if t.group.state != completing {
		return
	}
	switch reply.Error {
	case kafka.None:
		t.group.joined = &joined{assignment: reply.Assignment}
		t.group.rejoin = false
		t.setState(stable)
		t.enableHeartbeat()
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		t.forget(reply.Error)
	default:
		t.joinRefused(reply.Error)
	}
}

// joinComplete is what a member does with its assignment (ConsumerCoordinator.onJoinComplete). If a callback throws, the next
// poll does it again.
func (t *turn) joinComplete(f *call) verdict {
	next := t.group.joined.assignment
	owned := t.owned()
	taken := missing(owned, next)
	t.group.finishing = true
	switch {
	case f.pc == joinStart && slices.ContainsFunc(next, func(tp kafka.TopicPartition) bool { return !t.subscribedTo(tp.Topic) }):
		t.group.rejoin = true // the subscription has changed since JoinGroup was sent
		return t.joinFinished(f)
	case f.pc == joinStart && t.cooperative() && len(taken) > 0:
		// Partitions that go to another member are given up first, and offered in a second rebalance (KIP-429).
		f.pc = joinReleased
		t.group.rejoin = true
		t.tellListener(onRevoked, taken)
		return again
	case f.pc != joinAssigned:
		f.pc = joinAssigned
		added := missing(next, owned)
		if t.group.protocol == "sticky" {
			t.group.remembered = &kafka.StickyUserData{Partitions: next, Generation: t.group.generation}
		}
		t.commits.restart(t.now, t.settings.autoCommitEvery)
		t.assign(next)
		t.tellListener(onAssigned, added)
		return again
	}
	if class := t.takeListenerError(); class != "" {
		t.group.finishing = false
		return t.app.throw(asKafkaException(class))
	}
	return t.joinFinished(f)
}

// joinFinished ends a join, and begins the next if there is a reason to.
func (t *turn) joinFinished(f *call) verdict {
	t.group.joined, t.group.finishing, t.group.prepared = nil, false, false
	f.pc = joinStart
	if t.rejoinNeeded() {
		return again
	}
	return t.app.done()
}

// rejoinNeeded reports whether there is a reason to join (again): one came up, the subscription is not the one that the
// last JoinGroup told of, or the leader knows of other partitions than it assigned (ConsumerCoordinator.rejoinNeededOrPending).
func (t *turn) rejoinNeeded() bool {
	return t.group.rejoin || t.group.subscribed != nil && !slices.Equal(t.group.subscribed, t.topics) || t.otherPartitions()
}

// takeFatal is the exception that a failed join left behind for the caller of poll.
func (t *turn) takeFatal() string {
	class := t.group.fatal
	t.group.fatal = ""
	return class
}

// earliest is the first of the moments that is still to come; 0 if there is none.
func (t *turn) earliest(moments ...time.Duration) time.Duration {
	var first time.Duration
	for _, at := range moments {
		if at > t.now && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}
