package stage

import (
	"strconv"

	"groupscope/render/scene"
)

// transportButton is one button of the transport bar.
type transportButton struct {
	id, word string
	do       scene.Action
	icon     func(p *pen, x, y, r float64, c scene.Color)
	rare     bool // left out where there is little room
}

var transportButtons = []transportButton{
	{"transport:first", "help.first", scene.Action{Do: First}, iconFirst, true},
	{"transport:prev-beat", "help.prev-beat", scene.Action{Do: PrevBeat}, iconPrevBeat, false},
	{"transport:back", "help.back", scene.Action{Do: Back}, iconBack, false},
	{"transport:play", "help.play", scene.Action{Do: Toggle}, iconPlay, false},
	{"transport:step", "help.step", scene.Action{Do: Step}, iconStep, false},
	{"transport:next-beat", "help.next-beat", scene.Action{Do: NextBeat}, iconNextBeat, false},
	{"transport:last", "help.last", scene.Action{Do: Last}, iconLast, true},
}

// timeline is where the moving parts of the transport bar are: the knob on its rail and the clock.
type timeline struct {
	rail  box
	clock box
}

// drawTransport draws the bar at the bottom: buttons, speed, timeline and clock.
func drawTransport(p *pen, b box) timeline {
	p.area(b, 0, p.in.theme.panel)
	p.line(b.X, b.Y+0.5, b.right(), b.Y+0.5, p.in.theme.line, 1)
	inner := b.inset(p.in.size.gap, 0)
	if p.in.layout.form == narrow {
		rail, buttons := inner.top(44)
		buttons = buttons.inset(0, (buttons.H-44)/2)
		rest := drawTransportButtons(p, buttons)
		drawSpeed(p, rest, true)
		return drawRail(p, drawMarkButtons(p, rail))
	}
	inner = inner.inset(0, (inner.H-p.in.size.control)/2)
	rest := drawTransportButtons(p, inner)
	rest = drawSpeed(p, rest, false)
	return drawRail(p, drawMarkButtons(p, rest))
}

func drawTransportButtons(p *pen, b box) box {
	size, gap := p.in.size.control, p.u(6)
	width := round(size * 1.15)
	if p.in.layout.form == narrow {
		width, gap = min(48, (b.W-p.u(64)-4*4)/5), 4
	}
	for _, tb := range transportButtons {
		if tb.rare && p.in.layout.form != wide {
			continue
		}
		var at box
		at, b = b.left(width)
		b.X, b.W = b.X+gap, b.W-gap
		c := control{id: tb.id, label: p.in.words.say(tb.word), tip: p.in.words.say(tb.word), action: tb.do}
		icon := tb.icon
		if tb.do.Do == Toggle {
			c.state.Selected = true
			if p.in.session.Playing {
				icon, c.label = iconPause, p.in.words.say("help.pause")
				c.tip = c.label
			}
		}
		p.iconButton(at, c, icon)
	}
	return b
}

// drawSpeed draws slower, the speed, faster, and true time, as far as there is room, and returns the rest.
func drawSpeed(p *pen, b box, small bool) box {
	w, gap := p.in.words, p.u(4)
	next := func(width float64) box {
		var at box
		at, b = b.left(width)
		b.X, b.W = b.X+gap, b.W-gap
		return at
	}
	speed := speedText(p.in.session.Speed)
	if small {
		at, _ := b.rightmost(max(44, p.label().width("16×")+p.u(24)))
		p.button(at, control{
			id: "speed", label: w.say("speed.is", "n", speed), tip: w.say("help.faster"), action: scene.Action{Do: Speed, N: p.in.nextSpeed()},
		}, speed)
		return b
	}
	b.X, b.W = b.X+gap, b.W-gap
	size := p.in.size.control
	p.button(next(size), control{id: "speed:slower", label: w.say("help.slower"), tip: w.say("help.slower"), action: scene.Action{Do: Slower}}, "−")
	p.write(next(p.u(40)), speed, p.label().bold().aligned(scene.Center))
	p.button(next(size), control{id: "speed:faster", label: w.say("help.faster"), tip: w.say("help.faster"), action: scene.Action{Do: Faster}}, "+")
	p.iconButton(next(size), control{
		id: "true-time", label: w.say("help.true-time"), tip: w.say("help.true-time"), action: scene.Action{Do: TrueTime},
		state: scene.State{Pressed: p.in.session.TrueTime},
	}, iconClock)
	return b
}

