// Package kafka is the vocabulary that every other package speaks: topic-partitions, records,
// messages, error codes, configuration keys and features, all under Kafka's own names.
package kafka

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// NodeID names a process or a machine: a broker ("B1"), a consumer ("C1"), a producer ("P1").
type NodeID string

// Controller is the id of the cluster's controller.
const Controller NodeID = "controller"

// OffsetsTopic is the internal topic that holds committed offsets and group metadata.
const OffsetsTopic = "__consumer_offsets"

// TransactionsTopic is the internal topic that holds the state of transactions. It is made when the first transactional producer comes.
const TransactionsTopic = "__transaction_state"

// TopicPartition names one log. Its text form is "T1-0".
type TopicPartition struct {
	Topic     string
	Partition int32
}

func (tp TopicPartition) String() string {
	return tp.Topic + "-" + strconv.Itoa(int(tp.Partition))
}

// ParseTopicPartition reads the text form "T1-0"; the part after the last hyphen is the partition.
func ParseTopicPartition(s string) (TopicPartition, error) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return TopicPartition{}, fmt.Errorf("%q is not a topic-partition like T1-0", s)
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 32)
	if err != nil || n < 0 {
		return TopicPartition{}, fmt.Errorf("%q is not a topic-partition like T1-0", s)
	}
	return TopicPartition{s[:i], int32(n)}, nil
}

// Compare orders by topic name, then by partition number.
func (tp TopicPartition) Compare(other TopicPartition) int {
	if c := cmp.Compare(tp.Topic, other.Topic); c != 0 {
		return c
	}
	return cmp.Compare(tp.Partition, other.Partition)
}

// Header is one name and value carried beside a record.
type Header struct {
	Name  string
	Value string
}

// Record is one entry of a partition's log.
type Record struct {
	Offset    int64
	Timestamp time.Duration // virtual time at which the producer made it
	Key       string
	NullKey   bool
	Value     string
	Headers   []Header
	Size      int    // bytes on the wire and on disk
	Epoch     Epoch  // of the leader that appended it
	Stamp     *Stamp // of its batch; nil if its producer is neither idempotent nor transactional
	Content   any    // of an internal topic: what the record stands for, as its brokers read it; never changed

	Unreadable bool // consumers cannot deserialize it
}

// Stamp is what an idempotent or transactional producer puts on a batch (KIP-98). It never changes.
type Stamp struct {
	ProducerID    int64
	Epoch         int16
	Sequence      int32 // of the batch's first record
	Transactional bool
	Marker        Marker // of a control record
}

// Marker is the end of a transaction that a control record stands for.
type Marker uint8

// The markers; NoMarker is none.
const (
	NoMarker Marker = iota
	AbortMarker
	CommitMarker
)

var markerNames = [...]string{"", "ABORT", "COMMIT"}

func (m Marker) String() string { return markerNames[m] }

// Epoch numbers the leaders of a partition, 0 for the first; NoEpoch if it is not known. Only a change of leaders is worth a
// word: the text of the first epoch, and of none, is empty.
type Epoch int32

// NoEpoch is an epoch that is not known.
const NoEpoch Epoch = -1

func (e Epoch) String() string {
	if e <= 0 {
		return ""
	}
	return strconv.Itoa(int(e))
}

// Generation numbers and offsets that mean "none", as in the protocol.
const (
	NoGeneration int32 = -1
	NoOffset     int64 = -1
)

// GroupPartition returns the partition of __consumer_offsets, out of n, that owns the group: the
// absolute value of Java's String.hashCode of the group id, modulo n.
//
// Source: coordinator.md section 12; GroupMetadataManager.partitionFor (Utils.abs, not a bit mask).
func GroupPartition(group string, n int32) int32 {
	h := JavaHash(group)
	if h == -1<<31 {
		h = 0
	}
	if h < 0 {
		h = -h
	}
	return h % n
}

// JavaHash is java.lang.String.hashCode: over UTF-16 code units, in 32-bit wrap-around arithmetic.
func JavaHash(s string) int32 {
	var h int32
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + (0xD800 + r>>10)
			h = 31*h + (0xDC00 + r&0x3FF)
			continue
		}
		h = 31*h + r
	}
	return h
}
