package sim

import (
	"groupscope/core/broker"
	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// session is what the controller makes of a broker: it counts as live until it has been silent for the session timeout. The
// heartbeats themselves are not in the trace: every broker that can speak to the controller sends them.
type session struct {
	silent   bool
	silences int64 // how often it fell silent or spoke again
	over     bool  // the controller takes it for dead
}

// silent reports whether the controller hears nothing of a broker.
func (w *World) silent(s *slot) bool {
	return s.liveness.Gone() || s.liveness == view.Frozen || w.link(pairOf(s.id, kafka.Controller)).cut
}

// watchSessions notes which brokers fell silent or speak again. One that ended in order has said so, and is not waited for.
func (w *World) watchSessions() {
	for _, s := range w.slots {
		b, ok := s.node.(*broker.Broker)
		if !ok || w.silent(s) == s.session.silent {
			continue
		}
		s = w.touch(s.id)
		s.session.silent = !s.session.silent
		s.session.silences++
		switch {
		case s.session.silent && s.liveness == view.Closed:
			s.session.over = true
			w.tellController(broker.BrokerDown, s.id)
		case s.session.silent:
			w.push(event{kind: sessionEvent, at: w.now + b.SessionTimeout(), cause: w.event, to: s.id, setting: s.session.silences})
		case s.session.over:
			s.session.over = false
			w.tellController(broker.BrokerUp, s.id)
		}
	}
}

// sessionOver lets the controller take a broker for dead that has been silent for the whole session timeout.
func (w *World) sessionOver(e *event) (view.Entry, bool) {
	if w.slot(e.to).session.silences != e.setting {
		return view.Entry{}, false
	}
	w.touch(e.to).session.over = true
	return w.deliver(&event{
		kind: tellEvent, at: w.now, cause: e.cause, to: kafka.Controller,
		told: node.Command{Do: broker.BrokerDown, Node: e.to},
	}), true
}

// restartBroker begins a dead broker again, with what is on its disk. If the controller still took it for alive, the new process
// makes it learn that the old one is dead. (The real controller lets the new one wait until the old session is over.)
func (w *World) restartBroker(s *slot) {
	cluster := w.controller().Cluster()
	if !s.session.over {
		s.session.over = true
		cluster = broker.Without(cluster, s.id, w.controller().Config())
		w.tellController(broker.BrokerDown, s.id)
	}
	s.node = s.node.(*broker.Broker).Restart(cluster, s.config)
	w.configureController(s.id, s.config)
}

// tellController lets the controller learn of a broker.
func (w *World) tellController(do string, id kafka.NodeID) {
	w.push(event{
		kind: tellEvent, at: w.now, cause: w.event, to: kafka.Controller,
		told: node.Command{Do: do, Node: id},
	})
}
