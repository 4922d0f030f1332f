package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// transitionRows are the rows of the table of coordinator.md section 2 that a single broker can live through. What moves a group to
// another broker is tested with loading.
var transitionRows = []struct {
	from  state
	event string
	do    func(g *trio)
	to    []state // the states entered, in order
}{
	{empty, "a member is actually added, v>=4", func(g *trio) { g.join(&person{client: "N"}) }, []state{preparingRebalance}},
	{empty, "a member is actually added, static", func(g *trio) { g.join(&person{client: "N", instance: "n"}) }, []state{preparingRebalance}},
	{empty, "JoinGroup with empty id alone", func(g *trio) { g.send("N", g.joinOf(person{client: "N"})) }, nil},
	{empty, "last offset expired", func(g *trio) { g.pass(10 * 24 * time.Hour) }, []state{dead}},
	{stable, "new member added", func(g *trio) { g.join(&person{client: "N"}) }, []state{preparingRebalance}},
	{stable, "leader sends JoinGroup, even unchanged", func(g *trio) { g.join(g.a) }, []state{preparingRebalance}},
	{stable, "follower sends JoinGroup with changed metadata", func(g *trio) { g.join(g.b, "range", "sticky") }, []state{preparingRebalance}},
	{stable, "follower sends JoinGroup, metadata identical", func(g *trio) { g.join(g.b) }, nil},
	{stable, "known static instance rejoins, chosen protocol unchanged", func(g *trio) { g.join(&person{client: "S", instance: "s"}) }, nil},
	{stable, "LeaveGroup of a member", func(g *trio) { g.leave(*g.b) }, []state{preparingRebalance}},
	{stable, "session expiry of a member", func(g *trio) { g.outlive(10*second, g.a, g.b) }, []state{preparingRebalance}},
	{stable, "pending-sync timer expires", func(g *trio) {
		g.join(g.a)
		g.join(g.b)
		g.join(g.s)
		g.sync(*g.a)
		g.facts = nil
		g.outlive(60*second, g.a, g.b, g.s)
	}, []state{preparingRebalance}},
	{completingRebalance, "LeaveGroup of a member", func(g *trio) { g.leave(*g.b) }, []state{preparingRebalance}},
	{completingRebalance, "session expiry of a member", func(g *trio) { g.outlive(10*second, g.a) }, []state{preparingRebalance}},
	{completingRebalance, "pending-sync timer expires", func(g *trio) { g.outlive(60*second, g.a, g.s) }, []state{preparingRebalance}},
	{completingRebalance, "new member", func(g *trio) { g.join(&person{client: "N"}) }, []state{preparingRebalance}},
	{completingRebalance, "changed metadata", func(g *trio) { g.join(g.b, "range", "sticky") }, []state{preparingRebalance}},
	{completingRebalance, "static replacement", func(g *trio) { g.join(&person{client: "S", instance: "s"}) }, []state{preparingRebalance}},
	{completingRebalance, "leader's SyncGroup persisted", func(g *trio) { g.sync(*g.a) }, []state{stable}},
	{completingRebalance, "persisting failed", func(g *trio) {
		g.sync(*g.a, kafka.MemberAssignment{MemberID: g.a.id, Partitions: make([]kafka.TopicPartition, 1<<20)})
	}, []state{preparingRebalance}},
	{preparingRebalance, "all members joined", func(g *trio) {
		g.join(g.b)
		g.join(g.s)
	}, []state{completingRebalance}},
	{preparingRebalance, "timer fired with a joined member", func(g *trio) { g.outlive(60*second, g.b, g.s) }, []state{completingRebalance}},
	{preparingRebalance, "no members left", func(g *trio) {
		for _, p := range []*person{g.a, g.b, g.s} {
			g.leave(*p)
		}
	}, []state{empty}},
	{preparingRebalance, "timer fired, only static members that did not rejoin remain", func(g *trio) {
		g.leave(*g.a)
		g.leave(*g.b)
		g.outlive(60*second, g.s)
		require.Equal(g.t, 120*second, g.alarms["rebalance G1"]-g.began, "begun anew")
	}, nil},
}

