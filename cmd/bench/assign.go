package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// measureAssign runs the assignors beside franz-go's. They meet in a test, because franz-go is no part of the program.
func measureAssign(ctx context.Context) error {
	fmt.Println("The assignors, members x partitions (best of 3: one call; franz-go's; how many times as long that takes)")
	out, err := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "Assign", "-benchtime", "30ms", "-count", "3", "./core/assign").Output()
	if err != nil {
		return fmt.Errorf("go test ./core/assign: %w: %s", err, out)
	}
	best := map[string]time.Duration{}
	var order []string
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		name, took, ok := benchmarkLine(lines.Text())
		if !ok {
			continue
		}
		if _, known := best[name]; !known {
			order = append(order, name)
			best[name] = took
		}
		best[name] = min(best[name], took)
	}
	for _, name := range order {
		if what, whose, _ := cutLast(name, "/"); whose == "franz-go" {
			ours, theirs := best[what+"/ours"], best[name]
			row(what, fmt.Sprintf("%s %10s %6.1f", short(ours), short(theirs), float64(theirs)/float64(ours)))
		}
	}
	return lines.Err()
}

// benchmarkLine reads a line of a benchmark's output: its name, without the prefix and the number of processors, and the time of one
// operation.
func benchmarkLine(line string) (name string, took time.Duration, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[3] != "ns/op" {
		return "", 0, false
	}
	nanoseconds, err := strconv.ParseFloat(fields[2], 64)
	if err != nil {
		return "", 0, false
	}
	name, _, _ = cutLast(strings.TrimPrefix(fields[0], "BenchmarkAssign/"), "-")
	return name, time.Duration(nanoseconds), true
}

// cutLast cuts a text at the last occurrence of a separator.
func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// measureRebalance lets one consumer more join a stable group, end to end, from its start to the new generation.
func measureRebalance(context.Context) error {
	fmt.Println("One rebalance, end to end (time on this machine; events)")
	var smaller time.Duration
	for _, members := range []int{10, 100, 1000} {
		took, events, err := rebalance(members)
		if err != nil {
			return err
		}
		value := fmt.Sprintf("%s %10d", short(took), events)
		if smaller > 0 {
			value += fmt.Sprintf("  (%.1f times the row above)", float64(took)/float64(smaller))
		}
		row(fmt.Sprintf("a newcomer to %d members", members), value)
		smaller = took
	}
	return nil
}

// rebalance measures how long the world takes from a newcomer's start until the group is Stable with it.
func rebalance(members int) (time.Duration, int, error) {
	const joins = 30 * time.Second
	script := sim.Script{
		Brokers: []sim.BrokerSpec{{ID: "B1"}},
		Topics:  []sim.TopicSpec{{Name: "T1", Partitions: int32(members) + 1}},
		Until:   2 * joins,
	}
	for i := range members {
		script.Consumers = append(script.Consumers, client.ConsumerSpec{
			ID: kafka.NodeID(fmt.Sprintf("C%04d", i)), Group: "G1", Topics: []string{"T1"},
		})
	}
	script.Consumers = append(script.Consumers, client.ConsumerSpec{ID: "newcomer", Group: "G1", Topics: []string{"T1"}, Start: joins})
	world, err := sim.New(script)
	if err != nil {
		return 0, 0, err
	}
	for world.Now() < joins {
		if _, more := world.Step(); !more {
			return 0, 0, fmt.Errorf("the run of %d members ended early", members)
		}
	}
	start, before := time.Now(), world.Event()
	for {
		entry, more := world.Step()
		if !more {
			return 0, 0, fmt.Errorf("%d members did not become stable", members)
		}
		// The coordinator is done when the leader's SyncGroup was stored: its entry tells the state.
		for _, f := range entry.Facts {
			if f.Text == "Stable" {
				return time.Since(start), world.Event() - before, nil
			}
		}
	}
}
