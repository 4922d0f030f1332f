package view

import (
	"time"

	"groupscope/core/kafka"
)

// Frame is everything that can be seen after one event. Slices are sorted as their comments say; a frame is
// never changed once made.
type Frame struct {
	Event   int
	At      time.Duration
	Brokers []Broker // by id
	Topics  []Topic  // by name, without internal topics
	Groups  []Group  // by id

	OffsetsPartitions int32 // how many partitions __consumer_offsets has

	Transactions []Transaction // by transactional id, as their coordinators know them
	Consumers    []Consumer    // in the order they were added
	Producers    []Producer    // in the order they were added
	Stores       []Store       // in the order they were added
	Flying       []Flight      // messages on their way, in the order of sending
	Cuts         []Cut         // links that pass nothing
}

// Liveness is what a broker or a client is; false for anything else.
func (f *Frame) Liveness(id kafka.NodeID) (Liveness, bool) {
	for i := range f.Consumers {
		if f.Consumers[i].ID == id {
			return f.Consumers[i].Liveness, true
		}
	}
	for i := range f.Producers {
		if f.Producers[i].ID == id {
			return f.Producers[i].Liveness, true
		}
	}
	for i := range f.Brokers {
		if f.Brokers[i].ID == id {
			return f.Brokers[i].Liveness, true
		}
	}
	return Up, false
}

// Liveness is what a process can be.
type Liveness uint8

// Up processes work; Frozen ones neither hear nor act until they thaw; Closed ones ended by themselves; Crashed ones did not.
const (
	Up Liveness = iota
	Frozen
	Closed
	Crashed
)

var livenessNames = [...]string{"up", "frozen", "closed", "crashed"}

func (l Liveness) String() string { return livenessNames[l] }

// Gone reports whether there is no process any more.
func (l Liveness) Gone() bool { return l == Closed || l == Crashed }

// Broker is one broker.
type Broker struct {
	ID       kafka.NodeID
	Release  kafka.Release
	Rack     string
	Liveness Liveness
}

// Topic is one topic, its partitions by number.
type Topic struct {
	Name       string
	Partitions []Partition
}

// Partition is one log as its leader has it. Offsets are next-to-come: an empty log has all at 0.
type Partition struct {
	kafka.TopicPartition
	Leader         kafka.NodeID // "" when there is none
	LeaderEpoch    int32
	LogStart       int64
	HighWatermark  int64
	LastStable     int64
	LogEnd         int64
	Replicas       []Replica
	Bytes          int64
	LastAppendTime time.Duration
}

// Replica is one copy of a partition.
type Replica struct {
	Broker        kafka.NodeID
	LogStart      int64
	HighWatermark int64 // as this broker knows it; a follower's lags behind the leader's
	LogEnd        int64
	InSync        bool // by the controller
}

// Transaction is what a coordinator knows of a transactional id.
type Transaction struct {
	ID          string
	Coordinator kafka.NodeID
	State       string // Empty, Ongoing, PrepareCommit, PrepareAbort, CompleteCommit, CompleteAbort
	ProducerID  int64
	Epoch       int16
	Partitions  []kafka.TopicPartition
	Timeout     Timer // until the check that aborts it; not running while no transaction is open
}

// Span is a stretch of offsets, To exclusive.
type Span struct {
	From, To int64
}

// Len is the number of offsets in the span.
func (s Span) Len() int64 { return max(0, s.To-s.From) }

// Group is one group as its coordinator knows it, and what the ledger knows of its work.
type Group struct {
	ID               string
	Coordinator      kafka.NodeID // "" while no broker coordinates it
	OffsetsPartition int32        // of __consumer_offsets
	State            string       // Empty, PreparingRebalance, CompletingRebalance, Stable, Dead
	Generation       int32
	ProtocolType     string
	Protocol         string // the chosen assignor
	Leader           string // member id
	Members          []Member
	Pending          []string // ids handed out with MEMBER_ID_REQUIRED and not used yet
	Waiting          Waiting  // what the coordinator waits for
	Timers           []Timer  // of the group itself: initial delay, rebalance, pending sync
	Work             []Work   // by partition: everything the group committed, processed or may read
	Visits           []Visit  // how often each transition was taken, in the order of the first time
}

// Visit counts how often a group went from one state to another.
type Visit struct {
	From, To string
	Times    int
}

// Waiting is what a coordinator waits for, as data: the stage puts it into words.
type Waiting struct {
	For     WaitKind
	Members []string // whose request is missing
}

// WaitKind is a reason to wait.
type WaitKind uint8

// What a coordinator can wait for.
const (
	WaitNothing      WaitKind = iota
	WaitInitialDelay          // group.initial.rebalance.delay.ms
	WaitJoins                 // JoinGroup of Members
	WaitLeaderSync            // the leader's SyncGroup
	WaitAppend                // the append to __consumer_offsets
)

// Member is one member as the coordinator knows it.
type Member struct {
	ID         string
	InstanceID string
	ClientID   string
	Client     kafka.NodeID // the consumer behind it
	Leader     bool
	Parked     string // the request it waits in: "JoinGroup", "SyncGroup" or ""
	Synced     bool   // sent SyncGroup in this generation
	Protocols  []string
	Topics     []string
	Assignment []kafka.TopicPartition
	Session    Timer // zero while it does not run
}

