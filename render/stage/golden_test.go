package stage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
	"groupscope/render/svg"
)

// TestGoldenScenes compares pictures of made-up frames, which no change of the model moves, with the files that GOLDEN=1
// writes.
func TestGoldenScenes(t *testing.T) {
	scenes := map[string]*scene.Scene{
		"light":        madeScene(madeFrame(3, 4), Session{Width: 1440, Height: 900}),
		"dark":         madeScene(madeFrame(5, 4), Session{Width: 1024, Height: 640, Theme: Dark, Panel: "coordinator"}),
		"phone":        madeScene(madeFrame(3, 4), Session{Width: 390, Height: 844, Lang: "zh"}),
		"large":        madeScene(madeFrame(24, 64), Session{Width: 1440, Height: 900}),
		"cluster":      madeScene(madeCluster(4, 6), Session{Width: 1440, Height: 900, View: "cluster"}),
		"cluster-dark": madeScene(madeCluster(3, 2), Session{Width: 1024, Height: 640, View: "cluster", Theme: Dark, Lang: "zh"}),
		"cluster-tiny": madeScene(madeCluster(6, 300), Session{Width: 390, Height: 844, View: "cluster"}),
		"failed":       Failure(os.ErrNotExist, Session{Width: 640, Height: 400}),
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
