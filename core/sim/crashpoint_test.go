package sim

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// crashRun is a run in which C1 meets something at a line of its listing, and C2 takes over or joins.
func crashRun(p client.Pattern, line, count int, action string) Script {
	settings := maps.Clone(p.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	maps.Copy(settings, map[string]string{
		"auto.offset.reset": "earliest", "session.timeout.ms": "6000", "heartbeat.interval.ms": "1000",
		"auto.commit.interval.ms": "1000", "max.poll.records": "4",
	})
	member := func(id kafka.NodeID, start time.Duration) client.ConsumerSpec {
		return client.ConsumerSpec{
			ID: id, Group: "G1", Topics: []string{"T1"}, Start: start, Program: p.Program, Settings: settings, Store: "DB1",
		}
	}
	s := Script{
		Brokers:   []BrokerSpec{{ID: "B1"}},
		Topics:    []TopicSpec{{Name: "T1", Partitions: 2, Records: 10}},
		Stores:    []kafka.NodeID{"DB1"},
		Latency:   5 * time.Millisecond,
		Consumers: []client.ConsumerSpec{member("C1", 0)},
		Until:     60 * time.Second,
	}
	trap := Command{Do: Trap, Node: "C1", Line: line, Count: int32(count), Method: action}
	switch action {
	case "rebalance":
		// A newcomer's JoinGroup reaches the group about when the line is entered.
		s.Consumers = append(s.Consumers, member("C2", 3*time.Second+time.Duration(count*37+line*11)*time.Millisecond))
	default:
		s.Commands = []Command{trap}
		s.Consumers = append(s.Consumers, member("C2", 20*time.Second))
	}
	return s
}

// lines lists the lines of a listing that any operation stands for.
func lines(p client.Program) []int {
	seen := map[int]bool{}
	var visit func(ops []client.Op)
	visit = func(ops []client.Op) {
		for _, op := range ops {
			seen[op.Line] = true
			visit(op.Body)
			visit(op.Callback)
			for _, c := range op.Catch {
				visit(c.Body)
			}
		}
	}
	for _, part := range [][]client.Op{p.Setup, p.Body, p.Closing, p.OnRevoked, p.OnAssigned, p.OnLost} {
		visit(part)
	}
	return slices.Sorted(maps.Keys(seen))
}

// outcome counts what became of the records, by the ledger of processing, or of the external store.
func outcome(f *view.Frame, stores bool) (twice, missing int64) {
	for _, p := range f.Topics[0].Partitions {
		missing += p.LogEnd
	}
	for _, w := range f.Groups[0].Work {
		runs := w.Done
		if stores {
			runs = w.Stored
		}
		for _, r := range runs {
			missing -= r.Len()
			if r.Times > 1 {
				twice += r.Len()
			}
		}
	}
	return twice, missing
}

// TestCrashPoint tries every pattern at every line of its listing: the process dies there, is asked to close there, or is
// rebalanced about then. What a pattern promises must hold at each point, and it must be all that it promises: somewhere
// the records that it does not speak of are repeated, or lost.
func TestCrashPoint(t *testing.T) {
	for _, name := range client.PatternNames() {
		process := 20 * time.Millisecond
		if name == "workers" {
			process = 400 * time.Millisecond // so that polls go on while records wait for a worker
		}
		p, _ := client.PatternNamed(name, 500*time.Millisecond, process)
		var everTwice, everMissing int64
		for _, line := range lines(p.Program) {
			for _, action := range []string{"crash", "close", "rebalance"} {
				for _, count := range []int{1, 2, 9} {
					t.Run(fmt.Sprintf("%s/line %d/%s %d", p.Program.Name, line, action, count), func(t *testing.T) {
						twice, missing := outcome(last(play(t, crashRun(p, line, count, action))), p.Stores)
						everTwice += twice
						everMissing += missing
						if p.Promise == client.AtLeastOnce || p.Promise == client.Effectively {
							require.Zero(t, missing, "records lost")
						}
						if p.Promise == client.AtMostOnce || p.Promise == client.Effectively {
							require.Zero(t, twice, "records repeated")
						}
					})
				}
			}
		}
		t.Run(p.Program.Name+"/no more than promised", func(t *testing.T) {
			if p.Promise == client.AtLeastOnce {
				require.NotZero(t, everTwice)
			}
			if p.Promise == client.AtMostOnce || p.Promise == client.Nothing {
				require.NotZero(t, everMissing)
			}
		})
	}
}

func TestTheReadmeTellsWhatEveryPatternPromises(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, p := range client.Patterns(0, 0) {
		promise := string(p.Promise)
		if p.Promise == client.Nothing {
			promise = "neither"
		}
		require.Contains(t, string(readme), fmt.Sprintf("| `%s` | %s", p.Program.Name, promise))
	}
}
