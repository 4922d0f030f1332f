package kafka

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// settings reads "a=1 b=2".
func settingsOf(text string) map[string]string {
	set := map[string]string{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		set[key] = value
	}
	return set
}

// The outcomes are those of the constructors of KafkaConsumer and KafkaProducer of these releases.
func TestSettingsMustFitEachOther(t *testing.T) {
	for _, c := range []struct {
		scope             Scope
		release, settings string
		key, problem      string // "": nothing is wrong
	}{
		{ConsumerScope, "3.9", "session.timeout.ms=3000", "session.timeout.ms",
			"heartbeat.interval.ms must be less than session.timeout.ms (heartbeat.interval.ms is 3000, session.timeout.ms is 3000)"},
		{ConsumerScope, "3.9", "session.timeout.ms=3000 heartbeat.interval.ms=2999", "", ""},
		{ConsumerScope, "0.9", "heartbeat.interval.ms=30000", "heartbeat.interval.ms",
			"heartbeat.interval.ms must be less than session.timeout.ms (heartbeat.interval.ms is 30000, session.timeout.ms is 30000)"},
		{ConsumerScope, "1.1", "request.timeout.ms=10000", "request.timeout.ms",
			"request.timeout.ms must be greater than session.timeout.ms before 2.0 (request.timeout.ms is 10000, session.timeout.ms is 10000)"},
		{ConsumerScope, "0.9", "fetch.max.wait.ms=40000", "fetch.max.wait.ms",
			"request.timeout.ms must be greater than fetch.max.wait.ms before 2.0 (request.timeout.ms is 40000, fetch.max.wait.ms is 40000)"},
		{ConsumerScope, "2.0", "request.timeout.ms=10000", "", ""},
		{ConsumerScope, "2.2", "enable.auto.commit=true", "enable.auto.commit",
			"enable.auto.commit cannot be true without a group.id (enable.auto.commit is true, group.id is not set)"},
		{ConsumerScope, "2.1", "enable.auto.commit=true", "", ""},
		{ConsumerScope, "3.9", "partition.assignment.strategy=", "partition.assignment.strategy",
			"partition.assignment.strategy must name at least one assignor (partition.assignment.strategy is not set)"},
		{ConsumerScope, "3.2", "partition.assignment.strategy=range,range", "partition.assignment.strategy",
			"partition.assignment.strategy must not name an assignor twice (partition.assignment.strategy is range,range)"},
		{ConsumerScope, "3.9", "group.instance.id=", "group.instance.id", "group.instance.id must not be empty (group.instance.id is not set)"},
		{ConsumerScope, "3.9", "group.remote.assignor=uniform", "group.remote.assignor",
			"group.remote.assignor needs group.protocol=consumer (group.remote.assignor is uniform, group.protocol is classic)"},
		{ConsumerScope, "4.0", "group.protocol=consumer session.timeout.ms=6000", "session.timeout.ms",
			"session.timeout.ms cannot be set with group.protocol=consumer (session.timeout.ms is 6000, group.protocol is consumer)"},
		{ConsumerScope, "3.9", "group.protocol=consumer session.timeout.ms=6000", "", ""},
		{ProducerScope, "2.2", "delivery.timeout.ms=30000 linger.ms=1", "delivery.timeout.ms",
			"delivery.timeout.ms must be at least linger.ms + request.timeout.ms (delivery.timeout.ms is 30000, linger.ms is 1, request.timeout.ms is 30000)"},
		{ProducerScope, "2.2", "linger.ms=200000", "", ""},
		{ProducerScope, "3.9", "enable.idempotence=true acks=1", "acks",
			"an idempotent producer needs acks=all (acks is 1, enable.idempotence is true, transactional.id is not set)"},
		{ProducerScope, "3.9", "acks=1", "", ""},
		{ProducerScope, "3.9", "acks=-1 enable.idempotence=true", "", ""},
		{ProducerScope, "3.9", "enable.idempotence=true retries=0", "retries",
			"an idempotent producer needs retries of at least 1 (retries is 0, enable.idempotence is true, transactional.id is not set)"},
		{ProducerScope, "3.9", "transactional.id=x enable.idempotence=false", "transactional.id",
			"a transactional.id needs enable.idempotence=true (transactional.id is x, enable.idempotence is false)"},
		{BrokerScope, "3.9", "replica.lag.time.max.ms=100", "replica.lag.time.max.ms",
			"replica.fetch.wait.max.ms must not be greater than replica.lag.time.max.ms (replica.fetch.wait.max.ms is 500, replica.lag.time.max.ms is 100)"},
		{BrokerScope, "3.9", "group.consumer.session.timeout.ms=1000", "group.consumer.session.timeout.ms",
			"group.consumer.session.timeout.ms must be between group.consumer.min.session.timeout.ms and group.consumer.max.session.timeout.ms " +
				"(group.consumer.session.timeout.ms is 1000, group.consumer.min.session.timeout.ms is 45000, group.consumer.max.session.timeout.ms is 60000)"},
		{BrokerScope, "4.0", "log.segment.bytes=1000", "log.segment.bytes", "log.segment.bytes must be at least 1048576 since 4.0 (log.segment.bytes is 1000)"},
		{TopicScope, "3.9", "segment.bytes=1000", "", ""},
	} {
		t.Run(c.release+" "+c.settings, func(t *testing.T) {
			_, errs := NewConfig(c.scope, mustRelease(c.release), settingsOf(c.settings))
			if c.problem == "" {
				require.Empty(t, errs)
				return
			}
			require.Len(t, errs, 1)
			require.Equal(t, c.problem, errs[0].Problem)
			require.Equal(t, c.key, errs[0].Key)
		})
	}
}
