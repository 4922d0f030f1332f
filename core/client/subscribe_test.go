package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/node"
	"groupscope/core/view"
)

// rigFor starts a consumer as its spec says, with the client id C1 and manual commits.
func rigFor(t *testing.T, spec ConsumerSpec) *rig {
	t.Helper()
	set := map[string]string{"client.id": "C1", "auto.offset.reset": "earliest"}
	if spec.Group != "" {
		set["group.id"], set["enable.auto.commit"] = spec.Group, "false"
	}
	config, problems := kafka.NewConfig(kafka.ConsumerScope, kafka.DefaultRelease, set)
	require.Empty(t, problems)
	spec.ID = "C1"
	g := &rig{t: t, c: NewConsumer(&spec, config, []kafka.NodeID{"B1"}), timers: map[string]time.Duration{}}
	g.input(node.Input{Kind: node.Start})
	return g
}

func topics(names ...string) *kafka.Cluster {
	c := &kafka.Cluster{Brokers: oneBroker.Brokers}
	for _, name := range names {
		c.Topics = append(c.Topics, kafka.TopicInfo{Name: name, Internal: name == kafka.OffsetsTopic, Partitions: oneBroker.Topics[0].Partitions})
	}
	return c
}

func TestAnAssignedConsumerReadsWithoutTheGroupProtocol(t *testing.T) {
	g := rigFor(t, ConsumerSpec{Assigned: both[:1], Program: loop(0)})
	g.answer(&kafka.MetadataResponse{Cluster: oneBroker})
	require.Equal(t, []string{"ListOffsets"}, g.waiting(), "without a group.id nobody is asked for committed offsets")
	g.answer(&kafka.ListOffsetsResponse{Partitions: []kafka.ListedOffset{{TopicPartition: both[0], Offset: 5}}})
	require.Equal(t, []string{"Fetch"}, g.waiting())
	g.fetch(5, 2)
	require.EqualValues(t, 7, g.c.subs[0].position)
}

func TestAnAssignedConsumerWithAGroupCommitsWithoutAGeneration(t *testing.T) {
	g := rigFor(t, ConsumerSpec{Group: "G1", Assigned: both[:1], Program: loop(0, Op{Do: CommitSync})})
	g.find()
	g.answer(&kafka.OffsetFetchResponse{Partitions: []kafka.FetchedOffset{{TopicPartition: both[0]}}})
	g.fetch(0, 3)
	commit := g.asked(kafka.OffsetCommitAPI).(*kafka.OffsetCommitRequest)
	require.Equal(t, kafka.NoGeneration, commit.Generation)
	require.Empty(t, commit.MemberID)
	require.EqualValues(t, 3, commit.Offsets[0].Offset)
	require.Nil(t, g.asked(kafka.JoinGroupAPI))
}

func TestWhatAConsumerMayNotDo(t *testing.T) {
	setup := func(ops ...Op) Program { return Program{Setup: ops, Body: []Op{{Do: Poll, For: time.Second}}} }
	for name, row := range map[string]struct {
		spec      ConsumerSpec
		exception string
	}{
		"poll without a subscription":         {ConsumerSpec{Group: "G1", Program: setup()}, "IllegalStateException"},
		"subscribe after assign":              {ConsumerSpec{Group: "G1", Assigned: both, Program: setup(Op{Do: Subscribe, Topics: []string{"T1"}})}, "IllegalStateException"},
		"assign after subscribe":              {ConsumerSpec{Group: "G1", Topics: []string{"T1"}, Program: setup(Op{Do: Assign, Partitions: both})}, "IllegalStateException"},
		"subscribe to a pattern after topics": {ConsumerSpec{Group: "G1", Topics: []string{"T1"}, Program: setup(Op{Do: Subscribe, Pattern: "T.*"})}, "IllegalStateException"},
		"subscribe without a group.id":        {ConsumerSpec{Topics: []string{"T1"}, Program: setup()}, "InvalidGroupIdException"},
		"commit without a group.id":           {ConsumerSpec{Assigned: both, Program: setup(Op{Do: CommitSync})}, "InvalidGroupIdException"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.exception, rigFor(t, row.spec).c.exception)
		})
	}
}

