package assign

import (
	"cmp"
	"slices"
)

// general builds the sticky assignment of members whose subscriptions differ.
//
// Source: assignors.md section 3.3 (AbstractStickyAssignor.GeneralAssignmentBuilder).
type general struct {
	g           *group
	claims      *claims
	racks       *racks
	subscribers bitTable // by topic: its members
	subscribed  []int    // by topic: how many they are
	lists       [][]int32
	owner       []int32 // by partition; -1: not yet
	loads       *loads
	former      []int32 // by partition: the member that had it in an older generation; -1: none
	moves       moves
	forced      bool // a member had to give up something whatever the balance
}

func newGeneral(g *group, c *claims, r *racks) *general {
	b := &general{g: g, claims: c, racks: r, lists: make([][]int32, len(g.members))}
	b.subscribers = newBitTable(len(g.topics), len(g.members))
	b.subscribed = make([]int, len(g.topics))
	for m, subs := range g.subs {
		for _, t := range subs {
			b.subscribers.set(int(t), int32(m))
			b.subscribed[t]++
		}
	}
	b.owner = slices.Repeat([]int32{-1}, g.partitions())
	b.former = formerOwners(g, c)
	b.moves = newMoves(g)
	return b
}

// formerOwners finds, of the members that are behind the newest generation, the last one that had each partition.
func formerOwners(g *group, c *claims) []int32 {
	former := slices.Repeat([]int32{-1}, g.partitions())
	newest := c.generation(0)
	for m := range g.members {
		newest = max(newest, c.generation(int32(m)))
	}
	for _, m := range c.order {
		if c.generation(m) == newest {
			continue
		}
		for _, p := range c.owned[m] {
			if former[p] < 0 || c.generation(m) > c.generation(former[p]) {
				former[p] = m
			}
		}
	}
	return former
}

func (b *general) build() [][]int32 {
	b.keepOwned()
	initial := !slices.ContainsFunc(b.lists, func(list []int32) bool { return len(list) > 0 })
	all := b.reassignable()
	unassigned := slices.DeleteFunc(b.fewestSubscribersFirst(), func(p int32) bool { return b.owner[p] >= 0 })
	b.loads = newLoads(b.lists)
	b.assign(unassigned)

	before, ownerBefore := cloneLists(b.lists), slices.Clone(b.owner)
	if !b.forced {
		b.rebalance(slices.DeleteFunc(unassigned, func(p int32) bool { return !b.mayMove(p) }))
	}
	if b.rebalance(all) && !initial && b.score(b.lists) >= b.score(before) {
		b.lists, b.owner = before, ownerBefore
	}
	return b.lists
}

// keepOwned leaves every member what it had of the topics that it still subscribes to.
func (b *general) keepOwned() {
	for _, m := range b.claims.order {
		for _, p := range b.claims.owned[m] {
			switch {
			case b.claims.owner(p) != m:
			case !b.subscribes(m, p) || b.racks.mismatch(m, p):
				b.forced = true
			default:
				b.lists[m] = append(b.lists[m], p)
				b.owner[p] = m
			}
		}
	}
}

func (b *general) subscribes(m, p int32) bool { return b.subscribers.has(int(b.g.topicOf[p]), m) }

// fewestSubscribersFirst lists all partitions by the number of the topic's subscribers, its name, and their own number.
func (b *general) fewestSubscribersFirst() []int32 {
	topics := make([]int32, len(b.g.topics))
	for t := range topics {
		topics[t] = int32(t)
	}
	slices.SortStableFunc(topics, func(x, y int32) int { return cmp.Compare(b.subscribed[x], b.subscribed[y]) })
	list := make([]int32, 0, b.g.partitions())
	for _, t := range topics {
		for p := b.g.first[t]; p < b.g.first[t+1]; p++ {
			list = append(list, p)
		}
	}
	return list
}

// mayMove reports whether a partition has somewhere else to go.
func (b *general) mayMove(p int32) bool { return b.subscribed[b.g.topicOf[p]] >= 2 }

func (b *general) reassignable() []int32 {
	return slices.DeleteFunc(b.fewestSubscribersFirst(), func(p int32) bool { return !b.mayMove(p) })
}

// assign gives each partition to the least loaded subscriber, at first only within racks.
func (b *general) assign(unassigned []int32) {
	if b.racks.matter {
		for _, p := range unassigned {
			near := func(m int32) bool { return !b.racks.mismatch(m, p) }
			if m := b.loads.leastMatching(b.subscribers.row(int(b.g.topicOf[p])), near); m >= 0 {
				b.give(m, p)
			}
		}
	}
	for _, p := range unassigned {
		if b.owner[p] < 0 {
			b.give(b.leastLoaded(p), p)
		}
	}
}

// leastLoaded is the subscriber of the partition's topic that has the fewest partitions.
func (b *general) leastLoaded(p int32) int32 {
	return b.loads.leastOf(b.subscribers.row(int(b.g.topicOf[p])))
}

func (b *general) give(m, p int32) {
	b.lists[m] = append(b.lists[m], p)
	b.owner[p] = m
	b.loads.change(m, 1)
}

// rebalance moves partitions from members to others that have at least two fewer, until none is left to move. It
// reports whether it moved any.
func (b *general) rebalance(partitions []int32) bool {
	moved := false
	for again := true; again; {
		again = false
		for _, p := range partitions {
			to := b.leastLoaded(p)
			// the member that had it before comes first, if it still may have it (Kafka does not ask whether it may)
			if f := b.former[p]; f >= 0 && b.subscribes(f, p) && b.loads.count[b.owner[p]] > b.loads.count[f]+1 {
				to = f
			}
			if b.loads.count[b.owner[p]] > b.loads.count[to]+1 {
				b.move(b.moves.instead(p, b.owner[p], to), to)
				moved, again = true, true
			}
		}
	}
	return moved
}

// move takes a partition from its owner to another member.
func (b *general) move(p, to int32) {
	from := b.owner[p]
	b.moves.record(p, from, to)
	at := slices.Index(b.lists[from], p)
	b.lists[from] = slices.Delete(b.lists[from], at, at+1)
	b.loads.change(from, -1)
	b.give(to, p)
}

// score is the sum of the differences in size over all pairs of members that can gain or lose something.
func (b *general) score(lists [][]int32) int {
	var sizes []int
	for m, list := range lists {
		if b.mayChange(int32(m), list) {
			sizes = append(sizes, len(list))
		}
	}
	slices.Sort(sizes)
	score, sum := 0, 0
	for i, size := range sizes {
		score += i*size - sum
		sum += size
	}
	return score
}

// mayChange reports whether a member lacks partitions that it could have, or has some that others could have.
func (b *general) mayChange(m int32, list []int32) bool {
	most := 0
	for _, t := range b.g.subs[m] {
		most += int(b.g.topics[t].Partitions)
	}
	return len(list) < most || slices.ContainsFunc(list, b.mayMove)
}

func cloneLists(lists [][]int32) [][]int32 {
	clones := make([][]int32, len(lists))
	for i, list := range lists {
		clones[i] = slices.Clone(list)
	}
	return clones
}
