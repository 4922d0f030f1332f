package stage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// idsOf lists the ids of a scene that begin so.
func idsOf(sc *scene.Scene, prefix string) []string {
	var out []string
	scene.Walk(sc, func(sh *scene.Shape) bool {
		if strings.HasPrefix(sh.ID, prefix) {
			out = append(out, sh.ID)
		}
		return true
	})
	return out
}

// sequenceOf draws the sequence of a made-up trace at its end: a pair of messages between each consumer and the broker,
// round after round.
func sequenceOf(consumers, rounds int, s Session) (*sequence, *input) {
	f := madeFrame(consumers, consumers)
	var entries []view.Entry
	id := int64(0)
	add := func(node kafka.NodeID, got *kafka.Message, body kafka.Body, to kafka.NodeID) *kafka.Message {
		e := view.Entry{Event: len(entries) + 1, Kind: view.Fired, Node: node, Message: got, At: time.Duration(len(entries)) * time.Millisecond}
		if got != nil {
			e.Kind = view.Received
		}
		var sent *kafka.Message
		if body != nil {
			id++
			e.Sent = []kafka.Message{{ID: id, From: node, To: to, Body: body}}
			sent = &e.Sent[0]
		}
		entries = append(entries, e)
		return sent
	}
	for range rounds {
		for i := range f.Consumers {
			c := f.Consumers[i].ID
			ask := add(c, nil, &kafka.OffsetCommitRequest{}, "B1")
			answer := add("B1", ask, &kafka.OffsetCommitResponse{}, c)
			add(c, answer, nil, "")
		}
	}
	in := madeInput(f, s)
	f.Event, f.At = len(entries), entries[len(entries)-1].At
	in.entries = func(event int) *view.Entry { return &entries[event-1] }
	in.track = newTrack(len(entries), in.entries)
	in.pace, in.truth = newPace(in.track), newTrueTime(in.track)
	return drawSequence(newPen(in), box{0, 0, 960, 240}), in
}

func TestEveryClientAndBrokerHasALane(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 4000})
	require.Equal(t, []kafka.NodeID{"C1", "C2", "B1", "P1", "P2"}, s.whole.nodes)
	require.Len(t, s.drawn().sequence.lanes, 5)
}

func TestHeartbeatsAreFoldedUntilTheyAreAskedFor(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{})
	for i := range s.track.arrows {
		if a := &s.track.arrows[i]; a.api() == kafka.HeartbeatAPI && a.err == kafka.None && a.arrived > 0 {
			act(s, Seek, "", float64(a.arrived+1))
			require.NotContains(t, idsOf(s.Scene(), arrowPrefix), arrowPrefix+number(a.message.ID))
			require.Contains(t, idsOf(s.Scene(), "tick:"), "tick:"+number(a.message.ID))
			require.True(t, act(s, Kind, "Heartbeat", 0))
			require.Contains(t, idsOf(s.Scene(), arrowPrefix), arrowPrefix+number(a.message.ID))
			require.True(t, act(s, Kind, "", 0))
			require.NotContains(t, idsOf(s.Scene(), arrowPrefix), arrowPrefix+number(a.message.ID))
			return
		}
	}
	t.Fatal("the lesson has no heartbeat")
}

func TestAnErrorIsAnArrowEvenIfItsKindIsFolded(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{})
	i := slices.IndexFunc(s.track.arrows, func(a arrow) bool { return a.api() == kafka.HeartbeatAPI && a.err != kafka.None })
	a := &s.track.arrows[i]
	act(s, Seek, "", float64(a.arrived+1))
	require.Contains(t, idsOf(s.Scene(), arrowPrefix), arrowPrefix+number(a.message.ID))
}

func TestZoomingGoesFromASecondToAnHourAndBack(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 4000})
	require.Zero(t, s.Session().Sequence.Span)
	for act(s, Zoom, "", -1) {
	}
	require.Equal(t, 3600.0, s.Session().Sequence.Span)
	for act(s, Zoom, "", 1) {
		q := s.drawn().sequence
		require.InDelta(t, s.Session().Sequence.Span, q.width(), 1e-9, "the width is a time of the run")
		require.NotEmpty(t, s.Scene().Shapes)
	}
	require.Equal(t, 1.0, s.Session().Sequence.Span)
	require.True(t, act(s, Zoom, paced, 0))
	require.Zero(t, s.Session().Sequence.Span)
	require.False(t, act(s, Zoom, paced, 0))
}

func TestAMovedSequenceStaysUntilThePositionLeavesIt(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 4000, ReducedMotion: true})
	act(s, Zoom, "", -1)
	require.True(t, act(s, Pan, "", -0.25))
	held := s.Session().Sequence
	require.True(t, held.Held)
	act(s, Step, "", 1)
	require.Equal(t, held, s.Session().Sequence)
	act(s, First, "", 0)
	require.False(t, s.Session().Sequence.Held)
	require.True(t, act(s, Pan, "", 0.5))
	require.True(t, act(s, Pan, "follow", 0))
	require.False(t, act(s, Pan, "follow", 0))
}

func TestPanningStopsAtBothEndsOfTheRun(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{})
	require.False(t, act(s, Pan, "", -1))
	for range 100 {
		act(s, Pan, "", 1)
	}
	require.False(t, act(s, Pan, "", 1))
	require.LessOrEqual(t, s.Session().Sequence.From, s.pace.end())
}

