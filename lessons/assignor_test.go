package lessons

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/assign"
	"groupscope/core/kafka"
)

const withAssignors = `format: 1
until: 10s
brokers: {B1: {}}
topics: {T1: {partitions: 2}}
consumers:
  C1:
    group: G1
    topics: [T1]
    assignors:
      mine: {fixed: {C1: [T1-1]}}
      heavy: {weights: {C1: 3}}
beats:
  start: {}
  end:
    at: 9s
    must:
      - protocol: {group: G1, is: mine}
      - assignment: {consumer: C1, is: [T1-1]}
`

const assignorWords = "title: T\nidea: I\nbeats:\n  start: {title: S, text: S}\n  end: {title: E, text: E}\n"

func TestAConsumerMayHaveAssignorsOfItsOwn(t *testing.T) {
	lesson := load(t, withAssignors, assignorWords)
	require.Equal(t, []assign.Custom{
		{Name: "mine", Fixed: map[string][]kafka.TopicPartition{"C1": {{Topic: "T1", Partition: 1}}}},
		{Name: "heavy", Weights: map[string]int{"C1": 3}},
	}, lesson.Script.Consumers[0].Custom)
	run, err := lesson.Play("")
	require.NoError(t, err)
	require.Empty(t, run.Check())
}
