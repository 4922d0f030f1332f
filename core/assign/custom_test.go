package assign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

func TestACustomAssignorFollowsItsMap(t *testing.T) {
	c := Custom{Name: "mine", Fixed: map[string][]kafka.TopicPartition{
		"C2": {{Topic: "T1", Partition: 1}}, "C9": {{Topic: "T1", Partition: 0}},
	}}
	given := c.Assign([]Topic{{Name: "T1", Partitions: 2}}, []Member{{ID: "C1-1", Topics: []string{"T1"}}, {ID: "C2-1", Topics: []string{"T1"}}})
	require.Equal(t, Assignment{"C1-1": nil, "C2-1": {{Topic: "T1", Partition: 1}}}, given)
}

func TestACustomAssignorDealsByWeight(t *testing.T) {
	c := Custom{Name: "mine", Weights: map[string]int{"big": 3, "C2": 1}}
	given := c.Assign([]Topic{{Name: "T1", Partitions: 8}}, []Member{
		{ID: "big-1", InstanceID: "big", Topics: []string{"T1"}}, {ID: "C2-1", Topics: []string{"T1"}}, {ID: "C3-1", Topics: []string{"T2"}},
	})
	require.Len(t, given["big-1"], 6)
	require.Len(t, given["C2-1"], 2)
	require.Empty(t, given["C3-1"])
}
