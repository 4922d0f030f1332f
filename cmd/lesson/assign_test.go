package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func runAssign(t *testing.T, input string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := assignPartitions(nil, strings.NewReader(input), &out)
	return out.String(), err
}

func TestAssignAnswersCasesWithAnAssignorInTheirOrder(t *testing.T) {
	out, err := runAssign(t, `[
		{"source": "b", "assignor": "range", "topics": {"T1": 4, "T2": 0}, "members": [{"id": "C1", "topics": ["T1"]}, {"id": "C2", "topics": ["T1"]}]},
		{"source": "a", "assignor": "roundrobin", "topics": {"T1": 3}, "members": [{"id": "C1", "topics": ["T1"]}, {"id": "C2", "topics": []}], "expect": {}}
	]`)
	require.NoError(t, err)
	require.Equal(t, `[{"source":"b","assignment":{"C1":[["T1",0],["T1",1]],"C2":[["T1",2],["T1",3]]}},
{"source":"a","assignment":{"C1":[["T1",0],["T1",1],["T1",2]],"C2":[]}}]
`, out)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestAssignRefusesInputWithoutEnd(t *testing.T) {
	err := assignPartitions(nil, endless{}, io.Discard)
	require.ErrorContains(t, err, "more than 16 MiB")
}

func TestAssignShowsAllAssignorsWhereNoneIsNamed(t *testing.T) {
	out, err := runAssign(t, `[{"source": "two topics", "topics": {"T1": 5, "T2": 1}, "members": [
		{"id": "C1", "topics": ["T1", "T2"], "owned": [["T1", 0], ["T1", 1], ["T1", 2]], "generation": 3},
		{"id": "C2", "topics": ["T1"]}, {"id": "C3", "topics": ["T2"], "rack": "r1"}]},
		{"topics": {"T1": 2}, "assignor": "sticky", "members": [{"id": "C1", "topics": ["T1"]}]}]`)
	require.NoError(t, err)
	require.Equal(t, `two topics
member        range         roundrobin   sticky   cooperative-sticky
C1            T1:0-2 T2:0   T1:0,2,4     T1:0-2   T1:0-2
C2            T1:3-4        T1:1,3       T1:3-4   T1:3-4
C3            -             T2:0         T2:0     T2:0
(each)        0 to 4        1 to 3       1 to 3   1 to 3
(kept of 3)   3             2            3        3

member   sticky
C1       T1:0-1
(each)   2
`, out)
}

func TestAssignGivesWhatKafkaGives(t *testing.T) {
	path := filepath.Join("..", "..", "core", "assign", "testdata", "assignor-cases.json")
	var out strings.Builder
	require.NoError(t, assignPartitions([]string{path}, nil, &out))
	var got []caseResult
	require.NoError(t, json.Unmarshal([]byte(out.String()), &got))

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var want []struct {
		Source    string                     `json:"source"`
		Reference map[string][]casePartition `json:"reference_output"`
	}
	require.NoError(t, json.Unmarshal(data, &want))
	require.Len(t, got, len(want))
	for i, c := range want {
		require.Equal(t, c.Source, got[i].Source)
		for member, partitions := range c.Reference {
			require.ElementsMatch(t, partitions, got[i].Assignment[member], "%s: %s", c.Source, member)
		}
	}
}

func TestAssignReportsAllThatIsWrongWithTheCases(t *testing.T) {
	_, err := runAssign(t, `[
		{"source": "s1", "assignor": "rang", "topics": {"T1": -1}, "members": [{"id": "C1", "topic": ["T1"]}, {"id": "C1"}, {}]},
		{"source": "s2", "asignor": "range", "topics": {"T1": 2}, "partition_racks": {"T1": [["a"]], "T2": []}, "members": []},
		{"source": "s3", "members": [{"id": "C1", "owned": [["T1"]]}]},
		{"source": "s4", "topics": {"T1": "4"}},
		{"source": "s5", "members": {}},
		17
	]`)
	require.EqualError(t, err, strings.TrimSpace(`
case 1 (s1): members[0]: unknown key "topic"; did you mean "topics"?
case 1 (s1): unknown assignor "rang"; did you mean "range"?
case 1 (s1): topic "T1" has -1 partitions; expected a number of at least 0
case 1 (s1): members[1]: there is another member "C1"
case 1 (s1): members[2] has no id
case 2 (s2): unknown key "asignor"; did you mean "assignor"?
case 2 (s2): partition_racks: topic "T1" has 2 partitions but racks of 1
case 2 (s2): partition_racks: unknown topic "T2"; did you mean "T1"?
case 3 (s3): ["T1"] is not a partition like ["topic", 0]
case 4 (s4): topics is a JSON string; expected a whole number
case 5 (s5): members is a JSON object; expected a list [...]
case 6 (): it is a JSON number; expected an object {...}`))
}

func TestAssignSaysWhereJSONStopsMakingSense(t *testing.T) {
	_, err := runAssign(t, "[\n  {\"source\": oops}]")
	require.ErrorContains(t, err, "line 2 column 14: expected a JSON list of cases: [{...}, ...]")
	_, err = runAssign(t, `{"source": "not a list"}`)
	require.ErrorContains(t, err, "line 1: expected a JSON list of cases: [{...}, ...]")
	require.ErrorContains(t, assignPartitions([]string{"no-such-file.json"}, nil, nil), "no-such-file.json")
}
