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
	case procProgram, procFinally:
		return t.program(f)
	case procPoll:
		return t.poll(f)
	case procJoin:
		return t.join(f)
	case procCallback:
		return t.callback(f)
	case procCommitSync:
		return t.commitSync(f)
	default:
		return t.close(f)
	}
}

// unwind takes an exception up to the program, which has no handler of its own: its finally block runs, and the process
// ends. A WakeupException is how a program is told to end; it is no failure.
func (t *turn) unwind() {
	for t.app.top().proc != procProgram && t.app.top().proc != procFinally {
		t.app.pop()
	}
	class := t.app.thrown
	t.app.thrown = ""
	if class != wakeupException || !t.quit {
		t.exception = class
		t.fact(view.Fact{Kind: view.ExceptionThrown, Text: class})
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
	code := t.code
	if f.proc == procFinally {
		code = t.closing
	}
	if f.pc >= len(code) {
		if f.proc == procFinally || t.quit {
			t.finish()
			return again
		}
		if t.now < f.begun+shortestRound {
			return t.app.wait(waitTime, f.begun+shortestRound)
		}
		f.pc, f.begun = 0, t.now
	}
	at := code[f.pc]
	if at.do != jump && f.deadline == 0 {
		t.fact(view.Fact{Kind: view.LineEntered, From: int64(at.line), Text: procedureNames[f.proc]})
	}
	return t.execute(f, at)
}

// shortestRound is the least time a program's loop takes: no call is free, so a loop around poll(0) cannot stop the clock.
const shortestRound = time.Millisecond

func (t *turn) execute(f *call, at instruction) verdict {
	switch at.do {
	case Poll:
		f.pc++
		t.batch = batch{}
		t.fact(view.Fact{Kind: view.PollCalled})
		t.app.push(call{proc: procPoll, deadline: t.now + at.dur})
	case ForEach:
		if _, _, ok := t.batch.current(); !ok {
			f.pc = at.to
			t.batch = batch{}
			return again
		}
		f.pc++
	case Process:
		return t.process(f, at)
	case Sleep:
		return t.sleep(f, at.dur)
	case CommitSync:
		f.pc++
		t.app.push(call{proc: procCommitSync, deadline: deadline(t.now, t.settings.apiTimeout)})
	case CommitAsync:
		f.pc++
		t.commitAsync()
	case jump:
		f.pc = at.to
	}
	return again
}

// deadline is the moment a timeout from now ends; 0, for no limit, when there is no timeout.
func deadline(now, timeout time.Duration) time.Duration {
	if timeout == 0 {
		return 0
	}
	return now + timeout
}

// process keeps the thread busy with the record at hand.
func (t *turn) process(f *call, at instruction) verdict {
	tp, record, _ := t.batch.current()
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

func (t *turn) processingTime(at instruction) time.Duration {
	if t.slow >= 0 {
		return t.slow
	}
	return at.dur
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
