package stage

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
	"groupscope/render/fonts/han"
	"groupscope/render/scene"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var (
	playedMutex sync.Mutex
	playedRuns  = map[string]*lessons.Run{}
)

// played is a built-in lesson played to its end; each is played once.
func played(t require.TestingT, id string) *lessons.Run {
	playedMutex.Lock()
	defer playedMutex.Unlock()
	if run, ok := playedRuns[id]; ok {
		return run
	}
	lesson, err := lessons.Load(lessons.Builtin(), id)
	require.NoError(t, err)
	run, err := lesson.Play("")
	require.NoError(t, err)
	playedRuns[id] = run
	return run
}

func act(s *Stage, do, arg string, n float64) bool {
	return s.Do(scene.Action{Do: do, Arg: arg, N: n})
}

func TestSteppingForwardAndBackShowsTheSamePicture(t *testing.T) {
	s := New(played(t, "two-consumers"), Session{Event: 200, ReducedMotion: true})
	before := fmt.Sprintf("%#v", s.Scene())
	require.True(t, act(s, Step, "", 0))
	require.NotEqual(t, before, fmt.Sprintf("%#v", s.Scene()))
	require.True(t, act(s, Back, "", 0))
	require.Equal(t, before, fmt.Sprintf("%#v", s.Scene()))
}

func TestASingleStepGlidesToItsEvent(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 10})
	require.True(t, act(s, Step, "", 0))
	require.Equal(t, 11, s.Session().Event)
	event, _ := s.shown()
	require.Equal(t, 10, event)
	require.True(t, s.Busy())
	for range 600 {
		s.Advance(10 * time.Millisecond)
	}
	event, phase := s.shown()
	require.Equal(t, 11, event)
	require.Zero(t, phase)
	require.False(t, s.Busy())
}

func TestPlayingReachesTheEndAndStops(t *testing.T) {
	run := played(t, "one-consumer")
	s := New(run, Session{Speed: 16})
	require.False(t, s.Advance(time.Second))
	answerEverything(s)
	playOn(t, s)
	require.Equal(t, run.History.Len(), s.Session().Event)
	require.True(t, act(s, Toggle, "", 0))
	require.Zero(t, s.Session().Event, "playing from the end starts over")
}

// playOn plays until the stage stops by itself.
func playOn(t *testing.T, s *Stage) {
	t.Helper()
	require.True(t, act(s, Play, "", 0))
	for range 10_000 {
		if !s.Advance(50 * time.Millisecond) {
			break
		}
	}
	require.False(t, s.Busy())
}

// answerEverything gives the first answer to every question of the lesson.
func answerEverything(s *Stage) {
	for _, b := range s.run.Plan.Beats {
		if q := b.Question; q != nil {
			act(s, Answer, q.ID+"/"+q.Options[0].ID, 0)
		}
	}
}

func TestPlayingStopsWhereAQuestionWaitsForItsAnswer(t *testing.T) {
	run := played(t, "consumer-crashes")
	s := New(run, Session{Speed: 16})
	answered := 0
	for s.Session().Event < run.History.Len() {
		playOn(t, s)
		beat := run.BeatAt(s.Session().Event)
		if question := run.Plan.Beats[beat].Question; question != nil {
			require.Equal(t, run.Reached[beat].Event, s.Session().Event)
			require.Zero(t, s.Session().Phase)
			answered++
		}
	}
	require.Positive(t, answered, "playing again goes on without an answer")
}

func TestTheSessionIsHeldWithinTheRun(t *testing.T) {
	run := played(t, "one-consumer")
	s := New(run, Session{Event: 1 << 30, Phase: 7, Lang: "xx", Theme: "pink", Speed: -1})
	require.Equal(t, Session{
		Lesson: "one-consumer", Lang: "en", Theme: Light, Width: 1440, Height: 900, Event: run.History.Len(), Speed: 1, View: "group", Mark: "rebalance",
		Answers: map[string]string{}, Scroll: map[string]float64{},
	}, s.Session())
}

func TestTheSessionReturnedIsACopy(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{})
	s.Session().Answers["q"] = "a"
	require.Empty(t, s.Session().Answers)
}

func TestAnnouncingNamesTheBeatAndTheEvent(t *testing.T) {
	run := played(t, "consumer-crashes")
	s := New(run, Session{Event: run.Reached[1].Event})
	require.Contains(t, s.Announce(), "Beat 2 of")
	require.Contains(t, s.Announce(), run.Words("en", 1).Title)
	require.Contains(t, s.Announce(), "crash C2")
	act(s, Language, "zh", 0)
	require.Contains(t, s.Announce(), "第 2 步")
}

