package stage

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"groupscope/core/sim"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// refusal is a command that could not be given, and why. The zero refusal is none.
type refusal struct {
	line string
	err  error
}

// extension is how much later a run ends when a person wants to see more of it.
const extension = time.Minute

// intervene changes the run, or goes on in another branch of it.
func (s *Stage) intervene(a scene.Action) bool {
	s.refused = refusal{}
	switch a.Do {
	case Act:
		return s.act(a.Arg)
	case Undo:
		if event, ok := s.run.Undo(); ok {
			return s.enter(event)
		}
	case Redo:
		if event, ok := s.run.Redo(); ok {
			return s.enter(event)
		}
	case Branch:
		return s.goOnIn(a.Arg)
	case Extend:
		return s.extend(a.N)
	}
	return false
}

// enter shows the present branch at an event.
func (s *Stage) enter(event int) bool {
	s.session.Overlay = ""
	s.survey()
	s.goTo(event, 0)
	return true
}

// act gives a command. What is wrong with one is told where it can be written anew.
func (s *Stage) act(line string) bool {
	line = oneLineOf(line)
	event := s.session.Event
	if _, err := s.run.Act(event, line); err != nil {
		s.refused = refusal{line, err}
		s.session.write(line)
		return true
	}
	return s.enter(event + 1)
}

// goOnIn shows another branch: at the same event if both have it, else at the same time.
func (s *Stage) goOnIn(number string) bool {
	n, err := strconv.Atoi(number)
	h, event := s.run.History, s.session.Event
	before := h.Current()
	if err != nil || n < 0 || n >= len(h.Branches()) || sim.BranchID(n) == before {
		return false
	}
	at, hash := s.track.times[event], h.Hash(event)
	s.run.Switch(sim.BranchID(n))
	if event > h.Len() || h.Hash(event) != hash {
		event = h.EventAt(at)
	}
	return s.enter(event)
}

// extend lets the run end later.
func (s *Stage) extend(seconds float64) bool {
	by := time.Duration(clamp(seconds, 0, time.Hour.Seconds()) * float64(time.Second))
	if err := s.run.Extend(s.run.Until() + by); err != nil {
		return false // it is as long as runs can be
	}
	return s.enter(s.session.Event)
}

// changed reports whether the run is there to be changed, or has been.
func (in *input) changed() bool {
	return in.run != nil && (in.run.Sandbox() || len(in.run.Acts()) > 0)
}

// silent reports whether the lesson says nothing about the event, since a person has changed what led to it.
func (in *input) silent() bool { return in.run != nil && !in.run.Narrated(in.frame.Event) }

// thingKinds are the kinds of things that can be acted on by themselves.
var thingKinds = map[string]bool{"node": true, "partition": true, "group": true}

func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, ":")
	return kind
}

// target names the selected thing as commands do: both ends of a message; nothing for the cluster.
func (in *input) target() []string {
	kind, name, _ := strings.Cut(in.session.Selected, ":")
	switch {
	case thingKinds[kind]:
		return []string{name}
	case kind == "message":
		n, _ := strconv.ParseInt(name, 10, 64)
		if a := in.track.arrow(n); a != nil {
			return []string{string(a.message.From), string(a.message.To)}
		}
	}
	return nil
}

// offers lists what can be done to the selected thing, or to the cluster.
func (in *input) offers() []lessons.Offer {
	if in.run == nil {
		return nil
	}
	return in.run.Offers(in.session.Event, in.target()...)
}

// action is what choosing an offer does: it gives the command, or writes what there is of it into the palette.
func offered(o *lessons.Offer) scene.Action {
	switch {
	case o.Ready:
		return scene.Action{Do: Act, Arg: o.Text}
	case strings.HasSuffix(o.Text, "=") || strings.HasSuffix(o.Text, " "):
		return scene.Action{Do: Type, Arg: o.Text}
	}
	return scene.Action{Do: Type, Arg: o.Text + " "}
}

func (in *input) offersTitle() string {
	if names := in.target(); len(names) > 0 {
		return in.words.say("act.to", "thing", strings.Join(names, " – "))
	}
	return in.words.say("act.cluster")
}

// offerLines lists what can be done as a menu.
func (in *input) offerLines() []menuLine {
	var lines []menuLine
	for _, o := range in.offers() {
		lines = append(lines, menuLine{text: o.Text + " · " + in.words.say("act.do."+string(o.Verb)), action: offered(&o)})
	}
	return append(lines, menuLine{text: in.words.say("act.other"), sign: "/", action: scene.Action{Do: Open, Arg: "palette"}})
}

// offerRows lists what can be done to the selected thing below what is known of it.
func (in *input) offerRows() []row {
	if in.run == nil || len(in.target()) == 0 {
		return nil
	}
	rows := []row{{value: in.offersTitle(), head: true}}
	for _, o := range in.offers() {
		rows = append(rows, row{name: o.Text, value: in.words.say("act.do." + string(o.Verb)), id: "do:" + o.Text, action: offered(&o)})
	}
	return rows
}

