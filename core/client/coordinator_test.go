package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

func refused(e kafka.ErrorCode) *kafka.OffsetCommitResponse {
	return &kafka.OffsetCommitResponse{Partitions: []kafka.PartitionError{{TopicPartition: both[0], Error: e}}}
}

func (g *rig) wakeup() {
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoWakeup}})
}

func (g *rig) close() {
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
}

func (g *rig) disconnect() {
	g.sent = nil
	g.input(node.Input{Kind: node.Disconnected, Peer: "B1"})
}

func cooperative() map[string]string {
	return map[string]string{"partition.assignment.strategy": "cooperative-sticky"}
}

func TestAStaticMemberThatIsFencedAtAHeartbeat(t *testing.T) {
	for release, callback := range map[string]string{"2.5": "onPartitionsRevoked", "2.6": "onPartitionsLost", "3.9": "onPartitionsLost"} {
		g := newRig(t, release, loop(0), map[string]string{"group.instance.id": "I1"}).find().join().sync()
		g.heartbeat(kafka.FencedInstanceID)
		require.Equal(t, "FencedInstanceIdException", g.c.exception, release)
		if release == "2.5" {
			g.answer(refused(kafka.FencedInstanceID)) // it still believes in its generation, and commits before it ends
		}
		require.Nil(t, g.asked(kafka.OffsetCommitAPI), release)
		require.Equal(t, callback+" T1-0 T1-1", g.callbacks()[1], release)
	}
}

func TestAfterAFencedCommitThatNobodyWaitedForEveryCallThrows(t *testing.T) {
	program := loop(0, Op{Do: CommitAsync})
	g := newRig(t, "", program, manual()).find().join().sync()
	g.fetch(0, 1)
	g.answer(refused(kafka.FencedInstanceID))
	g.advance(shortestWait)
	require.Equal(t, "FencedInstanceIdException", g.c.exception)
}

func TestACommitRefusedForAnOlderGeneration(t *testing.T) {
	for release, exception := range map[string]string{"2.5": "CommitFailedException", "2.6": "RebalanceInProgressException"} {
		g := newRig(t, release, loop(0), manual()).find().join().sync()
		g.heartbeat(kafka.UnknownMemberID)
		require.NotNil(t, g.asked(kafka.JoinGroupAPI))
		turn := &turn{Consumer: g.c, now: g.now, out: &node.Out{}}
		body := &kafka.OffsetCommitRequest{MemberID: "C1-1", Generation: 1}
		class, _ := turn.commitError(kafka.UnknownMemberID, body)
		require.Equal(t, exception, class, release)
	}
	g := newRig(t, "", loop(time.Minute), manual()).find().join().sync()
	g.fetch(0, 1)
	g.heartbeat(kafka.UnknownMemberID)
	turn := &turn{Consumer: g.c, now: g.now, out: &node.Out{}}
	class, _ := turn.commitError(kafka.UnknownMemberID, &kafka.OffsetCommitRequest{MemberID: "C1-1", Generation: 1})
	require.Equal(t, "CommitFailedException", class, "as long as it has not begun to join again")
}

func TestCallbacksOfEarlierCommitsRunBeforeCommitSyncReturns(t *testing.T) {
	program := loop(0, Op{Do: CommitAsync, Callback: []Op{{Do: Count, Line: 9}}}, Op{Do: CommitSync}, Op{Do: Sleep, For: time.Hour})
	g := newRig(t, "", program, manual()).find().join().sync()
	g.fetch(0, 1)
	g.answer(refused(kafka.None))
	g.answer(refused(kafka.None))
	require.EqualValues(t, 1, g.c.vars.count)
}

func TestCallbacksOfEarlierCommitsRunBeforeCommitAsync(t *testing.T) {
	program := loop(time.Second, Op{Do: CommitAsync, Line: 3, Callback: []Op{{Do: If, Test: CommitRetriable, Body: []Op{{Do: Retry}}}}})
	g := newRig(t, "", program, manual()).find().join().sync()
	g.fetch(0, 1)
	g.advance(time.Second)
	g.fetch(1, 1)
	g.advance(shortestWait)
	g.answer(refused(kafka.CoordinatorLoadInProgress)) // read by the heartbeat thread, while the record is processed
	g.advance(time.Second)
	var offsets []int64
	for _, s := range g.sent {
		if commit, ok := s.Body.(*kafka.OffsetCommitRequest); ok {
			offsets = append(offsets, commit.Offsets[0].Offset)
		}
	}
	require.Equal(t, []int64{1, 2}, offsets, "the retry goes first")
	entered := 0
	for _, f := range g.facts {
		if f.Kind == view.LineEntered && f.From == 3 {
			entered++
		}
	}
	require.Equal(t, 2, entered)
}

