package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// checkSet tells why settings cannot change.
func (w *World) checkSet(c *Command) error {
	if len(c.Settings) == 0 {
		return fmt.Errorf("%s: no setting is given", c.Do)
	}
	if c.Topic != "" {
		topic, ok := w.controller().Cluster().Topic(c.Topic)
		if !ok || topic.Internal {
			return fmt.Errorf("%s: there is no topic %q", c.Do, c.Topic)
		}
		_, problems := topic.Config.With(c.Settings)
		return errors.Join(asErrors(c.Topic, problems)...)
	}
	if !w.has(c.Node) {
		return fmt.Errorf("%s: there is no %q", c.Do, c.Node)
	}
	switch s := w.slot(c.Node); {
	case s.consumer != nil:
		_, problems := consumerConfig(changedConsumer(s.consumer, c.Settings), w.script.Release)
		return errors.Join(asErrors(string(c.Node), problems)...)
	case s.producer != nil:
		_, problems := producerConfig(changedProducer(s.producer, c.Settings), w.script.Release)
		return errors.Join(asErrors(string(c.Node), problems)...)
	case s.config != (kafka.Config{}):
		_, problems := s.config.With(c.Settings)
		return errors.Join(asErrors(string(c.Node), problems)...)
	}
	return fmt.Errorf("%s: %s has no settings", c.Do, c.Node)
}

func changedConsumer(spec *client.ConsumerSpec, settings map[string]string) *client.ConsumerSpec {
	changed := *spec
	changed.Settings = over(spec.Settings, settings)
	return &changed
}

func changedProducer(spec *client.ProducerSpec, settings map[string]string) *client.ProducerSpec {
	changed := *spec
	changed.Settings = over(spec.Settings, settings)
	return &changed
}

// over lays changed settings over others. Without a value a setting goes back to its default.
func over(settings, changed map[string]string) map[string]string {
	all := maps.Clone(settings)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, changed)
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// set changes settings. Those of a topic change at once, and so do a broker's if all of them can while it runs (KIP-226). Otherwise
// the process ends in order and starts again with them, as a client reads its settings when it is made and a broker its file when
// it starts. One that has ended has them when it is restarted.
func (w *World) set(c *Command, entry *view.Entry) {
	if c.Topic != "" {
		topic, _ := w.controller().Cluster().Topic(c.Topic)
		config, _ := topic.Config.With(c.Settings)
		w.tell(kafka.Controller, node.Command{Do: broker.Configure, Topic: c.Topic, Config: config}, entry)
		return
	}
	s := w.touch(c.Node)
	switch {
	case s.consumer != nil:
		s.consumer = changedConsumer(s.consumer, c.Settings)
	case s.producer != nil:
		s.producer = changedProducer(s.producer, c.Settings)
	default:
		s.config, _ = s.config.With(c.Settings)
		if !s.liveness.Gone() && dynamic(s.config.Release(), c.Settings) {
			w.tell(c.Node, node.Command{Do: broker.Configure, Config: s.config}, entry)
			w.configureController(c.Node, s.config)
			return
		}
	}
	w.renew(c.Node, entry)
}

// dynamic reports whether a broker of a release takes up all of these settings while it runs.
func dynamic(release kafka.Release, settings map[string]string) bool {
	for name := range settings {
		key, _ := kafka.LookupKey(kafka.BrokerScope, name)
		if key.Dynamic == (kafka.Release{}) || release.Compare(key.Dynamic) < 0 {
			return false
		}
	}
	return true
}

// reprogram lets a consumer start again with another program.
func (w *World) reprogram(c *Command, entry *view.Entry) {
	s := w.touch(c.Node)
	changed := *s.consumer
	changed.Program = *c.Program
	changed.Settings = over(changed.Settings, c.Settings)
	changed.Store = cmp.Or(c.Peer, changed.Store)
	s.consumer = &changed
	w.renew(c.Node, entry)
}

// renew has a process that runs end in order and start again.
func (w *World) renew(id kafka.NodeID, entry *view.Entry) {
	s := w.touch(id)
	if s.liveness.Gone() {
		return
	}
	s.again = true
	do := string(Close)
	if s.config != (kafka.Config{}) {
		do = broker.StopBroker
	}
	w.tell(id, node.Command{Do: do}, entry)
}

// configureController hands the settings of the script's first broker to the controller, which goes by them.
func (w *World) configureController(id kafka.NodeID, config kafka.Config) {
	if id != w.script.Brokers[0].ID || w.controller().Config() == config {
		return
	}
	w.push(event{kind: tellEvent, at: w.now, cause: w.event, to: kafka.Controller, told: node.Command{Do: broker.Configure, Config: config}})
}

// addBroker lets a broker join the cluster.
func (w *World) addBroker(spec *BrokerSpec, entry *view.Entry) {
	config, _ := brokerConfig(spec, w.script.Release)
	brokers := 0
	for _, s := range w.slots {
		if _, ok := s.node.(*broker.Broker); ok {
			brokers++
		}
	}
	w.add(slot{id: spec.ID, config: config, node: broker.New(broker.Spec{
		ID: spec.ID, Rack: spec.Rack, Config: config, Cluster: w.controller().Cluster(), Quotas: w.script.Quotas,
		FirstID: 1000 * int64(brokers),
	})})
	w.handle(spec.ID, node.Input{Kind: node.Start}, entry)
	w.push(event{kind: tellEvent, at: w.now, cause: w.event, to: kafka.Controller, told: node.Command{
		Do: broker.AddBroker, Node: spec.ID, Broker: kafka.BrokerInfo{ID: spec.ID, Rack: spec.Rack, Release: w.releaseOf(spec.Release)},
	}})
}