func TestAClickOnTheGroundGoesToThatMoment(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 4000})
	act(s, Zoom, "", -1)
	ground := scene.Find(s.Scene(), GroundID)
	middle := (ground.Value.Min + ground.Value.Max) / 2
	require.True(t, act(s, Moment, "", middle))
	got := s.Session()
	require.InDelta(t, middle, s.truth.time(got.Event, got.Phase).Seconds(), 1e-6)
}

func TestBarsTellWhatANodeWas(t *testing.T) {
	run := played(t, "consumer-crashes")
	event, _ := run.EventOf("taken")
	s := New(run, Session{Event: event})
	var tips []string
	scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
		if strings.HasPrefix(sh.ID, "state:") {
			tips = append(tips, sh.Tip)
		}
		return true
	})
	require.Contains(t, tips, "C1 is joining")
	require.Contains(t, tips, "G1 on B1: PreparingRebalance")
	require.Contains(t, tips, "G1 on B1: Stable")
}

func TestABarEndsWithItsProcess(t *testing.T) {
	fact := func(kind view.FactKind, node kafka.NodeID, group, text string) view.Entry {
		return view.Entry{Kind: view.Fired, Facts: []view.Fact{{Kind: kind, Node: node, Group: group, Text: text}}}
	}
	tr := trackOf(fact(view.JoinStateChanged, "C1", "", "stable"), fact(view.NodeCrashed, "C1", "", ""),
		fact(view.GroupState, "B1", "G1", "Stable"), fact(view.GroupState, "B2", "G1", "Stable"))
	require.Equal(t, []laneState{{1, "", "stable"}, {2, "", ""}}, tr.lives["C1"])
	require.Equal(t, []laneState{{3, "G1", "Stable"}, {4, "G1", ""}}, tr.lives["B1"], "another broker coordinates the group")
}

func TestTheArrowKeysGoFromArrowToArrow(t *testing.T) {
	s := New(played(t, "consumer-crashes"), Session{Event: 5121})
	stops := func() []string {
		var out []string
		for _, f := range focusOrder(s.Scene()) {
			if f.Role == scene.Link {
				out = append(out, f.ID)
			}
		}
		return out
	}
	require.Len(t, stops(), 1, "the Tab key stops once")
	act(s, Focus, stops()[0], 0)
	require.False(t, act(s, FocusNext, "link", 0), "it is the last one")
	for i := range 3 {
		before := s.Session().Focused
		require.True(t, act(s, FocusPrev, "link", 0), i)
		require.NotEqual(t, before, s.Session().Focused)
		require.Equal(t, []string{s.Session().Focused}, stops())
	}
	focused := s.Session().Focused
	require.True(t, act(s, Activate, "", 0))
	require.Equal(t, "message:"+strings.TrimPrefix(focused, arrowPrefix), s.Session().Selected)
}

func TestManyLanesScrollAboveThoseOfTheBrokers(t *testing.T) {
	q, in := sequenceOf(120, 2, Session{})
	require.Contains(t, q.lanes, kafka.NodeID("B2"), "the coordinator")
	require.Contains(t, q.lanes, kafka.NodeID("B1"))
	require.Less(t, len(q.lanes), 20)
	require.Greater(t, in.limits["sequence"], 1000.0)
	q, _ = sequenceOf(120, 2, Session{Scroll: map[string]float64{"sequence": 1e6}})
	require.Contains(t, q.lanes, kafka.NodeID("B6"), "the last lane")
	require.NotEmpty(t, q.arrows, "those between lanes in view")
	require.Contains(t, q.lanes, kafka.NodeID("B1"))
}

func TestTheLaneOfTheSelectedNodeIsInView(t *testing.T) {
	q, _ := sequenceOf(120, 2, Session{Selected: "node:C70"})
	require.Contains(t, q.lanes, kafka.NodeID("C70"))
	q, _ = sequenceOf(120, 2, Session{Selected: "node:C70", Scroll: map[string]float64{"sequence": 0}})
	require.NotContains(t, q.lanes, kafka.NodeID("C70"), "somebody scrolled elsewhere")
}

func TestASequenceOfManyMessagesIsDrawnAsBars(t *testing.T) {
	q, in := sequenceOf(40, 900, Session{Sequence: Excerpt{Span: 300}})
	require.Greater(t, len(in.track.arrows), 70_000)
	require.True(t, q.dense)
	require.Empty(t, q.arrows)
	shapes := 0
	scene.Walk(&scene.Scene{Shapes: q.atRest}, func(*scene.Shape) bool { shapes++; return true })
	require.Less(t, shapes, 4000, "the work is bounded by what is visible")
}

func TestTheSequenceFitsInEveryZoomAndForm(t *testing.T) {
	for _, id := range []string{"consumer-crashes", "fifth-is-idle"} {
		run := played(t, id)
		for _, size := range sizes {
			for _, lang := range Languages() {
				for _, span := range []float64{0, 1, 20, 600, 3600} {
					s := New(run, Session{Lang: lang, Width: size[0], Height: size[1], Panel: "sequence", Event: run.History.Len() / 2, Sequence: Excerpt{Span: span}})
					where := fmt.Sprintf("%s, %s, %v, %v s", id, lang, size, span)
					require.Empty(t, scene.Faults(s.Scene(), moves), where)
					act(s, Pan, "", -0.3)
					require.Empty(t, scene.Faults(s.Scene(), moves), where)
				}
			}
		}
	}
}

func BenchmarkSequenceOf100000Events(b *testing.B) {
	_, in := sequenceOf(100, 334, Session{Sequence: Excerpt{Span: 60}})
	for b.Loop() {
		in.limits = map[string]float64{}
		drawSequence(newPen(in), box{0, 0, 960, 240})
	}
}
