package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/sim"
	"groupscope/core/view"
)

// Offer is a command in one line, or the beginning of one, that makes sense at an event.
type Offer struct {
	Text  string // the whole line; it ends in a space or "=" while something is missing
	Word  string // its last word
	Verb  sim.Verb
	About string // in English, what the verb, argument or setting is for; "" for a name or value
	Ready bool   // it can be given as it is
}

// Offers lists what can be done to something after an event of the current branch: to a process, a group, a topic or one of its
// partitions; to the link between two processes, which are then both named; or to the cluster, with no name.
func (r *Run) Offers(event int, things ...string) []Offer {
	d, f := r.directory(event), r.History.Frame(event)
	var lines []string
	switch {
	case len(things) == 2:
		pair := things[0] + " " + things[1]
		lines = []string{"cut " + pair, "latency " + pair + " 250ms", "bandwidth " + pair + " 1000"}
		if isCut(f, things[0], things[1]) {
			lines[0] = "mend " + pair
		}
	case len(things) == 0:
		lines = d.additions(f, "")
	case slices.Contains(d.processes(), things[0]):
		life, _ := f.Liveness(kafka.NodeID(things[0]))
		lines = d.deeds(things[0], life)
	case slices.Contains(d.groups, things[0]):
		lines = []string{d.newMember(f, things[0])}
	default:
		topic := things[0]
		if tp, err := kafka.ParseTopicPartition(topic); err == nil && !slices.Contains(d.topicNames(), topic) {
			topic = tp.Topic
		}
		lines = d.additions(f, topic)
	}
	var offers []Offer
	for _, line := range lines {
		if o := r.offer(event, line); o.Ready || strings.HasSuffix(line, " ") {
			offers = append(offers, o)
		}
	}
	return offers
}

// offer completes a line to an offer.
func (r *Run) offer(event int, line string) Offer {
	words := splitLine(line)
	verb := words[0].text
	o := Offer{Text: line, Word: words[len(words)-1].text, Verb: sim.Verb(verb), About: findKey(commandKind.keys, verb).about}
	if !strings.HasSuffix(line, " ") && !strings.HasSuffix(line, "=") {
		_, err := r.Parse(event, line)
		o.Ready = err == nil
	}
	return o
}

func isCut(f *view.Frame, a, b string) bool {
	return slices.ContainsFunc(f.Cuts, func(c view.Cut) bool {
		return string(c.A) == a && string(c.B) == b || string(c.A) == b && string(c.B) == a
	})
}

// deeds is what can be done to a process.
func (d *directory) deeds(id string, l view.Liveness) []string {
	var forms []string
	switch {
	case l.Gone():
		forms = []string{"restart %s", "program %s ", "set %s "}
	case slices.Contains(d.brokers, id):
		forms = []string{"stop %s", "crash %s", "freeze %s 12s", "cut %s", "mend %s", "latency %s 250ms", "set %s "}
	case slices.Contains(d.consumers, id):
		forms = []string{"close %s", "crash %s", "freeze %s 12s", "slow %s 500ms", "cut %s", "mend %s", "latency %s 250ms", "wakeup %s",
			"program %s ", "subscribe %s ", "set %s "}
	default:
		forms = []string{"close %s", "crash %s", "freeze %s 12s", "cut %s", "mend %s", "latency %s 250ms", "set %s "}
	}
	var lines []string
	for _, form := range forms {
		if !strings.HasPrefix(form, "program") || slices.Contains(d.consumers, id) {
			lines = append(lines, fmt.Sprintf(form, id))
		}
	}
	return lines
}

