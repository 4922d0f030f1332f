package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/broker"
	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

const ms = time.Millisecond

// replicated is a script with three brokers, topic T1 with one partition on all of them, led by B1, and a producer with acks=all.
func replicated(until time.Duration, settings map[string]string, commands ...Command) Script {
	return Script{
		Latency: 5 * ms,
		Brokers: []BrokerSpec{{ID: "B1"}, {ID: "B2"}, {ID: "B3"}},
		Topics:  []TopicSpec{{Name: "T1", Partitions: 1, Replication: 3, Settings: settings}},
		Producers: []client.ProducerSpec{{
			ID: "P1", Topic: "T1", Every: second, Start: second, Settings: map[string]string{"acks": "all"},
		}},
		Commands: commands,
		Until:    until,
	}
}

func partitionOf(f *view.Frame) *view.Partition { return &f.Topics[0].Partitions[0] }

func inSync(p *view.Partition) []kafka.NodeID {
	var ids []kafka.NodeID
	for _, r := range p.Replicas {
		if r.InSync {
			ids = append(ids, r.Broker)
		}
	}
	return ids
}

// ends lists the log ends and high watermarks of B1, B2 and B3 at a moment.
func ends(h *History, at time.Duration) string {
	text := ""
	for _, r := range partitionOf(h.Frame(eventAt(h, at))).Replicas {
		text += fmt.Sprintf("%d/%d ", r.LogEnd, r.HighWatermark)
	}
	return text
}

// Source: the timeline of replication.md section 2, with 5 ms for each way; the producer has first asked for metadata and for its id.
func TestTheHighWatermarkFollowsTheLogEndByOneFetch(t *testing.T) {
	h := play(t, replicated(1900*ms, nil))
	require.Equal(t, "0/0 0/0 0/0 ", ends(h, 1020*ms))
	require.Equal(t, "1/0 0/0 0/0 ", ends(h, 1025*ms), "the leader has it, the followers are answered")
	require.Equal(t, "1/0 1/0 1/0 ", ends(h, 1030*ms), "they have it, and the leader does not know")
	require.Equal(t, "1/1 1/0 1/0 ", ends(h, 1035*ms), "their next fetches tell it")
	require.Equal(t, "1/1 1/0 1/0 ", ends(h, 1535*ms), "nothing new comes, so those fetches wait their time")
	require.Equal(t, "1/1 1/1 1/1 ", ends(h, 1540*ms))
}

func TestAnIdleClusterIsQuiet(t *testing.T) {
	s := replicated(3600*second, nil)
	s.Producers[0].Count = 1
	h := play(t, s)
	require.Less(t, h.Len(), 100, "in an hour: one record, and the producer's metadata every five minutes")
}

func TestALeaderThatDiesIsReplacedWhenItsSessionIsOver(t *testing.T) {
	for release, expected := range map[string]time.Duration{"3.9": 19 * second, "3.2": 28 * second, "2.4": 16 * second} {
		s := replicated(40*second, nil, Command{At: 10 * second, Do: Crash, Node: "B1"})
		s.Release, _ = kafka.ParseRelease(release)
		h := play(t, s)
		moved := when(h, func(f *view.Frame) bool { return partitionOf(f).Leader == "B2" })
		require.Equal(t, expected, moved, release)
		p := partitionOf(last(h))
		require.EqualValues(t, 1, p.LeaderEpoch)
		require.Equal(t, []kafka.NodeID{"B2", "B3"}, inSync(p))
		require.GreaterOrEqual(t, last(h).Producers[0].Acked, int64(38), release)
	}
}

func TestABrokerThatStopsInOrderHandsItsLeadershipsOverAtOnce(t *testing.T) {
	h := play(t, replicated(20*second, nil, Command{At: 10 * second, Do: Stop, Node: "B1"}))
	moved := when(h, func(f *view.Frame) bool { return partitionOf(f).Leader == "B2" })
	require.LessOrEqual(t, moved, 10*second+10*ms)
	require.Equal(t, view.Closed, last(h).Brokers[0].Liveness)
	require.Empty(t, h.Frame(h.Len()).Producers[0].Failed)
}

