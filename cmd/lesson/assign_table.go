package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"groupscope/core/assign"
	"groupscope/core/kafka"
)

// writeTables writes a table for each case: a row for each member, a column for each assignor, and below how many
// partitions the members have, and how many of those that they owned they keep.
func writeTables(w io.Writer, cases []assignCase) error {
	for i, c := range cases {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if c.Source != "" {
			fmt.Fprintln(w, c.Source)
		}
		if err := writeTable(w, c); err != nil {
			return err
		}
	}
	return nil
}

func writeTable(w io.Writer, c assignCase) error {
	names := assign.Names()
	if c.Assignor != "" {
		names = []string{c.Assignor}
	}
	results := make([]assign.Assignment, len(names))
	for i, name := range names {
		c.Assignor = name
		results[i] = c.run()
	}
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "member\t"+strings.Join(names, "\t"))
	for _, m := range c.Members {
		fmt.Fprint(t, m.ID)
		for _, a := range results {
			fmt.Fprint(t, "\t", partitionRuns(a[m.ID]))
		}
		fmt.Fprintln(t)
	}
	fmt.Fprint(t, "(each)")
	for _, a := range results {
		fmt.Fprint(t, "\t", sizes(a))
	}
	fmt.Fprintln(t)
	if c.owned() > 0 {
		fmt.Fprintf(t, "(kept of %d)", c.owned())
		for _, a := range results {
			fmt.Fprint(t, "\t", c.kept(a))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// owned is the number of partitions that the members say they own.
func (c assignCase) owned() int {
	n := 0
	for _, m := range c.Members {
		n += len(m.Owned)
	}
	return n
}

// kept is the number of those that stay where they were.
func (c assignCase) kept(a assign.Assignment) int {
	n := 0
	for _, m := range c.Members {
		for _, tp := range m.Owned {
			if slices.Contains(a[m.ID], kafka.TopicPartition(tp)) {
				n++
			}
		}
	}
	return n
}

// partitionRuns writes partitions by topic and in runs: "T1:0-2,5 T2:0".
func partitionRuns(list []kafka.TopicPartition) string {
	if len(list) == 0 {
		return "-"
	}
	list = slices.SortedFunc(slices.Values(list), kafka.TopicPartition.Compare)
	var text strings.Builder
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].Topic == list[i].Topic && list[end].Partition == list[end-1].Partition+1 {
			end++
		}
		switch {
		case i == 0:
			fmt.Fprintf(&text, "%s:", list[i].Topic)
		case list[i].Topic != list[i-1].Topic:
			fmt.Fprintf(&text, " %s:", list[i].Topic)
		default:
			text.WriteByte(',')
		}
		fmt.Fprint(&text, list[i].Partition)
		if end > i+1 {
			fmt.Fprintf(&text, "-%d", list[end-1].Partition)
		}
		i = end
	}
	return text.String()
}

// sizes writes how many partitions the members have: "2" or "1 to 3 partitions".
func sizes(a assign.Assignment) string {
	var counts []int
	for _, list := range a {
		counts = append(counts, len(list))
	}
	if len(counts) == 0 {
		return "-"
	}
	low, high := slices.Min(counts), slices.Max(counts)
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}
