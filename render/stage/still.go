package stage

import (
	"groupscope/core/figures"
	"groupscope/core/sim"
	"groupscope/core/view"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// still is the part of the picture that stays while the phase runs, and where the moving part goes in.
type still struct {
	made     bool
	event    int
	version  int // of the session it was made for
	in       *input
	shapes   []scene.Shape
	overlay  []scene.Shape // lies over the moving part
	picture  *picture
	couriers []courier
	sequence *sequence
	wires    *wires
	timeline timeline
	limits   map[string]float64 // by pane: how far it can be scrolled
}

// emptyFrame is shown where there is no run.
var emptyFrame = &view.Frame{}

// shown is the position that the picture shows: behind the session's while a step glides.
func (s *Stage) shown() (event int, phase float64) {
	if s.session.ReducedMotion {
		return s.session.Event, 0
	}
	if s.lag > 0 {
		return s.pace.find(s.pace.at(s.session.Event, s.session.Phase) - s.lag)
	}
	return s.session.Event, s.session.Phase
}

// Scene is the picture at the session's position.
func (s *Stage) Scene() *scene.Scene {
	made := s.drawn()
	event, phase := s.shown()
	s.shapes = append(s.shapes[:0], made.shapes...)
	p := newPen(made.in)
	p.shapes = s.shapes
	drawMoving(p, made, event, phase)
	s.shapes = append(p.shapes, made.overlay...)
	q := newPen(made.in)
	drawNotice(q, s.notice)
	s.shapes = append(s.shapes, q.shapes...)
	s.shapes = append(s.shapes, tooltip(made.in, s.shapes)...)
	t := &s.session
	s.scene = scene.Scene{Width: t.Width, Height: t.Height, Background: made.in.theme.back, Shapes: s.shapes}
	return &s.scene
}

// drawn is the still part for the present event and session, made anew when one of them has changed.
func (s *Stage) drawn() *still {
	event, _ := s.shown()
	if !s.made.made || s.made.event != event || s.made.version != s.version {
		s.made = drawStill(s.input(event))
		s.made.event, s.made.version = event, s.version
	}
	return &s.made
}

// input gathers what the panels draw from at an event.
func (s *Stage) input(event int) *input {
	if s.tally == nil {
		s.tally = newTally(s.track, &s.session.Sequence)
	}
	in := &input{
		truth: s.trueTime(), tally: s.tally,
		session: &s.session, frame: s.run.History.Frame(event), entries: s.run.History.Entry,
		run: s.run, refused: s.refused, track: s.track, pace: s.pace, limits: map[string]float64{}, rests: map[string]float64{}, whole: s.whole,
	}
	if event > 0 {
		in.entry = s.run.History.Entry(event)
	}
	in.lesson = s.lessonInput(event)
	if s.session.View == "owners" || s.session.View == "figures" {
		in.figures = s.Figures()
	}
	in.prepare()
	return in
}

// Figures is the run's figures, counted when they are first wanted. A history only grows, or goes on in another branch.
func (s *Stage) Figures() *figures.Figures {
	h := s.run.History
	if of := (countedOf{h.Current(), h.Len()}); s.figures == nil || s.figuresOf != of {
		s.figures, s.figuresOf = figures.Of(figures.Run{Events: h.Len(), Entry: h.Entry, Frame: h.Frame}), of
	}
	return s.figures
}

// countedOf is what figures were counted of.
type countedOf struct {
	branch sim.BranchID
	events int
}

// lessonInput gathers what is shown of the lesson at an event.
func (s *Stage) lessonInput(event int) lessonInput {
	run, lang := s.run, s.session.Lang
	l := lessonInput{id: run.Lesson.ID, title: run.Title(lang), next: lessonAfter(run.Lesson.ID), variant: run.Variant, beat: run.BeatAt(event)}
	for _, r := range reachedIn(run) {
		l.beats = append(l.beats, r.Event)
	}
	if l.beat >= 0 {
		l.text = unbrokenWords(run.Words(lang, l.beat))
		l.look = run.Plan.Beats[l.beat].Look
	}
	if s.session.Overlay == "lessons" {
		l.menu = append(courseMenu(lang), presetMenu(lang)...)
	}
	l.variants = []menuItem{{title: variantName(run.Lesson.Words, lang)}}
	for i := range run.Lesson.Variants {
		v := &run.Lesson.Variants[i]
		l.variants = append(l.variants, menuItem{id: v.ID, title: variantName(v.Words, lang)})
	}
	return l
}

// unbrokenWords keeps numbers and their units on one line in all that a beat says.
func unbrokenWords(b lessons.BeatWords) lessons.BeatWords {
	b.Title = unbroken(b.Title)
	for i := range b.Text {
		b.Text[i] = unbroken(b.Text[i])
	}
	if q := b.Question; q != nil {
		q.Prompt, q.Explain = unbroken(q.Prompt), unbroken(q.Explain)
		for i := range q.Options {
			q.Options[i].Text = unbroken(q.Options[i].Text)
		}
	}
	return b
}

func variantName(w lessons.Words, lang string) string {
	if words, ok := w[lang]; ok {
		return words.Variant
	}
	return ""
}

// drawStill draws the still part of all panels.
func drawStill(in *input) still {
	p := newPen(in)
	made := still{made: true, in: in, limits: in.limits}
	l := &in.layout
	drawHeader(p, l.header)
	if l.tabs.H > 0 && l.form != wide {
		drawTabs(p, l.tabs)
	}
	if l.picture.H > 0 {
		drawView(p, &made)
	}
	drawNarration(p, l.narration)
	if l.form == wide {
		drawTabs(p, l.tabs)
	}
	if l.side.H > 0 {
		drawSide(p, l.side)
	}
	if l.sequence.H > 0 {
		made.sequence = drawSequence(p, l.sequence)
	}
	made.timeline = drawTransport(p, l.transport)
	made.shapes = p.shapes
	p.shapes = nil
	drawOverlay(p)
	made.overlay = p.shapes
	return made
}

// drawView draws the view in front, with the tabs of the others.
func drawView(p *pen, made *still) {
	l := &p.in.layout
	p.panel(box{l.picture.X, l.picture.Y - l.views.H, l.picture.W, l.picture.H + l.views.H})
	if l.views.H > 0 {
		drawViewTabs(p, l.views)
	}
	switch p.in.session.View {
	case "cluster":
		drawCluster(p, l.picture, made)
	case "owners":
		drawOwners(p, l.picture)
	case "figures":
		drawFigures(p, l.picture)
	case "offsets":
		drawOffsets(p, l.picture)
	default:
		drawGroupView(p, l.picture, made)
	}
}

// drawGroupView draws the groups with what they read and the messages under way.
func drawGroupView(p *pen, b box, made *still) {
	made.picture = drawPicture(p, b)
	p.with(made.picture.in, func(q *pen) {
		made.couriers = newCouriers(q, made.picture)
		q.clipped(made.picture.pane, func(r *pen) {
			drawCuts(r, made.picture)
			drawLinks(r, made.couriers)
		})
	})
}

// drawMoving draws what moves between the event and the next: timers, messages, the present moment.
func drawMoving(p *pen, made *still, event int, phase float64) {
	if pic := made.picture; pic != nil {
		p.with(pic.in, func(q *pen) {
			q.clipped(pic.pane, func(r *pen) {
				drawRings(r, pic.rings, phase)
				drawCouriers(r, made.couriers, p.in.pace.at(event, phase))
			})
		})
	}
	if w := made.wires; w != nil {
		p.with(w.in, func(q *pen) {
			q.clipped(w.pane, func(r *pen) { drawCouriers(r, w.couriers, p.in.pace.at(event, phase)) })
		})
	}
	if made.sequence != nil {
		drawNow(p, made.sequence, event, phase)
	}
	drawProgress(p, made.timeline, event, phase)
}

// clipped draws into a group that shows nothing outside the box.
func (p *pen) clipped(b box, draw func(*pen)) {
	inner := &pen{in: p.in, focus: p.focus}
	draw(inner)
	p.add(clip(b, inner.shapes))
}

// clip is a group that shows nothing of its figures outside the box.
func clip(b box, shapes []scene.Shape) scene.Shape {
	edge := scene.Box{X: b.X - 6, Y: b.Y - 5, W: b.W + 12, H: b.H + 10}
	return scene.Shape{X: edge.X, Y: edge.Y, W: edge.W, H: edge.H, Clip: true, Kids: prune(shapes, edge)}
}