// outlive lets time pass while the named members send heartbeats.
func (g *trio) outlive(d time.Duration, alive ...*person) {
	for end := g.now + d; g.now < end; {
		g.pass(min(5*second, end-g.now))
		for _, p := range alive {
			if g.now < end && g.has(p.id) {
				g.beat(*p)
			}
		}
	}
}

func TestTransitionTable(t *testing.T) {
	for _, row := range transitionRows {
		t.Run(string(row.from)+"/"+row.event, func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), row.from)
			g.facts, g.began = nil, g.now
			row.do(g)
			var entered []state
			for _, f := range g.facts {
				if f.Kind == view.GroupState {
					entered = append(entered, state(f.Text))
				}
			}
			require.Equal(t, row.to, entered)
		})
	}
}

func TestGroupBeginsEmptyWithGenerationZero(t *testing.T) {
	t.Run("JoinGroup with empty member id", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		r.send("A", r.joinOf(person{client: "A"}))
		require.Equal(t, string(empty), r.state())
		require.Zero(t, r.group().generation)
	})
	t.Run("0.10.0 has no state Empty", func(t *testing.T) {
		r := newRig(t, "0.10.0", nil)
		c := r.join(&person{client: "A"})
		require.Equal(t, int32(1), answer[*kafka.JoinGroupResponse](r, c).Generation, "no initial delay either")
		require.Equal(t, []string{" Stable 0", "A-1 PreparingRebalance 0", " CompletingRebalance 1"}, r.texts(view.GroupState))
	})
}

func TestLastMemberLeavesAStableGroup(t *testing.T) {
	for release, want := range map[string][]string{
		"3.9":    {"A-1 PreparingRebalance 1", " Empty 2"},
		"0.10.0": {"A-1 PreparingRebalance 1", " Dead 2"},
	} {
		t.Run(release, func(t *testing.T) {
			r := newRig(t, release, nil)
			a := &person{client: "A"}
			r.join(a)
			r.pass(3 * second)
			r.sync(*a)
			r.facts = nil
			r.leave(*a)
			require.Equal(t, want, r.texts(view.GroupState))
		})
	}
}

func TestRebalanceCancelsParkedSyncs(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
	g.join(&person{client: "N"})
	require.Equal(t, kafka.RebalanceInProgress, answer[*kafka.SyncGroupResponse](g.rig, g.parked[0]).Error)
}

func TestJoinTimerIsTheLongestRebalanceTimeoutAtTheStart(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	slow := g.joinOf(person{client: "N", instance: "n"})
	slow.RebalanceTimeout = 90 * second
	g.send("N", slow)
	require.Equal(t, g.now+90*second, g.alarms["rebalance G1"])
	slower := g.joinOf(person{client: "O", instance: "o"})
	slower.RebalanceTimeout = 200 * second
	g.send("O", slower)
	require.Equal(t, g.now+90*second, g.alarms["rebalance G1"], "not counted again")
}

func TestRebalanceTimeoutRemovesDynamicMembersAndKeepsStaticOnes(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), preparingRebalance)
	g.outlive(60*second, g.b, g.s)
	require.Equal(t, []string{"A-1", "s-1"}, memberIDs(g.group()))
	require.Contains(t, g.texts(view.MemberRemoved), "B-1 rebalance timeout 0")
	reply := answer[*kafka.JoinGroupResponse](g.rig, g.parked[0])
	require.Len(t, reply.Members, 2, "the leader assigns to S, which has not joined, as well")
}

