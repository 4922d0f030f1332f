package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

func TestSyncGroupTable(t *testing.T) {
	follower := func(g *trio) *kafka.SyncGroupRequest { return g.syncOf(*g.s) }
	leader := func(g *trio) *kafka.SyncGroupRequest { return g.syncOf(*g.a, give(*g.a, 0, 1, 2, 3)) }
	for _, cell := range []struct {
		in      state
		who     string
		request func(g *trio) *kafka.SyncGroupRequest
		want    outcome
	}{
		{empty, "anyone", follower, outcome{err: kafka.UnknownMemberID, after: empty}},
		{preparingRebalance, "follower", follower, outcome{err: kafka.RebalanceInProgress, after: preparingRebalance}},
		{preparingRebalance, "leader", leader, outcome{err: kafka.RebalanceInProgress, after: preparingRebalance}},
		{completingRebalance, "follower", follower, outcome{waits: true, after: completingRebalance}},
		{completingRebalance, "leader", leader, outcome{after: stable}},
		{stable, "follower", follower, outcome{after: stable}},
		{stable, "leader", leader, outcome{after: stable}},
		{dead, "anyone", follower, outcome{err: kafka.CoordinatorNotAvailable, after: dead}},
	} {
		t.Run(string(cell.in)+"/"+cell.who, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), cell.in)
			c := g.send("N", cell.request(g))
			got := outcome{waits: g.waits(c), after: state(g.state())}
			if !got.waits {
				got.err = answer[*kafka.SyncGroupResponse](g.rig, c).Error
			}
			require.Equal(t, cell.want, got)
		})
	}
}

func TestSyncGroupChecks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *kafka.SyncGroupRequest)
		want   kafka.ErrorCode
	}{
		"empty group id":           {func(r *kafka.SyncGroupRequest) { r.Group = "" }, kafka.InvalidGroupID},
		"missing group":            {func(r *kafka.SyncGroupRequest) { r.Group = "G9" }, kafka.UnknownMemberID},
		"unknown member":           {func(r *kafka.SyncGroupRequest) { r.MemberID = "N-1" }, kafka.UnknownMemberID},
		"unknown instance":         {func(r *kafka.SyncGroupRequest) { r.InstanceID = "n" }, kafka.UnknownMemberID},
		"instance of another":      {func(r *kafka.SyncGroupRequest) { r.InstanceID = "s" }, kafka.FencedInstanceID},
		"other generation":         {func(r *kafka.SyncGroupRequest) { r.Generation-- }, kafka.IllegalGeneration},
		"other protocol, v5":       {func(r *kafka.SyncGroupRequest) { r.Protocol = "sticky" }, kafka.InconsistentGroupProtocol},
		"other protocol, v4":       {func(r *kafka.SyncGroupRequest) { r.Protocol, r.Version = "sticky", 4 }, kafka.None},
		"the protocol in force":    {func(r *kafka.SyncGroupRequest) { r.Protocol = "range" }, kafka.None},
		"member before generation": {func(r *kafka.SyncGroupRequest) { r.MemberID, r.Generation = "N-1", 9 }, kafka.UnknownMemberID},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), stable)
			request := g.syncOf(*g.b)
			c.change(request)
			require.Equal(t, c.want, answer[*kafka.SyncGroupResponse](g.rig, g.send("B", request)).Error)
		})
	}
}

func TestLeadersSyncAnswersAllWhoWait(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
	a := g.sync(*g.a, give(*g.a, 0, 1), give(*g.b, 2))
	require.Equal(t, []kafka.TopicPartition{t1(0), t1(1)}, answer[*kafka.SyncGroupResponse](g.rig, a).Assignment)
	require.Equal(t, []kafka.TopicPartition{t1(2)}, answer[*kafka.SyncGroupResponse](g.rig, g.parked[0]).Assignment)
	require.Empty(t, answer[*kafka.SyncGroupResponse](g.rig, g.sync(*g.s)).Assignment, "left out by the leader")
}

func TestSyncOfAStableGroupResetsTheSessionTimer(t *testing.T) {
	for release, resets := range map[string]bool{"3.9": true, "4.0": false} { // the Java coordinator does not
		t.Run(release, func(t *testing.T) {
			g := groupIn(t, newRig(t, release, nil), stable)
			before := g.sessionEnd(*g.b)
			g.pass(second)
			g.sync(*g.b)
			require.Equal(t, resets, g.sessionEnd(*g.b) > before)
		})
	}
}

func TestAppendErrorsAsMembersSeeThem(t *testing.T) {
	for append, want := range map[kafka.ErrorCode]kafka.ErrorCode{
		kafka.RequestTimedOut:              kafka.RebalanceInProgress,
		kafka.UnknownTopicOrPartition:      kafka.CoordinatorNotAvailable,
		kafka.NotEnoughReplicas:            kafka.CoordinatorNotAvailable,
		kafka.NotEnoughReplicasAfterAppend: kafka.CoordinatorNotAvailable,
		kafka.NotLeaderOrFollower:          kafka.NotCoordinator,
		kafka.KafkaStorageError:            kafka.NotCoordinator,
		kafka.MessageTooLarge:              kafka.UnknownServerError,
	} {
		t.Run(append.String(), func(t *testing.T) { require.Equal(t, want, storeError(append)) })
	}
}

func TestPendingSyncExpiry(t *testing.T) {
	for _, c := range []struct {
		release string
		left    []string // members 60 s, the rebalance timeout, after the JoinGroup replies
	}{
		{"3.9", []string{"A-1", "B-1"}},
		{"2.8.1", []string{"A-1", "B-1"}},
		{"2.8", []string{"A-1", "B-1", "s-1"}}, // KAFKA-12890 is not there yet
	} {
		t.Run(c.release, func(t *testing.T) {
			g := groupIn(t, newRig(t, c.release, nil), completingRebalance)
			g.sync(*g.a, give(*g.a, 0)) // Stable; S heartbeats but never syncs
			for range 13 {
				g.pass(5 * second)
				for _, p := range []*person{g.a, g.b, g.s} {
					if g.has(p.id) {
						g.beat(*p)
					}
				}
			}
			require.Equal(t, c.left, memberIDs(g.group()))
		})
	}
}

func TestPendingSyncExpiryOfTheLeader(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
	g.sync(*g.s)
	for range 12 {
		g.pass(5 * second)
		if g.has(g.a.id) {
			g.beat(*g.a) // heartbeats keep the leader a member, but it never sends SyncGroup
		}
	}
	require.Equal(t, kafka.RebalanceInProgress, answer[*kafka.SyncGroupResponse](g.rig, g.parked[0]).Error)
	require.Equal(t, string(preparingRebalance), g.state())
	require.Contains(t, g.texts(view.MemberRemoved), "A-1 no SyncGroup 0")
	require.Equal(t, "B-1", g.group().leader)
}
