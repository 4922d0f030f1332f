// Package scenetest holds example scenes for the tests and benchmarks of those who draw them.
package scenetest

import (
	"fmt"

	"groupscope/render/scene"
)

// The colours of the examples.
var (
	Ink    = scene.Color{R: 0x1a, G: 0x1f, B: 0x2e, A: 255}
	Quiet  = scene.Color{R: 0x62, G: 0x6a, B: 0x80, A: 255}
	Line   = scene.Color{R: 0xd9, G: 0xde, B: 0xe8, A: 255}
	Paper  = scene.Color{R: 0xf6, G: 0xf7, B: 0xf9, A: 255}
	White  = scene.Color{R: 255, G: 255, B: 255, A: 255}
	Blue   = scene.Color{R: 0x00, G: 0x72, B: 0xb2, A: 255}
	Orange = scene.Color{R: 0xe6, G: 0x9f, B: 0x00, A: 255}
	Green  = scene.Color{R: 0x00, G: 0x9e, B: 0x73, A: 255}
	Red    = scene.Color{R: 0xd5, G: 0x5e, B: 0x00, A: 255}
)

// Faint is a colour with a fifth of its opacity.
func Faint(c scene.Color) scene.Color {
	c.A = 51
	return c
}

// Kit is a small scene with a figure of every kind.
func Kit() *scene.Scene {
	s := &scene.Scene{Width: 640, Height: 400, Background: Paper}
	s.Shapes = append(s.Shapes, cells()...)
	s.Shapes = append(s.Shapes, card(20, 90), figures(), clipped(), words(), code())
	return s
}

// cells are records of a log, in every state that is told apart.
func cells() []scene.Shape {
	styles := []scene.Shape{
		{Fill: Blue}, {Fill: Faint(Blue), Stroke: Blue, StrokeWidth: 1},
		{Fill: Faint(Orange), Stroke: Orange, StrokeWidth: 1, Pattern: scene.Hatch},
		{Fill: Faint(Green), Stroke: Green, StrokeWidth: 1, Pattern: scene.CrossHatch},
		{Fill: Faint(Red), Stroke: Red, Pattern: scene.Dots},
		{Fill: White, Stroke: Line, StrokeWidth: 1, Dash: []float64{3, 3}},
		{Fill: Ink}, {Stroke: Ink, StrokeWidth: 2},
	}
	var shapes []scene.Shape
	for i, cell := range styles {
		cell.Kind, cell.X, cell.Y, cell.W, cell.H, cell.Radius = scene.Rect, 20+float64(i)*34, 20, 30, 30, 4
		label := scene.Shape{
			Kind: scene.Text, X: cell.X + 15, Y: cell.Y + 19, Text: fmt.Sprint(i + 7),
			Font: scene.Font{Size: 12}, Align: scene.Center, Fill: Ink,
		}
		if i == 0 || i == 6 {
			label.Fill = White
		}
		shapes = append(shapes, cell, label)
	}
	marker := scene.Shape{Kind: scene.Polygon, Points: []scene.Point{{X: 84, Y: 56}, {X: 90, Y: 64}, {X: 78, Y: 64}}, Fill: Ink}
	water := scene.Shape{Kind: scene.Line, Points: []scene.Point{{X: 188, Y: 16}, {X: 188, Y: 56}}, Stroke: Red, StrokeWidth: 2}
	return append(shapes, marker, water,
		scene.Shape{Kind: scene.Text, X: 94, Y: 65, Text: "committed", Font: scene.Font{Size: 11}, Fill: Ink},
		scene.Shape{Kind: scene.Text, X: 192, Y: 65, Text: "HW", Font: scene.Font{Size: 11}, Fill: Red})
}

// card is a consumer with two timers.
func card(x, y float64) scene.Shape {
	text := func(dx, dy float64, s string, f scene.Font, c scene.Color) scene.Shape {
		return scene.Shape{Kind: scene.Text, X: x + dx, Y: y + dy, Text: s, Font: f, Fill: c}
	}
	ring := func(dx, sweep float64, c scene.Color) []scene.Shape {
		return []scene.Shape{
			{Kind: scene.Circle, X: x + dx, Y: y + 92, Radius: 14, Stroke: Line, StrokeWidth: 4},
			{Kind: scene.Arc, X: x + dx, Y: y + 92, Radius: 14, Sweep: sweep, Stroke: c, StrokeWidth: 4},
		}
	}
	kids := []scene.Shape{
		{Kind: scene.Rect, X: x, Y: y, W: 230, H: 130, Radius: 8, Fill: White, Stroke: Blue, StrokeWidth: 1},
		{Kind: scene.Rect, X: x, Y: y, W: 230, H: 26, Radius: 8, Fill: Blue},
		text(12, 18, "C1", scene.Font{Size: 14, Bold: true}, White),
		text(12, 46, "owns", scene.Font{Size: 12}, Quiet),
		text(46, 46, "P0 P2", scene.Font{Size: 13, Bold: true}, Ink),
		text(12, 66, "JoinGroup sent", scene.Font{Size: 12}, Ink),
		text(54, 88, "session", scene.Font{Size: 11}, Quiet),
		text(54, 102, "37.9 / 45 s", scene.Font{Size: 11}, Ink),
		text(164, 88, "poll", scene.Font{Size: 11}, Quiet),
		text(164, 102, "4.5 / 5 min", scene.Font{Size: 11}, Ink),
	}
	kids = append(kids, ring(32, 0.842, Blue)...)
	kids = append(kids, ring(142, -0.1, Red)...)
	right := text(218, 18, "leader · rejoined", scene.Font{Size: 12}, White)
	right.Align = scene.Right
	return scene.Shape{
		ID: "consumer/C1", Role: scene.Button, Label: "C1, leader, owns P0 and P2", Focus: 1,
		Action: scene.Action{Do: "select", Arg: "C1"}, Tip: "C1 waits for the others", Kids: append(kids, right),
	}
}

