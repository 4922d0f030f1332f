package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

func TestLeaveGroupTable(t *testing.T) {
	for name, c := range map[string]struct {
		in    state
		who   func(g *trio) kafka.LeavingMember
		want  kafka.ErrorCode
		after state
	}{
		"empty member id, known instance": {stable, func(*trio) kafka.LeavingMember {
			return kafka.LeavingMember{InstanceID: "s"}
		}, kafka.None, preparingRebalance},
		"empty member id, unknown instance": {stable, func(*trio) kafka.LeavingMember {
			return kafka.LeavingMember{InstanceID: "n"}
		}, kafka.UnknownMemberID, stable},
		"pending id": {stable, func(g *trio) kafka.LeavingMember {
			g.send("N", g.joinOf(person{client: "N"}))
			return kafka.LeavingMember{MemberID: "N-1"}
		}, kafka.None, stable},
		"unknown id": {stable, func(*trio) kafka.LeavingMember {
			return kafka.LeavingMember{MemberID: "N-9"}
		}, kafka.UnknownMemberID, stable},
		"instance of another": {stable, func(g *trio) kafka.LeavingMember {
			return kafka.LeavingMember{MemberID: g.b.id, InstanceID: "s"}
		}, kafka.FencedInstanceID, stable},
		"member, Stable":              {stable, leavingB, kafka.None, preparingRebalance},
		"member, CompletingRebalance": {completingRebalance, leavingB, kafka.None, preparingRebalance},
		"member, PreparingRebalance":  {preparingRebalance, leavingB, kafka.None, preparingRebalance},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), c.in)
			leaving := c.who(g)
			reply := answer[*kafka.LeaveGroupResponse](g.rig, g.send("N", &kafka.LeaveGroupRequest{Version: 5, Group: "G1", Members: []kafka.LeavingMember{leaving}}))
			require.Equal(t, []kafka.LeftMember{{MemberID: leaving.MemberID, InstanceID: leaving.InstanceID, Error: c.want}}, reply.Members)
			require.Equal(t, string(c.after), g.state())
			require.Empty(t, g.group().pending)
		})
	}
}

func leavingB(g *trio) kafka.LeavingMember { return kafka.LeavingMember{MemberID: g.b.id} }

func TestLeaveGroupAsAWhole(t *testing.T) {
	leaving := []kafka.LeavingMember{{MemberID: "B-1"}}
	for name, c := range map[string]struct {
		request *kafka.LeaveGroupRequest
		in      state
		want    *kafka.LeaveGroupResponse
	}{
		"empty group id":     {&kafka.LeaveGroupRequest{Version: 5, Members: leaving}, stable, &kafka.LeaveGroupResponse{Error: kafka.InvalidGroupID}},
		"Dead":               {&kafka.LeaveGroupRequest{Version: 5, Group: "G1", Members: leaving}, dead, &kafka.LeaveGroupResponse{Error: kafka.CoordinatorNotAvailable}},
		"v2, unknown member": {&kafka.LeaveGroupRequest{Version: 2, Group: "G9", Members: leaving}, stable, &kafka.LeaveGroupResponse{Error: kafka.UnknownMemberID}},
		"v2, member":         {&kafka.LeaveGroupRequest{Version: 2, Group: "G1", Members: leaving}, stable, &kafka.LeaveGroupResponse{}},
		"missing group": {&kafka.LeaveGroupRequest{Version: 5, Group: "G9", Members: leaving}, stable, &kafka.LeaveGroupResponse{
			Members: []kafka.LeftMember{{MemberID: "B-1", Error: kafka.UnknownMemberID}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), c.in)
			require.Equal(t, c.want, answer[*kafka.LeaveGroupResponse](g.rig, g.send("B", c.request)))
		})
	}
}

func TestSeveralLeaveAndThereIsOneRebalance(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	g.facts = nil
	g.send("admin", &kafka.LeaveGroupRequest{Version: 5, Group: "G1", Members: []kafka.LeavingMember{{InstanceID: "s"}, {MemberID: "B-1"}}})
	require.Equal(t, []string{"B-1 PreparingRebalance 1"}, g.texts(view.GroupState))
	require.Equal(t, []string{"s-1 leave 0", "B-1 leave 0"}, g.texts(view.MemberRemoved))
}

func TestLeavingAnswersTheParkedJoinGroup(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
	g.leave(*g.a)
	require.Equal(t, kafka.UnknownMemberID, answer[*kafka.JoinGroupResponse](g.rig, g.parked[0]).Error)
}

func TestLeavingMayCompleteTheJoinPhase(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
	g.join(g.b)
	g.leave(*g.s)
	require.Equal(t, string(completingRebalance), g.state())
}

func TestPendingMemberThatLeavesMayCompleteTheJoinPhase(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
	g.send("N", g.joinOf(person{client: "N"}))
	g.join(g.b)
	g.join(g.s)
	require.Equal(t, string(preparingRebalance), g.state())
	g.leave(person{client: "N", id: "N-1"})
	require.Equal(t, string(completingRebalance), g.state())
}
