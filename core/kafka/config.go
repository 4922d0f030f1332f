package kafka

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is the settings of one consumer, producer, broker or topic: what was set, and the defaults of its release for
// the rest. It never changes, and is cheap to copy.
type Config struct {
	*settings
}

type settings struct {
	scope   Scope
	release Release
	values  map[string]setting
}

// setting is the value of a key: as text, and as what its type makes of it.
type setting struct {
	text   string
	number int64 // of int and long; 1 for a true boolean
	list   []string
	set    bool // not the default
}

// ConfigError is one thing that is wrong with a setting.
type ConfigError struct {
	Key, Value string
	Problem    string
	Expected   string // what would be right; may be ""
	Suggestion string // the name that was probably meant; may be ""
}

func (e ConfigError) Error() string {
	text := e.Key + ": " + e.Problem
	if e.Expected != "" {
		text += "; expected " + e.Expected
	}
	if e.Suggestion != "" {
		text += "; did you mean " + e.Suggestion + "?"
	}
	return text
}

// NewConfig makes the settings of a process of a release. It returns everything that is wrong with them, sorted by key;
// the Config then has the defaults in their place.
func NewConfig(s Scope, r Release, set map[string]string) (Config, []ConfigError) {
	c := Config{&settings{scope: s, release: r, values: make(map[string]setting, len(keyTables[s]))}}
	for _, k := range Keys(s) {
		if value, ok := k.Default(r); ok {
			c.values[k.Name], _ = k.parse(value, r)
		}
	}
	var errs []ConfigError
	for name, value := range set {
		if err := c.add(name, value); err != nil {
			errs = append(errs, *err)
		}
	}
	c.deriveDefaults()
	if len(errs) == 0 {
		errs = c.checkRules()
	}
	slices.SortStableFunc(errs, func(a, b ConfigError) int { return strings.Compare(a.Key, b.Key) })
	return c, errs
}

// deriveDefaults gives the defaults that depend on another key.
func (c Config) deriveDefaults() {
	if c.scope == ConsumerScope && NullGroupID.Client(c.release) && c.String("group.id") == "" && !c.Set("enable.auto.commit") {
		c.values["enable.auto.commit"] = setting{text: "false"}
	}
}

// add sets one key while the Config is being made.
func (c Config) add(name, value string) *ConfigError {
	k, ok := LookupKey(c.scope, name)
	if !ok {
		return c.unknown(name, value)
	}
	if _, ok := k.Default(c.release); !ok {
		return &ConfigError{Key: name, Value: value, Problem: k.absence(c.release)}
	}
	v, err := k.parse(value, c.release)
	if err != nil {
		return err
	}
	v.set = true
	c.values[name] = v
	return nil
}

// unknown tells that a scope has no such key, and where there is one of that name, or nearly.
func (c Config) unknown(name, value string) *ConfigError {
	e := &ConfigError{Key: name, Value: value, Problem: fmt.Sprintf("no such setting of a %s", c.scope)}
	for s := range keyTables {
		if _, ok := LookupKey(Scope(s), name); ok {
			e.Problem += fmt.Sprintf("; it is one of a %s", Scope(s))
			return e
		}
	}
	var names []string
	for k := range c.values {
		names = append(names, k)
	}
	slices.Sort(names)
	e.Suggestion = Suggest(name, names)
	return e
}

// absence says why a release has no such key.
func (k Key) absence(r Release) string {
	if first := k.Defaults[0].Since; r.Compare(first) < 0 {
		return fmt.Sprintf("release %s does not have this setting yet: it came with %s", r, first)
	}
	return fmt.Sprintf("release %s does not have this setting any more: it was removed in %s", r, k.Removed)
}

// parse reads a value of the key in a release; "" is null.
func (k Key) parse(value string, r Release) (setting, *ConfigError) {
	value = strings.TrimSpace(value)
	v := setting{text: value}
	var err *ConfigError
	switch k.Type {
	case BooleanType:
		v.number, err = k.parseBoolean(value)
	case IntType:
		v.number, err = k.parseNumber(value, 32)
	case LongType:
		v.number, err = k.parseNumber(value, 64)
	case StringType:
		v.text, err = k.parseName(value, r)
	case ListType:
		v.list, err = k.parseList(value, r)
		v.text = strings.Join(v.list, ",")
	}
	return v, err
}

func (k Key) parseBoolean(value string) (int64, *ConfigError) {
	switch strings.ToLower(value) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return 0, k.wrong(value, "not a boolean", "true or false", Suggest(strings.ToLower(value), []string{"true", "false"}))
}

func (k Key) parseNumber(value string, bits int) (int64, *ConfigError) {
	n, err := strconv.ParseInt(value, 10, bits)
	if err != nil {
		return 0, k.wrong(value, "not a number of type "+k.Type.String(), k.span(), "")
	}
	if k.Min != "" && n < mustInt(k.Min) {
		return 0, k.wrong(value, value+" is too small", k.span(), "")
	}
	if k.Max != "" && n > mustInt(k.Max) {
		return 0, k.wrong(value, value+" is too large", k.span(), "")
	}
	return n, nil
}

