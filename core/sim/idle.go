package sim

import (
	"time"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
)

// watchIdle lets the world look at a new connection between a client and a broker when it can first be idle for too long. (Those between
// brokers are never idle: a real follower asks its leader again twice a second.)
func (w *World) watchIdle(p pair, conn, cause int) {
	if _, ok := w.slot(p.a).node.(*broker.Broker); ok {
		p = pair{p.b, p.a}
	}
	if closer, limit := w.idleLimit(p.a, p.b); closer != "" {
		w.push(event{kind: idleEvent, at: w.now + limit, cause: cause, to: p.a, peer: p.b, conn: conn})
	}
}

// idleLimit tells which of a client and a broker closes a connection first that carries nothing, and after how long
// (connections.max.idle.ms); "" if neither does.
func (w *World) idleLimit(clientID, brokerID kafka.NodeID) (closer kafka.NodeID, limit time.Duration) {
	b, ok := w.slot(brokerID).node.(*broker.Broker)
	if !ok {
		return "", 0
	}
	s := w.slot(clientID)
	switch c := s.node.(type) {
	case *client.Consumer:
		limit = c.MaxIdle()
	case *client.Producer:
		limit = c.MaxIdle()
	default:
		return "", 0
	}
	if limit >= 0 && s.frozenUntil <= w.now {
		closer = clientID
	}
	if own := b.MaxIdle(); own >= 0 && (closer == "" || own < limit) {
		closer, limit = brokerID, own
	}
	return closer, limit
}

// idle closes a connection that has carried nothing for too long; or looks again when it will have, if nothing more comes.
//
// Source: Selector.maybeCloseOldestConnection, of clients and brokers alike.
func (w *World) idle(e *event) {
	p := pairOf(e.to, e.peer)
	l := w.link(p)
	if !l.open || l.conn != e.conn {
		return
	}
	closer, limit := w.idleLimit(e.to, e.peer)
	if closer == "" {
		return
	}
	if due := max(l.last[0], l.last[1]) + limit; due > w.now {
		later := *e
		later.at = due
		w.push(later)
		return
	}
	other := e.peer
	if closer == other {
		other = e.to
	}
	w.disconnect(closer, other, e.cause)
	w.push(event{kind: resetEvent, at: w.now, cause: e.cause, to: closer, peer: other, incarnation: w.slot(closer).incarnation})
}
