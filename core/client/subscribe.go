package client

import (
	"regexp"
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// mode is how a consumer came to its partitions. The three ways exclude each other until unsubscribe()
// (SubscriptionState.SubscriptionType).
type mode uint8

const (
	noMode mode = iota
	subscribed
	matched // subscribed by a pattern
	assigned
)

// subscribe replaces the subscription; the join that other topics ask for happens in the next poll. It returns the exception that
// subscribe() throws, or "".
func (t *turn) subscribe(topics []string, pattern string) (exception string) {
	wanted := subscribed
	if pattern != "" {
		wanted = matched
	}
	switch {
	case t.spec.Group == "":
		return exceptionOf(kafka.InvalidGroupID)
	case t.mode != noMode && t.mode != wanted:
		return illegalStateException
	}
	t.mode, t.pattern = wanted, pattern
	t.network.wantMetadata = true
	if wanted == subscribed {
		t.topics = slices.Sorted(slices.Values(topics))
		return ""
	}
	t.topics = t.matchTopics()
	return ""
}

// matchTopics lists the topics that the pattern matches, by the metadata the client has. A regular expression must match
// the whole name. Internal topics are left out (exclude.internal.topics).
func (t *turn) matchTopics() []string {
	if t.network.cluster == nil {
		return nil
	}
	matches := t.matcher()
	var topics []string
	for _, topic := range t.network.cluster.Topics {
		if !topic.Internal && matches(topic.Name) {
			topics = append(topics, topic.Name)
		}
	}
	return topics
}

// matcher tells which names the pattern matches; one that is no regular expression matches none.
func (t *turn) matcher() func(topic string) bool {
	pattern, err := regexp.Compile("^(?:" + t.pattern + ")$")
	if err != nil {
		return func(string) bool { return false }
	}
	return pattern.MatchString
}

// subscribedTo reports whether the subscription covers a topic: a pattern does even if the metadata does not have it yet.
func (t *turn) subscribedTo(topic string) bool {
	if t.mode == matched {
		return t.matcher()(topic)
	}
	return slices.Contains(t.topics, topic)
}

// rematch matches the pattern again when metadata has come; a different set of topics means joining again.
func (t *turn) rematch() {
	if t.mode == matched {
		t.topics = t.matchTopics()
	}
}

// assignManually is assign(): the consumer reads these partitions and takes no part in the group protocol.
func (t *turn) assignManually(parts []kafka.TopicPartition) (exception string) {
	if t.mode != noMode && t.mode != assigned {
		return illegalStateException
	}
	t.mode = assigned
	t.commits.restart(t.now, t.settings.autoCommitEvery)
	t.network.wantMetadata = true
	t.assign(parts)
	return ""
}

// matchedAnew reports whether a pattern has been matched with fresh metadata before a join; if not, it asks for some.
func (t *turn) matchedAnew() bool {
	n := &t.network
	if t.mode != matched || t.joining() || t.group.joined != nil {
		return true
	}
	if n.metadataAt <= t.now && t.does(kafka.PatternMatchedBeforeJoin) {
		n.wantMetadata = true
	}
	t.refreshMetadata()
	return n.cluster != nil && !n.wantMetadata && !n.inFlight(kafka.MetadataAPI)
}

// unsubscribe gives up the partitions and leaves the group (KafkaConsumer.unsubscribe). It commits nothing.
func (t *turn) unsubscribe(f *call) verdict {
	if f.pc == 0 {
		f.pc++
		if name, parts := t.givenUpOnClose(); name != "" {
			t.tellListener(name, parts)
			return again
		}
	}
	t.assign(nil)
	if t.takeListenerError() != "" {
		return t.app.throw(kafkaException) // and nothing else is done
	}
	if t.inGroup() {
		t.leave("the consumer unsubscribed from all topics")
	}
	t.mode, t.topics, t.pattern = noMode, nil, ""
	return t.app.done()
}

// inGroup reports whether the consumer takes part in the group protocol.
func (c *Consumer) inGroup() bool { return c.mode == subscribed || c.mode == matched }

// calledFromOutside is a call of one of the consumer's methods by a thread that is not its own. Only wakeup() may be
// called so; any other call throws there if the application thread is inside one of its own (KafkaConsumer.acquire).
func (t *turn) calledFromOutside(method string) {
	switch {
	case method == "wakeup":
		t.wakeup = true
	case len(t.app.stack) > 1:
		t.fact(view.Fact{Kind: view.ExceptionThrown, Text: concurrentModificationException, Member: method})
	}
}
