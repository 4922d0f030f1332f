package stage

import (
	"slices"

	"groupscope/core/kafka"
)

// tally sorts the messages of a run by what becomes of them in the sequence diagram, so that an excerpt of it is found
// without going through the run. It is made anew when other kinds are folded.
type tally struct {
	story  stream // arrows that tell of groups, commits, transactions
	flow   stream // arrows of the steady flow of records
	folded stream // neither: a tick for each request
}

// stream is some of the arrows, in the order of sending.
type stream struct {
	track  *track
	arrows []int                  // indices in the track
	ends   map[kafka.NodeID][]int // by node: the events in which it sent or received one of them, in order
}

func newTally(t *track, e *Excerpt) *tally {
	y := &tally{}
	for _, s := range []*stream{&y.story, &y.flow, &y.folded} {
		s.track, s.ends = t, map[kafka.NodeID][]int{}
	}
	for i := range t.arrows {
		a := &t.arrows[i]
		s := &y.story
		switch {
		case a.err != kafka.None:
		case !e.shows(a.api()):
			s = &y.folded
		case quietAPI(a.api()):
			s = &y.flow
		}
		s.add(i, a)
	}
	for _, s := range []*stream{&y.story, &y.flow} {
		for _, events := range s.ends {
			slices.Sort(events)
		}
	}
	return y
}

func (s *stream) add(i int, a *arrow) {
	s.arrows = append(s.arrows, i)
	s.ends[a.message.From] = append(s.ends[a.message.From], a.sent)
	if end := a.end(); end > 0 {
		s.ends[a.message.To] = append(s.ends[a.message.To], end)
	}
}

// longestFlight is how many events before an excerpt the messages may be sent that arrive in it; those of the track's slow
// list take longer.
const longestFlight = 64

// sent are the arrows of a stream that were sent from one event to another, both included.
func (s *stream) sent(from, to int) []int {
	at := func(event int) int {
		i, _ := slices.BinarySearch(s.arrows, s.track.first[max(0, min(event, len(s.track.first)-1))])
		return i
	}
	if to < from {
		return nil
	}
	return s.arrows[at(from):at(to+1)]
}

// count is how many messages of a stream a node sent or received from one event up to another.
func (s *stream) count(node kafka.NodeID, from, to int) int {
	events := s.ends[node]
	i, _ := slices.BinarySearch(events, from)
	j, _ := slices.BinarySearch(events, to)
	return j - i
}
