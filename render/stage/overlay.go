package stage

import (
	"strings"

	"groupscope/render/scene"
)

const dialogID = "dialog"

// drawOverlay draws what lies over the stage, if anything does.
func drawOverlay(p *pen) {
	in := p.in
	switch in.session.Overlay {
	case "lessons":
		drawMenu(p, in.words.say("menu.lessons"), in.lessonLines())
	case "variants":
		drawMenu(p, in.words.say("menu.variants"), in.variantLines())
	case "views":
		drawMenu(p, in.words.say("menu.views"), in.viewLines())
	case "kinds":
		drawMenu(p, in.words.say("menu.kinds"), in.kindLines())
	case "palette":
		drawPalette(p)
	case "share":
		drawMenu(p, in.words.say("menu.share"), in.shareLines())
	case "time":
		drawMenu(p, in.words.say("menu.time"), in.markLines())
	case "act":
		drawMenu(p, in.offersTitle(), in.offerLines())
	case "branches":
		drawMenu(p, in.words.say("menu.branches"), in.branchLines())
	case "help":
		drawHelp(p)
	}
}

// dialog draws a dialog in the middle of the stage, over a veil that closes it, and returns the room inside it.
func (p *pen) dialog(title string, width, height float64, draw func(q *pen, b box)) {
	in, t := p.in, p.in.theme
	all := box{0, 0, in.session.Width, in.session.Height}
	p.group(scene.Shape{X: 0, Y: 0, W: all.W, H: all.H, ID: "veil", Action: scene.Action{Do: Close}}, func(q *pen) {
		q.area(all, 0, t.veil)
	})
	margin := p.u(10)
	w, h := min(width, all.W-2*margin), min(height+p.u(74), all.H-2*margin)
	b := box{round(all.midX() - w/2), round(max(margin, all.midY()-h/2)), w, h}
	p.group(scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, ID: dialogID, Role: scene.Dialog, Label: title}, func(q *pen) {
		q.frame(b, q.u(12), t.panel, t.line, 1)
		inner := b.inset(q.u(18), q.u(12))
		head, rest := inner.top(max(q.u(36), in.size.control))
		size := in.size.control
		closing, name := head.rightmost(size)
		q.write(name, title, q.title())
		q.iconButton(box{closing.X, head.midY() - size/2, size, size}, control{
			id: "button:close", label: in.words.say("help.close"), tip: in.words.say("help.close"), action: scene.Action{Do: Close},
		}, iconClose)
		_, rest = rest.top(q.u(8))
		draw(q, rest)
	})
}

// menuLine is one line of a menu: something to choose, or a heading.
type menuLine struct {
	text, sign string // sign stands before the text
	heading    bool
	chosen     bool
	action     scene.Action
}

// lessonLines lists the lessons by chapter, and below the present one its variants.
func (in *input) lessonLines() []menuLine {
	out := []menuLine{{text: in.words.say("palette"), sign: "/", action: scene.Action{Do: Open, Arg: "palette"}}}
	chapter := ""
	for i, item := range in.lesson.menu {
		if item.chapter != chapter {
			chapter = item.chapter
			out = append(out, menuLine{text: chapter, heading: true})
		}
		chosen := item.id == in.lesson.id
		out = append(out, menuLine{text: item.title, sign: number(i + 1), chosen: chosen, action: scene.Action{Do: Lesson, Arg: item.id}})
		if chosen && len(in.lesson.variants) > 1 {
			out = append(out, in.variantLines()...)
		}
	}
	return out
}

// variantLines lists the variants of the present lesson.
func (in *input) variantLines() []menuLine {
	var out []menuLine
	for _, v := range in.lesson.variants {
		sign := ""
		if v.id == in.lesson.variant {
			sign = "›"
		}
		out = append(out, menuLine{text: v.title, sign: sign, chosen: sign != "", action: scene.Action{Do: Variant, Arg: v.id}})
	}
	return out
}

// viewLines lists the views.
func (in *input) viewLines() []menuLine {
	var out []menuLine
	for _, name := range Views {
		out = append(out, menuLine{text: in.words.say("view." + name), chosen: name == in.session.View, action: scene.Action{Do: View, Arg: name}})
	}
	return out
}

// drawMenu draws a list to choose from.
func drawMenu(p *pen, title string, lines []menuLine) {
	height, width := max(p.u(36), p.in.size.control), p.u(560)
	var blocks []block
	for _, line := range lines {
		if line.heading {
			blocks = append(blocks, spaceBlock(p.u(8)), p.textBlock(line.text, width, p.small().bold()), spaceBlock(p.u(2)))
			continue
		}
		blocks = append(blocks, block{height, func(q *pen, b box) { q.menuLine(b, &line) }}, spaceBlock(2))
	}
	total := columnHeight(blocks)
	p.dialog(title, width, total, func(q *pen, b box) {
		content := b
		content.Y -= q.scrolled("menu", total, b.H)
		q.pane("menu", title, b, total, func(r *pen) { r.column(content, blocks) })
	})
}

func (p *pen) menuLine(b box, line *menuLine) {
	p.control(b, control{
		id: line.action.Do + ":" + line.action.Arg, label: line.text, action: line.action,
		state: scene.State{Selected: line.chosen, Pressed: line.chosen && line.action.Do == Kind},
	}, func(q *pen, s scene.State) {
		t := q.in.theme
		switch {
		case s.Selected && line.action.Do == Lesson:
			q.frame(b, q.u(7), t.sunken, t.strong, 1.5)
		case s.Selected || s.Hovered:
			q.area(b, q.u(7), t.sunken)
		}
		sign, text := b.inset(q.u(10), 0).left(q.u(28))
		if line.action.Do == Variant {
			_, text = text.left(q.u(8))
		}
		q.write(sign, line.sign, q.label().colored(t.muted))
		st := q.body()
		if s.Selected {
			st = st.bold()
		}
		q.write(text, line.text, st)
	})
}

// drawHelp draws the keys and what they do.
func drawHelp(p *pen) {
	w := p.in.words
	line := p.u(28)
	columns := 1
	width := p.u(420)
	if p.in.layout.form == wide {
		columns, width = 2, p.u(760)
	}
	rows := (len(keyTable) + columns - 1) / columns
	height := float64(rows) * line
	intro := scene.Wrap(p.small().font, w.say("help.intro"), min(width, p.in.session.Width-p.u(20))-p.u(44))
	total := height + p.u(18)*float64(len(intro)) + p.u(10)
	p.dialog(w.say("button.help"), width, total, func(q *pen, b box) {
		content := b
		content.Y -= q.scrolled("help", total, b.H)
		q.pane("help", w.say("button.help"), b, total, func(r *pen) {
			for i, text := range intro {
				r.write(content.row(i, r.u(18)), text, r.small())
			}
			list := box{content.X, content.Y + r.u(18)*float64(len(intro)) + r.u(10), content.W, height}
			for i := range keyTable {
				at := list.columns(columns, r.u(24))[i/rows]
				r.helpLine(at.row(i%rows, line), &keyTable[i])
			}
		})
	})
}

// helpLine draws the keys of one action, and its word.
func (p *pen) helpLine(b box, k *keyHelp) {
	signs := make([]string, len(k.keys))
	for i, key := range k.keys {
		signs[i] = keySign(key)
	}
	keys, text := b.left(p.u(112))
	s := p.label().bold()
	p.write(keys, strings.Join(signs, "  "), s)
	p.write(text, p.in.words.say(k.word), p.label())
}
