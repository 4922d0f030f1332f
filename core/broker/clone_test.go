package broker

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/core/internal/sharing"
	"groupscope/core/kafka"
	"groupscope/core/view"
)

// everything is all that can be seen of a broker, as text.
func everything(b *Broker) string {
	text := fmt.Sprintln(b.Partitions(), b.Groups(), b.Committed("G1"), b.timers, b.ids, len(b.fetches))
	for _, tp := range append(b.led(kafka.OffsetsTopic), t1(0), t1(1), t1(2), t1(3)) {
		log := b.logs[tp]
		text += fmt.Sprintln(tp, log.records.slice(0, log.records.len()))
	}
	return text
}

func TestCloneSharesNothingThatChanges(t *testing.T) {
	for _, s := range []state{empty, preparingRebalance, completingRebalance, stable} {
		t.Run(string(s), func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), s)
			g.send("N", g.joinOf(person{client: "N"}))
			g.commit(person{client: "N"}, kafka.NoGeneration, 1)
			g.put(t1(0), 100)
			g.send("C1", get(1, nil))
			require.Empty(t, sharing.Between(g.broker, g.broker.Clone()))
		})
	}
	c := NewController(InitialCluster(threeBrokers, nil, offsetsPlan(1)), brokerSettings)
	require.Empty(t, sharing.Between(c, c.Clone()))
}

// act does one thing at random to the broker.
func (g *trio) act(t *rapid.T) {
	p := *rapid.SampledFrom([]*person{g.a, g.b, g.s}).Draw(t, "who")
	switch rapid.SampledFrom([]string{"join", "change", "sync", "beat", "leave", "commit", "put", "get", "new", "wait"}).Draw(t, "what") {
	case "join":
		g.send(p.client, g.joinOf(p))
	case "change":
		g.send(p.client, g.joinOf(p, "range", "sticky"))
	case "sync":
		g.sync(p, give(*g.a, 0, 1), give(*g.b, 2))
	case "beat":
		g.beat(p)
	case "leave":
		g.leave(p)
	case "commit":
		g.commit(p, g.group().generation, int64(g.calls))
	case "put":
		g.put(t1(rapid.Int32Range(0, 3).Draw(t, "partition")), 100, 200)
	case "get":
		g.send("C1", get(g.broker.logs[t1(0)].end(), nil))
	case "new":
		g.send("N", g.joinOf(person{client: "N", instance: rapid.SampledFrom([]string{"", "n", "s"}).Draw(t, "instance")}))
	case "wait":
		g.pass(second * 4)
	}
}

func TestCloneAndOriginalGoTheirOwnWays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := groupIn(t, newRig(t, "3.9", nil), stable)
		for range rapid.IntRange(0, 10).Draw(rt, "before") {
			g.act(rt)
		}
		original := g.broker
		seen := everything(original)
		g.broker = original.Clone().(*Broker)
		require.Equal(rt, seen, everything(g.broker))
		for range rapid.IntRange(1, 20).Draw(rt, "after") {
			g.act(rt)
		}
		require.Equal(rt, seen, everything(original))
		require.Empty(rt, sharing.Between(original, original.Clone()))
	})
}

func TestGenerationNeverFallsAndTransitionsAreKafkas(t *testing.T) {
	allowed := map[string][]string{
		"PreparingRebalance":  {"Stable", "CompletingRebalance", "Empty"},
		"CompletingRebalance": {"PreparingRebalance"},
		"Stable":              {"CompletingRebalance"},
		"Empty":               {"PreparingRebalance"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		g := groupIn(t, newRig(t, "3.9", nil), stable)
		generation := g.group().generation
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			g.act(rt)
			require.GreaterOrEqual(rt, g.group().generation, generation)
			generation = g.group().generation
			if len(g.group().members) > 0 {
				require.NotNil(rt, g.group().find(g.group().leader), "the leader is a member")
			}
		}
		for _, v := range g.group().visits {
			require.Contains(rt, allowed[v.To], v.From)
		}
	})
}

func TestFactsNameTheNode(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), stable)
	for _, f := range g.facts {
		require.Equal(t, kafka.NodeID("B1"), f.Node)
		require.Equal(t, "G1", f.Group)
	}
	require.Equal(t, []string{"A-1  0"}, g.texts(view.LeaderElected))
	require.Equal(t, []string{" range 0"}, g.texts(view.ProtocolChosen))
	require.Equal(t, []string{"A-1  0", "B-1  0"}, g.texts(view.MemberPending))
	require.Equal(t, []string{" group G1: generation 1, range, leader A-1, A-1 [T1-0], B-1 [T1-1], s-1 [T1-2 T1-3] 0"}, g.texts(view.OffsetsAppended))
}

func TestGroupAsSeen(t *testing.T) {
	for s, want := range map[state]view.Waiting{
		empty:               {},
		preparingRebalance:  {For: view.WaitJoins, Members: []string{"B-1", "N-1", "s-1"}},
		completingRebalance: {For: view.WaitLeaderSync, Members: []string{"A-1"}},
		stable:              {},
	} {
		t.Run(string(s), func(t *testing.T) {
			g := groupIn(t, newRig(t, "3.9", nil), s)
			g.send("N", g.joinOf(person{client: "N"}))
			seen := g.broker.Groups()[0]
			require.Equal(t, want, seen.Waiting)
			require.Equal(t, string(s), seen.State)
			require.Equal(t, []string{"N-1"}, seen.Pending)
			require.Equal(t, kafka.NodeID("B1"), seen.Coordinator)
			require.Zero(t, seen.OffsetsPartition)
		})
	}
}

func TestMembersAndTimersAsSeen(t *testing.T) {
	g := groupIn(t, newRig(t, "3.9", nil), completingRebalance)
	seen := g.broker.Groups()[0]
	require.Equal(t, []view.Timer{{Name: "pending sync", From: g.now, To: g.now + 60*second}}, seen.Timers)
	require.Equal(t, view.Member{
		ID: "A-1", ClientID: "A", Client: "A", Leader: true, Protocols: []string{"range"}, Topics: []string{"T1"},
		Session: view.Timer{Name: "session", From: g.now, To: g.now + 10*second},
	}, seen.Members[0])
	require.Equal(t, view.Member{
		ID: "B-1", ClientID: "B", Client: "B", Protocols: []string{"range"}, Topics: []string{"T1"}, Parked: "SyncGroup", Synced: true,
	}, seen.Members[1])
	r := newRig(t, "3.9", nil)
	r.join(&person{client: "A"})
	require.Equal(t, view.WaitInitialDelay, r.broker.Groups()[0].Waiting.For)
	require.Equal(t, []view.Timer{{Name: "initial delay", To: 3 * second}}, r.broker.Groups()[0].Timers)
}
