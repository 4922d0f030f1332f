package stage

import "groupscope/render/scene"

// What a person can take away. The program outside the stage carries it out.
const (
	CopyLink   = "link"   // an address that leads back here
	SaveLesson = "lesson" // the run as a lesson
)

// Shares are what a person can take away, as Arg of Export: those of this package, and kinds of files.
var Shares = []string{CopyLink, SaveLesson, "svg", "png", "sequence", "mermaid", "jsonl", "csv", "figures", "owners"}

// shareLines lists what a person can take away.
func (in *input) shareLines() []menuLine {
	var out []menuLine
	for _, kind := range Shares {
		out = append(out, menuLine{text: in.words.say("share." + kind), action: scene.Action{Do: Export, Arg: kind}})
	}
	return out
}

// The notices, and the arguments that each one takes.
const (
	LinkCopied  = "share.copied"
	FileSaved   = "share.saved"  // name
	LinkDiffers = "link.differs" // model, same, differs: see lessons.Arrival
	LinkRefused = "link.refused" // list: of commands
)

// Notice says something in passing, above the timeline, until the next action.
func (s *Stage) Notice(key string, args ...string) {
	s.notice = languages()[s.session.Lang].say(key, args...)
	s.version++
}

// drawNotice draws what is said in passing.
func drawNotice(p *pen, text string) {
	if text == "" {
		return
	}
	s := p.label().colored(p.in.theme.onStrong)
	window := box{0, 0, p.in.session.Width, p.in.session.Height}
	lines := scene.Wrap(s.font, text, min(p.u(560), window.W-p.u(48)))
	b := box{H: float64(len(lines))*s.lineHeight() + p.u(14)}
	for _, line := range lines {
		b.W = max(b.W, s.width(line)+p.u(28))
	}
	b.X, b.Y = round(window.midX()-b.W/2), p.in.layout.transport.Y-b.H-p.u(10)
	p.group(scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, ID: "notice", Role: scene.Status, Label: text}, func(q *pen) {
		q.area(b, q.u(8), p.in.theme.strong)
		q.paragraph(b.inset(q.u(14), q.u(7)), text, s)
	})
}
