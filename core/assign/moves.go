package assign

import (
	"slices"

	"groupscope/core/kafka"
)

// moves remembers which partitions a rebalance took from whom to whom, so that a later move of the same topic in the
// opposite direction undoes one instead of adding another.
//
// Source: AbstractStickyAssignor.PartitionMovements.
type moves struct {
	g       *group
	ofTopic map[move][]int32 // the partitions that made a move, in the order in which they did
	peak    map[move]int     // the most that made it at once
	made    map[int32]move   // by partition
}

// move is the way of partitions of one topic from one member to another.
type move struct{ topic, from, to int32 }

func newMoves(g *group) moves {
	return moves{g, map[move][]int32{}, map[move]int{}, map[int32]move{}}
}

// instead returns the partition that should move when p is to go from one member to another: one that came the other way
// if there is one, else p.
func (m *moves) instead(p, from, to int32) int32 {
	if earlier, ok := m.made[p]; ok {
		from = earlier.from
	}
	back := move{m.g.topicOf[p], to, from}
	if len(m.ofTopic[back]) == 0 {
		return p
	}
	return m.firstInSet(back)
}

// firstInSet is the partition that a java.util.HashSet of TopicPartitions hands out first.
func (m *moves) firstInSet(way move) int32 {
	partitions := m.ofTopic[way]
	hashes := make([]uint32, len(partitions))
	for i, p := range partitions {
		tp := m.g.topicPartition(p)
		h := uint32(31*(31+tp.Partition) + kafka.JavaHash(tp.Topic)) // TopicPartition.hashCode
		hashes[i] = h ^ h>>16
	}
	return partitions[bucketOrder(hashes, javaTableSize(m.peak[way]))[0]]
}

// record notes that a partition moved. One that moved before has now moved from where it was first; one that is back where
// it was has not moved.
func (m *moves) record(p, from, to int32) {
	if earlier, ok := m.made[p]; ok {
		delete(m.made, p)
		m.ofTopic[earlier] = slices.DeleteFunc(m.ofTopic[earlier], func(other int32) bool { return other == p })
		if len(m.ofTopic[earlier]) == 0 {
			delete(m.peak, earlier)
		}
		if earlier.from == to {
			return
		}
		from = earlier.from
	}
	way := move{m.g.topicOf[p], from, to}
	m.made[p] = way
	m.ofTopic[way] = append(m.ofTopic[way], p)
	m.peak[way] = max(m.peak[way], len(m.ofTopic[way]))
}
