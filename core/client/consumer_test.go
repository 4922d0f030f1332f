package client

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

func manual(more ...string) map[string]string {
	set := map[string]string{"enable.auto.commit": "false"}
	for i := 0; i < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	return set
}

func TestPollReturnsEmptyHandedWhenItsTimeoutIsOverAndTheJoinGoesOnInTheNextPoll(t *testing.T) {
	g := newRig(t, "", loop(0), nil).find()
	g.advance(2500 * time.Millisecond)
	polls := 0
	for _, f := range g.facts {
		if f.Kind == view.PollReturned {
			polls++
		}
	}
	require.Equal(t, 2, polls)
	require.Equal(t, []string{"JoinGroup"}, g.waiting())
}

func TestBefore20PollBlocksUntilTheJoinIsOver(t *testing.T) {
	g := newRig(t, "1.1", loop(0), nil).find()
	g.advance(20 * time.Second)
	require.False(t, g.saw(view.PollReturned, ""))
}

func TestTheFirstHeartbeatIsDueAnIntervalAfterJoinGroup(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join()
	g.advance(2999 * time.Millisecond)
	require.Nil(t, g.asked(kafka.HeartbeatAPI))
	g.advance(time.Millisecond)
	require.NotNil(t, g.asked(kafka.HeartbeatAPI))
}

func TestBefore261TheFirstHeartbeatIsDueAnIntervalAfterSyncGroup(t *testing.T) {
	g := newRig(t, "2.6", loop(0), manual()).find().join()
	g.advance(3 * time.Second)
	require.Nil(t, g.asked(kafka.HeartbeatAPI))
	g.sync()
	g.advance(2999 * time.Millisecond)
	require.Nil(t, g.asked(kafka.HeartbeatAPI))
	g.advance(time.Millisecond)
	require.NotNil(t, g.asked(kafka.HeartbeatAPI))
}

func TestNoHeartbeatIsSentWhileJoinGroupIsParked(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find()
	g.advance(20 * time.Second)
	require.Nil(t, g.asked(kafka.HeartbeatAPI))
}

func TestHeartbeatsGoOnWhileARecordIsProcessed(t *testing.T) {
	g := newRig(t, "", loop(20*time.Second), manual()).find().join().sync()
	g.fetch(0, 1)
	g.advance(3 * time.Second)
	require.NotNil(t, g.asked(kafka.HeartbeatAPI))
}

func TestThePollIntervalExpiresInTheClientWhichLeavesTheGroup(t *testing.T) {
	g := newRig(t, "", loop(10*time.Second), manual("max.poll.interval.ms", "6000")).find().join().sync()
	g.fetch(0, 1)
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{})
	g.advance(3 * time.Second)
	leave, ok := g.asked(kafka.LeaveGroupAPI).(*kafka.LeaveGroupRequest)
	require.True(t, ok)
	require.Equal(t, "C1-1", leave.Members[0].MemberID)
	require.Empty(t, g.callbacks()[1:], "no callback before the next poll")
	g.advance(4 * time.Second)
	require.Equal(t, "onPartitionsLost T1-0 T1-1", g.callbacks()[1])
}

func TestAStaticMemberThatMissesItsPollOnlyStopsItsHeartbeats(t *testing.T) {
	g := newRig(t, "", loop(20*time.Second), manual("max.poll.interval.ms", "6000", "group.instance.id", "i1")).find().join().sync()
	g.fetch(0, 1)
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{})
	g.advance(10 * time.Second)
	require.Nil(t, g.asked(kafka.LeaveGroupAPI))
	require.Nil(t, g.asked(kafka.HeartbeatAPI), "waiting: %v", g.waiting())
}

func TestEagerCallbacksRunInTheirOrder(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join().sync()
	require.Equal(t, []string{"onPartitionsAssigned T1-0 T1-1"}, g.callbacks())
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress})
	require.Equal(t, "onPartitionsRevoked T1-0 T1-1", g.callbacks()[1])
	require.Empty(t, g.c.owned())
	g.answer(&kafka.JoinGroupResponse{Generation: 2, Protocol: "range", Leader: "C0-1", MemberID: "C1-1"})
	g.answer(&kafka.SyncGroupResponse{Assignment: both[:1]})
	require.Equal(t, "onPartitionsAssigned T1-0", g.callbacks()[2])
	require.Equal(t, both[:1], g.c.owned())
}

