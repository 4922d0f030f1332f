package stage

import (
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// nodeRows tells what is known of a node.
func (in *input) nodeRows(id kafka.NodeID) []row {
	if c := in.consumer(id); c != nil {
		return in.consumerRows(c)
	}
	w := in.words
	for i := range in.frame.Brokers {
		b := &in.frame.Brokers[i]
		if b.ID != id {
			continue
		}
		rows := []row{
			{value: w.say("broker.card", "broker", string(id)), head: true},
			{name: w.say("row.state"), value: w.say("life." + b.Liveness.String())},
			{name: w.say("row.release"), value: b.Release.String()},
			{name: w.say("row.rack"), value: w.orNone(b.Rack)},
			{name: w.say("row.leads"), value: partitionList(in.leads(id))},
		}
		for j := range in.frame.Groups {
			if g := &in.frame.Groups[j]; g.Coordinator == id {
				rows = append(rows, row{name: w.say("row.coordinates"), value: g.ID})
			}
		}
		return rows
	}
	for i := range in.frame.Stores {
		if s := &in.frame.Stores[i]; s.ID == id {
			rows := []row{{value: w.say("store.card", "store", string(id)), head: true}, {name: w.say("row.results"), value: number(s.Results)}}
			for _, o := range s.Offsets {
				rows = append(rows, row{name: o.Group + " " + o.String(), value: number(o.Offset)})
			}
			return rows
		}
	}
	for i := range in.frame.Producers {
		if p := &in.frame.Producers[i]; p.ID == id {
			return []row{
				{value: string(id), head: true},
				{name: w.say("row.state"), value: w.say("life." + p.Liveness.String())},
				{name: w.say("row.topic"), value: p.Topic},
				{name: w.say("row.sent"), value: number(p.Sent)},
				{name: w.say("row.acked"), value: number(p.Acked)},
				{name: w.say("row.failed"), value: number(p.Failed), warm: p.Failed > 0},
				{name: w.say("row.release"), value: p.Release.String()},
			}
		}
	}
	return in.eventRows(in.entry)
}

func (in *input) consumerRows(c *view.Consumer) []row {
	w := in.words
	rows := []row{
		{value: string(c.ID), head: true},
		{name: w.say("row.state"), value: in.consumerState(c)},
		{name: w.say("row.does"), value: in.activity(c), warm: c.Exception != ""},
		{name: w.say("row.group"), value: c.Group},
		{name: w.say("row.member-id"), value: w.orNone(c.MemberID)},
		{name: w.say("row.instance-id"), value: w.orNone(c.InstanceID)},
		{name: w.say("row.client-id"), value: w.orNone(c.ClientID)},
		{name: w.say("row.generation"), value: w.offset(int64(c.Generation))},
		{name: w.say("row.coordinator"), value: w.orNone(string(c.Coordinator))},
		{name: w.say("row.assignor"), value: w.orNone(c.Protocol)},
		{name: w.say("row.topics"), value: strings.Join(c.Topics, ", ")},
	}
	for i := range c.Owned {
		o := &c.Owned[i]
		rows = append(rows, row{name: o.String(), value: w.say("row.owned", "position", w.offset(o.Position),
			"buffered", number(o.Buffered), "hand", number(o.Returned.Len()))})
	}
	for _, t := range c.Timers {
		rows = append(rows, in.timerRows(t)...)
	}
	if c.LastError != kafka.None {
		rows = append(rows, row{name: w.say("row.last-error"), value: c.LastRequest + ": " + c.LastError.String(), warm: true})
	}
	if c.Exception != "" {
		rows = append(rows, row{name: w.say("row.exception"), value: c.Exception, warm: true})
	}
	if c.IsLeader && len(c.Computed) > 0 {
		rows = append(rows, row{value: w.say("row.computed"), head: true})
		for _, m := range c.Computed {
			rows = append(rows, row{name: m.Member, value: w.orNone(partitionList(m.Partitions))})
		}
	}
	return append(rows, row{name: w.say("row.release"), value: c.Release.String()})
}

// orNone writes a text, or that there is none.
func (w words) orNone(s string) string {
	if s == "" {
		return w.say("offset.none")
	}
	return s
}

// partitionRows tells a partition's offsets, and what every group has done with it.
func (in *input) partitionRows(tp kafka.TopicPartition) []row {
	w := in.words
	for i := range in.frame.Topics {
		for j := range in.frame.Topics[i].Partitions {
			part := &in.frame.Topics[i].Partitions[j]
			if part.TopicPartition != tp {
				continue
			}
			rows := []row{
				{value: tp.String(), head: true},
				{name: w.say("row.leader"), value: w.orNone(string(part.Leader))},
				{name: w.say("row.log-start"), value: number(part.LogStart)},
				{name: w.say("row.high-watermark"), value: number(part.HighWatermark)},
				{name: w.say("row.log-end"), value: number(part.LogEnd)},
				{name: w.say("row.last-stable"), value: number(part.LastStable)},
				{name: w.say("row.leader-epoch"), value: number(part.LeaderEpoch)},
				{name: w.say("row.bytes"), value: number(part.Bytes)},
			}
			for _, r := range part.Replicas {
				key := "row.replica-behind"
				if r.InSync {
					key = "row.replica-in-sync"
				}
				rows = append(rows, row{name: w.say("row.replica", "broker", string(r.Broker)), warm: !r.InSync,
					value: w.say(key, "end", number(r.LogEnd), "watermark", number(r.HighWatermark))})
			}
			for _, r := range in.readings(tp) {
				rows = append(rows, in.readingRows(part, &r)...)
			}
			return rows
		}
	}
	return in.eventRows(in.entry)
}

func (in *input) readingRows(part *view.Partition, r *reading) []row {
	w := in.words
	rows := []row{
		{value: w.say("row.group-heading", "group", r.group), head: true},
		{name: w.say("row.owner"), value: in.ownerName(r.owner)},
		{name: w.say("row.committed"), value: w.offset(r.committed())},
		{name: w.say("row.position"), value: w.offset(r.position())},
		{name: w.say("row.lag"), value: number(part.HighWatermark - max(part.LogStart, r.committed()))},
	}
	if r.work == nil {
		return rows
	}
	twice, lost := amiss(r.work)
	rows = append(rows, row{name: w.say("row.duplicates"), value: number(twice), warm: twice > 0})
	if n := length(r.work.Letters); n > 0 {
		rows = append(rows, row{name: w.say("row.letters"), value: number(n)})
	}
	return append(rows, row{name: w.say("row.lost"), value: number(lost), warm: lost > 0})
}

// coordinatorRows tells all that the coordinator knows of the chosen group.
func (in *input) coordinatorRows() []row {
	if id, ok := strings.CutPrefix(in.session.Selected, "group:"); ok {
		if g := in.group(id); g != nil {
			return in.groupRows(g)
		}
	}
	if c := in.chosenConsumer(); c != nil {
		if g := in.group(c.Group); g != nil {
			return in.groupRows(g)
		}
	}
	if len(in.frame.Groups) > 0 {
		return in.groupRows(&in.frame.Groups[0])
	}
	return []row{{value: in.words.say("group.none")}}
}

func (in *input) groupRows(g *view.Group) []row {
	w := in.words
	rows := []row{
		{value: w.say("row.group-heading", "group", g.ID), head: true},
		{name: w.say("row.coordinator"), value: w.orNone(string(g.Coordinator))},
		{name: w.say("row.place"), value: kafka.OffsetsTopic + "-" + number(g.OffsetsPartition)},
		{name: w.say("row.state"), value: g.State, warm: rebalancing(g.State)},
		{name: w.say("row.waits"), value: in.waitSentence(g)},
		{name: w.say("row.generation"), value: number(g.Generation)},
		{name: w.say("row.assignor"), value: w.orNone(g.Protocol)},
		{name: w.say("row.group-leader"), value: w.orNone(g.Leader)},
	}
	for _, t := range g.Timers {
		rows = append(rows, in.timerRows(t)...)
	}
	for i := range g.Members {
		rows = append(rows, in.memberRows(g, &g.Members[i])...)
	}
	for _, id := range g.Pending {
		rows = append(rows, row{name: id, value: w.say("row.pending")})
	}
	if len(g.Visits) > 0 {
		rows = append(rows, row{value: w.say("row.visits"), head: true})
		for _, v := range g.Visits {
			rows = append(rows, row{value: w.say("row.visit", "from", v.From, "to", v.To, "n", number(v.Times))})
		}
	}
	return rows
}

func (in *input) memberRows(g *view.Group, m *view.Member) []row {
	w := in.words
	rows := []row{
		{value: w.say("row.member", "member", m.ID, "client", in.memberName(g, m.ID)), head: true},
		{name: w.say("row.state"), value: w.orNone(in.memberState(g, m))},
		{name: w.say("row.assignment"), value: w.orNone(partitionList(m.Assignment))},
		{name: w.say("row.protocols"), value: strings.Join(m.Protocols, ", ")},
	}
	if m.InstanceID != "" {
		rows = append(rows, row{name: "group.instance.id", value: in.words.say("row.static", "id", m.InstanceID)})
	}
	t := m.Session
	t.Name = "session"
	return append(rows, in.timerRows(t)...)
}

// timerRows tell a running timer: what is left of it, when it was set and when it runs out.
func (in *input) timerRows(t view.Timer) []row {
	if !t.Running() {
		return nil
	}
	w := in.words
	left, _ := t.Left(in.now())
	return []row{
		{name: w.timerName(t.Name), value: w.say("row.timer", "left", w.left(left), "whole", w.seconds(t.To-t.From))},
		{name: w.say("row.timer-ends"), value: w.say("row.timer-span", "from", w.clock(t.From), "to", w.clock(t.To)), indent: 1},
	}
}
