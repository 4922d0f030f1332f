package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// Reading is one thing that can be read off a run at an event: by conditions, claims, answers and words alike.
// Exactly one of Frame and Trace is set.
type Reading struct {
	Name    string
	Type    Type
	Unit    string // of a number: records, events, ...; "" for an id or index
	Meaning string
	Needs   []string // parameters that must be given
	Takes   []string // parameters that may be given
	Among   nameList // the names it can give; nil: any
	// Since says that the reading looks at a stretch of time, which begins at the start or at the beat before.
	Since bool
	Frame func(f *view.Frame, a *Arguments) Value
	Trace func(a *Arguments) Fold
}

// nameList lists the names that can stand in a place of a lesson.
type nameList func(*directory) []string

// Fold reads a value off a trace by taking its entries one by one, from the first.
type Fold interface {
	Step(e *view.Entry)
	Mark(at time.Duration) // what is read begins here
	Value(at time.Duration) Value
}

// Arguments are what a reading is asked about; which are used depends on the reading.
type Arguments struct {
	Group              string
	Consumer, Producer kafka.NodeID
	Node, From, To     kafka.NodeID
	Topic              string
	Partition          kafka.TopicPartition
	AnyPartition       bool // Partition is not given
	API                kafka.API
	AnyAPI             bool
	Error              kafka.ErrorCode
	AnyError           bool
	Timer              string
}

// Parameter is a parameter that readings share under one name.
type Parameter struct {
	Name, Meaning string
	read          func(d *decoder, n *node, a *Arguments)
}

// Parameters lists every parameter, in the order in which they are shown.
var Parameters = []Parameter{
	{"group", "a group", func(d *decoder, n *node, a *Arguments) { a.Group = groupKind.read(d, n) }},
	{"consumer", "a consumer", func(d *decoder, n *node, a *Arguments) { a.Consumer = consumerKind.read(d, n) }},
	{"producer", "a producer", func(d *decoder, n *node, a *Arguments) { a.Producer = producerKind.read(d, n) }},
	{"node", "a consumer, producer or broker", func(d *decoder, n *node, a *Arguments) { a.Node = processKind.read(d, n) }},
	{"topic", "a topic", func(d *decoder, n *node, a *Arguments) { a.Topic = topicKind.read(d, n) }},
	{"partition", "a partition such as T1-0", func(d *decoder, n *node, a *Arguments) {
		a.Partition, a.AnyPartition = partitionKind.read(d, n), false
	}},
	{"api", "a kind of request such as JoinGroup", func(d *decoder, n *node, a *Arguments) {
		a.API, a.AnyAPI = apiKind.read(d, n), false
	}},
	{"error", "an error's name such as REBALANCE_IN_PROGRESS", func(d *decoder, n *node, a *Arguments) {
		a.Error, a.AnyError = errorKind.read(d, n), false
	}},
	{"from", "the sender: a consumer, producer or broker", func(d *decoder, n *node, a *Arguments) { a.From = processKind.read(d, n) }},
	{"to", "the receiver: a consumer, producer or broker", func(d *decoder, n *node, a *Arguments) { a.To = processKind.read(d, n) }},
	{"timer", "a timer's name such as session", func(d *decoder, n *node, a *Arguments) { a.Timer = timerKind.read(d, n) }},
}

// The kinds of names that Kafka or the model defines.
var (
	apiKind   = choice("request", kafka.APINames, kafka.ParseAPI)
	errorKind = choice("error", kafka.ErrorNames, kafka.ParseErrorCode)
	timerKind = choice("timer", func() []string { return timerNames }, func(s string) (string, bool) {
		return strings.ReplaceAll(s, "-", " "), slices.Contains(timerNames, s)
	})
)

// timerNames are the names of view.Timer, with hyphens for spaces.
var timerNames = []string{"session", "heartbeat", "poll", "commit", "rebalance", "initial-delay", "pending-sync", "processing"}

// choice is a kind of name out of a fixed set.
func choice[V any](what string, known func() []string, parse func(string) (V, bool)) kind[V] {
	return kind[V]{expected: "the name of a " + what, known: func(*directory) []string { return known() }, read: func(d *decoder, n *node) V {
		if n.kind != scalar {
			d.mismatch(n, "the name of a "+what)
		}
		v, ok := parse(n.text)
		if !ok && n.kind == scalar {
			d.unknown(n.place, what, n.text, known())
		}
		return v
	}}
}

// Query is a reading with its arguments.
type Query struct {
	Reading   *Reading
	Arguments Arguments
	Since     Since
	text      string // as it was asked, for messages
}

// Since is where the stretch of time begins that a query looks at.
type Since uint8

// A query counts from the start of the run or from the beat before.
const (
	SinceStart Since = iota
	SinceBeat
)

var sinceKind = choice("stretch", func() []string { return []string{"start", "beat"} }, func(s string) (Since, bool) {
	return Since(max(0, slices.Index([]string{"start", "beat"}, s))), s == "start" || s == "beat"
})

// String is the query as words write it, such as "committed group=G1 partition=T1-0".
func (q *Query) String() string { return q.text }

// newQuery makes a query from a reading's name and its parameters as pairs, and reports what is wrong with them.
func (d *decoder) newQuery(name string, at place, parameters []pair) *Query {
	reading := findReading(name)
	if reading == nil {
		d.unknown(at, "reading", name, readingNames())
		return nil
	}
	q := &Query{Reading: reading, Arguments: Arguments{AnyPartition: true, AnyAPI: true, AnyError: true}, text: name}
	known := slices.Concat(reading.Needs, reading.Takes)
	if reading.Since {
		known = append(known, "since")
	}
	for _, p := range parameters {
		switch {
		case !slices.Contains(known, p.key):
			d.unknown(p.at, "parameter of "+name, p.key, known)
		case p.key == "since":
			q.Since = sinceKind.read(d, p.value)
		default:
			i := slices.IndexFunc(Parameters, func(par Parameter) bool { return par.Name == p.key })
			Parameters[i].read(d, p.value, &q.Arguments)
		}
		q.text += " " + p.key + "=" + p.value.text
	}
	for _, need := range reading.Needs {
		if !slices.ContainsFunc(parameters, func(p pair) bool { return p.key == need }) {
			d.problem(at, fmt.Sprintf("%s lacks %q", name, need), strings.Join(known, ", "), "")
		}
	}
	return q
}

func findReading(name string) *Reading {
	for i := range Readings {
		if Readings[i].Name == name {
			return &Readings[i]
		}
	}
	return nil
}

func readingNames() []string {
	known := make([]string, len(Readings))
	for i, r := range Readings {
		known[i] = r.Name
	}
	return known
}
