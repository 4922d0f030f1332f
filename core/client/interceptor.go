package client

import (
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// onConsume shows the interceptors the records that poll is about to return; a poll that returns none passes them by. An exception of
// theirs is logged and no more, so that nothing depends on what they do (KIP-42; ConsumerInterceptors).
func (t *turn) onConsume() {
	if t.batch.size() == 0 {
		return
	}
	for _, name := range t.settings.interceptors {
		t.fact(view.Fact{Kind: view.OnConsume, Text: name, To: int64(t.batch.size())})
	}
}

// onCommit tells the interceptors of a commit that succeeded: one by commitSync just before that returns, any other
// when its answer is handled (ConsumerCoordinator.commitOffsetsSync, doCommitOffsetsAsync).
func (t *turn) onCommit(offsets []kafka.CommitOffset) {
	for _, name := range t.settings.interceptors {
		for _, o := range offsets {
			t.fact(view.Fact{Kind: view.OnCommit, Text: name, Partition: o.TopicPartition, To: o.Offset})
		}
	}
}
