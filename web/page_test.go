//go:build browser

package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/app/apptest"
	"groupscope/render/scene"
	"groupscope/render/stage"
	"groupscope/web"
)

func TestThePageShowsWhatTheSceneSays(t *testing.T) {
	for _, theme := range stage.Themes {
		for _, lang := range stage.Languages() {
			t.Run(theme+" "+lang, func(t *testing.T) {
				p := newTab(t, 1440, 900)
				p.open(serveSite(t) + fmt.Sprintf("?theme=%s&lang=%s", theme, lang))
				state := p.state()
				require.Empty(t, state.Failure)
				require.Equal(t, theme, state.Session.Theme)
				require.Equal(t, lang, state.Session.Lang)
				screen := p.screenshot()
				require.Greater(t, colors(screen), 20, "the canvas is blank")
				compared, differing := apptest.Compare(screen, p.scene())
				require.Greater(t, compared, 5000)
				require.Empty(t, differing)
				require.Empty(t, p.complaints())
			})
		}
	}
}

func TestTheProgressBarCountsTheProgram(t *testing.T) {
	p := newTab(t, 800, 600)
	p.before(`window.shares = [];
		document.addEventListener("DOMContentLoaded", () => {
			const bar = document.getElementById("shell-progress");
			new MutationObserver(() => shares.push(bar.value)).observe(bar, { attributes: true });
		});`)
	p.open(serveSite(t))
	shares := eval[[]float64](p, "window.shares")
	require.Greater(t, len(shares), 3)
	require.IsIncreasing(t, shares)
	require.InDelta(t, 1, shares[len(shares)-1], 0.001)
}

func TestKeysStepThroughALessonAndBackExactly(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.reduceMotion()
	p.open(serveSite(t))
	p.press(kb.Home, 1)
	start := p.untilState("the start", func(s app.State) bool { return s.Event == 0 })
	p.settle()
	startPicture := p.screenshot()
	require.Greater(t, start.Events, 20)

	half := start.Events / 2
	p.press(kb.ArrowRight, half)
	middle := p.untilState("the middle", func(s app.State) bool { return s.Event == half })
	middlePicture := p.screenshot()
	p.press(kb.ArrowRight, start.Events-half)
	p.untilState("the end", func(s app.State) bool { return s.Event == s.Events })
	require.NotZero(t, difference(middlePicture, p.screenshot()))

	p.press(kb.ArrowLeft, start.Events-half)
	again := p.untilState("the middle again", func(s app.State) bool { return s.Event == half })
	require.Equal(t, middle, again)
	require.Zero(t, difference(middlePicture, p.screenshot()))
	p.press(kb.ArrowLeft, half)
	require.Equal(t, start, p.untilState("the start again", func(s app.State) bool { return s.Event == 0 }))
	require.Zero(t, difference(startPicture, p.screenshot()))
}

func TestMirrorButtonsStepThroughALessonAndBack(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.reduceMotion()
	p.open(serveSite(t))
	beats := p.state().Beats
	p.act(scene.Action{Do: stage.First})
	var there []app.State
	for range beats {
		there = append(there, p.state())
		p.pressMirror(p.control(stage.NextBeat).ID)
	}
	require.Equal(t, beats[len(beats)-1], p.state().Beat)
	for i := len(there) - 1; i >= 0 && p.state().Event > 0; i-- {
		p.pressMirror(p.control(stage.PrevBeat).ID)
	}
	require.Equal(t, there[0], p.state())
}

func TestTheMirrorIsMadeOfRealControls(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.open(serveSite(t))
	line := p.control(stage.Scrub)
	require.Equal(t, "INPUT range", eval[string](p, mirrored(line.ID)+`.tagName + " " + `+mirrored(line.ID)+`.type`))
	require.Equal(t, "BUTTON", eval[string](p, mirrored(p.control(stage.Toggle).ID)+".tagName"))
	require.NotEmpty(t, eval[string](p, `document.getElementById("announcer").textContent`))

	lies := eval[[]float64](p, fmt.Sprintf(`(() => { const b = %s.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()`, mirrored(line.ID)))
	require.InDeltaSlice(t, []float64{line.X, line.Y, line.W, line.H}, lies, 1)

	// The range input moves the position, as arrow keys on it do.
	eval[any](p, fmt.Sprintf(`(() => { const i = %s; i.value = i.max; i.dispatchEvent(new Event("input")); groupscopeGate.wake(); return null; })()`, mirrored(line.ID)))
	p.untilState("the end", func(s app.State) bool { return s.Event == s.Events })
}

