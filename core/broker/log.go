package broker

import (
	"strconv"
	"time"

	"groupscope/core/kafka"
)

// defaultRecordSize is the size in bytes of a preloaded record when none is given.
const defaultRecordSize = 100

// partitionLog is one partition's records as this broker has them. Invariant: start <= highWatermark <= end.
type partitionLog struct {
	records       chunked[kafka.Record] // from offset 0
	stored        chunked[stored]       // of __consumer_offsets alone: what each record stands for
	start         int64                 // the lowest offset that can still be read
	highWatermark int64                 // consumers read below it only
	bytes         int64
	lastAppend    time.Duration
}

func (l *partitionLog) clone() *partitionLog {
	c := *l
	c.records, c.stored = l.records.clone(), l.stored.clone()
	return &c
}

// end is the offset that the next record will get (LEO).
func (l *partitionLog) end() int64 { return int64(l.records.len()) }

// lastStable is the bound for read_committed (LSO). There are no transactions, so nothing holds it back.
func (l *partitionLog) lastStable() int64 { return l.highWatermark }

// readableEnd is the offset up to which a consumer may read.
func (l *partitionLog) readableEnd(readCommitted bool) int64 {
	if readCommitted {
		return l.lastStable()
	}
	return l.highWatermark
}

// append gives the record the next offset and returns it.
func (l *partitionLog) append(now time.Duration, r kafka.Record) int64 {
	r.Offset = l.end()
	l.records.append(r)
	l.bytes += int64(r.Size)
	l.lastAppend = now
	return r.Offset
}

// advanceHighWatermark moves it up to what every in-sync replica has. The leader's is the only replica, so that is the
// end of its own log. It never moves back.
func (l *partitionLog) advanceHighWatermark() {
	l.highWatermark = max(l.highWatermark, l.end())
}

// preload fills a log with records that were made before the run.
func (l *partitionLog) preload(count, size int) {
	if size == 0 {
		size = defaultRecordSize
	}
	for i := range count {
		l.append(0, kafka.Record{NullKey: true, Value: "record " + strconv.Itoa(i), Size: size})
	}
	l.advanceHighWatermark()
}

// since finds the first record below the bound whose timestamp is not before t; kafka.NoOffset if there is none.
// Timestamps are the producers' and need not rise.
func (l *partitionLog) since(t time.Duration, bound int64) int64 {
	for offset := l.start; offset < bound; offset++ {
		if l.records.at(int(offset)).Timestamp >= t {
			return offset
		}
	}
	return kafka.NoOffset
}

// read returns the records from offset on that lie below bound and fit into maxBytes, and their size. Each record counts
// as a batch of its own.
func (l *partitionLog) read(offset, bound int64, maxBytes int) (records []kafka.Record, size int) {
	end := offset
	for ; end < bound; end++ {
		next := l.records.at(int(end)).Size
		if size+next > maxBytes {
			break
		}
		size += next
	}
	return l.records.slice(int(offset), int(end)), size
}
