package assign

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

// testCase is an input, and what Apache Kafka makes of it: what its own tests assert, and what its classes returned.
type testCase struct {
	Source         string                `json:"source"`
	Step           int                   `json:"step"`
	Assignor       string                `json:"assignor"`
	Topics         map[string]int32      `json:"topics"`
	PartitionRacks map[string][][]string `json:"partition_racks"`
	Members        []caseMember          `json:"members"`

	Expect           map[string][]casePartition `json:"expect"`
	Ordered          bool                       `json:"ordered"`
	ExpectAfter      map[string][]casePartition `json:"expect_after_convergence"`
	Reference        map[string][]casePartition `json:"reference_output"`
	ReferenceAfter   map[string][]casePartition `json:"reference_output_after_convergence"`
	RebalancesNeeded int                        `json:"rebalances_needed"`
	Properties       properties                 `json:"properties"`
}

type caseMember struct {
	ID         string          `json:"id"`
	InstanceID string          `json:"instance_id"`
	Topics     []string        `json:"topics"`
	Owned      []casePartition `json:"owned"`
	Generation *int32          `json:"generation"`
	Rack       string          `json:"rack"`
}

// casePartition is written as ["topic", 0].
type casePartition kafka.TopicPartition

func (p *casePartition) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.Topic, &p.Partition})
}

func loadCases(t *testing.T, file string) []testCase {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var cases []testCase
	require.NoError(t, json.Unmarshal(data, &cases))
	return cases
}

func (c testCase) input() ([]Topic, []Member) {
	var topics []Topic
	for name, partitions := range c.Topics {
		topics = append(topics, Topic{name, partitions, c.PartitionRacks[name]})
	}
	var members []Member
	for _, m := range c.Members {
		member := Member{ID: m.ID, InstanceID: m.InstanceID, Topics: m.Topics, Generation: kafka.NoGeneration, Rack: m.Rack}
		if m.Generation != nil {
			member.Generation = *m.Generation
		}
		for _, p := range m.Owned {
			member.Owned = append(member.Owned, kafka.TopicPartition(p))
		}
		members = append(members, member)
	}
	return topics, members
}

func (c testCase) run(t *testing.T) Assignment {
	a, ok := ByName(c.Assignor)
	require.True(t, ok, c.Assignor)
	return a.Assign(c.input())
}

type properties struct {
	FullyBalanced              bool                      `json:"fully_balanced"`
	SizesSorted                []int                     `json:"sizes_sorted"`
	MaxSize                    *int                      `json:"max_size"`
	KeepsAllOwned              []string                  `json:"keeps_all_owned"`
	AssignedSubsetOfOwned      []string                  `json:"assigned_subset_of_owned"`
	BalancedWithinSubscription bool                      `json:"balanced_within_subscriptions"`
	PerTopicCounts             map[string]map[string]int `json:"per_topic_counts"`
	AfterConvergencePerTopic   map[string]map[string]int `json:"after_convergence_per_topic"`
}

func (c testCase) name() string { return fmt.Sprintf("%s/%s/%d", c.Assignor, c.Source, c.Step) }

func TestAssignorsDoWhatKafkasOwnTestsAssert(t *testing.T) {
	for _, c := range loadCases(t, "assignor-cases.json") {
		t.Run(c.name(), func(t *testing.T) {
			got := c.run(t)
			if c.Expect != nil {
				requireAssignment(t, c.Expect, got, c.Ordered)
			}
			requireAssignment(t, c.Reference, got, c.Ordered)
			_, members := c.input()
			requireValid(t, members, got)
			requireProperties(t, c, got)
			if c.ReferenceAfter == nil {
				return
			}
			after, rebalances := converge(c, got)
			require.Equal(t, c.RebalancesNeeded, rebalances, "rebalances")
			requireAssignment(t, c.ReferenceAfter, after, false)
			if c.ExpectAfter != nil {
				requireAssignment(t, c.ExpectAfter, after, false)
			}
			requireCounts(t, c.Properties.AfterConvergencePerTopic, after)
		})
	}
}

