package lessons

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// A command in one line is what a person types and a link carries: the verb, what it is done to, and the arguments as name=value,
// those of verb.bare without their names. Lists are separated by commas; a value with spaces stands in double quotes; one that
// begins with [ or { is YAML. What it says is the same tree that a lesson file holds, so both are read by the same decoder.

// longestLine bounds a command in one line.
const longestLine = 4000

// word is a part of a line: a value, or a named one.
type word struct {
	name string // "" for a bare value
	text string // of the value, as it was typed
	from int    // where the word begins in the line, in bytes
	at   place
}

var namedWord = regexp.MustCompile(`^([a-z][a-z0-9.-]*)=(.*)$`)

// splitLine splits a line at its spaces, but for those within quotes and brackets.
func splitLine(line string) []word {
	var words []word
	begin, depth, quoted, escaped := -1, 0, false, false
	end := func(i int) {
		if begin >= 0 {
			words = append(words, newWord(line[begin:i], begin, place{Line: 1, Column: utf8.RuneCountInString(line[:begin]) + 1}))
			begin = -1
		}
	}
	for i, c := range line {
		if (c == ' ' || c == '\t') && !quoted && depth == 0 {
			end(i)
			continue
		}
		if begin < 0 {
			begin = i
		}
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		}
	}
	end(len(line))
	return words
}

func newWord(text string, from int, at place) word {
	if m := namedWord.FindStringSubmatch(text); m != nil {
		return word{m[1], m[2], from, at}
	}
	return word{"", text, from, at}
}

// value is a word as a node of a tree: a list where one is wanted.
func (w word) value(d *decoder, list bool) *node {
	text := w.text
	switch {
	case strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{"):
		tree, problems := parseYAML("", []byte(text))
		for _, p := range problems {
			d.problem(w.at, p.Message, p.Expected, p.Suggestion)
		}
		return placedAt(tree, w.at)
	case strings.HasPrefix(text, `"`):
		unquoted, err := strconv.Unquote(text)
		if err != nil {
			d.problem(w.at, "a quote that does not end, or ends too soon", `a text such as "a b"`, "")
		}
		text = unquoted
	}
	if !list {
		return &node{place: w.at, kind: scalar, text: text}
	}
	n := &node{place: w.at, kind: sequence}
	for item := range strings.SplitSeq(text, ",") {
		n.items = append(n.items, &node{place: w.at, kind: scalar, text: item})
	}
	return n
}

// placedAt is a tree with all its values at one place; nothing for no tree.
func placedAt(n *node, at place) *node {
	if n == nil {
		return &node{place: at}
	}
	m := *n
	m.place, m.pairs, m.items = at, nil, nil
	for _, p := range n.pairs {
		m.pairs = append(m.pairs, pair{p.key, at, placedAt(p.value, at)})
	}
	for _, item := range n.items {
		m.items = append(m.items, placedAt(item, at))
	}
	return &m
}

// remove is a verb for close and stop.
const remove = "remove"

// removes is the verb that takes something out of the run in order.
func (d *directory) removes(id string) sim.Verb {
	if slices.Contains(d.brokers, id) {
		return sim.Stop
	}
	return sim.Close
}

// readLine reads a line as the tree of a command without its moment; nil if there is no verb to begin with.
func (d *decoder) readLine(line string) *node {
	words := splitLine(line)
	at := place{Line: 1, Column: 1}
	if len(words) == 0 {
		d.problem(at, "nothing is said", "a command such as crash C1", "")
		return nil
	}
	name := words[0].text
	if name == remove && len(words) > 1 {
		name = string(d.names.removes(words[1].text))
	}
	i := slices.Index(verbNames(), name)
	if i < 0 || words[0].name != "" {
		d.unknown(words[0].at, "verb", words[0].text, append(verbNames(), remove))
		return nil
	}
	if len(words) == 1 || words[1].name != "" {
		d.problem(words[0].at, name+" lacks what it is done to", findKey(commandKind.keys, name).expected, "")
		return nil
	}
	v, subject := verbs[i], words[1]
	tree := &node{place: words[0].at, kind: mapping}
	if adds(v.name) {
		description := &node{place: subject.at, kind: mapping}
		keys, scope := added(v.name)
		d.describe(description, keys, scope, words[2:])
		tree.pairs = []pair{{name, words[0].at, &node{place: subject.at, kind: mapping, pairs: []pair{{subject.text, subject.at, description}}}}}
		return tree
	}
	tree.pairs = []pair{{name, words[0].at, subject.value(d, false)}}
	d.argue(tree, v, words[2:])
	return tree
}

func findKey(keys []key, name string) key {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}
	}
	return keys[i]
}

// added is what the description of something to add is made of: its own keys, and settings of a scope.
func added(v sim.Verb) ([]key, kafka.Scope) {
	switch v {
	case sim.AddBroker:
		return brokerEntryKind.keys, kafka.BrokerScope
	case sim.AddConsumer:
		return consumerEntryKind.keys, kafka.ConsumerScope
	case sim.AddProducer:
		return producerEntryKind.keys, kafka.ProducerScope
	}
	return newTopicKind.keys, kafka.TopicScope
}

