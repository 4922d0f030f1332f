package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// network is what a client knows of the cluster and of its own requests. It serves every kind of client.
type network struct {
	bootstrap    []kafka.NodeID // never changed
	cluster      *kafka.Cluster // nil before the first Metadata reply
	wantMetadata bool
	metadataAt   time.Duration // not before this is metadata asked for again (retry.backoff.ms)
	asked        []string      // the topics that metadata was last asked for; never changed
	askedAll     bool          // it was asked for all topics
	missing      int           // how many times in a row something that was asked for was not there
	next         int           // whom to ask next when any broker will do
	correlation  int32
	pending      []request // in flight, in the order of sending
	inbox        []delivery
	retryAt      []retry // brokers that refused or dropped a connection lately
}

// request is one in flight. The body says what it was for.
type request struct {
	correlation int32
	to          kafka.NodeID
	body        kafka.Body
	purpose     string        // tells requests of one kind apart: auto, sync, async; "" otherwise
	deadline    time.Duration // when the client gives up on it
}

// delivery is something in the inbox: a reply, or the news that a request got none.
type delivery struct {
	message *kafka.Message // nil: the connection was lost
	lost    request
}

// retry says when a broker may be tried again.
type retry struct {
	broker   kafka.NodeID
	at       time.Duration
	failures int // connections lost in a row
}

func (n *network) clone() network {
	c := *n
	c.pending = slices.Clone(n.pending)
	c.inbox = slices.Clone(n.inbox)
	c.retryAt = slices.Clone(n.retryAt)
	return c
}

// brokers lists the brokers the client knows: those of its last metadata, or its bootstrap servers.
func (n *network) brokers() []kafka.NodeID {
	if n.cluster == nil || len(n.cluster.Brokers) == 0 {
		return n.bootstrap
	}
	ids := make([]kafka.NodeID, len(n.cluster.Brokers))
	for i, b := range n.cluster.Brokers {
		ids[i] = b.ID
	}
	return ids
}

// anyBroker picks a broker that may be asked now, in turn; "" when all must be waited for. The real client takes
// the least loaded one, which among idle brokers is arbitrary.
func (n *network) anyBroker(now time.Duration) kafka.NodeID {
	ids := n.brokers()
	for range ids {
		id := ids[n.next%len(ids)]
		if n.reachable(id, now) {
			return id
		}
		n.next++
	}
	return ""
}

// reachable reports whether the client may try a broker now.
func (n *network) reachable(id kafka.NodeID, now time.Duration) bool {
	return n.mayRetry(id) <= now
}

// reconnects reports whether the connection to a broker was lost, and it is too early to connect again.
func (n *network) reconnects(id kafka.NodeID, now time.Duration) bool {
	return slices.ContainsFunc(n.retryAt, func(r retry) bool { return r.broker == id && r.failures > 0 && r.at > now })
}

// mayRetry tells when a broker may be tried again.
func (n *network) mayRetry(id kafka.NodeID) time.Duration {
	for _, r := range n.retryAt {
		if r.broker == id {
			return r.at
		}
	}
	return 0
}

// nextRetry is the earliest moment after now at which a broker in backoff may be tried again, or metadata that is
// wanted be asked for; 0 if there is none.
func (n *network) nextRetry(now time.Duration) time.Duration {
	var at time.Duration
	if n.wantMetadata && n.metadataAt > now {
		at = n.metadataAt
	}
	for _, r := range n.retryAt {
		if r.at > now && (at == 0 || r.at < at) {
			at = r.at
		}
	}
	return at
}

// backOff keeps the client from a broker until the given time.
func (n *network) backOff(id kafka.NodeID, until time.Duration) { n.retryOf(id).at = until }

// lostConnection keeps the client from a broker for a while, longer each time in a row.
func (n *network) lostConnection(id kafka.NodeID, now time.Duration, p pause) {
	r := n.retryOf(id)
	r.failures++
	r.at = now + p.after(r.failures)
}

// heardFrom notes that a connection works.
func (n *network) heardFrom(id kafka.NodeID) {
	for i := range n.retryAt {
		if n.retryAt[i].broker == id {
			n.retryAt[i].failures = 0
		}
	}
}

func (n *network) retryOf(id kafka.NodeID) *retry {
	i := slices.IndexFunc(n.retryAt, func(r retry) bool { return r.broker == id })
	if i < 0 {
		i = len(n.retryAt)
		n.retryAt = append(n.retryAt, retry{broker: id})
	}
	return &n.retryAt[i]
}

// releaseOf is the release of a broker as the client learned it; its own when it does not know yet.
func (n *network) releaseOf(id kafka.NodeID, own kafka.Release) kafka.Release {
	if n.cluster != nil {
		if b, ok := n.cluster.Broker(id); ok {
			return b.Release
		}
	}
	return own
}

