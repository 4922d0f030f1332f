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

// expectation is what testdata/assignor-cases.json says beside a case's input: what Apache Kafka's own tests assert, and
// what its classes returned.
type expectation struct {
	Expect           map[string][]casePartition `json:"expect"`
	Ordered          bool                       `json:"ordered"`
	ExpectAfter      map[string][]casePartition `json:"expect_after_convergence"`
	Reference        map[string][]casePartition `json:"reference_output"`
	ReferenceAfter   map[string][]casePartition `json:"reference_output_after_convergence"`
	RebalancesNeeded int                        `json:"rebalances_needed"`
	Properties       properties                 `json:"properties"`
	Step             int                        `json:"step"`
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

func loadCases(t *testing.T) ([]testCase, []expectation) {
	t.Helper()
	file, err := os.Open("testdata/assignor-cases.json")
	require.NoError(t, err)
	defer file.Close()
	cases, err := readCases(file)
	require.NoError(t, err)
	data, err := os.ReadFile("testdata/assignor-cases.json")
	require.NoError(t, err)
	var expected []expectation
	require.NoError(t, json.Unmarshal(data, &expected))
	return cases, expected
}

func (c testCase) name(step int) string { return fmt.Sprintf("%s/%s/%d", c.Assignor, c.Source, step) }

func TestAssignorsDoWhatKafkasOwnTestsAssert(t *testing.T) {
	cases, expected := loadCases(t)
	for i, c := range cases {
		e := expected[i]
		t.Run(c.name(e.Step), func(t *testing.T) {
			got := c.run()
			if e.Expect != nil {
				requireAssignment(t, e.Expect, got, e.Ordered)
			}
			requireAssignment(t, e.Reference, got, e.Ordered)
			_, members := c.input()
			requireValid(t, members, got)
			requireProperties(t, e.Properties, c, got)
			if e.ReferenceAfter == nil {
				return
			}
			after, rebalances := converge(c, got)
			require.Equal(t, e.RebalancesNeeded, rebalances, "rebalances")
			requireAssignment(t, e.ReferenceAfter, after, false)
			if e.ExpectAfter != nil {
				requireAssignment(t, e.ExpectAfter, after, false)
			}
			requireCounts(t, e.Properties.AfterConvergencePerTopic, after)
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

func requireProperties(t *testing.T, p properties, c testCase, got Assignment) {
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
