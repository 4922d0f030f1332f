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
	fenced  bool          // a commit that nobody waited for was fenced: every poll and commit throws from now on
	fails   int           // commits in a row that had to be sent again
	retryAt time.Duration // not before this is a commit that somebody waits for sent again

	awaited  int32                // the request that sync or parting waits for
	offsets  []kafka.CommitOffset // what commitSync commits; never changed
	sequence int                  // how many commitAsync there were
	highest  []kafka.CommitOffset // the highest offset that any commitAsync sent, by partition; never changed
	waiting  []waitingCommit      // to be sent when the coordinator is found
	async    []sentCommit         // in flight
	finished []*asyncCommit       // answered
	due      []*asyncCommit       // answered, and their callbacks are run by the call under way
}

// waitingCommit is a commit of that purpose that nobody waits for.
type waitingCommit struct {
	purpose string
	commit  asyncCommit
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
	d.waiting = slices.Clone(c.waiting)
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
	if offsets := t.allConsumed(); len(offsets) > 0 {
		t.sendInBackground(waitingCommit{commitAuto, asyncCommit{offsets: offsets}})
	}
}

// committedBeforeJoin commits the positions before a rejoin, if commits are automatic, and reports whether that is over: at the
// latest when the rebalance timeout is (client.md section 6).
func (t *turn) committedBeforeJoin() bool {
	g := &t.group
	if !t.settings.autoCommit || g.generation == kafka.NoGeneration || g.prepareBy > 0 && t.now >= g.prepareBy {
		return true
	}
	if g.prepareBy == 0 {
		g.prepareBy = t.now + t.settings.rebalanceTimeout()
	}
	return t.committedBefore(commitJoin)
}

