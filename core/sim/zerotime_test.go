package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
)

// instant is a script in which messages take no time: a producer, a consumer, and two brokers of which one is gone for two seconds.
func instant(key string) Script {
	s := Script{
		Brokers: []BrokerSpec{{ID: "B1"}, {ID: "B2"}},
		Topics:  []TopicSpec{{Name: "T1", Partitions: 2, Replication: 1}},
		Consumers: []client.ConsumerSpec{{
			ID: "C1", Group: "G1", Topics: []string{"T1"}, Settings: map[string]string{key: "0"},
		}},
		Commands: []Command{{At: 6 * second, Do: Crash, Node: "B1"}, {At: 8 * second, Do: Restart, Node: "B1"}},
		Until:    10 * second,
	}
	s.Producers = []client.ProducerSpec{{ID: "P1", Topic: "T1", Every: second, Start: second}}
	if strings.Contains(key, "backoff") {
		s.Producers[0].Settings = map[string]string{key: "0"}
	}
	return s
}

func TestTimePassesWhateverIsSetToTakeNone(t *testing.T) {
	for _, key := range []string{
		"fetch.max.wait.ms", "fetch.min.bytes", "retry.backoff.ms", "reconnect.backoff.ms", "heartbeat.interval.ms",
		"auto.commit.interval.ms", "metadata.max.age.ms", "reconnect.backoff.max.ms",
	} {
		t.Run(key, func(t *testing.T) {
			w, err := New(instant(key))
			require.NoError(t, err)
			require.NoError(t, NewHistory(w).Run(60_000), "six events a millisecond are enough for a loop that never waits")
		})
	}
}
