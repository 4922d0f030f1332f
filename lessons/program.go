package lessons

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"groupscope/core/client"
)

// times are what a file says of the times of a pattern; nil where it says nothing, as 0s is a time too.
type times struct {
	poll, process *time.Duration
}

var usualPoll, usualProcess = time.Second, 10 * time.Millisecond

// usualTimes are those of a pattern that is given no others.
var usualTimes = times{&usualPoll, &usualProcess}

// over lays times over others.
func (t times) over(others times) times {
	return times{cmp.Or(t.poll, others.poll), cmp.Or(t.process, others.process)}
}

var givenTimeKind = kind[*time.Duration]{expected: durationKind.expected, read: func(d *decoder, n *node) *time.Duration {
	given := durationKind.read(d, n)
	return &given
}}

// programEntry is a program as a file writes it: a pattern of the model's with its times, or code of the lesson's own.
type programEntry struct {
	client.Program
	times
	id       string
	pattern  string
	listing  string
	settings map[string]string // that the pattern needs
	stores   bool              // it writes to an external store
}

// mostWorkers is more than fit on the stage.
const mostWorkers = 100

var workersKind = single(fmt.Sprintf("a number of threads from 1 to %d", mostWorkers), func(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 1 && n <= mostWorkers
})

var patternKind = choice("pattern", client.PatternNames, func(s string) (string, bool) {
	return s, slices.Contains(client.PatternNames(), s)
})

var programEntryKind = object("a program", []field[programEntry]{
	may("pattern", patternKind, "a program that the model knows; poll and process give its times", func(p *programEntry) *string { return &p.pattern }),
	may("poll", givenTimeKind, "the timeout of poll in the pattern; 1s if absent", func(p *programEntry) **time.Duration { return &p.poll }),
	may("process", givenTimeKind, "how long a record takes in the pattern; 10ms if absent", func(p *programEntry) **time.Duration { return &p.process }),
	may("listing", textKind, "or: the code as it is shown", func(p *programEntry) *string { return &p.listing }),
	may("setup", opsKind, "what is done once, first", func(p *programEntry) *[]client.Op { return &p.Setup }),
	may("body", opsKind, "what is done again and again", func(p *programEntry) *[]client.Op { return &p.Body }),
	may("closing", opsKind, "what is done once on closing, as in a finally block", func(p *programEntry) *[]client.Op { return &p.Closing }),
	may("on-revoked", opsKind, "onPartitionsRevoked of the rebalance listener", func(p *programEntry) *[]client.Op { return &p.OnRevoked }),
	may("on-assigned", opsKind, "onPartitionsAssigned", func(p *programEntry) *[]client.Op { return &p.OnAssigned }),
	may("on-lost", opsKind, "onPartitionsLost; what on-revoked does if absent", func(p *programEntry) *[]client.Op { return &p.OnLost }),
	may("workers", workersKind, "threads that process what hand-over gives them", func(p *programEntry) *int { return &p.Workers }),
})

// parts are the keys of a program that hold operations.
var parts = []string{"setup", "body", "closing", "on-revoked", "on-assigned", "on-lost"}

func readProgram(d *decoder, id string, p pair) programEntry {
	entry := programEntryKind.read(d, p.value)
	entry.id = id
	if slices.Contains(client.PatternNames(), id) {
		d.problem(p.at, fmt.Sprintf("%q is a pattern of the model's", id), "another name", "")
	}
	if own := entry.listing != "" && entry.Body != nil; own == (entry.pattern != "") {
		d.problem(p.at, fmt.Sprintf("program %q needs code", clip(id)), "either pattern, or listing and body", "")
		return entry
	}
	if entry.pattern != "" {
		return patternEntry(id, entry.pattern, entry.times)
	}
	entry.Name, entry.Listing = id, strings.Split(strings.TrimRight(entry.listing, "\n"), "\n")
	for _, part := range parts {
		checkLines(d, p.value.find(part), len(entry.Listing))
		entry.stores = entry.stores || stores(p.value.find(part))
	}
	return entry
}

// patternEntry is a pattern under an id; nothing of it is set if there is no such pattern.
func patternEntry(id, name string, given times) programEntry {
	given = given.over(usualTimes)
	pattern, _ := client.PatternNamed(name, *given.poll, *given.process)
	return programEntry{id: id, pattern: name, times: given, Program: pattern.Program, settings: pattern.Settings, stores: pattern.Stores}
}

// checkLines checks that every operation, and those within it, names a line of the listing.
func checkLines(d *decoder, ops *node, lines int) {
	forEachOp(ops, func(op *node) {
		if line := op.find("line"); line != nil && (partitionsOf(line) < 1 || partitionsOf(line) > lines) {
			d.problem(line.place, "the listing has no line "+clip(line.text), fmt.Sprintf("1 to %d", lines), "")
		}
	})
}

// stores reports whether some operation writes to an external store.
func stores(ops *node) bool {
	found := false
	forEachOp(ops, func(op *node) {
		for _, does := range []client.OpKind{client.StoreBoth, client.StoreResult, client.SeekStored} {
			found = found || op.find(string(does)) != nil
		}
	})
	return found
}

// forEachOp visits the operations of a tree, also those within others.
func forEachOp(ops *node, visit func(op *node)) {
	if ops == nil {
		return
	}
	for _, op := range ops.items {
		visit(op)
		for _, p := range op.pairs {
			forEachOp(p.value, visit)
		}
	}
}
