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
	plan := Plan{Script: m.script(), Beats: f.Beats, until: root.keyPlace("until")}
	for _, c := range f.Commands {
		command := m.command(c)
		if c.at > f.Until && f.Until > 0 {
			d.problem(c.place, fmt.Sprintf("command %q comes after the end", clip(c.id)), "a time before until", "")
		}
		if c.timed {
			plan.Script.Commands = append(plan.Script.Commands, command)
			plan.given = append(plan.given, c.place)
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
	s := sim.Script{Seed: f.Seed, Release: f.Release, Latency: f.Latency, Until: f.Until}
	for _, b := range f.Brokers {
		b.Settings = m.settled(kafka.BrokerScope, m.release(b.Release), f.Settings.Broker, b.settings, nil, b.place)
		s.Brokers = append(s.Brokers, b.BrokerSpec)
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

func (m *maker) topic(t topicEntry) sim.TopicSpec {
	t.Settings = m.settled(kafka.TopicScope, m.file.Release, m.file.Settings.Topic, t.settings, nil, t.place)
	return t.TopicSpec
}

// filledIn are the keys that the model sets by itself.
var filledIn = []string{"group.id", "client.id", "bootstrap.servers"}

func (m *maker) consumer(c consumerEntry) client.ConsumerSpec {
	program := m.program(c.program)
	c.Program = program.Program
	if program.stores && c.Store == "" {
		m.problem(c.place, fmt.Sprintf("consumer %q lacks %q", clip(string(c.ID)), "store"), "the external store that its program writes to", "")
	}
	shared := slices.Clone(m.file.Settings.Consumer)
	for _, key := range slices.Sorted(maps.Keys(program.settings)) {
		shared = append(shared, setting{key, program.settings[key], c.place})
	}
	given := map[string]string{"group.id": c.Group, "client.id": string(c.ID), "bootstrap.servers": "B1"}
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
	return patternEntry(name, name, usualPoll, usualProcess)
}

func (m *maker) producer(p producerEntry) client.ProducerSpec {
	given := map[string]string{"client.id": string(p.ID), "bootstrap.servers": "B1"}
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
	return command
}

// withoutVariants is the base of a lesson as a tree.
func withoutVariants(root *node) *node {
	base := *root
	base.pairs = slices.DeleteFunc(slices.Clone(root.pairs), func(p pair) bool { return p.key == "variants" })
	return &base
}