// Timer is something that runs out. Name is one of: session, heartbeat, poll (max.poll.interval.ms), commit
// (auto.commit.interval.ms), rebalance, initial delay, pending sync, processing.
type Timer struct {
	Name     string
	From, To time.Duration // when it was set and when it runs out; equal while it does not run
}

// Running reports whether the timer is set.
func (t Timer) Running() bool { return t.To > t.From }

// Left is the time to go at the given moment, and the share of the whole that it is.
func (t Timer) Left(now time.Duration) (time.Duration, float64) {
	if !t.Running() {
		return 0, 0
	}
	left := min(max(0, t.To-now), t.To-t.From)
	return left, float64(left) / float64(t.To-t.From)
}

// Work is what a group did with one partition. Committed is kafka.NoOffset while nothing is stored.
type Work struct {
	kafka.TopicPartition
	Committed int64
	Owner     kafka.NodeID // who fetches it by its own belief; "" for nobody
	Done      []Run        // how often each record was processed, runs of equal counts, counts above 0 only
	Stored    []Run        // how often the result of each record was written to an external store
	Letters   []Span       // sent to a topic for dead letters instead of processed
	Lost      []Span       // passed over for good: committed past, neither processed nor kept as a dead letter, in nobody's hands
	Begin     int64        // where the group's reading of this partition first began; NoOffset before
}

// Run is a stretch of records that were processed the same number of times.
type Run struct {
	Span
	Times int
}

// Consumer is one consumer process as it knows itself.
type Consumer struct {
	ID          kafka.NodeID
	ClientID    string
	Group       string
	InstanceID  string
	MemberID    string // "" while it has none
	Release     kafka.Release
	Liveness    Liveness
	FrozenUntil time.Duration
	Coordinator kafka.NodeID // "" while unknown
	JoinState   string       // unjoined, preparing, completing, stable
	Rejoin      bool         // knows that it must join again
	Generation  int32
	Protocol    string
	IsLeader    bool
	Topics      []string
	InGroup     bool               // has subscribed; false: assigned itself partitions, or has none yet
	Owned       []Owned            // by partition
	Computed    []MemberPartitions // the leader's alone: what it last assigned to everybody
	Threads     []Thread           // the application thread first
	Timers      []Timer            // heartbeat, poll, commit, session as the client counts it
	Hand        Span               // of HandPartition: records returned by poll and not yet processed
	HandOf      kafka.TopicPartition
	InHand      int // how many records of the last poll are still to be processed
	Program     Program
	LastError   kafka.ErrorCode
	LastRequest string // that LastError answered
	FetchMemory int64  // bytes that the replies to its Fetch requests may bring at once
	Exception   string // the class of the exception that ended the program; "" for none
	Unread      int    // replies in the inbox that no thread has read
	Callback    string // the callback that runs now; "" for none
}

// Owned is one assigned partition of a consumer.
type Owned struct {
	kafka.TopicPartition
	Position int64 // the next offset poll will return; NoOffset while unknown
	Fetched  Span  // records in the client's buffer
	Buffered int   // how many they are: not every offset has one
	Returned Span  // records that poll returned and the program, or a worker of it, still has in hand
	Paused   bool
}

// MemberPartitions is one line of the leader's assignment.
type MemberPartitions struct {
	Member     string
	Partitions []kafka.TopicPartition
}

// Thread is one thread of a process: its stack, the outermost procedure first, and what it waits for.
type Thread struct {
	Name  string // application, heartbeat
	Stack []Call
	Waits string        // network, time, "" when it runs or has ended
	Until time.Duration // the latest moment it wakes; 0 for no limit
}

// Call is one frame of a stack.
type Call struct {
	Procedure string
	Line      int // in the program's listing; 0 inside the library
	Locals    []Local
}

// Local is a variable's name and value.
type Local struct {
	Name, Value string
}

// Program is the code a consumer runs.
type Program struct {
	Name    string
	Listing []string
	Line    int // being executed, 1 for the first; 0 for none
}

// Producer is one producer.
type Producer struct {
	ID       kafka.NodeID
	Topic    string
	Liveness Liveness
	Sent     int64 // records sent
	Acked    int64 // records acknowledged
	Failed   int64
	Release  kafka.Release

	TransactionalID string // "" for a producer without transactions
	Committed       int    // transactions
	Aborted         int    // transactions
	Exception       string // the class of the exception that ended the program; "" for none
}

// Flight is a message on its way. A reply's Request is the message it answers.
type Flight struct {
	Message   *kafka.Message
	SentAt    time.Duration
	SentEvent int
	ArrivesAt time.Duration
	Held      bool // its link is cut: it does not arrive before that mends
}

// Cut is a link that passes nothing.
type Cut struct {
	A, B kafka.NodeID
}

// Store is an external store, such as a database.
type Store struct {
	ID      kafka.NodeID
	Results int64 // writes of a result
	Offsets []StoredOffset
}

// StoredOffset is an offset that a group keeps in an external store.
type StoredOffset struct {
	Group string
	kafka.TopicPartition
	Offset int64
}
