package stage

import (
	"groupscope/lessons"
	"groupscope/render/scene"
)

// block is a piece of a column of text: how tall it is, and how it is drawn.
type block struct {
	height float64
	draw   func(p *pen, b box)
}

// column draws blocks below each other and returns the height of all.
func (p *pen) column(b box, blocks []block) {
	for _, bl := range blocks {
		bl.draw(p, box{b.X, b.Y, b.W, bl.height})
		b.Y += bl.height
	}
}

func columnHeight(blocks []block) float64 {
	sum := 0.0
	for _, bl := range blocks {
		sum += bl.height
	}
	return sum
}

func spaceBlock(h float64) block { return block{h, func(*pen, box) {}} }

func (p *pen) textBlock(text string, w float64, s style) block {
	return block{paragraphHeight(text, w, s), func(q *pen, b box) { q.paragraph(b, text, s) }}
}

// spoken makes a block known to those who cannot see it.
func spoken(id string, role scene.Role, text string, b block) block {
	return block{b.height, func(p *pen, at box) {
		p.group(scene.Shape{X: at.X, Y: at.Y, W: at.W, H: at.H, ID: id, Role: role, Label: text}, func(q *pen) { b.draw(q, at) })
	}}
}

// drawNarration draws what the present beat says: where one is in the lesson, the title, the text, the question.
func drawNarration(p *pen, b box) {
	p.panel(b)
	w := p.in.words
	margin := p.u(18)
	if p.in.layout.form != wide {
		margin = p.u(12)
	}
	inner := b.inset(margin, p.u(12))
	foot, inner := inner.under(p.in.size.control)
	inner.H = max(0, inner.H-p.u(8))
	drawBeatButtons(p, foot)
	blocks := beatBlocks(p, inner.W-p.u(6))
	height := columnHeight(blocks)
	inner.W -= p.u(6)
	content := inner
	content.Y -= p.scrolled("narration", height, inner.H)
	p.pane("narration", w.say("panel.narration"), inner, height, func(q *pen) { q.column(content, blocks) })
}

// drawBeatButtons draws the way back and on, and the number of the beat between them.
func drawBeatButtons(p *pen, b box) {
	w, in := p.in.words, p.in
	on, next := p.nextButton()
	width := func(text string) float64 { return p.label().width(text) + p.u(34) }
	right, rest := b.rightmost(width(next))
	left, middle := rest.left(width(w.say("beat.back")))
	p.button(left, control{
		id: "beat:back", label: w.say("help.prev-beat"), action: scene.Action{Do: PrevBeat},
		state: scene.State{Disabled: in.frame.Event == 0},
	}, w.say("beat.back"))
	p.button(right, on, next)
	if in.layout.form == narrow {
		at := box{middle.midX() - b.H/2, b.Y, b.H, b.H}
		icon, label := iconUp, w.say("sheet.unfold")
		if in.session.Sheet {
			icon, label = iconDown, w.say("sheet.fold")
		}
		p.iconButton(at, control{id: "sheet", label: label, tip: label, action: scene.Action{Do: Sheet}}, icon)
	}
}

// nextButton is the way on, and its text: to the next beat, after the last one to the end, and from there to the next
// lesson of the course.
func (p *pen) nextButton() (control, string) {
	w, in := p.in.words, p.in
	ended := in.frame.Event >= in.track.len()
	c := control{id: "beat:next", label: w.say("help.next-beat"), action: scene.Action{Do: NextBeat}}
	switch {
	case ended && in.changed():
		c.label, c.action, c.state.Selected = w.say("branch.extend"), scene.Action{Do: Extend, N: extension.Seconds()}, true
		return c, c.label
	case ended && in.lesson.next != "":
		c.label, c.action, c.state.Selected = w.say("beat.next-lesson"), scene.Action{Do: Lesson, Arg: in.lesson.next}, true
		return c, c.label
	case in.lesson.beat >= len(in.lesson.beats)-1 || in.silent():
		c.state.Disabled = ended
		return c, w.say("beat.end")
	}
	c.state.Selected, c.state.Disabled = true, ended
	return c, w.say("beat.next")
}

