package lessons

import (
	"os"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// cases are public trouble reports, by topic. Each has a scenario that states the outcome by Kafka's rules.
var cases = map[string][]string{
	"liveness-timeouts": {
		"poll-interval-leave", "short-poll-long-sleep-never-joins", "heartbeat-only-between-messages",
		"batch-larger-than-poll-interval", "invalid-session-timeout",
	},
	"static-membership": {
		"static-restart-within-session", "static-member-poll-timeout", "static-join-during-completing-rebalance",
	},
	"rebalance-timing": {
		"initial-rebalance-delay-extension", "leader-dies-before-syncgroup", "rebalance-waits-for-slowest-eager",
		"leaked-pending-member", "joingroup-v0-kicks-everyone", "heartbeat-interval-delays-rebalance",
	},
	"cooperative": {
		"cooperative-two-phase-gap", "cooperative-newcomer-waits-two-rounds", "mixed-assignors-inconsistent-protocol",
		"cooperative-poison-travels",
	},
	"coordinator": {"coordinator-failover-no-rebalance", "group-max-size"},
	"assignment": {
		"range-two-topics-half-idle", "sticky-stale-generation-claim", "range-single-partition-topics-hotspot",
		"roundrobin-different-subscriptions", "more-consumers-than-partitions",
	},
	"basics": {"two-groups-independent"},
	"commits": {
		"commit-error-by-group-state", "async-commit-overwrites-newer", "auto-commit-crash-duplicates",
		"partitions-lost-callback-commit", "auto-commit-worker-pool-loss", "rebalance-without-commit-in-listener",
	},
	"offset-reset": {
		"out-of-range-after-retention", "unsubscribed-topic-offsets-expire", "group-empty-offsets-expire", "earliest-is-ignored",
	},
	"manual-assign": {"assign-and-subscribe-same-group", "two-assign-consumers-overwrite"},
	"poison-pause":  {"pause-forgotten-after-rebalance"},
	"partitions-keys": {
		"subscribe-before-topic-exists", "new-partition-never-noticed", "hot-key-more-consumers", "add-partition-latest-loss",
	},
	"fetch":        {"oversize-record", "fetch-min-bytes-adds-latency"},
	"transactions": {"read-committed-stuck-at-lso", "aborted-and-markers-make-gaps"},
	"replication": {
		"high-watermark-hides-acked-records", "unclean-election-truncates", "acks1-loss-in-planned-move",
	},
	"lag-tooling": {"lag-dash-no-commit", "reset-offsets-needs-empty-group"},
}

func TestEveryCaseHasItsScenario(t *testing.T) {
	for topic, ids := range cases {
		for _, id := range ids {
			t.Run(path.Join(topic, id), func(t *testing.T) {
				source, err := os.ReadFile(path.Join("scenarios", id, lessonName))
				require.NoError(t, err)
				require.Contains(t, string(source), "# "+id+" ("+topic+")\n", "the first line names the case and its topic")
			})
		}
	}
}

func TestEveryClaimOfEveryScenarioHolds(t *testing.T) {
	folders, err := os.ReadDir("scenarios")
	require.NoError(t, err)
	for _, folder := range folders {
		lesson, err := Load(os.DirFS("scenarios"), folder.Name())
		require.NoError(t, err)
		variants := []string{""}
		for _, v := range lesson.Variants {
			variants = append(variants, v.ID)
		}
		for _, v := range variants {
			t.Run(path.Join(folder.Name(), v), func(t *testing.T) {
				run, err := lesson.Play(v)
				require.NoError(t, err)
				require.NoError(t, run.Check().err())
			})
		}
	}
}
