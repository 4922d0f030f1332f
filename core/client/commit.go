package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// commits is what goes on with commits (ConsumerCoordinator).
type commits struct {
	next    time.Duration // when automatic commit is due; 0 while it is off or the consumer has not joined
	parting commitPhase   // the commit before a rejoin, or in close
	sync    commitPhase   // the commitSync that the application thread waits for
	failed  string        // the exception that commitSync ends with
	fails   int           // commits in a row that had to be sent again
	retryAt time.Duration // not before this is a commit that somebody waits for sent again

	offsets  []kafka.CommitOffset // what commitSync commits; never changed
	sequence int                  // how many commitAsync there were
	highest  []kafka.CommitOffset // the highest offset that any commitAsync sent, by partition; never changed
	async    []sentCommit         // in flight
	finished []*asyncCommit       // answered
	due      []*asyncCommit       // answered, and their callbacks are run by the call under way
}

// asyncCommit is one commitAsync. It is never changed after its answer was noted.
type asyncCommit struct {
	sequence  int
	offsets   []kafka.CommitOffset
	callback  *code
	exception string // what it failed with; "" if it did not
}

// sentCommit ties a commitAsync to its request.
type sentCommit struct {
	correlation int32
	commit      asyncCommit
}

// commitPhase is how far a commit that somebody waits for has come.
type commitPhase uint8

const (
	commitIdle commitPhase = iota
	commitSent
	commitDone
)

// The purposes of a commit, as facts name them.
const (
	commitAuto  = "auto"
	commitSync  = "sync"
	commitAsync = "async"
	commitJoin  = "before rejoin"
	commitClose = "close"
)

func (c *commits) clone() commits {
	d := *c
	d.async = slices.Clone(c.async)
	d.finished = slices.Clone(c.finished)
	d.due = slices.Clone(c.due)
	return d
}

// restart begins a new interval of automatic commit.
func (c *commits) restart(now, every time.Duration) { c.next = now + every }

// nextAutoCommit is when automatic commit is due; 0 when it is off.
func (c *Consumer) nextAutoCommit() time.Duration {
	if !c.settings.autoCommit {
		return 0
	}
	return c.commits.next
}

// autoCommit commits the positions if the interval has passed. It runs inside poll, before records are returned, so it
// covers what earlier polls returned and never what this one will (client.md section 6).
func (t *turn) autoCommit() {
	if !t.settings.autoCommit || t.commits.next == 0 || t.now < t.commits.next {
		return
	}
	t.commits.restart(t.now, t.settings.autoCommitEvery)
	t.sendCommit(commitAuto, t.allConsumed())
}

// committedBefore commits the positions before a rejoin or in close, and reports whether the answer is in. Since 3.2.1
// the request is asynchronous but waited for.
func (t *turn) committedBefore(purpose string) bool {
	switch t.commits.parting {
	case commitIdle:
		if t.commits.retryAt > t.now {
			return false
		}
		if t.group.coordinator == "" || !t.sendCommit(purpose, t.allConsumed()) {
			return true
		}
		t.commits.parting = commitSent
		return false
	case commitSent:
		return false
	default:
		return true
	}
}

// allConsumed is the position of every assigned partition that has one (SubscriptionState.allConsumed).
func (t *turn) allConsumed() []kafka.CommitOffset {
	var offsets []kafka.CommitOffset
	for _, p := range t.subs {
		if p.position != kafka.NoOffset {
			offsets = append(offsets, kafka.CommitOffset{
				TopicPartition: p.TopicPartition, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: p.position},
			})
		}
	}
	return offsets
}

// sendCommit sends the offsets to the coordinator, and reports whether there was anything to send.
func (t *turn) sendCommit(purpose string, offsets []kafka.CommitOffset) bool {
	if len(offsets) == 0 || t.group.coordinator == "" {
		return false
	}
	for _, o := range offsets {
		t.fact(view.Fact{Kind: view.CommitStarted, Text: purpose, Partition: o.TopicPartition, To: o.Offset})
	}
	t.send(t.group.coordinator, &kafka.OffsetCommitRequest{
		Version:    t.version(kafka.OffsetCommitAPI, t.group.coordinator),
		Group:      t.spec.Group,
		Generation: t.group.generation,
		MemberID:   t.group.memberID,
		InstanceID: t.settings.instanceID,
		Offsets:    offsets,
	}, purpose)
	return true
}

