package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// single makes a kind of a single value from a function that reads its text; the function's error is not shown,
// as expected says all.
func single[V any](expected string, parse func(text string) (V, bool)) kind[V] {
	return kind[V]{expected: expected, read: func(d *decoder, n *node) V {
		if n.kind == scalar {
			if v, ok := parse(n.text); ok {
				return v
			}
		}
		d.mismatch(n, expected)
		var zero V
		return zero
	}}
}

// among notes the names that a kind takes.
func among[V any](known nameList, k kind[V]) kind[V] {
	k.known = known
	return k
}

// longestText is more than anyone reads at a beat, and what can be laid out at once.
const longestText = 4000

// The kinds of single values.
var (
	truthKind = among(fixed("true", "false"), single("true or false", func(s string) (bool, bool) { return s == "true", s == "true" || s == "false" }))
	regexKind = single("a regular expression", func(s string) (string, bool) {
		_, err := regexp.Compile(s)
		return s, err == nil && s != ""
	})
	textKind     = kind[string]{expected: "a text", read: readText}
	durationKind = timeKind("a time such as 500ms, 3s or 2m", parseDuration)
	untilKind    = timeKind("a time above 0 and up to 700h, such as 20s", func(s string) (time.Duration, bool) {
		d, ok := parseDuration(s)
		return d, ok && d > 0 && d <= 700*time.Hour
	})
	countKind = single("a whole number", func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= 0
	})
	recordsKind = single(fmt.Sprintf("a number of records up to %d", sim.MaxRecords), func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= 0 && n <= sim.MaxRecords
	})
	seedKind = single("a whole number", func(s string) (uint64, bool) {
		n, err := strconv.ParseUint(s, 10, 64)
		return n, err == nil
	})
	formatKind = single("1, the only format so far", func(s string) (int, bool) {
		return 1, s == "1"
	})
	releaseKind = single("a Kafka release from 0.9 to 4.0, such as 3.9", func(s string) (kafka.Release, bool) {
		r, err := kafka.ParseRelease(s)
		return r, err == nil
	})
	slugKind = single("a short name of small letters, digits, hyphens and dots", func(s string) (string, bool) {
		return s, slug.MatchString(s)
	})
	idKind = single("a name of at most 20 letters, digits, hyphens, dots and underscores", func(s string) (string, bool) {
		return s, id.MatchString(s)
	})
)

var (
	slug = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,39}$`)
	id   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$`)
)

func readText(d *decoder, n *node) string {
	if length := utf8.RuneCountInString(n.text); length > longestText {
		d.problem(n.place, fmt.Sprintf("this text has %d characters", length), fmt.Sprintf("at most %d", longestText), "")
		return ""
	}
	if n.kind != scalar || strings.TrimSpace(n.text) == "" {
		d.mismatch(n, "a text")
		return ""
	}
	return n.text
}

// timeKind is single for times: a number alone lacks its unit.
func timeKind(expected string, parse func(text string) (time.Duration, bool)) kind[time.Duration] {
	k := single(expected, parse)
	return kind[time.Duration]{expected: expected, read: func(d *decoder, n *node) time.Duration {
		_, err := strconv.ParseFloat(n.text, 64)
		if _, ok := parse(n.text); n.kind == scalar && err == nil && !ok && !strings.HasPrefix(n.text, "-") && n.text != "0" {
			text := clip(n.text)
			d.problem(n.place, fmt.Sprintf("%q lacks its unit, such as %ss or %sms", text, text, text), expected, "")
			return 0
		}
		return k.read(d, n)
	}}
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0 && d <= 1000*time.Hour
}

// directory is the names that a lesson defines, so that others can refer to them.
type directory struct {
	brokers, consumers, producers, stores, groups, programs, beats []string
	assignors                                                      []string // of the consumers' own
	topics                                                         []topicSize
}

// addAssignors notes the assignors that consumers bring along.
func (d *directory) addAssignors(consumers *node) {
	if consumers == nil {
		return
	}
	for _, p := range consumers.pairs {
		for _, name := range keysOf(p.value.find("assignors")) {
			if !slices.Contains(d.assignors, name) {
				d.assignors = append(d.assignors, name)
			}
		}
	}
}

// topicSize is a topic and the most partitions it ever has.
type topicSize struct {
	name       string
	partitions int
}

// newDirectory collects the names from a tree, however wrong the rest of it is.
func newDirectory(root *node) directory {
	d := directory{
		brokers:   keysOf(root.find("brokers")),
		consumers: keysOf(root.find("consumers")),
		producers: keysOf(root.find("producers")),
		programs:  slices.Concat(keysOf(root.find("programs")), client.PatternNames()),
		stores:    keysOf(root.find("stores")),
		beats:     keysOf(root.find("beats")),
	}
	d.addGroups(root.find("consumers"))
	d.addAssignors(root.find("consumers"))
	d.addTopics(root.find("topics"))
	commands := root.find("commands")
	if commands == nil {
		return d
	}
	for _, p := range commands.pairs {
		d.brokers = append(d.brokers, keysOf(p.value.find("add-broker"))...)
		if store := p.value.find("add-store"); store != nil && store.text != "" {
			d.stores = append(d.stores, store.text)
		}
		d.consumers = append(d.consumers, keysOf(p.value.find("add-consumer"))...)
		d.producers = append(d.producers, keysOf(p.value.find("add-producer"))...)
		d.addGroups(p.value.find("add-consumer"))
		d.addAssignors(p.value.find("add-consumer"))
		d.addTopics(p.value.find("add-topic"))
		if topic := p.value.find("add-partitions"); topic != nil {
			d.widen(topic.text, partitionsOf(p.value.find("count")))
		}
	}
	return d
}