func TestTabMovesTheFocusAndIsNeverTrapped(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.open(serveSite(t))
	focusable := eval[int](p, `document.querySelectorAll('#mirror [tabindex="0"]:not(:disabled)').length`)
	require.Greater(t, focusable, 5)
	seen := map[string]bool{}
	for range focusable {
		p.press(kb.Tab, 1)
		seen[eval[string](p, `document.activeElement.dataset.id || ""`)] = true
	}
	require.NotContains(t, seen, "")
	require.Len(t, seen, focusable)
	focused := eval[string](p, "document.activeElement.dataset.id")
	p.untilState("the ring", func(s app.State) bool { return s.Session.Focused == focused })
	p.press(kb.Tab, 1)
	require.Equal(t, "BODY", eval[string](p, "document.activeElement.tagName"), "the focus has to leave the page's last control")
}

func TestArrowsGoAmongTheOptionsOfAQuestionAndTheAnswerKeepsTheFocus(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.reduceMotion()
	p.open(serveSite(t))
	for p.state().Event < p.state().Events && eval[int](p, `document.querySelectorAll('#mirror [role="radio"]').length`) == 0 {
		p.act(scene.Action{Do: stage.NextBeat})
	}
	event := p.state().Event
	options := eval[[]string](p, `[...document.querySelectorAll('#mirror [role="radio"]')].map((o) => o.dataset.id)`)
	require.Greater(t, len(options), 1)
	focused := func() string { return eval[string](p, `document.activeElement.dataset.id || ""`) }
	eval[any](p, mirrored(options[0])+".focus(); null")
	p.press(kb.ArrowUp, 1)
	require.Equal(t, options[len(options)-1], focused())
	p.press(kb.ArrowRight, 2)
	require.Equal(t, options[1], focused())
	require.Equal(t, event, p.state().Event)

	p.press(kb.Enter, 1)
	p.untilState("the answer", func(s app.State) bool { return len(s.Session.Answers) == 1 })
	p.settle()
	require.Equal(t, options[1], focused())
}

func TestArrowKeysGoAlongTheSequence(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.reduceMotion()
	p.open(serveSite(t))
	p.act(scene.Action{Do: stage.Last})
	p.settle()
	links := `[...document.querySelectorAll('#mirror [role="link"]')].map((o) => o.dataset.id)`
	first := eval[[]string](p, links)
	require.Len(t, first, 1, "the Tab key stops there once")
	eval[any](p, mirrored(first[0])+".focus(); null")
	seen := map[string]bool{first[0]: true}
	for range 3 {
		before := p.state().Session.Focused
		p.press(kb.ArrowLeft, 1)
		now := p.untilState("another arrow", func(s app.State) bool { return s.Session.Focused != before }).Session.Focused
		p.settle()
		require.Equal(t, now, eval[string](p, `document.activeElement.dataset.id || ""`))
		require.False(t, seen[now])
		seen[now] = true
	}
	p.press(kb.Enter, 1)
	p.untilState("the message", func(s app.State) bool { return strings.HasPrefix(s.Session.Selected, "message:") })
}

func TestTheWheelZoomsTheSequenceAndTheMouseMovesIt(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.open(serveSite(t))
	p.act(scene.Action{Do: stage.Last})
	p.settle()
	ground := scene.Find(p.scene(), stage.GroundID)
	x, y := ground.X+ground.W/2, ground.Y+ground.H-8
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, x, y, func(params *input.DispatchMouseEventParams) {
		params.DeltaX, params.DeltaY = 1, 120 // the protocol wants both
	}))
	p.untilState("a wider excerpt", func(s app.State) bool { return s.Session.Sequence.Span > 0 })
	event := p.state().Event
	p.do(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonType(input.MouseButtonLeft)))
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, x+100, y, chromedp.ButtonType(input.MouseButtonLeft), heldLeft))
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, x+100, y, chromedp.ButtonType(input.MouseButtonLeft)))
	p.untilState("an excerpt that was moved", func(s app.State) bool { return s.Session.Sequence.Held })
	require.Equal(t, event, p.state().Event, "moving it is no click")
}

