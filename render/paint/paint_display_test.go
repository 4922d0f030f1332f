//go:build display

package paint_test

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/stretchr/testify/require"

	"groupscope/render/fonts/han"
	"groupscope/render/paint"
	"groupscope/render/paint/painttest"
	"groupscope/render/scene"
	"groupscope/render/scene/scenetest"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	painttest.Main(m)
}

var (
	red   = scene.Color{R: 200, G: 30, B: 20, A: 255}
	blue  = scene.Color{R: 10, G: 60, B: 220, A: 255}
	white = scene.Color{R: 255, G: 255, B: 255, A: 255}
)

func draw(scale float64, shapes ...scene.Shape) *image.RGBA {
	return paint.Snapshot(&scene.Scene{Width: 100, Height: 100, Background: white, Shapes: shapes}, scale)
}

// requireColor compares a pixel, with a little tolerance for what graphics processors round.
func requireColor(t *testing.T, want scene.Color, picture *image.RGBA, x, y int) {
	t.Helper()
	got := picture.RGBAAt(x, y)
	for _, pair := range [][2]uint8{{want.R, got.R}, {want.G, got.G}, {want.B, got.B}} {
		require.InDelta(t, pair[0], pair[1], 2, "at %d,%d: want %v, got %v", x, y, want, got)
	}
}

// ink is how much of the picture is not white, in whole pixels.
func ink(picture *image.RGBA) float64 {
	sum := 0.0
	for i := 0; i < len(picture.Pix); i += 4 {
		sum += (255 - float64(picture.Pix[i+1])) / 255
	}
	return sum
}

func TestBoxesAreCrispAtEveryScale(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		picture := draw(scale, scene.Shape{Kind: scene.Rect, X: 10.3, Y: 10.3, W: 50, H: 50, Fill: blue, Stroke: red, StrokeWidth: 1})
		seen := map[color.RGBA]bool{}
		for y := range picture.Rect.Dy() {
			for x := range picture.Rect.Dx() {
				seen[picture.RGBAAt(x, y)] = true
			}
		}
		require.Len(t, seen, 3, "scale %v: ground, fill and outline, and nothing between", scale)
	}
}

func TestAnOutlineLiesInsideItsBox(t *testing.T) {
	picture := draw(1, scene.Shape{Kind: scene.Rect, X: 10, Y: 10, W: 20, H: 20, Fill: blue, Stroke: red, StrokeWidth: 2})
	requireColor(t, white, picture, 9, 20)
	requireColor(t, red, picture, 10, 20)
	requireColor(t, red, picture, 11, 20)
	requireColor(t, blue, picture, 12, 20)
	requireColor(t, red, picture, 29, 20)
	requireColor(t, white, picture, 30, 20)
}

func TestALargePanelHasNoSeams(t *testing.T) {
	faint := scene.Color{R: 10, G: 60, B: 220, A: 60}
	s := &scene.Scene{Width: 300, Height: 200, Background: white, Shapes: []scene.Shape{
		{Kind: scene.Rect, X: 10, Y: 10, W: 280, H: 180, Radius: 9, Fill: faint, Stroke: red, StrokeWidth: 1},
	}}
	for _, scale := range []float64{1, 1.5, 2} {
		picture := paint.Snapshot(s, scale)
		for y := int(12 * scale); y < int(188*scale); y++ {
			requireColor(t, faint.Over(white), picture, int(150*scale), y)
		}
		for x := int(12 * scale); x < int(288*scale); x++ {
			requireColor(t, faint.Over(white), picture, x, int(100*scale))
		}
		requireColor(t, red, picture, int(150*scale), int(10*scale))
		requireColor(t, white, picture, int(10*scale), int(10*scale))
	}
}

func TestRoundCornersAreCutAway(t *testing.T) {
	picture := draw(1, scene.Shape{Kind: scene.Rect, X: 10, Y: 10, W: 40, H: 40, Radius: 12, Fill: blue})
	requireColor(t, white, picture, 11, 11)
	requireColor(t, blue, picture, 15, 15)
	requireColor(t, blue, picture, 30, 10)
}

func TestColoursMixByTheirOpacity(t *testing.T) {
	half := scene.Color{R: blue.R, G: blue.G, B: blue.B, A: 128}
	picture := draw(1, scene.Shape{Kind: scene.Rect, W: 50, H: 50, Fill: red}, scene.Shape{Kind: scene.Rect, W: 50, H: 50, Fill: half})
	requireColor(t, half.Over(red), picture, 25, 25)
}

