package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Condition is something that holds or not at an event: a reading compared, or conditions combined.
type Condition struct {
	Join  Join
	Parts []*Condition // of All, Any and Not
	Query *Query       // of Reads
	Tests []Test       // of Reads: all must pass

	place place
}

// Join is how a condition is made up.
type Join uint8

// A condition reads one value, or joins others.
const (
	Reads Join = iota
	All
	Any
	Not
)

// Test compares what was read.
type Test struct {
	Comparison *Comparison
	With       []Value // one; several for one-of
}

// Comparison is one way to compare.
type Comparison struct {
	Name, Meaning string
	Types         []Type // of the readings it serves
	many          bool   // compares with a list of values
	holds         func(found Value, with []Value) bool
}

var everyType = []Type{Number, Duration, Name, Names}

// Comparisons lists every comparison.
var Comparisons = []Comparison{
	{Name: "is", Meaning: "equal; none stands for no value", Types: everyType,
		holds: func(v Value, with []Value) bool { return equal(v, with[0]) }},
	{Name: "not", Meaning: "not equal", Types: everyType,
		holds: func(v Value, with []Value) bool { return !equal(v, with[0]) }},
	{Name: "at-least", Meaning: "equal or more", Types: []Type{Number, Duration},
		holds: func(v Value, with []Value) bool { return !v.Absent && compare(v, with[0]) >= 0 }},
	{Name: "at-most", Meaning: "equal or less", Types: []Type{Number, Duration},
		holds: func(v Value, with []Value) bool { return !v.Absent && compare(v, with[0]) <= 0 }},
	{Name: "one-of", Meaning: "equal to one of a list", Types: []Type{Number, Duration, Name}, many: true,
		holds: func(v Value, with []Value) bool {
			return slices.ContainsFunc(with, func(w Value) bool { return equal(v, w) })
		}},
	{Name: "contains", Meaning: "all of these names are in the list", Types: []Type{Names},
		holds: func(v Value, with []Value) bool { return !slices.ContainsFunc(with[0].Names, v.hasNot) }},
	{Name: "lacks", Meaning: "none of these names is in the list", Types: []Type{Names},
		holds: func(v Value, with []Value) bool { return !slices.ContainsFunc(with[0].Names, v.has) }},
	{Name: "begins", Meaning: "the list begins with these names", Types: []Type{Names},
		holds: func(v Value, with []Value) bool { return v.begins(with[0]) }},
}

func comparisonNames(t Type) []string {
	var known []string
	for _, c := range Comparisons {
		if slices.Contains(c.Types, t) {
			known = append(known, c.Name)
		}
	}
	return known
}

var joins = map[string]Join{"all": All, "any": Any, "not": Not}

// expectedCondition words what a condition looks like.
const expectedCondition = "one reading with its parameters and a comparison, such as generation: {group: G1, is: 2}; or all, any, not"

// conditionKind is a condition; conditionsKind is a list of them.
var (
	conditionKind  = kind[*Condition]{expected: expectedCondition, read: (*decoder).condition}
	conditionsKind = kind[[]*Condition]{expected: "a list of conditions", read: (*decoder).conditions}
)

func (d *decoder) conditions(n *node) []*Condition {
	if n.kind != sequence {
		d.mismatch(n, "a list of conditions")
		return nil
	}
	list := make([]*Condition, len(n.items))
	for i, item := range n.items {
		list[i] = d.condition(item)
	}
	return list
}

func (d *decoder) condition(n *node) *Condition {
	c := &Condition{place: n.place}
	if n.kind != mapping || len(n.pairs) != 1 {
		d.mismatch(n, expectedCondition)
		return c
	}
	p := n.pairs[0]
	join, joined := joins[p.key]
	switch {
	case !joined:
		d.comparison(p, c)
	case join == Not:
		c.Join, c.Parts = join, []*Condition{d.condition(p.value)}
	default:
		c.Join, c.Parts = join, d.conditions(p.value)
	}
	return c
}

// comparison reads a reading with its parameters and comparisons, such as committed: {group: G1, partition: T1-0, is: 7}.
func (d *decoder) comparison(p pair, c *Condition) {
	reading := findReading(p.key)
	if reading == nil {
		d.unknown(p.at, "reading", p.key, slices.Concat(readingNames(), []string{"all", "any", "not"}))
		return
	}
	if p.value.kind != mapping {
		d.mismatch(p.value, "the parameters of "+p.key+" and a comparison")
		return
	}
	var parameters []pair
	for _, q := range p.value.pairs {
		i := slices.IndexFunc(Comparisons, func(known Comparison) bool { return known.Name == q.key })
		switch {
		case i < 0:
			parameters = append(parameters, q)
		case !slices.Contains(Comparisons[i].Types, reading.Type):
			d.unknown(q.at, "comparison for a "+reading.Type.String(), q.key, comparisonNames(reading.Type))
		default:
			c.Tests = append(c.Tests, Test{&Comparisons[i], d.comparands(q.value, reading, &Comparisons[i])})
		}
	}
	if len(parameters)+len(c.Tests) == len(p.value.pairs) && len(c.Tests) == 0 {
		d.problem(p.at, p.key+" lacks a comparison", oneOf(comparisonNames(reading.Type)), "")
	}
	c.Query = d.newQuery(p.key, p.at, parameters)
}

