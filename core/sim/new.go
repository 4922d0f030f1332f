package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// New makes the world that a script begins with. Its error joins everything that is wrong with the script.
func New(s Script) (*World, error) {
	if s.Release == (kafka.Release{}) {
		s.Release = kafka.DefaultRelease
	}
	if err := checkScript(&s); err != nil {
		return nil, err
	}
	w := &World{script: &s, until: s.Until, index: map[kafka.NodeID]int{}, links: map[pair]link{}, ledger: newLedger(), owner: new(owner)}
	w.addCluster()
	for _, id := range s.Stores {
		w.add(slot{id: id, node: client.NewStore(id)})
	}
	for _, c := range schedule(&s) {
		w.push(event{kind: commandEvent, at: c.At, to: c.subject(), command: &c})
	}
	return w, nil
}

// addCluster adds the controller and the brokers, with an image of the cluster that all of them have from the start.
func (w *World) addCluster() {
	s := w.script
	infos := make([]kafka.BrokerInfo, len(s.Brokers))
	for i, b := range s.Brokers {
		infos[i] = kafka.BrokerInfo{ID: b.ID, Rack: b.Rack, Release: w.releaseOf(b.Release)}
	}
	first, _ := brokerConfig(&s.Brokers[0], s.Release)
	plans := make([]broker.TopicPlan, len(s.Topics))
	for i := range s.Topics {
		plans[i] = topicPlan(&s.Topics[i], s.Release, first)
	}
	cluster := broker.InitialCluster(infos, plans, broker.TopicPlan{
		Partitions:  int32(first.Int("offsets.topic.num.partitions")),
		Replication: int32(first.Int("offsets.topic.replication.factor")),
	})
	w.add(slot{id: kafka.Controller, node: broker.NewController(cluster, first)})
	for i := range s.Brokers {
		spec := &s.Brokers[i]
		config, _ := brokerConfig(spec, s.Release)
		w.add(slot{id: spec.ID, config: config, node: broker.New(broker.Spec{
			ID: spec.ID, Rack: spec.Rack, Config: config, Cluster: cluster, Preloads: preloads(s.Topics), FirstID: 1000 * int64(i), Quotas: s.Quotas,
		})})
	}
	for i := range s.Brokers {
		w.handle(s.Brokers[i].ID, node.Input{Kind: node.Start}, &view.Entry{}) // before the first event
	}
}

// topicPlan is a topic as the controller is to make it.
func topicPlan(t *TopicSpec, release kafka.Release, brokers kafka.Config) broker.TopicPlan {
	config, _ := topicConfig(t, release)
	return broker.TopicPlan{
		Name: t.Name, Partitions: t.Partitions, Leaders: t.Leaders, Replicas: t.Replicas, Config: config,
		Replication: cmp.Or(t.Replication, int32(brokers.Int("default.replication.factor"))),
	}
}

func (w *World) releaseOf(r kafka.Release) kafka.Release { return cmp.Or(r, w.script.Release) }

func preloads(topics []TopicSpec) []broker.Preload {
	var list []broker.Preload
	for _, t := range topics {
		for p := range t.Partitions {
			list = append(list, broker.Preload{
				TopicPartition: kafka.TopicPartition{Topic: t.Name, Partition: p}, Records: t.Records, Size: t.RecordSize,
			})
		}
	}
	return list
}

// schedule is everything that a script does by time: clients start, commands are given. At the same moment clients come
// first, in the order of the script.
func schedule(s *Script) []Command {
	var list []Command
	for i := range s.Producers {
		list = append(list, Command{At: s.Producers[i].Start, Do: AddProducer, Producer: &s.Producers[i]})
	}
	for i := range s.Consumers {
		list = append(list, Command{At: s.Consumers[i].Start, Do: AddConsumer, Consumer: &s.Consumers[i]})
	}
	list = append(list, s.Commands...)
	slices.SortStableFunc(list, func(a, b Command) int { return cmp.Compare(a.At, b.At) })
	return list
}

