package stage

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/figures"
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// madeFrame is a frame of a large group: every partition is owned, half of the members have crashed and come back.
func madeFrame(consumers, partitions int) *view.Frame {
	f := &view.Frame{Event: 1, At: 90 * time.Second}
	for i := range 6 {
		f.Brokers = append(f.Brokers, view.Broker{ID: kafka.NodeID(fmt.Sprintf("B%d", i+1)), Release: kafka.DefaultRelease})
	}
	topic := view.Topic{Name: "T1"}
	group := view.Group{ID: "G1", Coordinator: "B2", OffsetsPartition: 17, State: "Stable", Generation: 41, Protocol: "range"}
	for i := range consumers {
		f.Consumers = append(f.Consumers, madeConsumer(i))
		group.Members = append(group.Members, view.Member{
			ID: fmt.Sprintf("C%d-1", i+1), Client: f.Consumers[i].ID, Session: view.Timer{Name: "session", From: f.At, To: f.At + 45*time.Second},
		})
	}
	for i := range partitions {
		tp := kafka.TopicPartition{Topic: "T1", Partition: int32(i)}
		end := int64(100 + 37*i%400)
		topic.Partitions = append(topic.Partitions, view.Partition{TopicPartition: tp, Leader: "B1", HighWatermark: end, LogEnd: end})
		c := &f.Consumers[i%consumers]
		c.Owned = append(c.Owned, view.Owned{TopicPartition: tp, Position: end - 10})
		group.Work = append(group.Work, view.Work{
			TopicPartition: tp, Owner: c.ID, Committed: end - 20, Done: []view.Run{{Span: view.Span{To: end - 10}, Times: 1}},
		})
	}
	f.Topics, f.Groups = []view.Topic{topic}, []view.Group{group}
	return f
}

func madeConsumer(i int) view.Consumer {
	c := view.Consumer{
		ID: kafka.NodeID(fmt.Sprintf("C%d", i+1)), Group: "G1", JoinState: "stable", Generation: 41, Topics: []string{"T1"}, InGroup: true, Coordinator: "B2",
		Program: view.Program{Name: "auto-commit", Listing: []string{"while (running) {", "  poll();", "}"}, Line: 2},
		Timers:  []view.Timer{{Name: "heartbeat", From: 89 * time.Second, To: 92 * time.Second}},
	}
	if i%7 == 3 {
		c.Liveness = view.Crashed
	}
	return c
}

// madeInput is what the panels draw from when there is a frame but no run.
func madeInput(f *view.Frame, s Session) *input {
	entry := view.Entry{Event: 1, At: f.At, Node: "C1", Kind: view.Fired, Timer: "heartbeat"}
	entries := func(int) *view.Entry { return &entry }
	session := s.normal()
	tr := newTrack(1, entries)
	in := &input{
		session: &session, frame: f, entry: &entry, entries: entries, track: tr, pace: newPace(tr), limits: map[string]float64{}, rests: map[string]float64{},
		whole: newWhole([]*view.Frame{f}, nil), lesson: lessonInput{title: "A large group", beat: -1},
	}
	in.figures = &figures.Figures{}
	in.prepare()
	return in
}

// madeScene draws a whole picture from a frame alone.
func madeScene(f *view.Frame, s Session) *scene.Scene { return sceneOf(madeInput(f, s)) }

func sceneOf(in *input) *scene.Scene {
	made := drawStill(in)
	p := newPen(made.in)
	p.shapes = made.shapes
	drawMoving(p, &made, in.frame.Event, 0)
	return &scene.Scene{Width: made.in.session.Width, Height: made.in.session.Height, Background: made.in.theme.back, Shapes: p.shapes}
}

func TestLargeGroupsFitToo(t *testing.T) {
	for _, many := range [][2]int{{1, 0}, {1, 1}, {9, 12}, {12, 30}, {64, 256}, {300, 1000}} {
		f := madeFrame(many[0], many[1])
		for _, size := range sizes {
			for _, lang := range Languages() {
				sc := madeScene(f, Session{Lang: lang, Width: size[0], Height: size[1]})
				require.Empty(t, scene.Faults(sc, moves), "%v, %v, %s", many, size, lang)
			}
		}
	}
}

func TestAnEmptyFrameIsDrawn(t *testing.T) {
	for _, size := range sizes {
		require.NotEmpty(t, madeScene(&view.Frame{Event: 1}, Session{Width: size[0], Height: size[1]}).Shapes)
	}
}

func TestALogsWindowShowsWhereTheGroupWorks(t *testing.T) {
	part := &view.Partition{LogEnd: 1000, HighWatermark: 1000}
	read := []reading{{work: &view.Work{Committed: 500}, owned: &view.Owned{Position: 510}}}
	w := newWindow(part, read, 30, 26)
	require.LessOrEqual(t, w.from, int64(500))
	require.Greater(t, w.to, int64(510))
	require.Equal(t, w.from, w.before)
	require.Equal(t, 1000-w.to, w.after)
	require.Equal(t, window{from: 0, to: 20}, newWindow(&view.Partition{LogEnd: 20}, read, 30, 26))
}

