package client

import (
	"time"

	"groupscope/core/kafka"
)

// Program is the code of a consumer as data: a listing for the eye, and the operations that carry it out. Each
// operation names the line of the listing it stands for.
type Program struct {
	Name       string
	Listing    []string
	Setup      []Op // run once, first
	Body       []Op // run from first to last, again and again, until the consumer closes or an exception ends it
	Closing    []Op // run once after that, as in a finally block; close() follows
	OnRevoked  []Op // onPartitionsRevoked of the rebalance listener
	OnAssigned []Op // onPartitionsAssigned
	OnLost     []Op // onPartitionsLost; empty: OnRevoked, as the interface's default does
	Workers    int  // threads that process what HandOver gives them
}

// parts are all that the program can run.
func (p *Program) parts() [][]Op {
	return [][]Op{p.Setup, p.Body, p.Closing, p.OnRevoked, p.OnAssigned, p.OnLost}
}

// Op is one operation. Beside Do and Line each kind reads the fields that its comment names.
type Op struct {
	Do         OpKind
	Line       int // in the listing, 1 for the first
	For        time.Duration
	Body       []Op
	Catch      []Catch
	Callback   []Op
	Test       Test
	Offsets    Offsets
	Topics     []string
	Pattern    string
	Partitions []kafka.TopicPartition
	Offset     int64
	Class      string
	Every      int64
}

// Catch handles an exception: one of the classes it names, or any if it names none.
type Catch struct {
	Classes []string
	Body    []Op
}

// OpKind is what an operation does.
type OpKind string

// The operations. "The tracked offsets" are a map of the program's own, from partition to the offset to commit.
const (
	Poll         OpKind = "poll"          // For: the timeout
	ForEach      OpKind = "for-each"      // Body: for every record that the last poll returned
	Process      OpKind = "process"       // the record at hand; For: how long it takes
	Sleep        OpKind = "sleep"         // For
	HandOver     OpKind = "hand-over"     // give the records of the last poll to the worker threads; For: the time for each
	CommitSync   OpKind = "commit-sync"   // Offsets
	CommitAsync  OpKind = "commit-async"  // Offsets; Callback: run when it is answered
	Retry        OpKind = "retry"         // in a callback: commitAsync of the same offsets again, with the same callback
	Track        OpKind = "track"         // put the record at hand into the tracked offsets; Offset: added to its own, 1 to be right
	Untrack      OpKind = "untrack"       // forget the tracked offsets
	Count        OpKind = "count"         // raise the program's counter by one
	CountKey     OpKind = "count-key"     // raise the program's counter of the key of the record at hand
	Warm         OpKind = "warm"          // fill the cache for the partition of the record at hand, unless it is filled; For: how long that takes
	Buffer       OpKind = "buffer"        // put the record at hand into the program's buffer, to be processed by Flush
	Flush        OpKind = "flush"         // process the records in the buffer; For: how long all of them take
	CloseHandles OpKind = "close-handles" // drop counters, cache and buffer of the partitions a rebalance callback is told of, or of all; For: how long that takes
	If           OpKind = "if"            // Test; Body
	Try          OpKind = "try"           // Body; Catch: the first that fits is run when Body throws
	Throw        OpKind = "throw"         // Class
	Leave        OpKind = "leave"         // the loop: the closing part is next
	Subscribe    OpKind = "subscribe"     // Topics, or Pattern: a regular expression
	Unsubscribe  OpKind = "unsubscribe"
	Assign       OpKind = "assign"            // Partitions
	Seek         OpKind = "seek"              // Partitions, Offset
	SeekStored   OpKind = "seek-to-stored"    // the assigned partitions, to what the external store has for them
	SeekPast     OpKind = "seek-past"         // past the record that could not be deserialized
	SeekBegin    OpKind = "seek-to-beginning" // the assigned partitions
	SeekEnd      OpKind = "seek-to-end"       // the assigned partitions
	Pause        OpKind = "pause"             // Partitions; none: all assigned
	Resume       OpKind = "resume"            // Partitions; none: all assigned
	StoreBoth    OpKind = "store"             // write the result of the record at hand, and an offset, to the external store, in one transaction; Offset: added to the record's own, 1 to be right
	StoreResult  OpKind = "store-result"      // write the result of the record at hand alone
	DeadLetter   OpKind = "dead-letter"       // produce the record that could not be deserialized, or the one at hand, to Topics
)

// OpKinds lists the operations a program may use.
func OpKinds() []string {
	return []string{
		string(Poll), string(ForEach), string(Process), string(Sleep), string(HandOver), string(CommitSync),
		string(CommitAsync), string(Retry), string(Track), string(Untrack), string(Count), string(CountKey), string(Warm),
		string(Buffer), string(Flush), string(CloseHandles), string(If), string(Try),
		string(Throw), string(Leave), string(Subscribe), string(Unsubscribe), string(Assign), string(Seek),
		string(SeekStored), string(SeekPast), string(SeekBegin), string(SeekEnd), string(Pause), string(Resume),
		string(StoreBoth), string(StoreResult), string(DeadLetter),
	}
}

// Offsets says what a commit is of.
type Offsets string

// The sources of the offsets to commit.
const (
	Positions Offsets = ""        // what poll returned so far: commitSync() without arguments
	Tracked   Offsets = "tracked" // the tracked offsets
)

// Test is a condition of an If.
type Test string

// The conditions. Every is the field of Op.
const (
	EveryNth        Test = "every"            // the counter is a multiple of Every
	CommitFailed    Test = "commit-failed"    // in a callback: the commit failed
	CommitRetriable Test = "commit-retriable" // in a callback: the commit failed, and may be tried again
	CommitNewest    Test = "commit-newest"    // in a callback: no commit was sent since
	CommitHighest   Test = "commit-highest"   // in a callback: no higher offset was committed since, for any of its partitions
)
