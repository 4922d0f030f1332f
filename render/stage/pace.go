package stage

import (
	"math"
	"slices"
	"sort"
	"time"

	"groupscope/core/kafka"
)

// The constants of the pace, in seconds on screen at speed 1.
const (
	flightTime = 0.4  // a message is at least so long on its way ...
	beatTime   = 0.25 // ... but a heartbeat with nothing to say only so long: there are many
	loudGap    = 0.12 // between two events that tell the story
	quietGap   = 0.03 // more for each event of the steady flow ...
	quietMost  = 1.0  // ... but no more than this between two others
	waitScale  = 0.25 // waits grow with the logarithm of time, measured in this
	// A wait is marked as shortened when it is at least markedWait long and markedRatio times its time on screen.
	markedWait  = 4 * time.Second
	markedRatio = 3
)

// pace gives every event of a run its moment on the screen's clock: time for each message to be seen, long waits
// shortened. It is also the horizontal axis of sequence diagram and timeline.
type pace struct {
	moments []float64       // by event, in seconds on screen at speed 1; [0] is 0; never falls
	times   []time.Duration // by event, virtual
	short   []shortened
}

// shortened is a wait that takes less time on screen than its length deserves.
type shortened struct {
	from, to int // events
	wait     time.Duration
}

// newTrueTime gives every event its own time: a second on screen is a second of the run.
func newTrueTime(t *track) *pace {
	p := &pace{moments: make([]float64, len(t.times)), times: t.times}
	for i, at := range t.times {
		p.moments[i] = at.Seconds()
	}
	return p
}

// newPace gives every event its moment.
func newPace(t *track) *pace {
	p := &pace{moments: make([]float64, len(t.times)), times: t.times}
	last := 0 // the last event that has its moment
	for event := 1; event < len(t.times); event++ {
		if t.quiet[event] && event < t.len() {
			continue
		}
		p.stretch(t, last, event)
		last = event
	}
	return p
}

// stretch places the events after from up to to, all quiet but the last.
func (p *pace) stretch(t *track, from, to int) {
	wait := t.times[to] - t.times[from]
	quiet := to - from - 1
	shown := max(loudGap, waitOnScreen(wait)+min(quietMost, quietGap*float64(quiet)))
	if i := t.received[to]; i >= 0 && !t.quiet[to] {
		a := &t.arrows[i]
		shown = max(shown, p.moments[a.sent]+a.flightTime()-p.moments[from])
	}
	for event := from + 1; event <= to; event++ {
		p.moments[event] = p.moments[from] + shown*t.share(from, to, event)
	}
	if wait >= markedWait && wait.Seconds() >= markedRatio*shown {
		p.short = append(p.short, shortened{from, to, wait})
	}
}

// flightTime is how long the message is to be seen on its way.
func (a *arrow) flightTime() float64 {
	if a.api() == kafka.HeartbeatAPI && a.err == kafka.None {
		return beatTime
	}
	return flightTime
}

// share is where in the stretch an event lies, 0 to 1: half by its time, half by its number.
func (t *track) share(from, to, event int) float64 {
	byNumber := float64(event-from) / float64(to-from)
	wait := t.times[to] - t.times[from]
	if wait == 0 || event == to {
		return byNumber
	}
	return (byNumber + float64(t.times[event]-t.times[from])/float64(wait)) / 2
}

// waitOnScreen is the time on screen of a wait: near true up to a few tenths of a second, then growing slowly.
func waitOnScreen(wait time.Duration) float64 {
	return waitScale * math.Log2(1+wait.Seconds()/waitScale)
}

// at is the moment of a position on the screen's clock.
func (p *pace) at(event int, phase float64) float64 {
	event = min(max(event, 0), len(p.moments)-1)
	if event == len(p.moments)-1 {
		return p.moments[event]
	}
	return lerp(p.moments[event], p.moments[event+1], phase)
}

// end is the moment of the last event.
func (p *pace) end() float64 { return p.moments[len(p.moments)-1] }

// find is the position at a moment of the screen's clock: the last event at or before it, and the phase.
func (p *pace) find(at float64) (event int, phase float64) {
	event = sort.Search(len(p.moments), func(i int) bool { return p.moments[i] > at }) - 1
	if event < 0 {
		return 0, 0
	}
	if event == len(p.moments)-1 {
		return event, 0
	}
	return event, (at - p.moments[event]) / (p.moments[event+1] - p.moments[event])
}

// time is the virtual time at a position.
func (p *pace) time(event int, phase float64) time.Duration {
	event = min(max(event, 0), len(p.times)-1)
	if event == len(p.times)-1 {
		return p.times[event]
	}
	a, b := p.times[event], p.times[event+1]
	return a + time.Duration(phase*float64(b-a))
}

// moment is when on the screen's clock a virtual time is reached.
func (p *pace) moment(t time.Duration) float64 {
	event, exact := slices.BinarySearch(p.times, t) // the first event at that time or later
	switch {
	case exact || event == 0:
		return p.moments[event]
	case event == len(p.times):
		return p.moments[event-1]
	}
	a, b := p.times[event-1], p.times[event]
	return lerp(p.moments[event-1], p.moments[event], float64(t-a)/float64(b-a))
}
