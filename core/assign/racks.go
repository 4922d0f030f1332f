package assign

import (
	"cmp"
	"slices"
)

// racks tells the sticky assignors which members are near which partitions (KIP-881, since 3.5).
//
// Source: assignors.md section 3.2 (AbstractStickyAssignor.RackInfo).
type racks struct {
	matter  bool
	members []string   // the rack of each member
	replica [][]string // the racks of each partition's replicas
}

func newRacks(g *group) *racks {
	r := &racks{members: make([]string, len(g.members))}
	given := false
	for m, member := range g.members {
		r.members[m] = member.Rack
		given = given || member.Rack != ""
	}
	if !given {
		return r
	}
	for _, t := range g.topics {
		for p := range t.Partitions {
			if t.Racks == nil {
				r.replica = append(r.replica, nil)
			} else {
				r.replica = append(r.replica, rackSet(t.Racks[p]))
			}
		}
	}
	r.matter = racksMatter(r.members, r.replica)
	return r
}

// match reports whether the partition has a replica in the member's rack.
func (r *racks) match(m, p int32) bool {
	return r.members[m] != "" && slices.Contains(r.replica[p], r.members[m])
}

// mismatch reports whether the member has a rack, and the partition no replica in it.
func (r *racks) mismatch(m, p int32) bool {
	return r.matter && r.members[m] != "" && !r.match(m, p)
}

// fewestFirst orders partitions by how many members are in the racks of their replicas.
func (r *racks) fewestFirst(partitions []int32) {
	inRack := map[string]int{}
	for _, rack := range r.members {
		inRack[rack]++
	}
	near := func(p int32) int {
		n := 0
		for _, rack := range r.replica[p] {
			n += inRack[rack]
		}
		return n
	}
	slices.SortStableFunc(partitions, func(a, b int32) int { return cmp.Compare(near(a), near(b)) })
}

// next finds the first member of a list, from a place on and around, that is near the partition; -1 if none is.
func (r *racks) next(p int32, members []int32, from int) int {
	for i := range members {
		at := (from + i) % len(members)
		if r.match(members[at], p) {
			return at
		}
	}
	return -1
}