// figures are lines and curves, thick and thin, a slice and a message on its way.
func figures() scene.Shape {
	kids := []scene.Shape{
		{Kind: scene.Arc, X: 300, Y: 116, Radius: 22, Start: 0.125, Sweep: 0.7, Fill: Faint(Green), Stroke: Green, StrokeWidth: 1},
		{Kind: scene.Curve, Points: []scene.Point{{X: 330, Y: 140}, {X: 360, Y: 80}, {X: 390, Y: 160}, {X: 420, Y: 96}}, Stroke: Red, StrokeWidth: 1.5},
		{Kind: scene.Line, Points: []scene.Point{{X: 270, Y: 206}, {X: 330, Y: 152}, {X: 420, Y: 176}}, Stroke: Blue, StrokeWidth: 1, Dash: []float64{2, 4}},
		{Kind: scene.Rect, X: 338, Y: 150, W: 84, H: 22, Radius: 11, Fill: Blue},
		{Kind: scene.Text, X: 380, Y: 165, Text: "JoinGroup", Font: scene.Font{Size: 12, Bold: true}, Align: scene.Center, Fill: White},
	}
	for i := range 4 {
		y := 186 + float64(i)*8
		kids = append(kids, scene.Shape{
			Kind: scene.Line, Points: []scene.Point{{X: 340, Y: y}, {X: 420, Y: y}}, Stroke: Quiet, StrokeWidth: 0.5 + 0.5*float64(i),
		})
	}
	return scene.Shape{Kids: kids}
}

// clipped is a disc of which a window shows a part.
func clipped() scene.Shape {
	return scene.Shape{
		Clip: true, X: 440, Y: 90, W: 60, H: 60, ID: "window", Role: scene.Image, Label: "Part of a disc",
		Kids: []scene.Shape{
			{Kind: scene.Circle, X: 490, Y: 130, Radius: 40, Fill: Orange},
			{Kind: scene.Text, X: 446, Y: 124, Text: "cut here", Font: scene.Font{Size: 16}, Fill: Ink},
		},
	}
}

func words() scene.Shape {
	var kids []scene.Shape
	y := 250.0
	say := func(f scene.Font, c scene.Color, s string) {
		for _, line := range scene.Wrap(f, s, 300) {
			y += f.Size * 1.5
			kids = append(kids, scene.Shape{Kind: scene.Text, X: 20, Y: y, Text: line, Font: f, Fill: c})
		}
	}
	say(scene.Font{Size: 18, Bold: true}, Ink, "Who repeats C2's work?")
	say(scene.Font{Size: 13}, Quiet, "AVATAR Type 11:07, “quoted” → 3.5 × 2 ≥ 7; the owner starts at the committed offset.")
	say(scene.Font{Size: 13, Bold: true}, Ink, "消费者崩溃之后：谁来重做？")
	return scene.Shape{Kids: append(kids, chinese()...)}
}

func chinese() []scene.Shape {
	var kids []scene.Shape
	f := scene.Font{Size: 14}
	for i, line := range scene.Wrap(f, "协调者说：“等到会话超时（session.timeout.ms）再平衡。”在此之前，分区 P1 没有人读……", 260) {
		kids = append(kids, scene.Shape{Kind: scene.Text, X: 350, Y: 272 + float64(i)*22, Text: line, Font: f, Fill: Ink})
	}
	return kids
}

func code() scene.Shape {
	var kids []scene.Shape
	for i, line := range []string{"while (running) {", "  var r = consumer.poll(ofMillis(100));", "  process(r); // 提交 -> ok != 0", "}"} {
		kids = append(kids, scene.Shape{
			Kind: scene.Text, X: 350, Y: 340 + float64(i)*17, Text: line, Font: scene.Font{Face: scene.Mono, Size: 12}, Fill: Ink,
		})
	}
	return scene.Shape{Kids: kids}
}

// Many is a scene of about n shapes, as a large group's would be: labelled cells in rows, with lines between them.
func Many(n int) *scene.Scene {
	s := &scene.Scene{Width: 1440, Height: 900, Background: Paper}
	for i := 0; len(s.Shapes) < n; i++ {
		x, y := float64(i%46)*31+6, float64(i/46)*27+6
		s.Shapes = append(s.Shapes,
			scene.Shape{Kind: scene.Rect, X: x, Y: y, W: 28, H: 24, Radius: 4, Fill: Faint(Blue), Stroke: Blue, StrokeWidth: 1},
			scene.Shape{Kind: scene.Text, X: x + 14, Y: y + 16, Text: fmt.Sprint(i), Font: scene.Font{Size: 11}, Align: scene.Center, Fill: Ink})
		if i%4 == 0 {
			s.Shapes = append(s.Shapes, scene.Shape{
				Kind: scene.Line, Points: []scene.Point{{X: x, Y: y}, {X: x + 90, Y: y + 60}}, Stroke: Quiet, StrokeWidth: 1,
			})
		}
	}
	return s
}