func TestTheMouseClicksAndDragsTheTimeline(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.open(serveSite(t))
	next := p.control(stage.NextBeat)
	before := p.state().Event
	p.do(chromedp.MouseClickXY(next.X+next.W/2, next.Y+next.H/2))
	p.untilState("another beat", func(s app.State) bool { return s.Event > before })

	line := p.control(stage.Scrub)
	y := line.Y + line.H/2
	p.do(chromedp.MouseEvent(chromedp.MousePressed, line.X+line.W*0.2, y, chromedp.ButtonType(input.MouseButtonLeft)))
	early := p.untilState("a fifth of the way", func(s app.State) bool { return s.Event > 0 && s.Event < s.Events/2 })
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, line.X+line.W+300, y, chromedp.ButtonType(input.MouseButtonLeft), heldLeft))
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, line.X+line.W+300, y, chromedp.ButtonType(input.MouseButtonLeft)))
	late := p.untilState("the end, dragged past", func(s app.State) bool { return s.Event == s.Events })
	require.Greater(t, late.At, early.At)
}

// heldLeft says that the left button is down while the mouse moves.
func heldLeft(params *input.DispatchMouseEventParams) { params.Buttons = 1 }

func TestAFingerTapsAndDragsTheTimeline(t *testing.T) {
	p := newTab(t, 390, 844)
	p.touchScreen()
	p.open(serveSite(t))
	before := p.state().Event
	next := p.control(stage.NextBeat)
	p.finger(input.DispatchTouchEventTypeTouchStart, next.X+next.W/2, next.Y+next.H/2)
	p.finger(input.DispatchTouchEventTypeTouchEnd)
	p.untilState("another beat", func(s app.State) bool { return s.Event > before })

	line := p.control(stage.Scrub)
	y := line.Y + line.H/2
	p.finger(input.DispatchTouchEventTypeTouchStart, line.X+line.W/2, y)
	p.finger(input.DispatchTouchEventTypeTouchMove, line.X+line.W*0.8, y)
	p.finger(input.DispatchTouchEventTypeTouchMove, line.X+line.W-1, y)
	p.finger(input.DispatchTouchEventTypeTouchEnd)
	p.untilState("near the end", func(s app.State) bool { return s.Event > s.Events*8/10 })
}

func TestAFingerSwipesThroughEvents(t *testing.T) {
	p := newTab(t, 390, 844)
	p.touchScreen()
	p.open(serveSite(t))
	swipe := func(from, to float64) {
		p.finger(input.DispatchTouchEventTypeTouchStart, from, 300)
		p.finger(input.DispatchTouchEventTypeTouchMove, (from+to)/2, 300)
		p.finger(input.DispatchTouchEventTypeTouchMove, to, 300)
		p.finger(input.DispatchTouchEventTypeTouchEnd)
	}
	before := p.state().Event
	swipe(280, 120)
	p.untilState("the next event", func(s app.State) bool { return s.Event == before+1 })
	swipe(120, 280)
	p.untilState("the event before", func(s app.State) bool { return s.Event == before })
}

func TestAWrongLessonIsShownAndSurvived(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.open(serveSite(t))
	good := p.state()
	eval[any](p, `groupscope.load(JSON.stringify({"mine/lesson.yaml": "format: 1\nrelaese: 3.7\n"})); null`)
	wrong := p.untilState("the message", func(s app.State) bool { return s.Failure != "" })
	require.Contains(t, wrong.Failure, "mine/lesson.yaml:2:1")
	require.Contains(t, eval[string](p, `document.getElementById("announcer").textContent`), "mine/lesson.yaml:2:1")
	compared, differing := apptest.Compare(p.screenshot(), p.scene())
	require.Greater(t, compared, 1000)
	require.Empty(t, differing)

	p.act(scene.Action{Do: stage.Lesson, Arg: good.Lesson})
	require.Empty(t, p.untilState("the course", func(s app.State) bool { return s.Failure == "" }).Failure)
}