func TestABrokerThatReturnsCatchesUpAndLeadsAgainAfterTheBalanceCheck(t *testing.T) {
	h := play(t, replicated(320*second, nil,
		Command{At: 10 * second, Do: Crash, Node: "B1"}, Command{At: 40 * second, Do: Restart, Node: "B1"}))
	back := when(h, func(f *view.Frame) bool { return f.At > 40*second && len(inSync(partitionOf(f))) == 3 })
	require.Less(t, back, 41*second)
	led := when(h, func(f *view.Frame) bool { return f.At > 40*second && partitionOf(f).Leader == "B1" })
	require.Equal(t, 300*second, led)
}

func TestAFollowerThatDoesNotKeepUpLeavesTheInSyncReplicas(t *testing.T) {
	s := replicated(40*second, nil, Command{At: 10500 * ms, Do: Cut, Node: "B1", Peer: "B3"})
	s.Brokers[0].Settings = map[string]string{"replica.lag.time.max.ms": "10000"}
	h := play(t, s)
	left := when(h, func(f *view.Frame) bool { return len(inSync(partitionOf(f))) == 2 })
	require.Greater(t, left, 20*second)
	require.Less(t, left, 26*second)
	require.GreaterOrEqual(t, partitionOf(last(h)).HighWatermark, int64(38))
}

func TestWithoutEnoughReplicasNothingIsAcknowledgedAndReadingGoesOn(t *testing.T) {
	s := replicated(60*second, map[string]string{"min.insync.replicas": "2"},
		Command{At: 10500 * ms, Do: Crash, Node: "B2"}, Command{At: 10500 * ms, Do: Crash, Node: "B3"})
	s.Consumers = []client.ConsumerSpec{{
		ID: "C1", Assigned: []kafka.TopicPartition{{Topic: "T1"}}, Start: 30 * second, Settings: map[string]string{"auto.offset.reset": "earliest"},
	}}
	h := play(t, s)
	require.EqualValues(t, 10, last(h).Producers[0].Acked)
	require.EqualValues(t, 10, last(h).Consumers[0].Owned[0].Position)
	refused := 0
	for e := range h.Entries(1, h.Len()) {
		for _, f := range e.Facts {
			if f.Kind == view.ErrorSeen && f.Error == kafka.NotEnoughReplicas {
				refused++
			}
		}
	}
	require.Positive(t, refused)
}

func TestAnUncleanElectionLosesWhatOnlyTheDeadHad(t *testing.T) {
	for allowed, leader := range map[string]kafka.NodeID{"false": "", "true": "B2"} {
		h := play(t, replicated(60*second, map[string]string{"unclean.leader.election.enable": allowed},
			Command{At: 5500 * ms, Do: Crash, Node: "B2"}, Command{At: 5500 * ms, Do: Crash, Node: "B3"},
			Command{At: 30500 * ms, Do: Crash, Node: "B1"}, Command{At: 45 * second, Do: Restart, Node: "B2"}))
		p := partitionOf(h.Frame(h.Len()))
		require.Equal(t, leader, p.Leader, allowed)
		if allowed == "true" {
			require.Less(t, p.LogEnd, int64(25+15+5), "offsets are given a second time")
		}
	}
}

