package stage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/core/figures"
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
	"groupscope/render/svg"
)

// TestGoldenScenes compares pictures of made-up frames, which no change of the model moves, with the files that GOLDEN=1
// writes.
func TestGoldenScenes(t *testing.T) {
	scenes := map[string]*scene.Scene{
		"light":         madeScene(madeFrame(3, 4), Session{Width: 1440, Height: 900}),
		"dark":          madeScene(madeFrame(5, 4), Session{Width: 1024, Height: 640, Theme: Dark, Panel: "coordinator"}),
		"phone":         madeScene(madeFrame(3, 4), Session{Width: 390, Height: 844, Lang: "zh"}),
		"large":         madeScene(madeFrame(24, 64), Session{Width: 1440, Height: 900}),
		"cluster":       madeScene(madeCluster(4, 6), Session{Width: 1440, Height: 900, View: "cluster"}),
		"cluster-dark":  madeScene(madeCluster(3, 2), Session{Width: 1024, Height: 640, View: "cluster", Theme: Dark, Lang: "zh"}),
		"cluster-tiny":  madeScene(madeCluster(6, 300), Session{Width: 390, Height: 844, View: "cluster"}),
		"failed":        Failure(os.ErrNotExist, Session{Width: 640, Height: 400}),
		"owners":        madeFigures(Session{Width: 1440, Height: 900, View: "owners"}),
		"figures":       madeFigures(Session{Width: 390, Height: 844, Theme: Dark, Lang: "zh", View: "figures"}),
		"owners-dark":   madeFigures(Session{Width: 1024, Height: 640, Theme: Dark, Lang: "zh", View: "owners"}),
		"owners-tiny":   madeFigures(Session{Width: 390, Height: 844, View: "owners"}),
		"figures-light": madeFigures(Session{Width: 1440, Height: 900, View: "figures"}),
		"offsets":       madeOffsets(Session{Width: 1440, Height: 900, View: "offsets"}),
		"offsets-dark":  madeOffsets(Session{Width: 1024, Height: 640, View: "offsets", Theme: Dark, Lang: "zh"}),
		"offsets-phone": madeOffsets(Session{Width: 390, Height: 844, View: "offsets"}),
	}
	for name, sc := range scenes {
		var got bytes.Buffer
		require.NoError(t, svg.Write(&got, sc))
		path := filepath.Join("testdata", name+".svg")
		if os.Getenv("GOLDEN") != "" {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got.Bytes()), "%s differs from the picture drawn now; make golden writes it anew", path)
	}
}

// madeFigures is a picture of made-up figures: C1 has both partitions, then C2 takes T1-1, which had no owner for a while and has
// two at the end.
func madeFigures(s Session) *scene.Scene {
	at := func(event int) figures.Moment {
		return figures.Moment{Event: event, At: time.Duration(event) * 10 * time.Second}
	}
	steps := func(values ...int64) figures.Series {
		var out figures.Series
		for i, v := range values {
			out = append(out, figures.Point{Moment: at(i + 1), Value: v})
		}
		return out
	}
	f := madeFrame(3, 2)
	f.Event, f.At = 9, at(9).At
	trace := make([]view.Entry, 9)
	for i := range trace {
		trace[i] = view.Entry{Event: i + 1, At: at(i + 1).At, Node: "C1", Kind: view.Fired, Timer: "heartbeat"}
	}
	in := madeInput(f, s)
	in.track = newTrack(len(trace), func(n int) *view.Entry { return &trace[n-1] })
	in.pace = newPace(in.track)
	tp := func(n int32) kafka.TopicPartition { return kafka.TopicPartition{Topic: "T1", Partition: n} }
	in.figures = &figures.Figures{
		End: at(9), Produced: steps(10, 30, 60, 80, 90), Requests: []figures.Requests{{API: kafka.FetchAPI, Sent: steps(1, 2, 3, 40)}, {API: kafka.JoinGroupAPI, Sent: steps(0, 2)}},
		Groups: []figures.Group{{
			ID: "G1", Delivered: steps(0, 10, 40, 70, 90), Processed: steps(0, 0, 30, 60, 80), Duplicates: steps(0, 0, 0, 4), Lost: steps(0, 0, 0, 0, 2), Free: steps(0, 0, 1, 1, 0),
			Rebalances: []figures.Rebalance{{From: at(1), To: at(2), Why: figures.Joined}, {From: at(4), To: at(5), Why: figures.Left, Moved: 1}},
			Partitions: []figures.Partition{
				{TopicPartition: tp(0), Holdings: []figures.Holding{{Consumer: "C1", From: at(2)}}, Lag: steps(0, 4, 8, 2)},
				{TopicPartition: tp(1), Lag: steps(figures.NoLag, 3, 9, 12, 1), Holdings: []figures.Holding{
					{Consumer: "C1", From: at(2), To: at(3)}, {Consumer: "C2", From: at(5)}, {Consumer: "C3", From: at(8)},
				}},
			},
		}},
	}
	made := drawStill(in)
	return &scene.Scene{Width: in.session.Width, Height: in.session.Height, Background: in.theme.back, Shapes: made.shapes}
}
