package client

import (
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
		if t.settings.autoCommit && t.commitRefused() == "" && t.now < f.deadline && !t.committedBefore(commitClose) {
			return t.app.wait(waitNetwork, f.deadline)
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
		if t.now < f.deadline && t.network.inFlight(kafka.LeaveGroupAPI) {
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
