package broker

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/kafka"
)

// Quota limits what the consumers of a client.id may fetch from each broker (consumer_byte_rate).
type Quota struct {
	ClientID  string
	FetchRate int64 // bytes per second
}

// sample is what a client took at a moment.
type sample struct {
	client string
	at     time.Duration
	bytes  int64
}

// quotaWindow is the time over which the rate is taken (quota.window.num - 1 windows of quota.window.size.seconds).
const quotaWindow = 10 * time.Second

// throttled answers a fetch of a client that has a quota. If the records would take it above, the answer has none, and tells how long to
// wait: until the rate over the window would be back at the quota. (Before 2.0 the broker held the answer itself back, KIP-219; to the
// client it comes to the same.)
//
// Source: ClientQuotaManager.throttleTime: (rate - quota) / quota * window.
func (t *turn) throttled(from caller, r *kafka.FetchRequest, full *kafka.FetchResponse) *kafka.FetchResponse {
	client := cmp.Or(r.ClientID, string(from.node))
	i := slices.IndexFunc(t.quotas, func(q Quota) bool { return q.ClientID == client })
	bytes := kafka.Size(full)
	if i < 0 || t.quotas[i].FetchRate <= 0 || full.Empty() {
		return full
	}
	t.taken = slices.DeleteFunc(t.taken, func(s sample) bool { return s.at <= t.now-quotaWindow })
	total := bytes
	for _, s := range t.taken {
		if s.client == client {
			total += s.bytes
		}
	}
	wait := time.Duration(total)*time.Second/time.Duration(t.quotas[i].FetchRate) - quotaWindow
	if wait <= 0 || total == bytes { // whoever took nothing for a while is given what does not fit into the window, too
		t.taken = append(t.taken, sample{client, t.now, bytes})
		return full
	}
	empty := &kafka.FetchResponse{Throttle: kafka.Throttle(wait)}
	for _, p := range full.Partitions {
		p.Records, p.Aborted = nil, nil
		empty.Partitions = append(empty.Partitions, p)
	}
	return empty
}
