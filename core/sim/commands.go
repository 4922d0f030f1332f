package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Do gives a command now, after the last event. The world refuses one that makes no sense, and is then unchanged.
func (w *World) Do(c Command) (view.Entry, error) {
	if err := w.check(&c); err != nil {
		return view.Entry{}, err
	}
	c.At, c.After = w.now, w.event
	return w.obey(c), nil
}

// Check tells why a command cannot be given now; nil if it can.
func (w *World) Check(c Command) error { return w.check(&c) }

// check tells why a command cannot be carried out.
func (w *World) check(c *Command) error {
	switch c.Do {
	case AddBroker, AddConsumer, AddProducer, AddTopic, AddPartitions, AddStore:
		return w.checkAddition(c)
	case Set:
		return w.checkSet(c)
	case Program, Close, Wakeup, Slow, Subscribe, Call, Trap, Break, Stop, Crash, Freeze, Restart, Cut, Mend, Latency, Bandwidth:
	default:
		return fmt.Errorf("%q is not a command", c.Do)
	}
	if !w.has(c.Node) || c.Node == kafka.Controller {
		return fmt.Errorf("%s: there is no broker or client %q", c.Do, c.Node)
	}
	if c.Peer != "" && !w.has(c.Peer) {
		return fmt.Errorf("%s: there is no %q", c.Do, c.Peer)
	}
	if gone := w.slot(c.Node).liveness.Gone(); gone != (c.Do == Restart) {
		switch {
		case c.Do == Cut || c.Do == Mend || c.Do == Latency || c.Do == Bandwidth:
		case gone:
			return fmt.Errorf("%s: %s has ended", c.Do, c.Node)
		default:
			return fmt.Errorf("%s: %s is running", c.Do, c.Node)
		}
	}
	if _, ok := w.slot(c.Node).node.(*broker.Broker); c.Do == Stop && !ok {
		return fmt.Errorf("%s: %s is no broker", c.Do, c.Node)
	}
	if c.Do == Program && (c.Program == nil || w.slot(c.Node).consumer == nil) {
		return fmt.Errorf("%s: %s runs no program, or none is given", c.Do, c.Node)
	}
	if s := w.slot(c.Node); c.Do.toClient() && s.consumer == nil && s.producer == nil {
		return fmt.Errorf("%s: %s is no client", c.Do, c.Node)
	}
	return nil
}

// toClient reports whether the verb is for clients alone: the client itself carries it out.
func (v Verb) toClient() bool {
	return v == Program || v == Close || v == Wakeup || v == Slow || v == Subscribe || v == Call || v == Trap
}

func (w *World) checkAddition(c *Command) error {
	switch {
	case c.Do == AddBroker && c.Broker == nil, c.Do == AddConsumer && c.Consumer == nil, c.Do == AddProducer && c.Producer == nil,
		c.Do == AddTopic && c.NewTopic == nil, c.Do == AddStore && c.Node == "":
		return fmt.Errorf("%s: nothing is given to add", c.Do)
	case c.Do != AddTopic && c.Do != AddPartitions && w.has(c.adds()):
		return fmt.Errorf("%s: %q is taken", c.Do, c.adds())
	}
	return nil
}

// adds is the id of the process that a command adds.
func (c *Command) adds() kafka.NodeID {
	switch {
	case c.Broker != nil:
		return c.Broker.ID
	case c.Consumer != nil:
		return c.Consumer.ID
	case c.Producer != nil:
		return c.Producer.ID
	}
	return c.Node
}