// inFlight reports whether a request of that kind waits for its reply.
func (n *network) inFlight(api kafka.API) bool {
	return slices.ContainsFunc(n.pending, func(r request) bool { return r.body.API() == api })
}

// inFlightTo reports whether a request of that kind to that broker waits for its reply.
func (n *network) inFlightTo(to kafka.NodeID, api kafka.API) bool {
	return slices.ContainsFunc(n.pending, func(r request) bool { return r.to == to && r.body.API() == api })
}

// answered takes the request that a reply belongs to from the list; false when the client gave up on it before.
func (n *network) answered(correlation int32) (request, bool) {
	i := slices.IndexFunc(n.pending, func(r request) bool { return r.correlation == correlation })
	if i < 0 {
		return request{}, false
	}
	r := n.pending[i]
	n.pending = slices.Delete(n.pending, i, i+1)
	return r, true
}

// drop moves the requests in flight to a broker into the inbox as lost, and reports whether there were any.
func (n *network) drop(to kafka.NodeID) bool {
	lost := false
	n.pending = slices.DeleteFunc(n.pending, func(r request) bool {
		if r.to != to {
			return false
		}
		n.inbox = append(n.inbox, delivery{lost: r})
		lost = true
		return true
	})
	return lost
}

// firstDeadline is when the client gives up on the first of its requests; 0 when none is in flight.
func (n *network) firstDeadline() time.Duration {
	var at time.Duration
	for _, r := range n.pending {
		if r.deadline > 0 && (at == 0 || r.deadline < at) {
			at = r.deadline
		}
	}
	return at
}

// version is the version of a request that both ends speak.
func (t *turn) version(api kafka.API, to kafka.NodeID) int16 {
	return kafka.Negotiate(api, t.release, t.network.releaseOf(to, t.release))
}

// send sends a request with the usual request.timeout.ms.
func (t *turn) send(to kafka.NodeID, body kafka.Body, purpose string) {
	t.sendWithin(to, body, purpose, t.settings.requestTimeout)
}

func (t *turn) sendWithin(to kafka.NodeID, body kafka.Body, purpose string, timeout time.Duration) {
	t.network.correlation++
	t.network.pending = append(t.network.pending, request{
		correlation: t.network.correlation, to: to, body: body, purpose: purpose, deadline: t.now + timeout,
	})
	t.out.Send(to, t.network.correlation, body)
	t.watchRequests()
}

// disconnected notes that a connection was reset. Threads learn of it at their next network I/O.
func (t *turn) disconnected(peer kafka.NodeID) {
	t.network.lostConnection(peer, t.now, t.settings.reconnect)
	if !t.network.drop(peer) {
		t.network.inbox = append(t.network.inbox, delivery{lost: request{to: peer}})
	}
}

// receive is what a thread does in network I/O with one thing that came in: a reply first, then requests that waited too
// long, so that a reply which nobody read in time still counts (the order of NetworkClient.poll). False: nothing came in.
func (t *turn) receive() bool {
	first := t.network.firstDeadline()
	switch {
	case len(t.network.inbox) > 0:
		t.read()
	case first > 0 && first <= t.now:
		t.expireRequests()
	default:
		return false
	}
	return true
}

// watchRequests wakes the client when the first of its requests has waited too long; one that has by now is noticed at
// the next network I/O.
func (t *turn) watchRequests() {
	if first := t.network.firstDeadline(); first > t.now {
		t.setTimer(timerRequest, first)
	} else {
		t.setTimer(timerRequest, 0)
	}
}

// expireRequests gives up on requests that waited too long: the client closes the connection, and with it everything
// in flight there is lost (NetworkClient.handleTimedOutRequests).
func (t *turn) expireRequests() {
	for _, r := range slices.Clone(t.network.pending) {
		if r.deadline <= t.now {
			t.out.Hangups = append(t.out.Hangups, r.to)
			t.network.lostConnection(r.to, t.now, t.settings.reconnect)
			t.network.drop(r.to)
		}
	}
	t.watchRequests()
}

// read takes the first delivery from the inbox and handles it.
func (t *turn) read() {
	d := t.network.inbox[0]
	t.network.inbox = slices.Delete(t.network.inbox, 0, 1)
	if d.message == nil {
		t.lost(d.lost)
		return
	}
	req, ok := t.network.answered(d.message.Correlation)
	if !ok {
		return
	}
	t.network.heardFrom(req.to)
	t.watchRequests()
	if e := kafka.ErrorOf(d.message.Body); e != kafka.None {
		t.lastError, t.lastAPI = e, d.message.Body.API()
		t.fact(view.Fact{Kind: view.ErrorSeen, Error: e, Text: t.lastAPI.String()})
	}
	t.handle(req, d.message.Body)
}