// comparands reads what a reading is compared with.
func (d *decoder) comparands(n *node, r *Reading, c *Comparison) []Value {
	if !c.many {
		return []Value{d.comparand(n, r)}
	}
	if n.kind != sequence {
		d.mismatch(n, "a list of values")
		return nil
	}
	values := make([]Value, len(n.items))
	for i, item := range n.items {
		values[i] = d.comparand(item, r)
	}
	return values
}

// comparand reads one value of a reading's type. "none" is no value.
func (d *decoder) comparand(n *node, r *Reading) Value {
	if n.kind == scalar && n.text == "none" && r.Type != Names {
		return absent(r.Type)
	}
	switch r.Type {
	case Number:
		return number(int64Kind.read(d, n))
	case Duration:
		return duration(durationKind.read(d, n))
	case Name:
		return name(d.known(n, r))
	default:
		if n.kind != sequence {
			d.mismatch(n, "a list of names")
			return namesOf(nil)
		}
		found := make([]string, len(n.items))
		for i, item := range n.items {
			found[i] = d.known(item, r)
		}
		return namesOf(found)
	}
}

// known reads a name, which must be one that the reading can give.
func (d *decoder) known(n *node, r *Reading) string {
	text := textKind.read(d, n)
	if r.Among == nil || text == "" {
		return text
	}
	if among := r.Among(&d.names); !slices.Contains(among, text) {
		d.unknown(n.place, "value of "+r.Name, text, among)
	}
	return text
}

var int64Kind = single("a whole number, or none", func(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
})

// holds evaluates the condition on what read gives for a query.
func (c *Condition) holds(read func(*Query) Value) bool {
	switch c.Join {
	case All:
		return !slices.ContainsFunc(c.Parts, func(p *Condition) bool { return !p.holds(read) })
	case Any:
		return slices.ContainsFunc(c.Parts, func(p *Condition) bool { return p.holds(read) })
	case Not:
		return !c.Parts[0].holds(read)
	default:
		found := read(c.Query)
		return !slices.ContainsFunc(c.Tests, func(t Test) bool { return !t.Comparison.holds(found, t.With) })
	}
}

// failure says why a condition that does not hold does not: what was expected and what was found.
func (c *Condition) failure(read func(*Query) Value) (message, expected string) {
	switch c.Join {
	case All:
		for _, p := range c.Parts {
			if !p.holds(read) {
				return p.failure(read)
			}
		}
		return "", ""
	case Any:
		var found, wanted []string
		for _, p := range c.Parts {
			m, e := p.failure(read)
			found, wanted = append(found, m), append(wanted, e)
		}
		return "none of these holds: " + strings.Join(found, "; "), strings.Join(wanted, ", or ")
	case Not:
		return "this holds, but should not: " + c.Parts[0].String(), ""
	default:
		return fmt.Sprintf("%s is %s", c.Query, read(c.Query)), c.wanted()
	}
}

// wanted words the tests of a condition that reads.
func (c *Condition) wanted() string {
	parts := make([]string, len(c.Tests))
	for i, t := range c.Tests {
		values := make([]string, len(t.With))
		for j, v := range t.With {
			values[j] = v.String()
		}
		parts[i] = strings.Join(values, ", ")
		if t.Comparison.Name != "is" {
			parts[i] = t.Comparison.Name + " " + parts[i]
		}
	}
	return strings.Join(parts, " and ")
}

// String is the condition in words.
func (c *Condition) String() string {
	if c.Join == Reads {
		return c.Query.String() + " " + c.wanted()
	}
	parts := make([]string, len(c.Parts))
	for i, p := range c.Parts {
		parts[i] = p.String()
	}
	return [...]string{All: "all of ", Any: "any of ", Not: "not "}[c.Join] + strings.Join(parts, ", ")
}

// queries calls visit for every query in the condition.
func (c *Condition) queries(visit func(*Query)) {
	if c.Query != nil {
		visit(c.Query)
	}
	for _, p := range c.Parts {
		p.queries(visit)
	}
}
