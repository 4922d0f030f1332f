package lessons

import (
	"fmt"
	"slices"
	"time"

	"groupscope/core/assign"
	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// lessonFile is lesson.yaml as it is written; plan.go makes a Plan of it.
type lessonFile struct {
	Format    int
	Release   kafka.Release
	Seed      uint64
	Latency   time.Duration
	Until     time.Duration
	Settings  sharedSettings
	Quotas    []broker.Quota
	Brokers   []brokerEntry
	Topics    []topicEntry
	Consumers []consumerEntry
	Producers []producerEntry
	Stores    []storeEntry
	Programs  []programEntry
	Commands  []commandEntry
	Beats     []Beat
	Sources   []Source
	Variants  []variantEntry
}

// sharedSettings are set for every process or topic that does not set them itself.
type sharedSettings struct {
	Broker, Topic, Consumer, Producer settings
}

// The entries keep beside what they describe the settings with their places, and the place of the whole.
type (
	brokerEntry struct {
		sim.BrokerSpec
		settings settings
		place    place
	}
	topicEntry struct {
		sim.TopicSpec
		settings settings
		place    place
	}
	consumerEntry struct {
		client.ConsumerSpec
		times
		program  string
		settings settings
		place    place
	}
	producerEntry struct {
		client.ProducerSpec
		settings settings
		place    place
	}
	storeEntry   struct{ id kafka.NodeID }
	variantEntry struct {
		id    string
		patch *node
	}
)

// lessonKind is the whole of lesson.yaml.
var lessonKind = object("a lesson", []field[lessonFile]{
	must("format", formatKind, "the format of this file: 1", func(f *lessonFile) *int { return &f.Format }),
	may("release", releaseKind, "the release of every broker and client that names none; 3.9 if absent", func(f *lessonFile) *kafka.Release { return &f.Release }),
	may("seed", seedKind, "what random draws are made from; the model draws nothing yet", func(f *lessonFile) *uint64 { return &f.Seed }),
	may("latency", durationKind, "of every link, one way", func(f *lessonFile) *time.Duration { return &f.Latency }),
	must("until", untilKind, "when the lesson ends", func(f *lessonFile) *time.Duration { return &f.Until }),
	may("settings", sharedKind, "settings for all brokers, topics, consumers or producers", func(f *lessonFile) *sharedSettings { return &f.Settings }),
	may("quotas", byID(idKind, readQuota), "what the clients of a client.id may carry, by client.id", func(f *lessonFile) *[]broker.Quota { return &f.Quotas }),
	must("brokers", some(byID(idKind, readBroker)), "the brokers", func(f *lessonFile) *[]brokerEntry { return &f.Brokers }),
	must("topics", byID(idKind, readTopic), "the topics", func(f *lessonFile) *[]topicEntry { return &f.Topics }),
	may("consumers", byID(idKind, readConsumer), "the consumers", func(f *lessonFile) *[]consumerEntry { return &f.Consumers }),
	may("producers", byID(idKind, readProducer), "the producers", func(f *lessonFile) *[]producerEntry { return &f.Producers }),
	may("stores", byID(idKind, readStore), "external stores, such as a database", func(f *lessonFile) *[]storeEntry { return &f.Stores }),
	may("programs", byID(slugKind, readProgram), "programs that consumers can run", func(f *lessonFile) *[]programEntry { return &f.Programs }),
	may("commands", byID(slugKind, readCommand), "what is done from outside, and when", func(f *lessonFile) *[]commandEntry { return &f.Commands }),
	must("beats", some(byID(slugKind, readBeat)), "the steps of the narration, in order", func(f *lessonFile) *[]Beat { return &f.Beats }),
	may("variants", byID(slugKind, readVariant), "named patches of everything above (JSON Merge Patch)", func(f *lessonFile) *[]variantEntry { return &f.Variants }),
	may("sources", sourcesKind, "the documents and headings that the lesson teaches from", func(f *lessonFile) *[]Source { return &f.Sources }),
})

var sharedKind = object("settings", []field[sharedSettings]{
	may("broker", settingsKind, "of every broker", func(s *sharedSettings) *settings { return &s.Broker }),
	may("topic", settingsKind, "of every topic", func(s *sharedSettings) *settings { return &s.Topic }),
	may("consumer", settingsKind, "of every consumer", func(s *sharedSettings) *settings { return &s.Consumer }),
	may("producer", settingsKind, "of every producer", func(s *sharedSettings) *settings { return &s.Producer }),
})

var quotaEntryKind = object("a quota", []field[broker.Quota]{
	may("consumer_byte_rate", byteRateKind, "what they may fetch from each broker, all of them together", func(q *broker.Quota) *int64 { return &q.FetchRate }),
	may("producer_byte_rate", byteRateKind, "what they may produce to each broker, all of them together", func(q *broker.Quota) *int64 { return &q.ProduceRate }),
})

func readQuota(d *decoder, id string, p pair) broker.Quota {
	q := quotaEntryKind.read(d, p.value)
	q.ClientID = id
	return q
}

var brokerEntryKind = object("a broker", []field[brokerEntry]{
	may("release", releaseKind, "its release", func(b *brokerEntry) *kafka.Release { return &b.Release }),
	may("rack", textKind, "where it stands", func(b *brokerEntry) *string { return &b.Rack }),
	may("settings", settingsKind, "its settings", func(b *brokerEntry) *settings { return &b.settings }),
})

func readBroker(d *decoder, id string, p pair) brokerEntry {
	b := brokerEntryKind.read(d, p.value)
	b.ID, b.place = kafka.NodeID(id), p.at
	return b
}

var topicEntryKind = object("a topic", []field[topicEntry]{
	must("partitions", partitionCountKind, "how many", func(t *topicEntry) *int32 { return &t.Partitions }),
	may("leaders", list(brokerKind), "the broker that leads each partition; brokers in turn if absent", func(t *topicEntry) *[]kafka.NodeID { return &t.Leaders }),
	may("replication", timesKind, "how many copies of each partition; the brokers' default.replication.factor if absent", func(t *topicEntry) *int32 { return &t.Replication }),
	may("replicas", list(list(brokerKind)), "or: the brokers that keep each partition, the preferred leader first", func(t *topicEntry) *[][]kafka.NodeID { return &t.Replicas }),
	may("records", recordsKind, "how many records each partition holds at the start", func(t *topicEntry) *int { return &t.Records }),
	may("record-size", countKind, "the size of those records in bytes", func(t *topicEntry) *int { return &t.RecordSize }),
	may("settings", settingsKind, "its settings", func(t *topicEntry) *settings { return &t.settings }),
})

// newTopicKind is a topic that a command makes; it begins empty, its leaders are chosen by the controller.
var newTopicKind = object("a new topic", []field[topicEntry]{
	must("partitions", partitionCountKind, "how many", func(t *topicEntry) *int32 { return &t.Partitions }),
	may("replication", timesKind, "how many copies of each partition; the brokers' default.replication.factor if absent", func(t *topicEntry) *int32 { return &t.Replication }),
	may("settings", settingsKind, "its settings", func(t *topicEntry) *settings { return &t.settings }),
})

func readNewTopic(d *decoder, id string, p pair) topicEntry {
	t := newTopicKind.read(d, p.value)
	t.Name, t.place = id, p.at
	return t
}

func readTopic(d *decoder, id string, p pair) topicEntry {
	t := topicEntryKind.read(d, p.value)
	t.Name, t.place = id, p.at
	forEachPartition(d, p.value.find("leaders"), "leader", t.Partitions)
	forEachPartition(d, p.value.find("replicas"), "list of replicas", t.Partitions)
	return t
}

// forEachPartition checks that a list has an entry for each partition.
func forEachPartition(d *decoder, n *node, what string, partitions int32) {
	if n != nil && len(n.items) > 0 && partitions > 0 && len(n.items) != int(partitions) {
		d.problem(n.place, fmt.Sprintf("%s for %s", counted(len(n.items), what), counted(int(partitions), "partition")), "one for each partition", "")
	}
}

var consumerEntryKind = object("a consumer", []field[consumerEntry]{
	may("group", among(func(d *directory) []string { return d.groups }, idKind), "its group; it can be absent only with assign", func(c *consumerEntry) *string { return &c.Group }),
	may("topics", some(list(topicKind)), "what it subscribes to,", func(c *consumerEntry) *[]string { return &c.Topics }),
	may("pattern", regexKind, "or: all topics whose whole name this regular expression matches,", func(c *consumerEntry) *string { return &c.Pattern }),
	may("assign", some(list(partitionKind)), "or: what it assigns to itself, outside the group protocol", func(c *consumerEntry) *[]kafka.TopicPartition { return &c.Assigned }),
	may("start", durationKind, "when it starts; at the beginning if absent", func(c *consumerEntry) *time.Duration { return &c.Start }),
	may("program", programKind, "the program it runs: one of programs, or a pattern of the model; auto-commit if absent", func(c *consumerEntry) *string { return &c.program }),
	may("poll", givenTimeKind, "the timeout of poll, if the program is a pattern", func(c *consumerEntry) **time.Duration { return &c.poll }),
	may("process", givenTimeKind, "how long a record takes, if the program is a pattern", func(c *consumerEntry) **time.Duration { return &c.process }),
	may("assignors", byID(idKind, readAssignor), "assignors of its own, by name, which it prefers to those of partition.assignment.strategy", func(c *consumerEntry) *[]assign.Custom { return &c.Custom }),
	may("store", storeKind, "the external store it writes to", func(c *consumerEntry) *kafka.NodeID { return &c.Store }),
	may("release", releaseKind, "its release", func(c *consumerEntry) *kafka.Release { return &c.Release }),
	may("settings", settingsKind, "its settings", func(c *consumerEntry) *settings { return &c.settings }),
})

func readConsumer(d *decoder, id string, p pair) consumerEntry {
	c := consumerEntryKind.read(d, p.value)
	c.ID, c.place = kafka.NodeID(id), p.at
	ways := slices.DeleteFunc([]string{"topics", "pattern", "assign"}, func(way string) bool { return p.value.find(way) == nil })
	if len(ways) > 1 || len(ways) == 0 && c.program == "" {
		d.problem(p.at, fmt.Sprintf("consumer %q has %s to get partitions", clip(id), counted(len(ways), "way")), "topics, pattern or assign", "")
	}
	if c.Group == "" && p.value.find("group") == nil && p.value.find("assign") == nil {
		d.problem(p.at, fmt.Sprintf("consumer %q lacks %q", clip(id), "group"), "a group, as only assign does without", "")
	}
	return c
}

func readStore(d *decoder, id string, p pair) storeEntry {
	if p.value.kind != mapping || len(p.value.pairs) > 0 {
		d.mismatch(p.value, "{}: a store has no settings")
	}
	return storeEntry{kafka.NodeID(id)}
}

var producerEntryKind = object("a producer", []field[producerEntry]{
	must("topic", topicKind, "where it sends to", func(e *producerEntry) *string { return &e.Topic }),
	must("every", intervalKind, "the time between two records", func(e *producerEntry) *time.Duration { return &e.Every }),
	may("start", durationKind, "when it starts", func(e *producerEntry) *time.Duration { return &e.Start }),
	may("stop", durationKind, "when it stops; never if absent", func(e *producerEntry) *time.Duration { return &e.Stop }),
	may("count", countKind, "it stops after so many records", func(e *producerEntry) *int { return &e.Count }),
	may("keys", list(textKind), "keys of the records, used in turn; none if absent", func(e *producerEntry) *[]string { return &e.Keys }),
	may("headers", headersKind, "headers of every record, by name", func(e *producerEntry) *[]kafka.Header { return &e.Headers }),
	may("unreadable", truthKind, "whether consumers cannot deserialize its records", func(e *producerEntry) *bool { return &e.Unreadable }),
	may("per-transaction", countKind, "with transactional.id: the records of a transaction; 1 if absent", func(e *producerEntry) *int { return &e.PerTransaction }),
	may("ends", list(endKind), "with transactional.id: how its transactions end, in turn; commit if absent", func(e *producerEntry) *[]string { return &e.Ends }),
	may("size", countKind, "the size of a record in bytes", func(e *producerEntry) *int { return &e.Size }),
	may("release", releaseKind, "its release", func(e *producerEntry) *kafka.Release { return &e.Release }),
	may("settings", settingsKind, "its settings", func(e *producerEntry) *settings { return &e.settings }),
})

// endKind is how a transaction ends.
var endKind = single("commit, abort or hang", func(s string) (string, bool) {
	return s, slices.Contains([]string{client.CommitTransaction, client.AbortTransaction, client.HangTransaction}, s)
})

// headersKind is a mapping from a header's name to its value.
var headersKind = byID(idKind, func(d *decoder, id string, p pair) kafka.Header {
	return kafka.Header{Name: id, Value: textKind.read(d, p.value)}
})

func readProducer(d *decoder, id string, p pair) producerEntry {
	e := producerEntryKind.read(d, p.value)
	e.ID, e.place = kafka.NodeID(id), p.at
	return e
}

func readVariant(d *decoder, id string, p pair) variantEntry {
	if p.value.kind != mapping {
		d.mismatch(p.value, "a mapping that patches the lesson")
	}
	return variantEntry{id, p.value}
}

// sourcesKind is a mapping from a document to the headings of its sections.
var sourcesKind = byID(idKind, func(d *decoder, id string, p pair) Source {
	return Source{Document: id, Headings: list(textKind).read(d, p.value)}
})
