package client

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// kept is what a program keeps about the records of its partitions. It is in memory: a process that dies takes it along, and another
// owner begins with nothing. The slices are replaced, never changed.
type kept struct {
	counts []keyCount             // by partition, then key
	warm   []kafka.TopicPartition // whose part of the cache is filled
	buffer []bufferedRecord       // in the order of their coming
}

// keyCount counts the records of a key.
type keyCount struct {
	kafka.TopicPartition
	key   string
	count int64
}

// bufferedRecord is one that poll returned and the program will process later.
type bufferedRecord struct {
	kafka.TopicPartition
	offset int64
}

// keyName is what the program calls a record's key.
func keyName(r *kafka.Record) string {
	if r.NullKey {
		return "null"
	}
	return r.Key
}

func (k *kept) countKey(tp kafka.TopicPartition, key string) {
	k.counts = slices.Clone(k.counts)
	i, found := slices.BinarySearchFunc(k.counts, keyCount{tp, key, 0}, func(a, b keyCount) int {
		if order := a.Compare(b.TopicPartition); order != 0 {
			return order
		}
		return strings.Compare(a.key, b.key)
	})
	if !found {
		k.counts = slices.Insert(k.counts, i, keyCount{tp, key, 0})
	}
	k.counts[i].count++
}

// drop forgets everything about some partitions.
func (k *kept) drop(parts []kafka.TopicPartition) {
	gone := func(tp kafka.TopicPartition) bool { return slices.Contains(parts, tp) }
	k.counts = slices.DeleteFunc(slices.Clone(k.counts), func(c keyCount) bool { return gone(c.TopicPartition) })
	k.warm = slices.DeleteFunc(slices.Clone(k.warm), gone)
	k.buffer = slices.DeleteFunc(slices.Clone(k.buffer), func(b bufferedRecord) bool { return gone(b.TopicPartition) })
}

// view shows what has come into use: the counters, the partitions in the cache, and how many records the buffer holds of each.
func (k *kept) view() []view.Local {
	var counts, cache, buffer []string
	for _, c := range k.counts {
		counts = append(counts, fmt.Sprintf("%v %s: %d", c.TopicPartition, c.key, c.count))
	}
	for _, tp := range k.warm {
		cache = append(cache, tp.String())
	}
	var sizes kept
	for _, b := range k.buffer {
		sizes.countKey(b.TopicPartition, "")
	}
	for _, c := range sizes.counts {
		buffer = append(buffer, fmt.Sprintf("%v: %d", c.TopicPartition, c.count))
	}
	var out []view.Local
	for _, l := range []struct {
		name   string
		values []string
	}{{"counts", counts}, {"cache", cache}, {"buffer", buffer}} {
		if len(l.values) > 0 {
			out = append(out, view.Local{Name: l.name, Value: strings.Join(l.values, ", ")})
		}
	}
	return out
}

// warm keeps the thread busy with the cache if the partition of the record at hand is not in it.
func (t *turn) warm(f *call, takes time.Duration) verdict {
	k := &t.vars.kept
	tp, _, ok := t.batch.current()
	if !ok || slices.Contains(k.warm, tp) {
		f.pc++
		return again
	}
	v := t.sleep(f, takes)
	if v == again {
		k.warm = append(slices.Clip(k.warm), tp)
	}
	return v
}

// flush processes what is in the buffer, all of it at once.
func (t *turn) flush(f *call, takes time.Duration) verdict {
	k := &t.vars.kept
	if len(k.buffer) == 0 {
		f.pc++
		return again
	}
	if f.deadline == 0 {
		t.factEach(view.ProcessingStarted, k.buffer)
	}
	v := t.sleep(f, takes)
	if v == again {
		t.factEach(view.Processed, k.buffer)
		k.buffer = nil
	}
	return v
}

func (t *turn) factEach(kind view.FactKind, records []bufferedRecord) {
	for _, r := range records {
		t.fact(view.Fact{Kind: kind, Partition: r.TopicPartition, From: r.offset})
	}
}

// closeHandles gives up what is kept about the partitions that a rebalance callback is told of; outside one, about all.
func (t *turn) closeHandles(f *call, takes time.Duration) verdict {
	v := t.sleep(f, takes)
	switch {
	case v != again:
	case f.proc == procListener:
		t.vars.kept.drop(f.parts)
	default:
		t.vars.kept = kept{}
	}
	return v
}