// beatBlocks lays out what the present beat says, w wide.
func beatBlocks(p *pen, w float64) []block {
	in, text := p.in, p.in.lesson.text
	if in.silent() {
		return branchBlocks(p, w)
	}
	if in.lesson.beat < 0 {
		return []block{p.textBlock(in.lesson.title, w, p.title()), p.textBlock(in.words.say("beat.before"), w, p.body())}
	}
	place := in.words.say("beat.place", "n", number(in.lesson.beat+1), "of", number(len(in.lesson.beats)))
	if at := in.lesson.beats[in.lesson.beat]; in.frame.Event > at {
		place = in.words.say("beat.past", "n", number(in.lesson.beat+1), "of", number(len(in.lesson.beats)), "more", number(in.frame.Event-at))
	}
	blocks := []block{
		p.textBlock(place, w, p.small()), spaceBlock(p.u(2)),
		spoken("beat:title", scene.Heading, text.Title, p.textBlock(text.Title, w, p.title())), spaceBlock(p.u(6)),
	}
	for i, paragraph := range text.Text {
		id := "beat:text:" + number(i+1)
		blocks = append(blocks, spoken(id, scene.Note, paragraph, p.textBlock(paragraph, w, p.body())), spaceBlock(p.u(8)))
	}
	if text.Question != nil {
		blocks = append(blocks, questionBlocks(p, w, text.Question)...)
	}
	if in.changed() {
		blocks = append(blocks, actButtons(p, w))
	}
	return blocks
}

// questionBlocks lays out a question; once it is answered, what is right and why.
func questionBlocks(p *pen, w float64, q *lessons.QuestionWords) []block {
	chosen, answered := p.in.session.Answers[q.ID]
	blocks := []block{
		spaceBlock(p.u(4)), p.textBlock(p.in.words.say("question.predict"), w, p.small().colored(p.in.theme.muted).bold()),
		spoken("question:prompt", scene.Note, q.Prompt, p.textBlock(q.Prompt, w, p.body().bold())), spaceBlock(p.u(6)),
	}
	for _, o := range q.Options {
		blocks = append(blocks, optionBlock(p, w, q.ID, o, chosen, answered), spaceBlock(p.u(6)))
	}
	if !answered {
		return blocks
	}
	verdict, color := p.in.verdict(q)
	return append(blocks, spaceBlock(p.u(2)), p.textBlock(verdict, w, p.body().bold().colored(color)),
		spoken("question:explain", scene.Note, q.Explain, p.textBlock(q.Explain, w, p.body())), spaceBlock(p.u(8)))
}

// verdict says whether the answer to a question was right, and in which color.
func (in *input) verdict(q *lessons.QuestionWords) (string, scene.Color) {
	for _, o := range q.Options {
		if o.ID == in.session.Answers[q.ID] && o.Right {
			return in.words.say("question.right"), in.theme.good
		}
	}
	return in.words.say("question.wrong"), in.theme.warn
}

// optionBlock lays out one possible answer as a radio button. An answered question keeps the focus: its options can still
// be reached and read.
func optionBlock(p *pen, w float64, question string, o lessons.OptionWords, chosen string, answered bool) block {
	s := p.label()
	lines := scene.Wrap(s.font, o.Text, w-p.u(46))
	height := max(p.in.size.control, s.lineHeight()*float64(len(lines))+p.u(12))
	return block{height, func(q *pen, b box) {
		c := control{
			id: "answer:" + question + "/" + o.ID, label: o.Text, role: scene.Radio,
			action: scene.Action{Do: Answer, Arg: question + "/" + o.ID},
			state:  scene.State{Selected: chosen == o.ID},
		}
		if answered && o.Right {
			c.label = q.in.words.say("question.right-option", "text", o.Text)
		}
		q.control(b, c, func(q *pen, state scene.State) { q.option(b, lines, s, o, state, answered) })
	}}
}

// option draws a possible answer: after the answer the right one has a tick, a wrong choice a cross.
func (p *pen) option(b box, lines []string, s style, o lessons.OptionWords, state scene.State, answered bool) {
	t := p.in.theme
	fill, stroke, width := t.panel, t.line, 1.0
	if state.Hovered && !answered {
		fill = t.sunken
	}
	if state.Selected {
		fill, stroke, width = t.sunken, t.strong, 2
	}
	p.frame(b, p.u(7), fill, stroke, width)
	sign, rest := b.left(p.u(34))
	x, y, r := sign.midX()+p.u(1), b.midY(), p.u(6.5)
	switch {
	case answered && o.Right:
		iconTick(p, x, y, r, t.good)
	case answered && state.Selected:
		iconClose(p, x, y, r, t.warn)
	default:
		p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r, Stroke: t.muted, StrokeWidth: 1.5})
	}
	h := s.lineHeight()
	top := b.midY() - h*float64(len(lines))/2
	for i, line := range lines {
		p.write(box{rest.X, top + float64(i)*h, rest.W - p.u(10), h}, line, s)
	}
}