func TestAnAnswerIsAnnouncedWithItsVerdictAndItsReasons(t *testing.T) {
	run := played(t, "consumer-crashes")
	question := run.Words("en", 1).Question
	for _, option := range question.Options {
		s := New(run, Session{Event: run.Reached[1].Event})
		act(s, Answer, question.ID+"/"+option.ID, 0)
		verdict := "Not quite. "
		if option.Right {
			verdict = "Right. "
		}
		require.Equal(t, verdict+unbroken(question.Explain), s.Announce())
		act(s, Step, "", 0)
		require.Contains(t, s.Announce(), "Beat 2 of")
	}
}

func TestAnAnsweredQuestionKeepsTheFocusAmongItsOptions(t *testing.T) {
	run := played(t, "consumer-crashes")
	question := run.Words("en", 1).Question
	id := func(option int) string { return "answer:" + question.ID + "/" + question.Options[option].ID }
	s := New(run, Session{Event: run.Reached[1].Event, Focused: id(0)})
	require.True(t, act(s, Activate, "", 0))
	require.Equal(t, id(0), s.Session().Focused)
	require.Positive(t, scene.Find(s.Scene(), id(0)).Focus)
	require.True(t, act(s, FocusNext, string(scene.Radio), 0))
	require.Equal(t, id(1), s.Session().Focused)
	act(s, FocusPrev, string(scene.Radio), 0)
	act(s, FocusPrev, string(scene.Radio), 0)
	require.Equal(t, id(len(question.Options)-1), s.Session().Focused)
}

// TestEveryControlIsKnownToTheMirror checks what the pointer, the page's mirror and the Tab key need.
func TestEveryControlIsKnownToTheMirror(t *testing.T) {
	for _, overlay := range []string{"", "lessons", "help"} {
		s := New(played(t, "second-group"), Session{Event: 300, Overlay: overlay})
		ids, focus := map[string]bool{}, map[int]bool{}
		scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
			if sh.ID != "" {
				require.False(t, ids[sh.ID], "the id %s is given twice", sh.ID)
				ids[sh.ID] = true
			}
			if sh.Focus > 0 {
				require.False(t, focus[sh.Focus], "%s shares its place in the order", sh.ID)
				focus[sh.Focus] = true
				require.NotEmpty(t, sh.ID)
				require.NotEmpty(t, sh.Label, sh.ID)
				require.NotEmpty(t, sh.Role, sh.ID)
				require.NotEmpty(t, sh.Action.Do, sh.ID)
			}
			if sh.Action.Do != "" {
				require.Contains(t, Actions, sh.Action.Do)
			}
			return true
		})
	}
}

func TestTabGoesThroughADialogAlone(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Overlay: "lessons"})
	for range 20 {
		act(s, FocusNext, "", 0)
		id := s.Session().Focused
		kind, _, _ := strings.Cut(id, ":")
		require.True(t, id == "button:close" || id == "open:palette" || kind == "lesson" || kind == "variant", id)
	}
}

func TestTheKeyboardReachesWhatIsScrolledOutOfView(t *testing.T) {
	s := New(played(t, "fifth-is-idle"), Session{Width: 640, Height: 400, Event: 200, Scroll: map[string]float64{"picture": 0}})
	require.Empty(t, scene.Find(s.Scene(), "node:C5").Kids, "C5 is out of view at first")
	require.True(t, act(s, Focus, "node:C5", 0))
	require.NotEmpty(t, scene.Find(s.Scene(), "node:C5").Kids)
	require.True(t, act(s, Focus, "partition:T1-0", 0))
	require.NotEmpty(t, scene.Find(s.Scene(), "partition:T1-0").Kids)
}

func TestTheFocusCanLeaveTheStage(t *testing.T) {
	s := New(played(t, "two-consumers"), Session{Width: 1440, Height: 900})
	for event := range 200 { // whatever can be scrolled
		act(s, Seek, "", float64(event))
		act(s, Focus, "node:C1", 0)
		act(s, Focus, "", 0)
		require.Empty(t, s.Session().Focused)
	}
}

func TestActivateDoesWhatTheFocusedShapeDoes(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Focused: "button:theme"})
	require.True(t, act(s, Activate, "", 0))
	require.Equal(t, Dark, s.Session().Theme)
}

