package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

// beatOutcome is what a heartbeat does.
type beatOutcome struct {
	err    kafka.ErrorCode
	resets bool // the session timer
}

func TestHeartbeatTable(t *testing.T) {
	columns := []struct {
		releases []string
		cells    map[state]beatOutcome
	}{
		{[]string{"4.0", "3.9", "2.7", "2.6.1"}, map[state]beatOutcome{
			empty:               {kafka.UnknownMemberID, false},
			preparingRebalance:  {kafka.RebalanceInProgress, true},
			completingRebalance: {kafka.None, true},
			stable:              {kafka.None, true},
			dead:                {kafka.CoordinatorNotAvailable, false},
		}},
		{[]string{"2.6", "2.3"}, map[state]beatOutcome{
			empty:               {kafka.UnknownMemberID, false},
			preparingRebalance:  {kafka.RebalanceInProgress, true},
			completingRebalance: {kafka.RebalanceInProgress, false},
			stable:              {kafka.None, true},
			dead:                {kafka.CoordinatorNotAvailable, false},
		}},
		{[]string{"2.2", "1.0", "0.10.1"}, map[state]beatOutcome{
			empty:               {kafka.UnknownMemberID, false},
			preparingRebalance:  {kafka.RebalanceInProgress, true},
			completingRebalance: {kafka.RebalanceInProgress, false},
			stable:              {kafka.None, true},
			dead:                {kafka.UnknownMemberID, false}, // before 2.3
		}},
		{[]string{"0.10.0", "0.9"}, map[state]beatOutcome{
			preparingRebalance:  {kafka.RebalanceInProgress, false},
			completingRebalance: {kafka.RebalanceInProgress, false},
			stable:              {kafka.None, true},
			dead:                {kafka.UnknownMemberID, false},
		}},
	}
	for _, column := range columns {
		for _, release := range column.releases {
			for s, want := range column.cells {
				t.Run(release+"/"+string(s), func(t *testing.T) {
					g := groupIn(t, newRig(t, release, nil), s)
					before := g.sessionEnd(*g.s)
					g.pass(second)
					got := beatOutcome{err: g.beat(*g.s)}
					got.resets = g.sessionEnd(*g.s) > before
					require.Equal(t, want, got)
				})
			}
		}
	}
}

func TestHeartbeatChecks(t *testing.T) {
	for name, c := range map[string]struct {
		release string
		in      state
		change  func(r *kafka.HeartbeatRequest)
		want    kafka.ErrorCode
	}{
		"empty group id":           {"3.9", stable, func(r *kafka.HeartbeatRequest) { r.Group = "" }, kafka.InvalidGroupID},
		"missing group":            {"3.9", stable, func(r *kafka.HeartbeatRequest) { r.Group = "G9" }, kafka.UnknownMemberID},
		"unknown member":           {"3.9", stable, func(r *kafka.HeartbeatRequest) { r.MemberID = "N-1" }, kafka.UnknownMemberID},
		"instance of another":      {"3.9", stable, func(r *kafka.HeartbeatRequest) { r.InstanceID = "s" }, kafka.FencedInstanceID},
		"other generation":         {"3.9", stable, func(r *kafka.HeartbeatRequest) { r.Generation-- }, kafka.IllegalGeneration},
		"member before state":      {"3.9", preparingRebalance, func(r *kafka.HeartbeatRequest) { r.MemberID = "N-1" }, kafka.UnknownMemberID},
		"0.9: state before member": {"0.9", preparingRebalance, func(r *kafka.HeartbeatRequest) { r.MemberID = "N-1" }, kafka.RebalanceInProgress},
		"0.9: unknown when Stable": {"0.9", stable, func(r *kafka.HeartbeatRequest) { r.MemberID = "N-1" }, kafka.UnknownMemberID},
		"0.10.1: member before it": {"0.10.1", preparingRebalance, func(r *kafka.HeartbeatRequest) { r.MemberID = "N-1" }, kafka.UnknownMemberID},
		"generation while Stable":  {"0.9", stable, func(r *kafka.HeartbeatRequest) { r.Generation++ }, kafka.IllegalGeneration},
		"a simple heartbeat":       {"3.9", stable, func(*kafka.HeartbeatRequest) {}, kafka.None},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, c.release, nil), c.in)
			request := &kafka.HeartbeatRequest{Group: "G1", MemberID: g.b.id, Generation: g.group().generation}
			c.change(request)
			require.Equal(t, c.want, answer[*kafka.HeartbeatResponse](g.rig, g.send("B", request)).Error)
		})
	}
}

// The session timer: coordinator.md section 8.
func TestSessionTimer(t *testing.T) {
	t.Run("runs from the end of the join phase", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
		require.Equal(t, g.now+10*second, g.sessionEnd(*g.a)) // nothing passed since
	})
	t.Run("does not run while a JoinGroup is parked", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
		for range 10 {
			g.pass(5 * second)
			g.beat(*g.b)
			g.beat(*g.s)
		}
		require.True(t, g.has(g.a.id), "50 s in JoinGroup, with a session timeout of 10 s")
	})
	t.Run("does not run while a SyncGroup is parked", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
		g.pass(9 * second)
		g.beat(*g.a)
		g.pass(second)
		require.Equal(t, string(preparingRebalance), g.state(), "S expired")
		require.True(t, g.has(g.b.id))
	})
	t.Run("starts with the answer to a parked SyncGroup", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
		g.pass(8 * second)
		g.sync(*g.a, give(*g.a, 0))
		require.Equal(t, g.now+10*second, g.sessionEnd(*g.b))
	})
	t.Run("removes a silent member of a stable group", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), stable)
		g.pass(9 * second)
		g.beat(*g.a)
		g.beat(*g.b)
		g.pass(second)
		require.False(t, g.has(g.s.id))
		require.Equal(t, string(preparingRebalance), g.state())
	})
	t.Run("may complete the join phase", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
		c := g.join(g.b)
		g.pass(10 * second)
		require.False(t, g.has(g.s.id))
		require.Equal(t, kafka.None, answer[*kafka.JoinGroupResponse](g.rig, c).Error)
	})
}