// randomReplicas draws a replicated cluster with faults at brokers and links.
func randomReplicas(t *rapid.T) Script {
	s := replicated(100*second, map[string]string{"min.insync.replicas": "2"})
	s.Latency = time.Duration(rapid.IntRange(0, 20).Draw(t, "latency")) * ms
	s.Release, _ = kafka.ParseRelease(rapid.SampledFrom([]string{"0.11", "1.1", "2.3", "2.6", "2.7", "3.0", "3.9", "4.0"}).Draw(t, "release"))
	s.Topics[0].Partitions = rapid.Int32Range(1, 3).Draw(t, "partitions")
	s.Brokers[0].Settings = map[string]string{"offsets.topic.num.partitions": "3"}
	for i := range s.Brokers {
		s.Brokers[i].Settings = map[string]string{"offsets.topic.num.partitions": "3", "replica.lag.time.max.ms": "6000"}
	}
	s.Producers[0].Every = 300 * ms
	s.Producers[0].Stop = 60 * second
	s.Consumers = []client.ConsumerSpec{consumer("C1", 0), reader("C2", "read_committed")}
	if rapid.Bool().Draw(t, "transactions") {
		s.Producers = append(s.Producers, client.ProducerSpec{
			ID: "P2", Topic: "T1", Every: 500 * ms, Stop: 60 * second, PerTransaction: 3, Ends: []string{client.CommitTransaction, client.AbortTransaction},
			Settings: map[string]string{"transactional.id": "x"},
		})
	}
	brokers := []kafka.NodeID{"B1", "B2", "B3"}
	for range rapid.IntRange(1, 12).Draw(t, "faults") {
		c := Command{At: time.Duration(rapid.IntRange(0, 40_000).Draw(t, "at")) * ms}
		c.Node = rapid.SampledFrom(brokers).Draw(t, "whom")
		c.Do = rapid.SampledFrom([]Verb{Crash, Restart, Restart, Stop, Freeze, Cut, Mend, Latency}).Draw(t, "do")
		switch c.Do {
		case Freeze:
			c.For = time.Duration(rapid.IntRange(1, 20).Draw(t, "for")) * second
		case Latency:
			c.For = time.Duration(rapid.IntRange(0, 300).Draw(t, "for")) * ms
		case Cut, Mend:
			c.Peer = rapid.SampledFrom([]kafka.NodeID{"", "B1", "B2", "B3", kafka.Controller, "P1"}).Draw(t, "peer")
		}
		if c.Peer != c.Node {
			s.Commands = append(s.Commands, c)
		}
	}
	return s
}

// replicaRules is what has been seen of a replicated cluster so far.
type replicaRules struct {
	marks map[kafka.TopicPartition]view.Partition
	asked map[request]*kafka.ProduceRequest
	acked map[place]string // by the place that the acknowledgement told: the record's value
}

// request tells a request from all others.
type request struct {
	from        kafka.NodeID
	correlation int32
}

// place is where a record lies.
type place struct {
	kafka.TopicPartition
	offset int64
}

// note notes what producers send and which of it is acknowledged.
func (r *replicaRules) note(e *view.Entry) {
	for i := range e.Sent {
		if body, ok := e.Sent[i].Body.(*kafka.ProduceRequest); ok {
			r.asked[request{e.Sent[i].From, e.Sent[i].Correlation}] = body
		}
	}
	if e.Message == nil {
		return
	}
	reply, ok := e.Message.Body.(*kafka.ProduceResponse)
	if !ok {
		return
	}
	for i, p := range reply.Partitions {
		if p.Error != kafka.None {
			continue
		}
		for n, record := range r.asked[request{e.Message.To, e.Message.Correlation}].Partitions[i].Records {
			r.acked[place{p.TopicPartition, p.BaseOffset + int64(n)}] = record.Value
		}
	}
}

// check checks what must hold of every event.
func (r *replicaRules) check(t require.TestingT, e *view.Entry) {
	r.note(e)
	for i := range e.Sent {
		reply, ok := e.Sent[i].Body.(*kafka.FetchResponse)
		if !ok || reply.Replica != "" {
			continue
		}
		for _, p := range reply.Partitions {
			if n := len(p.Records); n > 0 {
				require.Less(t, p.Records[n-1].Offset, p.HighWatermark, "a consumer reads below the high watermark only")
				if e.Sent[i].To == "C2" {
					require.Less(t, p.Records[n-1].Offset, p.LastStableOffset, "with read_committed, below the last stable offset only")
				}
			}
		}
	}
}

