package paint

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"groupscope/render/scene"
)

// lengths gives how long each part of a dashed line is.
func lengths(parts [][]scene.Point) []float64 {
	var all []float64
	for _, part := range parts {
		sum := 0.0
		for i := 1; i < len(part); i++ {
			sum += math.Hypot(part[i].X-part[i-1].X, part[i].Y-part[i-1].Y)
		}
		all = append(all, sum)
	}
	return all
}

func TestDashesGoRoundCorners(t *testing.T) {
	bent := []scene.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}}
	require.InDeltaSlice(t, []float64{4, 4, 4}, lengths(dashes(bent, []float64{4, 4})), 1e-9)
	require.InDeltaSlice(t, []float64{15, 2}, lengths(dashes(bent, []float64{15, 3})), 1e-9)
}

func TestDashesThatCannotBeSeenAreALine(t *testing.T) {
	line := []scene.Point{{X: 0, Y: 0}, {X: 10, Y: 0}}
	for _, dash := range [][]float64{{0, 0}, {-1, 1}, {0.1}} {
		require.Equal(t, [][]scene.Point{line}, dashes(line, dash))
	}
}

func TestDashesStayOnTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dash := rapid.SliceOfN(rapid.Float64Range(0.5, 30), 1, 4).Draw(t, "dash")
		sum := 0.0
		for _, l := range lengths(dashes([]scene.Point{{X: 0}, {X: 60}, {X: 60, Y: 40}}, dash)) {
			sum += l
		}
		require.LessOrEqual(t, sum, 100.001)
		require.Positive(t, sum)
	})
}

func TestTrianglesCoverThePolygon(t *testing.T) {
	shapes := map[string][]scene.Point{
		"triangle":         {{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 4, Y: 6}},
		"counterclockwise": {{X: 0, Y: 0}, {X: 4, Y: 6}, {X: 8, Y: 0}},
		"arrow":            {{X: 0, Y: 0}, {X: 10, Y: 5}, {X: 0, Y: 10}, {X: 4, Y: 5}},
		"cross": {
			{X: 3, Y: 0}, {X: 6, Y: 0}, {X: 6, Y: 3}, {X: 9, Y: 3}, {X: 9, Y: 6}, {X: 6, Y: 6},
			{X: 6, Y: 9}, {X: 3, Y: 9}, {X: 3, Y: 6}, {X: 0, Y: 6}, {X: 0, Y: 3}, {X: 3, Y: 3},
		},
	}
	for name, points := range shapes {
		t.Run(name, func(t *testing.T) {
			side := math.Copysign(1, area(points))
			corners := triangulate(points, side)
			require.Len(t, corners, 3*(len(points)-2))
			sum := 0.0
			for i := 0; i < len(corners); i += 3 {
				piece := area([]scene.Point{points[corners[i]], points[corners[i+1]], points[corners[i+2]]})
				require.GreaterOrEqual(t, piece*side, 0.0)
				sum += piece
			}
			require.InDelta(t, area(points), sum, 1e-9)
		})
	}
}

func TestTriangulateEndsOnAPolygonThatCrossesItself(t *testing.T) {
	bow := []scene.Point{{X: 0, Y: 0}, {X: 10, Y: 10}, {X: 10, Y: 0}, {X: 0, Y: 10}, {X: 5, Y: 20}}
	require.Len(t, triangulate(bow, 1), 9)
}

func TestAStrokeHasNoBrokenVertices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		point := rapid.Custom(func(t *rapid.T) scene.Point {
			return scene.Point{X: float64(rapid.IntRange(0, 3).Draw(t, "x")), Y: float64(rapid.IntRange(0, 3).Draw(t, "y"))}
		})
		var b batch
		b.stroke(rapid.SliceOfN(point, 0, 6).Draw(t, "points"), rapid.Bool().Draw(t, "closed"), 2, scene.Color{A: 255})
		for _, v := range b.vertices {
			require.InDelta(t, 0, v.DstX, 20)
			require.InDelta(t, 0, v.DstY, 20)
		}
		for _, i := range b.indices {
			require.Less(t, int(i), len(b.vertices))
		}
	})
}