// additions is what can be added for a topic, or to the cluster.
func (d *directory) additions(f *view.Frame, topic string) []string {
	if topic == "" {
		lines := []string{"add-topic " + free(d.topicNames(), "T") + " partitions=3", "add-broker " + free(d.brokers, "B")}
		if len(d.topics) > 0 {
			lines = append(lines, d.newProducer(d.topics[0].name), d.newConsumer(free(d.groups, "G"), d.topics[0].name))
		}
		return append(lines, "add-store "+free(d.stores, "S"))
	}
	lines := []string{d.newProducer(topic), d.newConsumer(free(d.groups, "G"), topic)}
	for _, g := range f.Groups {
		lines = append(lines, d.newConsumer(g.ID, topic))
	}
	for _, t := range d.topics {
		if t.name == topic {
			lines = append(lines, fmt.Sprintf("add-partitions %s %d", topic, t.partitions+1))
		}
	}
	return append(lines, "set "+topic+" ")
}

func (d *directory) newProducer(topic string) string {
	return "add-producer " + free(d.producers, "P") + " topic=" + topic + " every=500ms"
}

func (d *directory) newConsumer(group, topic string) string {
	return "add-consumer " + free(d.consumers, "C") + " group=" + group + " topics=" + topic
}

// newMember is a consumer that joins a group for the topics of a consumer that is in it.
func (d *directory) newMember(f *view.Frame, group string) string {
	topics := d.topicNames()
	for _, c := range f.Consumers {
		if c.Group == group && len(c.Topics) > 0 {
			topics = c.Topics
		}
	}
	return d.newConsumer(group, strings.Join(topics, ","))
}

// free is the first name of a letter and a number that is not taken.
func free(taken []string, letter string) string {
	for n := 1; ; n++ {
		if name := letter + strconv.Itoa(n); !slices.Contains(taken, name) {
			return name
		}
	}
}

// Complete lists how the last word of a line can go on after an event of the current branch. A line that ends in a space begins
// another word.
func (r *Run) Complete(event int, line string) []Offer {
	if len(line) > longestLine {
		return nil
	}
	words, last := splitLine(line), ""
	if n := len(words); n > 0 && !strings.HasSuffix(line, " ") {
		last, words = line[words[n-1].from:], words[:n-1]
	}
	before := strings.TrimSuffix(line, last)
	d := r.directory(event)
	var offers []Offer
	for _, c := range r.continuations(event, &d, words, last) {
		if !strings.HasPrefix(c.Word, last) || c.Word == "" {
			continue
		}
		o := Offer{Text: before + c.Word, Word: c.Word, Verb: c.Verb, About: c.About}
		if !strings.HasSuffix(c.Word, "=") {
			_, err := r.Parse(event, o.Text)
			o.Ready = err == nil
		}
		offers = append(offers, o)
	}
	return offers
}

// continuations is every word that can follow some words; last is what there is of it.
func (r *Run) continuations(event int, d *directory, words []word, last string) []Offer {
	if len(words) == 0 {
		var offers []Offer
		for _, v := range append(verbNames(), remove) {
			offers = append(offers, Offer{Word: v, Verb: sim.Verb(v), About: findKey(commandKind.keys, v).about})
		}
		return offers
	}
	name := words[0].text
	if name == remove && len(words) == 1 {
		return wordsOf(sim.Close, slices.DeleteFunc(d.processes(), func(id string) bool { return r.goneAt(event, id) }))
	}
	i := slices.Index(verbNames(), name)
	if i < 0 {
		return nil
	}
	v := verbs[i]
	switch {
	case len(words) == 1:
		return wordsOf(v.name, r.subjects(event, d, v))
	case adds(v.name):
		keys, scope := added(v.name)
		return argumentsOf(d, v.name, keys, scope, words[2:], last)
	case v.name == sim.Set:
		m := maker{decoder: &decoder{names: *d}, file: r.Plan.file}
		scope, _, _ := m.described(words[1].text)
		return argumentsOf(d, v.name, nil, scope, words[2:], last)
	}
	return d.restOf(v, words[2:], last)
}

func (r *Run) goneAt(event int, id string) bool {
	life, _ := r.History.Frame(event).Liveness(kafka.NodeID(id))
	return life.Gone()
}

func wordsOf(v sim.Verb, names []string) []Offer {
	var offers []Offer
	for _, n := range names {
		offers = append(offers, Offer{Word: n, Verb: v})
	}
	return offers
}

