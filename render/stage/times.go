package stage

import (
	"sort"
	"time"

	"groupscope/core/figures"
	"groupscope/render/scene"
)

// times is a stretch of the run's virtual time that a view draws from left to right: the whole run, so that nothing moves
// while the lesson goes on. What is to come is not shown yet.
type times struct {
	plot box
	end  time.Duration
	now  figures.Moment
}

func (in *input) timesOf(plot box) times {
	end := in.track.times[in.track.len()]
	return times{plot: plot, end: max(end, time.Millisecond), now: figures.Moment{Event: in.frame.Event, At: in.now()}}
}

func (t *times) x(at time.Duration) float64 {
	return t.plot.X + t.plot.W*float64(at)/float64(t.end)
}

// comes reports whether a moment is still to come.
func (t *times) comes(m figures.Moment) bool { return m.Event > t.now.Event || m.At > t.now.At }

// until is where something ends, or now if it goes on.
func (t *times) until(m figures.Moment) float64 {
	if m.Event == 0 || m.Event > t.now.Event {
		return t.x(t.now.At)
	}
	return t.x(m.At)
}

// drawTimeAxis writes times below the plots, as round as there is room for.
func drawTimeAxis(p *pen, b box, t *times) {
	for _, step := range axisSteps {
		if t.plot.W*float64(step)/float64(t.end) < p.u(74) && step != axisSteps[len(axisSteps)-1] {
			continue
		}
		for at := time.Duration(0); at <= t.end; at += step {
			text, s := p.in.words.tick(at), p.tiny().aligned(scene.Center)
			w := s.width(text)
			x := clamp(t.x(at), b.X+w/2, b.right()-w/2)
			p.line(t.x(at), b.Y, t.x(at), b.Y+p.u(4), p.in.theme.muted, 1)
			p.write(box{x - w/2 - 1, b.Y + p.u(4), w + 2, b.H - p.u(4)}, text, s)
		}
		return
	}
}

var axisSteps = []time.Duration{
	100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute,
	2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 12 * time.Hour, 48 * time.Hour, 480 * time.Hour,
}

// rebalanceBands shades the rebalances of a group over a plot.
func (p *pen) rebalanceBands(plot box, t *times, g *figures.Group) {
	for _, r := range g.Begun(t.now.Event) {
		from := t.x(r.From.At)
		p.area(box{from, plot.Y, max(2, t.until(r.To)-from), plot.H}, 0, alpha(p.in.theme.warn, 0x24))
	}
}

// nowLine marks the present moment in a plot.
func (p *pen) nowLine(plot box, t *times) {
	x := t.x(t.now.At)
	p.line(x, plot.Y, x, plot.bottom(), p.in.theme.text, 1.5)
}

// seekable lets a click in a plot go there: strips of it, each to the last event before its right end.
func (p *pen) seekable(plot box, t *times) {
	n := max(1, int(plot.W/6))
	for i, strip := range plot.columns(n, 0) {
		at := time.Duration(float64(t.end) * float64(i+1) / float64(n))
		p.add(scene.Shape{
			Kind: scene.Group, X: strip.X, Y: strip.Y, W: strip.W, H: strip.H, Action: scene.Action{Do: Seek, N: float64(p.in.track.eventAt(at))},
		})
	}
}

// eventAt is the last event at or before a moment.
func (t *track) eventAt(at time.Duration) int {
	return sort.Search(t.len(), func(i int) bool { return t.times[i+1] > at })
}
