package client

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// heartbeat is the timing of a member's sign of life. Since 0.10.1 a background thread keeps it (KIP-62); before, the
// application thread did, whenever it was inside a blocking call.
type heartbeat struct {
	enabled  bool
	inFlight bool
	sent     time.Duration // the last one
	due      time.Duration // the next one
	session  time.Duration // without a good answer until then, the client gives up on the coordinator
	answered time.Duration // the last good answer
	failures int           // heartbeats in a row that failed
	polled   time.Duration // the last poll: max.poll.interval.ms counts from here
}

// enableHeartbeat starts the thread's work for a generation (HeartbeatThread.enable, Heartbeat.resetTimeouts).
func (t *turn) enableHeartbeat() {
	h := &t.heartbeat
	if h.enabled {
		return
	}
	h.enabled, h.inFlight, h.failures = true, false, 0
	h.sent, h.answered, h.polled = t.now, t.now, t.now
	h.due = t.now + t.settings.heartbeatEvery
	if !t.does(kafka.HeartbeatThread) {
		h.due = t.now // at once after a completed join (client.md section 3)
	}
	h.session = t.now + t.settings.sessionTimeout
}

func (t *turn) disableHeartbeat() {
	t.heartbeat.enabled = false
	t.setTimer(timerHeartbeat, 0)
	t.setTimer(timerSession, 0)
	t.setTimer(timerPollInterval, 0)
}

// background lets the heartbeat thread take its turn. Before 0.10.1 there was none: the application thread did its work
// inside blocking calls.
func (t *turn) background() {
	if t.does(kafka.HeartbeatThread) || t.app.waits == waitNetwork {
		t.beat()
	}
}

// beat is one round of heartbeating, in the order of HeartbeatThread.run: look the coordinator up, notice a lapsed
// session, notice a missed poll, send what is due.
func (t *turn) beat() {
	h := &t.heartbeat
	if !h.enabled || t.group.rejoin && !t.does(kafka.HeartbeatThread) {
		return
	}
	switch {
	case !t.findCoordinator():
		t.setTimer(timerHeartbeat, t.nextAttempt())
		return
	case t.now >= h.session:
		t.fact(view.Fact{Kind: view.SessionLapsed})
		t.coordinatorUnknown()
		h.session = t.now + t.settings.sessionTimeout
		t.setTimer(timerHeartbeat, t.now)
		return
	case t.missedPoll():
		t.fact(view.Fact{Kind: view.PollTimerExpired})
		t.leave("consumer poll timeout has expired.")
		return
	case t.now >= h.due && !h.waits(&t.settings):
		t.sendHeartbeat()
	}
	t.setTimer(timerSession, h.session)
	if t.settings.pollInterval > 0 {
		t.setTimer(timerPollInterval, h.polled+t.settings.pollInterval)
	}
	if !h.waits(&t.settings) {
		t.setTimer(timerHeartbeat, h.due)
	}
}

// waits reports whether the answer to the last heartbeat must come before the next is sent. The thread of KIP-62 sends one
// every heartbeat.interval.ms, answered or not.
func (h *heartbeat) waits(s *settings) bool { return h.inFlight && s.pollInterval == 0 }

// heartbeatFailed lets the next heartbeat be sent after retry.backoff.ms.
func (t *turn) heartbeatFailed() {
	h := &t.heartbeat
	h.inFlight = false
	h.failures++
	h.due = t.now + t.settings.retry.after(h.failures)
}

func (t *turn) missedPoll() bool {
	return t.settings.pollInterval > 0 && t.now >= t.heartbeat.polled+t.settings.pollInterval
}

func (t *turn) sendHeartbeat() {
	h := &t.heartbeat
	h.inFlight, h.sent = true, t.now
	h.due = t.now + t.settings.heartbeatEvery
	t.send(t.group.coordinator, &kafka.HeartbeatRequest{
		Version:    t.version(kafka.HeartbeatAPI, t.group.coordinator),
		Group:      t.spec.Group,
		MemberID:   t.group.memberID,
		InstanceID: t.settings.instanceID,
		Generation: t.group.generation,
	}, "")
}

// heartbeatAnswered reacts to a heartbeat's answer (HeartbeatResponseHandler; client.md section 4).
func (t *turn) heartbeatAnswered(req *kafka.HeartbeatRequest, e kafka.ErrorCode) {
	h := &t.heartbeat
	h.inFlight = false
	current := req.MemberID == t.group.memberID && req.Generation == t.group.generation
	switch e {
	case kafka.None, kafka.RebalanceInProgress:
		h.answered, h.failures = t.now, 0
		h.session = t.now + t.settings.sessionTimeout
		if e == kafka.RebalanceInProgress && t.group.state == stable {
			t.group.rejoin = true
		}
	case kafka.CoordinatorNotAvailable, kafka.NotCoordinator:
		t.heartbeatFailed()
		t.coordinatorUnknown()
	case kafka.IllegalGeneration, kafka.UnknownMemberID:
		if current || !t.does(kafka.StaleErrorsIgnored) {
			t.forget(e)
		}
	case kafka.FencedInstanceID, kafka.GroupAuthorizationFailed:
		if current {
			t.heartbeatFatal(e)
		}
	default:
		t.heartbeatFailed()
	}
}

// heartbeatFatal ends the heartbeat thread; the next poll throws what ended it. Since 2.6 a fenced member is none any more.
func (t *turn) heartbeatFatal(e kafka.ErrorCode) {
	if e == kafka.FencedInstanceID && t.does(kafka.StaleErrorsIgnored) {
		t.resetAll()
	}
	t.disableHeartbeat()
	t.group.fatal = exceptionOf(e)
}

// leave tells the coordinator goodbye and forgets the membership. A static member says nothing: it is expected back
// (KIP-345), and only its session timeout removes it.
func (t *turn) leave(reason string) {
	g := &t.group
	if t.settings.instanceID == "" && g.coordinator != "" && g.state != unjoined && g.member() {
		t.send(g.coordinator, &kafka.LeaveGroupRequest{
			Version: t.version(kafka.LeaveGroupAPI, g.coordinator),
			Group:   t.spec.Group,
			Members: []kafka.LeavingMember{{MemberID: g.memberID}},
			Reason:  reason,
		}, "")
	}
	t.resetAll()
	g.generation = kafka.NoGeneration
}
