package broker

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// timerKind says what a timer is for; with the group, and the member where there is one, it makes the key.
type timerKind string

const (
	sessionTimer      timerKind = "session"       // a member's: no heartbeat for session.timeout.ms
	newMemberTimer    timerKind = "new member"    // a new member's, while it waits in JoinGroup
	pendingTimer      timerKind = "pending"       // of a member id that was handed out and not used yet
	initialDelayTimer timerKind = "initial delay" // group.initial.rebalance.delay.ms
	rebalanceTimer    timerKind = "rebalance"     // the rebalance timeout of the join phase
	pendingSyncTimer  timerKind = "pending sync"  // the rebalance timeout of the sync phase
	fetchTimer        timerKind = "fetch"         // fetch.max.wait.ms of a parked fetch
	expiryTimer       timerKind = "offset expiry" // offsets.retention.check.interval.ms
	appendTimer       timerKind = "append"        // of an append that waits for the in-sync replicas
	followTimer       timerKind = "follow"        // a follower asks its leader again
	followerTimer     timerKind = "follower"      // replica.fetch.wait.max.ms of a follower that waits
	retentionTimer    timerKind = "retention"     // log.retention.check.interval.ms
	txnTimer          timerKind = "transaction"   // transaction.timeout.ms
	markersTimer      timerKind = "markers"       // the markers of a transaction are sent again
	throttleTimer     timerKind = "throttle"      // of a reply to a producer above its quota
	isrTimer          timerKind = "in-sync check" // half of replica.lag.time.max.ms
)

// timer is a timer that runs.
type timer struct {
	kind          timerKind
	group, member string
	from, to      time.Duration
}

// groupKey and memberKey make the keys of timers, such as "rebalance G1" and "session G1/C1-1".
func groupKey(kind timerKind, group string) string { return string(kind) + " " + group }
func memberKey(kind timerKind, group, member string) string {
	return groupKey(kind, group) + "/" + member
}

func (t *turn) setTimer(key string, timer timer, after time.Duration) {
	timer.from, timer.to = t.now, t.now+after
	t.timers[key] = timer
	t.out.SetTimer(key, timer.to)
}

func (t *turn) stopTimer(key string) {
	if _, runs := t.timers[key]; runs {
		delete(t.timers, key)
		t.out.StopTimer(key)
	}
}

func (t *turn) setGroupTimer(kind timerKind, g *ClassicGroup, after time.Duration) {
	t.setTimer(groupKey(kind, g.id), timer{kind: kind, group: g.id}, after)
}

func (t *turn) setMemberTimer(kind timerKind, g *ClassicGroup, member string, after time.Duration) {
	t.setTimer(memberKey(kind, g.id, member), timer{kind: kind, group: g.id, member: member}, after)
}

// fire does what a timer was set for.
func (t *turn) fire(key string) {
	fired, ok := t.timers[key]
	if !ok {
		return
	}
	delete(t.timers, key)
	g := t.groups[fired.group]
	switch fired.kind {
	case fetchTimer:
		t.answerFetch(key)
	case appendTimer:
		t.appendTimedOut(key)
	case followTimer:
		t.follow()
	case followerTimer:
		t.answerFollower(kafka.NodeID(fired.member))
	case txnTimer:
		t.txnTimedOut(fired.member)
	case markersTimer:
		t.sendMarkersAgain(fired.member)
	case retentionTimer:
		t.deleteSegments()
	case throttleTimer:
		t.release(key)
	case isrTimer:
		t.shrinkISR()
	case expiryTimer:
		t.expireOffsets()
	case sessionTimer:
		t.sessionExpired(g, fired.member)
	case newMemberTimer:
		t.removeMember(g, fired.member, "join expired")
	case pendingTimer:
		t.pendingExpired(g, fired.member)
	case initialDelayTimer:
		t.initialDelayOver(g)
	case rebalanceTimer:
		t.completeJoin(g)
	case pendingSyncTimer:
		t.pendingSyncExpired(g)
	}
}

// seen gives a timer as a frame shows it; the zero Timer if it does not run.
func (b *Broker) seen(key string) view.Timer {
	running, ok := b.timers[key]
	if !ok {
		return view.Timer{}
	}
	return view.Timer{Name: string(running.kind), From: running.from, To: running.to}
}
