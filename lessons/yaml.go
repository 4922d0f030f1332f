package lessons

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// node is one value of a YAML file with its place. Trees of nodes are never changed once made, so a patched tree
// shares what was not patched.
type node struct {
	place
	kind  nodeKind
	text  string // of a scalar, without its quotes
	pairs []pair
	items []*node
}

type nodeKind uint8

const (
	nothing nodeKind = iota // ~, or no value at all
	scalar
	mapping
	sequence
)

var nodeKindNames = [...]string{"nothing", "a single value", "a mapping", "a list"}

func (k nodeKind) String() string { return nodeKindNames[k] }

// pair is one entry of a mapping.
type pair struct {
	key   string
	at    place // of the key
	value *node
}

// find returns the value of a key; nil when it is absent.
func (n *node) find(key string) *node {
	if n == nil {
		return nil
	}
	for _, p := range n.pairs {
		if p.key == key {
			return p.value
		}
	}
	return nil
}

// keyPlace is where a key stands; the mapping's own place when it is absent.
func (n *node) keyPlace(key string) place {
	for _, p := range n.pairs {
		if p.key == key {
			return p.at
		}
	}
	return n.place
}

// maxFile and maxDepth bound what a file may ask of the parser, which recurses.
const (
	maxFile  = 256 << 10 // bytes
	maxDepth = 100
)

// parseYAML reads a file into a tree. The tree is nil when the file cannot be read at all.
func parseYAML(file string, source []byte) (*node, Problems) {
	if len(source) > maxFile {
		return nil, Problems{{File: file, Message: fmt.Sprintf("the file has %d bytes", len(source)),
			Expected: fmt.Sprintf("at most %d", maxFile)}}
	}
	if depth := max(bracketDepth(source), dashDepth(source)); depth > maxDepth {
		return nil, Problems{{File: file, Message: fmt.Sprintf("brackets or lists are nested %d deep", depth),
			Expected: fmt.Sprintf("at most %d", maxDepth)}}
	}
	tree, err := parseAST(source)
	if err != nil {
		return nil, Problems{syntaxProblem(file, err)}
	}
	b := treeBuilder{file: file}
	if len(tree.Docs) > 1 {
		b.problem(tree.Docs[1].Start.Position.Line, 1, "a second document begins here", "one document")
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return &node{place: place{file, 1, 1}}, b.problems
	}
	return b.build(tree.Docs[0].Body, 0), b.problems
}

// parseAST runs the parser, and turns a panic of it into an error: a lesson must never stop the player.
func parseAST(source []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("the file is not YAML: %v", r)
		}
	}()
	// Duplicate keys are allowed here so that all of them are found, not the first alone.
	return parser.ParseBytes(bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n")), 0, parser.AllowDuplicateMapKey())
}

func syntaxProblem(file string, err error) Problem {
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) || syntax.Token == nil {
		return Problem{File: file, Message: err.Error()}
	}
	at := syntax.Token.Position
	return Problem{File: file, Line: at.Line, Column: at.Column, Message: "not YAML: " + clip(syntax.Message)}
}

