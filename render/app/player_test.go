package app

import (
	"errors"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// firstLesson is a player at an event of the first lesson.
func firstLesson(event int) *Player {
	return NewPlayer(Place{Session: stage.Session{Event: event, Width: 1440, Height: 900}})
}

func TestTheFirstLessonOpensByDefault(t *testing.T) {
	state := firstLesson(0).State()
	require.Empty(t, state.Failure)
	require.Equal(t, lessons.Catalogue()[0].ID, state.Lesson)
	require.Positive(t, state.Events)
	require.NotEmpty(t, state.Announce)
}

func TestABeatIsFoundByItsID(t *testing.T) {
	beats := firstLesson(0).State().Beats
	p := NewPlayer(Place{Beat: beats[1]})
	require.Equal(t, beats[1], p.State().Beat)
}

func TestAskingForAnotherLessonOpensIt(t *testing.T) {
	p := firstLesson(20)
	second := "two-consumers"
	p.Do(scene.Action{Do: stage.Lesson, Arg: second})
	require.Equal(t, second, p.State().Lesson)
	require.Zero(t, p.State().Event)
}

func TestALessonThatIsNotThereIsAFailureThatCanBeLeft(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Lesson: "nowhere"}})
	require.Contains(t, p.State().Failure, `there is no lesson "nowhere"`)
	require.Contains(t, p.State().Failure, "two-consumers")
	require.NotEmpty(t, p.Scene().Shapes)
	require.False(t, p.Busy())
	p.Do(scene.Action{Do: stage.Close})
	require.Empty(t, p.State().Failure)
}

func TestKeysLeaveWhatLiesBehindADialogAlone(t *testing.T) {
	p := firstLesson(20)
	press := func(name string) {
		action, known := stage.KeyAction(name)
		require.True(t, known, name)
		p.Press(action)
	}
	press("m")
	for _, name := range []string{"ArrowRight", "n", "Space", "End"} {
		press(name)
	}
	require.Equal(t, 20, p.State().Event)
	require.False(t, p.Busy())
	press("d")
	require.Equal(t, stage.Dark, p.Session().Theme)
	press("Escape")
	press("ArrowRight")
	require.Equal(t, 21, p.State().Event)
}

func TestAFailureCanBeReadInAnotherThemeAndLanguage(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Lesson: "nowhere"}})
	version := p.Version()
	p.Do(scene.Action{Do: stage.Theme, Arg: stage.Dark})
	p.Do(scene.Action{Do: stage.Language, Arg: "zh"})
	require.Greater(t, p.Version(), version)
	require.Equal(t, stage.Dark, p.Session().Theme)
	require.Equal(t, "zh", p.Session().Lang)
	require.NotEmpty(t, p.State().Failure)
}

func TestAFailureHasTheMenuOfLessonsAsItsWayOut(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Lesson: "nowhere"}})
	click := func(id string) {
		shape := scene.Find(p.Scene(), id)
		require.NotNil(t, shape, id)
		p.Do(shape.Action)
	}
	click("menu:lessons")
	click("button:close")
	require.NotEmpty(t, p.State().Failure, "closing the menu shows the message again")

	menu, _ := stage.KeyAction("m")
	p.Press(menu)
	click("lesson:two-consumers")
	require.Empty(t, p.State().Failure)
	require.Equal(t, "two-consumers", p.State().Lesson)
}

func TestANewFailureIsNotHiddenBehindAMenu(t *testing.T) {
	p := firstLesson(0)
	p.Do(scene.Action{Do: stage.Open, Arg: "lessons"})
	p.LoadFiles(nil)
	require.Contains(t, p.State().Failure, "load lesson")
	require.Nil(t, scene.Find(p.Scene(), "lesson:two-consumers"))
}

func TestAPanicBecomesThePicture(t *testing.T) {
	p := firstLesson(0)
	p.guard(func() error { panic("something broke") })
	require.Contains(t, p.State().Failure, "something broke")
	require.NotEmpty(t, p.Scene().Shapes)
}

func TestAnAuthorsLessonIsCheckedAndKeepsItsPlace(t *testing.T) {
	id := lessons.Catalogue()[0].ID
	files := map[string]string{}
	for _, name := range []string{"lesson.yaml", "en.yaml", "zh.yaml"} {
		data, err := fstestRead(id + "/" + name)
		require.NoError(t, err)
		files["mine/"+name] = string(data)
	}
	p := firstLesson(0)
	p.LoadFiles(files)
	require.Empty(t, p.State().Failure)
	require.Equal(t, "mine", p.State().Lesson)

	p.Do(scene.Action{Do: stage.Seek, N: 20})
	p.LoadFiles(files)
	require.Equal(t, 20, p.State().Event)

	files["mine/lesson.yaml"] += "\nnonsense: 1\n"
	p.LoadFiles(files)
	require.Contains(t, p.State().Failure, "mine/lesson.yaml")
}

func fstestRead(name string) ([]byte, error) {
	builtin, ok := lessons.Builtin().(interface{ ReadFile(string) ([]byte, error) })
	if !ok {
		return nil, errors.New("the lessons of the program are no embedded files")
	}
	return builtin.ReadFile(name)
}

func TestFilesWithoutALessonAreRefused(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"none":      {"mine/en.yaml": ""},
		"two":       {"a/lesson.yaml": "", "b/lesson.yaml": ""},
		"a climber": {"../lesson.yaml": ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := firstLesson(0)
			p.LoadFiles(files)
			require.Contains(t, p.State().Failure, "load lesson")
		})
	}
}

func TestALessonIsLoadedFromAnyFileSystem(t *testing.T) {
	p := firstLesson(0)
	p.Load(fstest.MapFS{"mine/lesson.yaml": &fstest.MapFile{Data: []byte("format: 1\n")}}, "mine")
	require.Contains(t, p.State().Failure, "mine/")
}

func TestResizingKeepsThePlace(t *testing.T) {
	p := firstLesson(20)
	p.Resize(800, 600)
	require.Equal(t, 20, p.State().Event)
	require.Equal(t, 800.0, p.Scene().Width)
	require.Equal(t, 600.0, p.Scene().Height)
}

func TestTheVersionChangesWithThePictureAlone(t *testing.T) {
	p := firstLesson(20)
	version := p.Version()
	p.Advance(time.Second)
	p.Do(scene.Action{Do: stage.Pause})
	require.Equal(t, version, p.Version())
	p.Do(scene.Action{Do: stage.Play})
	p.Advance(20 * time.Millisecond)
	require.Greater(t, p.Version(), version)
}
