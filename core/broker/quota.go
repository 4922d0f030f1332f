package broker

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"groupscope/core/kafka"
)

// Quota limits what the clients of a client.id may fetch from each broker (consumer_byte_rate), and what they may produce to it
// (producer_byte_rate). A rate of 0 is no limit.
type Quota struct {
	ClientID    string
	FetchRate   int64 // bytes per second
	ProduceRate int64 // bytes per second
}

// sample is what a client took, or brought, at a moment.
type sample struct {
	api    kafka.API
	client string
	at     time.Duration
	bytes  int64
}

// quotaWindow is the time over which the rate is taken (quota.window.num - 1 windows of quota.window.size.seconds).
const quotaWindow = 10 * time.Second

// quotaOf finds the limits of a client.
func (b *Broker) quotaOf(client string) Quota {
	i := slices.IndexFunc(b.quotas, func(q Quota) bool { return q.ClientID == client })
	if i < 0 {
		return Quota{}
	}
	return b.quotas[i]
}

// inWindow sums up what a client took, or brought, within the window that ends now.
func (t *turn) inWindow(api kafka.API, client string) int64 {
	t.taken = slices.DeleteFunc(t.taken, func(s sample) bool { return s.at <= t.now-quotaWindow })
	var total int64
	for _, s := range t.taken {
		if s.api == api && s.client == client {
			total += s.bytes
		}
	}
	return total
}

// excess is how long a client has to wait until the rate over the window is back at its quota; not positive if it is within it.
//
// Source: ClientQuotaManager.throttleTime: (rate - quota) / quota * window.
func excess(bytes, rate int64) time.Duration {
	return time.Duration(bytes)*time.Second/time.Duration(rate) - quotaWindow
}

// throttled answers a fetch of a client that has a quota. If the records would take it above, the answer has none, and tells how long to
// wait. (Before 2.0 the broker held the answer itself back, KIP-219; to the client it comes to the same.)
func (t *turn) throttled(from caller, r *kafka.FetchRequest, full *kafka.FetchResponse) *kafka.FetchResponse {
	client := cmp.Or(r.ClientID, string(from.node))
	rate := t.quotaOf(client).FetchRate
	if rate <= 0 || full.Empty() {
		return full
	}
	before, bytes := t.inWindow(kafka.FetchAPI, client), kafka.Size(full)
	wait := excess(before+bytes, rate)
	if wait <= 0 || before == 0 { // whoever took nothing for a while is given what does not fit into the window, too
		t.taken = append(t.taken, sample{kafka.FetchAPI, client, t.now, bytes})
		return full
	}
	empty := &kafka.FetchResponse{Throttle: kafka.Throttle(wait)}
	for _, p := range full.Partitions {
		p.Records, p.Aborted = nil, nil
		empty.Partitions = append(empty.Partitions, p)
	}
	return empty
}

// heldReply is a reply that a broker keeps back from a producer above its quota. It never changes.
type heldReply struct {
	key  string // of its timer, such as "throttle P1/17"
	to   caller
	body *kafka.ProduceResponse
}

// unheard is a request that came over a connection while the answer to the one before it is held back: a broker takes up one request
// of a connection at a time (SocketServer.Processor mutes it). It never changes.
type unheard struct {
	from    caller
	request *kafka.ProduceRequest
}

// holds reports whether a reply to a client is held back.
func (b *Broker) holds(peer kafka.NodeID) bool {
	return slices.ContainsFunc(b.heldReplies, func(h heldReply) bool { return h.to.node == peer })
}

// replyProduce answers a Produce request. Its records are in the log whatever the quota says; who has brought too much is told how long to
// wait. Before KIP-219 that is how long the answer itself is held back; a newer broker, which stops listening to a client that
// is too old to wait by itself, does the same here. With acks=0 there is no answer, and no quota in the model.
func (t *turn) replyProduce(to caller, r *kafka.ProduceRequest, response *kafka.ProduceResponse) {
	client := cmp.Or(r.ClientID, string(to.node))
	rate := t.quotaOf(client).ProduceRate
	if rate <= 0 {
		t.reply(to, response)
		return
	}
	t.taken = append(t.taken, sample{kafka.ProduceAPI, client, t.now, kafka.Size(r)})
	wait := excess(t.inWindow(kafka.ProduceAPI, client), rate)
	if wait > 0 {
		response.Throttle = kafka.Throttle(wait)
	}
	if wait <= 0 || t.has(kafka.ClientThrottles) && r.Version >= throttlingProduce {
		t.reply(to, response)
		return
	}
	key := memberKey(throttleTimer, string(to.node), strconv.Itoa(int(to.correlation)))
	t.heldReplies = append(t.heldReplies, heldReply{key, to, response})
	t.setTimer(key, timer{kind: throttleTimer}, wait)
}

// throttlingProduce is the version of Produce whose sender waits by itself.
const throttlingProduce = 6

// release sends a reply that was held back, and takes up what came over the connection meanwhile.
func (t *turn) release(key string) {
	i := slices.IndexFunc(t.heldReplies, func(h heldReply) bool { return h.key == key })
	held := t.heldReplies[i]
	t.heldReplies = slices.Delete(t.heldReplies, i, i+1)
	t.reply(held.to, held.body)
	queue := t.unheard
	t.unheard = nil
	for _, u := range queue {
		t.produce(u.from, u.request)
	}
}

// dropReplies forgets the replies held back from a peer whose connection was lost.
func (t *turn) dropReplies(peer kafka.NodeID) {
	t.heldReplies = slices.DeleteFunc(t.heldReplies, func(h heldReply) bool {
		if h.to.node == peer {
			t.stopTimer(h.key)
		}
		return h.to.node == peer
	})
	t.unheard = slices.DeleteFunc(t.unheard, func(u unheard) bool { return u.from.node == peer })
}