// The worked timeline of coordinator.md section 4.
func TestWorkedTimeline(t *testing.T) {
	r := newRig(t, "3.9", nil)
	a, b := &person{client: "A"}, &person{client: "B"}
	check := func(s state, generation int32) {
		t.Helper()
		require.Equal(t, string(s), r.state())
		require.Equal(t, generation, r.group().generation)
	}
	require.Equal(t, kafka.MemberIDRequired, answer[*kafka.JoinGroupResponse](r, r.send("A", r.joinOf(*a))).Error)
	check(empty, 0)
	r.until(5 * ms)
	a.id = "A-1"
	joinA := r.send("A", r.joinOf(*a))
	check(preparingRebalance, 0)
	r.until(3004 * ms)
	require.True(t, r.waits(joinA))
	r.until(3005 * ms)
	require.Equal(t, "A-1", answer[*kafka.JoinGroupResponse](r, joinA).Leader)
	check(completingRebalance, 1)
	r.until(3010 * ms)
	r.sync(*a, give(*a, 0, 1, 2, 3))
	check(stable, 1)
	r.until(10000 * ms)
	r.beat(*a)
	require.Equal(t, kafka.MemberIDRequired, answer[*kafka.JoinGroupResponse](r, r.send("B", r.joinOf(*b))).Error)
	check(stable, 1)
	r.until(10005 * ms)
	b.id = "B-1"
	joinB := r.send("B", r.joinOf(*b))
	check(preparingRebalance, 1)
	r.until(13000 * ms)
	require.Equal(t, kafka.RebalanceInProgress, r.beat(*a))
	joinA = r.join(a)
	require.False(t, r.waits(joinA) || r.waits(joinB))
	check(completingRebalance, 2)
	syncB := r.sync(*b)
	require.True(t, r.waits(syncB))
	r.sync(*a, give(*a, 0, 1), give(*b, 2, 3))
	require.Equal(t, []kafka.TopicPartition{t1(2), t1(3)}, answer[*kafka.SyncGroupResponse](r, syncB).Assignment)
	check(stable, 2)
}

// The example of coordinator.md section 4: delay 3000, rebalance timeout 300000.
func TestInitialDelayIsExtended(t *testing.T) {
	type arrival struct {
		at  time.Duration
		who string
	}
	for name, c := range map[string]struct {
		joins []arrival
		done  time.Duration
	}{
		"nobody else":                 {[]arrival{{0, "M1"}}, 3000 * ms},
		"M2 at 2500":                  {[]arrival{{0, "M1"}, {2500 * ms, "M2"}}, 6000 * ms},
		"M2 at 2500 and M3 at 5900":   {[]arrival{{0, "M1"}, {2500 * ms, "M2"}, {5900 * ms, "M3"}}, 9000 * ms},
		"M2 when the delay has ended": {[]arrival{{0, "M1"}, {3000 * ms, "M2"}}, 3000 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "3.9", nil)
			var first call
			for i, j := range c.joins {
				r.until(j.at)
				request := r.joinOf(person{client: kafka.NodeID(j.who), instance: j.who})
				request.RebalanceTimeout = 300 * second
				if sent := r.send(kafka.NodeID(j.who), request); i == 0 {
					first = sent
				}
			}
			if c.done > r.now {
				r.until(c.done - ms)
				require.True(t, r.waits(first))
				r.until(c.done)
			}
			require.False(t, r.waits(first))
		})
	}
}

func TestInitialDelayHasTheRebalanceTimeoutAsCeiling(t *testing.T) {
	r := newRig(t, "3.9", nil)
	var first call
	for i := range 8 {
		request := r.joinOf(person{client: "M", instance: string(rune('a' + i))})
		request.RebalanceTimeout = 10 * second
		if sent := r.send("M", request); i == 0 {
			first = sent
		}
		r.pass(2 * second) // somebody new in every wait
		if !r.waits(first) {
			break
		}
	}
	require.Equal(t, 10*second, r.now)
	require.False(t, r.waits(first))
}

func TestInitialDelayOfAGroupThatWasInUse(t *testing.T) {
	for release, done := range map[string]time.Duration{"3.9": 3 * second, "4.0": 6 * second} {
		t.Run(release, func(t *testing.T) {
			g := groupIn(t, newRig(t, release, nil), empty)
			start := g.now
			first := g.join(&person{client: "N"})
			g.pass(second)
			g.join(&person{client: "O"})
			g.until(start + done - ms)
			require.True(t, g.waits(first))
			g.until(start + done)
			require.False(t, g.waits(first))
		})
	}
}

func TestInitialDelayByRelease(t *testing.T) {
	for _, c := range []struct {
		release  string
		settings map[string]string
		done     time.Duration
	}{
		{"3.9", nil, 3 * second},
		{"3.9", map[string]string{"group.initial.rebalance.delay.ms": "0"}, 0},
		{"0.10.2", nil, 0}, // KIP-134 came with 0.11
	} {
		r := newRig(t, c.release, c.settings)
		joined := r.join(&person{client: "A"})
		r.until(c.done)
		require.False(t, r.waits(joined))
	}
}

