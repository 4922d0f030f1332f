package client

import (
	"time"

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

// step runs a piece of the innermost call.
func (t *turn) step() verdict {
	f := t.app.top()
	switch f.proc {
	case procPoll:
		return t.poll(f)
	case procJoin:
		return t.join(f)
	case procCallback:
		return t.callback(f)
	case procCommitSync:
		return t.commitSync(f)
	case procUnsubscribe:
		return t.unsubscribe(f)
	case procClose:
		return t.close(f)
	default:
		return t.program(f)
	}
}

// part is the code that a call of the user's program runs.
func (c *Consumer) part(p procedure) *code {
	switch p {
	case procSetup:
		return &c.setup
	case procFinally:
		return &c.closing
	default:
		return &c.body
	}
}

// unwind takes an exception up to the program. If nothing there catches it, the finally block runs and the process ends.
// A WakeupException is how a program is told to end; it is no failure.
func (t *turn) unwind() {
	for len(t.app.stack) > 1 {
		t.app.pop()
	}
	class := t.app.thrown
	t.app.thrown = ""
	expected := class == wakeupException && t.quit
	if !expected {
		t.fact(view.Fact{Kind: view.ExceptionThrown, Text: class})
	}
	f := t.app.top()
	if target, ok := t.part(f.proc).handler(f.pc-1, class); ok && !expected {
		f.pc = target
		return
	}
	if !expected {
		t.exception = class
	}
	t.finish()
}

// finish leaves the loop: what is left is the finally block, then close().
func (t *turn) finish() {
	f := t.app.top()
	if f.proc == procFinally {
		*f = call{proc: procClose, deadline: t.now + closeTimeout}
		return
	}
	*f = call{proc: procFinally}
}

// program runs one instruction of the user's code.
func (t *turn) program(f *call) verdict {
	code := t.part(f.proc)
	if f.pc >= len(code.instructions) {
		return t.nextRound(f)
	}
	at := &code.instructions[f.pc]
	if at.Do != jump && f.deadline == 0 {
		t.fact(view.Fact{Kind: view.LineEntered, From: int64(at.Line), Text: procedureNames[f.proc]})
	}
	return t.execute(f, at)
}

// shortestRound is the least time a program's loop takes: no call is free, so a loop around poll(0) cannot stop the clock.
const shortestRound = time.Millisecond

// nextRound goes on after the last instruction of a part: from the setup to the loop, from one round of it to the next, or
// out of it.
func (t *turn) nextRound(f *call) verdict {
	switch {
	case f.proc == procFinally || t.quit:
		t.finish()
	case f.proc == procSetup:
		*f = call{proc: procProgram, begun: t.now}
	case t.now < f.begun+shortestRound:
		return t.app.wait(waitTime, f.begun+shortestRound)
	default:
		f.pc, f.begun = 0, t.now
	}
	return again
}

func (t *turn) execute(f *call, at *instruction) verdict {
	switch at.Do {
	case Process:
		return t.process(f, at)
	case Sleep:
		return t.sleep(f, at.For)
	case ForEach:
		if _, _, ok := t.batch.current(); !ok {
			f.pc = at.to
			t.batch = batch{}
			return again
		}
	case jump:
		f.pc = at.to
		return again
	case Leave:
		t.finish()
		return again
	}
	f.pc++
	t.callLibrary(at)
	return again
}

// callLibrary begins a call of one of the consumer's methods.
func (t *turn) callLibrary(at *instruction) {
	switch at.Do {
	case Poll:
		t.batch = batch{}
		t.fact(view.Fact{Kind: view.PollCalled})
		t.app.push(call{proc: procPoll, deadline: t.now + at.For})
	case CommitSync:
		t.app.push(call{proc: procCommitSync, deadline: deadline(t.now, t.settings.apiTimeout)})
	case CommitAsync:
		t.commitAsync()
	case Subscribe:
		t.app.thrown = t.subscribe(at.Topics, at.Pattern)
	case Assign:
		t.app.thrown = t.assignManually(at.Partitions)
	case Unsubscribe:
		t.app.push(call{proc: procUnsubscribe})
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
		f.deadline = t.now + t.processingTime(at)
	}
	if t.now < f.deadline {
		return t.app.wait(waitTime, f.deadline)
	}
	f.deadline = 0
	f.pc++
	t.fact(view.Fact{Kind: view.Processed, Partition: tp, From: record.Offset})
	t.batch.next()
	return again
}

func (c *Consumer) processingTime(at *instruction) time.Duration {
	if c.slow >= 0 {
		return c.slow
	}
	return at.For
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
