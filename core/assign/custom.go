package assign

import (
	"cmp"
	"slices"

	"groupscope/core/kafka"
)

// Custom is an assignor of a user's own, as data: a fixed place for each partition, or a share for each member. Members
// are named by their client id or their instance id, since member ids are made up by the coordinator.
type Custom struct {
	Name    string
	Fixed   map[string][]kafka.TopicPartition // who gets what; partitions that nobody here is named for go to nobody
	Weights map[string]int                    // how large a share each member gets; 1 for who is not named
}

// Assign follows the map, or deals each topic's partitions by weight. Partitions of members that are not there, or do not
// subscribe, go to nobody in the first case and to the others in the second.
func (c *Custom) Assign(topics []Topic, members []Member) Assignment {
	given := make(Assignment, len(members))
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b Member) int { return cmp.Compare(a.ID, b.ID) })
	for _, m := range sorted {
		given[m.ID] = nil
	}
	for _, topic := range topics {
		if c.Fixed != nil {
			c.place(topic, sorted, given)
			continue
		}
		c.deal(topic, sorted, given)
	}
	return given
}

func (c *Custom) place(topic Topic, members []Member, given Assignment) {
	for _, m := range members {
		for _, tp := range c.Fixed[nameOf(m)] {
			if tp.Topic == topic.Name && tp.Partition < topic.Partitions && slices.Contains(m.Topics, topic.Name) {
				given[m.ID] = append(given[m.ID], tp)
			}
		}
	}
}

// deal gives each partition to the subscriber that is furthest below its share, the first of them when several are.
func (c *Custom) deal(topic Topic, members []Member, given Assignment) {
	subscribers := slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return !slices.Contains(m.Topics, topic.Name) })
	if len(subscribers) == 0 {
		return
	}
	for p := range topic.Partitions {
		next := slices.MinFunc(subscribers, func(a, b Member) int {
			return cmp.Compare((len(given[a.ID])+1)*c.weight(b), (len(given[b.ID])+1)*c.weight(a))
		})
		given[next.ID] = append(given[next.ID], kafka.TopicPartition{Topic: topic.Name, Partition: p})
	}
}

func (c *Custom) weight(m Member) int {
	if w, ok := c.Weights[nameOf(m)]; ok {
		return w
	}
	return 1
}

// nameOf is how a user knows a member: by its instance id, else by its client id, which is its member id up to the last
// hyphen.
func nameOf(m Member) string {
	if m.InstanceID != "" {
		return m.InstanceID
	}
	for i := len(m.ID) - 1; i > 0; i-- {
		if m.ID[i] == '-' {
			return m.ID[:i]
		}
	}
	return m.ID
}
