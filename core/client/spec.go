package client

import (
	"time"

	"groupscope/core/assign"
	"groupscope/core/kafka"
)

// ConsumerSpec describes a consumer process: who it is, its settings and the program it runs.
type ConsumerSpec struct {
	ID       kafka.NodeID
	Group    string
	Topics   []string               // it subscribes to these,
	Pattern  string                 // or to all topics whose whole name this regular expression matches,
	Assigned []kafka.TopicPartition // or assigns itself these, outside the group protocol
	Custom   []assign.Custom        // assignors of its own, which it prefers to those of partition.assignment.strategy
	Release  kafka.Release          // zero: the script's
	Start    time.Duration
	Program  Program           // its code; the zero Program stands for AutoCommit(1s, 10ms)
	Store    kafka.NodeID      // the external store it writes to, if any
	Settings map[string]string // group.id and bootstrap.servers are filled in, and client.id if it is absent
}

// ProducerSpec describes a producer that sends records at a steady pace.
type ProducerSpec struct {
	ID       kafka.NodeID
	Topic    string
	Release  kafka.Release // zero: the script's
	Start    time.Duration
	Stop     time.Duration // sends nothing from here on; 0: never stops
	Every    time.Duration // between two records
	Count    int           // stops after so many; 0: no limit
	Keys     []string      // used in turn; none: null keys, dealt to the partitions in turn
	Size     int           // bytes of each record; 0: 100
	Headers  []kafka.Header
	Settings map[string]string

	Unreadable bool // it writes another format than the consumers' deserializer reads

	// With transactional.id set:
	PerTransaction int      // records in each transaction; 0: 1
	Ends           []string // how transactions end, in turn: CommitTransaction, AbortTransaction, HangTransaction; none: commit
}
