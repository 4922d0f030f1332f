package client

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// View is what can be seen of the consumer. Liveness is the world's to fill in.
func (c *Consumer) View() view.Consumer {
	g := &c.group
	v := view.Consumer{
		ID: c.spec.ID, ClientID: c.settings.clientID, Group: c.spec.Group, InstanceID: c.settings.instanceID,
		MemberID: g.memberID, Release: c.release, Coordinator: g.coordinator,
		JoinState: g.state.String(), Rejoin: g.rejoin, Generation: g.generation, Protocol: g.protocol,
		IsLeader: g.leader, Topics: c.topics, InGroup: c.inGroup(), Computed: g.computed,
		Owned: c.viewOwned(), Threads: c.viewThreads(), Timers: c.viewTimers(),
		InHand: c.batch.left(), LastError: c.lastError, FetchMemory: c.fetchMemory(), Exception: c.exception, Unread: len(c.network.inbox), Callback: c.callback(),
		Program: view.Program{Name: c.spec.Program.Name, Listing: c.spec.Program.Listing, Line: c.line()},
	}
	if c.lastError != kafka.None {
		v.LastRequest = c.lastAPI.String()
	}
	if tp, record, ok := c.batch.current(); ok {
		v.HandOf = tp
		records := c.batch.parts[c.batch.part].records
		v.Hand = view.Span{From: record.Offset, To: records[len(records)-1].Offset + 1}
	}
	return v
}

func (c *Consumer) viewOwned() []view.Owned {
	owned := make([]view.Owned, len(c.subs))
	for i, p := range c.subs {
		owned[i] = view.Owned{TopicPartition: p.TopicPartition, Position: p.position, Paused: p.paused}
		for _, b := range c.fetcher.buffer {
			if b.TopicPartition == p.TopicPartition && len(b.records) > 0 && b.offset == p.position {
				owned[i].Fetched = view.Span{From: b.records[0].Offset, To: b.records[len(b.records)-1].Offset + 1}
				owned[i].Buffered = len(b.records)
			}
		}
		owned[i].Returned = c.inHand(p.TopicPartition)
	}
	return owned
}

// inHand is the stretch of a partition's records that the program has still to finish, itself or by its workers.
func (c *Consumer) inHand(tp kafka.TopicPartition) view.Span {
	span := c.inBatch(tp)
	for _, w := range c.workers {
		if w.until > 0 && w.TopicPartition == tp {
			span = widened(span, w.offset)
		}
	}
	for _, h := range c.handed {
		if h.TopicPartition == tp {
			span = widened(span, h.offset)
		}
	}
	for _, b := range c.vars.kept.buffer {
		if b.TopicPartition == tp {
			span = widened(span, b.offset)
		}
	}
	return span
}

// widened is a span made to hold an offset too.
func widened(s view.Span, offset int64) view.Span {
	if s.Len() == 0 {
		return view.Span{From: offset, To: offset + 1}
	}
	return view.Span{From: min(s.From, offset), To: max(s.To, offset+1)}
}

// inBatch is the stretch of a partition's records that are left of the last poll.
func (c *Consumer) inBatch(tp kafka.TopicPartition) view.Span {
	for i := c.batch.part; i < len(c.batch.parts); i++ {
		p := &c.batch.parts[i]
		if p.TopicPartition != tp {
			continue
		}
		first := 0
		if i == c.batch.part {
			first = c.batch.record
		}
		return view.Span{From: p.records[first].Offset, To: p.records[len(p.records)-1].Offset + 1}
	}
	return view.Span{}
}

var waitNames = [...]string{"", "time", "network"}

func (c *Consumer) viewThreads() []view.Thread {
	app := view.Thread{Name: "application", Waits: waitNames[c.app.waits], Until: c.app.until}
	for i := range c.app.stack {
		app.Stack = append(app.Stack, c.viewCall(&c.app.stack[i]))
	}
	if !c.does(kafka.HeartbeatThread) {
		return []view.Thread{app}
	}
	beat := view.Thread{Name: "heartbeat"}
	if c.heartbeat.enabled {
		beat.Stack = []view.Call{{Procedure: "run"}}
		beat.Waits, beat.Until = "time", c.heartbeat.due
	}
	return []view.Thread{app, beat}
}

func (c *Consumer) viewCall(f *call) view.Call {
	v := view.Call{Procedure: procedureNames[f.proc]}
	switch f.proc {
	case procSetup, procProgram, procFinally:
		v.Line = c.line()
		v.Locals = append(v.Locals, view.Local{Name: "records", Value: strconv.Itoa(c.batch.size())})
		if tp, record, ok := c.batch.current(); ok {
			v.Locals = append(v.Locals, view.Local{Name: "record", Value: fmt.Sprintf("%v @ %d", tp, record.Offset)})
		}
		v.Locals = append(v.Locals, c.vars.view()...)
	case procListener:
		v.Procedure = f.callback
		v.Locals = append(v.Locals, view.Local{Name: "partitions", Value: fmt.Sprint(f.parts)})
	}
	return v
}

// callback is the method of the rebalance listener that runs now; "" for none.
func (c *Consumer) callback() string {
	i := slices.IndexFunc(c.app.stack, func(f call) bool { return f.proc == procListener })
	if i < 0 {
		return ""
	}
	return c.app.stack[i].callback
}

// line is the line of the listing that is being executed: where the innermost code of the user's is.
func (c *Consumer) line() int {
	for i := len(c.app.stack) - 1; i >= 0; i-- {
		f := &c.app.stack[i]
		if f.proc == procClose {
			return closeLine(c.spec.Program.Listing)
		}
		if !f.proc.user() {
			continue
		}
		at := f.pc
		if i < len(c.app.stack)-1 {
			at-- // the call was made by the instruction before
		}
		if at >= 0 && at < len(f.code.instructions) {
			return f.code.instructions[at].Line
		}
	}
	return 0
}

// closeLine is the line that closes the consumer, 0 for none. A program has no operation for it, as every one ends so.
func closeLine(listing []string) int {
	for i := len(listing) - 1; i >= 0; i-- {
		if strings.Contains(listing[i], "consumer.close()") {
			return i + 1
		}
	}
	return 0
}

func (c *Consumer) viewTimers() []view.Timer {
	h := &c.heartbeat
	var timers []view.Timer
	if h.enabled {
		timers = append(timers,
			view.Timer{Name: "heartbeat", From: h.sent, To: h.sent + c.settings.heartbeatEvery},
			view.Timer{Name: "session", From: h.answered, To: h.session})
		if c.settings.pollInterval > 0 {
			timers = append(timers, view.Timer{Name: "poll", From: h.polled, To: h.polled + c.settings.pollInterval})
		}
	}
	if at := c.nextAutoCommit(); at > 0 {
		timers = append(timers, view.Timer{Name: "commit", From: at - c.settings.autoCommitEvery, To: at})
	}
	if c.app.waits == waitTime {
		timers = append(timers, view.Timer{Name: "processing", From: c.app.until - c.busyFor(), To: c.app.until})
	}
	return timers
}

// busyFor is how long the instruction takes that keeps the application thread busy.
func (c *Consumer) busyFor() time.Duration {
	f := &c.app.stack[len(c.app.stack)-1]
	if !f.proc.user() {
		return 0
	}
	if f.held > 0 {
		return f.held
	}
	code := f.code.instructions
	if f.pc >= len(code) {
		return shortestWait
	}
	if at := &code[f.pc]; at.Do == Process {
		return c.processingTime(at.For)
	}
	return code[f.pc].For
}
