package client

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// The names of the rebalance listener's methods.
const (
	onRevoked  = "onPartitionsRevoked"
	onAssigned = "onPartitionsAssigned"
	onLost     = "onPartitionsLost"
)

// The places in a poll.
const (
	pollJoin = iota
	pollFetch
)

// poll is one round of KafkaConsumer.poll: it comes back here whenever the thread is woken, until there are records or the
// timeout has passed (client.md section 1).
func (t *turn) poll(f *call) verdict {
	if t.wakeup {
		t.wakeup = false
		return t.app.throw(wakeupException)
	}
	if t.mode == noMode {
		return t.app.throw(illegalStateException)
	}
	for t.receive() {
	}
	if !t.does(kafka.HeartbeatThread) {
		t.beat()
	}
	if t.commits.fenced {
		return t.app.throw(exceptionOf(kafka.FencedInstanceID))
	}
	if t.runCallbacks(f) {
		return again
	}
	t.refreshMetadata()
	if t.inGroup() {
		t.heartbeat.polled = t.now
		if t.group.fatal != "" {
			return t.app.throw(t.takeFatal())
		}
		if !t.findCoordinator() && t.now < f.deadline {
			return t.pollWait(f)
		}
		if f.pc == pollJoin && t.mustJoin() && t.group.coordinator != "" && t.matchedAnew() {
			f.pc = pollFetch
			t.app.push(call{proc: procJoin, mayNotBlock: t.does(kafka.PollTimeoutBindsJoin)})
			return again
		}
	}
	return t.pollFetches(f)
}

// pollFetches is the second half of a round: what is there is returned even if the coordinator is unknown or a join goes on;
// commits and positions have to wait for them (ConsumerCoordinator.poll, pollForFetches).
func (t *turn) pollFetches(f *call) verdict {
	wait, exception, unplaced := false, "", t.unplaced()
	if !t.inGroup() || t.group.coordinator != "" && !t.mustJoin() {
		t.autoCommit()
		wait, exception = t.positions()
	}
	if exception == "" && (!wait || t.now >= f.deadline) && !t.givingUp() {
		exception = t.collect()
		t.sendFetches() // before records are returned, so that the next ones travel while these are processed
	}
	if exception != "" {
		return t.app.throw(exception)
	}
	if len(t.batch.parts) > 0 || t.now >= f.deadline {
		return t.returned()
	}
	if t.unplaced() > unplaced {
		return again // a position was out of range, and is reset in this poll
	}
	return t.pollWait(f)
}

// unplaced counts the assigned partitions that have no position.
func (t *turn) unplaced() int {
	count := 0
	for _, p := range t.subs {
		if p.position == kafka.NoOffset {
			count++
		}
	}
	return count
}

func (t *turn) mustJoin() bool {
	return t.inGroup() && (t.rejoinNeeded() || t.group.joined != nil || t.joining())
}

// givingUp reports whether all partitions are about to be revoked, and only the commit before that is awaited: since 3.3 nothing
// of them is returned any more (maybeMarkPartitionsPendingRevocation).
func (t *turn) givingUp() bool {
	return t.group.prepareBy > 0 && !t.cooperative() && t.does(kafka.PendingRevocation)
}

// pollWait waits for the network within poll.
func (t *turn) pollWait(f *call) verdict {
	f.pc, f.told = pollJoin, false
	t.refreshMetadata()
	return t.app.wait(waitNetwork, t.earliest(f.deadline, t.nextAttempt(), t.nextAutoCommit()))
}

// returned ends a poll with what is in the batch, maybe nothing.
func (t *turn) returned() verdict {
	t.onConsume()
	for _, p := range t.batch.parts {
		n := len(p.records)
		t.fact(view.Fact{Kind: view.RecordsReturned, Partition: p.TopicPartition,
			From: p.records[0].Offset, To: p.records[n-1].Offset + 1, Count: int64(n)})
	}
	t.fact(view.Fact{Kind: view.PollReturned, To: int64(t.batch.size())})
	return t.app.done()
}

// tellListener begins a call of one of the rebalance listener's methods.
func (t *turn) tellListener(method string, parts []kafka.TopicPartition) {
	t.fact(view.Fact{Kind: view.CallbackStarted, Text: method, Partitions: parts})
	t.app.push(call{proc: procListener, code: t.listener[method], callback: method, parts: parts})
}

// listenerThrew goes on after a rebalance callback was left by an exception. Since KIP-429 the call that told the listener does
// all that is left to do and then throws; before, the exception was only logged.
func (t *turn) listenerThrew(f *call, class string) {
	t.fact(view.Fact{Kind: view.CallbackEnded, Text: f.callback, Partitions: f.parts})
	if t.listenerError == "" && t.does(kafka.ListenerErrorsThrown) {
		t.listenerError = class
	}
}

// takeListenerError is the first exception of the callbacks that the call under way has run; "" if there was none.
func (t *turn) takeListenerError() string {
	class := t.listenerError
	t.listenerError = ""
	return class
}
