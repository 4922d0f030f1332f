package assign

// loads orders members by how many partitions they have and then by id, and finds the least loaded one among some of
// them: for each count it keeps the set of members that have it.
type loads struct {
	count   []int32
	has     [][]uint64 // by count: the members with it
	least   int32      // no member has fewer
	members int
}

// newLoads begins with the counts of the given lists.
func newLoads(lists [][]int32) *loads {
	l := &loads{count: make([]int32, len(lists)), members: len(lists)}
	for m, list := range lists {
		l.count[m] = int32(len(list))
		l.put(int32(m))
	}
	return l
}

// change adds to a member's count.
func (l *loads) change(m, by int32) {
	l.has[l.count[m]][m/64] &^= 1 << (m % 64)
	l.count[m] += by
	l.put(m)
}

func (l *loads) put(m int32) {
	n := l.count[m]
	for int(n) >= len(l.has) {
		l.has = append(l.has, make([]uint64, (l.members+63)/64))
	}
	l.has[n][m/64] |= 1 << (m % 64)
	l.least = min(l.least, n)
}

// leastOf returns the least loaded member of a set; -1 if the set is empty.
func (l *loads) leastOf(set []uint64) int32 {
	for n := l.least; int(n) < len(l.has); n++ {
		if m := firstCommon(l.has[n], set); m >= 0 {
			return m
		}
	}
	return -1
}

// leastMatching returns the least loaded member of a set that fits; -1 if none does.
func (l *loads) leastMatching(set []uint64, fits func(m int32) bool) int32 {
	candidates := make([]uint64, len(set))
	for m := range int32(l.members) {
		if set[m/64]>>(m%64)&1 != 0 && fits(m) {
			candidates[m/64] |= 1 << (m % 64)
		}
	}
	return l.leastOf(candidates)
}
