package broker

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"groupscope/core/kafka"
)

// defaultRecordSize is the size in bytes of a preloaded record when none is given.
const defaultRecordSize = 100

// partitionLog is one replica: a partition's records as this broker has them. Invariant: start <= highWatermark <= end.
type partitionLog struct {
	records       chunked[kafka.Record] // from offset base on
	base          int64                 // what is below has been cut off: a follower began anew above it
	start         int64                 // the lowest offset that can still be read
	highWatermark int64                 // consumers read below it only
	epochs        []epochStart
	segments      []segment // the last one is being written
	limits        segmentLimits
	producers     map[int64]producerState // by producer id
	txns          transactions
	bytes         int64
	lastAppend    time.Duration

	leaderEpoch kafka.Epoch     // in which this broker took up its present role; NoEpoch before it has one
	followers   []followerState // while this broker leads: by id
	altering    []kafka.NodeID  `clone:"shared"` // while the controller is being asked: the in-sync replicas that there will be
	truncating  bool            // while this broker follows: it does not know yet where its log differs from the leader's,
	settling    bool            // and has asked
}

func newLog(limits segmentLimits) *partitionLog {
	return &partitionLog{leaderEpoch: kafka.NoEpoch, limits: limits}
}

func (l *partitionLog) clone() *partitionLog {
	c := *l
	c.records = l.records.clone()
	c.epochs = slices.Clone(l.epochs)
	c.segments = slices.Clone(l.segments)
	c.producers = maps.Clone(l.producers)
	c.txns = l.txns.clone()
	c.followers = slices.Clone(l.followers)
	return &c
}

// end is the offset that the next record will get (LEO).
func (l *partitionLog) end() int64 { return l.base + int64(l.records.len()) }

// at is the record at an offset from start on and below end.
func (l *partitionLog) at(offset int64) *kafka.Record { return l.records.at(int(offset - l.base)) }

// lastStable is the bound for read_committed (LSO): what is below it belongs to no transaction that is still undecided.
func (l *partitionLog) lastStable() int64 { return l.txns.firstUnstable(l.highWatermark) }

// readableEnd is the offset up to which a consumer may read.
func (l *partitionLog) readableEnd(readCommitted bool) int64 {
	if readCommitted {
		return l.lastStable()
	}
	return l.highWatermark
}

// append gives the record the next offset and the leader's epoch, and returns the offset.
func (l *partitionLog) append(now time.Duration, r kafka.Record) int64 {
	r.Epoch = max(0, l.leaderEpoch)
	for i := range l.followers {
		l.followers[i].idle(now, l.end())
	}
	return l.take(now, r)
}

// take puts a record at the end of the log, in the epoch that it has.
func (l *partitionLog) take(now time.Duration, r kafka.Record) int64 {
	r.Offset = l.end()
	l.noteEpoch(r.Epoch, r.Offset)
	l.records.append(r)
	l.addToSegment(&r)
	l.noteProducer(&r)
	l.txns.note(&r)
	l.bytes += int64(r.Size)
	l.lastAppend = now
	return r.Offset
}

// truncate cuts off what lies at an offset and above.
func (l *partitionLog) truncate(offset int64) {
	offset = max(offset, l.start)
	for at := l.end() - 1; at >= offset; at-- {
		l.bytes -= int64(l.at(at).Size)
		l.takeFromSegment(l.at(at))
	}
	if offset < l.end() {
		l.records.truncate(int(offset - l.base))
	}
	l.highWatermark = min(l.highWatermark, offset)
	l.forgetEpochs(offset)
	l.rebuildProducers()
}

// beginAt empties the log, whose next record will have the given offset.
func (l *partitionLog) beginAt(offset int64) {
	l.records = chunked[kafka.Record]{}
	l.base, l.start, l.highWatermark, l.bytes = offset, offset, offset, 0
	l.epochs, l.segments, l.producers, l.txns = nil, nil, nil, transactions{}
}

// rebuildProducers finds out again what follows from the records about their producers.
func (l *partitionLog) rebuildProducers() {
	l.producers, l.txns = nil, transactions{}
	for offset := l.start; offset < l.end(); offset++ {
		l.noteProducer(l.at(offset))
		l.txns.note(l.at(offset))
	}
}

// preload fills a log with records that were made before the run, and that every replica has.
func (l *partitionLog) preload(count, size int) {
	if size == 0 {
		size = defaultRecordSize
	}
	for i := range count {
		l.append(0, kafka.Record{NullKey: true, Value: "record " + strconv.Itoa(i), Size: size})
	}
	l.highWatermark = l.end()
}

// since finds the first record below the bound whose timestamp is not before t; kafka.NoOffset if there is none.
// Timestamps are the producers' and need not rise.
func (l *partitionLog) since(t time.Duration, bound int64) int64 {
	for offset := l.start; offset < bound; offset++ {
		if l.at(offset).Timestamp >= t {
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
		next := l.at(end).Size
		if size+next > maxBytes {
			break
		}
		size += next
	}
	return l.slice(offset, end), size
}

// slice returns the records from an offset up to another. They are not to be changed.
func (l *partitionLog) slice(from, to int64) []kafka.Record {
	return l.records.slice(int(from-l.base), int(to-l.base))
}
