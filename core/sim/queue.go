package sim

import (
	"container/heap"
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
)

// event is something that will happen. Events never change once they are queued, so clones share them.
type event struct {
	at    time.Duration
	seq   int64 // ties are broken by the order of queueing
	cause int   // the trace's event that led to this one
	kind  eventKind

	to          kafka.NodeID
	incarnation int // of the receiving process; a restarted one is another

	message *kafka.Message // arrival
	sentAt  time.Duration  // arrival
	conn    int            // arrival, idle: the number of the connection
	peer    kafka.NodeID   // reset, idle: the other end
	timer   string         // timer: its key
	setting int64          // timer: which setting of it this is; session: which silence; an older one is stale
	command *Command       // command
	told    node.Command   // tell
}

// eventKind is the kind of an event.
type eventKind uint8

const (
	commandEvent eventKind = iota // a command of the script
	arrivalEvent                  // a message arrives
	timerEvent                    // a timer runs out
	resetEvent                    // a node learns that a connection is gone
	thawEvent                     // a frozen process goes on
	sessionEvent                  // the controller takes a broker for dead
	idleEvent                     // it is time to see whether a connection is idle
	tellEvent                     // a process is told something: the controller of a broker, a thawed client of a command
)

// eventQueue is a heap of events, the earliest first.
type eventQueue []*event

func (q eventQueue) Len() int { return len(q) }
func (q eventQueue) Less(i, j int) bool {
	if q[i].at != q[j].at {
		return q[i].at < q[j].at
	}
	return q[i].seq < q[j].seq
}
func (q eventQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is for package heap.
func (q *eventQueue) Push(x any) { *q = append(*q, x.(*event)) }

// Pop is for package heap.
func (q *eventQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}

// push queues an event.
func (w *World) push(e event) {
	w.seq++
	e.seq = w.seq
	heap.Push(&w.queue, &e)
}

// pop takes the earliest event that still means something and is due before the script ends; nil if there is none.
func (w *World) pop() *event {
	for len(w.queue) > 0 && w.queue[0].at <= w.until {
		e := heap.Pop(&w.queue).(*event)
		if !w.stale(e) {
			return e
		}
		w.staleTimers = max(0, w.staleTimers-1)
	}
	return nil
}

// stale reports whether an event has lost its meaning: its timer was set anew or stopped, or its process is gone.
func (w *World) stale(e *event) bool {
	if e.kind != timerEvent {
		return false
	}
	s := w.slot(e.to)
	return s.incarnation != e.incarnation || s.timers[e.timer] != e.setting
}

// sweep drops stale timers when they have come to outnumber what matters.
func (w *World) sweep() {
	if w.staleTimers < 64 || w.staleTimers < len(w.queue)/2 {
		return
	}
	w.queue = slices.DeleteFunc(w.queue, w.stale)
	heap.Init(&w.queue)
	w.staleTimers = 0
}