// commitAnswered reacts to a commit's answer (OffsetCommitResponseHandler; client.md section 4).
func (t *turn) commitAnswered(req request, reply *kafka.OffsetCommitResponse) {
	e := kafka.ErrorOf(reply)
	body := req.body.(*kafka.OffsetCommitRequest)
	exception, retry := t.commitError(e, body)
	t.fact(view.Fact{Kind: view.CommitFinished, Text: req.purpose, Error: e})
	t.commitEnded(req, exception, retry)
}

// commitError acts on the error of a commit: the exception that it becomes, or whether it may be tried again.
func (t *turn) commitError(e kafka.ErrorCode, body *kafka.OffsetCommitRequest) (exception string, retry bool) {
	current := body.MemberID == t.group.memberID && body.Generation == t.group.generation
	switch e {
	case kafka.None:
		return "", false
	case kafka.CoordinatorNotAvailable, kafka.NotCoordinator, kafka.RequestTimedOut:
		t.coordinatorUnknown()
		return retriableCommitException, true
	case kafka.CoordinatorLoadInProgress, kafka.UnknownTopicOrPartition:
		return retriableCommitException, true
	case kafka.RebalanceInProgress:
		if !t.does(kafka.CommitRebalanceKeepsGeneration) {
			t.resetAll()
			return commitFailedException, false
		}
		t.group.rejoin = true
		if !t.does(kafka.CommitRebalanceInProgress) {
			return commitFailedException, false
		}
		return rebalanceInProgressException, false
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		if !current && (t.joining() || t.group.rejoin) {
			return rebalanceInProgressException, false
		}
		if current && e == kafka.UnknownMemberID {
			t.resetAll()
		} else if current {
			t.resetGeneration()
		}
		return commitFailedException, false
	default:
		return exceptionOf(e), false
	}
}

// commitEnded hands the outcome of a commit to whoever waits for it.
func (t *turn) commitEnded(req request, exception string, retry bool) {
	switch req.purpose {
	case commitAsync:
		t.asyncEnded(req.correlation, exception)
	case commitAuto:
		if retry {
			t.commits.next = t.now + t.settings.retry.base
		}
	case commitJoin, commitClose:
		t.commits.parting = commitDone
		if retry {
			t.commits.parting = commitIdle
			t.commitLater()
		}
	case commitSync:
		t.commits.sync, t.commits.failed = commitDone, exception
		if retry {
			t.commits.sync, t.commits.failed = commitIdle, ""
			t.commitLater()
		}
	}
	if !retry {
		t.commits.fails = 0
	}
}

// commitLater lets a commit that somebody waits for be sent again after retry.backoff.ms.
func (t *turn) commitLater() {
	t.commits.fails++
	t.commits.retryAt = t.now + t.settings.retry.after(t.commits.fails)
}

// commitLost reacts to a commit that will have no answer.
func (t *turn) commitLost(req request) {
	t.fact(view.Fact{Kind: view.CommitFinished, Text: req.purpose, Error: kafka.RequestTimedOut})
	t.commitEnded(req, retriableCommitException, true)
}

