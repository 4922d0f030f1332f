package stage

import "groupscope/render/scene"

// drawHeader draws the bar at the top: the name, the menus of lessons and variants, language, theme and help.
func drawHeader(p *pen, b box) {
	p.area(b, 0, p.in.theme.panel)
	p.line(b.X, b.bottom()-0.5, b.right(), b.bottom()-0.5, p.in.theme.line, 1)
	margin := p.in.size.gap
	if p.in.layout.form == narrow {
		margin = p.u(6)
	}
	inner := b.inset(margin, max(0, (b.H-p.in.size.control)/2))
	rest := drawSettings(p, inner)
	if p.in.layout.form == wide {
		name := p.title()
		w := name.width(productName)
		p.write(box{rest.X, rest.Y, w + 1, rest.H}, productName, name)
		_, rest = rest.left(w + p.u(18))
	}
	rest = drawVariantMenu(p, rest)
	p.menuButton(rest, control{
		id: "menu:lessons", label: p.in.words.say("menu.lessons"), tip: p.in.words.say("menu.lessons"),
		action: scene.Action{Do: Open, Arg: "lessons"},
	}, p.in.lesson.title, p.label().bold())
}

const productName = "groupscope"

// drawSettings draws the buttons at the right end and returns what is left of them.
func drawSettings(p *pen, b box) box {
	w := p.in.words
	gap := p.u(6)
	place := func(width float64) box {
		var at box
		at, b = b.rightmost(width)
		b.W -= gap
		return at
	}
	square := p.in.size.control
	p.button(place(square), control{
		id: "button:help", label: w.say("button.help"), tip: w.say("button.help"),
		action: scene.Action{Do: Open, Arg: "help"}, state: scene.State{Pressed: p.in.session.Overlay == "help"},
	}, "?")
	p.iconButton(place(square), control{
		id: "button:theme", label: w.say("button.theme"), tip: w.say("button.theme"), action: scene.Action{Do: Theme},
	}, iconTheme)
	if p.in.layout.form != narrow { // there it stands in the menu of lessons
		p.iconButton(place(square), control{
			id: "button:palette", label: w.say("palette"), tip: w.say("palette"), action: scene.Action{Do: Open, Arg: "palette"},
		}, iconSearch)
	}
	name, short := w.say("button.language"), w.say("button.language")
	if p.in.layout.form == narrow {
		short = w.say("button.language-short")
	}
	p.button(place(max(square, p.label().width(short)+p.u(20))), control{
		id: "button:language", label: name, tip: w.say("button.language-tip"), action: scene.Action{Do: Language},
	}, short)
	return b
}

// drawVariantMenu draws the switch between the variants of a lesson that has some, and returns what is left. A small
// screen has it in the menu of lessons.
func drawVariantMenu(p *pen, b box) box {
	in := p.in
	if len(in.lesson.variants) < 2 || in.layout.form == narrow {
		return b
	}
	title := in.lesson.variants[0].title
	for _, v := range in.lesson.variants {
		if v.id == in.lesson.variant {
			title = v.title
		}
	}
	s := p.label()
	at, rest := b.rightmost(min(b.W*0.42, s.width(title)+p.u(42)))
	p.menuButton(at, control{
		id: "menu:variants", label: in.words.say("menu.variants") + ": " + title, tip: in.words.say("menu.variants"),
		action: scene.Action{Do: Open, Arg: "variants"},
	}, title, s)
	rest.W -= p.u(6)
	return rest
}

// menuButton draws a button that opens a menu, as wide as its text needs.
func (p *pen) menuButton(b box, c control, text string, s style) {
	b.W = min(b.W, s.width(text)+p.u(42))
	p.control(b, c, func(q *pen, state scene.State) {
		fill, stroke, ink := q.buttonColors(state)
		q.frame(b, q.u(7), fill, stroke, 1)
		inner := b.inset(q.u(11), 0)
		sign, inner := inner.rightmost(q.u(12))
		inner.W -= q.u(4)
		q.write(inner, text, s.colored(ink))
		x, y, r := sign.midX()+q.u(1), sign.midY(), q.u(3.5)
		q.polygon(ink, scene.Point{X: x - r, Y: y - r*0.5}, scene.Point{X: x + r, Y: y - r*0.5}, scene.Point{X: x, Y: y + r*0.8})
	})
}
