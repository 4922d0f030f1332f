package sim

import (
	"time"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
)

// Model is the version of what the model does. It is raised with each change of behaviour, so that a link made before tells why
// its trace differs.
const Model = 1

// Script is everything a run starts from: the same script gives the same trace.
type Script struct {
	Seed      uint64        // for random draws; the model draws nothing yet
	Release   kafka.Release // of every broker and client that names none
	Latency   time.Duration // of every link, one way, unless Links says otherwise
	Bandwidth int64         // bytes per second that every link carries, each way; 0: no limit
	Quotas    []broker.Quota
	Brokers   []BrokerSpec
	Topics    []TopicSpec
	Consumers []client.ConsumerSpec // started at their Start
	Producers []client.ProducerSpec // started at their Start
	Stores    []kafka.NodeID        // external stores, there from the start
	Commands  []Command             // at their At
	Until     time.Duration         // the run ends after the last event at or before it
}

// BrokerSpec describes a broker.
type BrokerSpec struct {
	ID       kafka.NodeID
	Release  kafka.Release // zero: the script's
	Rack     string
	Settings map[string]string
}

// TopicSpec describes a topic. Records are what its log holds when the run begins.
type TopicSpec struct {
	Name        string
	Partitions  int32
	Replication int32            // copies of each partition; 0: the brokers' default.replication.factor
	Leaders     []kafka.NodeID   // of each partition, the preferred one; empty: brokers in turn
	Replicas    [][]kafka.NodeID // of each partition, the preferred leader first; empty: the leader and the brokers after it
	Records     int              // for each partition, made before the run, with timestamp 0
	RecordSize  int              // bytes; 0: 100
	Settings    map[string]string
}

// Command is the only way to change a world from outside. At and After are its stamp: when it was given, and the event
// that it followed; together with the script they replay it exactly. The other fields are what Do asks for.
type Command struct {
	At    time.Duration
	After int // 0 for the commands of a script, which come by time

	Do       Verb
	Node     kafka.NodeID // whom it is done to
	Peer     kafka.NodeID // the other end of a link; "" for every link of Node
	For      time.Duration
	Topic    string
	Topics   []string
	Method   string
	Line     int
	API      kafka.API
	Reply    bool
	Count    int32 // partitions
	NewTopic *TopicSpec
	Broker   *BrokerSpec
	Consumer *client.ConsumerSpec
	Producer *client.ProducerSpec
	Program  *client.Program
	Settings map[string]string
}

// Verb is what a command does.
type Verb string

// The verbs, and the fields of Command that each one reads. Those that a client carries out itself have its names.
const (
	AddBroker     Verb = "add-broker"       // Broker: it joins the cluster, and gets replicas of what is made from now on
	AddConsumer   Verb = "add-consumer"     // Consumer
	AddProducer   Verb = "add-producer"     // Producer
	AddTopic      Verb = "add-topic"        // NewTopic
	AddPartitions Verb = "add-partitions"   // Topic, Count: the new total
	AddStore      Verb = "add-store"        // Node: an external store of that name
	Set           Verb = "set"              // Node or Topic, Settings: they change as Kafka allows, see World.set
	Program       Verb = "program"          // Node, Program, Settings, Peer: a consumer closes, and starts again with another program and its store
	Close         Verb = client.DoClose     // Node: a consumer or producer ends itself in order
	Stop          Verb = "stop"             // Node: a broker ends in order: first its leaderships move (controlled shutdown)
	Crash         Verb = "crash"            // Node: the process dies; peers see a reset
	Freeze        Verb = "freeze"           // Node, For: it neither hears nor acts, then goes on where it was
	Restart       Verb = "restart"          // Node: a dead process begins again with nothing in memory
	Cut           Verb = "cut"              // Node, Peer: silence; nothing arrives, nobody is told
	Mend          Verb = "mend"             // Node, Peer: the link passes messages again
	Bandwidth     Verb = "bandwidth"        // Node, Peer, Count: bytes per second, each way, from now on; 0: no limit
	Latency       Verb = "latency"          // Node, Peer, For: one way, from now on
	Slow          Verb = client.DoSlow      // Node, For: the processing time of each record from now on
	Wakeup        Verb = client.DoWakeup    // Node: consumer.wakeup() from another thread
	Subscribe     Verb = client.DoSubscribe // Node, Topics: takes effect in the next poll
	Call          Verb = client.DoCall      // Node, Method: another thread calls a method of this consumer
	Trap          Verb = client.DoTrap      // Node, Line, Count, Method: what happens when its program enters the line for the Count-th time: crash, close, slow (For: how much longer the line takes), or the exception thrown
	Break         Verb = "break"            // Node, Peer, API, Reply: the connection breaks when Node next sends Peer such a message, which is lost
)