// commitSync blocks until the positions are stored, retrying what may be retried until default.api.timeout.ms is over.
func (t *turn) commitSync(f *call) verdict {
	if t.wakeup {
		t.wakeup = false
		return t.app.throw(wakeupException)
	}
	if t.commits.sync == commitDone {
		t.commits.sync = commitIdle
		if exception := t.commits.failed; exception != "" {
			t.commits.failed = ""
			return t.app.throw(exception)
		}
		return t.app.done()
	}
	if t.runCallbacks(f) {
		return again
	}
	t.refreshMetadata()
	switch {
	case f.deadline > 0 && t.now >= f.deadline:
		t.commits.sync = commitIdle
		return t.app.throw(timeoutException)
	case t.commits.sync == commitSent:
		return t.app.wait(waitNetwork, f.deadline)
	case len(t.commits.offsets) == 0:
		return t.app.done() // nothing to commit is no error, whatever the state
	case t.commitRefused() != "":
		return t.app.throw(t.commitRefused())
	case !t.findCoordinator():
		return t.app.wait(waitNetwork, t.earliest(f.deadline, t.nextAttempt()))
	case t.commits.retryAt > t.now:
		return t.app.wait(waitNetwork, t.earliest(f.deadline, t.commits.retryAt))
	}
	if !t.sendCommit(commitSync, t.commits.offsets) {
		return t.app.done()
	}
	t.commits.sync = commitSent
	return again
}

// commitRefused is why the client itself refuses to commit, without a request, or "": it has subscribed and has no stable
// generation (client.md section 4). An attempt to join that failed leaves the real client's state as it is, so that it is still
// in a rebalance (AbstractCoordinator.rebalanceInProgress).
func (t *turn) commitRefused() string {
	switch {
	case !t.inGroup() || t.group.generation != kafka.NoGeneration && t.group.state == stable:
		return ""
	case t.does(kafka.CommitRebalanceInProgress) && (t.joining() || t.group.failed):
		return rebalanceInProgressException
	default:
		return commitFailedException
	}
}

// commitAsync sends the offsets once and does not wait. A later answer, or the lack of one, is told to the callback.
func (t *turn) commitAsync(offsets []kafka.CommitOffset, callback *code) {
	c := &t.commits
	c.sequence++
	commit := asyncCommit{sequence: c.sequence, offsets: offsets, callback: callback}
	for _, o := range offsets {
		c.highest = raise(c.highest, o)
	}
	switch {
	case len(offsets) == 0:
	case t.commitRefused() != "":
		commit.exception = t.commitRefused()
	case t.sendCommit(commitAsync, offsets):
		c.async = append(c.async, sentCommit{t.network.correlation, commit})
		return
	default: // the coordinator is unknown
		commit.exception = retriableCommitException
	}
	t.fact(view.Fact{Kind: view.CommitFinished, Text: commitAsync, Error: kafka.None, Member: commit.exception})
	c.finished = append(c.finished, &commit)
}

// raise notes an offset if it is higher than the one known for its partition.
func raise(offsets []kafka.CommitOffset, o kafka.CommitOffset) []kafka.CommitOffset {
	for _, known := range offsets {
		if known.TopicPartition == o.TopicPartition && known.Offset >= o.Offset {
			return offsets
		}
	}
	return put(offsets, o.TopicPartition, o.Offset)
}

// asyncEnded notes the outcome of a commitAsync. Its callback runs on the application thread, in a later call.
func (t *turn) asyncEnded(correlation int32, exception string) {
	c := &t.commits
	i := slices.IndexFunc(c.async, func(s sentCommit) bool { return s.correlation == correlation })
	if i < 0 {
		return
	}
	commit := c.async[i].commit
	commit.exception = exception
	c.async = slices.Delete(c.async, i, i+1)
	c.finished = append(c.finished, &commit)
}

// runCallbacks begins the callback of the commitAsync that finished first, and reports whether there was one. A round of poll
// or commitSync runs those that had finished when it began: one whose callback commits again, and is refused at once, would
// never let it go on.
func (t *turn) runCallbacks(f *call) bool {
	c := &t.commits
	if !f.told {
		f.told = true
		c.due, c.finished = append(c.due, c.finished...), nil
	}
	for len(c.due) > 0 {
		commit := c.due[0]
		c.due = slices.Delete(c.due, 0, 1)
		if commit.callback != nil && len(commit.callback.instructions) > 0 {
			t.app.push(call{proc: procCommitCallback, code: commit.callback, commit: commit})
			return true
		}
	}
	return false
}
