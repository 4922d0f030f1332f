// Package stage turns what a lesson's run shows into pictures. It is pure: the same run and the same session
// give the same scene. Only actions change a session.
package stage

import (
	"cmp"
	"slices"
	"time"

	"groupscope/core/figures"
	"groupscope/lessons"
	"groupscope/render/scene"
)

// Stage shows one run of a lesson to one person.
type Stage struct {
	run       *lessons.Run
	track     *track
	pace      *pace
	truth     *pace  // true time; nil until it is needed
	tally     *tally // nil when it has to be made
	session   Session
	whole     *whole
	figures   *figures.Figures // nil until they are shown
	figuresOf countedOf

	// lag is how far, in seconds of the screen's clock, the picture is still behind the position: a single step
	// lets its messages glide instead of jumping.
	lag      float64
	refused  refusal
	answered bool // the present beat's question has just been answered, and the position not changed since
	notice   string
	version  int // of the session: raised by every change but that of the phase
	made     still
	shapes   []scene.Shape // of the last scene, reused
	scene    scene.Scene
}

// New makes a stage for a run. The session's position is held within the run.
func New(run *lessons.Run, s Session) *Stage {
	stage := &Stage{run: run, session: s.normal()}
	stage.session.Lesson, stage.session.Variant = run.Lesson.ID, run.Variant
	stage.survey()
	stage.goTo(s.Event, s.Phase)
	return stage
}

// survey takes in the run as it is in the present branch.
func (s *Stage) survey() {
	s.track = newTrack(s.run.History.Len(), s.run.History.Entry)
	s.truth, s.tally = nil, nil
	s.repace()
	s.whole = wholeRun(s.run)
	if l := &s.session.Loop; l.From < 0 || l.To > s.track.len() {
		*l = Loop{}
	}
}

// repace makes the screen's clock anew, after the setting of true time has changed.
func (s *Stage) repace() {
	s.pace = newPace(s.track)
	if s.session.TrueTime {
		s.pace = newTrueTime(s.track)
	}
}

// Session returns a copy of the session.
func (s *Stage) Session() Session { return s.session.normal() }

// Busy reports whether the picture moves by itself, so that Advance wants to be called with every frame.
func (s *Stage) Busy() bool { return s.session.Playing || s.lag > 0 }

// Advance moves the picture on by a time on the wall's clock and reports whether it changed.
func (s *Stage) Advance(dt time.Duration) bool {
	if !s.Busy() || dt <= 0 {
		return false
	}
	forward := dt.Seconds() * s.session.Speed
	if s.lag > 0 {
		s.lag = max(0, s.lag-forward)
		return true
	}
	at := s.pace.at(s.session.Event, s.session.Phase) + forward
	event, phase := s.pace.find(at)
	if l := s.session.Loop; l.on() && s.session.Event < l.To && event >= l.To && s.nextStop() >= l.To {
		s.arrive(l.From, 0)
		return true
	}
	if stop := s.nextStop(); event >= stop {
		event, phase = stop, 0
		s.session.Playing = false
		s.version++
	}
	s.arrive(event, phase)
	return true
}

// nextStop is the event at which play stops: that of the next beat that asks something not answered yet, or the last one.
func (s *Stage) nextStop() int {
	for _, r := range reachedIn(s.run) {
		if r.Event <= s.session.Event {
			continue
		}
		q := s.run.Plan.Beats[s.run.BeatAt(r.Event)].Question
		if q == nil {
			continue
		}
		if _, answered := s.session.Answers[q.ID]; !answered {
			return r.Event
		}
	}
	return s.track.len()
}

// arrive sets the position. A new beat is read from its beginning, and shows what it points at.
func (s *Stage) arrive(event int, phase float64) {
	if s.run.BeatAt(event) != s.run.BeatAt(s.session.Event) {
		delete(s.session.Scroll, "narration")
		delete(s.session.Scroll, "picture")
	}
	s.answered = s.answered && event == s.session.Event
	s.session.Event, s.session.Phase = event, phase
	s.run.Look(event)
	s.follow()
}

// goTo jumps to a position, held within the run.
func (s *Stage) goTo(event int, phase float64) bool {
	s.lag = 0
	event = max(0, min(event, s.track.len()))
	if event == s.track.len() {
		phase = 0
	}
	phase = clamp(phase, 0, 1)
	moved := event != s.session.Event || phase != s.session.Phase
	s.arrive(event, phase)
	return moved
}

// step goes n events on; a single one glides there.
func (s *Stage) step(n int) bool {
	before := s.pace.at(s.session.Event, s.session.Phase)
	if !s.goTo(s.session.Event+n, 0) {
		return false
	}
	if n == 1 && !s.session.ReducedMotion && !s.session.Playing {
		s.lag = s.pace.at(s.session.Event, 0) - before
	}
	return true
}

// play starts or stops; from the end it starts over.
func (s *Stage) play(on bool) bool {
	if on && s.session.Event == s.track.len() {
		s.goTo(s.session.Loop.From, 0)
	}
	return change(&s.session.Playing, on)
}

// reachedIn lists the beats that the lesson's words are about in the present branch.
func reachedIn(run *lessons.Run) []lessons.Reached {
	silent := slices.IndexFunc(run.Reached, func(r lessons.Reached) bool { return !run.Narrated(r.Event) })
	if silent < 0 {
		return run.Reached
	}
	return run.Reached[:silent]
}

// beatAfter is the event of the first beat later than an event; the last event when there is none.
func (s *Stage) beatAfter(event int) int {
	for _, r := range reachedIn(s.run) {
		if r.Event > event {
			return r.Event
		}
	}
	return s.track.len()
}

// beatBefore is the event of the last beat before a position.
func (s *Stage) beatBefore(event int, phase float64) int {
	for _, r := range slices.Backward(reachedIn(s.run)) {
		if r.Event < event || r.Event == event && phase > 0 {
			return r.Event
		}
	}
	return 0
}

// Announce says where the person is, for the live region: the beat, and the event in a sentence; just after an answer,
// whether it was right, and why.
func (s *Stage) Announce() string {
	in := s.input(s.session.Event)
	if q := in.lesson.text.Question; s.answered && q != nil {
		verdict, _ := in.verdict(q)
		return in.words.sentences(verdict, q.Explain)
	}
	if s.notice != "" {
		return s.notice
	}
	text := in.eventSentence(in.entry)
	if in.lesson.beat >= 0 {
		beat := in.words.say("announce.beat", "n", number(in.lesson.beat+1), "of", number(len(in.lesson.beats)), "title", in.lesson.text.Title)
		text = in.words.sentences(beat, text)
	}
	return text
}

// focusOrder lists the shapes that the Tab key reaches, in its order: those of the dialog, if one is open.
func focusOrder(s *scene.Scene) []*scene.Shape {
	shapes := s.Shapes
	if dialog := scene.Find(s, dialogID); dialog != nil {
		shapes = dialog.Kids
	}
	var out []*scene.Shape
	scene.Walk(&scene.Scene{Shapes: shapes}, func(shape *scene.Shape) bool {
		if shape.Focus > 0 {
			out = append(out, shape)
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b *scene.Shape) int { return cmp.Compare(a.Focus, b.Focus) })
	return out
}
