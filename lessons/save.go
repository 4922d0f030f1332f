package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// savedWords is what a saved run says of itself, by language; any other language says it as English does.
var savedWords = map[string]struct{ idea, act string }{
	"en": {"Saved from: %s", "At {{time}} s."},
	"zh": {"存自：%s", "第 {{time}} 秒。"},
}

// Save is the current branch as the files of a lesson, by name: lesson.yaml and the words in one language. Played, it has the same
// trace: what was given in the run comes after the same events. The beats are those of the lesson before the first act, and one
// for each act.
func (r *Run) Save(title, lang string) map[string]string {
	said, known := savedWords[lang]
	if !known {
		said = savedWords["en"]
	}
	kept := r.beatsBeforeActs()
	beats, words := &node{kind: mapping}, &node{kind: mapping}
	for i := range kept {
		b := r.Plan.Beats[i]
		beats.pairs = append(beats.pairs, pair{key: b.ID, value: without(r.Plan.root.find("beats").find(b.ID), "predict", "compare")})
		text := r.words.in(lang).Beats[i]
		words.pairs = append(words.pairs, pair{key: b.ID, value: mappingOf("title", text.Title.source(), "text", text.Text.source())})
	}
	commands, ids := r.savedCommands()
	for i, act := range r.Acts() {
		beat := &node{kind: mapping, pairs: []pair{
			{key: "when", value: &node{kind: mapping, pairs: []pair{{key: "events", value: mappingOf("at-least", strconv.Itoa(act.After+1))}}}},
			{key: "look", value: &node{kind: sequence, items: []*node{{kind: scalar, text: subjectOf(act.tree)}}}},
		}}
		beats.pairs = append(beats.pairs, pair{key: ids[i], value: beat})
		line := strings.ReplaceAll(act.Text, "{{", "{ {")
		words.pairs = append(words.pairs, pair{key: ids[i], value: mappingOf("title", line, "text", said.act)})
	}
	root := without(r.Plan.root, "variants", "sources", "compare", "commands", "beats", "until")
	root.pairs = append(root.pairs, pair{key: "until", value: &node{kind: scalar, text: r.Until().String()}})
	if len(commands.pairs) > 0 {
		root.pairs = append(root.pairs, pair{key: "commands", value: commands})
	}
	root.pairs = append(root.pairs, pair{key: "beats", value: beats})
	of := mappingOf("title", title, "idea", fmt.Sprintf(said.idea, r.Title(lang)))
	of.pairs = append(of.pairs, pair{key: "beats", value: words})
	return map[string]string{lessonName: yamlOf(root), lang + ".yaml": yamlOf(of)}
}

// beatsBeforeActs lists the lesson's beats that are reached before the first act of the current branch, in any case the first one if
// it is the start itself. One that is reached by its time belongs before the act only if something else happened after it.
func (r *Run) beatsBeforeActs() []Beat {
	narrated, acted := r.narrated(), len(r.Acts()) > 0
	n := 0
	for n < len(r.Reached) {
		b, at := &r.Plan.Beats[n], r.Reached[n].Event
		if at > narrated || acted && b.Timed && at == narrated {
			break
		}
		n++
	}
	return r.Plan.Beats[:n]
}

// savedCommands lists the commands of the current branch: those that come by time, then those that were given, after the same
// events; and the ids of the person's.
func (r *Run) savedCommands() (commands *node, acts []string) {
	commands = &node{kind: mapping}
	byTime := r.Plan.root.find("commands")
	taken := keysOf(byTime)
	refused := r.refused()
	for _, p := range pairsOf(byTime) {
		if p.value.find("at") == nil {
			continue
		}
		if refused[len(commands.pairs)] != "" {
			p.value = without(p.value, "optional")
			p.value.pairs = append(p.value.pairs, pair{key: "optional", value: &node{kind: scalar, text: "true"}})
		}
		commands.pairs = append(commands.pairs, p)
	}
	give := func(id string, tree *node, after int) {
		deed := without(tree, "when", "at")
		when := &node{kind: mapping, pairs: []pair{{key: "events", value: mappingOf("is", strconv.Itoa(after))}}}
		deed.pairs = slices.Insert(deed.pairs, 0, pair{key: "when", value: when})
		commands.pairs = append(commands.pairs, pair{key: id, value: deed})
	}
	path := r.path(r.History.Current())
	for i, b := range path {
		state := r.branches[b.ID]
		if i > 0 {
			id := free(append(slices.Clone(acts), taken...), "act-")
			acts = append(acts, id)
			give(id, state.act.tree, state.act.After)
		}
		for _, g := range state.given {
			if g.after < shared(path, i, r.History.Len()) {
				id := r.Plan.Commands[g.index].ID
				give(id, byTime.find(id), g.after)
			}
		}
	}
	return commands, acts
}

// subjectOf is what a command is done to.
func subjectOf(tree *node) string {
	for _, v := range verbs {
		value := tree.find(string(v.name))
		switch {
		case value == nil:
		case adds(v.name):
			return value.pairs[0].key
		default:
			return value.text
		}
	}
	return ""
}

// source is a template as it is written.
func (t template) source() string {
	var b strings.Builder
	for _, p := range t {
		if b.WriteString(p.text); p.query != nil {
			b.WriteString("{{" + p.query.String() + "}}")
		}
	}
	return b.String()
}

// without is a mapping without some of its keys.
func without(n *node, keys ...string) *node {
	rest := *n
	rest.pairs = slices.DeleteFunc(slices.Clone(n.pairs), func(p pair) bool { return slices.Contains(keys, p.key) })
	if rest.kind == nothing {
		rest.kind = mapping
	}
	return &rest
}

// mappingOf is a mapping of texts, given as keys and values in turn.
func mappingOf(texts ...string) *node {
	n := &node{kind: mapping}
	for i := 0; i < len(texts); i += 2 {
		n.pairs = append(n.pairs, pair{key: texts[i], value: &node{kind: scalar, text: texts[i+1]}})
	}
	return n
}

func yamlOf(root *node) string {
	var b strings.Builder
	blockYAML(&b, root, "")
	return b.String()
}