func keysOf(n *node) []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.pairs))
	for i, p := range n.pairs {
		keys[i] = p.key
	}
	return keys
}

func (d *directory) addGroups(consumers *node) {
	if consumers == nil {
		return
	}
	for _, p := range consumers.pairs {
		group := p.value.find("group")
		if group != nil && group.text != "" && !slices.Contains(d.groups, group.text) {
			d.groups = append(d.groups, group.text)
		}
	}
}

func (d *directory) addTopics(topics *node) {
	if topics == nil {
		return
	}
	for _, p := range topics.pairs {
		d.topics = append(d.topics, topicSize{p.key, partitionsOf(p.value.find("partitions"))})
	}
}

func (d *directory) widen(topic string, partitions int) {
	for i := range d.topics {
		if d.topics[i].name == topic {
			d.topics[i].partitions = max(d.topics[i].partitions, partitions)
		}
	}
}

// maxPartitions bounds the partitions of a topic.
const maxPartitions = 1000

func partitionsOf(n *node) int {
	if n == nil {
		return 0
	}
	count, _ := strconv.Atoi(n.text)
	return min(count, maxPartitions)
}

func (d *directory) topicNames() []string {
	known := make([]string, len(d.topics))
	for i, t := range d.topics {
		known[i] = t.name
	}
	return known
}

func (d *directory) partitionNames() []string {
	var known []string
	for _, t := range d.topics {
		for p := range t.partitions {
			known = append(known, kafka.TopicPartition{Topic: t.name, Partition: int32(p)}.String())
		}
	}
	return known
}

// clients are the consumers and producers; processes are the brokers too.
func (d *directory) clients() []string   { return slices.Concat(d.consumers, d.producers) }
func (d *directory) processes() []string { return slices.Concat(d.consumers, d.producers, d.brokers) }

// reference is a kind of name that the lesson defines somewhere.
func reference(what string, known func(*directory) []string) kind[string] {
	expected := "the id of a " + what
	return kind[string]{expected: expected, known: known, read: func(d *decoder, n *node) string {
		if n.kind != scalar {
			d.mismatch(n, expected)
			return ""
		}
		if among := known(&d.names); !slices.Contains(among, n.text) {
			d.unknown(n.place, what, n.text, among)
		}
		return n.text
	}}
}

// The kinds of names.
var (
	storeKind    = asNode(reference("store", func(d *directory) []string { return d.stores }))
	brokerKind   = asNode(reference("broker", func(d *directory) []string { return d.brokers }))
	consumerKind = asNode(reference("consumer", func(d *directory) []string { return d.consumers }))
	producerKind = asNode(reference("producer", func(d *directory) []string { return d.producers }))
	thingKind    = reference("consumer, producer, broker or topic", func(d *directory) []string { return slices.Concat(d.processes(), d.topicNames()) })
	clientKind   = asNode(reference("consumer or producer", (*directory).clients))
	processKind  = asNode(reference("consumer, producer or broker", (*directory).processes))
	groupKind    = reference("group", func(d *directory) []string { return d.groups })
	topicKind    = reference("topic", (*directory).topicNames)
	programKind  = reference("program", func(d *directory) []string { return d.programs })
	beatKind     = reference("beat", func(d *directory) []string { return d.beats })
)

// asNode makes a kind of names a kind of node ids.
func asNode(k kind[string]) kind[kafka.NodeID] {
	return kind[kafka.NodeID]{expected: k.expected, known: k.known, read: func(d *decoder, n *node) kafka.NodeID {
		return kafka.NodeID(k.read(d, n))
	}}
}

// partitionKind is a partition that the lesson has.
var partitionKind = kind[kafka.TopicPartition]{expected: "a partition such as T1-0", known: (*directory).partitionNames, read: readPartition}

func readPartition(d *decoder, n *node) kafka.TopicPartition {
	tp, err := kafka.ParseTopicPartition(n.text)
	if n.kind != scalar || err != nil {
		d.mismatch(n, "a partition such as T1-0")
		return tp
	}
	i := slices.IndexFunc(d.names.topics, func(t topicSize) bool { return t.name == tp.Topic })
	if i < 0 {
		d.unknown(n.place, "topic", tp.Topic, d.names.topicNames())
	} else if size := d.names.topics[i].partitions; int(tp.Partition) >= size {
		d.problem(n.place, fmt.Sprintf("unknown partition %q", tp),
			fmt.Sprintf("%s-0 to %s-%d", tp.Topic, tp.Topic, size-1), "")
	}
	return tp
}

// settings are configuration keys as a file sets them.
type settings []setting

type setting struct {
	key, value string
	at         place
}

var settingsKind = kind[settings]{expected: "a mapping of Kafka's configuration keys", read: func(d *decoder, n *node) settings {
	if n.kind != mapping && n.kind != nothing {
		d.mismatch(n, "a mapping of Kafka's configuration keys")
		return nil
	}
	var set settings
	for _, p := range n.pairs {
		if p.value.kind != scalar {
			d.mismatch(p.value, "the value of "+clip(p.key))
			continue
		}
		set = append(set, setting{p.key, p.value.text, p.at})
	}
	return set
}}
