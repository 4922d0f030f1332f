package assign

import "slices"

// constrained builds the sticky assignment of members with equal subscriptions. Each gets low or high partitions, which
// differ by at most one.
//
// Source: assignors.md section 3.2 (AbstractStickyAssignor.ConstrainedAssignmentBuilder).
type constrained struct {
	g         *group
	claims    *claims
	racks     *racks
	low, high int
	extra     int       // so many more members may have high partitions
	under     []int32   // members with fewer than low, by id
	exact     []int32   // members with low that may get one more
	lists     [][]int32 // the result
	assigned  []bool    // by partition
	revoked   []int32   // by partition: the member that had it and may not keep it; -1: none
	moving    []bool    // by partition: it goes from one member to another
}

func newConstrained(g *group, c *claims, r *racks) *constrained {
	n, m := g.partitions(), len(g.members)
	b := &constrained{g: g, claims: c, racks: r, low: n / m, high: (n + m - 1) / m, extra: n % m}
	b.lists = sizedLists(slices.Repeat([]int{b.high}, m))
	b.assigned, b.moving = make([]bool, n), make([]bool, n)
	b.revoked = slices.Repeat([]int32{-1}, n)
	return b
}

func (b *constrained) build() [][]int32 {
	b.keepOwned()
	var unassigned []int32
	for p, assigned := range b.assigned {
		if !assigned {
			unassigned = append(unassigned, int32(p))
		}
	}
	slices.Sort(b.under)
	slices.Sort(b.exact)
	if b.racks.matter {
		b.racks.fewestFirst(unassigned)
		unassigned = b.dealByRack(unassigned)
	}
	b.deal(unassigned)
	return b.lists
}

// keepOwned leaves members what they had, as far as their share allows.
func (b *constrained) keepOwned() {
	owned := b.ownedInOrder()
	for _, m := range b.claims.order {
		share := len(owned[m])
		switch {
		case share < b.low:
			b.under = append(b.under, m)
		case share >= b.high && b.extra > 0:
			share = b.high
			b.takeExtra()
		default:
			share = b.low
			if b.extra > 0 {
				b.exact = append(b.exact, m)
			}
		}
		for _, p := range owned[m][:share] {
			b.lists[m] = append(b.lists[m], p)
			b.assigned[p] = true
		}
		for _, p := range owned[m][share:] {
			b.revoked[p] = m
		}
	}
}

// takeExtra counts a member that gets high partitions. After the last of them those with low have all they may get.
func (b *constrained) takeExtra() {
	b.extra--
	if b.extra == 0 {
		b.exact = b.exact[:0]
	}
}

// ownedInOrder lists what each member may keep, by partition number and then topic, so that what is cut off at the end is
// spread over the topics (KAFKA-16277, since 3.8).
func (b *constrained) ownedInOrder() [][]int32 {
	sizes := make([]int, len(b.g.members))
	for m, list := range b.claims.owned {
		sizes[m] = len(list)
	}
	owned := sizedLists(sizes)
	topics := make([]int32, len(b.g.topics))
	for t := range topics {
		topics[t] = int32(t)
	}
	for number := int32(0); len(topics) > 0; number++ {
		topics = slices.DeleteFunc(topics, func(t int32) bool { return number >= b.g.topics[t].Partitions })
		for _, t := range topics {
			p := b.g.first[t] + number
			m := b.claims.owner(p)
			switch {
			case m < 0:
			case b.racks.mismatch(m, p):
				b.revoked[p] = m
			case !b.claims.contested[p]:
				owned[m] = append(owned[m], p)
			}
		}
	}
	return owned
}

// give assigns a partition that nobody kept, and notes whether someone else had it.
func (b *constrained) give(m, p int32) {
	b.lists[m] = append(b.lists[m], p)
	b.moving[p] = b.revoked[p] >= 0 && b.revoked[p] != m || b.claims.contested[p]
}

// deal gives each partition to the next member that has too few, in a ring, and then one each to those with low.
func (b *constrained) deal(unassigned []int32) {
	next := 0
	for _, p := range unassigned {
		if len(b.under) == 0 {
			b.give(b.exact[0], p)
			b.exact = b.exact[1:]
			continue
		}
		if next == len(b.under) {
			next = 0
		}
		m := b.under[next]
		b.give(m, p)
		if len(b.lists[m]) == b.low {
			b.under = slices.Delete(b.under, next, next+1)
			b.exact = append(b.exact, m)
		} else {
			next++
		}
	}
}

// dealByRack gives out the partitions that have a replica in the rack of a member with room, and returns the others.
func (b *constrained) dealByRack(unassigned []int32) []int32 {
	next := 0
	return slices.DeleteFunc(unassigned, func(p int32) bool {
		if at := b.racks.next(p, b.under, next); at >= 0 {
			next = b.giveUnder(at, p)
			return true
		}
		at := b.racks.next(p, b.exact, 0)
		if at < 0 {
			return false
		}
		m := b.exact[at]
		b.exact = slices.Delete(b.exact, at, at+1)
		b.takeExtra()
		b.give(m, p)
		return true
	})
}

// giveUnder gives a partition to a member that has too few, and returns where to look for the next one.
func (b *constrained) giveUnder(at int, p int32) int {
	m := b.under[at]
	b.give(m, p)
	if len(b.lists[m]) < b.low {
		return (at + 1) % len(b.under)
	}
	b.under = slices.Delete(b.under, at, at+1)
	if b.extra > 0 && b.low < b.high {
		b.exact = append(b.exact, m)
	}
	if len(b.under) == 0 {
		return 0
	}
	return at % len(b.under)
}