// commands lists the commands that a draft begins, the draft itself first if it is one. What is wrong with a command that
// nothing completes is said instead.
func (in *input) commands(draft string) []finding {
	if in.run == nil {
		return nil
	}
	if in.refused.line == draft {
		return []finding{in.wrong(in.refused.err)}
	}
	event := in.session.Event
	var list []finding
	offers := in.run.Complete(event, draft)
	_, err := in.run.Parse(event, draft)
	switch {
	case err == nil:
		list = append(list, finding{text: strings.TrimSpace(draft), detail: in.words.say("palette.act"), action: scene.Action{Do: Act, Arg: draft}})
	case len(offers) == 0 && in.isVerb(draft):
		return []finding{in.wrong(err)}
	}
	for i := range offers[:min(len(offers), mostFindings)] {
		if o := &offers[i]; o.Text != draft || err != nil {
			list = append(list, finding{text: o.Text, detail: in.about(o), action: offered(o)})
		}
	}
	return list
}

// isVerb reports whether a draft goes on after a verb.
func (in *input) isVerb(draft string) bool {
	verb, _, more := strings.Cut(strings.TrimLeft(draft, " "), " ")
	if !more {
		return false
	}
	for _, o := range in.run.Complete(in.session.Event, verb) {
		if o.Text == verb {
			return true
		}
	}
	return false
}

// about says what an offer is for. What arguments and settings are for is known in English alone.
func (in *input) about(o *lessons.Offer) string {
	switch {
	case o.Text == o.Word && o.Word != "remove":
		return in.words.say("act.do." + o.Word)
	case in.session.Lang == "en":
		return o.About
	}
	return ""
}

// wrong says what is wrong with a command.
func (in *input) wrong(err error) finding {
	var problems lessons.Problems
	if !errors.As(err, &problems) || len(problems) == 0 {
		return finding{text: err.Error()}
	}
	p, w := problems[0], in.words
	f := finding{text: p.Message + "."}
	if p.Expected != "" {
		f.detail = w.say("act.expected", "text", p.Expected)
	}
	if p.Suggestion != "" {
		f.detail = w.sentences(f.detail, w.say("act.suggestion", "text", p.Suggestion))
	}
	return f
}

// branchLines lists the lesson itself and the branches that anybody would return to, each with what was changed in it.
func (in *input) branchLines() []menuLine {
	current := in.run.History.Current()
	var lines []menuLine
	for _, b := range in.run.Branches() {
		if b.Stale && b.ID != current && b.ID != 0 {
			continue
		}
		sign := ""
		if b.ID == current {
			sign = "›"
		}
		lines = append(lines, menuLine{
			text: in.branchName(&b), sign: sign, chosen: b.ID == current, action: scene.Action{Do: Branch, Arg: strconv.Itoa(int(b.ID))},
		})
	}
	return lines
}

func (in *input) branchName(b *lessons.BranchInfo) string {
	switch {
	case b.Name != "":
		return b.Name
	case b.ID == 0:
		return in.lesson.title
	}
	return in.words.say("branch.changed", "n", number(b.ID), "acts", strings.Join(b.Changed, " · "))
}

// branchBlocks says that the lesson's words have ended, and what was done instead of them.
func branchBlocks(p *pen, w float64) []block {
	in, say := p.in, p.in.words.say
	title, text := say("branch.title"), say("branch.text")
	if in.run.Sandbox() {
		title, text = in.lesson.title, say("branch.sandbox")
	}
	blocks := []block{
		spoken("beat:title", scene.Heading, title, p.textBlock(title, w, p.title())), spaceBlock(p.u(6)),
		spoken("beat:text:1", scene.Note, text, p.textBlock(text, w, p.body())), spaceBlock(p.u(8)),
	}
	for i, act := range in.run.Acts() {
		line := say("branch.act", "time", in.words.seconds(act.At), "act", act.Text)
		blocks = append(blocks, spoken("act:"+number(i+1), scene.Note, line, p.textBlock(line, w, p.label())))
	}
	return append(blocks, spaceBlock(p.u(8)), actButtons(p, w))
}

// actButtons lays out the ways to change the run, and back.
func actButtons(p *pen, w float64) block {
	in, say := p.in, p.in.words.say
	buttons := []control{{id: "act:more", label: say("act.button"), action: scene.Action{Do: Offer}}}
	if len(in.run.Acts()) > 0 {
		buttons = append(buttons, control{id: "act:undo", label: say("act.undo"), action: scene.Action{Do: Undo}})
	}
	if len(in.run.History.Branches()) > 1 {
		buttons = append(buttons, control{id: "act:branches", label: say("menu.branches"), action: scene.Action{Do: Open, Arg: "branches"}})
	}
	if in.silent() && !in.run.Sandbox() {
		buttons = append(buttons, control{id: "act:lesson", label: say("branch.back"), action: scene.Action{Do: Branch, Arg: "0"}})
	}
	return p.buttonFlow(buttons, w)
}

// buttonFlow lays out buttons one after another, on as many lines as they need.
func (p *pen) buttonFlow(buttons []control, w float64) block {
	height, gap := p.in.size.control, p.u(6)
	places := make([]box, len(buttons))
	x, y := 0.0, 0.0
	for i, c := range buttons {
		width := min(w, p.label().width(c.label)+p.u(26))
		if x > 0 && x+width > w {
			x, y = 0, y+height+gap
		}
		places[i] = box{x, y, width, height}
		x += width + gap
	}
	return block{y + height, func(q *pen, b box) {
		for i, c := range buttons {
			at := places[i]
			q.button(box{b.X + at.X, b.Y + at.Y, at.W, at.H}, c, c.label)
		}
	}}
}