func TestHostileWordsAreShownAsText(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.open(serveSite(t))
	hostile := `<img src=x onerror=pwned=1>"'&\u202e</script><script>pwned=1</script>`
	eval[any](p, `groupscope.load("{}"); null`)
	p.untilState("the failure", func(s app.State) bool { return s.Failure != "" })
	files, err := json.Marshal(map[string]string{
		"mine/lesson.yaml": "format: 1\nuntil: 10s\nbrokers: {B1: {}}\ntopics: {T1: {partitions: 1}}\nconsumers: {C1: {group: G1, topics: [T1]}}\nbeats: {start: {}}\n",
		"mine/en.yaml":     fmt.Sprintf("title: %[1]q\nidea: %[1]q\nbeats: {start: {title: %[1]q, text: %[1]q}}\n", hostile),
	})
	require.NoError(t, err)
	eval[any](p, fmt.Sprintf("groupscope.load(%q); null", files))
	p.untilState("the lesson", func(s app.State) bool { return s.Failure == "" && s.Lesson == "mine" })
	p.until("the mirror has the words", `document.body.textContent.includes("onerror=pwned=1")`)
	require.Equal(t, "undefined", eval[string](p, "typeof pwned"))
	require.Zero(t, eval[int](p, `document.querySelectorAll("img[src=x], body script:not([src])").length`))
}

// Ebitengine loads the page again when it loses its WebGL context; the page does when the device pixel ratio changes.
func TestLoadingAgainComesBackToThePlace(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.open(serveSite(t))
	p.act(scene.Action{Do: stage.Seek, N: 17})
	p.act(scene.Action{Do: stage.Theme, Arg: stage.Dark})
	p.act(scene.Action{Do: stage.Open, Arg: "lessons"})
	before := p.state()
	require.Equal(t, 17, before.Event)
	for name, again := range map[string]func(){
		"a reload": func() { p.do(chromedp.Reload()) },
		"a lost context": func() {
			eval[any](p, `document.querySelector("canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext(); null`)
		},
		"another device pixel ratio": func() {
			p.do(chromedp.EmulateViewport(1024, 640, chromedp.EmulateScale(2)))
			p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)) // an emulated screen tells nothing by itself
		},
	} {
		t.Run(name, func(t *testing.T) {
			eval[any](p, "window.old = true; null")
			again()
			p.until("the page is a new one", "!window.old")
			p.until("the program is ready", ready)
			require.Equal(t, before, p.state())
		})
	}
	p.do(chromedp.EmulateViewport(1024, 640, chromedp.EmulateScale(2)))
	p.until("a canvas of twice the pixels", `document.querySelector("canvas")?.width === 2048`)
}

func TestAnAddressOpensALessonAtABeat(t *testing.T) {
	address := serveSite(t)
	p := newTab(t, 1024, 640)
	p.open(address)
	state := p.state()
	last := state.Beats[len(state.Beats)-1]
	p.open(address + "?lesson=" + state.Lesson + "&beat=" + last + "&lang=zh")
	require.Equal(t, last, p.state().Beat)
	require.Equal(t, "zh", p.state().Session.Lang)
}

// A picture that stands still asks for no frames; one that plays asks for all.
func TestThePageTakesTheBrowsersWishForContrast(t *testing.T) {
	p := newTab(t, 1024, 640)
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-contrast", Value: "more"}},
	})
	p.open(serveSite(t))
	require.Equal(t, stage.Contrast, p.state().Session.Theme)
}

func TestTheTitleNamesTheLesson(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.open(serveSite(t) + "?lesson=one-consumer&lang=en")
	before := eval[string](p, "document.title")
	require.Contains(t, before, " · groupscope")
	p.act(scene.Action{Do: stage.Lesson, Arg: "two-consumers"})
	after := eval[string](p, "document.title")
	require.NotEqual(t, before, after)
	require.Equal(t, after, eval[string](p, `document.querySelector("main > h1").textContent`))
}