func TestHairlinesAreOneDevicePixel(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		picture := draw(scale, scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 10, Y: 20}, {X: 60, Y: 20}}, Stroke: red, StrokeWidth: 0.5})
		x, rows := int(30*scale), 0
		for y := range picture.Rect.Dy() {
			if picture.RGBAAt(x, y) == (color.RGBA{R: red.R, G: red.G, B: red.B, A: 255}) {
				rows++
			} else {
				requireColor(t, white, picture, x, y)
			}
		}
		require.Equal(t, 1, rows, "scale %v", scale)
	}
}

func TestFiguresHaveTheirSize(t *testing.T) {
	inked := 1 - float64(red.G)/255
	cases := map[string]struct {
		shape scene.Shape
		area  float64
	}{
		"circle":     {scene.Shape{Kind: scene.Circle, X: 50, Y: 50, Radius: 20, Fill: red}, 1256.6},
		"ring":       {scene.Shape{Kind: scene.Circle, X: 50, Y: 50, Radius: 20, Stroke: red, StrokeWidth: 4}, 502.7},
		"arc":        {scene.Shape{Kind: scene.Arc, X: 50, Y: 50, Radius: 20, Start: 0.1, Sweep: 0.25, Stroke: red, StrokeWidth: 4}, 125.7},
		"long arc":   {scene.Shape{Kind: scene.Arc, X: 50, Y: 50, Radius: 20, Start: 0.1, Sweep: -0.9, Stroke: red, StrokeWidth: 4}, 452.4},
		"slice":      {scene.Shape{Kind: scene.Arc, X: 50, Y: 50, Radius: 20, Sweep: 0.75, Fill: red}, 942.5},
		"whole arc":  {scene.Shape{Kind: scene.Arc, X: 50, Y: 50, Radius: 20, Sweep: 1, Stroke: red, StrokeWidth: 4}, 502.7},
		"slope":      {scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 10, Y: 10}, {X: 40, Y: 50}}, Stroke: red, StrokeWidth: 3}, 150},
		"thin slope": {scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 10, Y: 10}, {X: 40, Y: 50}}, Stroke: red, StrokeWidth: 0.5}, 25},
		"bent line":  {scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 10, Y: 10}, {X: 50, Y: 10}, {X: 50, Y: 50}}, Stroke: red, StrokeWidth: 4}, 320},
		"dashed":     {scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 10, Y: 10}, {X: 50, Y: 10}}, Stroke: red, StrokeWidth: 2, Dash: []float64{5, 5}}, 40},
		"triangle":   {scene.Shape{Kind: scene.Polygon, Points: []scene.Point{{X: 10, Y: 10}, {X: 50, Y: 10}, {X: 10, Y: 50}}, Fill: red}, 800},
		"arrow":      {scene.Shape{Kind: scene.Polygon, Points: []scene.Point{{X: 10, Y: 10}, {X: 60, Y: 30}, {X: 10, Y: 50}, {X: 30, Y: 30}}, Fill: red}, 600},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, scale := range []float64{1, 2} {
				require.InEpsilon(t, c.area*scale*scale, ink(draw(scale, c.shape))/inked, 0.03, "scale %v", scale)
			}
		})
	}
}

func TestArcsBeginAtTheTopAndGoClockwise(t *testing.T) {
	picture := draw(1, scene.Shape{Kind: scene.Arc, X: 50, Y: 50, Radius: 20, Sweep: 0.25, Fill: red})
	requireColor(t, red, picture, 56, 42)
	requireColor(t, white, picture, 44, 42)
	requireColor(t, white, picture, 56, 58)
}

func TestACurveEndsWhereItShould(t *testing.T) {
	picture := draw(1, scene.Shape{
		Kind: scene.Curve, Points: []scene.Point{{X: 10, Y: 80}, {X: 10, Y: 20}, {X: 90, Y: 20}, {X: 90, Y: 80}}, Stroke: red, StrokeWidth: 4,
	})
	requireColor(t, red, picture, 50, 35)
	requireColor(t, red, picture, 10, 75)
	requireColor(t, white, picture, 50, 80)
}

