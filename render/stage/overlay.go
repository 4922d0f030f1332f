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
		drawMenu(p, in.words.say("menu.lessons"), in.lesson.menu, in.lesson.id, Lesson)
	case "variants":
		drawMenu(p, in.words.say("menu.variants"), in.lesson.variants, in.lesson.variant, Variant)
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

// drawMenu draws a list to choose from, with a heading for each chapter.
func drawMenu(p *pen, title string, items []menuItem, chosen, do string) {
	line := max(p.u(36), p.in.size.control)
	width := p.u(560)
	var blocks []block
	chapter := ""
	for i, item := range items {
		if item.chapter != chapter {
			chapter = item.chapter
			blocks = append(blocks, spaceBlock(p.u(8)), p.textBlock(chapter, width, p.small().bold()), spaceBlock(p.u(2)))
		}
		blocks = append(blocks, block{line, func(q *pen, b box) { q.menuLine(b, item, i+1, item.id == chosen, do) }}, spaceBlock(2))
	}
	height := columnHeight(blocks)
	p.dialog(title, width, height, func(q *pen, b box) {
		content := b
		content.Y -= q.scrolled("menu", height, b.H)
		q.pane("menu", title, b, height, func(r *pen) { r.column(content, blocks) })
	})
}

func (p *pen) menuLine(b box, item menuItem, n int, chosen bool, do string) {
	name := do + ":" + item.id
	p.control(b, control{
		id: name, label: item.title, action: scene.Action{Do: do, Arg: item.id}, state: scene.State{Selected: chosen},
	}, func(q *pen, s scene.State) {
		t := q.in.theme
		switch {
		case s.Selected:
			q.frame(b, q.u(7), t.sunken, t.strong, 1.5)
		case s.Hovered:
			q.area(b, q.u(7), t.sunken)
		}
		place, text := b.inset(q.u(10), 0).left(q.u(28))
		if do == Lesson {
			q.write(place, number(n), q.label().colored(t.muted))
		} else {
			text = b.inset(q.u(10), 0)
		}
		st := q.body()
		if s.Selected {
			st = st.bold()
		}
		q.write(text, item.title, st)
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
