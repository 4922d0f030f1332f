package client

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// application lets the application thread run until it waits or the process has ended.
func (t *turn) application() {
	t.app.waits, t.app.until = waitNothing, 0
	for {
		if t.app.thrown != "" {
			t.unwind()
		}
		if t.step() == blocked {
			return
		}
	}
}

// deepestStack is how many calls can be within each other: a poll in a rebalance listener, say, can call that listener again.
const deepestStack = 200

// step runs a piece of the innermost call.
func (t *turn) step() verdict {
	f := t.app.top()
	if len(t.app.stack) > deepestStack {
		return t.app.throw(stackOverflowError)
	}
	switch f.proc {
	case procPoll:
		return t.poll(f)
	case procJoin:
		return t.join(f)
	case procCommitSync:
		return t.commitSync(f)
	case procUnsubscribe:
		return t.unsubscribe(f)
	case procStore:
		return t.useStore(f)
	case procClose:
		return t.close(f)
	default:
		return t.program(f)
	}
}

// unwind takes an exception up the stack to the user's code that catches it. If none does, the finally block runs and the
// process ends. A WakeupException is how a program is told to end; it is no failure. A StackOverflowError is no Exception, so neither
// handlers nor the library stop it.
func (t *turn) unwind() {
	class := t.app.thrown
	t.app.thrown = ""
	expected := class == wakeupException && t.quit
	if !expected {
		t.fact(view.Fact{Kind: view.ExceptionThrown, Text: class})
	}
	for {
		f := t.app.top()
		if f.proc.user() && !expected && class != stackOverflowError {
			if target, ok := f.code.handler(f.pc-1, class); ok {
				f.pc, f.deadline = target, 0
				return
			}
		}
		if len(t.app.stack) == 1 {
			break
		}
		left := *f
		t.app.pop()
		if left.proc == procListener && class != wakeupException && class != stackOverflowError {
			t.listenerThrew(&left, class)
			return
		}
	}
	if !expected {
		t.exception = class
	}
	t.finish()
}

// finish leaves the loop: what is left is the finally block, then close(); of close(), the waiting.
func (t *turn) finish() {
	f := t.app.top()
	if f.proc == procClose {
		f.pc = closeWait
		return
	}
	if f.proc == procFinally {
		t.commits.parting = commitIdle
		*f = call{proc: procClose}
		if t.does(kafka.CloseTimeout) {
			f.deadline = t.now + closeTimeout
		}
		return
	}
	*f = call{proc: procFinally, code: &t.closing}
}

// program runs one instruction of the user's code.
func (t *turn) program(f *call) verdict {
	if f.pc >= len(f.code.instructions) {
		return t.nextRound(f)
	}
	at := &f.code.instructions[f.pc]
	if f.held > 0 {
		if t.now < f.deadline {
			return t.app.wait(waitTime, f.deadline)
		}
		f.held, f.deadline = 0, 0
		return t.execute(f, at)
	}
	if at.Do != jump && at.Do != next && f.deadline == 0 && !f.told {
		if t.enter(f, at) {
			return again
		}
		if t.out.Crashed {
			return blocked
		}
		if f.held > 0 {
			return again
		}
	}
	return t.execute(f, at)
}

// enter notes that a line is reached, and springs the trap that waits there. It reports whether that threw.
func (t *turn) enter(f *call, at *instruction) bool {
	t.fact(view.Fact{Kind: view.LineEntered, From: int64(at.Line), Text: procedureNames[f.proc]})
	for i := range t.traps {
		trap := &t.traps[i]
		if trap.line != at.Line || trap.left == 0 {
			continue
		}
		if trap.left--; trap.left > 0 {
			continue
		}
		switch trap.action {
		case trapCrash:
			t.out.Crashed = true
		case trapClose:
			t.quit, t.wakeup = true, true
		case TrapSlow:
			f.held += trap.takes
			f.deadline = t.now + f.held
		default:
			f.pc++ // the instruction that throws is the one being executed
			t.app.thrown = trap.action
			return true
		}
	}
	return false
}

// nextRound goes on after the last instruction of a part: from the setup to the loop, from one round of it to the next, out
// of it, or back from a callback. No call is free, so a loop around poll(0) cannot stop the clock.
func (t *turn) nextRound(f *call) verdict {
	switch {
	case f.proc == procListener:
		t.fact(view.Fact{Kind: view.CallbackEnded, Text: f.callback, Partitions: f.parts})
		return t.app.done()
	case f.proc == procCommitCallback:
		return t.app.done()
	case f.proc == procFinally || t.quit:
		t.finish()
	case f.proc == procSetup:
		*f = call{proc: procProgram, code: &t.body, begun: t.now}
	case t.now < f.begun+shortestWait:
		return t.app.wait(waitTime, f.begun+shortestWait)
	default:
		f.pc, f.begun = 0, t.now
	}
	return again
}