func TestTheAnswerToAnInterruptedCommitSyncIsNotTakenForTheNext(t *testing.T) {
	program := loop(0, Op{Do: Try, Body: []Op{{Do: CommitSync}}, Catch: []Catch{{Body: []Op{{Do: CommitSync}}}}}, Op{Do: Sleep, Line: 9, For: time.Hour})
	g := newRig(t, "", program, manual()).find().join().sync()
	g.fetch(0, 1)
	g.wakeup()
	g.answer(refused(kafka.None))
	require.Equal(t, procCommitSync, g.c.app.top().proc, "the second is not answered yet")
	g.answer(refused(kafka.None))
	require.NotEqual(t, procCommitSync, g.c.app.top().proc)
}

func TestWithoutACoordinatorPollReturnsWhatItHasAndPreparesNoJoin(t *testing.T) {
	program := Program{Body: []Op{{Do: Poll, For: time.Second}, {Do: ForEach, Body: []Op{{Do: Process, For: time.Millisecond}}}}}
	g := newRig(t, "", program, map[string]string{"enable.auto.commit": "false", "max.poll.records": "1"}).find().join().sync()
	g.fetch(0, 3)
	g.c.group.rejoin = true // as after REBALANCE_IN_PROGRESS, just before the coordinator died
	g.disconnect()
	g.advance(1500 * time.Millisecond)
	require.Len(t, g.callbacks(), 1, "nothing is revoked before the coordinator is found")
	require.EqualValues(t, 2, g.c.subs[0].position, "it goes on with what it has, a timeout for each poll")
}

func TestNothingIsCommittedByItselfWhileARebalanceGoesOn(t *testing.T) {
	g := newRig(t, "", loop(0), cooperative()).find().join().sync()
	g.heartbeat(kafka.RebalanceInProgress)
	g.answer(refused(kafka.None)) // the commit before the rejoin
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
	g.advance(7 * time.Second)
	require.Nil(t, g.asked(kafka.OffsetCommitAPI))
}

func TestCommitAsyncWithoutACoordinatorIsSentWhenItIsFound(t *testing.T) {
	program := loop(0, Op{Do: CommitAsync, Callback: []Op{{Do: If, Test: CommitFailed, Body: []Op{{Do: Count}}}}})
	g := rigFor(t, ConsumerSpec{Group: "G1", Assigned: both[:1], Program: program})
	g.find()
	g.answer(&kafka.OffsetFetchResponse{Partitions: []kafka.FetchedOffset{{TopicPartition: both[0]}}})
	g.c.group.coordinator = ""
	g.fetch(0, 1)
	require.NotNil(t, g.asked(kafka.FindCoordinatorAPI))
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	g.advance(shortestWait)
	require.NotNil(t, g.asked(kafka.OffsetCommitAPI))

	g.c.group.coordinator = ""
	g.fetch(1, 1)
	g.answer(&kafka.FindCoordinatorResponse{Error: kafka.CoordinatorNotAvailable})
	g.advance(shortestWait)
	require.EqualValues(t, 1, g.c.vars.count, "it is not tried again")
}

func TestHeartbeatsDoNotWaitForAnswersSinceTheyHaveAThread(t *testing.T) {
	for release, sent := range map[string]int{"0.10.0": 1, "0.10.1": 3, "3.9": 3} {
		g := newRig(t, release, loop(0), manual()).find().join().sync()
		g.advance(9 * time.Second)
		n := 0
		for _, s := range g.sent {
			if s.Body.API() == kafka.HeartbeatAPI {
				n++
			}
		}
		require.Equal(t, sent, n, release)
	}
}

func TestHeartbeatsThatFailPauseLongerEachTimeSince37(t *testing.T) {
	for release, pause := range map[string]time.Duration{"3.6": 100 * time.Millisecond, "3.7": 200 * time.Millisecond} {
		g := newRig(t, release, loop(0), manual()).find().join().sync()
		g.heartbeat(kafka.UnknownServerError)
		g.advance(100 * time.Millisecond)
		g.answer(&kafka.HeartbeatResponse{Error: kafka.UnknownServerError})
		g.advance(pause - time.Millisecond)
		require.Nil(t, g.asked(kafka.HeartbeatAPI), release)
		g.advance(time.Millisecond)
		require.NotNil(t, g.asked(kafka.HeartbeatAPI), release)
	}
}

