package lessons

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// kind is a kind of value in a lesson file: what is expected in words, and how it is read. Reading reports
// what is wrong and then gives the zero value, so that everything wrong is found in one run.
type kind[V any] struct {
	expected string
	keys     []key    // of a mapping with fixed keys
	known    nameList // the names that can stand here; nil: any value
	many     bool     // a list
	read     func(d *decoder, n *node) V
}

// key describes one key of a mapping, for messages and for the tables of README.md.
type key struct {
	name, about string
	expected    string // its value
	known       nameList
	many        bool
	needed      bool
}

// field is one key of a mapping that is read into a T.
type field[T any] struct {
	key
	set func(d *decoder, n *node, target *T)
}

// may is a key that may be there.
func may[T, V any](name string, k kind[V], about string, at func(*T) *V) field[T] {
	return field[T]{key{name: name, about: about, expected: k.expected, known: k.known, many: k.many}, func(d *decoder, n *node, target *T) {
		*at(target) = k.read(d, n)
	}}
}

// must is a key that must be there.
func must[T, V any](name string, k kind[V], about string, at func(*T) *V) field[T] {
	f := may(name, k, about, at)
	f.needed = true
	return f
}

// decoder reads one tree. It collects problems and knows the names that can be referred to.
type decoder struct {
	problems Problems
	names    directory
	lines    []string // of the file, to find places inside a text; nil where there are none
	damaged  bool     // the lesson's own file has problems
}

func (d *decoder) problem(at place, message, expected, suggestion string) {
	d.problems = append(d.problems, Problem{File: at.File, Line: at.Line, Column: at.Column,
		Message: message, Expected: expected, Suggestion: suggestion})
}

// mismatch reports that a value is not of the expected kind.
func (d *decoder) mismatch(n *node, expected string) {
	found := n.kind.String()
	if n.kind == scalar {
		found = fmt.Sprintf("%q", clip(n.text))
	}
	d.problem(n.place, "found "+found, expected, "")
}

// unknown reports a name that is not among those known. Where nothing is known at all and something else is wrong, that
// is the reason, and this is not worth a word.
func (d *decoder) unknown(at place, what, name string, known []string) {
	if len(known) == 0 && (d.damaged || len(d.problems) > 0) {
		return
	}
	expected := oneOf(known)
	if len(known) == 0 {
		expected = "none: there is no " + what
	}
	d.problem(at, fmt.Sprintf("unknown %s %q", what, clip(name)), expected, kafka.Suggest(name, known))
}

// oneOf lists what can stand in a place; of many, the first few.
func oneOf(known []string) string {
	const most = 16
	if len(known) <= most {
		return "one of " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("one of %s, and %d more", strings.Join(known[:most], ", "), len(known)-most)
}

// clip keeps a message readable when it quotes what stands in a file.
func clip(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// object is a mapping with the given keys. What names it in messages: "a consumer".
func object[T any](what string, fields []field[T]) kind[T] {
	known, keys := make([]string, len(fields)), make([]key, len(fields))
	for i, f := range fields {
		known[i], keys[i] = f.name, f.key
	}
	return kind[T]{expected: what, keys: keys, read: func(d *decoder, n *node) T {
		var target T
		if n.kind != mapping && n.kind != nothing {
			d.mismatch(n, what+", a mapping")
			return target
		}
		for _, p := range n.pairs {
			i := slices.Index(known, p.key)
			if i < 0 {
				d.unknown(p.at, "key", p.key, known)
				continue
			}
			fields[i].set(d, p.value, &target)
		}
		for _, f := range fields {
			if f.needed && n.find(f.name) == nil {
				d.problem(n.place, fmt.Sprintf("%s lacks %q", what, f.name), f.expected, "")
			}
		}
		return target
	}}
}

// list is a list of values of one kind.
func list[V any](of kind[V]) kind[[]V] {
	expected := "a list, each entry " + of.expected
	return kind[[]V]{expected: expected, known: of.known, many: true, read: func(d *decoder, n *node) []V {
		if n.kind != sequence {
			d.mismatch(n, expected)
			return nil
		}
		values := make([]V, len(n.items))
		for i, item := range n.items {
			values[i] = of.read(d, item)
		}
		return values
	}}
}

// some is a kind of list that must not be empty.
func some[V any](of kind[[]V]) kind[[]V] {
	return kind[[]V]{expected: of.expected, known: of.known, many: of.many, read: func(d *decoder, n *node) []V {
		values := of.read(d, n)
		if len(values) == 0 && len(d.problems) == 0 {
			d.problem(n.place, "nothing stands here", of.expected, "")
		}
		return values
	}}
}

// byID is a mapping from ids to values, in the order of the file. The id is handed to the reader of the value.
func byID[V any](id kind[string], of func(d *decoder, id string, p pair) V) kind[[]V] {
	const expected = "a mapping by id"
	return kind[[]V]{expected: expected, read: func(d *decoder, n *node) []V {
		if n.kind != mapping {
			d.mismatch(n, expected)
			return nil
		}
		values := make([]V, len(n.pairs))
		for i, p := range n.pairs {
			name := id.read(d, &node{place: p.at, kind: scalar, text: p.key})
			values[i] = of(d, name, p)
		}
		return values
	}}
}
