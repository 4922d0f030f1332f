package figures

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// OwnersCSV writes who owned what: a line for each holding, in the order of groups, partitions and time. Times are in
// milliseconds of virtual time; the end of what goes on is empty.
func (f *Figures) OwnersCSV(w io.Writer) error {
	lines := [][]string{{"group", "partition", "consumer", "from_event", "from_ms", "to_event", "to_ms"}}
	for i := range f.Groups {
		g := &f.Groups[i]
		for j := range g.Partitions {
			p := &g.Partitions[j]
			for _, h := range p.Holdings {
				line := []string{g.ID, p.String(), string(h.Consumer), strconv.Itoa(h.From.Event), millis(h.From.At), "", ""}
				if h.To.Event > 0 {
					line[5], line[6] = strconv.Itoa(h.To.Event), millis(h.To.At)
				}
				lines = append(lines, line)
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// CSV writes the figures in long form: a line for each change of each value. Times are in milliseconds of virtual time. The
// subject is a partition, a kind of request, or empty where the value is the group's or the run's.
func (f *Figures) CSV(w io.Writer) error {
	lines := [][]string{{"figure", "group", "subject", "event", "ms", "value"}}
	series := func(figure, group, subject string, s Series) {
		for _, p := range s {
			lines = append(lines, []string{figure, group, subject, strconv.Itoa(p.Event), millis(p.At), strconv.FormatInt(p.Value, 10)})
		}
	}
	series("produced", "", "", f.Produced)
	for i := range f.Requests {
		series("requests", "", f.Requests[i].API.String(), f.Requests[i].Sent)
	}
	for i := range f.Groups {
		g := &f.Groups[i]
		series("delivered", g.ID, "", g.Delivered)
		series("processed", g.ID, "", g.Processed)
		series("duplicates", g.ID, "", g.Duplicates)
		series("lost", g.ID, "", g.Lost)
		series("unowned", g.ID, "", g.Free)
		for j := range g.Partitions {
			series("lag", g.ID, g.Partitions[j].String(), g.Partitions[j].Lag)
		}
		for _, r := range g.Rebalances {
			lines = append(lines, []string{"moved", g.ID, r.Why.String(), strconv.Itoa(r.From.Event), millis(r.From.At), strconv.Itoa(r.Moved)})
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// millis writes a time in milliseconds, with as many decimals as it needs.
func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
}
