package client

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// variables are what a program keeps for itself.
type variables struct {
	count   int64
	tracked []kafka.CommitOffset // sorted by partition; replaced, never changed
	kept    kept
}

// view shows the variables that have come into use.
func (v *variables) view() []view.Local {
	var out []view.Local
	if v.count > 0 {
		out = append(out, view.Local{Name: "count", Value: strconv.FormatInt(v.count, 10)})
	}
	if len(v.tracked) > 0 {
		offsets := make([]string, len(v.tracked))
		for i := range v.tracked {
			offsets[i] = fmt.Sprintf("%v: %d", v.tracked[i].TopicPartition, v.tracked[i].Offset)
		}
		out = append(out, view.Local{Name: "offsets", Value: strings.Join(offsets, ", ")})
	}
	return append(out, v.kept.view()...)
}

// changeVariables carries out an instruction that touches nothing but the program's variables.
func (t *turn) changeVariables(at *instruction) {
	switch at.Do {
	case Count:
		t.vars.count++
	case Untrack:
		t.vars.tracked = nil
	case Track:
		if tp, record, ok := t.batch.current(); ok {
			t.vars.tracked = put(t.vars.tracked, tp, record.Offset+at.Offset)
		}
	case CountKey:
		if tp, record, ok := t.batch.current(); ok {
			t.vars.kept.countKey(tp, keyName(record))
		}
	case Buffer:
		if tp, record, ok := t.batch.current(); ok {
			t.vars.kept.buffer = append(slices.Clip(t.vars.kept.buffer), bufferedRecord{tp, record.Offset})
		}
	}
}

// put is the offsets with one more, or one changed, in a fresh slice.
func put(offsets []kafka.CommitOffset, tp kafka.TopicPartition, offset int64) []kafka.CommitOffset {
	entry := kafka.CommitOffset{TopicPartition: tp, OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: offset}}
	i, found := slices.BinarySearchFunc(offsets, tp, func(o kafka.CommitOffset, tp kafka.TopicPartition) int { return o.Compare(tp) })
	if found {
		offsets = slices.Clone(offsets)
		offsets[i] = entry
		return offsets
	}
	return slices.Insert(slices.Clone(offsets), i, entry)
}

// offsetsOf is what a commit is of.
func (t *turn) offsetsOf(from Offsets) []kafka.CommitOffset {
	if from == Tracked {
		return t.vars.tracked
	}
	return t.allConsumed()
}

// holds evaluates the test of an If.
func (t *turn) holds(f *call, at *instruction) bool {
	switch at.Test {
	case EveryNth:
		return at.Every > 0 && t.vars.count%at.Every == 0
	case CommitFailed:
		return f.commit != nil && f.commit.exception != ""
	case CommitRetriable:
		return f.commit != nil && f.commit.exception == retriableCommitException
	case CommitNewest:
		return f.commit != nil && f.commit.sequence == t.commits.sequence
	case CommitHighest:
		return f.commit != nil && !slices.ContainsFunc(f.commit.offsets, func(o kafka.CommitOffset) bool {
			return slices.ContainsFunc(t.commits.highest, func(h kafka.CommitOffset) bool {
				return h.TopicPartition == o.TopicPartition && h.Offset > o.Offset
			})
		})
	}
	return false
}