func TestSessionExpiryDuringAnInitialJoinPhase(t *testing.T) {
	for release, done := range map[string]bool{"3.9": false, "4.0": true} { // the Java coordinator completes it at once
		t.Run(release, func(t *testing.T) {
			r := newRig(t, release, map[string]string{"group.initial.rebalance.delay.ms": "400000"})
			a, b := r.join(&person{client: "A"}), call{}
			r.until(100 * second)
			b = r.join(&person{client: "B"})
			r.until(300 * second) // five minutes of A
			require.Equal(t, kafka.UnknownMemberID, answer[*kafka.JoinGroupResponse](r, a).Error)
			require.Equal(t, done, !r.waits(b))
		})
	}
}

func TestLeader(t *testing.T) {
	t.Run("first whose second JoinGroup arrives", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		r.send("B", r.joinOf(person{client: "B"})) // the first to make contact
		r.join(&person{client: "A"})
		r.send("B", r.joinOf(person{client: "B", id: "B-1"}))
		require.Equal(t, "A-1", r.group().leader)
	})
	t.Run("stays leader while it rejoins", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), stable)
		g.join(&person{client: "0"}) // before A in every order
		g.join(g.b)
		g.join(g.s)
		g.join(g.a)
		require.Equal(t, "A-1", g.group().leader)
	})
	t.Run("is followed by the first member id when it leaves", func(t *testing.T) {
		g := groupIn(t, newRig(t, "3.9", nil), stable)
		g.leave(*g.a)
		require.Equal(t, "B-1", g.group().leader)
	})
	t.Run("static and absent, is replaced by one who joined", func(t *testing.T) {
		r := newRig(t, "3.9", nil)
		a, b := &person{client: "A", instance: "a"}, &person{client: "B"}
		r.join(a)
		r.join(b)
		r.pass(6 * second)
		r.sync(*b)
		r.sync(*a)
		changed := r.send("B", r.joinOf(*b, "range", "sticky"))
		for range 12 {
			r.pass(5 * second)
			r.beat(*a)
		}
		require.Equal(t, "B-1", answer[*kafka.JoinGroupResponse](r, changed).Leader)
		require.Equal(t, []string{"B-1", "a-1"}, memberIDs(r.group()))
	})
}

func TestVote(t *testing.T) {
	for name, c := range map[string]struct {
		members [][]string
		want    string
	}{
		"range vs roundrobin":                     {[][]string{{"range", "roundrobin"}, {"roundrobin", "range"}}, "range"},
		"sticky vs range":                         {[][]string{{"range", "sticky"}, {"sticky", "range"}}, "sticky"},
		"roundrobin vs cooperative-sticky":        {[][]string{{"cooperative-sticky", "roundrobin"}, {"roundrobin", "cooperative-sticky"}}, "roundrobin"},
		"sticky vs cooperative-sticky":            {[][]string{{"cooperative-sticky", "sticky"}, {"sticky", "cooperative-sticky"}}, "sticky"},
		"a third member decides for roundrobin":   {[][]string{{"range", "roundrobin"}, {"roundrobin", "range"}, {"roundrobin", "range"}}, "roundrobin"},
		"the only common one":                     {[][]string{{"range", "roundrobin"}, {"roundrobin", "foo"}}, "roundrobin"},
		"names that Kafka does not have, by name": {[][]string{{"zulu", "alpha"}, {"alpha", "zulu"}}, "alpha"},
	} {
		t.Run(name, func(t *testing.T) {
			g := &ClassicGroup{}
			for i, assignors := range c.members {
				m := member{id: string(rune('a' + i))}
				for _, name := range assignors {
					m.protocols = append(m.protocols, kafka.Protocol{Name: name})
				}
				g.insert(m)
			}
			require.Equal(t, c.want, g.vote())
		})
	}
}

func TestGenerationsAndVisitsAreCounted(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	require.Equal(t, int32(1), g.group().generation)
	g.join(g.a)
	g.join(g.b)
	g.join(g.s)
	require.Equal(t, int32(2), g.group().generation)
	require.Equal(t, []view.Visit{
		{From: "Empty", To: "PreparingRebalance", Times: 1},
		{From: "PreparingRebalance", To: "CompletingRebalance", Times: 2},
		{From: "CompletingRebalance", To: "Stable", Times: 1},
		{From: "Stable", To: "PreparingRebalance", Times: 1},
	}, g.group().visits)
}
