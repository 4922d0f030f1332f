package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
)

// thread is a stack of calls, the innermost last, and what it waits for.
type thread struct {
	stack  []call
	waits  waiting
	until  time.Duration // when it wakes at the latest; 0: no limit
	thrown string        // the class of an exception on its way up the stack; "" for none
	ended  bool
}

// waiting is what a thread waits for.
type waiting uint8

const (
	waitNothing waiting = iota // it can run
	waitTime                   // only time: sleeping, or busy with a record
	waitNetwork                // inside a blocking call: any reply, or time
)

// call is one frame of the stack: a procedure, where it is, and its locals. Which locals matter is up to the procedure.
type call struct {
	proc     procedure
	pc       int
	deadline time.Duration
	begun    time.Duration          // procProgram: when this round of its loop began
	code     *code                  // of the user's procedures: what they run; never changed
	callback string                 // procListener: the method
	parts    []kafka.TopicPartition // procListener: its argument; never changed
	commit   *asyncCommit           // procCommitCallback: what it is told of; never changed
	held     time.Duration          // the user's: how long a trap holds it before the instruction at pc; 0: not at all
	told     bool                   // procPoll, procCommitSync, and the user's before commitAsync: callbacks that were due have been begun in this round

	mayNotBlock bool // procJoin: return instead of waiting
}

// procedure names the code that a call runs.
type procedure uint8

const (
	procSetup procedure = iota // the program's setup, then its loop
	procProgram
	procFinally // the program's closing part, then close()
	procPoll
	procJoin
	procListener       // a method of the rebalance listener
	procCommitCallback // a callback of commitAsync
	procCommitSync
	procUnsubscribe
	procStore
	procClose
)

var procedureNames = [...]string{
	"main", "main", "finally", "poll", "joinGroupIfNeeded", "listener", "onComplete", "commitSync", "unsubscribe",
	"external store", "close",
}

// user reports whether the procedure is code of the user's.
func (p procedure) user() bool {
	return p == procSetup || p == procProgram || p == procFinally || p == procListener || p == procCommitCallback
}

// verdict says how the application thread goes on after a piece of a procedure.
type verdict uint8

const (
	again   verdict = iota // look at the top of the stack anew
	blocked                // the thread waits
)

func (th *thread) clone() thread {
	c := *th
	c.stack = slices.Clone(th.stack)
	return c
}

func (th *thread) push(c call) { th.stack = append(th.stack, c) }

func (th *thread) pop() { th.stack = th.stack[:len(th.stack)-1] }

func (th *thread) top() *call { return &th.stack[len(th.stack)-1] }

// ready reports whether the thread can run. A thread in a blocking call looks again whenever it is woken.
func (th *thread) ready(now time.Duration) bool {
	switch th.waits {
	case waitNothing:
		return !th.ended
	case waitNetwork:
		return true
	default:
		return now >= th.until
	}
}

// wait blocks the thread until a reply comes, or until the given time.
func (th *thread) wait(for_ waiting, until time.Duration) verdict {
	th.waits, th.until = for_, until
	return blocked
}

// throw ends the innermost call with an exception.
func (th *thread) throw(class string) verdict {
	th.pop()
	th.thrown = class
	return again
}

// done ends the innermost call in order.
func (th *thread) done() verdict {
	th.pop()
	return again
}
