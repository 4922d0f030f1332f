package stage

import (
	"strings"
	"unicode"

	"groupscope/core/kafka"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// paletteID is the field that the palette is written in.
const paletteID = "palette:text"

// firstFound is the line that the palette found first.
const firstFound = "found:0"

// longestDraft is how many characters the palette takes: more than any question, error or log line needs.
const longestDraft = 400

// oneLineOf makes a text that was typed or pasted one line of what can be shown.
func oneLineOf(text string) string {
	line := []rune(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, text))
	return string(line[:min(len(line), longestDraft)])
}

// unseen reports whether a character is one that cannot be seen and may change how others look, such as a right-to-left mark.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// finding is one line of what the palette finds.
type finding struct {
	text, detail string
	action       scene.Action // none: it says what is wrong with the draft
}

// mostFindings is how many lines of a kind the palette shows.
const mostFindings = 8

// findings lists what the draft finds: commands that it begins, things in the picture by their names, then lessons by what they say.
func (in *input) findings() []finding {
	draft := strings.TrimSpace(in.session.Draft)
	if draft == "" {
		return nil
	}
	list := append(in.commands(in.session.Draft), in.thingsNamed(draft)...)
	titles := map[string]string{}
	for _, l := range course() {
		titles[l.id] = inLanguage(l.titles, in.session.Lang)
	}
	for _, found := range lessons.Search(draft, in.session.Lang, mostFindings) {
		f := finding{text: titles[found.Lesson], action: scene.Action{Do: Lesson, Arg: found.Lesson}}
		if found.Line != f.text {
			f.detail = found.Line
		}
		list = append(list, f)
	}
	return list
}

// thingsNamed lists processes, groups and partitions whose name begins with the text.
func (in *input) thingsNamed(text string) []finding {
	var list []finding
	add := func(name, id string) {
		if len(list) < mostFindings && strings.HasPrefix(strings.ToLower(name), strings.ToLower(text)) {
			list = append(list, finding{text: name, detail: in.words.say("palette.thing"), action: scene.Action{Do: Select, Arg: id}})
		}
	}
	for _, node := range in.nodes() {
		add(string(node), nodeID(node))
	}
	for i := range in.frame.Groups {
		add(in.frame.Groups[i].ID, groupID(in.frame.Groups[i].ID))
	}
	for i := range in.frame.Topics {
		for j := range in.frame.Topics[i].Partitions {
			tp := in.frame.Topics[i].Partitions[j].TopicPartition
			add(tp.String(), partitionID(tp))
		}
	}
	return list
}

// nodes lists all processes of the frame.
func (in *input) nodes() []kafka.NodeID {
	var ids []kafka.NodeID
	for i := range in.frame.Consumers {
		ids = append(ids, in.frame.Consumers[i].ID)
	}
	for i := range in.frame.Producers {
		ids = append(ids, in.frame.Producers[i].ID)
	}
	for i := range in.frame.Brokers {
		ids = append(ids, in.frame.Brokers[i].ID)
	}
	for i := range in.frame.Stores {
		ids = append(ids, in.frame.Stores[i].ID)
	}
	return ids
}

// drawPalette draws the field to write in and what it finds.
func drawPalette(p *pen) {
	w := p.in.words
	field, gap := max(p.u(40), p.in.size.control), p.u(8)
	found := p.in.findings()
	var blocks []block
	if len(found) == 0 {
		hint := "palette.hint"
		if strings.TrimSpace(p.in.session.Draft) != "" {
			hint = "palette.nothing"
		}
		blocks = append(blocks, p.textBlock(w.say(hint), p.paletteWidth(), p.small()))
	}
	for i := range found {
		blocks = append(blocks, findingBlock(p, i, &found[i]), spaceBlock(2))
	}
	total := columnHeight(blocks)
	p.dialog(w.say("palette"), p.u(660), field+gap+max(total, p.u(300)), func(q *pen, b box) {
		top, rest := b.top(field)
		q.textbox(top, control{id: paletteID, label: w.say("palette"), action: scene.Action{Do: Type}}, q.in.session.Draft)
		_, rest = rest.top(gap)
		content := rest
		content.Y -= q.scrolled("palette", total, rest.H)
		q.pane("palette", w.say("palette.found"), rest, total, func(r *pen) { r.column(content, blocks) })
	})
}

// paletteWidth is how wide a text in the palette can be.
func (p *pen) paletteWidth() float64 { return min(p.u(620), p.in.session.Width-p.u(60)) }

// findingBlock lays out one line of what is found.
func findingBlock(p *pen, i int, f *finding) block {
	if f.action == (scene.Action{}) {
		text := p.in.words.sentences(f.text, f.detail)
		s := p.label().colored(p.in.theme.warn)
		return spoken("found:"+number(i), scene.Note, text, p.textBlock(text, p.paletteWidth(), s))
	}
	line := max(p.u(34), p.in.size.control)
	height := line
	if f.detail != "" {
		height += p.u(18)
	}
	return block{height, func(q *pen, b box) {
		c := control{id: "found:" + number(i), label: strings.TrimSpace(f.text + " " + f.detail), action: f.action}
		q.control(b, c, func(k *pen, s scene.State) {
			if s.Hovered || s.Focused {
				k.area(b, k.u(7), k.in.theme.sunken)
			}
			inner := b.inset(k.u(10), k.u(3))
			head, rest := inner.top(inner.H)
			if f.detail != "" {
				head, rest = inner.top(inner.H - k.u(20))
			}
			k.write(head, f.text, k.body())
			if f.detail != "" {
				k.write(rest, f.detail, k.small())
			}
		})
	}}
}

// textbox draws a field to write in: as much of its end as there is room for, and the place where the next character goes.
func (p *pen) textbox(b box, c control, text string) {
	c.role, c.value.Text = scene.Textbox, text
	p.control(b, c, func(q *pen, s scene.State) {
		q.frame(b, q.u(7), q.in.theme.sunken, q.in.theme.muted, 1)
		st := q.body()
		inner := b.inset(q.u(10), q.u(4))
		shown := []rune(text)
		for len(shown) > 0 && st.width(string(shown)) > inner.W-q.u(4) {
			shown = shown[1:]
		}
		q.write(inner, string(shown), st)
		if x := inner.X + st.width(string(shown)) + 1; s.Focused {
			q.line(x, inner.Y+q.u(3), x, inner.bottom()-q.u(3), q.in.theme.text, 1.5)
		}
	})
}
