package lessons

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

var (
	partitionCountKind = single(fmt.Sprintf("a number of partitions from 1 to %d", maxPartitions), func(s string) (int32, bool) {
		n, err := strconv.Atoi(s)
		return int32(n), err == nil && n >= 1 && n <= maxPartitions
	})
	rateKind = single("a number of bytes per second; 0 for no limit", func(s string) (int32, bool) {
		n, err := strconv.ParseInt(s, 10, 32)
		return int32(n), err == nil && n >= 0
	})
	byteRateKind = single("a number of bytes per second from 1", func(s string) (int64, bool) {
		n, err := strconv.ParseInt(s, 10, 32)
		return n, err == nil && n >= 1
	})
	timesKind = single("a whole number from 1", func(s string) (int32, bool) {
		n, err := strconv.ParseInt(s, 10, 32)
		return int32(n), err == nil && n >= 1
	})
	intervalKind = timeKind("a time of at least 1ms, such as 250ms", func(s string) (time.Duration, bool) {
		every, ok := parseDuration(s)
		return every, ok && every >= time.Millisecond
	})
)

// counted writes a number with what it counts: "no verb", "1 verb", "2 verbs".
func counted(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// readPlan makes a plan of a tree. A plan with problems must not be played.
func readPlan(root *node) (Plan, lessonFile, Problems) {
	d := &decoder{names: newDirectory(root)}
	f := lessonKind.read(d, root)
	f.Release = cmp.Or(f.Release, kafka.DefaultRelease)
	settleQuestions(d, f.Beats)
	m := maker{decoder: d, file: &f}
	m.checkIDs(root)
	plan := Plan{Script: m.script(), Beats: f.Beats, until: root.keyPlace("until"), root: root, file: &f}
	for _, c := range f.Commands {
		command := m.command(c)
		if c.at > f.Until && f.Until > 0 {
			d.problem(c.place, fmt.Sprintf("command %q comes after the end", clip(c.id)), "a time before until", "")
		}
		if c.timed {
			plan.Script.Commands = append(plan.Script.Commands, command)
			plan.given = append(plan.given, timedCommand{c.place, c.optional})
		} else if c.when != nil {
			plan.Commands = append(plan.Commands, Conditional{c.id, c.when, command, c.place})
		}
	}
	return plan, f, d.problems
}

// maker turns what the file says into what the world is built from.
type maker struct {
	*decoder
	file *lessonFile
}

// checkIDs checks that every process has an id of its own.
func (m *maker) checkIDs(root *node) {
	seen := map[string]string{string(kafka.Controller): "the controller"}
	for _, what := range []string{"brokers", "consumers", "producers", "stores"} {
		for _, id := range keysOf(root.find(what)) {
			if other, taken := seen[id]; taken {
				m.problem(root.find(what).keyPlace(id), fmt.Sprintf("the id %q is taken by %s", clip(id), other), "another id", "")
			}
			seen[id] = "one of the " + what
		}
	}
}

func (m *maker) script() sim.Script {
	f := m.file
	s := sim.Script{Seed: f.Seed, Release: f.Release, Latency: f.Latency, Quotas: f.Quotas, Until: f.Until}
	for _, b := range f.Brokers {
		s.Brokers = append(s.Brokers, m.broker(b))
	}
	for _, t := range f.Topics {
		s.Topics = append(s.Topics, m.topic(t))
	}
	for _, c := range f.Consumers {
		s.Consumers = append(s.Consumers, m.consumer(c))
	}
	for _, e := range f.Stores {
		s.Stores = append(s.Stores, e.id)
	}
	for _, p := range f.Producers {
		s.Producers = append(s.Producers, m.producer(p))
	}
	return s
}

func (m *maker) release(own kafka.Release) kafka.Release {
	return cmp.Or(own, m.file.Release)
}

func (m *maker) broker(b brokerEntry) sim.BrokerSpec {
	b.Settings = m.settled(kafka.BrokerScope, m.release(b.Release), m.file.Settings.Broker, b.settings, nil, b.place)
	return b.BrokerSpec
}

func (m *maker) topic(t topicEntry) sim.TopicSpec {
	t.Settings = m.settled(kafka.TopicScope, m.file.Release, m.file.Settings.Topic, t.settings, nil, t.place)
	return t.TopicSpec
}

// filledIn are the keys that the model sets by itself.
var filledIn = []string{"group.id", "bootstrap.servers"}

func (m *maker) consumer(c consumerEntry) client.ConsumerSpec {
	program := m.timed(c.program, c.times, c.place)
	c.Program = program.Program
	if program.stores && c.Store == "" {
		m.problem(c.place, fmt.Sprintf("consumer %q lacks %q", clip(string(c.ID)), "store"), "the external store that its program writes to", "")
	}
	shared := slices.Clone(m.file.Settings.Consumer)
	for _, key := range slices.Sorted(maps.Keys(program.settings)) {
		shared = append(shared, setting{key, program.settings[key], c.place})
	}
	given := map[string]string{"group.id": c.Group, "bootstrap.servers": "B1"}
	c.Settings = m.settled(kafka.ConsumerScope, m.release(c.Release), shared, c.settings, given, c.place)
	return c.ConsumerSpec
}

// program finds the program of that name, among the lesson's and the model's; "" is the zero Program, the model's own choice.
func (m *maker) program(name string) programEntry {
	for _, p := range m.file.Programs {
		if p.id == name {
			return p
		}
	}
	if name == "" {
		return programEntry{}
	}
	return patternEntry(name, name, usualTimes)
}

// timed is program with times of its own, which only a pattern takes.
func (m *maker) timed(name string, given times, at place) programEntry {
	p := m.program(name)
	switch {
	case given == (times{}):
		return p
	case name == "":
		return patternEntry("auto-commit", "auto-commit", given)
	case p.pattern == "":
		m.problem(at, fmt.Sprintf("program %q has its times in its code", clip(name)), "poll and process only with a pattern", "")
		return p
	}
	return patternEntry(p.id, p.pattern, given.over(p.times))
}

func (m *maker) producer(p producerEntry) client.ProducerSpec {
	given := map[string]string{"bootstrap.servers": "B1"}
	p.Settings = m.settled(kafka.ProducerScope, m.release(p.Release), m.file.Settings.Producer, p.settings, given, p.place)
	return p.ProducerSpec
}

// settled lays a process's own settings over the shared ones and checks them as that release would, with the settings
// that the model fills in. Each error is put where the key is set; an error about a key set nowhere, at the process.
func (m *maker) settled(scope kafka.Scope, release kafka.Release, shared, own settings, given map[string]string, at place) map[string]string {
	set, places := map[string]string{}, map[string]place{}
	for _, s := range slices.Concat(shared, own) {
		if slices.Contains(filledIn, s.key) && given != nil {
			m.problem(s.at, fmt.Sprintf("%q is filled in by the model", s.key), "", "")
			continue
		}
		set[s.key], places[s.key] = s.value, s.at
	}
	checked := maps.Clone(set)
	maps.Copy(checked, given)
	_, wrong := kafka.NewConfig(scope, release, checked)
	for _, e := range wrong {
		where, ok := places[e.Key]
		if !ok {
			where = at
		}
		m.problem(where, fmt.Sprintf("%s: %s", clip(e.Key), e.Problem), e.Expected, e.Suggestion)
	}
	return set
}

// command completes a command with what it adds.
func (m *maker) command(c commandEntry) sim.Command {
	command := c.command
	if len(c.consumers) > 0 {
		spec := m.consumer(c.consumers[0])
		command.Consumer = &spec
	}
	if len(c.producers) > 0 {
		spec := m.producer(c.producers[0])
		command.Producer = &spec
	}
	if len(c.topics) > 0 {
		spec := m.topic(c.topics[0])
		command.NewTopic = &spec
	}
	if len(c.brokers) > 0 {
		spec := m.broker(c.brokers[0])
		command.Broker = &spec
	}
	switch command.Do {
	case sim.Set:
		m.set(c, &command)
	case sim.Program:
		program := m.timed(c.runs, c.times, c.place)
		command.Program, command.Settings = &program.Program, program.settings
		if len(program.settings) == 0 && program.pattern != "" {
			command.Settings = map[string]string{"enable.auto.commit": ""} // what another pattern needed
		}
		if program.stores && command.Peer == "" {
			m.problem(c.place, fmt.Sprintf("program %q lacks %q", clip(c.runs), "store"), "the external store that it writes to", "")
		}
	}
	return command
}

// set completes a command that changes settings. They are checked with what the file sets for the same process or topic; with what
// other commands have set before it, the world checks them when it is given.
func (m *maker) set(c commandEntry, command *sim.Command) {
	scope, release, before := m.described(c.of)
	if scope == kafka.TopicScope {
		command.Topic = c.of
	} else {
		command.Node = kafka.NodeID(c.of)
	}
	command.Settings = map[string]string{}
	kept := settings{}
	for _, s := range c.settings {
		command.Settings[s.key] = s.value
		if _, ok := kafka.LookupKey(scope, s.key); !ok || s.value != "" {
			kept = append(kept, s)
		}
	}
	m.settled(scope, release, before, kept, givenTo(scope, c.of), c.place)
}

// described is what the file says of a process or topic: its scope, its release and its settings, the shared ones first.
func (m *maker) described(id string) (kafka.Scope, kafka.Release, settings) {
	f := m.file
	for _, b := range f.Brokers {
		if string(b.ID) == id {
			return kafka.BrokerScope, m.release(b.Release), slices.Concat(f.Settings.Broker, b.settings)
		}
	}
	for _, c := range f.Consumers {
		if string(c.ID) == id {
			return kafka.ConsumerScope, m.release(c.Release), slices.Concat(f.Settings.Consumer, c.settings)
		}
	}
	for _, p := range f.Producers {
		if string(p.ID) == id {
			return kafka.ProducerScope, m.release(p.Release), slices.Concat(f.Settings.Producer, p.settings)
		}
	}
	switch names := &m.names; {
	case slices.Contains(names.consumers, id):
		return kafka.ConsumerScope, f.Release, f.Settings.Consumer
	case slices.Contains(names.producers, id):
		return kafka.ProducerScope, f.Release, f.Settings.Producer
	case slices.Contains(names.brokers, id):
		return kafka.BrokerScope, f.Release, f.Settings.Broker
	}
	return kafka.TopicScope, f.Release, f.Settings.Topic
}

// givenTo is what the model fills in, enough for settings to be checked.
func givenTo(scope kafka.Scope, id string) map[string]string {
	switch scope {
	case kafka.ConsumerScope:
		return map[string]string{"group.id": "G1", "bootstrap.servers": "B1"}
	case kafka.ProducerScope:
		return map[string]string{"bootstrap.servers": "B1"}
	}
	return nil
}

// withoutVariants is the base of a lesson as a tree.
func withoutVariants(root *node) *node {
	base := *root
	base.pairs = slices.DeleteFunc(slices.Clone(root.pairs), func(p pair) bool { return p.key == "variants" })
	return &base
}