func TestFindingTheCoordinatorBeginsTheClientsSessionAnew(t *testing.T) {
	g := newRig(t, "2.3", loop(0), map[string]string{"enable.auto.commit": "false", "session.timeout.ms": "10000"}).find().join().sync()
	g.advance(time.Second)
	g.disconnect()
	g.advance(11 * time.Second) // longer than a session
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	require.False(t, g.saw(view.SessionLapsed, ""))
	require.Equal(t, kafka.NodeID("B1"), g.c.group.coordinator)
}

func TestACoordinatorThatCannotBeConnectedToIsLookedUpAgain(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find()
	two := *oneBroker
	two.Brokers = append(two.Brokers[:1:1], kafka.BrokerInfo{ID: "B2", Release: kafka.DefaultRelease})
	g.c.network.cluster = &two
	g.disconnect()
	for range 3 { // each connection that fails doubles the pause before the next
		g.c.network.lostConnection("B1", g.now, g.c.settings.reconnect)
	}
	g.advance(backoff)
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	g.advance(backoff)
	require.Nil(t, g.asked(kafka.JoinGroupAPI))
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B2"})
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestWakeupEndsAPollThatIsBlockedByAJoin(t *testing.T) {
	g := newRig(t, "1.1", loop(0), manual()).find()
	g.advance(2 * time.Second)
	require.Equal(t, procJoin, g.c.app.top().proc)
	g.wakeup()
	require.Equal(t, "WakeupException", g.c.exception)
}

func TestCloseWaitsForWhatTheCoordinatorHasNotAnswered(t *testing.T) {
	g := rigFor(t, ConsumerSpec{Group: "G1", Assigned: both[:1], Program: loop(0, Op{Do: CommitAsync})})
	g.find()
	g.answer(&kafka.OffsetFetchResponse{Partitions: []kafka.FetchedOffset{{TopicPartition: both[0]}}})
	g.fetch(0, 1)
	g.close()
	g.advance(shortestWait)
	require.False(t, g.ended)
	g.answer(refused(kafka.None))
	require.True(t, g.ended)
}

func TestCloseLooksForTheCoordinatorToCommit(t *testing.T) {
	g := newRig(t, "", loop(time.Second), nil).find().join().sync()
	g.fetch(0, 1)
	g.close()
	g.advance(time.Second)
	g.answer(refused(kafka.NotCoordinator))
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	g.advance(100 * time.Millisecond)
	g.answer(refused(kafka.None))
	require.NotNil(t, g.asked(kafka.LeaveGroupAPI))
}

func TestTheCommitBeforeARejoinIsGivenUpWhenTheRebalanceTimeoutIsOver(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"max.poll.interval.ms": "10000", "request.timeout.ms": "100000"}).find().join().sync()
	g.heartbeat(kafka.RebalanceInProgress)
	require.NotNil(t, g.asked(kafka.OffsetCommitAPI))
	g.advance(9 * time.Second)
	require.Nil(t, g.asked(kafka.JoinGroupAPI))
	g.advance(time.Second)
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestTheAnswerToAJoinGroupOfAMembershipGivenUpIsAwaited(t *testing.T) {
	program := Program{Body: []Op{{Do: Poll, For: time.Second}, {Do: Unsubscribe}, {Do: Subscribe, Topics: []string{"T1"}}}}
	g := newRig(t, "", program, manual()).find()
	g.advance(1500 * time.Millisecond)
	joins := 0
	for _, s := range g.sent {
		if s.Body.API() == kafka.JoinGroupAPI {
			joins++
		}
	}
	require.Equal(t, 1, joins)
	g.answer(&kafka.JoinGroupResponse{Error: kafka.UnknownMemberID})
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestBeforeKIP62AMemberDoesNotForgetItsGeneration(t *testing.T) {
	g := newRig(t, "0.9", loop(0), nil).find().join().sync()
	g.answer(&kafka.HeartbeatResponse{Error: kafka.UnknownMemberID})
	commit := g.asked(kafka.OffsetCommitAPI).(*kafka.OffsetCommitRequest)
	require.EqualValues(t, 1, commit.Generation, "it commits in vain before it joins as a newcomer")
	require.Empty(t, commit.MemberID)
	g.advance(4 * time.Second)
	require.Nil(t, g.asked(kafka.HeartbeatAPI), "none while it must rejoin")
	g.answer(refused(kafka.UnknownMemberID))
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}
