package lessons

import (
	"fmt"
	"slices"
	"time"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// commandEntry is a command as a file writes it: its time or condition, one verb, and what the verb asks for.
type commandEntry struct {
	times    // of the pattern that is run
	id       string
	place    place
	at       time.Duration
	timed    bool
	optional bool
	when     *Condition
	command  sim.Command

	// Of an added process or topic: its settings are checked with those of the others.
	brokers   []brokerEntry
	consumers []consumerEntry
	producers []producerEntry
	topics    []topicEntry

	of       string // whose settings are set
	settings settings
	runs     string // the program that is run
}

// verb is a verb with the arguments it needs and takes.
type verb struct {
	name         sim.Verb
	needs, takes []string
	bare         []string // arguments whose names a command in one line leaves out, in their order
}

var verbs = []verb{
	{name: sim.AddBroker}, {name: sim.AddConsumer}, {name: sim.AddProducer}, {name: sim.AddTopic}, {name: sim.AddStore},
	{name: sim.AddPartitions, needs: []string{"count"}, bare: []string{"count"}},
	{name: sim.Set, needs: []string{"settings"}},
	{name: sim.Program, needs: []string{"runs"}, takes: []string{"poll", "process", "store"}, bare: []string{"runs"}},
	{name: sim.Close}, {name: sim.Stop}, {name: sim.Crash}, {name: sim.Restart}, {name: sim.Wakeup},
	{name: sim.Freeze, needs: []string{"for"}, bare: []string{"for"}},
	{name: sim.Cut, takes: []string{"peer"}, bare: []string{"peer"}},
	{name: sim.Mend, takes: []string{"peer"}, bare: []string{"peer"}},
	{name: sim.Latency, needs: []string{"for"}, takes: []string{"peer"}, bare: []string{"peer", "for"}},
	{name: sim.Bandwidth, needs: []string{"rate"}, takes: []string{"peer"}, bare: []string{"peer", "rate"}},
	{name: sim.Slow, needs: []string{"for"}, bare: []string{"for"}},
	{name: sim.Subscribe, needs: []string{"topics"}, bare: []string{"topics"}},
	{name: sim.Call, needs: []string{"method"}, bare: []string{"method"}},
	{name: sim.Trap, needs: []string{"line", "does"}, takes: []string{"times", "for"}},
	{name: sim.Break, needs: []string{"peer", "api"}, takes: []string{"reply"}, bare: []string{"peer", "api"}},
}

// arguments are the keys of a command that are neither its moment nor a verb.
var arguments = []string{
	"for", "peer", "topics", "count", "rate", "method", "line", "times", "does", "api", "reply", "settings", "runs", "poll", "process", "store",
}

var commandKind = object("a command", []field[commandEntry]{
	may("at", durationKind, "when it is given", func(c *commandEntry) *time.Duration { return &c.at }),
	may("when", conditionKind, "or: it is given once, after the first event at which this holds", func(c *commandEntry) **Condition { return &c.when }),
	may("optional", truthKind, "whether the world may refuse it, given at a time", func(c *commandEntry) *bool { return &c.optional }),
	may("add-consumer", byID(idKind, readConsumer), "starts a consumer: one id and what stands under consumers", func(c *commandEntry) *[]consumerEntry { return &c.consumers }),
	may("add-producer", byID(idKind, readProducer), "starts a producer: one id and what stands under producers", func(c *commandEntry) *[]producerEntry { return &c.producers }),
	may("add-topic", byID(idKind, readNewTopic), "makes a topic: one id and its number of partitions", func(c *commandEntry) *[]topicEntry { return &c.topics }),
	may("add-broker", byID(idKind, readBroker), "a broker joins: one id and what stands under brokers", func(c *commandEntry) *[]brokerEntry { return &c.brokers }),
	may("add-store", asNode(idKind), "makes an external store of that id", nodeOf),
	may("set", thingKind, "changes settings of a process or topic", func(c *commandEntry) *string { return &c.of }),
	may("program", consumerKind, "a consumer closes, and starts again with another program", nodeOf),
	may("bandwidth", processKind, "how many bytes per second a link, or each of a node's, carries each way", nodeOf),
	may("add-partitions", topicKind, "widens a topic; count is the new total", func(c *commandEntry) *string { return &c.command.Topic }),
	may("close", clientKind, "a client ends itself in order", nodeOf),
	may("stop", brokerKind, "a broker ends in order: first its leaderships move", nodeOf),
	may("crash", processKind, "a process dies", nodeOf),
	may("restart", processKind, "a dead process begins again", nodeOf),
	may("wakeup", consumerKind, "consumer.wakeup() from another thread", nodeOf),
	may("freeze", processKind, "a process neither hears nor acts", nodeOf),
	may("cut", processKind, "a link, or all of a node's, passes nothing", nodeOf),
	may("mend", processKind, "a link passes messages again", nodeOf),
	may("latency", processKind, "one way, of a link or of all of a node's", nodeOf),
	may("slow", consumerKind, "the time for each record from now on", nodeOf),
	may("subscribe", consumerKind, "subscribes to other topics", nodeOf),
	may("call", consumerKind, "another thread calls a method of the consumer", nodeOf),
	may("trap", consumerKind, "something happens when its program enters a line", nodeOf),
	may("break", processKind, "its connection breaks when it next sends peer such a message, which is lost", nodeOf),
	may("for", durationKind, "how long", func(c *commandEntry) *time.Duration { return &c.command.For }),
	may("peer", processKind, "the other end of the link", func(c *commandEntry) *kafka.NodeID { return &c.command.Peer }),
	may("topics", list(topicKind), "the topics", func(c *commandEntry) *[]string { return &c.command.Topics }),
	may("count", partitionCountKind, "how many partitions", func(c *commandEntry) *int32 { return &c.command.Count }),
	may("rate", rateKind, "bytes per second; 0 for no limit", func(c *commandEntry) *int32 { return &c.command.Count }),
	may("settings", settingsKind, "the settings; one without a value goes back to its default", func(c *commandEntry) *settings { return &c.settings }),
	may("runs", programKind, "the program", func(c *commandEntry) *string { return &c.runs }),
	may("poll", givenTimeKind, "the timeout of poll, if the program is a pattern", func(c *commandEntry) **time.Duration { return &c.poll }),
	may("process", givenTimeKind, "how long a record takes, if the program is a pattern", func(c *commandEntry) **time.Duration { return &c.process }),
	may("store", storeKind, "the external store that the program writes to", func(c *commandEntry) *kafka.NodeID { return &c.command.Peer }),
	may("method", textKind, "the method that is called", func(c *commandEntry) *string { return &c.command.Method }),
	may("line", countKind, "the line of the listing", func(c *commandEntry) *int { return &c.command.Line }),
	may("times", timesKind, "it happens when the line is entered for the so many-th time; 1 if absent", func(c *commandEntry) *int32 { return &c.command.Count }),
	may("does", textKind, "what happens: crash, close, slow (for: how much longer the line takes), or the class of an exception", func(c *commandEntry) *string { return &c.command.Method }),
	may("api", apiKind, "the kind of request", func(c *commandEntry) *kafka.API { return &c.command.API }),
	may("reply", truthKind, "whether its reply is meant", func(c *commandEntry) *bool { return &c.command.Reply }),
})

func nodeOf(c *commandEntry) *kafka.NodeID { return &c.command.Node }

func readCommand(d *decoder, id string, p pair) commandEntry {
	c := readDeed(d, id, p)
	if c.timed = p.value.find("at") != nil; c.timed == (c.when != nil) {
		d.problem(p.at, fmt.Sprintf("command %q needs a moment", clip(id)), "either at or when", "")
	}
	return c
}

// readDeed reads what a command does, whatever its moment.
func readDeed(d *decoder, id string, p pair) commandEntry {
	c := commandKind.read(d, p.value)
	c.id, c.place = id, p.at
	given := slices.DeleteFunc(slices.Clone(p.value.pairs), func(q pair) bool { return !isVerb(q.key) })
	if len(given) != 1 {
		d.problem(p.at, fmt.Sprintf("command %q has %s", clip(id), counted(len(given), "verb")),
			oneOf(verbNames()), "")
		return c
	}
	c.command.Do = sim.Verb(given[0].key)
	c.command.At = c.at
	checkArguments(d, verbs[slices.Index(verbNames(), given[0].key)], p)
	checkAdded(d, c, given[0].value)
	checkTrap(d, c, p)
	return c
}

func isVerb(key string) bool { return slices.Contains(verbNames(), key) }

func verbNames() []string {
	known := make([]string, len(verbs))
	for i, v := range verbs {
		known[i] = string(v.name)
	}
	return known
}

// checkArguments checks that a verb has the arguments it needs, and none that it does not know.
func checkArguments(d *decoder, v verb, p pair) {
	for _, need := range v.needs {
		if p.value.find(need) == nil {
			d.problem(p.at, fmt.Sprintf("%s lacks %q", v.name, need), "", "")
		}
	}
	known := slices.Concat(v.needs, v.takes, []string{"at", "when", string(v.name)})
	for _, q := range p.value.pairs {
		if !slices.Contains(known, q.key) && slices.Contains(arguments, q.key) {
			d.problem(q.at, fmt.Sprintf("%s takes no %q", v.name, q.key), "", "")
		}
	}
}

// checkTrap checks that a trap says how long it takes if it is slow, and only then.
func checkTrap(d *decoder, c commandEntry, p pair) {
	if slow := c.command.Method == client.TrapSlow; c.command.Do == sim.Trap && slow != (p.value.find("for") != nil) {
		d.problem(p.at, fmt.Sprintf("trap does %q", clip(c.command.Method)), "for with does: slow, and only then", "")
	}
}

// adds reports whether a verb takes the description of what it adds, by its id.
func adds(v sim.Verb) bool {
	return slices.Contains([]sim.Verb{sim.AddBroker, sim.AddConsumer, sim.AddProducer, sim.AddTopic}, v)
}

// checkAdded checks that a command adds one thing.
func checkAdded(d *decoder, c commandEntry, n *node) {
	if adds(c.command.Do) && len(n.pairs) != 1 {
		d.problem(n.place, fmt.Sprintf("%s has %s", c.command.Do, counted(len(n.pairs), "id")), "one", "")
	}
}