func TestACooperativeMemberKeepsReadingAndGivesUpOnlyWhatItLoses(t *testing.T) {
	g := newRig(t, "", loop(0), manual("partition.assignment.strategy", "cooperative-sticky")).find()
	g.answer(&kafka.JoinGroupResponse{Generation: 1, Protocol: "cooperative-sticky", Leader: "C0-1", MemberID: "C1-1"})
	g.sync()
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress})
	require.Len(t, g.callbacks(), 1, "nothing is revoked before JoinGroup")
	g.fetch(0, 3)
	require.True(t, g.saw(view.RecordsReturned, ""), "records are returned during the rebalance")
	g.advance(shortestWait)

	g.answer(&kafka.JoinGroupResponse{Generation: 2, Protocol: "cooperative-sticky", Leader: "C0-1", MemberID: "C1-1"})
	g.answer(&kafka.SyncGroupResponse{Assignment: both[:1]})
	require.Equal(t, []string{"onPartitionsRevoked T1-1", "onPartitionsAssigned"}, g.callbacks()[1:])
	require.EqualValues(t, 3, g.c.subs[0].position, "a partition that stays keeps its position")
	require.NotNil(t, g.asked(kafka.JoinGroupAPI), "a second rebalance offers what was given up")
}

func TestAutoCommitCoversWhatEarlierPollsReturned(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"heartbeat.interval.ms": "40000"}).find().join().sync()
	g.fetch(0, 10)
	g.advance(5 * time.Second)
	commit := g.asked(kafka.OffsetCommitAPI).(*kafka.OffsetCommitRequest)
	require.Equal(t, []kafka.CommitOffset{
		{TopicPartition: both[0], OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 10}},
		{TopicPartition: both[1], OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: 0}},
	}, commit.Offsets)
}

func TestOnePollReturnsAtMostMaxPollRecordsAndTheRestNeedsNoNetwork(t *testing.T) {
	g := newRig(t, "", loop(100*time.Millisecond), manual("max.poll.records", "4")).find().join().sync()
	g.fetch(0, 10)
	require.Equal(t, 4, g.c.batch.size())
	require.EqualValues(t, 4, g.c.subs[0].position)
	g.advance(time.Second)
	require.EqualValues(t, 10, g.c.subs[0].position)
}

func TestAFetchIsSentBeforeRecordsAreReturned(t *testing.T) {
	g := newRig(t, "", loop(time.Minute), manual()).find().join().sync()
	g.fetch(0, 10)
	fetch, ok := g.asked(kafka.FetchAPI).(*kafka.FetchRequest)
	require.True(t, ok)
	require.EqualValues(t, 10, fetch.Partitions[len(fetch.Partitions)-1].Offset)
}

func TestRepliesStayInTheInboxWhileNoThreadReads(t *testing.T) {
	program := Program{Body: []Op{{Do: Poll, For: 100 * time.Millisecond}, {Do: Sleep, For: time.Minute}}}
	g := newRig(t, "", program, nil).find()
	g.advance(time.Second)
	g.join()
	require.Equal(t, 1, g.c.View().Unread)
	require.Nil(t, g.asked(kafka.SyncGroupAPI))
}

func TestNoneThrowsWhenThereIsNoCommittedOffset(t *testing.T) {
	g := newRig(t, "", loop(0), manual("auto.offset.reset", "none")).find().join()
	g.answer(&kafka.SyncGroupResponse{Assignment: both[:1]})
	g.answer(&kafka.OffsetFetchResponse{Partitions: []kafka.FetchedOffset{{
		TopicPartition: both[0], OffsetAndMetadata: kafka.OffsetAndMetadata{Offset: kafka.NoOffset},
	}}})
	require.Equal(t, "NoOffsetForPartitionException", g.c.exception)
}

func TestCloseCommitsRevokesLeavesAndEnds(t *testing.T) {
	g := newRig(t, "", loop(0), nil).find().join().sync()
	g.fetch(0, 5)
	g.advance(shortestWait)
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
	commit := g.asked(kafka.OffsetCommitAPI).(*kafka.OffsetCommitRequest)
	require.EqualValues(t, 5, commit.Offsets[0].Offset)
	require.Nil(t, g.asked(kafka.LeaveGroupAPI))
	g.answer(&kafka.OffsetCommitResponse{Partitions: []kafka.PartitionError{{TopicPartition: both[0]}}})
	require.Equal(t, "onPartitionsRevoked T1-0 T1-1", g.callbacks()[1])
	g.answer(&kafka.LeaveGroupResponse{})
	require.True(t, g.ended)
	require.Empty(t, g.c.exception)
}

func TestAStaticMemberClosesWithoutAWord(t *testing.T) {
	g := newRig(t, "", loop(0), manual("group.instance.id", "i1")).find().join().sync()
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
	require.Nil(t, g.asked(kafka.LeaveGroupAPI))
	require.True(t, g.ended)
}

