package stage

import "groupscope/render/scene"

// tabPlaces are the boxes of tabs with these texts, each as wide as its text deserves.
func tabPlaces(p *pen, b box, texts []string) []box {
	s := p.tabStyle().bold()
	sum := 0.0
	widths := make([]float64, len(texts))
	for i, text := range texts {
		widths[i] = s.width(text)
		sum += widths[i]
	}
	spare := max(0, b.W-sum) / float64(len(texts))
	if p.in.layout.form == wide {
		spare = min(spare, p.u(44))
	}
	places := make([]box, len(texts))
	for i, w := range widths {
		places[i], b = b.left(w + spare)
	}
	return places
}

// tabStyle is the type of the tabs, smaller on a phone.
func (p *pen) tabStyle() style {
	s := p.label().aligned(scene.Center)
	if p.in.layout.form == narrow {
		s.font.Size = p.in.size.small
	}
	return s
}

// drawTabs draws the row of tabs.
func drawTabs(p *pen, b box) {
	names := p.in.layout.tabNames()
	shown := p.in.layout.shown(p.in.session)
	if p.in.layout.form == wide {
		p.tabGround(b)
		b = b.inset(p.u(6), 0)
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = p.in.words.say("tab." + name)
		if name == "picture" && p.in.layout.form != wide {
			texts[i] = p.in.words.say("view."+p.in.session.View) + " ▾"
		}
	}
	for i, at := range tabPlaces(p, b, texts) {
		action := scene.Action{Do: Panel, Arg: names[i]}
		if names[i] == "picture" && names[i] == shown {
			action = scene.Action{Do: Open, Arg: "views"}
		}
		p.tab(at, control{id: "tab:" + names[i], label: texts[i], action: action, state: scene.State{Selected: names[i] == shown}})
	}
}

// drawViewTabs draws the tabs of the views above the picture.
func drawViewTabs(p *pen, b box) {
	p.line(b.X, b.bottom()-0.5, b.right(), b.bottom()-0.5, p.in.theme.line, 1)
	texts := make([]string, len(Views))
	for i, name := range Views {
		texts[i] = p.in.words.say("view." + name)
	}
	for i, at := range tabPlaces(p, b.inset(p.u(6), 0), texts) {
		p.tab(at, control{
			id: "view:" + Views[i], label: texts[i], action: scene.Action{Do: View, Arg: Views[i]},
			state: scene.State{Selected: Views[i] == p.in.session.View},
		})
	}
}

// tab draws one tab.
func (p *pen) tab(b box, c control) {
	c.role = scene.Tab
	p.control(b, c, func(q *pen, s scene.State) {
		st := q.tabStyle().colored(q.in.theme.muted)
		if s.Selected || s.Hovered {
			st = st.colored(q.in.theme.text)
		}
		if s.Selected {
			st = st.bold()
			foot, _ := b.under(3)
			q.area(foot.inset(q.u(8), 0), 1.5, q.in.theme.strong)
		}
		q.write(b.inset(1, 0), c.label, st)
	})
}

// tabGround joins the tabs with the panel below them.
func (p *pen) tabGround(b box) {
	below := max(p.in.layout.side.H, p.in.layout.sequence.H)
	if !p.in.layout.low {
		below = p.in.layout.side.H
	}
	p.panel(box{b.X, b.Y, b.W, b.H + below})
	p.line(b.X, b.bottom()-0.5, b.right(), b.bottom()-0.5, p.in.theme.line, 1)
}

// drawSide draws the panel that the tabs choose.
func drawSide(p *pen, b box) {
	if p.in.layout.form != wide {
		p.panel(b)
	}
	inner := b.inset(p.u(16), p.u(10))
	switch p.in.layout.shown(p.in.session) {
	case "code":
		drawCode(p, inner)
	case "coordinator":
		drawRows(p, "coordinator", inner, p.in.coordinatorRows())
	default:
		drawRows(p, "details", inner, p.in.detailRows())
	}
}

// row is one line of a table of names and values.
type row struct {
	name, value string
	head        bool // a heading above other rows
	warm        bool // something is wrong
	indent      int
	id          string // a control's
	action      scene.Action
}

// drawRows draws a table that scrolls.
func drawRows(p *pen, name string, b box, rows []row) {
	b.W -= p.u(6)
	var blocks []block
	for i := range rows {
		blocks = append(blocks, rowBlock(p, b.W, &rows[i]))
	}
	height := columnHeight(blocks)
	content := b
	content.Y -= p.scrolled(name, height, b.H)
	p.pane(name, p.in.words.say("tab."+name), b, height, func(q *pen) { q.column(content, blocks) })
}

// rowBlock lays out one row: its name, and beside it its value on as many lines as it needs.
func rowBlock(p *pen, w float64, r *row) block {
	if r.head {
		s := p.label().bold()
		gap := p.u(6)
		return block{gap + paragraphHeight(r.value, w, s), func(q *pen, b box) {
			_, b = b.top(gap)
			q.paragraph(b, r.value, s)
		}}
	}
	indent := float64(r.indent) * p.u(12)
	nameW := round((w - indent) * 0.36)
	if r.name == "" {
		nameW = 0
	}
	s := p.small().colored(p.in.theme.text)
	if r.warm {
		s = s.colored(p.in.theme.warn)
	}
	valueW := w - indent - nameW
	nameStyle := p.small()
	height := max(paragraphHeight(r.value, valueW, s), paragraphHeight(r.name, nameW-p.u(8), nameStyle)) + p.u(2)
	link := r.action != (scene.Action{})
	if link && p.in.layout.form == narrow {
		height = max(height, p.in.size.control)
	}
	return block{height, func(q *pen, b box) {
		_, b = b.left(indent)
		name, value := b.left(nameW)
		name.W -= p.u(8)
		q.paragraph(name, r.name, nameStyle)
		if !link {
			q.paragraph(value, r.value, s)
			return
		}
		q.control(value, control{id: r.id, label: r.name + " " + r.value, action: r.action}, func(k *pen, state scene.State) {
			k.paragraph(value, r.value, s)
			line := k.in.theme.muted
			if state.Hovered {
				line = k.in.theme.text
			}
			under := value.Y + paragraphHeight(r.value, valueW, s) - 1
			k.line(value.X, under, value.X+min(valueW, s.width(r.value)), under, line, 1)
		})
	}}
}
