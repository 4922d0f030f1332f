package stage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// appended is the fact that a record went to a partition of __consumer_offsets.
func appended(partition int32, offset int64, group, text string) *view.Fact {
	return &view.Fact{
		Kind: view.OffsetsAppended, Group: group, Partition: kafka.TopicPartition{Topic: kafka.OffsetsTopic, Partition: partition}, From: offset, Text: text,
	}
}

// madeOffsets draws a log with two groups: one commits on and on, the other one's offset has expired.
func madeOffsets(s Session) *scene.Scene {
	f := madeFrame(3, 4)
	f.OffsetsPartitions = 50
	f.Groups = append(f.Groups, view.Group{ID: "G2", OffsetsPartition: 1})
	in := madeInput(f, s)
	in.track.noteOffsets(0, appended(0, 0, "G1", "group G1: generation 41, range, leader C1-1, C1-1 [T1-0 T1-3], C2-1 [T1-1], C3-1 [T1-2]"))
	in.track.noteOffsets(0, appended(1, 0, "G2", "offset G2 T1-0: 90"))
	for i := range int64(30) {
		in.track.noteOffsets(0, appended(0, 1+i, "G1", fmt.Sprintf("offset G1 T1-%d: %d", i%4, 70+i)))
	}
	in.track.noteOffsets(1, appended(1, 1, "G2", "offset G2 T1-0: (deleted)"))
	return sceneOf(in)
}

func TestCompactionKeepsTheLastRecordOfEachKey(t *testing.T) {
	tr := &track{}
	tr.noteOffsets(1, appended(3, 0, "G", "group G: generation 1, no members"))
	tr.noteOffsets(2, appended(3, 1, "G", "offset G T1-10: 4"))
	tr.noteOffsets(2, appended(3, 2, "G", "offset G T1-2: 5"))
	tr.noteOffsets(4, appended(3, 3, "G", "offset G T1-2: 8"))
	tr.noteOffsets(6, appended(3, 4, "G", "offset G T1-10: (deleted)"))
	kept := func(event int) []string {
		l := newOffsetLog(tr, event)
		var out []string
		for _, i := range l.kept {
			out = append(out, l.records[i].key.text()+" = "+l.records[i].value)
		}
		return out
	}
	require.Equal(t, []string{"G = generation 1, no members"}, kept(1))
	require.Equal(t, []string{"G = generation 1, no members", "G · T1-2 = 5", "G · T1-10 = 4"}, kept(3))
	require.Equal(t, []string{"G = generation 1, no members", "G · T1-2 = 8"}, kept(6), "a tombstone takes its key away")
	require.Len(t, newOffsetLog(tr, 6).records, 5)
}

func TestKeysOfGroupsWithOddNamesAreRead(t *testing.T) {
	tr := &track{}
	tr.noteOffsets(1, appended(0, 0, "a: b", "offset a: b T1-0: 7"))
	tr.noteOffsets(1, appended(0, 1, "offset x", "group offset x: (deleted)"))
	require.Equal(t, offsetKey{"a: b", "T1-0"}, tr.offsets[0].key)
	require.Equal(t, "7", tr.offsets[0].value)
	require.Equal(t, offsetKey{"offset x", ""}, tr.offsets[1].key)
	require.True(t, tr.offsets[1].tombstone())
}

func TestRecordsThatANewLeaderHasNotAreCutOff(t *testing.T) {
	tr := &track{}
	for i := range int64(4) {
		tr.noteOffsets(int(i)+1, appended(0, i, "G", fmt.Sprintf("offset G T1-0: %d", i)))
	}
	tr.noteOffsets(4, appended(1, 2, "H", "offset H T1-0: 9"))
	tr.noteOffsets(9, appended(0, 2, "G", "offset G T1-0: 50"))
	require.Len(t, newOffsetLog(tr, 8).records, 5)
	after := newOffsetLog(tr, 9)
	require.Len(t, after.records, 4)
	require.Equal(t, []string{"0 @ 0", "0 @ 1", "1 @ 2", "0 @ 2"}, places(after))
}

func places(l *offsetLog) []string {
	var out []string
	for i := range l.records {
		out = append(out, placeText(&l.records[i]))
	}
	return out
}

func TestARecordLeadsToTheEventThatWroteIt(t *testing.T) {
	s := New(played(t, "second-group"), Session{View: "offsets"})
	act(s, Last, "", 0)
	var last *scene.Shape
	scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
		if strings.HasPrefix(sh.ID, "offsets:") {
			last = sh
		}
		return true
	})
	require.NotNil(t, last)
	s.Do(last.Action)
	entry := s.run.History.Entry(s.session.Event)
	require.Contains(t, fmt.Sprint(entry.Facts), "offset G")
	require.Less(t, s.session.Event, s.run.History.Len())
}

func TestTheHashOfAGroupIsTold(t *testing.T) {
	s := New(played(t, "second-group"), Session{View: "offsets"})
	act(s, Last, "", 0)
	var texts []string
	scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
		texts = append(texts, sh.Text)
		return true
	})
	require.Contains(t, texts, "hash(“G1”) = 2250; absolute value mod 50 → 0: __consumer_offsets-0, led by B1")
}

func TestALogOfManyOffsetsIsDrawnInPart(t *testing.T) {
	in := madeInput(madeFrame(3, 4), Session{View: "offsets"})
	for i := range int64(20000) {
		in.track.noteOffsets(1, appended(0, i, "G1", fmt.Sprintf("offset G1 T1-%d: %d", i%4, i)))
	}
	rows := 0
	scene.Walk(sceneOf(in), func(sh *scene.Shape) bool {
		if strings.HasPrefix(sh.ID, "offsets:") {
			rows++
		}
		return true
	})
	require.Positive(t, rows)
	require.Less(t, rows, 60)
}
