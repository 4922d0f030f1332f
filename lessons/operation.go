package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"groupscope/core/client"
	"groupscope/core/kafka"
)

// opsKind is a list of operations, each naming its line: {poll: 1s, line: 2}.
var opsKind = kind[[]client.Op]{expected: "a list of operations", read: func(d *decoder, n *node) []client.Op {
	return list(kind[client.Op]{expected: "an operation such as {poll: 1s, line: 2}", read: readOp}).read(d, n)
}}

// opKind is the keys of an operation: exactly one says what it does, by its name in the model. It is set in init, as
// operations hold operations.
var opKind kind[client.Op]

func init() {
	nothing := noValue("~: it takes no value")
	opKind = object("an operation", []field[client.Op]{
		may("line", countKind, "its line in the listing, 1 for the first", func(o *client.Op) *int { return &o.Line }),
		may("poll", durationKind, "poll with that timeout", opFor),
		may("for-each", opsKind, "operations for each record of the last poll", func(o *client.Op) *[]client.Op { return &o.Body }),
		may("process", durationKind, "process the record at hand for so long", opFor),
		may("sleep", durationKind, "do nothing for so long", opFor),
		may("hand-over", durationKind, "give the records to the workers, each for so long", opFor),
		may("commit-sync", offsetsKind, "commit, and wait for the answer", func(o *client.Op) *client.Offsets { return &o.Offsets }),
		may("commit-async", offsetsKind, "commit without waiting", func(o *client.Op) *client.Offsets { return &o.Offsets }),
		may("callback", opsKind, "with commit-async: run when it is answered", func(o *client.Op) *[]client.Op { return &o.Callback }),
		may("retry", nothing, "in a callback: the same commitAsync again", ignored),
		may("track", addedKind, "track the offset of the record at hand plus 1, which is right, or plus 0", func(o *client.Op) *int64 { return &o.Offset }),
		may("untrack", nothing, "forget the tracked offsets", ignored),
		may("count", nothing, "raise the program's counter", ignored),
		may("count-key", nothing, "raise the program's counter of the key of the record at hand", ignored),
		may("warm", durationKind, "fill the cache, for so long, before the first record of a partition that it does not hold", opFor),
		may("buffer", nothing, "put the record at hand into the program's buffer, to be processed by flush", ignored),
		may("flush", durationKind, "process what is in the buffer, all of it in so long", opFor),
		may("close-handles", durationKind, "give up, in so long, the counters, cache and buffer of the partitions that a rebalance callback is told of; of all outside one", opFor),
		may("if", testKind, "do what stands under do if that is so", func(o *client.Op) *client.Test { return &o.Test }),
		may("every", everyKind, "with if: every: so many", func(o *client.Op) *int64 { return &o.Every }),
		may("do", opsKind, "with if: the operations", func(o *client.Op) *[]client.Op { return &o.Body }),
		may("try", opsKind, "operations that may throw", func(o *client.Op) *[]client.Op { return &o.Body }),
		may("catch", list(catchKind()), "with try: what is done then; the first that fits", func(o *client.Op) *[]client.Catch { return &o.Catch }),
		may("throw", textKind, "throw an exception of that class", func(o *client.Op) *string { return &o.Class }),
		may("leave", nothing, "leave the loop", ignored),
		may("subscribe", list(topicKind), "subscribe to topics", func(o *client.Op) *[]string { return &o.Topics }),
		may("unsubscribe", nothing, "unsubscribe", ignored),
		may("assign", list(partitionKind), "assign partitions to oneself", opPartitions),
		may("seek", list(partitionKind), "seek in partitions", opPartitions),
		may("to", offsetKind, "with seek: where to", func(o *client.Op) *int64 { return &o.Offset }),
		may("seek-to-stored", nothing, "seek to what the external store has", ignored),
		may("seek-past", nothing, "seek past the record that could not be deserialized", ignored),
		may("seek-to-beginning", nothing, "seek to the beginning of the assigned partitions", ignored),
		may("seek-to-end", nothing, "seek to their end", ignored),
		may("pause", list(partitionKind), "pause partitions; [] for all", opPartitions),
		may("resume", list(partitionKind), "resume partitions; [] for all", opPartitions),
		may("store", addedKind, "write the result and the offset plus 1, which is right, or plus 0 to the store, in one transaction", func(o *client.Op) *int64 { return &o.Offset }),
		may("store-result", nothing, "write the result alone", ignored),
		may("dead-letter", deadLetterKind, "send the record to another topic", func(o *client.Op) *[]string { return &o.Topics }),
	})
}

