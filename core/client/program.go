package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
)

// Program is the code of a consumer as data: a listing for the eye, and the operations that carry it out. Each
// operation names the line of the listing it stands for.
type Program struct {
	Name    string
	Listing []string
	Setup   []Op // run once, first
	Body    []Op // run from first to last, again and again, until the consumer closes or an exception ends it
	Closing []Op // run once after that, as in a finally block; close() follows
}

// Op is one operation.
type Op struct {
	Do         OpKind
	Line       int                    // in the listing, 1 for the first
	For        time.Duration          // Poll: its timeout; Process, Sleep: how long
	Body       []Op                   // ForEach: for every record that the last poll returned; Try
	Catch      []Catch                // Try: the first that fits is run when Body throws
	Topics     []string               // Subscribe
	Pattern    string                 // Subscribe: a regular expression instead of topics
	Partitions []kafka.TopicPartition // Assign
}

// Catch handles an exception: one of the classes it names, or any if it names none.
type Catch struct {
	Classes []string
	Body    []Op
}

// OpKind is what an operation does.
type OpKind string

// The operations.
const (
	Poll        OpKind = "poll"
	ForEach     OpKind = "for-each"
	Process     OpKind = "process" // the current record
	Sleep       OpKind = "sleep"
	CommitSync  OpKind = "commit-sync"
	CommitAsync OpKind = "commit-async"
	Subscribe   OpKind = "subscribe"
	Unsubscribe OpKind = "unsubscribe"
	Assign      OpKind = "assign"
	Try         OpKind = "try"
	Leave       OpKind = "leave" // the loop: the closing part is next
)

// OpKinds lists the operations a program may use.
func OpKinds() []string {
	kinds := []OpKind{Poll, ForEach, Process, Sleep, CommitSync, CommitAsync, Subscribe, Unsubscribe, Assign, Try, Leave}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return names
}

// AutoCommit is the loop of most introductions: poll, process every record, leave the commits to the client.
func AutoCommit(timeout, processing time.Duration) Program {
	return Program{
		Name: "auto-commit",
		Listing: []string{
			`props.put("enable.auto.commit", "true");`,
			`consumer.subscribe(topics);`,
			`try {`,
			`  while (running) {`,
			`    var records = consumer.poll(timeout);`,
			`    for (var record : records) {`,
			`      process(record);`,
			`    }`,
			`  }`,
			`} finally {`,
			`  consumer.close();`,
			`}`,
		},
		Body: []Op{
			{Do: Poll, Line: 5, For: timeout},
			{Do: ForEach, Line: 6, Body: []Op{{Do: Process, Line: 7, For: processing}}},
		},
	}
}

// code is a part of a program laid flat: loops have become jumps, and handlers ranges.
type code struct {
	instructions []instruction
	handlers     []handler // inner ones first
}

// instruction is one operation of a program laid flat.
type instruction struct {
	Op
	to int // ForEach: where to go when no record is left; jump: where to go
}

// handler says where an exception goes that an instruction from..to (exclusive) throws.
type handler struct {
	from, to int
	classes  []string
	target   int
}

const jump OpKind = "jump"

// compile lays operations flat.
func compile(ops []Op) code {
	var c code
	c.add(ops)
	return c
}

func (c *code) add(ops []Op) {
	for _, op := range ops {
		switch op.Do {
		case ForEach:
			at := c.emit(instruction{Op: op})
			c.add(op.Body)
			c.emit(instruction{Op: Op{Do: jump, Line: op.Line}, to: at})
			c.instructions[at].to = len(c.instructions)
		case Try:
			c.addTry(op)
		default:
			c.emit(instruction{Op: op})
		}
	}
}

func (c *code) addTry(op Op) {
	from := len(c.instructions)
	c.add(op.Body)
	to := len(c.instructions)
	ends := []int{c.emit(instruction{Op: Op{Do: jump, Line: op.Line}})}
	for _, catch := range op.Catch {
		c.handlers = append(c.handlers, handler{from, to, catch.Classes, len(c.instructions)})
		c.add(catch.Body)
		ends = append(ends, c.emit(instruction{Op: Op{Do: jump, Line: op.Line}}))
	}
	for _, at := range ends {
		c.instructions[at].to = len(c.instructions)
	}
}

func (c *code) emit(i instruction) int {
	c.instructions = append(c.instructions, i)
	return len(c.instructions) - 1
}

// handler finds where an exception goes that the instruction at pc threw; false if nothing catches it.
func (c *code) handler(pc int, class string) (int, bool) {
	for _, h := range c.handlers {
		if h.from <= pc && pc < h.to && (len(h.classes) == 0 || slices.Contains(h.classes, class)) {
			return h.target, true
		}
	}
	return 0, false
}
