package assign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

func TestAssignorsAreFoundByTheirProtocolNames(t *testing.T) {
	require.Equal(t, []string{"range", "roundrobin", "sticky", "cooperative-sticky"}, Names())
	for i, name := range Names() {
		a, ok := ByName(name)
		require.True(t, ok)
		require.Equal(t, Assignor(i), a)
		require.Equal(t, name, a.Name())
		require.Equal(t, name == "cooperative-sticky", a.Cooperative())
	}
	_, ok := ByName("uniform")
	require.False(t, ok)
}

func TestAGroupWithoutMembersHasAnEmptyAssignment(t *testing.T) {
	for _, name := range Names() {
		a, _ := ByName(name)
		require.Empty(t, a.Assign([]Topic{{Name: "T1", Partitions: 4}}, nil))
	}
}

func TestMembersWithoutTopicsGetNothing(t *testing.T) {
	topics := []Topic{{Name: "T1", Partitions: 2}}
	members := []Member{{ID: "a"}, {ID: "b", Topics: []string{"T1", "unknown"}}}
	for _, name := range Names() {
		a, _ := ByName(name)
		got := a.Assign(topics, members)
		require.Empty(t, got["a"], name)
		require.Equal(t, []kafka.TopicPartition{{Topic: "T1", Partition: 0}, {Topic: "T1", Partition: 1}}, got["b"], name)
	}
}

func TestPartitionsThatNoLongerExistAreNotKept(t *testing.T) {
	owned := []kafka.TopicPartition{{Topic: "T1", Partition: 7}, {Topic: "gone", Partition: 0}, {Topic: "T1", Partition: 0}}
	got := Sticky.Assign([]Topic{{Name: "T1", Partitions: 1}}, []Member{{ID: "a", Topics: []string{"T1"}, Owned: owned}})
	require.Equal(t, Assignment{"a": {{Topic: "T1", Partition: 0}}}, got)
}

// Kafka 3.9 gives a partition back to its former owner without asking whether that one still subscribes to the topic; here
// it goes to a subscriber.
func TestAFormerOwnerThatNoLongerSubscribesIsNotChosen(t *testing.T) {
	topics := []Topic{{Name: "t11", Partitions: 1}, {Name: "t29", Partitions: 3}, {Name: "t46", Partitions: 6}, {Name: "t47", Partitions: 1}}
	all := []string{"t47", "t11", "t29", "t46"}
	tp := func(topic string, p int32) kafka.TopicPartition {
		return kafka.TopicPartition{Topic: topic, Partition: p}
	}
	members := []Member{
		{ID: "c171-52", Topics: []string{"t29"}, Owned: []kafka.TopicPartition{tp("t47", 0), tp("t46", 0), tp("t29", 1)}, Generation: 3},
		{ID: "c76", Topics: all, Generation: 5},
		{ID: "c4-25", Topics: all, Owned: []kafka.TopicPartition{tp("t29", 1)}, Generation: 5},
		{ID: "c62-5", Topics: all, Generation: 5},
		{ID: "c159-49", Topics: all, Owned: []kafka.TopicPartition{tp("t11", 0), tp("t47", 0), tp("t46", 0), tp("t29", 0)}, Generation: 5},
		{ID: "c63", Topics: all, Generation: kafka.NoGeneration},
	}
	requireComplete(t, topics, members, Sticky.Assign(topics, members))
}

func TestRacksAreHeededOnlyWhereTheyMakeADifference(t *testing.T) {
	for _, c := range []struct {
		name       string
		members    []string
		partitions [][]string
		want       bool
	}{
		{"nobody has a rack", []string{"", ""}, [][]string{{"a"}, {"b"}}, false},
		{"racks of the partitions unknown", []string{"a"}, nil, false},
		{"no rack in common", []string{"c"}, [][]string{{"a"}, {"b"}}, false},
		{"every partition is in every rack", []string{"a"}, [][]string{{"a", "b"}, {"b", "a"}}, false},
		{"some partitions are elsewhere", []string{"a"}, [][]string{{"a"}, {"b"}}, true},
	} {
		require.Equal(t, c.want, racksMatter(c.members, c.partitions), c.name)
	}
}
