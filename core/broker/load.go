package broker

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// loadOwn loads the groups and transactions of every partition of the internal topics that this broker leads.
func (t *turn) loadOwn() {
	for _, tp := range t.led(kafka.OffsetsTopic) {
		t.loadGroups(tp)
	}
	for _, tp := range t.led(kafka.TransactionsTopic) {
		t.loadTxns(tp)
	}
}

// loadGroups replays a partition of __consumer_offsets: the last record of a key counts.
//
// Source: coordinator.md section 14. Pending members, parked requests and an unfinished rebalance are not in the log, and lost.
func (t *turn) loadGroups(tp kafka.TopicPartition) {
	groups := map[string]*groupMetadata{}
	log := t.logs[tp]
	for offset := log.start; offset < log.end(); offset++ {
		r := log.at(offset)
		if r.Stamp != nil && r.Stamp.Marker != kafka.NoMarker {
			t.decideOffsets(tp, r.Stamp.ProducerID, r.Stamp.Marker)
			continue
		}
		s := r.Content.(*stored)
		switch {
		case r.Stamp != nil:
			t.pending = append(slices.Clip(t.pending), pendingOffset{r.Stamp.ProducerID, *s})
		case s.partition.Topic != "":
			t.replayOffset(s)
		case s.metadata != nil:
			groups[s.group] = s.metadata
			t.countIDs(s.metadata.members)
		default:
			delete(groups, s.group)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		t.loadGroup(id, groups[id])
	}
	for _, id := range slices.Sorted(maps.Keys(t.offsets)) {
		if t.offsetsPartition(id) == tp && t.groups[id] == nil && t.has(kafka.EmptyGroupState) {
			t.createGroup(id, "")
		}
	}
}

func (t *turn) replayOffset(s *stored) {
	if s.offset == nil {
		delete(t.offsets[s.group], s.partition)
		return
	}
	t.cacheOffset(*s)
}

// countIDs makes sure that no member id is handed out a second time.
func (t *turn) countIDs(members []member) {
	for i := range members {
		base := members[i].clientID
		if members[i].instanceID != "" {
			base = members[i].instanceID
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(members[i].id, base+"-")); err == nil {
			t.ids[base] = max(t.ids[base], n)
		}
	}
}

// loadGroup brings a group back as it was last written: Stable if it had members, whose sessions begin anew, else Empty.
func (t *turn) loadGroup(id string, metadata *groupMetadata) {
	g := &ClassicGroup{
		id: id, state: empty, entered: metadata.entered, generation: metadata.generation, protocolType: metadata.protocolType,
		protocol: metadata.protocol, leader: metadata.leader, members: slices.Clone(metadata.members),
	}
	if len(g.members) > 0 {
		g.state = stable
	}
	t.groups[id] = g
	t.armExpiry()
	t.fact(view.Fact{Kind: view.GroupState, Group: id, Text: string(g.state), To: int64(g.generation)})
	for i := range g.members {
		t.startSession(g, &g.members[i])
	}
	if t.has(kafka.GroupMaxSize) && len(g.members) > int(t.config.Int("group.max.size")) {
		t.prepareRebalance(g, "")
	}
}

// unloadGroups forgets the groups of a partition of __consumer_offsets that another broker leads now. Whoever waits is sent
// there.
func (t *turn) unloadGroups(tp kafka.TopicPartition) {
	for _, id := range t.groupsOf(tp) {
		g := t.groups[id]
		for i := range g.members {
			m := &g.members[i]
			if m.join.waits() {
				t.refuseJoin(m.join, m.id, kafka.NotCoordinator)
			}
			if m.sync.waits() {
				t.reply(m.sync, &kafka.SyncGroupResponse{Error: kafka.NotCoordinator})
			}
		}
		t.bury(g)
	}
	t.pending = slices.DeleteFunc(slices.Clone(t.pending), func(p pendingOffset) bool { return t.offsetsPartition(p.group) == tp })
	maps.DeleteFunc(t.offsets, func(id string, _ groupOffsets) bool { return t.offsetsPartition(id) == tp })
}