// nextSpeed is the next speed up; after the highest comes the one below 1.
func (in *input) nextSpeed() float64 {
	if in.session.Speed >= 4 {
		return 0.5
	}
	return in.session.speedStep(1)
}

// speedText writes a speed: 1×, 1/8×.
func speedText(x float64) string {
	if x < 1 {
		return "1/" + strconv.FormatFloat(1/x, 'f', -1, 64) + "×"
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + "×"
}

// drawRail draws the timeline: beats as dots on the rail of the whole run.
func drawRail(p *pen, b box) timeline {
	in := p.in
	clockW := p.small().width(in.words.say("transport.clock", "time", in.words.clock(in.track.times[in.track.len()]),
		"n", number(in.track.len()), "of", number(in.track.len()))) + p.u(14)
	clock, rest := b.rightmost(clockW)
	rail := rest.inset(p.u(14), 0)
	p.control(rail, control{
		id: "timeline", label: in.words.say("transport.timeline"), role: scene.Slider, action: scene.Action{Do: Scrub},
		value: scene.Value{Min: 0, Max: 1, Now: in.share(in.pace.at(in.frame.Event, 0)), Text: in.words.say("transport.position",
			"n", number(in.frame.Event), "of", number(in.track.len()), "time", in.words.seconds(in.frame.At))},
	}, func(q *pen, _ scene.State) {
		q.area(box{rail.X, rail.midY() - 3, rail.W, 6}, 3, q.in.theme.line)
	})
	return timeline{rail: rail, clock: clock}
}

// share is where on the timeline a moment of the screen's clock lies, 0 to 1.
func (in *input) share(moment float64) float64 {
	if in.pace.end() == 0 {
		return 0
	}
	return clamp(moment/in.pace.end(), 0, 1)
}

// drawProgress draws the part of the timeline that is behind, the beats as dots, the knob and the clock.
func drawProgress(p *pen, t timeline, event int, phase float64) {
	in, rail := p.in, t.rail
	drawLoop(p, rail)
	x := rail.X + rail.W*in.share(in.pace.at(event, phase))
	p.area(box{rail.X, rail.midY() - 3, x - rail.X, 6}, 3, in.theme.strong)
	for i, at := range in.lesson.beats {
		bx := rail.X + rail.W*in.share(in.pace.at(at, 0))
		fill := in.theme.panel
		if at <= event {
			fill = in.theme.strong
		}
		id := "beat:" + number(i+1)
		p.group(scene.Shape{
			X: bx - 8, Y: rail.midY() - 12, W: 16, H: 24, ID: id, Action: scene.Action{Do: Seek, N: float64(at)},
			Tip: in.words.say("transport.beat", "n", number(i+1)),
		}, func(q *pen) {
			q.add(scene.Shape{Kind: scene.Circle, X: bx, Y: rail.midY(), Radius: 4.5, Fill: fill, Stroke: in.theme.strong, StrokeWidth: 1.5})
		})
	}
	p.add(scene.Shape{Kind: scene.Circle, X: x, Y: rail.midY(), Radius: p.u(8), Fill: in.theme.panel, Stroke: in.theme.strong, StrokeWidth: 3})
	text := in.words.say("transport.clock", "time", in.words.clock(in.pace.time(event, phase)),
		"n", number(event), "of", number(in.track.len()))
	if in.looked("clock") {
		p.halo(t.clock)
	}
	p.write(t.clock, text, p.small().colored(in.theme.text).aligned(scene.Right))
}
