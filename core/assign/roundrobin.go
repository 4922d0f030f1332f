package assign

// assignRoundRobin deals all partitions, sorted by topic and number, to the members in a ring. A member that does not
// subscribe to the topic is passed over; the ring goes on from topic to topic.
//
// Source: assignors.md section 2 (RoundRobinAssignor).
func assignRoundRobin(g *group) [][]int32 {
	ring := g.staticFirst()
	subscribed := newBitTable(len(g.members), len(g.topics))
	for m, subs := range g.subs {
		for _, t := range subs {
			subscribed.set(m, t)
		}
	}
	owner := make([]int32, g.partitions())
	next := 0
	for p, t := range g.topicOf {
		for !subscribed.has(int(ring[next]), t) {
			next = (next + 1) % len(ring)
		}
		owner[p] = ring[next]
		next = (next + 1) % len(ring)
	}
	return g.inOrder(owner)
}
