package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// EntryText is the stable text form of a trace's entry, on one line: event, time, node, what happened, why, and what the
// node did.
func EntryText(e *view.Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s ", e.Event, seconds(e.At), e.Node)
	b.WriteString(happened(e))
	if e.Cause > 0 {
		fmt.Fprintf(&b, " (from %d)", e.Cause)
	}
	for _, f := range e.Facts {
		b.WriteString("; ")
		b.WriteString(factText(&f))
	}
	for i := range e.Sent {
		fmt.Fprintf(&b, " -> %s %s", e.Sent[i].To, messageName(&e.Sent[i]))
	}
	return b.String()
}

// happened is what set the step off, with every field of a message.
func happened(e *view.Entry) string {
	switch e.Kind {
	case view.Received:
		return "receive " + string(e.Message.From) + " " + messageText(e.Message)
	case view.Fired:
		return "timer " + e.Timer
	case view.Disconnect:
		return "disconnect " + string(e.Peer)
	default:
		return "command " + e.Command
	}
}

// messageName is a message's kind and number.
func messageName(m *kafka.Message) string {
	name := m.Body.API().String()
	if m.Reply() {
		name += " reply"
	}
	return fmt.Sprintf("%s #%d", name, m.ID)
}

func messageText(m *kafka.Message) string {
	fields := view.Fields(m.Body)
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Name + "=" + f.Value
	}
	return messageName(m) + " {" + strings.Join(parts, " ") + "}"
}

func factText(f *view.Fact) string {
	parts := []string{f.Kind.String()}
	if f.Text != "" {
		parts = append(parts, f.Text)
	}
	if f.Member != "" {
		parts = append(parts, f.Member)
	}
	if f.Partition.Topic != "" {
		parts = append(parts, f.Partition.String())
	}
	if f.From != 0 || f.To != 0 {
		parts = append(parts, fmt.Sprintf("%d..%d", f.From, f.To))
	}
	if f.Error != kafka.None {
		parts = append(parts, f.Error.String())
	}
	if f.Partitions != nil {
		parts = append(parts, fmt.Sprint(f.Partitions))
	}
	return strings.Join(parts, " ")
}

// seconds writes a virtual time in seconds, to the microsecond.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%d.%06ds", d/time.Second, d%time.Second/time.Microsecond)
}

// traceHash hashes a trace as it grows. It covers time, node, kind and message of every entry, not facts: those are prose.
type traceHash struct{ h hash.Hash }

func newTraceHash() traceHash { return traceHash{sha256.New()} }

func (t traceHash) add(e *view.Entry) {
	fmt.Fprintf(t.h, "%d %d %s %s\n", e.Event, e.At, e.Node, happened(e))
}

func (t traceHash) sum() string { return hex.EncodeToString(t.h.Sum(nil)[:16]) }
