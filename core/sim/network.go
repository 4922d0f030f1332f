package sim

import (
	"slices"
	"time"

	"groupscope/core/kafka"
)

// pair names a link by its ends, the smaller id first.
type pair struct{ a, b kafka.NodeID }

func pairOf(a, b kafka.NodeID) pair {
	if a > b {
		a, b = b, a
	}
	return pair{a, b}
}

// link is the connection between two nodes: what they say arrives in order, each way, as over TCP.
type link struct {
	conn    int    // the number of the present connection, raised when one ends
	dropped [2]int // a and b do not hear what was sent on connections before this one: they ended them
	open    bool   // something was said on the present connection
	cut     bool   // nothing passes
	latency time.Duration
	rate    int64            // bytes per second, each way; 0: no limit
	busy    [2]time.Duration // until when the way to a and to b is taken by what was sent before
	last    [2]time.Duration // the latest arrival, at a and at b
	held    []event          // sent while cut; TCP sends it again when the link mends; never changed in place
	breaks  []breakOn        // messages at whose sending the connection breaks; never changed in place
}

// breakOn is a message at whose sending a connection breaks.
type breakOn struct {
	from  kafka.NodeID
	api   kafka.API
	reply bool
}

// direction is the index into last of messages for that node.
func (p pair) direction(to kafka.NodeID) int {
	if to == p.a {
		return 0
	}
	return 1
}

func (w *World) link(p pair) link {
	if l, ok := w.links[p]; ok {
		return l
	}
	return link{latency: w.script.Latency, rate: w.script.Bandwidth}
}

// transmit sends a message on its way.
func (w *World) transmit(m *kafka.Message, cause int) {
	p := pairOf(m.From, m.To)
	l := w.link(p)
	if !l.open {
		l.open = true
		w.watchIdle(p, l.conn, cause)
	}
	if i := slices.Index(l.breaks, breakOn{m.From, m.Body.API(), m.Reply()}); i >= 0 {
		l.breaks = slices.Delete(slices.Clone(l.breaks), i, i+1)
		w.links[p] = l
		w.breakOff(m.From, m.To, cause)
		return
	}
	e := event{
		kind: arrivalEvent, cause: cause, to: m.To, message: m, sentAt: w.now, conn: l.conn,
	}
	w.links[p] = w.dispatch(p, l, e)
}

// dispatch queues what travels on a link, or holds it while the link is cut, and returns the link's new state.
func (w *World) dispatch(p pair, l link, e event) link {
	if l.cut {
		l.held = append(slices.Clip(l.held), e)
		return l
	}
	side := p.direction(e.to)
	e.at = w.now + l.latency
	if l.rate > 0 && e.message != nil {
		l.busy[side] = max(w.now, l.busy[side]) + time.Duration(kafka.Size(e.message.Body))*time.Second/time.Duration(l.rate)
		e.at = l.busy[side] + l.latency
	}
	e.at = max(e.at, l.last[side])
	l.last[side] = e.at
	w.push(e)
	return l
}

// disconnect ends the connection between two nodes at one end, gone: what is on its way to it is lost, and the other
// end learns of it after everything that gone sent before.
func (w *World) disconnect(gone, peer kafka.NodeID, cause int) {
	p := pairOf(gone, peer)
	l := w.link(p)
	if !l.open {
		return
	}
	l.open = false
	l.conn++
	l.dropped[p.direction(gone)] = l.conn
	l.held = nil
	w.links[p] = l
	if s := w.slot(peer); !s.liveness.Gone() {
		w.links[p] = w.dispatch(p, l, event{
			kind: resetEvent, cause: cause, to: peer, peer: gone, incarnation: s.incarnation,
		})
	}
}

// breakOff breaks a connection in the middle: both ends learn of it.
func (w *World) breakOff(a, b kafka.NodeID, cause int) {
	w.disconnect(a, b, cause)
	p := pairOf(a, b)
	l := w.link(p)
	l.dropped = [2]int{l.conn, l.conn}
	w.links[p] = w.dispatch(p, l, event{
		kind: resetEvent, cause: cause, to: a, peer: b, incarnation: w.slot(a).incarnation,
	})
}

// unheard reports whether the receiver of a message had ended the connection before it arrived.
func (w *World) unheard(e *event) bool {
	p := pairOf(e.message.From, e.message.To)
	return e.conn < w.link(p).dropped[p.direction(e.to)]
}

// peers lists who has an open connection with a node, in the order of their ids.
func (w *World) peers(id kafka.NodeID) []kafka.NodeID {
	var list []kafka.NodeID
	for p, l := range w.links {
		switch {
		case !l.open:
		case p.a == id:
			list = append(list, p.b)
		case p.b == id:
			list = append(list, p.a)
		}
	}
	slices.Sort(list)
	return list
}

// setCut makes links silent, or mends them. What was sent in between arrives then, in order.
func (w *World) setCut(node, peer kafka.NodeID, cut bool) {
	for _, p := range w.linksOf(node, peer) {
		l := w.link(p)
		l.cut = cut
		held := l.held
		if !cut {
			l.held = nil
			for _, e := range held {
				l = w.dispatch(p, l, e)
			}
		}
		w.links[p] = l
	}
}

// setRate changes how many bytes per second links carry from now on.
func (w *World) setRate(node, peer kafka.NodeID, rate int64) {
	for _, p := range w.linksOf(node, peer) {
		l := w.link(p)
		l.rate = rate
		w.links[p] = l
	}
}

// setLatency changes how long messages travel from now on.
func (w *World) setLatency(node, peer kafka.NodeID, latency time.Duration) {
	for _, p := range w.linksOf(node, peer) {
		l := w.link(p)
		l.latency = latency
		w.links[p] = l
	}
}

// linksOf lists the links that a command means: one, or all of a node.
func (w *World) linksOf(node, peer kafka.NodeID) []pair {
	if peer != "" {
		return []pair{pairOf(node, peer)}
	}
	var list []pair
	for _, s := range w.slots {
		if s.id != node {
			list = append(list, pairOf(node, s.id))
		}
	}
	return list
}