func TestTheAddressFollowsThePlace(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.reduceMotion()
	p.open(serveSite(t) + "?theme=dark")
	p.act(scene.Action{Do: stage.Lesson, Arg: "two-consumers"})
	p.act(scene.Action{Do: stage.Variant, Arg: "roundrobin"})
	p.act(scene.Action{Do: stage.NextBeat})
	beat := p.state().Beat
	require.NotEmpty(t, beat)
	address := eval[string](p, "location.href")
	require.Contains(t, address, "?theme=dark&lesson=two-consumers&variant=roundrobin&beat="+beat)
	again := newTab(t, 1024, 640)
	again.open(address)
	require.Equal(t, p.state().Event, again.state().Event)
}

func TestAPausedLessonLeavesTheProcessorAlone(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.before(`(() => {
		window.frames_asked = 0;
		const ask = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (callback) => { frames_asked++; return ask(callback); };
	})();`)
	p.open(serveSite(t))
	p.act(scene.Action{Do: stage.Pause})
	framesInASecond := func() int {
		before := eval[int](p, "frames_asked")
		time.Sleep(time.Second)
		return eval[int](p, "frames_asked") - before
	}
	require.Zero(t, framesInASecond())
	p.send(scene.Action{Do: stage.Play})
	require.Positive(t, framesInASecond())
}

func TestInSomebodyElsesPageTheWheelScrollsThatPage(t *testing.T) {
	site := web.Handler(dist)
	address := serveOn(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/host" {
			site.ServeHTTP(w, r)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>host</title><body style="height:4000px"><iframe src="/" width="700" height="500"></iframe>`)
	}))
	p := newTab(t, 800, 600)
	p.do(chromedp.Navigate(address + "host"))
	p.until("the program in the frame is ready", `frames[0].groupscope && frames[0].document.getElementById("shell").hidden`)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, 350, 250, func(params *input.DispatchMouseEventParams) {
		params.DeltaX, params.DeltaY = 1, 120 // the protocol wants both
	}))
	p.until("the host scrolls", "scrollY > 0")
	require.Equal(t, "BODY", eval[string](p, "document.activeElement.tagName"), "the frame must not take the focus by itself")
}

// Some hosts say Content-Encoding for a compressed file, and the browser unpacks it before the page sees it.
func TestAHostThatUnpacksByItselfIsUnderstood(t *testing.T) {
	site := web.Handler(dist)
	p := newTab(t, 800, 600)
	p.open(serveOn(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
		}
		site.ServeHTTP(w, r)
	})))
	require.Empty(t, p.complaints())
}

func TestABrowserWithoutWebGLIsTold(t *testing.T) {
	p := newTab(t, 800, 600)
	p.before("HTMLCanvasElement.prototype.getContext = () => null;")
	p.do(chromedp.Navigate(serveSite(t)))
	p.until("the message", `document.getElementById("shell-title").textContent.includes("WebGL")`)
}

func TestAProgramThatCannotBeLoadedIsTold(t *testing.T) {
	site := web.Handler(dist)
	p := newTab(t, 800, 600)
	p.do(chromedp.Navigate(serveOn(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".wasm") {
			http.NotFound(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))))
	p.until("the message", `!document.getElementById("shell-again").hidden`)
	require.Contains(t, eval[string](p, `document.getElementById("shell-text").textContent`), "404")
}

func TestAnAuthorsPreviewFollowsTheFiles(t *testing.T) {
	lesson := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.CopyFS(lesson, os.DirFS("../lessons/one-consumer")))
	preview, err := web.NewPreview(dist, lesson)
	require.NoError(t, err)
	go func() { _ = preview.Watch(t.Context()) }()
	p := newTab(t, 1024, 640)
	p.open(serveOn(t, preview))
	good := p.untilState("the author's lesson", func(s app.State) bool { return s.Lesson == "mine" })
	require.Empty(t, good.Failure)
	p.act(scene.Action{Do: stage.Seek, N: 25})

	file := filepath.Join(lesson, "lesson.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "partitions:", "partitoins:", 1)), 0o600))
	wrong := p.untilState("the message", func(s app.State) bool { return s.Failure != "" })
	require.Contains(t, wrong.Failure, "partitoins")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	again := p.untilState("the lesson again", func(s app.State) bool { return s.Failure == "" })
	require.Equal(t, 25, again.Event, "the preview stays where it was")
}