// handle acts on a reply. Replies are handled by whichever thread reads them.
func (t *turn) handle(req request, body kafka.Body) {
	switch reply := body.(type) {
	case *kafka.MetadataResponse:
		t.metadataArrived(reply)
	case *kafka.FindCoordinatorResponse:
		t.coordinatorAnswered(reply)
	case *kafka.JoinGroupResponse:
		t.joinAnswered(reply)
	case *kafka.SyncGroupResponse:
		t.syncAnswered(reply)
	case *kafka.HeartbeatResponse:
		t.heartbeatAnswered(req.body.(*kafka.HeartbeatRequest), reply.Error)
	case *kafka.LeaveGroupResponse:
		// Nothing depends on it: the member has forgotten the group already.
	case *kafka.OffsetFetchResponse:
		t.committedArrived(reply)
	case *kafka.ListOffsetsResponse:
		t.offsetsListed(req, reply)
	case *kafka.OffsetForLeaderEpochResponse:
		t.epochsEnded(req, reply)
	case *kafka.FetchResponse:
		t.fetched(req, reply)
	case *kafka.OffsetCommitResponse:
		t.commitAnswered(req, reply)
	case *kafka.StoreWriteResponse:
		t.stored = storeDone
	case *kafka.StoreReadResponse:
		t.storeAnswered(reply)
	case *kafka.ProduceResponse:
		t.letterAnswered(reply)
	}
}

// lost acts on a request that will have no reply.
func (t *turn) lost(req request) {
	if req.to == t.group.coordinator {
		t.coordinatorUnknown()
	}
	t.network.wantMetadata = true
	switch req.body.(type) {
	case *kafka.JoinGroupRequest, *kafka.SyncGroupRequest:
		t.joinLater()
	case *kafka.HeartbeatRequest:
		t.heartbeatFailed()
	case *kafka.FindCoordinatorRequest:
		t.commitsWithoutCoordinator()
	case *kafka.StoreWriteRequest, *kafka.StoreReadRequest, *kafka.ProduceRequest:
		t.stored = storeFailed
	case *kafka.OffsetCommitRequest:
		t.commitLost(req)
	}
}

// refreshMetadata asks for metadata when something called for it. Every network I/O begins with it, as
// NetworkClient.poll does.
func (t *turn) refreshMetadata() {
	known := t.network.cluster != nil && !t.network.wantMetadata
	if known || t.network.inFlight(kafka.MetadataAPI) || t.network.metadataAt > t.now {
		return
	}
	to := t.network.anyBroker(t.now)
	if to == "" {
		return
	}
	t.network.wantMetadata = false
	t.network.metadataAt = t.now + t.settings.retry.base
	t.network.asked = t.metadataTopics()
	t.network.askedAll = t.network.asked == nil
	t.send(to, &kafka.MetadataRequest{Topics: t.network.asked}, "")
}

func (t *turn) metadataArrived(reply *kafka.MetadataResponse) {
	if !t.does(kafka.LeaderAloneNotices) && t.network.cluster != nil {
		t.group.rejoin = t.group.rejoin || t.partitionsDiffer(reply.Cluster)
	}
	t.network.cluster = reply.Cluster
	t.network.metadataAt = t.now + t.settings.retry.base
	t.setTimer(timerMetadata, t.now+t.settings.metadataAge)
	t.askForMissing()
	t.rematch()
	if t.group.electing != nil {
		t.sendSync(t.group.electing)
	}
}

// askForMissing asks again, after a pause, as long as a topic is missing or a partition without a leader
// (Metadata.handleMetadataResponse).
func (t *turn) askForMissing() {
	n := &t.network
	missing := slices.ContainsFunc(n.asked, func(name string) bool {
		topic, ok := t.topic(name)
		return !ok || slices.ContainsFunc(topic.Partitions, func(p kafka.PartitionInfo) bool { return p.Leader == "" })
	})
	if !missing || !t.does(kafka.MissingTopicAskedAgain) {
		n.missing = 0
		return
	}
	n.missing++
	n.wantMetadata, n.metadataAt = true, t.now+t.settings.retry.after(n.missing)
}

// metadataTopics is what a client asks metadata for: its topics, and as a leader its group's; with a pattern, all.
func (t *turn) metadataTopics() []string {
	if t.mode == matched {
		return nil
	}
	topics := slices.Concat(t.topics, t.group.groupTopics)
	for _, part := range t.spec.Program.parts() {
		topics = append(topics, letterTopics(part)...)
	}
	for _, p := range t.subs {
		topics = append(topics, p.Topic)
	}
	slices.Sort(topics)
	return slices.Compact(topics)
}
