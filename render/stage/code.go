package stage

import (
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// chosenConsumer is the consumer whose program and group are shown: the selected one, or else the first that lives.
func (in *input) chosenConsumer() *view.Consumer {
	if id, ok := strings.CutPrefix(in.session.Selected, "node:"); ok {
		if c := in.consumer(kafka.NodeID(id)); c != nil {
			return c
		}
	}
	var first *view.Consumer
	for i := range in.frame.Consumers {
		c := &in.frame.Consumers[i]
		if first == nil || first.Liveness.Gone() && !c.Liveness.Gone() {
			first = c
		}
	}
	return first
}

// comingConsumer is the first consumer of the run as it is before it starts: it has its program, and does nothing yet.
func (in *input) comingConsumer() *view.Consumer {
	all := in.whole.last().Consumers
	if len(all) == 0 {
		return nil
	}
	c := &all[0]
	return &view.Consumer{ID: c.ID, Program: view.Program{Name: c.Program.Name, Listing: c.Program.Listing}}
}

// drawCode draws the listing of the chosen consumer's program, the line that is being executed lit, with a mark for
// each consumer that runs the same program at the line where it is.
func drawCode(p *pen, b box) {
	c, title := p.in.chosenConsumer(), "code.title"
	if c == nil {
		c, title = p.in.comingConsumer(), "code.coming"
	}
	if c == nil {
		p.paragraph(b, p.in.words.say("code.none"), p.small())
		return
	}
	if p.in.looked("code") {
		p.halo(b.inset(-p.u(6), -p.u(4)))
	}
	head, b := b.top(p.u(22))
	a := p.in.cast.of(c.ID)
	icon, text := head.left(p.u(18))
	p.mark(a.mark, icon.X+p.u(6), icon.midY(), p.u(5), a.ink)
	p.run(text, span{p.in.words.say(title, "consumer", string(c.ID), "program", c.Program.Name), p.small().colored(p.in.theme.text).bold(), 0})
	_, b = b.top(p.u(4))
	s := codeStyle(p, c.Program.Listing, b.W-p.u(26))
	b.W -= p.u(6)
	line := codeLineHeight(s)
	stack := p.in.stackLines(c)
	var variables []block
	for _, r := range p.in.variableRows(c) {
		variables = append(variables, rowBlock(p, b.W, &r))
	}
	height := line*float64(len(c.Program.Listing)) + p.u(14) + p.u(18)*float64(len(stack)) + columnHeight(variables)
	content := b
	content.Y -= p.scrolled("code", height, b.H)
	p.pane("code", p.in.words.say("tab.code"), b, height, func(q *pen) {
		for i, text := range c.Program.Listing {
			q.codeLine(content.row(i, line), text, i+1, c, s)
		}
		_, rest := content.top(line*float64(len(c.Program.Listing)) + p.u(10))
		rest.H = content.H
		for i, text := range stack {
			at := box{rest.X, rest.Y + float64(i)*p.u(18), rest.W, p.u(18)}
			q.write(at, text, q.small())
		}
		_, rest = rest.top(p.u(18)*float64(len(stack)) + p.u(4))
		rest.H = content.H
		q.column(rest, variables)
	})
}

// variableRows lists the variables of the procedures on the stack, and how far the consumer is in each of its partitions.
func (in *input) variableRows(c *view.Consumer) []row {
	if c.Liveness != view.Up {
		return nil
	}
	var rows []row
	for i := range c.Threads {
		for _, call := range c.Threads[i].Stack {
			for _, v := range call.Locals {
				rows = append(rows, row{name: v.Name, value: v.Value})
			}
		}
	}
	for i := range c.Owned {
		o := &c.Owned[i]
		value := in.words.say("code.partition", "position", in.words.offset(o.Position), "committed", in.words.offset(in.committed(c.Group, o.TopicPartition)),
			"hand", number(o.Returned.Len()))
		rows = append(rows, row{name: o.String(), value: value})
	}
	if len(rows) > 0 {
		rows = append([]row{{value: in.words.say("code.variables"), head: true}}, rows...)
	}
	return rows
}

// committed is what a group has committed of a partition; NoOffset for nothing.
func (in *input) committed(group string, tp kafka.TopicPartition) int64 {
	for _, r := range in.readings(tp) {
		if r.group == group {
			return r.committed()
		}
	}
	return kafka.NoOffset
}

// codeStyle is the code's type, made smaller where a line of the listing would not fit.
func codeStyle(p *pen, listing []string, w float64) style {
	s := p.code()
	s.font.Size = p.in.size.small
	widest := 0.0
	for _, line := range listing {
		widest = max(widest, s.width(line))
	}
	if widest > w {
		s.font.Size = max(9, s.font.Size*w/widest*0.995)
	}
	return s
}

func codeLineHeight(s style) float64 { return round(s.font.Size * 1.48) }

// codeLine draws one line of a listing.
func (p *pen) codeLine(b box, text string, line int, c *view.Consumer, s style) {
	b.H = codeLineHeight(s)
	if c.Program.Line == line && c.Liveness == view.Up {
		a := p.in.cast.of(c.ID)
		p.area(b, p.u(3), a.tint)
		p.area(box{b.X, b.Y, 3, b.H}, 1, a.ink)
	}
	x := b.right() - p.u(8)
	for i := range p.in.frame.Consumers {
		o := &p.in.frame.Consumers[len(p.in.frame.Consumers)-1-i]
		if o.Program.Name != c.Program.Name || o.Program.Line != line || o.Liveness != view.Up || x < b.X+p.u(20)+s.width(text) {
			continue
		}
		a := p.in.cast.of(o.ID)
		p.mark(a.mark, x, b.midY(), p.u(4.5), a.ink)
		x -= p.u(13)
	}
	p.write(box{b.X + p.u(8), b.Y, b.W - p.u(8), b.H}, text, s)
}

// stackLines says, thread by thread, what is on its stack and what it waits for.
func (in *input) stackLines(c *view.Consumer) []string {
	var out []string
	if c.Liveness != view.Up {
		return out
	}
	for i := range c.Threads {
		th := &c.Threads[i]
		calls := make([]string, len(th.Stack))
		for j := range th.Stack {
			calls[j] = th.Stack[j].Procedure
		}
		key := "thread.runs"
		switch {
		case len(calls) == 0:
			key = "thread.off"
		case th.Waits != "":
			key = "thread.waits-" + th.Waits
		}
		out = append(out, in.words.say(key, "thread", in.words.say("thread."+th.Name), "stack", strings.Join(calls, " › ")))
	}
	return out
}
