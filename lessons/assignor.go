package lessons

import (
	"groupscope/core/assign"
	"groupscope/core/kafka"
)

// assignorEntry is an assignor of a consumer's own, as it stands in lesson.yaml.
type assignorEntry struct {
	fixed   []memberParts
	weights []memberWeight
}

// memberParts is what a fixed assignor gives to a member.
type memberParts struct {
	member string
	parts  []kafka.TopicPartition
}

// memberWeight is how large a share a weighing assignor gives to a member.
type memberWeight struct {
	member string
	weight int
}

var assignorEntryKind = object("an assignor", []field[assignorEntry]{
	may("fixed", byID(idKind, readMemberParts), "who gets which partitions, by client id or instance id,", func(a *assignorEntry) *[]memberParts { return &a.fixed }),
	may("weights", byID(idKind, readMemberWeight), "or: how large a share each gets; 1 for who is not named", func(a *assignorEntry) *[]memberWeight { return &a.weights }),
})

func readMemberParts(d *decoder, id string, p pair) memberParts {
	return memberParts{id, list(partitionKind).read(d, p.value)}
}

func readMemberWeight(d *decoder, id string, p pair) memberWeight {
	return memberWeight{id, countKind.read(d, p.value)}
}

func readAssignor(d *decoder, id string, p pair) assign.Custom {
	entry := assignorEntryKind.read(d, p.value)
	custom := assign.Custom{Name: id}
	fixed, weights := p.value.find("fixed") != nil, p.value.find("weights") != nil
	if fixed == weights {
		d.problem(p.at, "an assignor that does not say how it assigns, or says it twice", "fixed or weights", "")
		return custom
	}
	if fixed {
		custom.Fixed = make(map[string][]kafka.TopicPartition, len(entry.fixed))
	} else {
		custom.Weights = make(map[string]int, len(entry.weights))
	}
	for _, m := range entry.fixed {
		custom.Fixed[m.member] = m.parts
	}
	for _, m := range entry.weights {
		custom.Weights[m.member] = m.weight
	}
	return custom
}
