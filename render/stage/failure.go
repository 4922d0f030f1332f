package stage

import (
	"errors"
	"strings"

	"groupscope/core/view"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// Failure is the picture of what went wrong: a wrong lesson with file, line, column, what was expected and what may
// have been meant, or any other error. Language and theme can still be changed, and another lesson chosen, by Session.Do.
func Failure(err error, s Session) *scene.Scene {
	s = s.normal()
	in := &input{session: &s, frame: emptyFrame, whole: newWhole([]*view.Frame{emptyFrame}, nil), limits: map[string]float64{}, rests: map[string]float64{}}
	in.lesson.menu = courseMenu(s.Lang)
	in.prepare()
	p := newPen(in)
	header, rest := box{0, 0, s.Width, s.Height}.top(in.layout.header.H)
	drawFailureHeader(p, header)
	width := min(rest.W-2*in.size.gap, p.u(900))
	panel := box{round(rest.midX() - width/2), rest.Y + in.size.gap, width, rest.H - 2*in.size.gap}
	p.panel(panel)
	inner := panel.inset(p.u(20), p.u(16))
	blocks := failureBlocks(p, inner.W-p.u(8), err)
	height := columnHeight(blocks)
	inner.W -= p.u(8)
	content := inner
	content.Y -= p.scrolled("failure", height, inner.H)
	p.pane("failure", in.words.say("failure.title"), inner, height, func(q *pen) { q.column(content, blocks) })
	drawOverlay(p)
	return &scene.Scene{Width: s.Width, Height: s.Height, Background: in.theme.back, Shapes: p.shapes}
}

func drawFailureHeader(p *pen, b box) {
	p.area(b, 0, p.in.theme.panel)
	p.line(b.X, b.bottom()-0.5, b.right(), b.bottom()-0.5, p.in.theme.line, 1)
	rest := drawSettings(p, b.inset(p.in.size.gap, max(0, (b.H-p.in.size.control)/2)))
	if p.in.layout.form != narrow {
		name := p.title()
		width := name.width(productName)
		p.write(box{rest.X, rest.Y, width + 1, rest.H}, productName, name)
		_, rest = rest.left(width + p.u(18))
	}
	w := p.in.words
	p.menuButton(rest, control{
		id: "menu:lessons", label: w.say("menu.lessons"), tip: w.say("menu.lessons"), action: scene.Action{Do: Open, Arg: "lessons"},
	}, w.say("menu.lessons"), p.label().bold())
}

// failureBlocks lays out an error: its problems one by one if it is a list of them.
func failureBlocks(p *pen, w float64, err error) []block {
	words := p.in.words
	blocks := []block{p.textBlock(words.say("failure.title"), w, p.title()), spaceBlock(p.u(8))}
	var problems lessons.Problems
	if errors.As(err, &problems) {
		blocks = append(blocks, p.textBlock(words.say("failure.lesson", "n", number(len(problems))), w, p.body()), spaceBlock(p.u(10)))
		for _, problem := range problems {
			blocks = append(blocks, problemBlocks(p, w, problem)...)
		}
		return blocks
	}
	text := words.say("failure.unknown")
	if err != nil {
		text = err.Error()
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.ReplaceAll(line, "\t", "  "); line != "" {
			blocks = append(blocks, p.textBlock(line, w, p.code()))
		}
	}
	return blocks
}

// problemBlocks lays out one problem of a lesson.
func problemBlocks(p *pen, w float64, problem lessons.Problem) []block {
	words := p.in.words
	place := problem.File
	if problem.Line > 0 {
		place += ":" + number(problem.Line) + ":" + number(problem.Column)
	}
	blocks := []block{p.textBlock(place, w, p.code().colored(p.in.theme.muted)), p.textBlock(problem.Message, w, p.body().bold())}
	if problem.Expected != "" {
		blocks = append(blocks, p.textBlock(words.say("failure.expected", "text", problem.Expected), w, p.body()))
	}
	if problem.Suggestion != "" {
		blocks = append(blocks, p.textBlock(words.say("failure.suggestion", "name", problem.Suggestion), w, p.body().colored(p.in.theme.good)))
	}
	return append(blocks, spaceBlock(p.u(14)))
}