// execute carries out one instruction.
func (t *turn) execute(f *call, at *instruction) verdict {
	switch at.Do {
	case Process:
		return t.process(f, at)
	case Sleep:
		return t.sleep(f, at.For)
	case Warm:
		return t.warm(f, at.For)
	case Flush:
		return t.flush(f, at.For)
	case CloseHandles:
		return t.closeHandles(f, at.For)
	case next:
		t.batch.next()
		f.pc = at.to
		return again
	case jump:
		f.pc = at.to
		return again
	case ForEach:
		if _, _, ok := t.batch.current(); !ok {
			f.pc = at.to
			t.batch = batch{}
			return again
		}
	case If:
		if !t.holds(f, at) {
			f.pc = at.to
			return again
		}
	case Leave:
		t.leaveLoop()
		return again
	case CommitAsync:
		if f.proc != procCommitCallback && !t.commits.fenced && t.runCallbacks(f) {
			return again // of commits that finished: a retry in one of them is sent before this commit
		}
		f.told = false
	}
	f.pc++
	t.callLibrary(f, at)
	return again
}

// leaveLoop is a break: the calls of callbacks end with it.
func (t *turn) leaveLoop() {
	for len(t.app.stack) > 1 {
		t.app.pop()
	}
	t.finish()
}

// callLibrary carries out an instruction that calls the consumer, the external store, or changes the program's variables.
func (t *turn) callLibrary(f *call, at *instruction) {
	if t.spec.Group == "" && (at.Do == CommitSync || at.Do == CommitAsync) {
		t.app.thrown = exceptionOf(kafka.InvalidGroupID)
		return
	}
	t.group.lookups = 0
	switch at.Do {
	case Poll:
		t.batch = batch{}
		t.fact(view.Fact{Kind: view.PollCalled})
		t.app.push(call{proc: procPoll, deadline: t.now + at.For})
	case CommitSync:
		t.commits.offsets, t.commits.sync = t.offsetsOf(at.Offsets), commitIdle
		t.app.push(call{proc: procCommitSync, deadline: deadline(t.now, t.settings.apiTimeout)})
	case CommitAsync:
		if t.commits.fenced {
			t.app.thrown = exceptionOf(kafka.FencedInstanceID)
			return
		}
		t.commitAsync(t.offsetsOf(at.Offsets), at.callback)
	case Retry:
		if f.commit != nil { // outside a callback there is nothing to try again
			t.commitAsync(f.commit.offsets, f.code)
		}
	case Subscribe:
		t.app.thrown = t.subscribe(at.Topics, at.Pattern)
	case Assign:
		t.app.thrown = t.assignManually(at.Partitions)
	case Unsubscribe:
		t.app.push(call{proc: procUnsubscribe})
	case Throw:
		t.app.thrown = at.Class
	case Seek, SeekPast, SeekBegin, SeekEnd, Pause, Resume:
		t.app.thrown = t.move(at)
	case StoreBoth, StoreResult, SeekStored, DeadLetter:
		t.callStore(at)
	case HandOver:
		t.handOver(at.For)
	default:
		t.changeVariables(at)
	}
}

// deadline is the moment a timeout from now ends; 0, for no limit, when there is no timeout.
func deadline(now, timeout time.Duration) time.Duration {
	if timeout == 0 {
		return 0
	}
	return now + timeout
}

// process keeps the thread busy with the record at hand.
func (t *turn) process(f *call, at *instruction) verdict {
	tp, record, ok := t.batch.current()
	if !ok {
		f.pc++ // outside a loop over records there is none
		return again
	}
	if f.deadline == 0 {
		t.fact(view.Fact{Kind: view.ProcessingStarted, Partition: tp, From: record.Offset})
		f.deadline = t.now + t.processingTime(at.For)
	}
	if t.now < f.deadline {
		return t.app.wait(waitTime, f.deadline)
	}
	f.deadline = 0
	f.pc++
	t.fact(view.Fact{Kind: view.Processed, Partition: tp, From: record.Offset})
	return again
}

// processingTime is how long a record takes: what the program says, unless a command changed it.
func (c *Consumer) processingTime(d time.Duration) time.Duration {
	if c.slow >= 0 {
		return c.slow
	}
	return d
}

func (t *turn) sleep(f *call, d time.Duration) verdict {
	if f.deadline == 0 {
		f.deadline = t.now + d
	}
	if t.now < f.deadline {
		return t.app.wait(waitTime, f.deadline)
	}
	f.deadline = 0
	f.pc++
	return again
}