// checkScript joins everything that is wrong with a script.
func checkScript(s *Script) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(s.Brokers) == 0 {
		fail("the cluster has no broker")
	}
	if s.Until <= 0 || s.Until > maxUntil {
		fail("until: %v is not between 0 and %v", s.Until, maxUntil)
	}
	seen := map[kafka.NodeID]bool{kafka.Controller: true}
	name := func(id kafka.NodeID) {
		if id == "" || seen[id] {
			fail("the name %q is empty or taken", id)
		}
		seen[id] = true
	}
	for i := range s.Brokers {
		name(s.Brokers[i].ID)
		config, problems := brokerConfig(&s.Brokers[i], s.Release)
		errs = append(errs, asErrors(string(s.Brokers[i].ID), problems)...)
		for _, key := range []string{"offsets.topic.num.partitions", "transaction.state.log.num.partitions"} {
			if n := config.Int(key); n > maxPartitions {
				fail("%s: %s: %d partitions; expected 1 to %d", s.Brokers[i].ID, key, n, maxPartitions)
			}
		}
	}
	for i := range s.Consumers {
		name(s.Consumers[i].ID)
		_, problems := consumerConfig(&s.Consumers[i], s.Release)
		errs = append(errs, asErrors(string(s.Consumers[i].ID), problems)...)
	}
	for i := range s.Producers {
		name(s.Producers[i].ID)
		_, problems := producerConfig(&s.Producers[i], s.Release)
		errs = append(errs, asErrors(string(s.Producers[i].ID), problems)...)
	}
	for _, id := range s.Stores {
		name(id)
	}
	if n := recordsOf(s); n > MaxRecords {
		fail("the topics hold %.0f records at the start; expected at most %d", n, MaxRecords)
	}
	for _, t := range s.Topics {
		if t.Name == "" || t.Partitions < 1 || t.Partitions > maxPartitions {
			fail("topic %q: %d partitions; expected 1 to %d", t.Name, t.Partitions, maxPartitions)
		}
		if t.Replication < 0 || int(t.Replication) > len(s.Brokers) {
			fail("topic %q: %d copies of each partition; there are %d brokers", t.Name, t.Replication, len(s.Brokers))
		}
		errs = append(errs, checkPlacement(s, &t)...)
		_, problems := topicConfig(&t, s.Release)
		errs = append(errs, asErrors(t.Name, problems)...)
	}
	return errors.Join(errs...)
}

// recordsOf counts the records that the topics hold at the start, as a float since their number can be absurd.
func recordsOf(s *Script) float64 {
	sum := 0.0
	for _, t := range s.Topics {
		sum += float64(t.Records) * float64(t.Partitions)
	}
	return sum
}

// checkPlacement tells which brokers of a topic do not exist.
func checkPlacement(s *Script, t *TopicSpec) []error {
	var errs []error
	for _, id := range slices.Concat(append(slices.Clone(t.Replicas), t.Leaders)...) {
		if id != "" && !slices.ContainsFunc(s.Brokers, func(b BrokerSpec) bool { return b.ID == id }) {
			errs = append(errs, fmt.Errorf("topic %q: there is no broker %q", t.Name, id))
		}
	}
	return errs
}

// MaxRecords is how many records all topics together can hold at the start.
const MaxRecords = 1_000_000

// The largest script that a world takes.
const (
	maxUntil      = 31 * 24 * time.Hour
	maxPartitions = 10_000
)

func asErrors(who string, problems []kafka.ConfigError) []error {
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("%s: %w", who, p))
	}
	return errs
}

func brokerConfig(b *BrokerSpec, release kafka.Release) (kafka.Config, []kafka.ConfigError) {
	return kafka.NewConfig(kafka.BrokerScope, cmp.Or(b.Release, release), b.Settings)
}

func topicConfig(t *TopicSpec, release kafka.Release) (kafka.Config, []kafka.ConfigError) {
	return kafka.NewConfig(kafka.TopicScope, release, t.Settings)
}

func consumerConfig(c *client.ConsumerSpec, release kafka.Release) (kafka.Config, []kafka.ConfigError) {
	set := map[string]string{"client.id": string(c.ID), "group.id": c.Group}
	maps.Copy(set, c.Settings)
	return kafka.NewConfig(kafka.ConsumerScope, cmp.Or(c.Release, release), set)
}

func producerConfig(p *client.ProducerSpec, release kafka.Release) (kafka.Config, []kafka.ConfigError) {
	set := map[string]string{"client.id": string(p.ID)}
	maps.Copy(set, p.Settings)
	return kafka.NewConfig(kafka.ProducerScope, cmp.Or(p.Release, release), set)
}