func TestUnsubscribeRevokesLeavesAndAllowsAnotherMode(t *testing.T) {
	program := loop(0, Op{Do: Unsubscribe}, Op{Do: Assign, Partitions: both[:1]})
	g := newRig(t, "", program, map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.fetch(0, 1)
	require.Equal(t, "onPartitionsRevoked T1-0 T1-1", g.callbacks()[1])
	require.NotNil(t, g.asked(kafka.LeaveGroupAPI))
	require.Equal(t, both[:1], g.c.owned())
	require.Empty(t, g.c.exception)
}

func TestAPatternIsMatchedAgainWithEveryMetadataAndAMatchMeansARejoin(t *testing.T) {
	g := rigFor(t, ConsumerSpec{Group: "G1", Pattern: "orders-.*", Program: loop(0)})
	require.Empty(t, g.asked(kafka.MetadataAPI).(*kafka.MetadataRequest).Topics, "all topics are asked for")
	g.answer(&kafka.MetadataResponse{Cluster: topics("orders-a", "other", "my-orders-b", kafka.OffsetsTopic)})
	g.answer(&kafka.FindCoordinatorResponse{Coordinator: "B1"})
	join := g.asked(kafka.JoinGroupAPI).(*kafka.JoinGroupRequest)
	require.Equal(t, []string{"orders-a"}, join.Protocols[0].Subscription.Topics)
	g.join()
	g.answer(&kafka.SyncGroupResponse{})

	g.c.settings.requestTimeout = time.Hour
	for range 100 {
		g.advance(3 * time.Second)
		if g.asked(kafka.HeartbeatAPI) != nil {
			g.answer(&kafka.HeartbeatResponse{})
		}
	}
	g.answer(&kafka.MetadataResponse{Cluster: topics("orders-a", "orders-c")})
	join = g.asked(kafka.JoinGroupAPI).(*kafka.JoinGroupRequest)
	require.Equal(t, []string{"orders-a", "orders-c"}, join.Protocols[0].Subscription.Topics)
}

func TestALeaderRejoinsWhenATopicHasMorePartitionsAndAFollowerDoesNot(t *testing.T) {
	for _, leader := range []string{"C1-1", "C0-1"} {
		g := newRig(t, "", loop(0), map[string]string{"enable.auto.commit": "false", "request.timeout.ms": "1000000"}).find()
		g.answer(&kafka.JoinGroupResponse{Generation: 1, Protocol: "range", Leader: leader, MemberID: "C1-1",
			Members: []kafka.JoinedMember{{MemberID: "C1-1", Subscription: &kafka.Subscription{Topics: []string{"T1"}}}}})
		g.sync()
		for range 100 {
			g.advance(3 * time.Second)
			g.answer(&kafka.HeartbeatResponse{})
		}
		g.answer(&kafka.MetadataResponse{Cluster: morePartitions()})
		require.Equal(t, leader == "C1-1", g.asked(kafka.JoinGroupAPI) != nil)
	}
}

func TestAProgramCatchesTheExceptionsItNames(t *testing.T) {
	program := loop(0, Op{Do: Try, Body: []Op{{Do: CommitSync}}, Catch: []Catch{
		{Classes: []string{"RebalanceInProgressException"}, Body: []Op{{Do: Leave}}},
		{Classes: []string{"CommitFailedException"}},
	}})
	g := newRig(t, "", program, map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	g.fetch(0, 1)
	g.answer(&kafka.OffsetCommitResponse{Partitions: []kafka.PartitionError{{TopicPartition: both[0], Error: kafka.UnknownMemberID}}})
	g.advance(shortestWait)
	require.True(t, g.saw(view.ExceptionThrown, "CommitFailedException"))
	require.Empty(t, g.c.exception, "it was caught")
	require.NotNil(t, g.asked(kafka.JoinGroupAPI), "the loop goes on and joins again")
}

func TestOnlyWakeupMayBeCalledByAnotherThread(t *testing.T) {
	for _, method := range []string{"poll", "commitSync", "position", "close"} {
		g := newRig(t, "", loop(0), nil).find()
		g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoCall, Method: method}})
		require.True(t, g.saw(view.ExceptionThrown, "ConcurrentModificationException"), method)
		require.Empty(t, g.c.exception, "it is thrown at the caller")
	}
	g := newRig(t, "", loop(0), nil).find()
	g.input(node.Input{Kind: node.Tell, Command: node.Command{Do: DoCall, Method: "wakeup"}})
	require.Equal(t, "WakeupException", g.c.exception)
}

func TestIn09HeartbeatsAreSentInsidePollAlone(t *testing.T) {
	g := newRig(t, "0.9", loop(20*time.Second), map[string]string{"enable.auto.commit": "false"}).find().join().sync()
	require.NotNil(t, g.asked(kafka.HeartbeatAPI), "the first is sent at once after the join")
	g.answer(&kafka.HeartbeatResponse{})
	g.fetch(0, 1)
	g.advance(19 * time.Second)
	require.Nil(t, g.asked(kafka.HeartbeatAPI))
	g.advance(time.Second)
	require.NotNil(t, g.asked(kafka.HeartbeatAPI))
}
