package stage

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// track is what pace, messages and sequence diagram need of a trace, gathered in one pass over it.
type track struct {
	times    []time.Duration              // by event; [0] is 0
	quiet    []bool                       // by event: part of the steady flow of records, nothing to stop at
	arrows   []arrow                      // in the order of sending
	first    []int                        // by event: index of the first arrow sent in it or later
	flying   []int                        // indices of the arrows that have not ended yet
	received []int                        // by event: index of the arrow it received; -1 if it received none
	byID     map[int64]int                // by message id: index in arrows
	bands    []band                       // in the order of their beginning
	offsets  []offsetRecord               // of __consumer_offsets, in the order of writing
	turns    []turn                       // in the order of events
	states   []stateChange                // in the order of events
	slow     []int                        // indices of the arrows that were on their way for more than longestFlight events
	lives    map[kafka.NodeID][]laneState // by node: in the order of events
	marks    map[string][]int             // by mark: the events that have it, in order
	kinds    map[kafka.API]int            // how many requests of each kind were sent
	holders  map[string]kafka.NodeID      // by group: the broker that coordinated it last
}

// laneState is what a node was from an event on: a consumer's state in joining, a broker's group's state.
type laneState struct {
	event       int
	group, text string // "", "": its process has ended, or is another one
}

// arrow is one message from its sending to its end.
type arrow struct {
	message *kafka.Message
	err     kafka.ErrorCode
	sent    int // event
	arrived int // event in which it was received; 0 if it never was
	dropped int // event in which its connection was lost before it arrived; 0 if it was not
}

// api is the kind of the request that the arrow is, or answers.
func (a *arrow) api() kafka.API { return a.message.Body.API() }

// end is the event at which the message is gone from the wire; 0 while it is not.
func (a *arrow) end() int { return max(a.arrived, a.dropped) }

// band is one rebalance of a group.
type band struct {
	group      string
	from, to   int   // events; to is 0 while it goes on
	generation int32 // that it led to; 0 while it goes on
}

// stateChange is a group's entering of a state.
type stateChange struct {
	event        int
	group, state string
}

// turn is a change in a node's life, marked on its lane.
type turn struct {
	event int
	node  kafka.NodeID
	kind  view.FactKind // NodeStarted, NodeClosed, NodeCrashed, NodeFrozen, NodeThawed
}

// newTrack reads a trace of n events.
func newTrack(n int, entry func(event int) *view.Entry) *track {
	t := &track{
		times: make([]time.Duration, 1, n+1), quiet: make([]bool, 1, n+1),
		first: make([]int, 1, n+2), received: []int{-1}, byID: map[int64]int{}, lives: map[kafka.NodeID][]laneState{}, holders: map[string]kafka.NodeID{}, kinds: map[kafka.API]int{}, marks: map[string][]int{},
	}
	for event := 1; event <= n; event++ {
		e := entry(event)
		t.times = append(t.times, e.At)
		t.quiet = append(t.quiet, isQuiet(e))
		t.first = append(t.first, len(t.arrows))
		t.received = append(t.received, -1)
		if e.Kind == view.Received {
			t.land(event, e.Message.ID)
		}
		if e.Kind == view.Disconnect {
			t.drop(event, e.Node, e.Peer)
		}
		for i := range e.Sent {
			m := &e.Sent[i]
			t.byID[m.ID] = len(t.arrows)
			t.flying = append(t.flying, len(t.arrows))
			if !m.Reply() {
				t.kinds[m.Body.API()]++
			}
			t.arrows = append(t.arrows, arrow{message: m, err: kafka.ErrorOf(m.Body), sent: event})
		}
		for i := range e.Facts {
			t.note(event, &e.Facts[i])
		}
		t.mark(e)
	}
	t.first = append(t.first, len(t.arrows))
	for i := range t.arrows {
		if t.arrows[i].end()-t.arrows[i].sent > longestFlight {
			t.slow = append(t.slow, i)
		}
	}
	return t
}

// land notes that a message arrived.
func (t *track) land(event int, id int64) {
	if i, ok := t.byID[id]; ok {
		t.arrows[i].arrived, t.arrows[i].dropped, t.received[event] = event, 0, i
		t.flying = slices.DeleteFunc(t.flying, func(j int) bool { return j == i })
	}
}

