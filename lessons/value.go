package lessons

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Type is the type of what a reading gives.
type Type uint8

// The types of readings.
const (
	Number   Type = iota // a whole number
	Duration             // virtual time
	Name                 // one word: an id, a state, an error
	Names                // a list of words, in order
)

var typeNames = [...]string{"number", "duration", "name", "list of names"}

func (t Type) String() string { return typeNames[t] }

// Value is what a reading gives. Absent values are written "none": no owner, nothing committed.
type Value struct {
	Type     Type
	Absent   bool
	Number   int64
	Duration time.Duration
	Name     string
	Names    []string
}

func number(n int64) Value              { return Value{Type: Number, Number: n} }
func duration(d time.Duration) Value    { return Value{Type: Duration, Duration: d} }
func namesOf(list []string) Value       { return Value{Type: Names, Names: list} }
func absent(t Type) Value               { return Value{Type: t, Absent: true} }
func offset(n int64) Value              { return Value{Type: Number, Number: n, Absent: n < 0} }
func name[S ~string](s S) Value         { return Value{Type: Name, Name: string(s), Absent: s == ""} }
func equal(a, b Value) bool             { return a.Absent == b.Absent && (a.Absent || compare(a, b) == 0) }
func (v Value) has(item string) bool    { return slices.Contains(v.Names, item) }
func (v Value) hasNot(item string) bool { return !v.has(item) }
func (v Value) begins(with Value) bool {
	return len(v.Names) >= len(with.Names) && compare(Value{Type: Names, Names: v.Names[:len(with.Names)]}, with) == 0
}

// compare orders two values of one type, neither absent.
func compare(a, b Value) int {
	switch a.Type {
	case Number:
		return int(max(-1, min(1, a.Number-b.Number)))
	case Duration:
		return int(max(-1, min(1, a.Duration-b.Duration)))
	case Name:
		return strings.Compare(a.Name, b.Name)
	default:
		return slices.Compare(a.Names, b.Names)
	}
}

// String is the value as a lesson file and a message write it.
func (v Value) String() string {
	if v.Absent {
		return "none"
	}
	switch v.Type {
	case Number:
		return strconv.FormatInt(v.Number, 10)
	case Duration:
		return seconds(v.Duration) + " s"
	case Name:
		return v.Name
	default:
		return "[" + strings.Join(v.Names, ", ") + "]"
	}
}

// seconds writes a duration in seconds with at most three decimals, as 45 or 3.005.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64)
}

// wording is how values are written in the words of a language.
type wording struct {
	between string // two names of a list
	absent  string
	empty   string // a list without names
}

// wordings is by language; any other language writes as English does.
var wordings = map[string]wording{
	"en": {between: ", ", absent: "none", empty: "none"},
	"zh": {between: "、", absent: "无", empty: "无"},
}

// words writes a value for readers: thousands set apart, durations in seconds without the unit.
func (v Value) words(lang string) string {
	w, known := wordings[lang]
	if !known {
		w = wordings["en"]
	}
	switch {
	case v.Absent:
		return w.absent
	case v.Type == Number:
		return thousands(strconv.FormatInt(v.Number, 10))
	case v.Type == Duration:
		return thousands(seconds(v.Duration))
	case v.Type == Name:
		return v.Name
	case len(v.Names) == 0:
		return w.empty
	default:
		return strings.Join(v.Names, w.between)
	}
}

// thousands sets a comma between groups of three digits before the decimal point.
func thousands(digits string) string {
	whole, decimals, _ := strings.Cut(digits, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if decimals != "" {
		return sign + b.String() + "." + decimals
	}
	return sign + b.String()
}