func TestPatternsAreSeenAndLeaveTheFill(t *testing.T) {
	for _, pattern := range []scene.Pattern{scene.Hatch, scene.CrossHatch, scene.Dots} {
		picture := draw(2, scene.Shape{Kind: scene.Rect, X: 10, Y: 10, W: 40, H: 40, Fill: blue, Stroke: white, Pattern: pattern})
		marked, plain := 0, 0
		for y := 20; y < 100; y++ {
			for x := 20; x < 100; x++ {
				if picture.RGBAAt(x, y) == (color.RGBA{R: blue.R, G: blue.G, B: blue.B, A: 255}) {
					plain++
				} else {
					marked++
				}
			}
		}
		require.Greater(t, marked, 300)
		require.Greater(t, plain, 2000)
	}
}

func TestAClipHidesWhatIsOutside(t *testing.T) {
	inner := scene.Shape{Clip: true, X: 0, Y: 0, W: 100, H: 30, Kids: []scene.Shape{{Kind: scene.Rect, W: 100, H: 100, Fill: red}}}
	outer := scene.Shape{Clip: true, X: 20, Y: 20, W: 40, H: 40, Kids: []scene.Shape{inner}}
	picture := draw(1, outer, scene.Shape{Kind: scene.Rect, X: 80, Y: 80, W: 10, H: 10, Fill: blue})
	requireColor(t, red, picture, 30, 25)
	requireColor(t, white, picture, 30, 35)
	requireColor(t, white, picture, 10, 25)
	requireColor(t, white, picture, 70, 25)
	requireColor(t, blue, picture, 85, 85)
}

func TestTextHasItsColourAndItsPlace(t *testing.T) {
	font := scene.Font{Size: 40, Bold: true}
	picture := draw(1, scene.Shape{Kind: scene.Text, X: 10, Y: 60, Text: "I", Font: font, Fill: red})
	middle := int(10 + scene.Width(font, "I")/2)
	requireColor(t, red, picture, middle, 45)
	requireColor(t, red, picture, middle, 59)
	requireColor(t, white, picture, middle, 60)
	requireColor(t, white, picture, middle, 59-int(0.75*font.Size))
}

func TestAlignedTextKeepsToItsEnd(t *testing.T) {
	font := scene.Font{Size: 20}
	for align, side := range map[scene.Align][2]int{scene.Left: {50, 99}, scene.Right: {0, 49}} {
		picture := draw(1, scene.Shape{Kind: scene.Text, X: 50, Y: 60, Text: "HHH", Font: font, Align: align, Fill: red})
		for x := range 100 {
			column := picture.SubImage(image.Rect(x, 0, x+1, 100)).(*image.RGBA)
			inked := false
			for y := range 100 {
				inked = inked || column.RGBAAt(x, y).G < 200
			}
			if inked {
				require.True(t, x >= side[0] && x <= side[1], "align %v: ink at %d", align, x)
			}
		}
	}
}

func TestChineseIsDrawn(t *testing.T) {
	picture := draw(1, scene.Shape{Kind: scene.Text, X: 10, Y: 60, Text: "中", Font: scene.Font{Size: 60}, Fill: red})
	require.Greater(t, ink(picture), 300.0)
}

func TestMoreGlyphsThanTheAtlasHolds(t *testing.T) {
	var shapes []scene.Shape
	for i := range 40 {
		shapes = append(shapes, scene.Shape{
			Kind: scene.Text, X: 0, Y: 90, Text: "Rebalance", Font: scene.Font{Size: 90 + float64(i)/2}, Fill: scene.Color{A: 1},
		})
	}
	last := scene.Shape{Kind: scene.Text, X: 10, Y: 60, Text: "I", Font: scene.Font{Size: 40, Bold: true}, Fill: red}
	requireColor(t, red, draw(3, append(shapes, last)...), int(3*(10+scene.Width(last.Font, "I")/2)), 150)
}

// TestKitIsDrawn keeps the picture where PAINT_KIT says, to be looked at.
func TestKitIsDrawn(t *testing.T) {
	picture := paint.Snapshot(scenetest.Kit(), 2)
	require.Greater(t, ink(picture), 50000.0)
	path := os.Getenv("PAINT_KIT")
	if path == "" {
		return
	}
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, picture))
	require.NoError(t, file.Close())
}

// BenchmarkDraw3000Shapes waits for each picture, so that it measures the graphics processor too, or what stands in
// for one.
func BenchmarkDraw3000Shapes(b *testing.B) {
	s := scenetest.Many(3000)
	canvas := ebiten.NewImage(1440, 900)
	corner := canvas.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image)
	pixel := make([]byte, 4)
	b.ReportAllocs()
	for b.Loop() {
		paint.Draw(canvas, s, 1)
		corner.ReadPixels(pixel)
	}
}