func opFor(o *client.Op) *time.Duration                 { return &o.For }
func opPartitions(o *client.Op) *[]kafka.TopicPartition { return &o.Partitions }
func ignored(*client.Op) *struct{}                      { return new(struct{}) }

// noValue is a key whose presence says all.
func noValue(expected string) kind[struct{}] {
	return kind[struct{}]{expected: expected, read: func(d *decoder, n *node) struct{} {
		if n.kind != nothing {
			d.mismatch(n, expected)
		}
		return struct{}{}
	}}
}

// The kinds of values that operations have.
var (
	offsetsKind = single("positions or tracked", func(s string) (client.Offsets, bool) {
		if s == "positions" {
			return client.Positions, true
		}
		return client.Tracked, s == string(client.Tracked)
	})
	testKind = single("every, commit-failed, commit-retriable, commit-newest or commit-highest", func(s string) (client.Test, bool) {
		test := client.Test(s)
		return test, slices.Contains([]client.Test{
			client.EveryNth, client.CommitFailed, client.CommitRetriable, client.CommitNewest, client.CommitHighest,
		}, test)
	})
	addedKind = single("1 or 0", func(s string) (int64, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && (n == 0 || n == 1)
	})
	offsetKind = single("an offset: a whole number", func(s string) (int64, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && n >= 0
	})
	everyKind = single("a whole number from 1", func(s string) (int64, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && n >= 1
	})
	deadLetterKind = kind[[]string]{expected: topicKind.expected, read: func(d *decoder, n *node) []string {
		return []string{topicKind.read(d, n)}
	}}
)

func catchKind() kind[client.Catch] {
	return object("a handler", []field[client.Catch]{
		may("classes", list(textKind), "of exceptions; all if absent", func(c *client.Catch) *[]string { return &c.Classes }),
		must("do", opsKind, "what is done", func(c *client.Catch) *[]client.Op { return &c.Body }),
	})
}

// companions are the keys that stand beside what an operation does; needed ones must.
var companions = map[string]struct{ needed, allowed []string }{
	"commit-async": {allowed: []string{"callback"}},
	"if":           {needed: []string{"do"}, allowed: []string{"every"}},
	"try":          {needed: []string{"catch"}},
	"seek":         {needed: []string{"to"}},
}

func readOp(d *decoder, n *node) client.Op {
	before := len(d.problems)
	op := opKind.read(d, n)
	if len(d.problems) > before || n.kind != mapping {
		return op
	}
	var does []string
	for _, p := range n.pairs {
		if slices.Contains(client.OpKinds(), p.key) {
			does = append(does, p.key)
		}
	}
	if len(does) != 1 || n.find("line") == nil {
		d.problem(n.place, fmt.Sprintf("%s and %s", counted(len(does), "operation"), lineOrNone(n)),
			"one operation and its line, such as {poll: 1s, line: 2}", "")
		return op
	}
	op.Do = client.OpKind(does[0])
	beside := companions[does[0]]
	for _, need := range beside.needed {
		if n.find(need) == nil {
			d.problem(n.place, fmt.Sprintf("%s lacks %q", does[0], need), "", "")
		}
	}
	known := slices.Concat([]string{"line", does[0]}, beside.needed, beside.allowed)
	for _, p := range n.pairs {
		if !slices.Contains(known, p.key) {
			d.problem(p.at, fmt.Sprintf("%s takes no %q", does[0], p.key), strings.Join(known, ", "), "")
		}
	}
	return op
}

func lineOrNone(n *node) string {
	if n.find("line") == nil {
		return "no line"
	}
	return "a line"
}
