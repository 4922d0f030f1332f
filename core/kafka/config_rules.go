package kafka

import (
	"fmt"
	"slices"
	"strings"
)

// rule is something that must hold between settings that are each right by themselves.
type rule struct {
	scope   Scope
	from    Release // the first release that checks it
	before  Release // the first that does not any more; zero: none
	keys    []string
	text    string
	allowed func(c Config) bool
}

var (
	anyRelease Release

	rules = []rule{
		{ConsumerScope, anyRelease, anyRelease, []string{"heartbeat.interval.ms", "session.timeout.ms"},
			"heartbeat.interval.ms must be less than session.timeout.ms", // Heartbeat's constructor
			func(c Config) bool { return c.Int("heartbeat.interval.ms") < c.Int("session.timeout.ms") }},
		{ConsumerScope, anyRelease, mustRelease("2.0"), []string{"request.timeout.ms", "session.timeout.ms"}, // KIP-266 ended it
			"request.timeout.ms must be greater than session.timeout.ms before 2.0",
			func(c Config) bool { return c.Int("request.timeout.ms") > c.Int("session.timeout.ms") }},
		{ConsumerScope, anyRelease, mustRelease("2.0"), []string{"request.timeout.ms", "fetch.max.wait.ms"},
			"request.timeout.ms must be greater than fetch.max.wait.ms before 2.0",
			func(c Config) bool { return c.Int("request.timeout.ms") > c.Int("fetch.max.wait.ms") }},
		{ConsumerScope, mustRelease("2.2"), anyRelease, []string{"enable.auto.commit", "group.id"}, // KIP-289
			"enable.auto.commit cannot be true without a group.id",
			func(c Config) bool {
				return !c.Set("enable.auto.commit") || !c.Bool("enable.auto.commit") || c.String("group.id") != ""
			}},
		{ConsumerScope, anyRelease, anyRelease, []string{"partition.assignment.strategy"},
			"partition.assignment.strategy must name at least one assignor",
			func(c Config) bool { return len(c.List("partition.assignment.strategy")) > 0 }},
		{ConsumerScope, mustRelease("3.2"), anyRelease, []string{"partition.assignment.strategy"},
			"partition.assignment.strategy must not name an assignor twice",
			func(c Config) bool { return distinct(c.List("partition.assignment.strategy")) }},
		{ConsumerScope, mustRelease("2.3"), anyRelease, []string{"group.instance.id"},
			"group.instance.id must not be empty", notEmpty("group.instance.id")},
		{ConsumerScope, mustRelease("3.9"), anyRelease, []string{"group.remote.assignor", "group.protocol"},
			"group.remote.assignor needs group.protocol=consumer",
			func(c Config) bool {
				return !c.Set("group.remote.assignor") || c.String("group.protocol") == "consumer"
			}},
		{ConsumerScope, mustRelease("4.0"), anyRelease, []string{"session.timeout.ms", "group.protocol"},
			"session.timeout.ms cannot be set with group.protocol=consumer", classicOnly("session.timeout.ms")},
		{ConsumerScope, mustRelease("4.0"), anyRelease, []string{"heartbeat.interval.ms", "group.protocol"},
			"heartbeat.interval.ms cannot be set with group.protocol=consumer", classicOnly("heartbeat.interval.ms")},
		{ConsumerScope, mustRelease("4.0"), anyRelease, []string{"partition.assignment.strategy", "group.protocol"},
			"partition.assignment.strategy cannot be set with group.protocol=consumer", classicOnly("partition.assignment.strategy")},

		{ProducerScope, mustRelease("2.1"), anyRelease, []string{"delivery.timeout.ms", "linger.ms", "request.timeout.ms"}, // KIP-91
			"delivery.timeout.ms must be at least linger.ms + request.timeout.ms",
			func(c Config) bool {
				return !c.Set("delivery.timeout.ms") ||
					c.Int("delivery.timeout.ms") >= c.Int("linger.ms")+c.Int("request.timeout.ms")
			}},
		{ProducerScope, mustRelease("0.11"), anyRelease, []string{"acks", "enable.idempotence", "transactional.id"},
			"an idempotent producer needs acks=all",
			func(c Config) bool { return !c.wantsIdempotence() || !c.Set("acks") || c.String("acks") == "all" }},
		{ProducerScope, mustRelease("0.11"), anyRelease, []string{"retries", "enable.idempotence", "transactional.id"},
			"an idempotent producer needs retries of at least 1",
			func(c Config) bool { return !c.wantsIdempotence() || !c.Set("retries") || c.Int("retries") > 0 }},
		{ProducerScope, mustRelease("0.11"), anyRelease, []string{"max.in.flight.requests.per.connection", "enable.idempotence", "transactional.id"},
			"an idempotent producer needs max.in.flight.requests.per.connection of at most 5",
			func(c Config) bool {
				return !c.wantsIdempotence() || c.Int("max.in.flight.requests.per.connection") <= 5
			}},
		{ProducerScope, mustRelease("0.11"), anyRelease, []string{"transactional.id", "enable.idempotence"},
			"a transactional.id needs enable.idempotence=true",
			func(c Config) bool {
				return c.String("transactional.id") == "" || !c.Set("enable.idempotence") || c.Bool("enable.idempotence")
			}},
		{ProducerScope, mustRelease("0.11"), anyRelease, []string{"transactional.id"},
			"transactional.id must not be empty", notEmpty("transactional.id")},

		{BrokerScope, anyRelease, anyRelease, []string{"replica.fetch.wait.max.ms", "replica.lag.time.max.ms"},
			"replica.fetch.wait.max.ms must not be greater than replica.lag.time.max.ms",
			func(c Config) bool { return c.Int("replica.fetch.wait.max.ms") <= c.Int("replica.lag.time.max.ms") }},
		between("3.7", "group.consumer.min.heartbeat.interval.ms", "group.consumer.heartbeat.interval.ms", "group.consumer.max.heartbeat.interval.ms"),
		between("3.7", "group.consumer.min.session.timeout.ms", "group.consumer.session.timeout.ms", "group.consumer.max.session.timeout.ms"),
		between("4.0", "group.share.min.record.lock.duration.ms", "group.share.record.lock.duration.ms", "group.share.max.record.lock.duration.ms"),
		{BrokerScope, mustRelease("4.0"), anyRelease, []string{"log.segment.bytes"}, // KIP-1030
			"log.segment.bytes must be at least 1048576 since 4.0",
			func(c Config) bool { return c.Int("log.segment.bytes") >= 1048576 }},

		{TopicScope, mustRelease("4.0"), anyRelease, []string{"segment.bytes"},
			"segment.bytes must be at least 1048576 since 4.0",
			func(c Config) bool { return c.Int("segment.bytes") >= 1048576 }},
	}
)

