package stage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// Run is the run that the stage shows.
func (s *Stage) Run() *lessons.Run { return s.run }

// SequenceScene is the sequence diagram by itself, as wide as the stage and as high as all its lanes need, with the excerpt and
// the kinds of requests that the stage shows.
func (s *Stage) SequenceScene() *scene.Scene {
	event, phase := s.shown()
	in := s.input(event)
	in.layout.form, in.layout.low = wide, false
	session := s.session.normal()
	session.Hovered, session.Focused = "", ""
	in.session = &session
	p := newPen(in)
	title, margin := p.title(), p.u(14)
	all := box{0, 0, in.session.Width, p.u(96) + p.u(38)*float64(len(in.whole.nodes))}
	p.area(all, 0, in.theme.panel)
	head, body := all.inset(margin, p.u(8)).top(p.u(34))
	p.write(head, in.lesson.title, title)
	_, head = head.left(title.width(in.lesson.title) + p.u(20))
	drawStateKey(p, head)
	q := newSequence(p, body)
	drawLanes(p, q, body)
	q.fill(p)
	drawNow(p, q, event, phase)
	return &scene.Scene{Width: all.W, Height: all.H, Background: in.theme.panel, Shapes: p.shapes}
}

// mostMermaid is how many messages a Mermaid text has at most; Mermaid itself takes no more than 500 by default
// (maxEdges, https://mermaid.js.org/config/schema-docs/config.html).
const mostMermaid = 300

// Mermaid is the sequence diagram up to the position as the text of a Mermaid sequenceDiagram: the messages that tell the story,
// what became of the groups, and who crashed, froze or closed. Where there are too many messages, the last of them.
func (s *Stage) Mermaid() string {
	event, _ := s.shown()
	in := s.input(event)
	lines, left := in.mermaidLines()
	var used []kafka.NodeID
	for _, id := range in.whole.nodes {
		if slices.ContainsFunc(lines, func(l mermaidLine) bool { return l.from == id || l.to == id }) {
			used = append(used, id)
		}
	}
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	name := func(id kafka.NodeID) string { return fmt.Sprintf("n%d", slices.Index(used, id)+1) }
	for _, id := range used {
		fmt.Fprintf(&b, "    participant %s as %s\n", name(id), mermaidText(string(id)))
	}
	if left > 0 && len(used) > 0 {
		fmt.Fprintf(&b, "    Note over %s: %s\n", name(used[0]), mermaidText(in.words.say("mermaid.left", "n", number(left))))
	}
	for _, l := range lines {
		text := mermaidText(in.words.tick(in.track.times[l.event]) + " " + l.text)
		if l.arrow == "" {
			fmt.Fprintf(&b, "    Note over %s: %s\n", name(l.from), text)
		} else {
			fmt.Fprintf(&b, "    %s%s%s: %s\n", name(l.from), l.arrow, name(l.to), text)
		}
	}
	return b.String()
}

// mermaidLine is a message, or a note over one node.
type mermaidLine struct {
	event    int
	from, to kafka.NodeID
	arrow    string // "" for a note
	text     string
}

// mermaidLines lists the lines up to the present event, and how many messages are left out before them.
func (in *input) mermaidLines() (lines []mermaidLine, left int) {
	event := in.frame.Event
	sent := in.tally.story.sent(0, event)
	left = max(0, len(sent)-mostMermaid)
	first := 0
	for i, at := range sent[left:] {
		a := &in.track.arrows[at]
		if i == 0 && left > 0 {
			first = a.sent
		}
		lines = append(lines, a.mermaid())
	}
	for _, id := range in.whole.nodes {
		for _, s := range in.track.lives[id] {
			if s.group != "" && s.text != "" && s.event >= first && s.event <= event {
				lines = append(lines, mermaidLine{event: s.event, from: id, text: s.group + " " + s.text})
			}
		}
	}
	for _, t := range in.track.turns {
		if t.kind != view.NodeStarted && t.event >= first && t.event <= event && slices.Contains(in.whole.nodes, t.node) {
			lines = append(lines, mermaidLine{event: t.event, from: t.node, text: in.words.say("turn." + t.kind.String())})
		}
	}
	lines = slices.DeleteFunc(lines, func(l mermaidLine) bool {
		return !slices.Contains(in.whole.nodes, l.from) || l.arrow != "" && !slices.Contains(in.whole.nodes, l.to)
	})
	slices.SortStableFunc(lines, func(a, b mermaidLine) int { return cmp.Compare(a.event, b.event) })
	return lines, left
}

// mermaid is a message as a line: solid for a request, dashed for a reply, crossed where it was lost.
func (a *arrow) mermaid() mermaidLine {
	l := mermaidLine{event: a.sent, from: a.message.From, to: a.message.To, arrow: "->>", text: a.api().String()}
	switch {
	case a.message.Reply() && a.dropped > 0:
		l.arrow = "--x"
	case a.message.Reply():
		l.arrow = "-->>"
	case a.dropped > 0:
		l.arrow = "-x"
	}
	if a.err != kafka.None {
		l.text += " " + a.err.String()
	}
	return l
}

// mermaidText writes a text, such as a hostile name, so that Mermaid shows it and does nothing else with it: what is neither a
// letter, a digit nor a harmless sign becomes an entity (https://mermaid.js.org/syntax/sequenceDiagram.html), and a sign
// that cannot be seen is replaced.
func mermaidText(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case i == 0 && strings.EqualFold(text, "end"): // a word of the language
			fmt.Fprintf(&b, "#%d;", r)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" _-.,/", r):
			b.WriteRune(r)
		case r == '\u00a0':
			b.WriteByte(' ')
		case unseen(r):
			fmt.Fprintf(&b, "#%d;", unicode.ReplacementChar)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
