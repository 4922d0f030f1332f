package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"groupscope/core/client"
)

// builtinProgram names the program that the model brings along: poll, process, automatic commit.
const builtinProgram = "auto-commit"

// programEntry is a program as a file writes it: the built-in loop with its times, or code of the lesson's own.
type programEntry struct {
	autoCommit    *client.Program
	listing       string
	body, closing []client.Op
}

var programEntryKind = object("a program", []field[programEntry]{
	may(builtinProgram, loopKind, "the built-in loop, with the timeout of poll and the time for each record", func(p *programEntry) **client.Program { return &p.autoCommit }),
	may("listing", textKind, "the code as it is shown", func(p *programEntry) *string { return &p.listing }),
	may("body", opsKind, "what is done again and again", func(p *programEntry) *[]client.Op { return &p.body }),
	may("closing", opsKind, "what is done once on closing", func(p *programEntry) *[]client.Op { return &p.closing }),
})

// loopTimes are the times of the built-in loop.
type loopTimes struct{ poll, process time.Duration }

var loopTimesKind = object("the built-in loop", []field[loopTimes]{
	must("poll", durationKind, "the timeout of poll", func(t *loopTimes) *time.Duration { return &t.poll }),
	must("process", durationKind, "how long each record takes", func(t *loopTimes) *time.Duration { return &t.process }),
})

var loopKind = kind[*client.Program]{expected: loopTimesKind.expected, read: func(d *decoder, n *node) *client.Program {
	times := loopTimesKind.read(d, n)
	program := client.AutoCommit(times.poll, times.process)
	return &program
}}

func readProgram(d *decoder, id string, p pair) programNamed {
	entry := programEntryKind.read(d, p.value)
	if own := entry.listing != "" || entry.body != nil; own == (entry.autoCommit != nil) {
		d.problem(p.at, fmt.Sprintf("program %q needs code", clip(id)), "either auto-commit, or listing and body", "")
	}
	if entry.autoCommit != nil {
		return programNamed{id, *entry.autoCommit}
	}
	lines := strings.Split(strings.TrimRight(entry.listing, "\n"), "\n")
	checkLines(d, p.value.find("body"), len(lines))
	checkLines(d, p.value.find("closing"), len(lines))
	return programNamed{id, client.Program{Name: id, Listing: lines, Body: entry.body, Closing: entry.closing}}
}

// opsKind is a list of operations, each naming its line: {poll: 1s, line: 2}.
var opsKind = kind[[]client.Op]{expected: "a list of operations", read: readOps}

func readOps(d *decoder, n *node) []client.Op {
	if n.kind != sequence {
		d.mismatch(n, "a list of operations")
		return nil
	}
	ops := make([]client.Op, len(n.items))
	for i, item := range n.items {
		ops[i] = readOp(d, item)
	}
	return ops
}

// timedOps are the operations that take a time.
var timedOps = []client.OpKind{client.Poll, client.Process, client.Sleep}

// commitOps are the operations that commit; their value says what.
var commitOps = []client.OpKind{client.CommitSync, client.CommitAsync}

var positionsKind = single("positions: the consumer's positions in all its partitions", func(s string) (string, bool) {
	return s, s == "positions"
})

func readOp(d *decoder, n *node) client.Op {
	var op client.Op
	if n.kind != mapping {
		d.mismatch(n, "an operation such as {poll: 1s, line: 2}")
		return op
	}
	for _, p := range n.pairs {
		does := client.OpKind(p.key)
		switch {
		case p.key == "line":
			op.Line = countKind.read(d, p.value)
			continue
		case does == client.ForEach:
			op.Body = readOps(d, p.value)
		case slices.Contains(timedOps, does):
			op.For = durationKind.read(d, p.value)
		case slices.Contains(commitOps, does):
			positionsKind.read(d, p.value)
		default:
			d.unknown(p.at, "operation", p.key, append(client.OpKinds(), "line"))
			continue
		}
		if op.Do != "" {
			d.problem(p.at, "a second operation in one entry", "one operation and its line", "")
		}
		op.Do = does
	}
	if n.find("line") == nil || op.Do == "" {
		d.problem(n.place, "an operation needs what it does and its line", "such as {poll: 1s, line: 2}", "")
	}
	return op
}

// checkLines checks that every operation names a line of the listing.
func checkLines(d *decoder, ops *node, lines int) {
	if ops == nil {
		return
	}
	for _, item := range ops.items {
		if line := item.find("line"); line != nil && (partitionsOf(line) < 1 || partitionsOf(line) > lines) {
			d.problem(line.place, "the listing has no line "+clip(line.text), "1 to "+counted(lines, "line"), "")
		}
		checkLines(d, item.find(string(client.ForEach)), lines)
	}
}
