package assign

import (
	"cmp"
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// group is the input of an assignment in numbers: members are numbered by their ids, topics by their names, and
// partitions by topic and then by their own number. So "smaller id" and "sorted by topic and partition", on which the
// rules rest, are comparisons of numbers.
//
// Java compares ids by UTF-16 units and Go by bytes; that is the same for all that Kafka allows in topic names and
// instance ids.
type group struct {
	members []*Member        // sorted by id
	joined  []int32          // the members in the order in which they were given
	topics  []Topic          // those that have partitions and a subscriber, sorted by name
	first   []int32          // the number of each topic's first partition, and at the end the number of all partitions
	topicOf []int32          // by partition
	number  map[string]int32 // of each topic, by its name
	subs    [][]int32        // the topics of each member, ascending
}

func newGroup(topics []Topic, members []Member) *group {
	g := &group{members: make([]*Member, len(members)), joined: make([]int32, len(members))}
	for i := range members {
		g.members[i] = &members[i]
	}
	byID := func(a, b *Member) int { return strings.Compare(a.ID, b.ID) }
	if slices.IsSortedFunc(g.members, byID) {
		for i := range g.joined {
			g.joined[i] = int32(i)
		}
	} else {
		slices.SortFunc(g.members, byID)
		for i := range members {
			at, _ := slices.BinarySearchFunc(g.members, &members[i], byID)
			g.joined[i] = int32(at)
		}
	}
	g.addTopics(topics)
	g.addSubscriptions()
	return g
}

// addTopics numbers the topics and their partitions.
func (g *group) addTopics(topics []Topic) {
	subscribed := make(map[string]bool, len(topics))
	var last []string
	for _, m := range g.members {
		if slices.Equal(m.Topics, last) {
			continue
		}
		last = m.Topics
		for _, t := range last {
			subscribed[t] = true
		}
	}
	for _, t := range topics {
		if t.Partitions > 0 && subscribed[t.Name] {
			g.topics = append(g.topics, t)
		}
	}
	slices.SortFunc(g.topics, func(a, b Topic) int { return strings.Compare(a.Name, b.Name) })
	n := int32(0)
	for _, t := range g.topics {
		g.first = append(g.first, n)
		n += t.Partitions
	}
	g.first = append(g.first, n)
	g.topicOf = make([]int32, 0, n)
	g.number = make(map[string]int32, len(g.topics))
	for i, t := range g.topics {
		g.number[t.Name] = int32(i)
		for range t.Partitions {
			g.topicOf = append(g.topicOf, int32(i))
		}
	}
}

// addSubscriptions numbers what the members subscribe to. Members in a row with equal topics share one list.
func (g *group) addSubscriptions() {
	g.subs = make([][]int32, len(g.members))
	for i, m := range g.members {
		if i > 0 && slices.Equal(m.Topics, g.members[i-1].Topics) {
			g.subs[i] = g.subs[i-1]
			continue
		}
		var subs []int32
		for _, name := range m.Topics {
			if t, ok := g.number[name]; ok {
				subs = append(subs, t)
			}
		}
		slices.Sort(subs)
		g.subs[i] = slices.Compact(subs)
	}
}

// partitions is the number of all partitions.
func (g *group) partitions() int { return len(g.topicOf) }

// topicPartition turns a partition's number back into its name.
func (g *group) topicPartition(p int32) kafka.TopicPartition {
	t := g.topicOf[p]
	return kafka.TopicPartition{Topic: g.topics[t].Name, Partition: p - g.first[t]}
}

// subscribers lists the members that subscribe to each topic, in the given order of members.
func (g *group) subscribers(order []int32) [][]int32 {
	counts := make([]int, len(g.topics))
	for _, subs := range g.subs {
		for _, t := range subs {
			counts[t]++
		}
	}
	lists := make([][]int32, len(g.topics))
	for t, n := range counts {
		lists[t] = make([]int32, 0, n)
	}
	for _, m := range order {
		for _, t := range g.subs[m] {
			lists[t] = append(lists[t], m)
		}
	}
	return lists
}

// staticFirst orders the members as Range and RoundRobin do: static members by instance id, then dynamic ones by member
// id (AbstractPartitionAssignor.MemberInfo.compareTo).
func (g *group) staticFirst() []int32 {
	order := make([]int32, len(g.members))
	static := false
	for i, m := range g.members {
		order[i] = int32(i)
		static = static || m.InstanceID != ""
	}
	if !static {
		return order
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := g.members[a].InstanceID, g.members[b].InstanceID
		if (x == "") != (y == "") {
			return cmp.Compare(y, x) // the empty one is the dynamic one, and goes last
		}
		return strings.Compare(x, y)
	})
	return order
}

// inOrder lists each member's partitions by number, from the owner of each partition; -1 is nobody.
func (g *group) inOrder(owner []int32) [][]int32 {
	counts := make([]int, len(g.members))
	for _, m := range owner {
		if m >= 0 {
			counts[m]++
		}
	}
	lists := sizedLists(counts)
	for p, m := range owner {
		if m >= 0 {
			lists[m] = append(lists[m], int32(p))
		}
	}
	return lists
}

// sizedLists makes empty lists of given capacities, all in one piece of memory.
func sizedLists(sizes []int) [][]int32 {
	total := 0
	for _, n := range sizes {
		total += n
	}
	memory := make([]int32, total)
	lists := make([][]int32, len(sizes))
	for i, n := range sizes {
		lists[i], memory = memory[:0:n], memory[n:]
	}
	return lists
}

// assignment names what is listed by number.
func (g *group) assignment(lists [][]int32) Assignment {
	a := make(Assignment, len(g.members))
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	memory := make([]kafka.TopicPartition, 0, total)
	for i, m := range g.members {
		start := len(memory)
		for _, p := range lists[i] {
			memory = append(memory, g.topicPartition(p))
		}
		a[m.ID] = memory[start:len(memory):len(memory)]
	}
	return a
}
