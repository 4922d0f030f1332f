// Package node is the contract between the world and the state machines that live in it: brokers, the
// controller, consumers, producers.
//
// A node is handed the virtual time and one input, and writes what it wants done into an Out. It reads no clock,
// starts no goroutine and keeps plain data only: no func, channel, iterator or pointer shared with another node.
package node

import (
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// Node is one state machine. Handle must be deterministic; Clone returns an independent copy, which may share
// only what is never changed again (messages, sealed log chunks, images of the cluster).
type Node interface {
	Handle(now time.Duration, in Input, out *Out)
	Clone() Node
}

// Input is what sets a node off: exactly one field group is used, as Kind says.
type Input struct {
	Kind    InputKind
	Message *kafka.Message // Receive
	Peer    kafka.NodeID   // Disconnected: the other end
	Timer   string         // Timer: the key it was set under
	Command Command        // Tell
}

// InputKind is the kind of an input.
type InputKind uint8

// The kinds of inputs.
const (
	Start        InputKind = iota // the process begins
	Receive                       // a message arrived
	Disconnected                  // a connection was reset: requests in flight on it are lost
	Timer                         // a timer ran out
	Tell                          // a command from outside, for this node
)

// Command is something a person, or a program from outside, makes a node do. Do is one of the verbs
// that the node's package names; the other fields are its arguments.
type Command struct {
	Do          string
	For         time.Duration
	Topic       string
	Topics      []string
	Partitions  int32
	Replication int32
	Config      kafka.Config     // of a topic or broker
	Broker      kafka.BrokerInfo // a new one
	Node        kafka.NodeID
	Method      string
	Line        int
	Count       int
}

// Out collects what a node wants done. The world takes it up when Handle returns, in order.
type Out struct {
	Sends   []Send
	Timers  []SetTimer
	Facts   []view.Fact
	Hangups []kafka.NodeID // connections that the node closes: what is in flight on them is lost to it
	Ended   bool           // the process has ended by itself: its connections close, its timers are gone
	Crashed bool           // the process has died at what it was doing
}

// Send is a message to be sent. The world gives it its id.
type Send struct {
	To          kafka.NodeID
	Correlation int32
	Body        kafka.Body
}

// SetTimer sets the timer of its key to a moment, replacing the one set before, or stops it.
type SetTimer struct {
	Key  string
	At   time.Duration
	Stop bool
}

// Send asks for a message to be sent.
func (o *Out) Send(to kafka.NodeID, correlation int32, body kafka.Body) {
	o.Sends = append(o.Sends, Send{To: to, Correlation: correlation, Body: body})
}

// SetTimer sets, or sets anew, the timer of that key.
func (o *Out) SetTimer(key string, at time.Duration) {
	o.Timers = append(o.Timers, SetTimer{Key: key, At: at})
}

// StopTimer stops the timer of that key; stopping one that does not run does nothing.
func (o *Out) StopTimer(key string) {
	o.Timers = append(o.Timers, SetTimer{Key: key, Stop: true})
}

// Fact adds a fact to the trace.
func (o *Out) Fact(f view.Fact) { o.Facts = append(o.Facts, f) }
