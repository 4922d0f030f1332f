package client

import "time"

// Program is the code of a consumer as data: a listing for the eye, and the operations that carry it out. Each
// operation names the line of the listing it stands for.
type Program struct {
	Name    string
	Listing []string
	Body    []Op // run from first to last, again and again, until the consumer closes or an exception ends it
	Closing []Op // run once after that, as in a finally block; close() follows
}

// Op is one operation.
type Op struct {
	Do   OpKind
	Line int           // in the listing, 1 for the first
	For  time.Duration // Poll: its timeout; Process, Sleep: how long
	Body []Op          // ForEach: for every record that the last poll returned
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
)

// OpKinds lists the operations a program may use.
func OpKinds() []string {
	return []string{string(Poll), string(ForEach), string(Process), string(Sleep), string(CommitSync), string(CommitAsync)}
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
		Closing: nil,
	}
}

// instruction is one operation of a program laid flat: loops have become jumps.
type instruction struct {
	do   OpKind // or jump
	line int
	dur  time.Duration
	to   int // ForEach: where to go when no record is left; jump: where to go
}

const jump OpKind = "jump"

// flatten lays operations flat, beginning at the given index of the code.
func flatten(ops []Op, code []instruction) []instruction {
	for _, op := range ops {
		at := len(code)
		code = append(code, instruction{do: op.Do, line: op.Line, dur: op.For})
		if op.Do != ForEach {
			continue
		}
		code = flatten(op.Body, code)
		code = append(code, instruction{do: jump, line: op.Line, to: at})
		code[at].to = len(code)
	}
	return code
}
