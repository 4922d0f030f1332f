package stage

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// room is how large the parts of the picture are drawn: as large as there is room for at every beat of the run.
type room struct {
	look
	scale   float64 // of the picture, against the rest of the stage
	heights heights // of its parts
}

// heights are those of the picture's parts.
type heights struct{ legend, logs, gap, brokers, links, clients float64 }

func (h heights) sum() float64 { return h.legend + h.logs + h.gap + h.brokers + h.links + h.clients }

// most is the larger height of each part.
func (h heights) most(o heights) heights {
	return heights{
		max(h.legend, o.legend), max(h.logs, o.logs), max(h.gap, o.gap), max(h.brokers, o.brokers), max(h.links, o.links), max(h.clients, o.clients),
	}
}

// roomKey is what a room depends on.
type roomKey struct {
	pane       box
	lang       string
	form       form
	unit, tiny float64
}

// roomFor is the room for the run's picture in a pane, made wider if the present frame needs more than any beat.
func roomFor(in *input, pane box) room {
	key := roomKey{pane, in.session.Lang, in.layout.form, in.size.unit, in.size.tiny}
	r, ok := in.whole.rooms[key]
	if !ok {
		r = newRoom(in, pane, in.whole.views)
		in.whole.rooms[key] = r
	}
	r.heights = r.heights.most(measure(in.scaled(r.scale), pane.W, r.look))
	if r.heights.sum() > pane.H && in.layout.form == wide {
		r = newRoom(in, pane, append([]*view.Frame{in.frame}, in.whole.views...))
	}
	return r
}

// look is how much the picture says, and the design height of the room in which its messages move.
type look struct {
	logs, clients detail
	links         float64
}

// looks are the best first: before the logs become bars the messages get less room.
var looks = []look{
	{full, full, 62}, {tight, full, 62}, {tight, tight, 62}, {tight, tight, 38}, {bars, full, 50}, {bars, tight, 38}, {tiles, tight, 38}, {tiles, tiles, 38},
}

// scales are how much larger than its design a picture can be, the most first.
var scales = []float64{1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1, 1.05}

// newRoom takes the best look and the largest scale with which the picture fits at all of these frames. Where it can be
// scrolled it is enough that scrolling does not take long.
func newRoom(in *input, pane box, frames []*view.Frame) room {
	r := room{}
	for _, l := range looks {
		r = room{look: l, scale: 1}
		r.heights = r.needed(in, pane.W, frames)
		if r.heights.sum() <= pane.H {
			return r.enlarged(in, pane, frames)
		}
		if in.layout.form != wide && r.heights.sum() <= max(2.6*pane.H, in.size.u(900)) {
			break
		}
	}
	return r
}

// needed is what the parts need at all of these frames.
func (r room) needed(in *input, w float64, frames []*view.Frame) heights {
	var all heights
	for _, f := range frames {
		all = all.most(measure(in.at(f).scaled(r.scale), w, r.look))
	}
	return all
}

// enlarged is the room at the largest scale with which the picture fits.
func (r room) enlarged(in *input, pane box, frames []*view.Frame) room {
	for _, scale := range scales {
		larger := r
		larger.scale = scale
		if larger.heights = larger.needed(in, pane.W, frames); larger.heights.sum() <= pane.H {
			return larger
		}
	}
	return r
}

// measure is what the parts need at the input's frame.
func measure(in *input, w float64, l look) heights {
	p := newPen(in)
	return heights{
		legend: legendHeight(p, w), logs: logsHeight(p, w, l.logs), gap: p.u(12), brokers: brokersHeight(p, w), links: p.u(l.links),
		clients: clientsHeight(p, w, l.clients),
	}
}

// spread gives the height that is left over to the parts that profit from it.
func (h heights) spread(spare float64) heights {
	if spare <= 0 {
		return h
	}
	links := min(spare*0.6, h.links)
	h.links += links
	h.gap += min(spare-links, 2*h.gap)
	return h
}

// rest is how far a picture that is taller than its pane stands scrolled until somebody scrolls it: so that what the beat
// points at is in view, the first things first.
func (pic *picture) rest(in *input) float64 {
	top, bottom := 0.0, 0.0
	for _, name := range in.lesson.look {
		part, ok := pic.part(in, name)
		if !ok {
			continue
		}
		if bottom == 0 {
			top, bottom = part.Y, part.bottom()
			continue
		}
		if high, low := min(top, part.Y), max(bottom, part.bottom()); low-high <= pic.pane.H {
			top, bottom = high, low
		}
	}
	if bottom == 0 {
		return 0
	}
	return max(0, (top+bottom)/2-pic.pane.midY())
}

// part is the part of the picture in which a beat points at something; false for what is elsewhere on the stage.
func (pic *picture) part(in *input, name string) (box, bool) {
	id := kafka.NodeID(name)
	switch {
	case name == "sequence" || name == "code" || name == "clock":
		return box{}, false
	case in.isClient(id):
		return pic.clients, true
	case name == "coordinator" || in.group(name) != nil || slices.ContainsFunc(in.frame.Brokers, func(b view.Broker) bool { return b.ID == id }):
		return pic.brokers, true
	}
	return pic.logs, true
}
