// Package client holds the processes at the edge of a cluster: consumers and producers.
//
// A consumer is one node with an inbox and two threads. A thread is a stack of calls and what it waits for; a
// reply stays in the inbox until a thread does network I/O, as in the real client.
package client

import (
	"slices"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// Consumer is a consumer process: KafkaConsumer of the Java client with the classic group protocol, and the
// program that uses it. Sources: client.md; AbstractCoordinator, ConsumerCoordinator, ClassicKafkaConsumer.
type Consumer struct {
	spec     *ConsumerSpec // never changed
	release  kafka.Release
	settings settings
	setup    code // the program's parts laid flat; never changed
	body     code
	closing  code
	listener map[string]*code // by method; never changed
	mode     mode
	topics   []string // subscribed, or matched by the pattern; replaced, never changed
	pattern  string   // subscribed

	app       thread
	heartbeat heartbeat
	network   network
	group     membership
	subs      []partition // assigned partitions, sorted
	fetcher   fetcher
	commits   commits
	batch     batch

	vars       variables
	traps      []trap
	workers    []worker
	handed     []handedOver
	stored     storePhase
	unreadable unreadable

	wakeup        bool          // wakeup() was called and not yet noticed
	quit          bool          // somebody asked the process to end
	slow          time.Duration // processing time of each record when a command changed it; negative: the program's own
	exception     string        // the class of the exception that ended the program
	truncated     bool          // the log was cut below a position, and nobody said where to go on
	listenerError string        // the exception of a rebalance callback that the call under way ends with
	lastError     kafka.ErrorCode
	lastAPI       kafka.API
	timers        [timerCount]time.Duration // when each one runs out; 0 while it does not run
}

// The verbs a consumer obeys, as node.Command.Do.
const (
	DoClose     = "close"     // end in order: wakeup(), leave the loop, close()
	DoWakeup    = "wakeup"    // consumer.wakeup()
	DoSlow      = "slow"      // For: processing time of each record from now on
	DoSubscribe = "subscribe" // Topics: as if the program's next line changed the subscription
	DoCall      = "call"      // Method: another thread calls a method of this consumer
	DoTrap      = "trap"      // Line, Count, Method: what happens when the line is entered for the Count-th time; For: how long TrapSlow takes
)

// NewConsumer makes a consumer that knows the given brokers as its bootstrap servers. The config is of
// kafka.ConsumerScope and valid.
func NewConsumer(spec *ConsumerSpec, config kafka.Config, bootstrap []kafka.NodeID) *Consumer {
	if len(spec.Program.Body) == 0 {
		filled := *spec
		filled.Program = AutoCommit(time.Second, 10*time.Millisecond)
		spec = &filled
	}
	c := &Consumer{
		spec:     spec,
		release:  config.Release(),
		settings: readSettings(config),
		setup:    compile(spec.Program.Setup),
		body:     compile(spec.Program.Body),
		closing:  compile(spec.Program.Closing),
		listener: compileListener(&spec.Program),
		workers:  make([]worker, spec.Program.Workers),
		slow:     -1,
	}
	for i := len(spec.Custom) - 1; i >= 0; i-- {
		c.settings.assignors = slices.Insert(c.settings.assignors, 0, spec.Custom[i].Name)
	}
	c.network.bootstrap = bootstrap
	c.group.generation, c.group.rejoin = kafka.NoGeneration, true
	return c
}

// trap waits at a line of the program's listing.
type trap struct {
	line   int
	left   int    // springs when the line is entered for this many times; 0: has sprung
	action string // trapCrash, trapClose, TrapSlow, or the class of an exception
	takes  time.Duration
}

// What a trap can do beside throwing.
const (
	trapCrash = "crash" // the process dies there
	trapClose = "close" // somebody asks the process to end
	TrapSlow  = "slow"  // the line takes so much longer, this once
)

// Handle takes one input and lets the threads run until both wait.
func (c *Consumer) Handle(now time.Duration, in node.Input, out *node.Out) {
	t := &turn{Consumer: c, now: now, out: out}
	switch in.Kind {
	case node.Start:
		t.start()
	case node.Receive:
		t.network.inbox = append(t.network.inbox, delivery{message: in.Message})
	case node.Disconnected:
		t.disconnected(in.Peer)
	case node.Timer:
		t.fired(in.Timer)
	case node.Tell:
		t.tell(in.Command)
	}
	t.run()
}

// Clone returns a copy that shares only what is never changed: the spec, the code, messages and records.
func (c *Consumer) Clone() node.Node {
	d := *c
	d.app = c.app.clone()
	d.network = c.network.clone()
	d.group = c.group.clone()
	d.subs = slices.Clone(c.subs)
	d.fetcher = c.fetcher.clone()
	d.commits = c.commits.clone()
	d.batch.parts = slices.Clone(c.batch.parts)
	d.traps = slices.Clone(c.traps)
	d.workers = slices.Clone(c.workers)
	d.handed = slices.Clone(c.handed)
	return &d
}

// MaxIdle is connections.max.idle.ms; negative for no limit.
func (c *Consumer) MaxIdle() time.Duration { return c.settings.maxIdle }

func (c *Consumer) does(f kafka.Feature) bool { return f.Client(c.release) }

// turn is one call of Handle: the consumer, the moment, and where its outputs go.
type turn struct {
	*Consumer
	now time.Duration
	out *node.Out
}

func (t *turn) start() {
	t.fact(view.Fact{Kind: view.NodeStarted})
	t.app.push(call{proc: procSetup, code: &t.setup})
	switch {
	case t.spec.Assigned != nil:
		t.app.thrown = t.assignManually(t.spec.Assigned)
	case t.spec.Topics != nil || t.spec.Pattern != "":
		t.app.thrown = t.subscribe(t.spec.Topics, t.spec.Pattern)
	}
}

func (t *turn) tell(c node.Command) {
	switch c.Do {
	case DoClose:
		t.quit, t.wakeup = true, true
	case DoWakeup:
		t.wakeup = true
	case DoSlow:
		t.slow = c.For
	case DoSubscribe:
		t.subscribe(c.Topics, "")
	case DoTrap:
		t.traps = append(t.traps, trap{line: c.Line, left: max(1, c.Count), action: c.Method, takes: c.For})
	case DoCall:
		t.calledFromOutside(c.Method)
	}
}

// run lets the threads take turns until both wait.
func (t *turn) run() {
	for {
		for t.doesIO() && t.receive() {
		}
		t.work()
		if t.app.ready(t.now) {
			t.application()
		}
		if t.out.Ended || t.out.Crashed {
			return
		}
		t.background()
		if !t.doesIO() || !t.receive() {
			break
		}
	}
	t.setTimer(timerApp, t.app.until)
}

// doesIO reports whether a thread would read replies now: the application thread inside a blocking call, or
// the heartbeat thread while it is enabled. (That one looks every 100 ms or so; the model lets it look at once.)
func (c *Consumer) doesIO() bool {
	return c.app.waits == waitNetwork || c.heartbeat.enabled && c.does(kafka.HeartbeatThread)
}

func (t *turn) fact(f view.Fact) {
	f.Node = t.spec.ID
	if f.Group == "" {
		f.Group = t.spec.Group
	}
	t.out.Fact(f)
}

// timer is one of the few timers of a consumer; its name is the key the world knows it by.
type timer uint8

const (
	timerApp timer = iota
	timerHeartbeat
	timerSession
	timerPollInterval
	timerRequest
	timerMetadata
	timerWorkers
	timerCount
)

var timerNames = [timerCount]string{"application", "heartbeat", "session", "poll interval", "request timeout", "metadata age", "workers"}

// setTimer sets a timer, or stops it when at is 0; asking again for what is set already costs nothing.
func (t *turn) setTimer(which timer, at time.Duration) {
	if t.timers[which] == at {
		return
	}
	t.timers[which] = at
	if at == 0 {
		t.out.StopTimer(timerNames[which])
		return
	}
	t.out.SetTimer(timerNames[which], at)
}

// fired notes that a timer ran out; the threads see by the time what they have to do.
func (t *turn) fired(key string) {
	i := slices.Index(timerNames[:], key)
	t.timers[i] = 0
	if timer(i) == timerMetadata {
		t.network.wantMetadata = true
	}
}