// span words the numbers that the key allows.
func (k Key) span() string {
	low, high := k.Min, k.Max
	switch {
	case low != "" && high != "":
		return "a whole number from " + low + " to " + high
	case low != "":
		return "a whole number of at least " + low
	case high != "":
		return "a whole number of at most " + high
	}
	return "a whole number"
}

func (k Key) parseName(value string, r Release) (string, *ConfigError) {
	if value == "" || len(k.Allowed) == 0 {
		return value, nil
	}
	if name, ok := k.Aliases[value]; ok {
		value = name
	}
	i := slices.IndexFunc(k.Allowed, func(a string) bool { return allows(a, value) })
	if i < 0 {
		return "", k.wrong(value, fmt.Sprintf("%q is not one of its values", value), k.choice(r), Suggest(value, k.Allowed))
	}
	if since := k.Added[k.Allowed[i]]; r.Compare(since) < 0 {
		return "", k.wrong(value, fmt.Sprintf("release %s does not have %q yet: it came with %s", r, value, since), k.choice(r), "")
	}
	if age, timed := strings.CutPrefix(value, k.Allowed[i]); timed && strings.HasSuffix(k.Allowed[i], ":") {
		if _, ok := ParseISODuration(age); !ok {
			return "", k.wrong(value, fmt.Sprintf("%q is not a duration of ISO 8601 that is 0 or more", age), k.Allowed[i]+"PnDTnHnMnS", k.Allowed[i]+"PT1H")
		}
	}
	return value, nil
}

// allows reports whether an entry of Allowed stands for a value.
func allows(entry, value string) bool {
	return entry == value || strings.HasSuffix(entry, ":") && strings.HasPrefix(value, entry)
}

func (k Key) parseList(value string, r Release) ([]string, *ConfigError) {
	if value == "" {
		return nil, nil
	}
	var list []string
	for element := range strings.SplitSeq(value, ",") {
		name, err := k.parseName(strings.TrimSpace(element), r)
		if err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, nil
}

// choice words the values that the key allows in a release.
func (k Key) choice(r Release) string {
	var names []string
	for _, a := range k.Allowed {
		if r.Compare(k.Added[a]) >= 0 {
			names = append(names, a)
		}
	}
	return "one of " + strings.Join(names, ", ")
}

func (k Key) wrong(value, problem, expected, suggestion string) *ConfigError {
	return &ConfigError{k.Name, value, problem, expected, suggestion}
}

func mustInt(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// get finds a value. A name that no release has is a mistake in the program; a key that this release does not have has
// the zero value.
func (c Config) get(name string, types ...KeyType) setting {
	k, ok := LookupKey(c.scope, name)
	if !ok || !slices.Contains(types, k.Type) {
		panic(fmt.Sprintf("kafka: setting %q of a %s read as %v", name, c.scope, types))
	}
	return c.values[name]
}

// Int returns the value of an int or long key; 0 if the release does not have the key.
func (c Config) Int(name string) int64 { return c.get(name, IntType, LongType).number }

// Bool returns the value of a boolean key; false if the release does not have the key.
func (c Config) Bool(name string) bool { return c.get(name, BooleanType).number != 0 }

// String returns the value of a string key, "" if it is null or the release does not have the key.
func (c Config) String(name string) string { return c.get(name, StringType).text }

// List returns the values of a list key. It is not to be changed.
func (c Config) List(name string) []string { return c.get(name, ListType).list }

// Duration returns the value of a key that is a time; the end of its name says the unit (.ms, .seconds, .minutes, .hours).
func (c Config) Duration(name string) time.Duration {
	return time.Duration(c.Int(name)) * timeUnits[name[strings.LastIndexByte(name, '.')+1:]]
}

var timeUnits = map[string]time.Duration{
	"ms": time.Millisecond, "seconds": time.Second, "minutes": time.Minute, "hours": time.Hour,
}

// Set reports whether the key was set, rather than left at its default.
func (c Config) Set(name string) bool { return c.values[name].set }

// With returns these settings with some of them changed, and everything that is then wrong, as NewConfig does. A change to ""
// takes a setting back to its default.
func (c Config) With(changed map[string]string) (Config, []ConfigError) {
	set := map[string]string{}
	for name, v := range c.values {
		if v.set {
			set[name] = v.text
		}
	}
	maps.Copy(set, changed)
	maps.DeleteFunc(set, func(name, value string) bool { return value == "" && changed[name] == value })
	return NewConfig(c.scope, c.release, set)
}

// Release returns the release that the settings are for.
func (c Config) Release() Release { return c.release }

// Unmodelled lists, sorted, the keys that were set and are Kafka's but do not act in the model yet, or not with that value.
func (c Config) Unmodelled() []string {
	var names []string
	for _, k := range Keys(c.scope) {
		ahead := slices.ContainsFunc(k.Ahead, func(a string) bool { return allows(a, c.values[k.Name].text) })
		if c.Set(k.Name) && (!k.Modelled || ahead) {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}
