package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// staticPair is a stable group of two static members; A leads and offers range first.
func staticPair(t *testing.T, release string) (r *rig, a, b *person) {
	r = newRig(t, release, nil)
	a, b = &person{client: "A", instance: "a"}, &person{client: "B", instance: "b"}
	r.join(a, "range", "roundrobin")
	r.join(b, "range", "roundrobin")
	r.pass(6 * second)
	r.sync(*b)
	r.sync(*a, give(*a, 0, 1), give(*b, 2, 3))
	require.Equal(t, string(stable), r.state())
	r.facts = nil
	return r, a, b
}

func TestStaticMemberComesBackWithoutRebalance(t *testing.T) {
	r, _, b := staticPair(t, "3.9")
	old := *b
	b.id = ""
	reply := answer[*kafka.JoinGroupResponse](r, r.join(b, "range", "roundrobin"))
	require.Equal(t, &kafka.JoinGroupResponse{Generation: 1, Protocol: "range", Leader: "a-1", MemberID: "b-2"}, reply)
	require.Equal(t, string(stable), r.state())
	require.Equal(t, []kafka.TopicPartition{t1(2), t1(3)}, answer[*kafka.SyncGroupResponse](r, r.sync(*b)).Assignment, "its old assignment")
	require.Equal(t, kafka.FencedInstanceID, r.beat(old))
	require.Equal(t, []string{"b-1 static member replaced 0"}, r.texts(view.MemberRemoved))
	require.Equal(t, []string{"b-2  0"}, r.texts(view.MemberAdded))
	require.Len(t, r.texts(view.OffsetsAppended), 1, "the swap is written to __consumer_offsets")
}

func TestStaticLeaderComesBack(t *testing.T) {
	for _, c := range []struct {
		version int16
		leader  string
		skips   bool
		members int
	}{
		{9, "a-2", true, 2},  // told to skip the assignment
		{8, "a-1", false, 0}, // told the old leader's id, so that nobody assigns
	} {
		r, a, _ := staticPair(t, "3.9")
		request := r.joinOf(person{client: "A", instance: "a"}, "range", "roundrobin")
		request.Version = c.version
		reply := answer[*kafka.JoinGroupResponse](r, r.send(a.client, request))
		require.Equal(t, c.leader, reply.Leader)
		require.Equal(t, c.skips, reply.SkipAssignment)
		require.Len(t, reply.Members, c.members)
		require.Equal(t, "a-2", r.group().leader, "the new id leads")
	}
}

func TestStaticMemberWhoseReturnChangesTheProtocol(t *testing.T) {
	r, a, b := staticPair(t, "3.9")
	r.join(&person{client: "C", instance: "c"}, "roundrobin", "range")
	r.join(a, "range", "roundrobin")
	r.join(b, "range", "roundrobin")
	r.sync(*a)
	require.Equal(t, string(stable), r.state())
	back := r.send("B", r.joinOf(person{client: "B", instance: "b"}, "roundrobin", "range")) // now two of three want roundrobin
	require.True(t, r.waits(back))
	require.Equal(t, string(preparingRebalance), r.state())
}

func TestStaticReplacementFencesWhoeverWaits(t *testing.T) {
	t.Run("in JoinGroup", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
		parked := g.join(g.s)
		again := g.join(&person{client: "S", instance: "s"})
		require.Equal(t, kafka.FencedInstanceID, answer[*kafka.JoinGroupResponse](g.rig, parked).Error)
		require.True(t, g.waits(again))
	})
	t.Run("in SyncGroup", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
		parked := g.sync(*g.s)
		g.join(&person{client: "S", instance: "s"})
		require.Equal(t, kafka.FencedInstanceID, answer[*kafka.SyncGroupResponse](g.rig, parked).Error)
		require.Equal(t, kafka.RebalanceInProgress, answer[*kafka.SyncGroupResponse](g.rig, g.parked[0]).Error)
	})
}

func TestStaticMembersLeaveByExpiryOrByAnAdministrator(t *testing.T) {
	t.Run("session expired", func(t *testing.T) {
		r, a, _ := staticPair(t, "3.9")
		r.pass(9 * second)
		r.beat(*a)
		r.pass(second)
		require.Equal(t, []string{"a-1"}, memberIDs(r.group()))
	})
	t.Run("removed by instance id alone", func(t *testing.T) {
		r, _, _ := staticPair(t, "3.9")
		require.Equal(t, []kafka.LeftMember{{InstanceID: "b"}}, r.leave(person{client: "admin", instance: "b"}).Members)
		require.Equal(t, []string{"a-1"}, memberIDs(r.group()))
	})
}