func notEmpty(key string) func(Config) bool {
	return func(c Config) bool { return !c.Set(key) || c.String(key) != "" }
}

func classicOnly(key string) func(Config) bool {
	return func(c Config) bool { return !c.Set(key) || c.String("group.protocol") != "consumer" }
}

// between is the rule that a broker's default for groups lies within the limits that it sets for them.
func between(from, low, key, high string) rule {
	return rule{BrokerScope, mustRelease(from), anyRelease, []string{key, low, high},
		key + " must be between " + low + " and " + high,
		func(c Config) bool { return c.Int(low) <= c.Int(key) && c.Int(key) <= c.Int(high) }}
}

// wantsIdempotence reports whether idempotence was asked for, rather than being on by default: settings that
// contradict the default only turn it off (ProducerConfig.postProcessAndValidateIdempotenceConfigs).
func (c Config) wantsIdempotence() bool {
	return c.Set("enable.idempotence") && c.Bool("enable.idempotence") || c.String("transactional.id") != ""
}

func distinct(list []string) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

// checkRules checks what must hold between settings. An error is put to the first of the rule's keys that was set.
func (c Config) checkRules() []ConfigError {
	var errs []ConfigError
	for _, r := range rules {
		if r.scope != c.scope || c.release.Compare(r.from) < 0 || r.before != anyRelease && c.release.Compare(r.before) >= 0 {
			continue
		}
		i := slices.IndexFunc(r.keys, c.Set)
		if i < 0 || r.allowed(c) {
			continue
		}
		errs = append(errs, ConfigError{Key: r.keys[i], Value: c.values[r.keys[i]].text, Problem: r.text + c.presentValues(r.keys)})
	}
	return errs
}

// presentValues words the values that a rule was broken with.
func (c Config) presentValues(keys []string) string {
	words := make([]string, len(keys))
	for i, key := range keys {
		words[i] = fmt.Sprintf("%s is %s", key, c.values[key].text)
		if c.values[key].text == "" {
			words[i] = key + " is not set"
		}
	}
	return " (" + strings.Join(words, ", ") + ")"
}