func TestATipIsShownBesideWhatThePointerIsOver(t *testing.T) {
	s := New(played(t, "two-consumers"), Session{Event: 300})
	require.Nil(t, scene.Find(s.Scene(), "tip"))
	for _, id := range []string{"button:theme", "transport:last", "arrow:" + number(s.track.arrows[len(s.track.arrows)/2].message.ID)} {
		act(s, Hover, id, 0)
		over := scene.Find(s.Scene(), id)
		if over == nil {
			continue
		}
		tip := scene.Find(s.Scene(), "tip")
		require.NotNil(t, tip, id)
		window := scene.Box{W: 1440, H: 900}
		require.True(t, window.Holds(scene.Bounds(tip)), id)
	}
}

func TestSelectingBringsThePanelThatTellsOfIt(t *testing.T) {
	s := New(played(t, "one-consumer"), Session{Event: 100})
	act(s, Select, "group:G1", 0)
	require.Equal(t, "coordinator", s.Session().Panel)
	act(s, Select, "partition:T1-0", 0)
	require.Equal(t, "details", s.Session().Panel)
}

func TestOnAPhoneTheDetailsOfAThingComeInsteadOfThePictureAndGoWithIt(t *testing.T) {
	phone := New(played(t, "one-consumer"), Session{Event: 100, Width: 390, Height: 844})
	for _, id := range []string{"partition:T1-0", "node:C1"} {
		require.True(t, phone.Do(scene.Find(phone.Scene(), id).Action), id)
		require.Equal(t, "details", phone.Session().Panel)
		require.True(t, act(phone, Close, "", 0))
		require.Equal(t, "picture", phone.Session().Panel)
		require.Empty(t, phone.Session().Selected)
	}
	act(phone, Select, "node:C1", 0)
	act(phone, Select, "node:C1", 0)
	require.Equal(t, "picture", phone.Session().Panel, "the same again returns to the picture")

	act(phone, Panel, "sequence", 0)
	act(phone, Select, "node:C1", 0)
	require.Equal(t, "sequence", phone.Session().Panel, "the sequence stays in view")
}

func TestFingersFindEveryControlOfAPhone(t *testing.T) {
	for _, panel := range Panels {
		s := New(played(t, "two-consumers"), Session{Width: 390, Height: 844, Panel: panel, Event: 200})
		scene.Walk(s.Scene(), func(sh *scene.Shape) bool {
			if sh.Focus > 0 && len(sh.Kids) > 0 && sh.Action.Do != Select {
				require.GreaterOrEqual(t, sh.H, 44.0, sh.ID)
				require.GreaterOrEqual(t, sh.W, 44.0, sh.ID)
			}
			return true
		})
	}
}

func TestAWrongLessonIsShownWithItsPlaces(t *testing.T) {
	problems := lessons.Problems{
		{File: "first/lesson.yaml", Line: 12, Column: 5, Message: `unknown key "tpoics"`, Expected: "topics, brokers", Suggestion: "topics"},
		{File: "first/zh.yaml", Message: "the file is missing"},
	}
	for _, lang := range Languages() {
		sc := Failure(fmt.Errorf("play: %w", problems), Session{Lang: lang, Width: 390, Height: 844})
		text := allText(sc)
		require.Contains(t, text, "first/lesson.yaml:12:5")
		require.Contains(t, text, `unknown key "tpoics"`)
		require.Contains(t, text, "first/zh.yaml")
		require.NotNil(t, scene.Find(sc, "button:language"))
		require.NotNil(t, scene.Find(sc, "button:theme"))
		require.NotNil(t, scene.Find(sc, "menu:lessons"))
		require.Empty(t, scene.Faults(sc, func(string) bool { return false }))
	}
}

func TestAnyErrorIsShown(t *testing.T) {
	require.Contains(t, allText(Failure(fmt.Errorf("boom"), Session{})), "boom")
	require.NotEmpty(t, allText(Failure(nil, Session{})))
}

func TestAFailuresLooksCanBeChanged(t *testing.T) {
	s := Session{Lang: "en", Theme: Light}
	require.True(t, s.Do(scene.Action{Do: Theme}))
	require.True(t, s.Do(scene.Action{Do: Language}))
	require.Equal(t, Dark, s.Theme)
	require.Equal(t, "zh", s.Lang)
}

func allText(sc *scene.Scene) string {
	var b strings.Builder
	for _, p := range scene.Texts(sc) {
		b.WriteString(p.Text + "\n")
	}
	return b.String()
}
