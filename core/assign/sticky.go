package assign

import "slices"

// assignSticky keeps what the members had as far as the balance allows, and deals out the rest. Balance comes first.
//
// Source: assignors.md section 3 (AbstractStickyAssignor, since 3.8).
func assignSticky(g *group) [][]int32 {
	lists, _ := assignStickily(g)
	return lists
}

// assignCooperativeSticky does the same and then leaves out every partition that would move from one member to another.
// Its owner sees it missing, gives it up and rejoins; the next rebalance hands it out.
//
// Source: assignors.md section 3.4 (CooperativeStickyAssignor, KIP-429).
func assignCooperativeSticky(g *group) [][]int32 {
	lists, moving := assignStickily(g)
	for m := range lists {
		lists[m] = slices.DeleteFunc(lists[m], func(p int32) bool { return moving[p] })
	}
	return lists
}

// assignStickily returns the partitions of each member, and which partitions change hands.
func assignStickily(g *group) (lists [][]int32, moving []bool) {
	c := newClaims(g)
	r := newRacks(g)
	if g.equalSubscriptions() {
		b := newConstrained(g, c, r)
		return b.build(), b.moving
	}
	b := newGeneral(g, c, r)
	lists = b.build()
	return lists, c.changingHands(lists)
}

// equalSubscriptions reports whether all members subscribe to the same topics. Topics without metadata count too.
// A member without topics is never equal to one with topics (in Kafka it can be, if the map happens to hand it out first).
func (g *group) equalSubscriptions() bool {
	first := g.members[0].Topics
	for _, m := range g.members[1:] {
		if !slices.Equal(m.Topics, first) && !slices.Equal(topicSet(m.Topics), topicSet(first)) {
			return false
		}
	}
	return true
}

func topicSet(topics []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(topics)))
}