// committedBefore commits the positions before a rejoin or in close, and reports whether the answer is in. Since 3.2.1
// the request is asynchronous but waited for.
func (t *turn) committedBefore(purpose string) bool {
	switch t.commits.parting {
	case commitIdle:
		offsets := t.allConsumed()
		switch {
		case len(offsets) == 0:
			return true
		case t.commits.retryAt > t.now || !t.findCoordinator():
			return false
		case t.commitRefused() != "":
			return true // only logged
		}
		t.sendCommit(purpose, offsets)
		t.commits.parting, t.commits.awaited = commitSent, t.network.correlation
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

// sendCommit sends the offsets to the coordinator, which is known.
func (t *turn) sendCommit(purpose string, offsets []kafka.CommitOffset) {
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
}

// commitAnswered reacts to a commit's answer (OffsetCommitResponseHandler; client.md section 4).
func (t *turn) commitAnswered(req request, reply *kafka.OffsetCommitResponse) {
	e := kafka.ErrorOf(reply)
	body := req.body.(*kafka.OffsetCommitRequest)
	exception, retry := t.commitError(e, body)
	if e == kafka.None && req.purpose != commitSync {
		t.onCommit(body.Offsets)
	}
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
		if !current && t.joinsAgain() {
			return rebalanceInProgressException, false
		}
		t.forget(e)
		return commitFailedException, false
	case kafka.FencedInstanceID:
		switch {
		case current || !t.does(kafka.StaleErrorsIgnored):
			return exceptionOf(e), false
		case t.joinsAgain():
			return rebalanceInProgressException, false
		}
		return commitFailedException, false
	default:
		return exceptionOf(e), false
	}
}

// joinsAgain reports whether the member has begun another join, so that an error of an older generation says nothing of it.
func (t *turn) joinsAgain() bool {
	return t.does(kafka.StaleErrorsIgnored) && (t.group.state == preparing || t.group.failed)
}

// commitEnded hands the outcome of a commit to whoever waits for it.
func (t *turn) commitEnded(req request, exception string, retry bool) {
	switch {
	case req.purpose == commitAsync:
		t.asyncEnded(req.correlation, exception)
	case req.purpose == commitAuto:
		t.autoCommitEnded(exception, retry)
	case req.correlation != t.commits.awaited:
		// whoever waited for it went on without it
	case req.purpose == commitJoin, req.purpose == commitClose:
		t.commits.parting = commitDone
		if retry {
			t.commits.parting = commitIdle
			t.commitLater()
		}
	case req.purpose == commitSync:
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

// autoCommitEnded notes the outcome of an automatic commit in poll. Before it was tested for there, one that failed was not
// tried again before the next interval.
func (t *turn) autoCommitEnded(exception string, retry bool) {
	if retry && t.does(kafka.AutoCommitInPoll) {
		t.commits.next = t.now + t.settings.retry.base
	}
	t.commits.fenced = t.commits.fenced || exception == exceptionOf(kafka.FencedInstanceID)
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
	if t.commits.fenced {
		return t.app.throw(exceptionOf(kafka.FencedInstanceID))
	}
	if t.commits.sync == commitDone {
		f.told = false // callbacks of commitAsync run before, so that the order of the commits is kept
	}
	if t.runCallbacks(f) {
		return again
	}
	if t.commits.sync == commitDone {
		t.commits.sync = commitIdle
		if exception := t.commits.failed; exception != "" {
			t.commits.failed = ""
			return t.app.throw(exception)
		}
		t.onCommit(t.commits.offsets)
		return t.app.done()
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
	case t.commits.retryAt > t.now || !t.findCoordinator():
		return t.app.wait(waitNetwork, t.earliest(f.deadline, t.nextAttempt()))
	case t.commitRefused() != "":
		return t.app.throw(t.commitRefused())
	}
	t.sendCommit(commitSync, t.commits.offsets)
	t.commits.sync, t.commits.awaited = commitSent, t.network.correlation
	return again
}

// commitRefused is why the client itself refuses to commit, without a request, or "": it has subscribed and has no stable
// generation (client.md section 4). An attempt to join that failed leaves the real client's state as it is, so that it is still
// in a rebalance (AbstractCoordinator.rebalanceInProgress).
func (t *turn) commitRefused() string {
	switch {
	case !t.does(kafka.HeartbeatThread):
		return "" // the coordinator is asked in any case
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
	if len(offsets) == 0 {
		t.notSent(waitingCommit{commitAsync, commit})
		return
	}
	t.sendInBackground(waitingCommit{commitAsync, commit})
}

// sendInBackground sends a commit that nobody waits for. While the coordinator is unknown it waits for the answer of one
// FindCoordinator (commitOffsetsAsync).
func (t *turn) sendInBackground(w waitingCommit) {
	c := &t.commits
	switch {
	case t.group.coordinator == "" && t.does(kafka.AutoCommitInPoll) && t.looksUp():
		c.waiting = append(c.waiting, w)
	case t.group.coordinator == "":
		w.commit.exception = retriableCommitException
		t.notSent(w)
	case t.commitRefused() != "":
		w.commit.exception = t.commitRefused()
		t.notSent(w)
	default:
		t.sendCommit(w.purpose, w.commit.offsets)
		if w.purpose == commitAsync {
			c.async = append(c.async, sentCommit{t.network.correlation, w.commit})
		}
	}
}

// looksUp asks for the coordinator, and reports whether an answer is on its way.
func (t *turn) looksUp() bool {
	t.findCoordinator()
	return t.network.inFlight(kafka.FindCoordinatorAPI)
}

// notSent ends a commit that was not sent, for what its exception says.
func (t *turn) notSent(w waitingCommit) {
	t.fact(view.Fact{Kind: view.CommitFinished, Text: w.purpose, Error: kafka.None, Member: w.commit.exception})
	if w.purpose == commitAuto {
		t.autoCommitEnded(w.commit.exception, w.commit.exception == retriableCommitException)
		return
	}
	t.commits.finished = append(t.commits.finished, &w.commit)
}

// sendWaitingCommits sends what waited for the coordinator to be found.
func (t *turn) sendWaitingCommits() {
	waiting := t.commits.waiting
	t.commits.waiting = nil
	for _, w := range waiting {
		t.sendInBackground(w)
	}
}

// commitsWithoutCoordinator ends what waited for a coordinator that was not found.
func (t *turn) commitsWithoutCoordinator() {
	waiting := t.commits.waiting
	t.commits.waiting = nil
	for _, w := range waiting {
		w.commit.exception = retriableCommitException
		t.notSent(w)
	}
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
	c.fenced = c.fenced || exception == exceptionOf(kafka.FencedInstanceID)
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
