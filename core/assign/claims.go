package assign

import "slices"

// claims is what the members say they own.
type claims struct {
	g         *group
	order     []int32   // the members in the order of Kafka's map
	owned     [][]int32 // what each member says, in its order, without what no longer exists
	claimant  []int32   // by partition: the member whose claim counts most so far; -1: none
	void      []bool    // by partition: the claimant's claim does not count, because another of its generation made it too
	contested []bool    // by partition: two members of one generation claimed it
}

// newClaims sorts out who owns what: of several claims on a partition that of the highest generation counts; two of the same
// generation annul each other (KAFKA-14639, since 3.6).
//
// Source: assignors.md section 3.1 (AbstractStickyAssignor.allSubscriptionsEqual).
func newClaims(g *group) *claims {
	c := &claims{g: g, order: g.javaOrder(), owned: g.ownedNumbers()}
	c.claimant = slices.Repeat([]int32{-1}, g.partitions())
	c.void = make([]bool, g.partitions())
	c.contested = make([]bool, g.partitions())
	for _, m := range c.order {
		for _, p := range c.owned[m] {
			c.claim(p, m)
		}
	}
	return c
}

func (c *claims) claim(p, m int32) {
	other := c.claimant[p]
	switch {
	case other < 0 || c.generation(m) > c.generation(other):
		c.claimant[p], c.void[p] = m, false
	case c.generation(m) == c.generation(other):
		c.claimant[p], c.void[p], c.contested[p] = m, true, true
	}
}

func (c *claims) generation(m int32) int32 { return c.g.members[m].Generation }

// owner is the member whose claim on the partition counts; -1 if there is none.
func (c *claims) owner(p int32) int32 {
	if c.void[p] {
		return -1
	}
	return c.claimant[p]
}

// changingHands finds the partitions that are new to their member while another, who says it owns them, lost them
// (CooperativeStickyAssignor.computePartitionsTransferringOwnership).
func (c *claims) changingHands(lists [][]int32) []bool {
	lost, moving := make([]bool, c.g.partitions()), make([]bool, c.g.partitions())
	holder := make([]int32, c.g.partitions())
	for m, list := range lists {
		for _, p := range list {
			holder[p] = int32(m)
		}
	}
	kept := make([]bool, c.g.partitions())
	for m, list := range c.owned {
		for _, p := range list {
			if holder[p] == int32(m) {
				kept[p] = true
			} else {
				lost[p] = true
			}
		}
	}
	for p := range moving {
		moving[p] = lost[p] && !kept[p]
	}
	return moving
}

// javaOrder lists the members in the order of a Java HashMap of their ids.
func (g *group) javaOrder() []int32 {
	ids := make([]string, len(g.joined))
	for i, m := range g.joined {
		ids[i] = g.members[m].ID
	}
	order := javaOrder(ids)
	for i, at := range order {
		order[i] = g.joined[at]
	}
	return order
}

// ownedNumbers turns what the members own into numbers, without what does not exist.
func (g *group) ownedNumbers() [][]int32 {
	sizes := make([]int, len(g.members))
	for i, m := range g.members {
		sizes[i] = len(m.Owned)
	}
	lists := sizedLists(sizes)
	for i, m := range g.members {
		for _, tp := range m.Owned {
			t, ok := g.number[tp.Topic]
			if ok && tp.Partition >= 0 && tp.Partition < g.topics[t].Partitions {
				lists[i] = append(lists[i], g.first[t]+tp.Partition)
			}
		}
	}
	return lists
}
