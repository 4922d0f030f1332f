package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

func (g *rig) subscribe(topics ...string) {
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoSubscribe, Topics: topics}})
}

// heartbeat lets the time of a heartbeat pass and answers it.
func (g *rig) heartbeat(e kafka.ErrorCode) {
	g.t.Helper()
	g.advance(3 * time.Second)
	g.answer(&kafka.HeartbeatResponse{Error: e})
}

func TestASubscriptionThatChangesDuringAJoinIsJoinedForAfterIt(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join()
	g.subscribe("T2")
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	require.Empty(t, g.c.owned(), "partitions of a topic that is not subscribed to any more are not taken")
	require.False(t, g.saw(view.CallbackStarted, onAssigned))
	request := g.asked(kafka.JoinGroupAPI).(*kafka.JoinGroupRequest)
	require.Equal(t, []string{"T2"}, request.Protocols[0].Subscription.Topics)
}

func TestSubscribingToTheSameTopicsIsNoReasonToJoinAgain(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find().join().sync()
	g.subscribe("T1")
	g.advance(2 * time.Second)
	require.Nil(t, g.asked(kafka.JoinGroupAPI))
	g.subscribe("T1", "T2")
	g.advance(2 * time.Second)
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestAReturningStaticLeaderWatchesItsTopics(t *testing.T) {
	g := newRig(t, "", loop(0), map[string]string{"enable.auto.commit": "false", "group.instance.id": "I1"}).find()
	g.answer(&kafka.JoinGroupResponse{Generation: 3, Protocol: "range", Leader: "C1-1", MemberID: "C1-1", SkipAssignment: true,
		Members: []kafka.JoinedMember{{MemberID: "C1-1", Subscription: &kafka.Subscription{Topics: []string{"T1"}}}}})
	require.Empty(t, g.asked(kafka.SyncGroupAPI).(*kafka.SyncGroupRequest).Assignments)
	g.sync()
	g.c.network.wantMetadata = true
	g.advance(time.Second)
	g.answer(&kafka.MetadataResponse{Cluster: morePartitions()})
	require.NotNil(t, g.asked(kafka.JoinGroupAPI), "KIP-814: that is why it is told that it leads")
}

func TestALeaderNoticesPartitionsThatCameWhileItWaitedForSyncGroup(t *testing.T) {
	g := newRig(t, "", loop(0), manual()).find()
	g.answer(&kafka.JoinGroupResponse{Generation: 1, Protocol: "range", Leader: "C1-1", MemberID: "C1-1",
		Members: []kafka.JoinedMember{{MemberID: "C1-1", Subscription: &kafka.Subscription{Topics: []string{"T1"}}}}})
	g.c.network.wantMetadata = true
	g.advance(time.Second)
	g.answer(&kafka.MetadataResponse{Cluster: morePartitions()})
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestALeaderThatKnowsTheTopicsOfAllMembersAssignsAtOnce(t *testing.T) {
	subscription := &kafka.Subscription{Topics: []string{"T1"}}
	g := newRig(t, "", loop(0), manual()).find()
	g.answer(&kafka.JoinGroupResponse{Generation: 1, Protocol: "range", Leader: "C1-1", MemberID: "C1-1", Members: []kafka.JoinedMember{
		{MemberID: "C1-1", Subscription: subscription}, {MemberID: "C2-1", Subscription: subscription}}})
	require.Equal(t, []string{"SyncGroup"}, g.waiting())
}

func TestPartitionsKeptThroughAJoinAreLostWithTheGeneration(t *testing.T) {
	for release, lost := range map[string]bool{"2.6": false, "2.7": true, "3.9": true} {
		g := newRig(t, release, loop(0), map[string]string{
			"enable.auto.commit": "false", "partition.assignment.strategy": "cooperative-sticky"}).find().join().sync()
		g.heartbeat(kafka.RebalanceInProgress)
		require.Equal(t, both, g.c.owned(), release)
		g.answer(&kafka.JoinGroupResponse{Error: kafka.UnknownMemberID})
		require.Equal(t, lost, g.saw(view.CallbackStarted, onLost), release)
		require.Equal(t, lost, len(g.c.owned()) == 0, release)
		require.NotNil(t, g.asked(kafka.JoinGroupAPI), release)
	}
}

func TestAJoinThatBeganItsCallbacksFinishesWithoutTheGeneration(t *testing.T) {
	program := loop(0)
	program.OnAssigned = []Op{{Do: Sleep, Line: 1, For: 4 * time.Second}}
	g := newRig(t, "", program, manual()).find().join()
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	g.heartbeat(kafka.UnknownMemberID)
	g.advance(time.Second)
	require.Equal(t, []string{"onPartitionsAssigned T1-0 T1-1", "onPartitionsLost T1-0 T1-1"}, g.callbacks())
	require.NotNil(t, g.asked(kafka.JoinGroupAPI))
}

func TestAnExceptionOfARebalanceCallback(t *testing.T) {
	program := loop(0)
	program.Body = []Op{{Do: Try, Body: program.Body, Catch: []Catch{{Classes: []string{"KafkaException"}, Body: []Op{{Do: Count, Line: 3}}}}}}
	program.OnRevoked = []Op{{Do: Throw, Line: 1, Class: "IllegalArgumentException"}}
	for release, thrown := range map[string]bool{"2.3": false, "2.4": true, "3.9": true} {
		g := newRig(t, release, program, manual()).find()
		if release == "2.3" { // its listener is told of nothing before the first join too
			require.Equal(t, []string{"onPartitionsRevoked"}, g.callbacks())
		}
		g.join().sync()
		g.facts = nil
		g.heartbeat(kafka.RebalanceInProgress)
		g.advance(shortestWait)
		require.Empty(t, g.c.exception, release)
		require.Equal(t, thrown, g.saw(view.ExceptionThrown, "KafkaException"), release)
		require.Equal(t, []string{"onPartitionsRevoked T1-0 T1-1"}, g.callbacks(), "%s: it is called once", release)
		require.Empty(t, g.c.owned(), release)
		require.NotNil(t, g.asked(kafka.JoinGroupAPI), release)
	}
}

func TestAnExceptionOfACallbackAfterTheJoinIsThrownAndTheCallbackRunsAgain(t *testing.T) {
	program := loop(0)
	program.Body = []Op{{Do: Try, Body: program.Body, Catch: []Catch{{Classes: []string{"CommitFailedException"}, Body: []Op{{Do: Count, Line: 3}}}}}}
	program.OnAssigned = []Op{{Do: Throw, Line: 1, Class: "CommitFailedException"}}
	g := newRig(t, "", program, manual()).find().join()
	g.answer(&kafka.SyncGroupResponse{Assignment: both})
	require.True(t, g.saw(view.ExceptionThrown, "CommitFailedException"))
	require.Equal(t, both, g.c.owned())
	g.advance(shortestWait)
	require.Equal(t, []string{"onPartitionsAssigned T1-0 T1-1", "onPartitionsAssigned"}, g.callbacks())
}

func TestAListenerThatThrowsWhileClosingKeepsTheMemberFromLeaving(t *testing.T) {
	program := loop(0)
	program.OnRevoked = []Op{{Do: Throw, Line: 1, Class: "IllegalArgumentException"}}
	g := newRig(t, "", program, manual()).find().join().sync()
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoClose}})
	require.True(t, g.ended)
	require.Nil(t, g.asked(kafka.LeaveGroupAPI))
	require.Equal(t, "KafkaException", g.c.exception)
}