func TestALogsWindowStandsStillForAWhile(t *testing.T) {
	part := &view.Partition{LogEnd: 1000, HighWatermark: 1000}
	moved, last := 0, int64(-1)
	for at := range int64(100) {
		read := []reading{{work: &view.Work{Committed: 500 + at}}}
		if w := newWindow(part, read, 30, 26); w.from != last {
			moved, last = moved+1, w.from
		}
	}
	require.LessOrEqual(t, moved, 14)
}

func TestCellsTellWhatARecordIsToAGroup(t *testing.T) {
	part := &view.Partition{HighWatermark: 9, LogEnd: 10}
	r := reading{
		work: &view.Work{
			Committed: 4, Begin: 1, Lost: []view.Span{{From: 3, To: 4}},
			Done: []view.Run{{Span: view.Span{From: 1, To: 2}, Times: 1}, {Span: view.Span{From: 2, To: 3}, Times: 2}, {Span: view.Span{From: 4, To: 5}, Times: 1}},
		},
		owned: &view.Owned{Position: 7, Returned: view.Span{From: 5, To: 7}, Fetched: view.Span{From: 7, To: 8}},
	}
	r.work.Letters = []view.Span{{From: 10, To: 11}}
	want := []cell{
		cellForeign, cellCommitted, cellTwice, cellLost, cellProcessed, cellInHand, cellInHand, cellFetched, cellUnread, cellUnreplicated, cellLetter,
	}
	for offset, c := range want {
		require.Equal(t, c, r.cell(int64(offset), part), "offset %d", offset)
	}
}

func TestAConsumerIsSaidToDoWhatItDoes(t *testing.T) {
	placed := []view.Owned{{Position: 7}}
	unplaced := []view.Owned{{Position: kafka.NoOffset}}
	for _, c := range []struct {
		does     string
		consumer view.Consumer
	}{
		{"seeks coordinator", view.Consumer{Group: "G1", InGroup: true, JoinState: "unjoined"}},
		{"is about to join", view.Consumer{Group: "G1", InGroup: true, JoinState: "unjoined", Coordinator: "B1"}},
		{"waits for records", view.Consumer{Group: "G1", InGroup: true, JoinState: "stable", Coordinator: "B1", Owned: placed}},
		{"has no partitions", view.Consumer{Group: "G1", JoinState: "unjoined", Coordinator: "B1"}},
		{"seeks coordinator", view.Consumer{Group: "G1", JoinState: "unjoined", Owned: unplaced}},
		{"asks where to begin", view.Consumer{Group: "G1", JoinState: "unjoined", Coordinator: "B1", Owned: unplaced}},
		{"waits for records", view.Consumer{Group: "G1", JoinState: "unjoined", Coordinator: "B1", Owned: placed}},
		{"waits for records", view.Consumer{JoinState: "unjoined", Owned: placed}},
		{"waits for records", view.Consumer{JoinState: "unjoined", Owned: unplaced}},
	} {
		require.Equal(t, c.does, madeInput(&view.Frame{}, Session{}).activity(&c.consumer), "%+v", c.consumer)
	}
}

func BenchmarkScene64x256(b *testing.B) {
	f := madeFrame(64, 256)
	for b.Loop() {
		madeScene(f, Session{})
	}
}

func BenchmarkSceneOfALesson(b *testing.B) {
	s := New(played(b, "two-consumers"), Session{})
	n := 0
	for b.Loop() {
		n++
		act(s, Seek, "", float64(n%s.track.len()))
		s.Scene()
	}
}

func BenchmarkMovingPart(b *testing.B) {
	s := New(played(b, "two-consumers"), Session{Event: 300})
	s.Scene()
	for b.Loop() {
		s.session.Phase += 0.001
		if s.session.Phase > 0.9 {
			s.session.Phase = 0
		}
		s.Scene()
	}
}

// madeHoldings are figures of a group with so many partitions, each of which C1 has for the first half of the time and C2 from then on.
func madeHoldings(partitions int) *figures.Figures {
	g := figures.Group{ID: "G1"}
	for i := range partitions {
		g.Partitions = append(g.Partitions, figures.Partition{
			TopicPartition: kafka.TopicPartition{Topic: "T1", Partition: int32(i)},
			Holdings:       []figures.Holding{{Consumer: "C1", To: figures.Moment{Event: 1, At: 45 * time.Second}}, {Consumer: "C2", From: figures.Moment{Event: 1, At: 45 * time.Second}}},
		})
	}
	return &figures.Figures{Groups: []figures.Group{g}}
}

func TestOwnersOfManyPartitionsFit(t *testing.T) {
	for _, view := range []string{"owners", "figures"} {
		for _, many := range []int{0, 1, 300, 1000} {
			for _, size := range sizes {
				in := madeInput(madeFrame(3, 4), Session{Width: size[0], Height: size[1], View: view})
				in.figures = madeHoldings(many)
				made := drawStill(in)
				sc := &scene.Scene{Width: size[0], Height: size[1], Shapes: made.shapes}
				require.Empty(t, scene.Faults(sc, moves), "%s, %d, %v", view, many, size)
			}
		}
	}
}
