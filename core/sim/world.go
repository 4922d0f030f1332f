// Package sim is the world that nodes live in: the virtual clock, the queue of events, the network, faults, and what
// is kept of a run (trace, history, ledger). It is the only place that knows all nodes.
package sim

import (
	"maps"
	"slices"
	"strings"
	"time"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// World is a run at one moment. Step takes it to the next event. Clones are cheap: a process is copied when one
// of the worlds that share it first touches it.
type World struct {
	script      *Script       // never changed
	until       time.Duration // nothing happens later
	now         time.Duration
	event       int // the last one
	seq         int64
	messages    int64
	settings    int64 // how often timers were set
	queue       eventQueue
	staleTimers int
	slots       []*slot // in the order they were added
	index       map[kafka.NodeID]int
	links       map[pair]link
	ledger      ledger
	owner       *owner
}

// owner tells which slots a world may change in place: those that carry its own mark.
type owner struct{ _ byte }

// slot is a process and what surrounds it.
type slot struct {
	owner       *owner
	id          kafka.NodeID
	node        node.Node
	liveness    view.Liveness
	frozenUntil time.Duration
	incarnation int
	timers      map[string]int64 // the present setting of each timer that runs
	held        []*event         // what arrived while it was frozen
	session     session          // of a broker
	consumer    *client.ConsumerSpec
	producer    *client.ProducerSpec
	again       bool         // it starts again once it has ended in order
	config      kafka.Config // of a broker: what it has from its next start on
}

// Now is the virtual time since the world began.
func (w *World) Now() time.Duration { return w.now }

// Event is the number of the last event; 0 before the first.
func (w *World) Event() int { return w.event }

// Clone returns a world that goes on independently of this one.
func (w *World) Clone() *World {
	c := *w
	c.owner, w.owner = new(owner), new(owner)
	c.queue = slices.Clone(w.queue)
	c.slots = slices.Clone(w.slots)
	c.links = maps.Clone(w.links)
	c.ledger = w.ledger.clone()
	return &c
}

// slot finds a process for reading.
func (w *World) slot(id kafka.NodeID) *slot { return w.slots[w.index[id]] }

// has reports whether there is, or was, a process of that name.
func (w *World) has(id kafka.NodeID) bool {
	_, ok := w.index[id]
	return ok
}

// touch finds a process for changing, and copies it first if another world shares it.
func (w *World) touch(id kafka.NodeID) *slot {
	i := w.index[id]
	s := w.slots[i]
	if s.owner == w.owner {
		return s
	}
	c := *s
	c.owner = w.owner
	c.node = s.node.Clone()
	c.timers = maps.Clone(s.timers)
	c.held = slices.Clone(s.held)
	w.slots[i] = &c
	return &c
}

// add puts a new process into the world.
func (w *World) add(s slot) {
	s.owner = w.owner
	s.timers = map[string]int64{}
	w.index = maps.Clone(w.index)
	w.index[s.id] = len(w.slots)
	w.slots = append(slices.Clip(w.slots), &s)
}

// Step takes the earliest event. It returns false when nothing is left to happen before the script's end.
func (w *World) Step() (view.Entry, bool) {
	for {
		e := w.pop()
		if e == nil {
			return view.Entry{}, false
		}
		w.now = e.at
		if entry, happened := w.take(e); happened {
			w.sweep()
			return entry, true
		}
	}
}

// take lets an event happen. It returns false if nothing came of it that belongs in the trace.
func (w *World) take(e *event) (view.Entry, bool) {
	switch e.kind {
	case commandEvent:
		entry := w.obey(*e.command)
		entry.Cause = e.cause
		return entry, true
	case thawEvent:
		return w.thaw(e)
	case sessionEvent:
		return w.sessionOver(e)
	case idleEvent:
		w.idle(e)
		return view.Entry{}, false
	}
	s := w.slot(e.to)
	switch {
	case e.kind == arrivalEvent && w.unheard(e):
		return view.Entry{}, false
	case e.kind == arrivalEvent && s.liveness.Gone():
		w.disconnect(e.to, e.message.From, e.cause) // nobody listens: the connection is refused
		return view.Entry{}, false
	case s.liveness.Gone() || e.kind != arrivalEvent && s.incarnation != e.incarnation:
		return view.Entry{}, false
	case s.liveness == view.Frozen:
		s = w.touch(e.to)
		s.held = append(s.held, e)
		return view.Entry{}, false
	}
	return w.deliver(e), true
}

// deliver hands an event to its process.
func (w *World) deliver(e *event) view.Entry {
	switch e.kind {
	case arrivalEvent:
		entry := w.entry(e, view.Received)
		entry.Message = e.message
		w.handle(e.to, node.Input{Kind: node.Receive, Message: e.message}, &entry)
		return entry
	case resetEvent:
		entry := w.entry(e, view.Disconnect)
		entry.Peer = e.peer
		w.handle(e.to, node.Input{Kind: node.Disconnected, Peer: e.peer}, &entry)
		return entry
	case tellEvent:
		entry := w.entry(e, view.Commanded)
		entry.Command = strings.TrimSpace(e.told.Do + " " + string(e.told.Node))
		w.handle(e.to, node.Input{Kind: node.Tell, Command: e.told}, &entry)
		return entry
	default:
		entry := w.entry(e, view.Fired)
		entry.Timer = e.timer
		delete(w.touch(e.to).timers, e.timer)
		w.handle(e.to, node.Input{Kind: node.Timer, Timer: e.timer}, &entry)
		return entry
	}
}

// entry begins the trace's entry for an event.
func (w *World) entry(e *event, kind view.EntryKind) view.Entry {
	w.event++
	return view.Entry{Event: w.event, Cause: e.cause, At: w.now, Node: e.to, Kind: kind}
}

// handle lets a process take an input, and takes up what it wants done.
func (w *World) handle(id kafka.NodeID, in node.Input, entry *view.Entry) {
	s := w.touch(id)
	var out node.Out
	s.node.Handle(w.now, in, &out)
	entry.Facts = append(entry.Facts, out.Facts...)
	w.ledger.record(out.Facts)
	for _, send := range out.Sends {
		w.messages++
		m := &kafka.Message{ID: w.messages, From: id, To: send.To, Correlation: send.Correlation, Body: send.Body}
		entry.Sent = append(entry.Sent, *m)
		w.transmit(m, entry.Event)
	}
	for _, t := range out.Timers {
		w.setTimer(s, t, entry.Event)
	}
	for _, peer := range out.Hangups {
		w.disconnect(id, peer, entry.Event)
	}
	switch {
	case out.Crashed:
		w.crash(id, entry)
	case out.Ended:
		again := s.again
		w.end(s, view.Closed)
		w.watchSessions()
		if again {
			w.push(event{kind: commandEvent, at: w.now, cause: entry.Event, to: id, command: &Command{Do: Restart, Node: id}})
		}
	}
}

func (w *World) setTimer(s *slot, t node.SetTimer, cause int) {
	if _, running := s.timers[t.Key]; running {
		w.staleTimers++
		delete(s.timers, t.Key)
	}
	if t.Stop {
		return
	}
	w.settings++
	s.timers[t.Key] = w.settings
	w.push(event{
		kind: timerEvent, at: max(t.At, w.now), cause: cause, to: s.id, incarnation: s.incarnation,
		timer: t.Key, setting: w.settings,
	})
}

// end takes a process out of the world: its timers are gone, and its peers learn of it.
func (w *World) end(s *slot, how view.Liveness) {
	s.liveness = how
	s.incarnation++
	s.again = false
	w.staleTimers += len(s.timers)
	clear(s.timers)
	s.held = nil
	for _, peer := range w.peers(s.id) {
		w.disconnect(s.id, peer, w.event)
	}
}

// freeze stops a process for a while: what reaches it waits.
func (w *World) freeze(s *slot, d time.Duration) {
	s.liveness = view.Frozen
	s.frozenUntil = w.now + d
	w.push(event{kind: thawEvent, at: s.frozenUntil, cause: w.event, to: s.id, incarnation: s.incarnation})
}

// thaw lets a frozen process go on: what waited reaches it now, in order.
func (w *World) thaw(e *event) (view.Entry, bool) {
	s := w.slot(e.to)
	if s.incarnation != e.incarnation || s.liveness != view.Frozen || s.frozenUntil > w.now {
		return view.Entry{}, false
	}
	s = w.touch(e.to)
	s.liveness = view.Up
	entry := w.entry(e, view.Fired)
	entry.Timer = "thaw"
	entry.Facts = []view.Fact{{Kind: view.NodeThawed, Node: s.id}}
	held := s.held
	s.held = nil
	for _, h := range held {
		again := *h
		again.at = w.now
		w.push(again)
	}
	w.watchSessions()
	return entry, true
}