// drop notes that what was on its way between two nodes is lost with their connection.
func (t *track) drop(event int, a, b kafka.NodeID) {
	for _, i := range t.flying {
		m := t.arrows[i].message
		if t.arrows[i].dropped == 0 && (m.From == a && m.To == b || m.From == b && m.To == a) {
			t.arrows[i].dropped = event
		}
	}
}

// len is the number of events.
func (t *track) len() int { return len(t.times) - 1 }

// note takes up the facts that the sequence diagram marks.
func (t *track) note(event int, f *view.Fact) {
	switch f.Kind {
	case view.NodeStarted, view.NodeClosed, view.NodeCrashed, view.NodeFrozen, view.NodeThawed:
		t.turns = append(t.turns, turn{event, f.Node, f.Kind})
		if f.Kind != view.NodeFrozen && f.Kind != view.NodeThawed {
			t.lives[f.Node] = append(t.lives[f.Node], laneState{event: event})
		}
	case view.JoinStateChanged:
		t.lives[f.Node] = append(t.lives[f.Node], laneState{event, "", f.Text})
	case view.OffsetsAppended:
		t.noteOffsets(event, f)
	case view.GroupState:
		t.noteState(event, f)
		t.noteHolder(event, f)
	}
}

func (t *track) noteState(event int, f *view.Fact) {
	t.states = append(t.states, stateChange{event, f.Group, f.Text})
	open := t.openBand(f.Group)
	switch f.Text {
	case "PreparingRebalance":
		if open == nil {
			t.bands = append(t.bands, band{group: f.Group, from: event})
		}
	case "Stable", "Empty", "Dead":
		if open != nil {
			open.to, open.generation = event, int32(f.To)
		}
	}
}

// noteHolder notes what a group is to the broker that coordinates it: to the one before it is nothing any more.
func (t *track) noteHolder(event int, f *view.Fact) {
	if old, ok := t.holders[f.Group]; ok && old != f.Node {
		t.lives[old] = append(t.lives[old], laneState{event, f.Group, ""})
	}
	t.holders[f.Group] = f.Node
	t.lives[f.Node] = append(t.lives[f.Node], laneState{event, f.Group, f.Text})
}

// transition is the last change of a group's state up to an event: from where to where.
func (t *track) transition(group string, event int) (from, to string) {
	for _, s := range slices.Backward(t.states) {
		if s.group != group || s.event > event {
			continue
		}
		if to != "" {
			return s.state, to
		}
		to = s.state
	}
	if to != "" && to != "Empty" {
		from = "Empty"
	}
	return from, to
}

func (t *track) openBand(group string) *band {
	for i := range slices.Backward(t.bands) {
		if t.bands[i].group == group {
			if t.bands[i].to == 0 {
				return &t.bands[i]
			}
			return nil
		}
	}
	return nil
}

// arrow finds a message by its id; nil if the trace has none such.
func (t *track) arrow(id int64) *arrow {
	i, ok := t.byID[id]
	if !ok {
		return nil
	}
	return &t.arrows[i]
}

// quietAPI tells the requests that flow all the time from those that tell the story of a group.
func quietAPI(a kafka.API) bool {
	switch a {
	case kafka.FetchAPI, kafka.ProduceAPI, kafka.MetadataAPI, kafka.UpdateMetadataAPI:
		return true
	}
	return false
}

// isQuiet reports whether an event is no more than records on their way: produced, fetched, processed.
func isQuiet(e *view.Entry) bool {
	switch e.Kind {
	case view.Commanded, view.Disconnect:
		return false
	case view.Received:
		if !quietAPI(e.Message.Body.API()) || kafka.ErrorOf(e.Message.Body) != kafka.None {
			return false
		}
	}
	for i := range e.Sent {
		if !quietAPI(e.Sent[i].Body.API()) {
			return false
		}
	}
	return !slices.ContainsFunc(e.Facts, isLoud)
}

// isLoud tells the facts that make an event worth its own moment.
func isLoud(f view.Fact) bool {
	switch f.Kind {
	case view.GroupState, view.MemberAdded, view.MemberRemoved, view.LeaderElected, view.JoinStateChanged,
		view.Assigned, view.CallbackStarted, view.CallbackEnded, view.ErrorSeen, view.ExceptionThrown,
		view.PollTimerExpired, view.SessionLapsed, view.CoordinatorLost,
		view.NodeStarted, view.NodeClosed, view.NodeCrashed, view.NodeFrozen, view.NodeThawed:
		return true
	}
	return false
}