// checkLogs checks what must hold after every event at a broker.
func (r *replicaRules) checkLogs(t require.TestingT, f *view.Frame) {
	for _, topic := range f.Topics {
		for _, p := range topic.Partitions {
			before := r.marks[p.TopicPartition]
			if p.Leader != "" && before.LeaderEpoch == p.LeaderEpoch && before.Leader == p.Leader {
				require.GreaterOrEqual(t, p.HighWatermark, before.HighWatermark, "the high watermark of %v fell at event %d", p.TopicPartition, f.Event)
			}
			require.LessOrEqual(t, p.LogStart, p.LastStable)
			require.LessOrEqual(t, p.LastStable, p.HighWatermark)
			require.LessOrEqual(t, p.HighWatermark, p.LogEnd)
			for _, copy := range p.Replicas {
				if copy.InSync {
					require.GreaterOrEqual(t, copy.LogEnd, p.HighWatermark, "%s is in sync and lacks records of %v at event %d", copy.Broker, p.TopicPartition, f.Event)
				}
			}
			r.marks[p.TopicPartition] = p
		}
	}
}

// agree checks that all copies hold the same records below their high watermarks, each at its own offset, and that no
// acknowledged one is missing.
func (r *replicaRules) agree(t require.TestingT, w *World) {
	for _, topic := range w.Frame().Topics {
		for _, p := range topic.Partitions {
			leader := w.slot(p.Leader).node.(*broker.Broker)
			for _, copy := range p.Replicas {
				require.True(t, copy.InSync, "%s has come back to %v", copy.Broker, p.TopicPartition)
				other := w.slot(copy.Broker).node.(*broker.Broker)
				for offset := range min(copy.HighWatermark, p.HighWatermark) {
					a, _ := leader.Record(p.TopicPartition, offset)
					b, _ := other.Record(p.TopicPartition, offset)
					require.Equal(t, a, b, "%v at %d on %s", p.TopicPartition, offset, copy.Broker)
				}
				for offset := range copy.LogEnd {
					record, _ := other.Record(p.TopicPartition, offset)
					require.Equal(t, offset, record.Offset, "the offsets of %v on %s count up", p.TopicPartition, copy.Broker)
				}
			}
		}
	}
	for at, value := range r.acked {
		p, _ := w.controller().Cluster().Partition(at.TopicPartition)
		record, _ := w.slot(p.Leader).node.(*broker.Broker).Record(at.TopicPartition, at.offset)
		require.Equal(t, value, record.Value, "the acknowledged record at %v", at)
	}
}

func TestReplicasAgreeAndLoseNothingThatWasAcknowledged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomReplicas(t)
		w, err := New(s)
		require.NoError(t, err)
		h := NewHistory(w)
		rules := replicaRules{map[kafka.TopicPartition]view.Partition{}, map[request]*kafka.ProduceRequest{}, map[place]string{}}
		mended, restarted, checked := false, false, 0
		for h.Step() {
			now := h.At(h.Len()).Now()
			if now > 40*second && !mended {
				mended = true
				mend(t, h)
			}
			if now > 65*second && !restarted { // one that was told to stop while it was cut off or frozen has done so
				restarted = true
				restart(t, h)
			}
			for ; checked < h.Len(); checked++ {
				rules.check(t, h.Entry(checked+1))
			}
			if e := h.Entry(h.Len()); e.Node == kafka.Controller || e.Node[0] == 'B' {
				rules.checkLogs(t, h.Frame(h.Len()))
			}
			require.Less(t, h.Len(), 100_000, "the run does not end")
		}
		rules.agree(t, h.At(h.Len()))
		checkReplay(t, h, s)
	})
}

// mend mends all links.
func mend(t require.TestingT, h *History) {
	for _, cut := range last(h).Cuts {
		require.NoError(t, h.Do(mending(cut)))
	}
}

// restart begins all dead brokers again.
func restart(t require.TestingT, h *History) {
	for _, b := range last(h).Brokers {
		if b.Liveness == view.Crashed || b.Liveness == view.Closed {
			require.NoError(t, h.Do(Command{Do: Restart, Node: b.ID}))
		}
	}
}

// mending is the command that mends a link; the controller cannot be its subject.
func mending(c view.Cut) Command {
	if c.A == kafka.Controller {
		c.A, c.B = c.B, c.A
	}
	return Command{Do: Mend, Node: c.A, Peer: c.B}
}