// subjects lists what a verb can be done to.
func (r *Run) subjects(event int, d *directory, v verb) []string {
	switch v.name {
	case sim.AddBroker:
		return []string{free(d.brokers, "B")}
	case sim.AddConsumer:
		return []string{free(d.consumers, "C")}
	case sim.AddProducer:
		return []string{free(d.producers, "P")}
	case sim.AddTopic:
		return []string{free(d.topicNames(), "T")}
	case sim.AddStore:
		return []string{free(d.stores, "S")}
	}
	names := slices.Clone(findKey(commandKind.keys, string(v.name)).known(d))
	return slices.DeleteFunc(names, func(id string) bool {
		switch v.name {
		case sim.Set, sim.Program, sim.AddPartitions, sim.Cut, sim.Mend, sim.Latency, sim.Bandwidth:
			return false
		case sim.Restart:
			return !r.goneAt(event, id)
		}
		return r.goneAt(event, id)
	})
}

// argumentsOf lists the named arguments of a description, or the values of the one that is begun.
func argumentsOf(d *directory, v sim.Verb, keys []key, scope kafka.Scope, given []word, last string) []Offer {
	if name, _, begun := strings.Cut(last, "="); begun {
		return wordsWith(v, name, valuesOf(d, findKey(keys, name), scope, name))
	}
	var offers []Offer
	add := func(name, about string) {
		if !slices.ContainsFunc(given, func(w word) bool { return w.name == name }) {
			offers = append(offers, Offer{Word: name + "=", Verb: v, About: about})
		}
	}
	for _, k := range keys {
		if k.name != "settings" && k.name != "start" {
			add(k.name, k.about)
		}
	}
	for _, k := range kafka.Keys(scope) {
		if !slices.Contains(filledIn, k.Name) {
			add(k.Name, k.Help)
		}
	}
	return offers
}

func wordsWith(v sim.Verb, name string, values []string) []Offer {
	var offers []Offer
	for _, value := range values {
		offers = append(offers, Offer{Word: name + "=" + value, Verb: v})
	}
	return offers
}

// valuesOf lists the values of an argument or setting, where they can be listed.
func valuesOf(d *directory, k key, scope kafka.Scope, name string) []string {
	if k.name != "" {
		if k.known == nil {
			return nil
		}
		return k.known(d)
	}
	setting, _ := kafka.LookupKey(scope, name)
	if setting.Type == kafka.BooleanType && setting.Name != "" {
		return []string{"true", "false"}
	}
	if len(setting.Allowed) == 0 && len(setting.Defaults) > 0 {
		return []string{setting.Defaults[len(setting.Defaults)-1].Value}
	}
	return setting.Allowed
}

// restOf lists the arguments of a verb that are not given yet.
func (d *directory) restOf(v verb, given []word, last string) []Offer {
	if name, _, begun := strings.Cut(last, "="); begun {
		return wordsWith(v.name, name, valuesOf(d, findKey(commandKind.keys, name), kafka.GroupScope, name))
	}
	bare := 0
	var offers []Offer
	for _, w := range given {
		if w.name == "" {
			bare++
		}
	}
	for i := bare; i < len(v.bare); i++ {
		if k := findKey(commandKind.keys, v.bare[i]); k.known != nil {
			offers = append(offers, wordsOf(v.name, k.known(d))...)
		} else {
			offers = append(offers, wordsOf(v.name, usual[v.bare[i]])...)
		}
		if slices.Contains(v.needs, v.bare[i]) {
			break
		}
	}
	for _, name := range slices.Concat(v.needs, v.takes) {
		if !slices.Contains(v.bare, name) && !slices.ContainsFunc(given, func(w word) bool { return w.name == name }) {
			offers = append(offers, Offer{Word: name + "=", Verb: v.name, About: findKey(commandKind.keys, name).about})
		}
	}
	return offers
}

// usual are values to begin with, of arguments that are no names.
var usual = map[string][]string{
	"for": {"250ms", "1s", "12s", "60s"}, "rate": {"1000", "0"}, "count": {"4", "6", "8"}, "method": {"poll", "close", "wakeup"},
}