// bracketDepth is how deep flow brackets are nested at most, counted without regard to quotes.
func bracketDepth(source []byte) int {
	depth, deepest := 0, 0
	for _, c := range source {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// dashDepth is how many lists begin in one line at most, as in "- - - a".
func dashDepth(source []byte) int {
	depth, deepest := 0, 0
	for _, c := range source {
		switch c {
		case '-', '?':
			depth++
			deepest = max(deepest, depth)
		case ' ', '\t':
		default:
			depth = 0
		}
	}
	return deepest
}

// treeBuilder turns the parser's tree into nodes.
type treeBuilder struct {
	file     string
	problems Problems
}

func (b *treeBuilder) problem(line, column int, message, expected string) {
	b.problems = append(b.problems, Problem{File: b.file, Line: line, Column: column, Message: message, Expected: expected})
}

func (b *treeBuilder) build(n ast.Node, depth int) *node {
	at := b.placeOf(n)
	if depth > maxDepth {
		b.problem(at.Line, at.Column, "values are nested too deep", fmt.Sprintf("at most %d levels", maxDepth))
		return &node{place: at}
	}
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return &node{place: at}
	case *ast.MappingNode:
		return b.mapping(at, n.Values, depth)
	case *ast.MappingValueNode:
		return b.mapping(at, []*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		list := &node{place: at, kind: sequence}
		for _, v := range n.Values {
			list.items = append(list.items, b.build(v, depth+1))
		}
		return list
	case *ast.StringNode:
		return &node{place: at, kind: scalar, text: n.Value}
	case *ast.LiteralNode:
		return &node{place: at, kind: scalar, text: n.Value.Value}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{place: at, kind: scalar, text: n.GetToken().Value}
	default:
		b.problem(at.Line, at.Column, "anchors, aliases and tags have no meaning in a lesson", "a plain value")
		return &node{place: at}
	}
}

func (b *treeBuilder) mapping(at place, values []*ast.MappingValueNode, depth int) *node {
	m := &node{place: at, kind: mapping}
	seen := map[string]place{}
	for _, v := range values {
		key, keyAt := b.key(v.Key)
		if first, twice := seen[key]; twice {
			b.problem(keyAt.Line, keyAt.Column, fmt.Sprintf("%q stands here a second time", key),
				fmt.Sprintf("one, as in line %d", first.Line))
			continue
		}
		seen[key] = keyAt
		m.pairs = append(m.pairs, pair{key: key, at: keyAt, value: b.build(v.Value, depth+1)})
	}
	return m
}

func (b *treeBuilder) key(k ast.MapKeyNode) (string, place) {
	at := b.placeOf(k)
	switch k := k.(type) {
	case *ast.StringNode:
		return k.Value, at
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return k.GetToken().Value, at
	default:
		b.problem(at.Line, at.Column, "this cannot be a key", "a name")
		return "", at
	}
}

// placeOf is where a value begins: for a mapping its first key, which reads better than the colon or brace.
func (b *treeBuilder) placeOf(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return b.placeOf(m.Values[0].Key)
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return b.placeOf(v.Key)
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return place{File: b.file, Line: 1, Column: 1}
	}
	at := n.GetToken().Position
	return place{File: b.file, Line: at.Line, Column: at.Column}
}

// patched lays a patch over a tree, as JSON Merge Patch (RFC 7386) does: mappings are merged key by key, nothing removes
// a key, anything else replaces what was there. New keys come last, in the patch's order. A condition, whose mapping is
// one thing said, is replaced as a whole.
func patched(base, patch *node) *node { return patchedAt("", base, patch) }

// patchedAt is patched for the value of a key.
func patchedAt(key string, base, patch *node) *node {
	if patch == nil || patch.kind != mapping {
		return patch
	}
	merged := &node{place: patch.place, kind: mapping}
	if base != nil && base.kind == mapping {
		merged.place = base.place
		for _, p := range base.pairs {
			over := patch.find(p.key)
			if over == nil {
				merged.pairs = append(merged.pairs, p)
			} else if over.kind != nothing {
				under := p.value
				if isCondition(key, p.key) {
					under = nil
				}
				merged.pairs = append(merged.pairs, pair{p.key, patch.keyPlace(p.key), patchedAt(p.key, under, over)})
			}
		}
	}
	for _, p := range patch.pairs {
		if p.value.kind != nothing && base.find(p.key) == nil {
			merged.pairs = append(merged.pairs, pair{p.key, p.at, patchedAt(p.key, nil, p.value)})
		}
	}
	return merged
}

// isCondition reports whether the value of a key within that of another is a condition: those of a beat, a command and
// an option are in mappings; all others stand in lists, which are replaced anyway.
func isCondition(within, key string) bool { return key == "when" || within == "options" }
