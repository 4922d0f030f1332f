package kafka

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func configure(t *testing.T, s Scope, release string, set map[string]string) Config {
	t.Helper()
	c, errs := NewConfig(s, mustRelease(release), set)
	require.Empty(t, errs)
	return c
}

func TestDefaultsFollowTheRelease(t *testing.T) {
	// defaults.md
	for _, c := range []struct {
		scope        Scope
		release, key string
		want         string
	}{
		{ConsumerScope, "0.9.0.1", "session.timeout.ms", "30000"},
		{ConsumerScope, "0.10.1", "session.timeout.ms", "10000"},
		{ConsumerScope, "2.8.2", "session.timeout.ms", "10000"},
		{ConsumerScope, "3.0", "session.timeout.ms", "45000"},
		{ConsumerScope, "0.10", "max.poll.records", "2147483647"},
		{ConsumerScope, "0.10.1", "max.poll.records", "500"},
		{ConsumerScope, "0.10", "request.timeout.ms", "40000"},
		{ConsumerScope, "1.1", "request.timeout.ms", "305000"},
		{ConsumerScope, "2.0", "request.timeout.ms", "30000"},
		{ConsumerScope, "2.8", "partition.assignment.strategy", "range"},
		{ConsumerScope, "3.0", "partition.assignment.strategy", "range,cooperative-sticky"},
		{ConsumerScope, "3.9", "auto.offset.reset", "latest"},
		{BrokerScope, "0.9", "group.max.session.timeout.ms", "30000"},
		{BrokerScope, "2.2", "group.max.session.timeout.ms", "300000"},
		{BrokerScope, "2.3", "group.max.session.timeout.ms", "1800000"},
		{BrokerScope, "1.1", "offsets.retention.minutes", "1440"},
		{BrokerScope, "2.0", "offsets.retention.minutes", "10080"},
		{BrokerScope, "2.4", "message.max.bytes", "1000012"},
		{BrokerScope, "0.10.1", "unclean.leader.election.enable", "true"},
		{BrokerScope, "3.9", "group.consumer.migration.policy", "disabled"},
		{ProducerScope, "2.8", "acks", "1"},
		{ProducerScope, "3.0", "acks", "all"},
		{ProducerScope, "3.9", "linger.ms", "0"},
		{ProducerScope, "4.0", "linger.ms", "5"},
		{TopicScope, "3.9", "retention.ms", "604800000"},
	} {
		k, ok := LookupKey(c.scope, c.key)
		require.True(t, ok, c.key)
		value, ok := k.Default(mustRelease(c.release))
		require.True(t, ok, c.key)
		require.Equal(t, c.want, value, "%s in %s", c.key, c.release)
	}
}

func TestEveryKeyIsDescribedAndItsDefaultsAreAllowed(t *testing.T) {
	for s := range keyTables {
		seen := map[string]bool{}
		for _, k := range Keys(Scope(s)) {
			require.False(t, seen[k.Name], "%s twice", k.Name)
			seen[k.Name] = true
			require.Equal(t, Scope(s), k.Scope)
			require.NotEmpty(t, k.Help, k.Name)
			require.Regexp(t, `\.$`, k.Help, k.Name)
			require.NotEmpty(t, k.Defaults, k.Name)
			for i, d := range k.Defaults {
				_, err := k.parse(d.Value, d.Since)
				require.Nil(t, err, k.Name)
				require.True(t, i == 0 || k.Defaults[i-1].Since.Compare(d.Since) < 0, "%s: defaults are not in order", k.Name)
			}
		}
	}
}

func TestDefaultsBreakNoRuleInAnyRelease(t *testing.T) {
	for _, release := range []string{"0.9", "0.10.1", "0.11", "1.0", "2.0", "2.4", "3.0", "3.7", "3.9", "4.0", "4.3"} {
		for s := range keyTables {
			configure(t, Scope(s), release, nil)
		}
	}
}

func TestSettingsReplaceDefaults(t *testing.T) {
	c := configure(t, ConsumerScope, "3.9", map[string]string{
		"session.timeout.ms": " 6000 ", "enable.auto.commit": "FALSE", "group.id": "G1",
		"partition.assignment.strategy": "org.apache.kafka.clients.consumer.RoundRobinAssignor, sticky",
	})
	require.Equal(t, int64(6000), c.Int("session.timeout.ms"))
	require.Equal(t, 6*time.Second, c.Duration("session.timeout.ms"))
	require.Equal(t, 3*time.Second, c.Duration("heartbeat.interval.ms"))
	require.False(t, c.Bool("enable.auto.commit"))
	require.Equal(t, "G1", c.String("group.id"))
	require.Equal(t, []string{"roundrobin", "sticky"}, c.List("partition.assignment.strategy"))
	require.True(t, c.Set("session.timeout.ms"))
	require.False(t, c.Set("heartbeat.interval.ms"))
	require.Equal(t, "3.9", c.Release().String())
}

func TestDurationHasTheUnitOfItsName(t *testing.T) {
	c := configure(t, BrokerScope, "3.9", nil)
	require.Equal(t, 7*24*time.Hour, c.Duration("offsets.retention.minutes"))
	require.Equal(t, 168*time.Hour, c.Duration("log.retention.hours"))
	require.Equal(t, 5*time.Minute, c.Duration("leader.imbalance.check.interval.seconds"))
}

func TestKeysThatTheReleaseDoesNotHaveAreZero(t *testing.T) {
	c := configure(t, ConsumerScope, "0.9", nil)
	require.Zero(t, c.Int("max.poll.records"))
	require.Zero(t, c.Duration("max.poll.interval.ms"))
	require.Empty(t, c.String("isolation.level"))
}

