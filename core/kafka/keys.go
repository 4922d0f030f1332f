package kafka

import "strings"

// Scope says whose setting a key is.
type Scope uint8

// The scopes.
const (
	ConsumerScope Scope = iota
	ProducerScope
	BrokerScope
	TopicScope
	GroupScope
)

var scopeNames = [...]string{"consumer", "producer", "broker", "topic", "group"}

// String returns the scope's name, such as "consumer".
func (s Scope) String() string { return scopeNames[s] }

// KeyType is the type of a key's value.
type KeyType uint8

// The types. An enum is a string, or a list, with allowed values.
const (
	BooleanType KeyType = iota
	IntType             // 32 bits
	LongType            // 64 bits
	StringType
	ListType // separated by commas
)

var typeNames = [...]string{"boolean", "int", "long", "string", "list"}

// String returns the type's name as Kafka's documentation writes it.
func (t KeyType) String() string { return typeNames[t] }

// Key describes one configuration key of Kafka.
type Key struct {
	Name     string
	Scope    Scope
	Type     KeyType
	Defaults []Default          // oldest first; the key exists from the first entry on
	Removed  Release            // the first release without the key; zero: it is still there
	Min, Max string             // of a number, inclusive; "" for no bound
	Allowed  []string           // of a string, or of each element of a list; behind one that ends in ":" comes a duration of ISO 8601
	Added    map[string]Release // allowed values that are younger than the key
	Aliases  map[string]string  // other spellings of allowed values, such as the class of an assignor
	Dynamic  Release            // of a broker: the first release in which it can change while the broker runs (KIP-226); zero: never
	Modelled bool               // false: the key is checked, but nothing acts on it yet
	Ahead    []string           // allowed values of a modelled key that nothing acts on yet
	Help     string             // what it does, in a line
}

// Default is a key's default value from a release on. "" stands for null: no value.
type Default struct {
	Since Release
	Value string
}

// Default returns the key's default value in a release; false if that release has no such key.
func (k Key) Default(r Release) (string, bool) {
	if k.Removed != (Release{}) && r.Compare(k.Removed) >= 0 {
		return "", false
	}
	value, found := "", false
	for _, d := range k.Defaults {
		if r.Compare(d.Since) >= 0 {
			value, found = d.Value, true
		}
	}
	return value, found
}

// Keys lists the keys of a scope; those that matter most for groups come first.
func Keys(s Scope) []Key { return keyTables[s] }

// LookupKey finds a key of a scope by its name.
func LookupKey(s Scope, name string) (Key, bool) {
	i, ok := keyIndex[s][name]
	if !ok {
		return Key{}, false
	}
	return keyTables[s][i], true
}

// keyTables and keyIndex are made once from the tables and never change.
var (
	keyTables = [...][]Key{
		ConsumerScope: ofScope(ConsumerScope, consumerKeys),
		ProducerScope: ofScope(ProducerScope, producerKeys),
		BrokerScope:   ofScope(BrokerScope, brokerKeys),
		TopicScope:    ofScope(TopicScope, topicKeys),
		GroupScope:    ofScope(GroupScope, groupKeys),
	}
	keyIndex = indexKeys()
)

func ofScope(s Scope, keys []Key) []Key {
	for i := range keys {
		keys[i].Scope = s
	}
	return keys
}

func indexKeys() [len(keyTables)]map[string]int {
	var index [len(keyTables)]map[string]int
	for s, keys := range keyTables {
		index[s] = make(map[string]int, len(keys))
		for i, k := range keys {
			index[s][k.Name] = i
		}
	}
	return index
}

// defaults reads entries such as "0.10.1=10000": the value from that release on.
func defaults(entries ...string) []Default {
	list := make([]Default, len(entries))
	for i, entry := range entries {
		release, value, _ := strings.Cut(entry, "=")
		list[i] = Default{mustRelease(release), value}
	}
	return list
}

// mustRelease reads a release of the tables; a wrong one is a mistake in the tables themselves.
func mustRelease(s string) Release {
	r, err := ParseRelease(s)
	if err != nil {
		panic(err)
	}
	return r
}
