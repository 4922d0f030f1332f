package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
)

// outcome is what a cell of a table says.
type outcome struct {
	err   kafka.ErrorCode
	waits bool  // parked; err is then of no account
	after state // of the group
}

// The outcomes of the table of JoinGroup.
func refused(err kafka.ErrorCode, s state) outcome { return outcome{err: err, after: s} }
func atOnce(s state) outcome                       { return outcome{after: s} }

var parks = outcome{waits: true, after: preparingRebalance}

// joinRows are the rows of the table of coordinator.md section 3, with the cells from Empty to Dead.
var joinRows = []struct {
	name    string
	request func(g *trio) *kafka.JoinGroupRequest
	cells   map[state]outcome
}{
	{"empty id, dynamic, API >= 4", func(g *trio) *kafka.JoinGroupRequest { return g.joinOf(person{client: "N"}) }, map[state]outcome{
		empty:               refused(kafka.MemberIDRequired, empty),
		preparingRebalance:  refused(kafka.MemberIDRequired, preparingRebalance),
		completingRebalance: refused(kafka.MemberIDRequired, completingRebalance),
		stable:              refused(kafka.MemberIDRequired, stable),
		dead:                refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"empty id, dynamic, API < 4", func(g *trio) *kafka.JoinGroupRequest {
		r := g.joinOf(person{client: "N"})
		r.Version = 3
		return r
	}, map[state]outcome{
		empty: parks, preparingRebalance: parks, completingRebalance: parks, stable: parks,
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"empty id, static, new instance", func(g *trio) *kafka.JoinGroupRequest {
		return g.joinOf(person{client: "N", instance: "n"})
	}, map[state]outcome{
		empty: parks, preparingRebalance: parks, completingRebalance: parks, stable: parks,
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"empty id, static, known instance", func(g *trio) *kafka.JoinGroupRequest {
		return g.joinOf(person{client: "S", instance: "s"})
	}, map[state]outcome{
		preparingRebalance: parks, completingRebalance: parks, stable: atOnce(stable),
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"pending id", func(g *trio) *kafka.JoinGroupRequest {
		g.send("N", g.joinOf(person{client: "N"})) // is given N-1
		return g.joinOf(person{client: "N", id: "N-1"})
	}, map[state]outcome{
		empty: parks, preparingRebalance: parks, completingRebalance: parks, stable: parks,
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"known id, leader, same metadata", func(g *trio) *kafka.JoinGroupRequest { return g.joinOf(*g.a) }, map[state]outcome{
		empty:              refused(kafka.UnknownMemberID, empty),
		preparingRebalance: parks, completingRebalance: atOnce(completingRebalance), stable: parks,
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"known id, follower, same metadata", func(g *trio) *kafka.JoinGroupRequest { return g.joinOf(*g.b) }, map[state]outcome{
		empty:              refused(kafka.UnknownMemberID, empty),
		preparingRebalance: parks, completingRebalance: atOnce(completingRebalance), stable: atOnce(stable),
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"known id, changed metadata", func(g *trio) *kafka.JoinGroupRequest { return g.joinOf(*g.b, "range", "sticky") }, map[state]outcome{
		empty:              refused(kafka.UnknownMemberID, empty),
		preparingRebalance: parks, completingRebalance: parks, stable: parks,
		dead: refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"unknown id", func(g *trio) *kafka.JoinGroupRequest { return g.joinOf(person{client: "N", id: "N-9"}) }, map[state]outcome{
		empty:               refused(kafka.UnknownMemberID, empty),
		preparingRebalance:  refused(kafka.UnknownMemberID, preparingRebalance),
		completingRebalance: refused(kafka.UnknownMemberID, completingRebalance),
		stable:              refused(kafka.UnknownMemberID, stable),
		dead:                refused(kafka.CoordinatorNotAvailable, dead),
	}},
	{"instance id mapped to other member id", func(g *trio) *kafka.JoinGroupRequest {
		return g.joinOf(person{client: "S", id: "s-9", instance: "s"})
	}, map[state]outcome{
		preparingRebalance:  refused(kafka.FencedInstanceID, preparingRebalance),
		completingRebalance: refused(kafka.FencedInstanceID, completingRebalance),
		stable:              refused(kafka.FencedInstanceID, stable),
		dead:                refused(kafka.CoordinatorNotAvailable, dead),
	}},
}

func TestJoinGroupTable(t *testing.T) {
	for _, row := range joinRows {
		for s, want := range row.cells {
			t.Run(row.name+"/"+string(s), func(t *testing.T) {
				g := groupIn(t, newRig(t, "3.9", nil), s)
				c := g.send("N", row.request(g))
				got := outcome{waits: g.waits(c), after: state(g.state())}
				if !got.waits {
					got.err = answer[*kafka.JoinGroupResponse](g.rig, c).Error
				}
				require.Equal(t, want, got)
			})
		}
	}
}

func TestJoinGroupChecks(t *testing.T) {
	newcomer := person{client: "N", instance: "n"}
	for name, c := range map[string]struct {
		change func(r *kafka.JoinGroupRequest)
		want   kafka.ErrorCode
	}{
		"empty group id":                 {func(r *kafka.JoinGroupRequest) { r.Group = "" }, kafka.InvalidGroupID},
		"session timeout below the min":  {func(r *kafka.JoinGroupRequest) { r.SessionTimeout = 5999 * ms }, kafka.InvalidSessionTimeout},
		"session timeout above the max":  {func(r *kafka.JoinGroupRequest) { r.SessionTimeout = 1800001 * ms }, kafka.InvalidSessionTimeout},
		"missing group, non-empty id":    {func(r *kafka.JoinGroupRequest) { r.Group, r.MemberID = "G9", "N-1" }, kafka.UnknownMemberID},
		"other protocol type":            {func(r *kafka.JoinGroupRequest) { r.ProtocolType = "connect" }, kafka.InconsistentGroupProtocol},
		"no protocol common to everyone": {func(r *kafka.JoinGroupRequest) { r.Protocols[0].Name = "sticky" }, kafka.InconsistentGroupProtocol},
		"the session timeout comes before the group": {func(r *kafka.JoinGroupRequest) {
			r.SessionTimeout, r.Group, r.MemberID = time.Hour, "G9", "N-1"
		}, kafka.InvalidSessionTimeout},
		"the protocol comes before the member": {func(r *kafka.JoinGroupRequest) {
			r.MemberID, r.Protocols[0].Name = "N-9", "sticky"
		}, kafka.InconsistentGroupProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), stable)
			request := g.joinOf(newcomer)
			c.change(request)
			require.Equal(t, c.want, answer[*kafka.JoinGroupResponse](g.rig, g.send("N", request)).Error)
		})
	}
}

func TestEmptyGroupAsksForProtocolTypeAndProtocols(t *testing.T) {
	r := newRig(t, "3.9", nil)
	noType, noProtocols := r.joinOf(person{client: "A"}), r.joinOf(person{client: "A"})
	noType.ProtocolType, noProtocols.Protocols = "", nil
	for _, request := range []*kafka.JoinGroupRequest{noType, noProtocols} {
		require.Equal(t, kafka.InconsistentGroupProtocol, answer[*kafka.JoinGroupResponse](r, r.send("A", request)).Error)
	}
}

func TestNotCoordinator(t *testing.T) {
	r := newRigOf(t, "3.9", nil, []kafka.NodeID{"B1", "B2"}) // B2 has the partition 1 of __consumer_offsets, so G2
	request := r.joinOf(person{client: "A"})
	request.Group = "G2"
	require.Equal(t, kafka.NotCoordinator, answer[*kafka.JoinGroupResponse](r, r.send("A", request)).Error)
}

func TestMemberListGoesToTheLeaderAlone(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
	leader := answer[*kafka.JoinGroupResponse](g.rig, g.send("A", g.joinOf(*g.a)))
	require.Len(t, leader.Members, 3)
	require.Equal(t, kafka.JoinedMember{MemberID: "s-1", InstanceID: "s", Subscription: &kafka.Subscription{Topics: []string{"T1"}}}, leader.Members[2])
	follower := answer[*kafka.JoinGroupResponse](g.rig, g.send("B", g.joinOf(*g.b)))
	require.Empty(t, follower.Members)
	require.Equal(t, "A-1", follower.Leader)
	require.Equal(t, leader.Generation, follower.Generation)
}

func TestGroupMaxSize(t *testing.T) {
	full := map[string]string{"group.max.size": "3"}
	newcomer := person{client: "N", instance: "n"}
	for name, c := range map[string]struct {
		in   state
		who  func(g *trio) person
		want kafka.ErrorCode
	}{
		"Empty takes anyone":                          {empty, func(*trio) person { return newcomer }, kafka.None},
		"Stable takes no newcomer":                    {stable, func(*trio) person { return newcomer }, kafka.GroupMaxSizeReached},
		"Stable takes a member":                       {stable, func(g *trio) person { return *g.b }, kafka.None},
		"CompletingRebalance takes no newcomer":       {completingRebalance, func(*trio) person { return newcomer }, kafka.GroupMaxSizeReached},
		"CompletingRebalance takes a member":          {completingRebalance, func(g *trio) person { return *g.b }, kafka.None},
		"PreparingRebalance takes one while few wait": {preparingRebalance, func(*trio) person { return newcomer }, kafka.None},
	} {
		t.Run(name, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", full), c.in)
			call := g.send("N", g.joinOf(c.who(g)))
			if c.want == kafka.None && g.waits(call) {
				return
			}
			require.Equal(t, c.want, answer[*kafka.JoinGroupResponse](g.rig, call).Error)
		})
	}
}

func TestGroupMaxSizeCountsThoseWhoWaitDuringTheJoinPhase(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", map[string]string{"group.max.size": "3"}), preparingRebalance)
	g.join(&person{client: "N", instance: "n"})
	g.join(&person{client: "O", instance: "o"}) // now three wait, and B was not quick enough
	late := g.send("B", g.joinOf(*g.b))
	require.Equal(t, kafka.GroupMaxSizeReached, answer[*kafka.JoinGroupResponse](g.rig, late).Error)
	require.False(t, g.has(g.b.id))
	again := g.send("A", g.joinOf(*g.a))
	require.True(t, g.waits(again), "one who waits already may ask again")
}

func TestMemberIDsCountUp(t *testing.T) {
	r := newRig(t, "3.9", nil)
	for _, want := range []string{"C1-1", "C1-2"} {
		reply := answer[*kafka.JoinGroupResponse](r, r.send("C1", r.joinOf(person{client: "C1"})))
		require.Equal(t, want, reply.MemberID)
	}
}

func TestPendingMemberHoldsTheJoinPhaseOpen(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
	g.send("N", g.joinOf(person{client: "N"})) // gets an id and does not come back
	b, s := g.join(g.b), g.join(g.s)
	require.True(t, g.waits(b) && g.waits(s))
	require.Equal(t, []string{"N-1"}, g.group().pending)
	g.pass(10 * second) // its session timeout
	require.Equal(t, kafka.None, answer[*kafka.JoinGroupResponse](g.rig, b).Error)
	require.Equal(t, string(completingRebalance), g.state())
}

func TestNewMemberHasFiveMinutes(t *testing.T) {
	for release, waitsAfter := range map[string]bool{"3.9": false, "2.1": true} {
		t.Run(release, func(t *testing.T) {
			g := groupIn(t, newRig(t, release, nil), stable)
			slow := g.joinOf(*g.b)
			slow.RebalanceTimeout = 10 * time.Minute
			slow.Protocols = append(slow.Protocols, kafka.Protocol{Name: "roundrobin"})
			g.send("B", slow)
			c := g.join(&person{client: "N"})
			for range 70 { // A keeps the join phase open, and itself alive
				g.pass(4999 * ms)
				g.beat(*g.a)
				g.beat(*g.s)
			}
			require.Equal(t, waitsAfter, g.waits(c))
			if !waitsAfter {
				require.Equal(t, kafka.UnknownMemberID, answer[*kafka.JoinGroupResponse](g.rig, c).Error)
			}
		})
	}
}
