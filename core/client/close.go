package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// closeTimeout is how long close() may take when no timeout is given (KIP-102).
const closeTimeout = 30 * time.Second

// The places in close().
const (
	closeCommit = iota
	closeRevoke
	closeLeave
	closeWait
)

// close is KafkaConsumer.close: commit if commits are automatic, give up the partitions, say goodbye, and wait for
// what is still in flight to the coordinator (ConsumerCoordinator.close, AbstractCoordinator.close).
func (t *turn) close(f *call) verdict {
	switch f.pc {
	case closeCommit:
		if !t.committedBeforeClose(f) {
			return t.app.wait(waitNetwork, t.earliest(f.deadline, t.nextAttempt()))
		}
		t.commits.parting = commitIdle
		f.pc = closeRevoke
		if name, parts := t.givenUpOnClose(); name != "" {
			t.tellListener(name, parts)
		}
	case closeRevoke:
		t.assign(nil)
		f.pc = closeLeave
		if t.takeListenerError() != "" {
			t.fact(view.Fact{Kind: view.ExceptionThrown, Text: kafkaException})
			t.exception = kafkaException
			f.pc = closeWait // without LeaveGroup
		}
	case closeLeave:
		t.leave("the consumer is being closed")
		f.pc = closeWait
	case closeWait:
		if t.now < f.deadline && t.network.awaits(t.group.coordinator) {
			return t.app.wait(waitNetwork, f.deadline)
		}
		t.app.ended = true
		t.app.waits = waitNothing
		t.out.Ended = true
		t.fact(view.Fact{Kind: view.NodeClosed})
		t.app.stack = nil
		return blocked
	}
	return again
}

// committedBeforeClose commits the positions if commits are automatic, and reports whether that is over. It is tried until the
// timeout of close; before KIP-102 there was none.
func (t *turn) committedBeforeClose(f *call) bool {
	late := f.deadline > 0 && t.now >= f.deadline
	return !t.settings.autoCommit || t.commits.fenced || late || t.committedBefore(commitClose)
}

// awaits reports whether the coordinator of a group has not answered everything yet.
func (n *network) awaits(coordinator kafka.NodeID) bool {
	return slices.ContainsFunc(n.pending, func(r request) bool {
		switch r.body.API() {
		case kafka.JoinGroupAPI, kafka.SyncGroupAPI, kafka.HeartbeatAPI, kafka.LeaveGroupAPI, kafka.OffsetCommitAPI, kafka.OffsetFetchAPI:
			return r.to == coordinator
		}
		return false
	})
}

// givenUpOnClose is the callback that close and unsubscribe run, "" for none, and the partitions it is told of.
// Before 2.4 close ran none (client.md section 10).
func (t *turn) givenUpOnClose() (string, []kafka.TopicPartition) {
	owned := t.owned()
	switch {
	case len(owned) == 0 || !t.inGroup() || !t.does(kafka.CloseRevokes):
		return "", nil
	case t.group.generation == kafka.NoGeneration, t.joining() && t.does(kafka.CloseLosesDuringRebalance):
		return onLost, owned
	default:
		return onRevoked, owned
	}
}