// Text is the command in a few words, such as "crash C2" or "freeze C1 12s".
func (c *Command) Text() string {
	words := []string{string(c.Do)}
	switch {
	case c.Broker != nil || c.Consumer != nil || c.Producer != nil:
		words = append(words, string(c.adds()))
	case c.NewTopic != nil:
		words = append(words, c.NewTopic.Name)
	default:
		words = append(words, string(c.Node), string(c.Peer), c.Topic, c.Method)
	}
	if c.Count > 0 {
		words = append(words, fmt.Sprint(c.Count))
	}
	if c.For > 0 {
		words = append(words, c.For.String())
	}
	words = append(words, c.Topics...)
	if c.Program != nil {
		words = append(words, c.Program.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Settings)) {
		words = append(words, key+"="+c.Settings[key])
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// subject is the node that a command's entry stands at.
func (c *Command) subject() kafka.NodeID {
	if c.NewTopic != nil || c.Do == AddPartitions || c.Do == Set && c.Topic != "" {
		return kafka.Controller
	}
	return c.adds()
}

// obey carries out a command that makes sense. One of the script's that does not, by what has happened since, does nothing.
func (w *World) obey(c Command) view.Entry {
	w.event++
	entry := view.Entry{Event: w.event, At: w.now, Node: c.subject(), Kind: view.Commanded, Command: c.Text()}
	if err := w.check(&c); err != nil {
		entry.Command += " (refused: " + err.Error() + ")"
		return entry
	}
	switch c.Do {
	case AddConsumer:
		w.add(w.consumerSlot(c.Consumer))
		w.handle(c.Consumer.ID, node.Input{Kind: node.Start}, &entry)
	case AddProducer:
		w.makeTransactionsTopic(c.Producer)
		w.add(w.producerSlot(c.Producer))
		w.handle(c.Producer.ID, node.Input{Kind: node.Start}, &entry)
	case AddTopic:
		plan := topicPlan(c.NewTopic, w.script.Release, w.controller().Config())
		w.tell(kafka.Controller, node.Command{
			Do: broker.AddTopic, Topic: plan.Name, Partitions: plan.Partitions, Replication: plan.Replication, Config: plan.Config,
		}, &entry)
	case AddPartitions:
		w.tell(kafka.Controller, node.Command{Do: broker.AddPartitions, Topic: c.Topic, Partitions: c.Count}, &entry)
	case AddBroker:
		w.addBroker(c.Broker, &entry)
	case AddStore:
		w.add(slot{id: c.Node, node: client.NewStore(c.Node)})
	case Set:
		w.set(&c, &entry)
	case Program:
		w.reprogram(&c, &entry)
	case Close, Wakeup, Slow, Subscribe, Call, Trap:
		w.tell(c.Node, node.Command{
			Do: string(c.Do), For: c.For, Topics: c.Topics, Method: c.Method, Line: c.Line, Count: int(c.Count),
		}, &entry)
	case Break:
		w.armBreak(&c)
	case Stop:
		w.tell(c.Node, node.Command{Do: broker.StopBroker}, &entry)
	case Crash:
		w.crash(c.Node, &entry)
	case Restart:
		w.restart(c.Node, &entry)
	case Freeze:
		w.freeze(w.touch(c.Node), c.For)
		entry.Facts = []view.Fact{{Kind: view.NodeFrozen, Node: c.Node, To: c.For.Milliseconds()}}
	case Cut, Mend:
		w.setCut(c.Node, c.Peer, c.Do == Cut)
	case Latency:
		w.setLatency(c.Node, c.Peer, c.For)
	case Bandwidth:
		w.setRate(c.Node, c.Peer, int64(c.Count))
	}
	w.watchSessions()
	return entry
}

// tell hands a command to a process; a frozen one hears it when it thaws.
func (w *World) tell(id kafka.NodeID, command node.Command, entry *view.Entry) {
	s := w.touch(id)
	if s.liveness == view.Frozen {
		s.held = append(s.held, &event{kind: tellEvent, to: id, incarnation: s.incarnation, cause: entry.Event, told: command})
		return
	}
	w.handle(id, node.Input{Kind: node.Tell, Command: command}, entry)
}

func (w *World) crash(id kafka.NodeID, entry *view.Entry) {
	w.end(w.touch(id), view.Crashed)
	entry.Facts = append(entry.Facts, view.Fact{Kind: view.NodeCrashed, Node: id})
	w.watchSessions()
}

// makeTransactionsTopic has the controller make __transaction_state when the first transactional producer comes. In Kafka the broker
// that is first asked for a coordinator has it made. There cannot be more copies than brokers.
func (w *World) makeTransactionsTopic(p *client.ProducerSpec) {
	c := w.controller()
	if _, there := c.Cluster().Topic(kafka.TransactionsTopic); there || p.Settings["transactional.id"] == "" {
		return
	}
	w.push(event{kind: tellEvent, at: w.now, cause: w.event, to: kafka.Controller, told: node.Command{
		Do: broker.AddTopic, Topic: kafka.TransactionsTopic,
		Partitions:  int32(c.Config().Int("transaction.state.log.num.partitions")),
		Replication: min(int32(c.Config().Int("transaction.state.log.replication.factor")), int32(len(w.script.Brokers))),
	}})
}

// armBreak lets a connection break when the next message of a kind is sent on it.
func (w *World) armBreak(c *Command) {
	p := pairOf(c.Node, c.Peer)
	l := w.link(p)
	l.breaks = append(slices.Clip(l.breaks), breakOn{c.Node, c.API, c.Reply})
	w.links[p] = l
}

// restart begins a dead process again: a broker with what is on its disk, a client with nothing.
func (w *World) restart(id kafka.NodeID, entry *view.Entry) {
	s := w.touch(id)
	switch {
	case s.consumer != nil:
		s.node = w.consumerSlot(s.consumer).node
	case s.producer != nil:
		s.node = w.producerSlot(s.producer).node
	default:
		w.restartBroker(s)
	}
	s.liveness = view.Up
	w.handle(id, node.Input{Kind: node.Start}, entry)
}

func (w *World) controller() *broker.Controller {
	return w.slot(kafka.Controller).node.(*broker.Controller)
}

func (w *World) consumerSlot(spec *client.ConsumerSpec) slot {
	config, _ := consumerConfig(spec, w.script.Release)
	return slot{id: spec.ID, consumer: spec, node: client.NewConsumer(spec, config, w.bootstrap())}
}

func (w *World) producerSlot(spec *client.ProducerSpec) slot {
	config, _ := producerConfig(spec, w.script.Release)
	return slot{id: spec.ID, producer: spec, node: client.NewProducer(spec, config, w.bootstrap())}
}

// bootstrap lists the brokers of the script: every client has all of them as its bootstrap.servers.
func (w *World) bootstrap() []kafka.NodeID {
	ids := make([]kafka.NodeID, len(w.script.Brokers))
	for i, b := range w.script.Brokers {
		ids[i] = b.ID
	}
	return ids
}
