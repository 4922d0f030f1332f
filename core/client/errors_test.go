package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// reaction is what a consumer made of an error. The tables below are those of client.md section 4.
type reaction struct {
	memberID    string
	generation  int32
	coordinator kafka.NodeID  // "" when marked unknown
	after       time.Duration // how long it waits before it sends again
	sends       kafka.API     // what it sends then
	exception   string        // that ends the program; nothing is sent then but what close sends
}

func (want reaction) check(t *testing.T, g *rig) {
	t.Helper()
	require.Equal(t, want.memberID, g.c.group.memberID, "member id")
	require.Equal(t, want.generation, g.c.group.generation, "generation")
	require.Equal(t, want.coordinator, g.c.group.coordinator, "coordinator")
	if want.exception != "" {
		require.Equal(t, want.exception, g.c.exception)
		return
	}
	require.Empty(t, g.c.exception)
	if want.after > 0 {
		g.advance(want.after - time.Millisecond)
		require.Nil(t, g.asked(want.sends), "sent before its time")
		g.advance(time.Millisecond)
	}
	require.NotNil(t, g.asked(want.sends), "waiting: %v", g.waiting())
}

const backoff = 100 * time.Millisecond

func TestJoinGroupErrors(t *testing.T) {
	for e, want := range map[kafka.ErrorCode]reaction{
		kafka.CoordinatorLoadInProgress: {generation: -1, coordinator: "B1", after: backoff, sends: kafka.JoinGroupAPI},
		kafka.CoordinatorNotAvailable:   {generation: -1, after: backoff, sends: kafka.FindCoordinatorAPI},
		kafka.NotCoordinator:            {generation: -1, after: backoff, sends: kafka.FindCoordinatorAPI},
		kafka.UnknownMemberID:           {generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.RebalanceInProgress:       {generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.MemberIDRequired:          {memberID: "C1-7", generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.FencedInstanceID:          {generation: -1, coordinator: "B1", exception: "FencedInstanceIdException"},
		kafka.InconsistentGroupProtocol: {generation: -1, coordinator: "B1", exception: "InconsistentGroupProtocolException"},
		kafka.InvalidGroupID:            {generation: -1, coordinator: "B1", exception: "InvalidGroupIdException"},
		kafka.InvalidSessionTimeout:     {generation: -1, coordinator: "B1", exception: "InvalidSessionTimeoutException"},
		kafka.GroupMaxSizeReached:       {generation: -1, coordinator: "B1", exception: "GroupMaxSizeReachedException"},
		kafka.GroupAuthorizationFailed:  {generation: -1, coordinator: "B1", exception: "GroupAuthorizationException"},
	} {
		t.Run(e.String(), func(t *testing.T) {
			g := newRig(t, "", loop(0), nil).find()
			g.answer(&kafka.JoinGroupResponse{Error: e, MemberID: "C1-7"})
			want.check(t, g)
		})
	}
}

func TestSyncGroupErrors(t *testing.T) {
	for e, want := range map[kafka.ErrorCode]reaction{
		kafka.CoordinatorNotAvailable:   {memberID: "C1-1", generation: 1, after: backoff, sends: kafka.FindCoordinatorAPI},
		kafka.NotCoordinator:            {memberID: "C1-1", generation: 1, after: backoff, sends: kafka.FindCoordinatorAPI},
		kafka.IllegalGeneration:         {memberID: "C1-1", generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.UnknownMemberID:           {generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.RebalanceInProgress:       {memberID: "C1-1", generation: 1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.FencedInstanceID:          {exception: "FencedInstanceIdException", generation: -1, coordinator: "B1"},
		kafka.InconsistentGroupProtocol: {exception: "InconsistentGroupProtocolException", generation: -1, coordinator: "B1"},
		kafka.GroupAuthorizationFailed:  {exception: "GroupAuthorizationException", generation: -1, coordinator: "B1"},
	} {
		t.Run(e.String(), func(t *testing.T) {
			g := newRig(t, "", loop(0), nil).find().join()
			g.answer(&kafka.SyncGroupResponse{Error: e})
			want.check(t, g)
		})
	}
}

func TestHeartbeatErrors(t *testing.T) {
	for e, want := range map[kafka.ErrorCode]reaction{
		kafka.CoordinatorNotAvailable:  {memberID: "C1-1", generation: 1, sends: kafka.FindCoordinatorAPI},
		kafka.NotCoordinator:           {memberID: "C1-1", generation: 1, sends: kafka.FindCoordinatorAPI},
		kafka.IllegalGeneration:        {memberID: "C1-1", generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.UnknownMemberID:          {generation: -1, coordinator: "B1", sends: kafka.JoinGroupAPI},
		kafka.FencedInstanceID:         {exception: "FencedInstanceIdException", generation: -1, coordinator: "B1"},
		kafka.GroupAuthorizationFailed: {exception: "GroupAuthorizationException", generation: -1, coordinator: "B1"},
	} {
		t.Run(e.String(), func(t *testing.T) {
			g := newRig(t, "", loop(0), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
			g.advance(3 * time.Second)
			g.answer(&kafka.HeartbeatResponse{Error: e})
			want.check(t, g)
		})
	}
}

func TestRebalanceInProgressOnHeartbeatLetsTheMemberRejoinWithItsGeneration(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{Error: kafka.RebalanceInProgress})
	request := g.asked(kafka.JoinGroupAPI).(*kafka.JoinGroupRequest)
	require.Equal(t, "C1-1", request.MemberID)
	require.EqualValues(t, 1, g.c.group.generation)
}

func TestAnOldHeartbeatAnswerIsIgnored(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.advance(3 * time.Second)
	g.c.group.generation = 2 // as if a rebalance had completed while the answer travelled
	g.answer(&kafka.HeartbeatResponse{Error: kafka.IllegalGeneration})
	require.EqualValues(t, 2, g.c.group.generation)
	require.Equal(t, stable, g.c.group.state)
}

func TestCommitSyncErrors(t *testing.T) {
	commit := loop(0, Op{Do: CommitSync, Line: 8})
	for e, want := range map[kafka.ErrorCode]reaction{
		kafka.CoordinatorLoadInProgress: {memberID: "C1-1", generation: 1, coordinator: "B1", after: backoff, sends: kafka.OffsetCommitAPI},
		kafka.UnknownTopicOrPartition:   {memberID: "C1-1", generation: 1, coordinator: "B1", after: backoff, sends: kafka.OffsetCommitAPI},
		kafka.CoordinatorNotAvailable:   {memberID: "C1-1", generation: 1, sends: kafka.FindCoordinatorAPI},
		kafka.NotCoordinator:            {memberID: "C1-1", generation: 1, sends: kafka.FindCoordinatorAPI},
		kafka.IllegalGeneration:         {exception: "CommitFailedException", generation: -1, coordinator: "B1"},
		kafka.UnknownMemberID:           {exception: "CommitFailedException", generation: -1, coordinator: "B1"},
		kafka.RebalanceInProgress:       {exception: "RebalanceInProgressException", generation: -1, coordinator: "B1"},
		kafka.FencedInstanceID:          {exception: "FencedInstanceIdException", generation: -1, coordinator: "B1"},
		kafka.OffsetMetadataTooLarge:    {exception: "OffsetMetadataTooLarge", generation: -1, coordinator: "B1"},
		kafka.InvalidCommitOffsetSize:   {exception: "InvalidCommitOffsetSizeException", generation: -1, coordinator: "B1"},
		kafka.GroupAuthorizationFailed:  {exception: "GroupAuthorizationException", generation: -1, coordinator: "B1"},
	} {
		t.Run(e.String(), func(t *testing.T) {
			g := newRig(t, "", commit, map[string]string{"enable.auto.commit": "false"}).find().join().sync()
			g.fetch(0, 1)
			g.answer(&kafka.OffsetCommitResponse{Partitions: []kafka.PartitionError{{TopicPartition: both[0], Error: e}}})
			want.check(t, g)
		})
	}
}

func TestCommitSyncWithoutAMembershipFailsLocally(t *testing.T) {
	g := newRig(t, "", loop(70*time.Second, Op{Do: CommitSync, Line: 8}),
		map[string]string{"enable.auto.commit": "false", "max.poll.interval.ms": "60000", "request.timeout.ms": "100000"}).find().join().sync()
	g.fetch(0, 1)
	for range 19 {
		g.advance(3 * time.Second)
		g.answer(&kafka.HeartbeatResponse{})
	}
	g.advance(15 * time.Second)
	require.True(t, g.saw(view.PollTimerExpired, ""))
	require.Nil(t, g.asked(kafka.OffsetCommitAPI))
	require.Equal(t, "CommitFailedException", g.c.exception)
}

func TestCommitAfterALostSyncGroupIsRefusedAsARebalanceInProgress(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join()
	g.input(node.Input{Kind: node.Disconnected, Peer: "B1"})
	refused := (&turn{Consumer: g.c, now: g.now}).commitRefused()
	require.Equal(t, "RebalanceInProgressException", refused)
}
