package assign

import "slices"

// assignRange gives each topic by itself: its partitions in a row, cut into as many pieces as it has subscribers, the first
// pieces one larger if it does not come out even. With racks (KIP-881, since 3.5), partitions that have a replica in a
// member's rack are given out first, within the same quotas.
//
// Source: assignors.md section 1 (RangeAssignor).
func assignRange(g *group) [][]int32 {
	topics := newRangeTopics(g)
	if slices.ContainsFunc(topics, rangeTopic.heedsRacks) {
		assignByRack(topics)
	}
	owner := make([]int32, 0, g.partitions())
	for i := range topics {
		topics[i].fill(anyPartition)
		owner = append(owner, topics[i].owner...)
	}
	return g.inOrder(owner)
}

// rangeTopic is the state of one topic's assignment.
type rangeTopic struct {
	*Topic
	members []*Member // the subscribers, in order
	number  []int32   // their numbers
	owner   []int32   // by partition; -1: not yet
	given   []int32   // to each subscriber
	quota   int32     // of each subscriber
	extra   int32     // so many more subscribers may have one more
}

func newRangeTopics(g *group) []rangeTopic {
	topics := make([]rangeTopic, len(g.topics))
	for i, numbers := range g.subscribers(g.staticFirst()) {
		t := rangeTopic{Topic: &g.topics[i], number: numbers}
		t.members = make([]*Member, len(numbers))
		for j, m := range numbers {
			t.members[j] = g.members[m]
		}
		t.owner = slices.Repeat([]int32{-1}, int(t.Partitions))
		t.given = make([]int32, len(numbers))
		t.quota = t.Partitions / int32(len(numbers))
		t.extra = t.Partitions % int32(len(numbers))
		topics[i] = t
	}
	return topics
}

// room is how many more partitions a subscriber may get.
func (t *rangeTopic) room(subscriber int) int32 {
	room := t.quota - t.given[subscriber]
	if t.extra > 0 {
		room++
	}
	return max(room, 0)
}

func (t *rangeTopic) give(subscriber int, partition int32) {
	t.owner[partition] = t.number[subscriber]
	t.given[subscriber]++
	if t.given[subscriber] > t.quota {
		t.extra--
	}
}

// fill gives each subscriber in turn the first partitions that it may have, as many as it has room for.
func (t *rangeTopic) fill(allowed func(t *rangeTopic, subscriber int, partition int32) bool) {
	first := int32(0) // partitions before it are taken
	for s := range t.members {
		room := t.room(s)
		for p := first; p < t.Partitions && room > 0; p++ {
			if t.owner[p] < 0 && allowed(t, s, p) {
				t.give(s, p)
				room--
			}
		}
		for first < t.Partitions && t.owner[first] >= 0 {
			first++
		}
	}
}

func anyPartition(*rangeTopic, int, int32) bool { return true }