// The cases are groups drawn at random, with and without racks, and what the assignors of Kafka 3.9.0 made of them.
func TestAssignorsDoWhatKafkasClassesDo(t *testing.T) {
	for _, c := range loadCases(t, "random-cases.json") {
		t.Run(c.name(), func(t *testing.T) {
			requireAssignment(t, c.Reference, c.run(t), c.Ordered)
		})
	}
}

// converge repeats a cooperative rebalance until no member has to give up anything; the first assignment counts as one.
func converge(c testCase, a Assignment) (Assignment, int) {
	topics, members := c.input()
	for rebalances := 1; ; rebalances++ {
		revoked := false
		for i, m := range members {
			for _, tp := range m.Owned {
				revoked = revoked || c.Topics[tp.Topic] > 0 && !slices.Contains(a[m.ID], tp)
			}
			members[i].Owned, members[i].Generation = a[m.ID], 100+int32(rebalances)
		}
		if !revoked {
			return a, rebalances
		}
		a = CooperativeSticky.Assign(topics, members)
	}
}

func requireAssignment(t *testing.T, want map[string][]casePartition, got Assignment, ordered bool) {
	t.Helper()
	require.Len(t, got, len(want))
	for member, list := range want {
		partitions := make([]kafka.TopicPartition, len(list))
		for i, p := range list {
			partitions[i] = kafka.TopicPartition(p)
		}
		if ordered {
			require.Equal(t, partitions, append([]kafka.TopicPartition{}, got[member]...), member)
		} else {
			require.ElementsMatch(t, partitions, got[member], member)
		}
	}
}

// requireValid: only subscribed topics, and nobody shares a partition.
func requireValid(t require.TestingT, members []Member, got Assignment) {
	owner := map[kafka.TopicPartition]string{}
	for _, m := range members {
		for _, tp := range got[m.ID] {
			require.Contains(t, m.Topics, tp.Topic)
			require.Empty(t, owner[tp], "%s has two owners", tp)
			owner[tp] = m.ID
		}
	}
}

func requireProperties(t *testing.T, c testCase, got Assignment) {
	p := c.Properties
	_, members := c.input()
	var sizes []int
	for _, list := range got {
		sizes = append(sizes, len(list))
	}
	slices.Sort(sizes)
	// what a cooperative assignor still withholds makes up the balance only after the next rebalance
	if p.FullyBalanced && c.Assignor != CooperativeSticky.Name() {
		require.LessOrEqual(t, sizes[len(sizes)-1]-sizes[0], 1)
	}
	if p.SizesSorted != nil {
		require.Equal(t, p.SizesSorted, sizes)
	}
	if p.MaxSize != nil {
		require.LessOrEqual(t, sizes[len(sizes)-1], *p.MaxSize)
	}
	for _, m := range members {
		if slices.Contains(p.KeepsAllOwned, m.ID) {
			require.Subset(t, got[m.ID], m.Owned)
		}
		if slices.Contains(p.AssignedSubsetOfOwned, m.ID) {
			require.Subset(t, m.Owned, got[m.ID])
		}
	}
	if p.BalancedWithinSubscription {
		requireBalancedWithinSubscriptions(t, members, got)
	}
	requireCounts(t, p.PerTopicCounts, got)
}

// requireBalancedWithinSubscriptions: no partition could move to a subscriber that has two fewer.
func requireBalancedWithinSubscriptions(t require.TestingT, members []Member, got Assignment) {
	for _, m := range members {
		for _, tp := range got[m.ID] {
			for _, other := range members {
				if slices.Contains(other.Topics, tp.Topic) {
					require.LessOrEqual(t, len(got[m.ID])-len(got[other.ID]), 1, "%s could move from %s to %s", tp, m.ID, other.ID)
				}
			}
		}
	}
}

func requireCounts(t *testing.T, want map[string]map[string]int, got Assignment) {
	for member, counts := range want {
		have := map[string]int{}
		for _, tp := range got[member] {
			have[tp.Topic]++
		}
		require.Equal(t, counts, have, member)
	}
}