func TestATopicThatIsMissingIsAskedForAgain(t *testing.T) { testAsksAgain(t, topics("T2")) }

func TestALeaderThatIsMissingIsAskedForAgain(t *testing.T) {
	leaderless := *oneBroker
	leaderless.Topics = []kafka.TopicInfo{{Name: "T1", Partitions: []kafka.PartitionInfo{{Replicas: []kafka.NodeID{"B2"}}}}}
	testAsksAgain(t, &leaderless)
}

func testAsksAgain(t *testing.T, cluster *kafka.Cluster) {
	for release, pauses := range map[string][]time.Duration{"3.6": {backoff, backoff, backoff}, "3.7": {backoff, 2 * backoff, 4 * backoff}} {
		g := newRig(t, release, loop(0), manual())
		for _, pause := range pauses {
			g.answer(&kafka.MetadataResponse{Cluster: cluster})
			g.advance(pause - time.Millisecond)
			require.Nil(t, g.asked(kafka.MetadataAPI), release)
			g.advance(time.Millisecond)
			require.NotNil(t, g.asked(kafka.MetadataAPI), release)
		}
	}
	g := newRig(t, "2.2", loop(0), manual())
	g.answer(&kafka.MetadataResponse{Cluster: cluster})
	g.advance(20 * time.Second)
	require.Nil(t, g.asked(kafka.MetadataAPI), "before 2.3 it was found when it was needed, or when metadata.max.age.ms was over")
}

func TestAMemberWithAPatternAsksForMetadataBeforeItJoins(t *testing.T) {
	g := rigFor(t, ConsumerSpec{Group: "G1", Pattern: "orders-.*", Program: loop(0)})
	g.answer(&kafka.MetadataResponse{Cluster: topics("orders-a")})
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	require.NotNil(t, g.asked(kafka.JoinGroupAPI), "the metadata is fresh")
	g.join()
	g.answer(&kafka.SyncGroupResponse{})
	g.heartbeat(kafka.RebalanceInProgress)
	require.Nil(t, g.asked(kafka.JoinGroupAPI))
	g.answer(&kafka.MetadataResponse{Cluster: topics("orders-a", "orders-b")})
	request := g.asked(kafka.JoinGroupAPI).(*kafka.JoinGroupRequest)
	require.Equal(t, []string{"orders-a", "orders-b"}, request.Protocols[0].Subscription.Topics, "so that one rebalance is enough")
}

func TestIn09EveryMemberRejoinsForMorePartitions(t *testing.T) {
	for release, rejoins := range map[string]bool{"0.9": true, "0.10.0": false} {
		g := newRig(t, release, loop(0), manual()).find().join().sync()
		g.c.network.wantMetadata = true
		g.advance(time.Second)
		g.answer(&kafka.MetadataResponse{Cluster: morePartitions()})
		g.advance(time.Second)
		require.Equal(t, rejoins, g.asked(kafka.JoinGroupAPI) != nil, release)
	}
}

// morePartitions is the cluster with a third partition of T1.
func morePartitions() *kafka.Cluster {
	more := *oneBroker
	three := append(more.Topics[0].Partitions[:2:2], more.Topics[0].Partitions[0])
	more.Topics = []kafka.TopicInfo{{Name: "T1", Partitions: three}}
	return &more
}
