package stage

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// seconds writes a time or a wait: 62.4 s, 5 min, 12 ms.
func (w words) seconds(d time.Duration) string {
	switch {
	case d != 0 && d < time.Second && d > -time.Second:
		return w.say("time.ms", "n", trimNumber(float64(d)/float64(time.Millisecond), 1))
	case d >= 2*time.Minute && d%time.Minute == 0:
		return w.say("time.min", "n", number(d/time.Minute))
	}
	return w.say("time.s", "n", trimNumber(d.Seconds(), 1))
}

// tick writes a time on an axis, as exactly as it is.
func (w words) tick(d time.Duration) string {
	if d < time.Second || d >= 2*time.Minute && d%time.Minute == 0 {
		return w.seconds(d)
	}
	return w.say("time.s", "n", trimNumber(d.Seconds(), 3))
}

// clock writes a moment with a fixed number of digits, so that it does not jump while it runs.
func (w words) clock(d time.Duration) string {
	return w.say("time.s", "n", strconv.FormatFloat(d.Truncate(10*time.Millisecond).Seconds(), 'f', 2, 64))
}

// left writes what is left of a timer, in tenths below a minute.
func (w words) left(d time.Duration) string {
	if d >= 2*time.Minute {
		return w.say("time.min", "n", trimNumber(d.Minutes(), 1))
	}
	return w.say("time.s", "n", strconv.FormatFloat(d.Seconds(), 'f', 1, 64))
}

// trimNumber writes a number with at most so many decimals, without trailing zeros.
func trimNumber(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// list joins names as the language does.
func (w words) list(names []string) string { return strings.Join(names, w.say("list.separator")) }

// sentences joins two sentences. The first may end in a sign of its own, as a question does.
func (w words) sentences(first, second string) string {
	separator := w.say("sentence.separator")
	if last, _ := utf8.DecodeLastRuneInString(first); strings.ContainsRune("?!.？！。", last) {
		_, sign := utf8.DecodeRuneInString(separator)
		separator = separator[sign:]
	}
	return first + separator + second
}

// partitions writes partitions short: with one topic, "0 2", else "T1-0 T2-1".
func partitionList(tps []kafka.TopicPartition) string {
	names := make([]string, len(tps))
	for i, tp := range tps {
		names[i] = tp.String()
	}
	return strings.Join(names, " ")
}

// eventSentence says what an event is, in one sentence and, where the node did something of note, a second one.
func (in *input) eventSentence(e *view.Entry) string {
	if e == nil {
		return in.words.say("event.start")
	}
	sentence := in.eventLead(e)
	for i := range e.Facts {
		if isNotable(e.Facts[i].Kind) {
			return in.words.sentences(sentence, in.factSentence(&e.Facts[i]))
		}
	}
	return sentence
}

// eventLead says what set the event off.
func (in *input) eventLead(e *view.Entry) string {
	w := in.words
	switch e.Kind {
	case view.Commanded:
		return w.say("event.command", "command", e.Command)
	case view.Disconnect:
		return w.say("event.disconnect", "node", string(e.Node), "peer", string(e.Peer))
	case view.Fired:
		return w.say("event.timer", "node", string(e.Node), "timer", w.timerName(e.Timer))
	}
	return in.messageSentence(e.Message, true)
}

// messageSentence says what a message is: on its way, or arrived.
func (in *input) messageSentence(m *kafka.Message, arrived bool) string {
	w := in.words
	args := []string{"from", string(m.From), "to", string(m.To), "api", m.Body.API().String()}
	err := kafka.ErrorOf(m.Body)
	switch {
	case m.Reply() && err != kafka.None:
		return w.say("message.refused", append(args, "error", err.String())...)
	case m.Reply():
		return w.say("message.answered", append(args, "detail", in.replyDetail(m.Body))...)
	case arrived:
		return w.say("message.arrived", args...)
	}
	return w.say("message.sent", args...)
}

// replyDetail is what a good answer brings, with the separator before it; "" when it brings nothing.
func (in *input) replyDetail(b kafka.Body) string {
	w := in.words
	var text string
	switch r := b.(type) {
	case *kafka.FindCoordinatorResponse:
		text = w.say("detail.coordinator", "node", string(r.Coordinator))
	case *kafka.JoinGroupResponse:
		text = w.say("detail.generation", "n", number(r.Generation))
	case *kafka.SyncGroupResponse:
		text = w.say("detail.partitions", "list", partitionList(r.Assignment))
		if len(r.Assignment) == 0 {
			text = w.say("detail.none")
		}
	case *kafka.FetchResponse:
		records := 0
		for _, p := range r.Partitions {
			records += len(p.Records)
		}
		text = w.say("detail.records", "n", number(records))
	}
	if text == "" {
		return ""
	}
	return w.say("detail.separator") + text
}

// timerName is the name of a timer in words. A node's key for it may go on with whose it is, as in "session G1/C1-1".
func (w words) timerName(key string) string {
	for name := key; name != ""; {
		if text, ok := w["timer."+name]; ok {
			return text
		}
		name = name[:max(0, strings.LastIndexByte(name, ' '))]
	}
	return key
}

// isNotable tells the facts worth a sentence in the live region.
func isNotable(k view.FactKind) bool {
	switch k {
	case view.GroupState, view.MemberAdded, view.MemberRemoved, view.MemberPending, view.Assigned,
		view.OffsetCommitted, view.Processed, view.CoordinatorFound, view.NodeStarted, view.NodeClosed, view.NodeCrashed,
		view.NodeFrozen, view.NodeThawed, view.PollTimerExpired, view.SessionLapsed, view.ExceptionThrown,
		view.PartitionsComputed:
		return true
	}
	return false
}

// factKey is the key of the words for a kind of fact.
func factKey(k view.FactKind) string {
	return "fact." + strings.ToLower(strings.ReplaceAll(k.String(), " ", "-"))
}

// factSentence says what a node did.
func (in *input) factSentence(f *view.Fact) string {
	key := factKey(f.Kind)
	return in.words.say(key,
		"node", string(f.Node), "group", f.Group, "member", f.Member, "partition", f.Partition.String(),
		"from", number(f.From), "to", number(f.To), "last", number(f.To-1), "error", f.Error.String(),
		"text", f.Text, "list", in.words.orNone(partitionList(f.Partitions)))
}
