package assign

import "slices"

// heedsRacks reports whether racks make a difference to the topic: subscribers and replicas share a rack, and some
// partition is not on all racks that the topic is on (AbstractPartitionAssignor.useRackAwareAssignment).
func (t rangeTopic) heedsRacks() bool {
	if t.Racks == nil {
		return false
	}
	racks := make([]string, len(t.members))
	for i, m := range t.members {
		racks[i] = m.Rack
	}
	return racksMatter(racks, t.Racks)
}

// racksMatter is the test for heedsRacks, over the racks of members and the racks of each partition's replicas. "" is no rack.
func racksMatter(memberRacks []string, partitionRacks [][]string) bool {
	all := rackSet(slices.Concat(partitionRacks...))
	if !slices.ContainsFunc(memberRacks, func(r string) bool { return slices.Contains(all, r) }) {
		return false
	}
	return slices.ContainsFunc(partitionRacks, func(racks []string) bool { return len(rackSet(racks)) < len(all) })
}

// rackSet sorts racks and drops repetitions and "".
func rackSet(racks []string) []string {
	set := slices.Compact(slices.Sorted(slices.Values(racks)))
	if len(set) > 0 && set[0] == "" {
		set = set[1:]
	}
	return set
}

// sameRack reports whether the partition has a replica where the subscriber is; one without a rack is content with any.
func sameRack(t *rangeTopic, subscriber int, partition int32) bool {
	rack := t.members[subscriber].Rack
	return rack == "" || t.Racks != nil && slices.Contains(t.Racks[partition], rack)
}

// assignByRack gives out the partitions that can stay within a rack. Topics with the same subscribers and the same number of
// partitions stay together: the same numbers go to the same member.
func assignByRack(topics []rangeTopic) {
	done := make([]bool, len(topics))
	for i := range topics {
		if done[i] {
			continue
		}
		var together []*rangeTopic
		for j := i; j < len(topics); j++ {
			t := &topics[j]
			if !done[j] && t.Partitions == topics[i].Partitions && slices.Equal(t.number, topics[i].number) {
				done[j] = true
				together = append(together, t)
			}
		}
		switch {
		case len(together) > 1:
			assignTogether(together)
		case together[0].heedsRacks():
			together[0].fill(sameRack)
		}
	}
}

// assignTogether gives each partition number of all the topics to the first subscriber, in their order, that has a replica
// of each of them in its rack and room in each of them.
func assignTogether(topics []*rangeTopic) {
	for p := range topics[0].Partitions {
		for s := range topics[0].members {
			fits := func(t *rangeTopic) bool { return sameRack(t, s, p) && t.room(s) > 0 }
			if !slices.ContainsFunc(topics, func(t *rangeTopic) bool { return !fits(t) }) {
				for _, t := range topics {
					t.give(s, p)
				}
				break
			}
		}
	}
}
