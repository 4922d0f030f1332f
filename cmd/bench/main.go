// Command bench measures what costs what and prints it as tables: the model's speed, the making of pictures, the weight of the
// program beside a bare Ebitengine one built in the same run, and what the page costs the processor while it is paused.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

func main() {
	parts := flag.String("only", "", "measure one part alone: model, rebalance, assign, stage, weight, page")
	flag.Parse()
	if err := run(context.Background(), *parts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// part is one group of measurements.
type part struct {
	name    string
	measure func(context.Context) error
}

var parts = []part{
	{"model", measureModel},
	{"rebalance", measureRebalance},
	{"assign", measureAssign},
	{"stage", measureStage},
	{"weight", measureWeight},
	{"page", measurePage},
}

func run(ctx context.Context, only string) error {
	if only != "" && !slices.ContainsFunc(parts, func(p part) bool { return p.name == only }) {
		return fmt.Errorf("bench: no part is named %q; expected model, rebalance, assign, stage, weight or page", only)
	}
	for _, p := range parts {
		if only != "" && only != p.name {
			continue
		}
		if err := p.measure(ctx); err != nil {
			return fmt.Errorf("bench %s: %w", p.name, err)
		}
		fmt.Println()
	}
	return nil
}

// row prints one line of a table.
func row(what, value string) { fmt.Printf("  %-58s %18s\n", what, value) }

// spread is the middle and the slow end of many measurements.
type spread struct{ median, slow time.Duration }

// measure does something many times. slow is the time that 99 of 100 stay below.
func measure(times int, do func(i int)) spread {
	took := make([]time.Duration, times)
	for i := range took {
		start := time.Now()
		do(i)
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	return spread{median: took[times/2], slow: took[times*99/100]}
}

func (s spread) String() string {
	return fmt.Sprintf("%s (%s)", short(s.median), short(s.slow))
}

func short(d time.Duration) string {
	if d < time.Millisecond {
		return fmt.Sprintf("%.0f µs", float64(d)/float64(time.Microsecond))
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
