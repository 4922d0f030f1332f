// Package view is what can be seen of a world, as plain data: the trace, entry by entry, and the frame, which is
// everything visible after one event. It knows nothing of how a world works, so any source can fill it.
package view

import (
	"time"

	"groupscope/core/kafka"
)

// Entry is one event of a trace: one step of the world.
type Entry struct {
	Event   int // 1 for the first event
	Cause   int // the event that led to this one; 0 for the script itself
	At      time.Duration
	Node    kafka.NodeID // the node that acted
	Kind    EntryKind
	Message *kafka.Message  // what was received; nil for other kinds
	Peer    kafka.NodeID    // the other end of a lost connection
	Timer   string          // the key of the timer that fired
	Command string          // the text form of the command, such as "crash C2"
	Sent    []kafka.Message // what the node sent in this step
	Facts   []Fact          // what the node did in this step, in order
}

// EntryKind is what set a step off.
type EntryKind uint8

// The kinds of entries.
const (
	Commanded  EntryKind = iota // somebody outside changed the world
	Received                    // a message arrived
	Fired                       // a timer ran out
	Disconnect                  // a connection was lost
)

var entryKindNames = [...]string{"command", "receive", "timer", "disconnect"}

func (k EntryKind) String() string { return entryKindNames[k] }

// Fact is one thing a node did that no message says by itself: a state entered, a record processed, a
// callback run. Which fields are set depends on Kind, as its comment says.
type Fact struct {
	Kind       FactKind
	Node       kafka.NodeID
	Group      string
	Member     string
	Partition  kafka.TopicPartition
	From, To   int64
	Count      int64
	Error      kafka.ErrorCode
	Text       string
	Partitions []kafka.TopicPartition
}

// FactKind says what happened.
type FactKind uint8

// The kinds of facts, with the fields each one sets beside Node and, in a group, Group.
const (
	GroupState         FactKind = iota // the coordinator entered a state. Text: state; To: generation; Member: the reason's member
	MemberAdded                        // Member
	MemberRemoved                      // Member; Text: why (leave, session expired, rebalance timeout, ...)
	MemberPending                      // Member: id handed out with MEMBER_ID_REQUIRED
	LeaderElected                      // Member
	ProtocolChosen                     // Text: assignor
	OffsetsAppended                    // Text: what record went to __consumer_offsets; Partition, From: its place
	Appended                           // broker: Partition, From..To (exclusive) appended to a log
	OffsetCommitted                    // broker: Group, Partition, To: the committed offset; Member
	CoordinatorFound                   // client: Text: the broker
	CoordinatorLost                    // client: Text: the broker
	JoinStateChanged                   // client: Text: state; To: generation
	Assigned                           // client: Partitions now owned (all)
	CallbackStarted                    // client: Text: onPartitionsRevoked, -Assigned or -Lost; Partitions
	CallbackEnded                      // client: Text
	PartitionsComputed                 // client, as leader: Text: assignor; To: number of members
	PositionSet                        // client: Partition; To: offset; Text: committed, earliest, latest, ...
	RecordsBuffered                    // client: Partition, From..To put in the buffer
	RecordsReturned                    // client: Partition, From..To handed to the program by poll; Count: of records, as not every offset has one
	ProcessingStarted                  // client: Partition, From: offset
	Processed                          // client: Partition, From: offset
	PollCalled                         // client
	PollReturned                       // client: To: number of records
	CommitStarted                      // client: Text: auto, sync, async; Partition, To for each partition, one fact each
	CommitFinished                     // client: Text: auto, sync, async; Error
	ErrorSeen                          // client: Error; Text: the request it answered
	ExceptionThrown                    // client: Text: the exception's class
	LineEntered                        // client: From: line of the listing; Text: procedure
	PollTimerExpired                   // client: max.poll.interval.ms ran out
	SessionLapsed                      // client: no successful heartbeat for session.timeout.ms
	NodeStarted                        // any node
	NodeClosed                         // a client closed itself
	NodeCrashed                        // any node
	NodeFrozen                         // any node; To: for how many milliseconds
	NodeThawed                         // any node
	RecordSent                         // producer: Partition; From: its own count
	RecordAcked                        // producer: Partition; From: offset
	ResultStored                       // store: Group, Partition, From: offset whose result was written
	RecordUnreadable                   // client: Partition, From: offset of a record it cannot deserialize
	DeadLettered                       // client: Partition, From: offset of a record that a topic for dead letters has now
	Truncated                          // broker: Partition, From..To cut off a follower's log
	RecordsDeleted                     // broker: Partition, From..To deleted by retention
	TransactionState                   // broker: a transaction entered a state. Member: transactional id; Text: state; To: epoch
	LeaderChanged                      // controller: Partition; Text: the leader, "" for none; To: its epoch
	ISRChanged                         // controller: Partition; Text: the in-sync replicas
	OnConsume                          // client: Text: the interceptor that sees the records poll is about to return; To: how many
	OnCommit                           // client: Text: the interceptor that is told of a commit; Partition, To for each partition, one fact each
)

var factKindNames = [...]string{
	"group state", "member added", "member removed", "member pending", "leader elected", "protocol chosen",
	"offsets appended", "appended", "offset committed", "coordinator found", "coordinator lost",
	"join state", "assigned", "callback started", "callback ended", "partitions computed", "position set",
	"records buffered", "records returned", "processing started", "processed", "poll called", "poll returned",
	"commit started", "commit finished", "error seen", "exception thrown", "line entered", "poll timer expired",
	"session lapsed", "started", "closed", "crashed", "frozen", "thawed", "record sent", "record acked",
	"result stored", "record unreadable", "dead-lettered", "truncated", "records deleted", "transaction state", "leader changed", "isr changed",
	"on consume", "on commit",
}

func (k FactKind) String() string { return factKindNames[k] }