func TestALostConnectionToTheCoordinatorIsLookedUpAgain(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join().sync()
	g.sent = nil
	g.input(node.Input{Kind: node.Disconnected, Peer: "B1"})
	require.Empty(t, g.c.group.coordinator)
	g.advance(backoff)
	require.NotNil(t, g.asked(kafka.FindCoordinatorAPI))
	require.Equal(t, "C1-1", g.c.group.memberID, "the membership outlives the connection")
}

func TestARequestWithoutAnAnswerIsGivenUpWhenItsTimeIsOver(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join().sync()
	g.advance(29 * time.Second)
	require.Equal(t, kafka.NodeID("B1"), g.c.group.coordinator)
	g.advance(5 * time.Second)
	require.Empty(t, g.c.group.coordinator)
}

func TestAReplyThatNoThreadReadInTimeStillCounts(t *testing.T) {
	program := Program{Body: []Op{{Do: Poll, For: time.Second}, {Do: Sleep, For: 2 * time.Minute}}}
	g := newRig(t, "", program, map[string]string{"max.poll.interval.ms": "10000"}).find().join().sync()
	g.fetch(0, 10)
	g.fetch(10, 10)
	for range 3 {
		g.advance(3 * time.Second)
		g.answer(&kafka.HeartbeatResponse{})
	}
	g.advance(time.Second)
	g.answer(&kafka.LeaveGroupResponse{})
	g.advance(2 * time.Minute)
	require.Equal(t, kafka.NodeID("B1"), g.c.group.coordinator, "the connection was not given up")
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestAfterASilentSessionTheCoordinatorIsLookedUpAtOnce(t *testing.T) {
	g := newRig(t, "0.10.0", loop(10*time.Second), map[string]string{"session.timeout.ms": "9000"}).find().join().sync()
	g.answer(&kafka.HeartbeatResponse{})
	g.fetch(0, 1)
	g.advance(10 * time.Second)
	require.True(t, g.saw(view.SessionLapsed, ""))
	require.NotNil(t, g.asked(kafka.FindCoordinatorAPI), "nobody refused anything, so there is no backoff")
}

func TestACloneGoesItsOwnWay(t *testing.T) {
	g := newRig(t, "", loop(time.Second), nil).find().join().sync()
	before := g.c.View()
	clone := g.c.Clone().(*Consumer)
	twin := &rig{t: t, c: clone, now: g.now, sent: append([]node.Send{}, g.sent...), timers: map[string]time.Duration{}}
	twin.fetch(0, 5)
	require.NotEqual(t, before, clone.View())
	require.Equal(t, before, g.c.View())
}

func TestTheCallbackThatRunsCanBeSeen(t *testing.T) {
	program := loop(0)
	program.OnAssigned = []Op{{Do: Sleep, Line: 1, For: time.Second}}
	g := newRig(t, "", program, manual()).find().join()
	require.Empty(t, g.c.View().Callback)
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	require.Equal(t, onAssigned, g.c.View().Callback)
	g.advance(time.Second)
	require.Empty(t, g.c.View().Callback)
}

func TestTheLineThatClosesTheConsumerIsExecutedWhileItCloses(t *testing.T) {
	g := newRig(t, "", loop(0), nil).find().join().sync()
	g.fetch(0, 5)
	g.advance(shortestWait)
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
	line := g.c.View().Program.Line
	require.Contains(t, g.c.spec.Program.Listing[line-1], "consumer.close()")
}

func TestAnIdleWorkerBeginsAtOnceWithWhatItIsHanded(t *testing.T) {
	program := Program{Workers: 1, Body: []Op{{Do: Poll, For: time.Second}, {Do: HandOver, For: 300 * time.Millisecond}, {Do: Sleep, For: time.Second}}}
	g := newRig(t, "", program, nil).find().join().sync()
	g.fetch(0, 5)
	g.advance(900 * time.Millisecond)
	done := slices.DeleteFunc(g.facts, func(f view.Fact) bool { return f.Kind != view.Processed })
	require.Len(t, done, 3)
	require.Equal(t, view.Span{From: 3, To: 5}, g.c.View().Owned[0].Returned, "what it still has in hand")
}

func TestAPositionOutOfRangeIsResetInTheSamePoll(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join().sync()
	g.answer(&kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{TopicPartition: both[0], Error: kafka.OffsetOutOfRange}}})
	require.NotNil(t, g.asked(kafka.ListOffsetsAPI))
}
