package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"groupscope/core/assign"
	"groupscope/core/kafka"
)

// assignCase is one input for the assignors, as a file of cases writes it.
type assignCase struct {
	Source         string                `json:"source"`
	Assignor       string                `json:"assignor"` // "": all of them
	Topics         map[string]int32      `json:"topics"`   // name: number of partitions
	PartitionRacks map[string][][]string `json:"partition_racks"`
	Members        []caseMember          `json:"members"`
}

type caseMember struct {
	ID         string          `json:"id"`
	InstanceID string          `json:"instance_id"`
	Topics     []string        `json:"topics"`
	Owned      []casePartition `json:"owned"`
	Generation *int32          `json:"generation"` // nil: unknown
	Rack       string          `json:"rack"`
}

// casePartition is written as ["topic", 0].
type casePartition kafka.TopicPartition

var (
	caseKeys   = []string{"source", "assignor", "topics", "partition_racks", "members"}
	memberKeys = []string{"id", "instance_id", "topics", "owned", "generation", "rack"}

	// commentKeys may stand in a case beside its input; they are not read.
	commentKeys = []string{"step", "expect", "expect_after_convergence", "ordered", "origin", "note", "properties",
		"reference_output", "reference_output_after_convergence", "rebalances_needed"}
)

func (p *casePartition) UnmarshalJSON(data []byte) error {
	pair := []any{&p.Topic, &p.Partition}
	if err := json.Unmarshal(data, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf(`%s is not a partition like ["topic", 0]`, data)
	}
	return nil
}

func (p casePartition) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.Topic, p.Partition})
}

// maxCases bounds the input, in bytes, as a device might never end.
const maxCases = 16 << 20

// readCases decodes and checks a list of cases.
func readCases(r io.Reader) ([]assignCase, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCases+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxCases {
		return nil, fmt.Errorf("it has more than %d MiB; expected a JSON list of cases", maxCases>>20)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: expected a JSON list of cases: [{...}, ...]: %w", position(data, err), err)
	}
	cases := make([]assignCase, len(raw))
	var problems []error
	for i, data := range raw {
		found := []error{plain(json.Unmarshal(data, &cases[i]))}
		if found[0] == nil {
			found = slices.Concat(unknownKeys(data), cases[i].problems())
		}
		for _, problem := range found {
			problems = append(problems, fmt.Errorf("case %d (%s): %w", i+1, cases[i].Source, problem))
		}
	}
	return cases, errors.Join(problems...)
}

// plain words a value of the wrong type without the names of Go.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	expected := map[reflect.Kind]string{
		reflect.Int32: "a whole number", reflect.String: "a text", reflect.Slice: "a list [...]", reflect.Map: "an object {...}",
		reflect.Struct: "an object {...}",
	}[wrong.Type.Kind()]
	return fmt.Errorf("%s is a JSON %s; expected %s", cmp.Or(wrong.Field, "it"), wrong.Value, expected)
}

// position says in which line and column JSON stopped making sense.
func position(data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return "line 1"
	}
	before := data[:syntax.Offset]
	return fmt.Sprintf("line %d column %d", bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')-1)
}

// unknownKeys finds keys of a case and of its members that mean nothing here.
func unknownKeys(data []byte) []error {
	var fields map[string]json.RawMessage
	var members []map[string]json.RawMessage
	json.Unmarshal(data, &fields) // it was decoded before, so it cannot fail
	json.Unmarshal(fields["members"], &members)
	problems := unknown("", slices.Collect(maps.Keys(fields)), slices.Concat(caseKeys, commentKeys))
	for i, m := range members {
		problems = append(problems, unknown(fmt.Sprintf("members[%d]: ", i), slices.Collect(maps.Keys(m)), memberKeys)...)
	}
	return problems
}

func unknown(where string, names, known []string) []error {
	var problems []error
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(known, name) {
			problems = append(problems, fmt.Errorf("%sunknown key %q%s", where, name, meant(name, known)))
		}
	}
	return problems
}

// meant suggests a known name for an unknown one.
func meant(name string, known []string) string {
	if near := kafka.Suggest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known are " + strings.Join(known, ", ")
}

// problems checks what a case says.
func (c assignCase) problems() []error {
	var problems []error
	complain := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if _, ok := assign.ByName(c.Assignor); !ok && c.Assignor != "" {
		complain("unknown assignor %q%s", c.Assignor, meant(c.Assignor, assign.Names()))
	}
	topics := slices.Sorted(maps.Keys(c.Topics))
	for _, t := range topics {
		if c.Topics[t] < 0 {
			complain("topic %q has %d partitions; expected a number of at least 0", t, c.Topics[t])
		}
	}
	for _, t := range slices.Sorted(maps.Keys(c.PartitionRacks)) {
		if n, ok := c.Topics[t]; !ok {
			complain("partition_racks: unknown topic %q%s", t, meant(t, topics))
		} else if len(c.PartitionRacks[t]) != int(n) {
			complain("partition_racks: topic %q has %d partitions but racks of %d", t, n, len(c.PartitionRacks[t]))
		}
	}
	seen := map[string]bool{}
	for i, m := range c.Members {
		if m.ID == "" {
			complain("members[%d] has no id", i)
		} else if seen[m.ID] {
			complain("members[%d]: there is another member %q", i, m.ID)
		}
		seen[m.ID] = true
	}
	return problems
}

// input turns a case into the assignors' input.
func (c assignCase) input() ([]assign.Topic, []assign.Member) {
	var topics []assign.Topic
	for _, name := range slices.Sorted(maps.Keys(c.Topics)) {
		topics = append(topics, assign.Topic{Name: name, Partitions: c.Topics[name], Racks: c.PartitionRacks[name]})
	}
	var members []assign.Member
	for _, m := range c.Members {
		generation := kafka.NoGeneration
		if m.Generation != nil {
			generation = *m.Generation
		}
		var owned []kafka.TopicPartition
		for _, tp := range m.Owned {
			owned = append(owned, kafka.TopicPartition(tp))
		}
		members = append(members, assign.Member{
			ID: m.ID, InstanceID: m.InstanceID, Topics: m.Topics, Owned: owned, Generation: generation, Rack: m.Rack,
		})
	}
	return topics, members
}

// run lets the case's assignor work.
func (c assignCase) run() assign.Assignment {
	a, _ := assign.ByName(c.Assignor)
	return a.Assign(c.input())
}

// caseResult is what is written for a case.
type caseResult struct {
	Source     string                     `json:"source"`
	Assignment map[string][]casePartition `json:"assignment"`
}

func writeAssignments(w io.Writer, cases []assignCase) error {
	results := make([]caseResult, len(cases))
	for i, c := range cases {
		results[i] = caseResult{c.Source, map[string][]casePartition{}}
		for member, partitions := range c.run() {
			list := make([]casePartition, len(partitions))
			for j, tp := range partitions {
				list[j] = casePartition(tp)
			}
			results[i].Assignment[member] = list
		}
	}
	text, err := json.Marshal(results)
	if err != nil {
		return err
	}
	_, err = w.Write(append(bytes.ReplaceAll(text, []byte(`},{"source"`), []byte("},\n{\"source\"")), '\n'))
	return err
}
