package stage

import (
	"sort"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// offsetRecord is one record of __consumer_offsets, as the broker that appended it tells it.
type offsetRecord struct {
	event  int // in which it was appended
	place  kafka.TopicPartition
	offset int64
	key    offsetKey
	value  string
	cut    int // the event in which another record took its place, after a change of leader; 0 for none
}

// offsetKey is a record's key: a group and a partition, or a group alone for what is kept of the group itself.
type offsetKey struct {
	group     string
	partition string
}

// tombstone reports whether a record says that its key is gone.
func (r *offsetRecord) tombstone() bool { return r.value == "(deleted)" }

// noteOffsets takes up a record that went to __consumer_offsets. One at an offset that was taken already tells
// that a new leader had not got the old one: that, and what followed it, is no longer in the log.
func (t *track) noteOffsets(event int, f *view.Fact) {
	r := offsetRecord{event: event, place: f.Partition, offset: f.From, key: offsetKey{group: f.Group}}
	text, found := strings.CutPrefix(f.Text, "offset "+f.Group+" ")
	if found {
		r.key.partition, r.value, _ = strings.Cut(text, ": ")
	} else {
		r.value = strings.TrimPrefix(f.Text, "group "+f.Group+": ")
	}
	for i := len(t.offsets) - 1; i >= 0; i-- {
		old := &t.offsets[i]
		if old.place != r.place || old.cut > 0 {
			continue
		}
		if old.offset < r.offset {
			break
		}
		old.cut = event
	}
	t.offsets = append(t.offsets, r)
}

// offsetLog is __consumer_offsets at an event: its records in the order of writing, and the last one of each key.
type offsetLog struct {
	records []offsetRecord
	latest  map[offsetKey]int // index of the last record of a key
	kept    []int             // the last record of each key that is no tombstone, by group and partition
}

// newOffsetLog reads the log as it is after an event.
func newOffsetLog(t *track, event int) *offsetLog {
	n := sort.Search(len(t.offsets), func(i int) bool { return t.offsets[i].event > event })
	l := &offsetLog{latest: map[offsetKey]int{}}
	for _, r := range t.offsets[:n] {
		if r.cut == 0 || r.cut > event {
			l.records = append(l.records, r)
		}
	}
	for i := range l.records {
		l.latest[l.records[i].key] = i
	}
	for _, i := range l.latest {
		if !l.records[i].tombstone() {
			l.kept = append(l.kept, i)
		}
	}
	sort.Slice(l.kept, func(i, j int) bool { return l.records[l.kept[i]].key.before(l.records[l.kept[j]].key) })
	return l
}

// before orders keys: by group, what is kept of the group itself before its offsets, those by partition.
func (k offsetKey) before(o offsetKey) bool {
	if k.group != o.group {
		return k.group < o.group
	}
	a, err1 := kafka.ParseTopicPartition(k.partition)
	b, err2 := kafka.ParseTopicPartition(o.partition)
	if err1 != nil || err2 != nil || a.Topic != b.Topic {
		return k.partition < o.partition
	}
	return a.Partition < b.Partition
}
