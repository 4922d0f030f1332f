package broker

import (
	"cmp"
	"slices"

	"groupscope/core/kafka"
)

// tieOrder decides between assignors with equally many votes. Kafka leaves that to the order of a hash map; this is the order
// that java.util.HashMap has for the built-in assignors. Others come after them, by name.
//
// Source: coordinator.md section 6.
var tieOrder = []string{"sticky", "range", "roundrobin", "cooperative-sticky"}

// supports reports whether a member with these protocols may be in the group: an empty group takes any protocol type and
// at least one protocol; otherwise the type must be the group's, and one of the protocols one that every member has.
func (g *ClassicGroup) supports(protocolType string, protocols []kafka.Protocol) bool {
	if g.state == empty {
		return protocolType != "" && len(protocols) > 0
	}
	return protocolType == g.protocolType && slices.ContainsFunc(protocols, func(p kafka.Protocol) bool {
		return g.supportedByAll(p.Name)
	})
}

func (g *ClassicGroup) supportedByAll(protocol string) bool {
	return !slices.ContainsFunc(g.members, func(m member) bool { return !m.supports(protocol) })
}

func (m *member) supports(protocol string) bool {
	return slices.ContainsFunc(m.protocols, func(p kafka.Protocol) bool { return p.Name == protocol })
}

// vote chooses the assignor of a group with members: each votes for the first of its protocols that all support, and most
// votes win.
func (g *ClassicGroup) vote() string {
	var candidates []string
	for _, p := range g.members[0].protocols {
		if g.supportedByAll(p.Name) {
			candidates = append(candidates, p.Name)
		}
	}
	votes := map[string]int{}
	for i := range g.members {
		votes[g.members[i].choice(candidates)]++
	}
	return slices.MinFunc(candidates, func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(tieRank(a), tieRank(b)), cmp.Compare(a, b))
	})
}

// choice is the first of the member's protocols that is a candidate.
func (m *member) choice(candidates []string) string {
	i := slices.IndexFunc(m.protocols, func(p kafka.Protocol) bool { return slices.Contains(candidates, p.Name) })
	return m.protocols[i].Name
}

func tieRank(protocol string) int {
	if i := slices.Index(tieOrder, protocol); i >= 0 {
		return i
	}
	return len(tieOrder)
}