// describe puts words into the description of what is added. A name that is no key of the description is one of Kafka's settings.
func (d *decoder) describe(added *node, keys []key, scope kafka.Scope, words []word) {
	var set []pair
	for _, w := range words {
		k := findKey(keys, w.name)
		_, setting := kafka.LookupKey(scope, w.name)
		switch {
		case w.name == "":
			d.problem(w.at, "a value without its name: "+clip(w.text), "name=value", "")
		case k.name != "" && w.name != "settings":
			added.pairs = append(added.pairs, pair{w.name, w.at, w.value(d, k.many)})
		case setting:
			set = append(set, pair{w.name, w.at, w.value(d, false)})
		default:
			d.unknown(w.at, "argument", w.name, slices.Concat(keyNames(keys), settingNames(scope)))
		}
	}
	d.putOnce(added, set)
}

// putOnce adds settings to a tree, and reports what stands there twice.
func (d *decoder) putOnce(tree *node, set []pair) {
	if len(set) > 0 {
		d.once(set)
		tree.pairs = append(tree.pairs, pair{"settings", set[0].at, &node{place: set[0].at, kind: mapping, pairs: set}})
	}
	d.once(tree.pairs)
}

func (d *decoder) once(pairs []pair) {
	for i, p := range pairs {
		if slices.ContainsFunc(pairs[:i], func(q pair) bool { return q.key == p.key }) {
			d.problem(p.at, clip(p.key)+" stands here a second time", "once", "")
		}
	}
}

func keyNames(keys []key) []string {
	var list []string
	for _, k := range keys {
		if k.name != "settings" {
			list = append(list, k.name)
		}
	}
	return list
}

func settingNames(scope kafka.Scope) []string {
	var list []string
	for _, k := range kafka.Keys(scope) {
		list = append(list, k.Name)
	}
	return list
}

// argue puts words into the arguments of a verb. Bare values are those of verb.bare in order; where there are too few, the verb
// does without the first that it need not have.
func (d *decoder) argue(tree *node, v verb, words []word) {
	bare := slices.Clone(v.bare)
	given := 0
	for _, w := range words {
		if w.name == "" {
			given++
		}
	}
	for i := 0; i < len(bare) && given < len(bare); {
		if slices.Contains(v.takes, bare[i]) {
			bare = slices.Delete(bare, i, i+1)
		} else {
			i++
		}
	}
	var set []pair
	for _, w := range words {
		name := w.name
		if name == "" && len(bare) > 0 {
			name, bare = bare[0], bare[1:]
		}
		known := slices.Concat(v.needs, v.takes)
		switch {
		case name == "":
			d.problem(w.at, string(v.name)+" takes no more: "+clip(w.text), "", "")
		case v.name == sim.Set:
			set = append(set, pair{name, w.at, w.value(d, false)})
		case !slices.Contains(known, name):
			d.unknown(w.at, "argument of "+string(v.name), name, known)
		default:
			tree.pairs = append(tree.pairs, pair{name, w.at, w.value(d, findKey(commandKind.keys, name).many)})
		}
	}
	d.putOnce(tree, set)
}

// lineOf is a command's tree as a line. The moment and what a line has no words for, which is nothing that readLine makes, are left out.
func lineOf(tree *node) string {
	for _, v := range verbs {
		value := tree.find(string(v.name))
		if value == nil {
			continue
		}
		line := string(v.name)
		if adds(v.name) && len(value.pairs) > 0 {
			return line + " " + value.pairs[0].key + named(value.pairs[0].value)
		}
		line += " " + valueText(value)
		rest := &node{kind: mapping}
		for _, name := range v.bare {
			if a := tree.find(name); a != nil {
				line += " " + valueText(a)
			}
		}
		for _, p := range tree.pairs {
			if slices.Contains(arguments, p.key) && !slices.Contains(v.bare, p.key) {
				rest.pairs = append(rest.pairs, p)
			}
		}
		return line + named(rest)
	}
	return ""
}

// named writes the pairs of a mapping as name=value, settings under their own names.
func named(n *node) string {
	var b strings.Builder
	for _, p := range n.pairs {
		if p.key == "settings" {
			b.WriteString(named(p.value))
			continue
		}
		b.WriteString(" " + p.key + "=")
		if p.value.kind != scalar || p.value.text != "" {
			b.WriteString(valueText(p.value))
		}
	}
	return b.String()
}

// plainWord can stand in a line as it is, plainItem in a list too.
var (
	plainWord = regexp.MustCompile(`^[\p{L}\p{N}.*+/_:;|()$^!?,-]+$`)
	plainItem = regexp.MustCompile(`^[\p{L}\p{N}.*+/_:;|()$^!?-]+$`)
)

// valueText writes a value as a word of a line.
func valueText(n *node) string {
	switch n.kind {
	case scalar:
		if plainWord.MatchString(n.text) {
			return n.text
		}
		return strconv.Quote(n.text)
	case sequence:
		items := make([]string, len(n.items))
		for i, item := range n.items {
			if items[i] = item.text; item.kind != scalar || !plainItem.MatchString(item.text) {
				return flowYAML(n)
			}
		}
		if len(items) > 0 {
			return strings.Join(items, ",")
		}
	}
	return flowYAML(n)
}