func TestReadingANameThatIsNoKeyPanics(t *testing.T) {
	c := configure(t, ConsumerScope, "3.9", nil)
	require.PanicsWithValue(t, `kafka: setting "sesion.timeout.ms" of a consumer read as [int long]`, func() { c.Int("sesion.timeout.ms") })
	require.Panics(t, func() { c.Bool("session.timeout.ms") })
}

func TestUnmodelledKeysAndValuesThatWereSetAreListed(t *testing.T) {
	c := configure(t, ConsumerScope, "4.0", map[string]string{
		"send.buffer.bytes": "1000", "check.crcs": "true",
		"auto.offset.reset": "by_duration:PT1H", "isolation.level": "read_committed",
		"group.instance.id": "a", "group.protocol": "consumer",
	})
	require.Equal(t, []string{"check.crcs", "group.protocol", "send.buffer.bytes"}, c.Unmodelled())
}

func TestAutoCommitIsOffWithoutAGroup(t *testing.T) {
	require.False(t, configure(t, ConsumerScope, "2.2", nil).Bool("enable.auto.commit"))
	require.True(t, configure(t, ConsumerScope, "2.1", nil).Bool("enable.auto.commit"))
	require.True(t, configure(t, ConsumerScope, "2.2", map[string]string{"group.id": "G1"}).Bool("enable.auto.commit"))
}

func TestWrongSettingsAreAllReported(t *testing.T) {
	_, errs := NewConfig(ConsumerScope, mustRelease("3.9"), map[string]string{
		"sesion.timeout.ms": "6000", "max.poll.records": "many", "fetch.min.bytes": "-1", "enable.auto.commit": "ture",
		"linger.ms": "5", "auto.offset.reset": "earlyest", "bogus": "1",
	})
	require.Equal(t, []ConfigError{
		{Key: "auto.offset.reset", Value: "earlyest", Problem: `"earlyest" is not one of its values`, Expected: "one of latest, earliest, none", Suggestion: "earliest"},
		{Key: "bogus", Value: "1", Problem: "no such setting of a consumer"},
		{Key: "enable.auto.commit", Value: "ture", Problem: "not a boolean", Expected: "true or false", Suggestion: "true"},
		{Key: "fetch.min.bytes", Value: "-1", Problem: "-1 is too small", Expected: "a whole number of at least 0"},
		{Key: "linger.ms", Value: "5", Problem: "no such setting of a consumer; it is one of a producer"},
		{Key: "max.poll.records", Value: "many", Problem: "not a number of type int", Expected: "a whole number of at least 1"},
		{Key: "sesion.timeout.ms", Value: "6000", Problem: "no such setting of a consumer", Suggestion: "session.timeout.ms"},
	}, errs)
}

func TestWrongSettingsLeaveTheDefault(t *testing.T) {
	c, errs := NewConfig(ConsumerScope, mustRelease("3.9"), map[string]string{"max.poll.records": "0"})
	require.Len(t, errs, 1)
	require.Equal(t, int64(500), c.Int("max.poll.records"))
}

func TestConfigErrorReadsAsASentence(t *testing.T) {
	_, errs := NewConfig(ConsumerScope, mustRelease("3.9"), map[string]string{"auto.offset.reset": "latst"})
	require.EqualError(t, errs[0], `auto.offset.reset: "latst" is not one of its values; expected one of latest, earliest, none; did you mean latest?`)
}

func TestSettingsOfOtherReleasesSaySinceWhen(t *testing.T) {
	for _, c := range []struct {
		scope               Scope
		release, key, value string
		problem             string
	}{
		{ConsumerScope, "0.10", "max.poll.interval.ms", "1000", "release 0.10 does not have this setting yet: it came with 0.10.1"},
		{ConsumerScope, "2.2", "group.instance.id", "a", "release 2.2 does not have this setting yet: it came with 2.3"},
		{ConsumerScope, "2.3", "partition.assignment.strategy", "cooperative-sticky", `release 2.3 does not have "cooperative-sticky" yet: it came with 2.4`},
		{ConsumerScope, "3.9", "auto.offset.reset", "by_duration:PT1H", `release 3.9 does not have "by_duration:PT1H" yet: it came with 4.0`},
		{BrokerScope, "3.9", "replica.lag.max.messages", "4000", "release 3.9 does not have this setting any more: it was removed in 0.9"},
	} {
		_, errs := NewConfig(c.scope, mustRelease(c.release), map[string]string{c.key: c.value})
		require.Len(t, errs, 1, c.key)
		require.Equal(t, c.problem, errs[0].Problem)
	}
	configure(t, ConsumerScope, "4.0", map[string]string{"auto.offset.reset": "by_duration:PT1H"})
}

func TestADurationThatCannotBeReadIsAMistakeThatIsExplained(t *testing.T) {
	for _, value := range []string{"by_duration:1h", "by_duration:", "by_duration:-PT1H"} {
		_, errs := NewConfig(ConsumerScope, mustRelease("4.0"), map[string]string{"auto.offset.reset": value})
		require.Len(t, errs, 1, value)
		require.Contains(t, errs[0].Problem, "is not a duration of ISO 8601 that is 0 or more")
		require.Equal(t, "by_duration:PnDTnHnMnS", errs[0].Expected)
		require.Equal(t, "by_duration:PT1H", errs[0].Suggestion)
	}
}
