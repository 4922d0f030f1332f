package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// transactional is a script with three brokers, topic T1 of so many partitions on all of them, and a producer of transactions.
func transactional(partitions int32, per int, ends ...string) Script {
	s := replicated(60*second, nil)
	s.Topics[0].Partitions = partitions
	s.Producers = []client.ProducerSpec{{
		ID: "P1", Topic: "T1", Every: second, Start: second, Count: 4 * per, PerTransaction: per, Ends: ends,
		Settings: map[string]string{"transactional.id": "payments"},
	}}
	return s
}

func reader(id kafka.NodeID, isolation string) client.ConsumerSpec {
	return client.ConsumerSpec{
		ID: id, Group: string(id) + "s", Topics: []string{"T1"},
		Settings: map[string]string{"auto.offset.reset": "earliest", "isolation.level": isolation},
	}
}

// returned counts the records that a consumer's polls returned.
func returned(h *History, id kafka.NodeID) (count int64) {
	for e := range h.Entries(1, h.Len()) {
		for _, f := range e.Facts {
			if f.Kind == view.RecordsReturned && f.Node == id {
				count += f.Count
			}
		}
	}
	return count
}

// done counts how many records a group has processed, and its positions.
func done(h *History, group string) (processed int64, positions []int64) {
	for _, g := range last(h).Groups {
		if g.ID != group {
			continue
		}
		for _, w := range g.Work {
			for _, r := range w.Done {
				processed += r.Len() * int64(r.Times)
			}
		}
	}
	for _, c := range last(h).Consumers {
		for _, o := range c.Owned {
			if c.Group == group {
				positions = append(positions, o.Position)
			}
		}
	}
	return processed, positions
}

func TestReadCommittedLeavesOutAbortedTransactionsAndNobodySeesMarkers(t *testing.T) {
	s := transactional(2, 2, client.CommitTransaction, client.AbortTransaction)
	s.Consumers = []client.ConsumerSpec{reader("C1", "read_committed"), reader("C2", "read_uncommitted")}
	h := play(t, s)
	require.Equal(t, []string{"P1-0", "COMMIT", "P1-2", "ABORT", "P1-4", "COMMIT", "P1-6", "ABORT"}, values(h, 0))
	p := last(h).Producers[0]
	require.Equal(t, [2]int{2, 2}, [2]int{p.Committed, p.Aborted})
	processed, positions := done(h, "C1s")
	require.EqualValues(t, 4, processed)
	require.Equal(t, []int64{8, 8}, positions, "positions move on past markers and aborted records")
	for _, g := range last(h).Groups {
		for _, w := range g.Work {
			require.EqualValues(t, 8, w.Committed)
			require.Empty(t, w.Lost, "nobody misses a marker")
		}
	}
	require.Equal(t, []view.Transaction{{
		ID: "payments", Coordinator: "B2", State: "CompleteAbort", ProducerID: 1000, Timeout: view.Timer{Name: "transaction"},
	}}, last(h).Transactions)
	processed, positions = done(h, "C2s")
	require.EqualValues(t, 8, processed)
	require.EqualValues(t, 4, returned(h, "C1"), "the offsets of markers and aborted records in between are no records")
	require.EqualValues(t, 8, returned(h, "C2"))
	require.Equal(t, []int64{8, 8}, positions)
}

func TestAHangingTransactionHoldsUpReadCommittedUntilItTimesOut(t *testing.T) {
	s := transactional(1, 2, client.HangTransaction)
	s.Producers[0].Settings["transaction.timeout.ms"] = "15000"
	s.Producers = append(s.Producers, client.ProducerSpec{ID: "P2", Topic: "T1", Every: second, Start: 5 * second, Count: 5})
	s.Consumers = []client.ConsumerSpec{reader("C1", "read_committed")}
	h := play(t, s)
	require.Equal(t, int64(0), partitionOf(h.Frame(eventAt(h, 19*second))).LastStable)
	require.Equal(t, int64(7), partitionOf(h.Frame(eventAt(h, 19*second))).HighWatermark)
	aborted := when(h, func(f *view.Frame) bool { return partitionOf(f).LastStable > 0 })
	require.Greater(t, aborted, 20*second, "the check comes every ten seconds")
	require.Less(t, aborted, 21*second)
	processed, _ := done(h, "C1s")
	require.EqualValues(t, 5, processed, "what stood behind the transaction, without it")
}

func TestAZombieIsFencedByItsSuccessor(t *testing.T) {
	s := transactional(1, 3)
	s.Producers[0].Count = 0
	second := s.Producers[0]
	second.ID, second.Start = "P2", 20500*ms
	s.Producers = append(s.Producers, second)
	h := play(t, s)
	old, successor := last(h).Producers[0], last(h).Producers[1]
	require.Equal(t, "ProducerFencedException", old.Exception)
	require.Equal(t, view.Closed, old.Liveness)
	require.Empty(t, successor.Exception)
	require.Positive(t, successor.Committed)
	require.Contains(t, values(h, 0), "ABORT", "what the old one had left open")
}

func TestATransactionSurvivesItsCoordinatorAndItsLeader(t *testing.T) {
	for _, broker := range []kafka.NodeID{"B1", "B2"} { // B1 leads the partition, B2 coordinates
		s := transactional(1, 4)
		s.Until = 120 * time.Second
		s.Commands = []Command{{At: 6200 * ms, Do: Crash, Node: broker}}
		h := play(t, s)
		p := last(h).Producers[0]
		require.Equal(t, 4, p.Committed, broker)
		require.Equal(t, int64(20), partitionOf(last(h)).LastStable, "16 records and 4 markers")
	}
}

func TestAProducerWaitsBetweenLooksForACoordinatorThatIsGone(t *testing.T) {
	s := transactional(1, 4)
	for i := range s.Brokers {
		s.Brokers[i].Settings = map[string]string{"transaction.state.log.replication.factor": "1"}
	}
	s.Commands = []Command{{At: 6200 * ms, Do: Crash, Node: "B2"}}
	h := play(t, s)
	looks := 0
	for e := range h.Entries(1, h.Len()) {
		for _, m := range e.Sent {
			if m.From == "P1" && m.Body.API() == kafka.FindCoordinatorAPI && !m.Reply() {
				looks++
			}
		}
	}
	require.Greater(t, looks, 2)
	require.Less(t, looks, 600, "60 s of one a tenth of a second")
}

// eventAt is the last event at or before a moment.
func eventAt(h *History, at time.Duration) int {
	n := 0
	for n < h.Len() && h.At(n+1).Now() <= at {
		n++
	}
	return n
}
