//go:build browser

package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/fonts/han"
	"groupscope/render/scene"
	"groupscope/web"
	"groupscope/web/chromium"
)

// The site and the browser that all tests share.
var (
	dist    string
	browser context.Context
)

func TestMain(m *testing.M) {
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "groupscope-site-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	dist = dir
	if err := han.Use(); err != nil { // texts are measured here as they are in the page
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("browser tests: building the site")
	if err := web.Build(context.Background(), dist, web.Quick); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("browser tests: starting the browser")
	browserContext, stop, err := chromium.Start(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	browser = browserContext
	return m.Run()
}

// tab is one page of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mutex    sync.Mutex
	problems []string // what the page complained about
}

// newTab opens an empty page of that size.
func newTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	p := &tab{t: t}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithListener(p.listen))
	t.Cleanup(cancel)
	p.ctx = ctx
	p.do(chromedp.EmulateViewport(width, height))
	p.before(`window.complaints = [];
		addEventListener("securitypolicyviolation", (e) => complaints.push(e.violatedDirective + " " + e.blockedURI));`)
	return p
}

func (p *tab) listen(event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			for _, arg := range e.Args {
				p.problems = append(p.problems, string(arg.Value)+" "+arg.Description)
			}
		}
	}
}

// complaints are the errors and warnings of the page so far, and what its content security policy refused.
func (p *tab) complaints() []string {
	p.t.Helper()
	refused := eval[[]string](p, "window.complaints")
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append(refused, p.problems...)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, steps...))
}

// eval evaluates a script in the page.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	require.NoError(p.t, err, script)
	return value
}

// call gives the browser a command of its protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, command, params)
	require.NoError(p.t, err)
}

// open goes to a page of the site and waits for the program.
func (p *tab) open(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
	p.until("the program is ready", ready)
}

const ready = `window.groupscope !== undefined && document.getElementById("shell").hidden`

// before has a script run in each new page before those of the page.
func (p *tab) before(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// until waits for a condition on the page.
func (p *tab) until(what, condition string) {
	p.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		if eval[bool](p, "Boolean("+condition+")") {
			return
		}
		if time.Now().After(deadline) {
			require.FailNowf(p.t, "waited too long", "%s; the page said: %v", what, p.complaints())
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func (p *tab) state() app.State {
	p.t.Helper()
	var state app.State
	require.NoError(p.t, json.Unmarshal([]byte(eval[string](p, "window.groupscope.state()")), &state))
	return state
}

func (p *tab) scene() *scene.Scene {
	p.t.Helper()
	var picture scene.Scene
	require.NoError(p.t, json.Unmarshal([]byte(eval[string](p, "window.groupscope.scene()")), &picture))
	return &picture
}

// untilState waits for a condition on the program's state.
func (p *tab) untilState(what string, holds func(app.State) bool) app.State {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		state := p.state()
		if holds(state) {
			return state
		}
		if time.Now().After(deadline) {
			require.FailNowf(p.t, "waited too long", "%s; the state is %+v; the page said: %v", what, state, p.complaints())
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// act carries out an action and waits until the picture rests.
func (p *tab) act(action scene.Action) {
	p.t.Helper()
	p.send(action)
	p.settle()
}

// send carries out an action.
func (p *tab) send(action scene.Action) {
	p.t.Helper()
	text, err := json.Marshal(action)
	require.NoError(p.t, err)
	eval[any](p, fmt.Sprintf("groupscope.act(%q); groupscopeGate.wake(); null", text))
}

// settle waits until the picture on screen is that of the state: the gate has closed again.
func (p *tab) settle() {
	p.t.Helper()
	p.until("the picture settles", "!window.groupscopeGate.isOpen()")
}

func (p *tab) screenshot() image.Image {
	p.t.Helper()
	p.settle()
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(p.t, err)
	return picture
}

// reduceMotion has the page ask for steps that do not glide.
func (p *tab) reduceMotion() {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// press presses a key so many times.
func (p *tab) press(key string, times int) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(strings.Repeat(key, times), goingDown))
}

// goingDown makes a key go down as a keyboard's does: what the page prevents then writes nothing, wherever the focus is by the time
// its character comes.
func goingDown(k *input.DispatchKeyEventParams) {
	if k.Type == kb.KeyDown {
		k.Type = kb.KeyRawDown
	}
}

// control is the shape of the scene that does the action.
func (p *tab) control(action string) *scene.Shape {
	p.t.Helper()
	var found *scene.Shape
	scene.Walk(p.scene(), func(shape *scene.Shape) bool {
		if found == nil && shape.Action.Do == action && shape.Focus > 0 {
			found = shape
		}
		return found == nil
	})
	require.NotNil(p.t, found, "nothing on screen does %s", action)
	return found
}

// finger puts a finger on the touch screen, moves it or takes it off; points are given as x and y in turn.
func (p *tab) finger(kind input.DispatchTouchEventType, at ...float64) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i := 0; i+1 < len(at); i += 2 {
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: at[i], Y: at[i+1]})
	}
	call(p, input.DispatchTouchEvent, params)
}

// touchScreen makes the tab a touch screen.
func (p *tab) touchScreen() {
	p.t.Helper()
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
}

// pressMirror presses the mirror's element for a shape, as a screen reader does.
func (p *tab) pressMirror(id string) {
	p.t.Helper()
	eval[any](p, mirrored(id)+".click(); groupscopeGate.wake(); null")
	p.settle()
}

// mirrored is the script that finds the mirror's element for a shape.
func mirrored(id string) string {
	return fmt.Sprintf(`document.querySelector('#mirror [data-id=%q]')`, id)
}

// serveSite serves the site for one test.
func serveSite(t *testing.T) string {
	return serveOn(t, web.Handler(dist))
}

func serveOn(t *testing.T, handler http.Handler) string {
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections() // the stream of changes never ends by itself
		server.Close()
	})
	return server.URL + "/"
}

// colors counts the different colours of a picture, on a grid of every fifth pixel.
func colors(picture image.Image) int {
	seen := map[color.Color]bool{}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y += 5 {
		for x := bounds.Min.X; x < bounds.Max.X; x += 5 {
			seen[picture.At(x, y)] = true
		}
	}
	return len(seen)
}

// difference counts the pixels in which two pictures of one size differ.
func difference(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}
