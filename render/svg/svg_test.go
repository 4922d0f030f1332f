package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/render/fonts/han"
	"groupscope/render/scene"
	"groupscope/render/scene/scenetest"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func written(t require.TestingT, s *scene.Scene) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, s))
	return b.String()
}

// TestGoldenKit compares with the file that GOLDEN=1 writes.
func TestGoldenKit(t *testing.T) {
	path := filepath.Join("testdata", "kit.svg")
	got := written(t, scenetest.Kit())
	if os.Getenv("GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// wellFormed reads a document and gives the names of its elements.
func wellFormed(t require.TestingT, document string) []string {
	var names []string
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			names = append(names, start.Name.Local)
		}
	}
}

func TestHostileTextStaysText(t *testing.T) {
	hostile := `</text><script>alert("1")</script>` + "\x00\x1b\u202e]]>&amp;\xff"
	s := &scene.Scene{Width: 10, Height: 10, Shapes: []scene.Shape{{
		ID: hostile, Role: scene.Button, Label: hostile, Tip: hostile,
		Kids: []scene.Shape{{Kind: scene.Text, Text: hostile, Font: scene.Font{Size: 12}, Fill: scene.Color{A: 255}, ID: hostile}},
	}}}
	document := written(t, s)
	require.Equal(t, []string{"svg", "g", "title", "text"}, wellFormed(t, document))
	require.NotContains(t, document, "\u202e")
}

func TestAnyTextIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		shape := scene.Shape{Kind: scene.Rect, ID: text, Role: scene.Image, Label: "a" + text}
		require.Equal(t, []string{"svg", "rect", "title"}, wellFormed(t, written(t, &scene.Scene{Shapes: []scene.Shape{shape}})))
	})
}

func TestDecimalsAreShort(t *testing.T) {
	for v, want := range map[float64]string{1.0 / 3: "0.33", -0.001: "0", 12: "12", 2.5: "2.5", math.Inf(1): "0", -7.126: "-7.13"} {
		require.Equal(t, want, decimal(v))
	}
	require.Equal(t, "0", decimal(math.NaN()))
}

func TestMeaningIsWrittenForReaders(t *testing.T) {
	document := written(t, &scene.Scene{Shapes: []scene.Shape{
		{Kind: scene.Rect, ID: "time", Role: scene.Slider, Label: "Event", Value: scene.Value{Max: 412, Now: 187, Text: "62.4 s"}},
		{Kind: scene.Rect, ID: "code", Role: scene.Tab, Label: "Code", State: scene.State{Selected: true, Disabled: true}},
	}})
	for _, part := range []string{
		`data-id="time" role="slider" aria-label="Event" aria-valuemin="0" aria-valuemax="412" aria-valuenow="187" aria-valuetext="62.4 s"`,
		`role="tab" aria-label="Code" aria-selected="true" aria-disabled="true"><title>Code</title>`,
	} {
		require.Contains(t, document, part)
	}
}

func TestPatternsAndClipsAreDefinedOnce(t *testing.T) {
	cell := scene.Shape{Kind: scene.Rect, W: 20, H: 20, Pattern: scene.Hatch, Stroke: scene.Color{R: 1, A: 255}}
	clip := scene.Shape{Clip: true, W: 30, H: 30, Kids: []scene.Shape{cell, cell}}
	names := wellFormed(t, written(t, &scene.Scene{Shapes: []scene.Shape{clip, clip}}))
	count := map[string]int{}
	for _, name := range names {
		count[name]++
	}
	require.Equal(t, 1, count["clipPath"])
	require.Equal(t, 1, count["pattern"])
}

func TestAFailingWriterIsReported(t *testing.T) {
	reader, writer := io.Pipe()
	require.NoError(t, reader.Close())
	require.ErrorIs(t, Write(writer, &scene.Scene{}), io.ErrClosedPipe)
}

func BenchmarkWrite3000Shapes(b *testing.B) {
	s := scenetest.Many(3000)
	b.ReportAllocs()
	var size int
	for b.Loop() {
		var out bytes.Buffer
		if err := Write(&out, s); err != nil {
			b.Fatal(err)
		}
		size = out.Len()
	}
	b.ReportMetric(float64(size), "bytes")
}
