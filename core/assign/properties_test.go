package assign

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/kafka"
)

// subscriptionKind says what drawGroup's members subscribe to.
type subscriptionKind uint8

const (
	equalSubscriptions subscriptionKind = iota
	anySubscriptions
)

// drawGroup draws topics and members who own nothing yet. Every member subscribes to something.
func drawGroup(t *rapid.T, kind subscriptionKind) ([]Topic, []Member) {
	var topics []Topic
	var names []string
	for i := range rapid.IntRange(1, 5).Draw(t, "topics") {
		names = append(names, fmt.Sprintf("t%d", i))
		topics = append(topics, Topic{Name: names[i], Partitions: rapid.Int32Range(1, 9).Draw(t, "partitions")})
	}
	var members []Member
	for i := range rapid.IntRange(1, 8).Draw(t, "members") {
		members = append(members, drawMember(t, i, names, kind))
	}
	return topics, members
}

func drawMember(t *rapid.T, number int, names []string, kind subscriptionKind) Member {
	m := Member{ID: fmt.Sprintf("c%d", number), Topics: names, Generation: kafka.NoGeneration}
	if rapid.Bool().Draw(t, "static") {
		m.InstanceID = fmt.Sprintf("i%d", 100-number)
	}
	if kind == anySubscriptions {
		count := rapid.IntRange(1, len(names)).Draw(t, "subscribed")
		m.Topics = rapid.Permutation(names).Draw(t, "order")[:count]
	}
	return m
}

// changeGroup gives the members what they were assigned, and then lets some leave and others come.
func changeGroup(t *rapid.T, topics []Topic, members []Member, a Assignment) []Member {
	var names []string
	for _, topic := range topics {
		names = append(names, topic.Name)
	}
	var changed []Member
	for i, m := range members {
		m.Owned, m.Generation = a[m.ID], 1
		if i == 0 || rapid.IntRange(0, 3).Draw(t, "leaves") > 0 {
			changed = append(changed, m)
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "newcomers") {
		newcomer := drawMember(t, 10+i, names, equalSubscriptions)
		newcomer.Topics = changed[0].Topics
		changed = append(changed, newcomer)
	}
	return changed
}

// requireComplete: every partition that somebody subscribes to has one owner, a subscriber.
func requireComplete(t require.TestingT, topics []Topic, members []Member, a Assignment) {
	requireValid(t, members, a)
	assigned, wanted := 0, 0
	for _, list := range a {
		assigned += len(list)
	}
	for _, topic := range topics {
		if slices.ContainsFunc(members, func(m Member) bool { return slices.Contains(m.Topics, topic.Name) }) {
			wanted += int(topic.Partitions)
		}
	}
	require.Equal(t, wanted, assigned, "partitions with an owner")
	require.Len(t, a, len(members), "every member has an entry")
}

func TestEveryPartitionHasOneOwnerAmongItsSubscribers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		for _, a := range []Assignor{Range, RoundRobin, Sticky, CooperativeSticky} {
			requireComplete(t, topics, members, a.Assign(topics, members))
		}
		members = changeGroup(t, topics, members, Sticky.Assign(topics, members))
		requireComplete(t, topics, members, Sticky.Assign(topics, members))
	})
}

func TestEqualSubscriptionsGiveSizesThatDifferByOneAtMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, equalSubscriptions)
		members = changeGroup(t, topics, members, Range.Assign(topics, members))
		for _, a := range []Assignor{RoundRobin, Sticky} {
			low, high := extremes(a.Assign(topics, members))
			require.LessOrEqual(t, high-low, 1, a.Name())
		}
		for _, topic := range topics {
			low, high := extremes(Range.Assign([]Topic{topic}, members))
			require.LessOrEqual(t, high-low, 1, "range, one topic")
		}
	})
}

func extremes(a Assignment) (low, high int) {
	var sizes []int
	for _, list := range a {
		sizes = append(sizes, len(list))
	}
	return slices.Min(sizes), slices.Max(sizes)
}

func TestStickyIsBalancedWithinSubscriptionsFromTheStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		requireBalancedWithinSubscriptions(t, members, Sticky.Assign(topics, members))
	})
}

func TestNothingMovesWhileTheGroupStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		before := Sticky.Assign(topics, members)
		for i, m := range members {
			members[i].Owned, members[i].Generation = before[m.ID], 1
		}
		for _, a := range []Assignor{Sticky, CooperativeSticky} {
			require.Equal(t, sorted(before), sorted(a.Assign(topics, members)), a.Name())
		}
	})
}

func TestStickyMovesNothingBetweenMembersThatStayWhenOneLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, equalSubscriptions)
		before := Sticky.Assign(topics, members)
		for i, m := range members {
			members[i].Owned, members[i].Generation = before[m.ID], 1
		}
		stay := members[min(1, len(members)-1):]
		after := Sticky.Assign(topics, stay)
		for _, m := range stay {
			require.Subset(t, after[m.ID], m.Owned, m.ID)
		}
	})
}

func TestCooperativeNeverAssignsWhatAnotherStillOwnsAndConvergesInTwoRebalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		members = changeGroup(t, topics, members, CooperativeSticky.Assign(topics, members))
		for rebalance := 1; ; rebalance++ {
			require.LessOrEqual(t, rebalance, 2, "rebalances")
			a := CooperativeSticky.Assign(topics, members)
			revoked := false
			for i, m := range members {
				requireNotOwnedByOthers(t, members, m, a)
				revoked = revoked || len(m.Owned) > 0 && kept(members[i:i+1], a) < len(m.Owned)
			}
			for i, m := range members {
				members[i].Owned, members[i].Generation = a[m.ID], int32(1+rebalance)
			}
			if !revoked {
				requireComplete(t, topics, members, a)
				return
			}
		}
	})
}

func requireNotOwnedByOthers(t require.TestingT, members []Member, m Member, a Assignment) {
	for _, other := range members {
		if other.ID == m.ID {
			continue
		}
		for _, tp := range other.Owned {
			require.NotContains(t, a[m.ID], tp, "%s is still owned by %s", tp, other.ID)
		}
	}
}

func TestTheOrderOfMembersAndTopicsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t, anySubscriptions)
		members = changeGroup(t, topics, members, RoundRobin.Assign(topics, members))
		shuffledTopics := rapid.Permutation(topics).Draw(t, "topics")
		shuffledMembers := rapid.Permutation(members).Draw(t, "members")
		for _, a := range []Assignor{Range, RoundRobin, Sticky, CooperativeSticky} {
			require.Equal(t, a.Assign(topics, members), a.Assign(shuffledTopics, shuffledMembers), a.Name())
		}
	})
}
