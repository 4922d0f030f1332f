//go:build browser

package web_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// axe is axe-core (MPL 2.0), as its package has it: an automatic check of what a page says to assistive technology.
const axe = "testdata/axe-core-4.14.1.min.js.gz"

// violation is a rule of axe-core that some elements of the page break.
type violation struct {
	ID     string   `json:"id"`
	Impact string   `json:"impact"`
	Help   string   `json:"help"`
	Where  []string `json:"where"`
}

// violations lists what axe-core finds in the page.
func (p *tab) violations(source string) []violation {
	p.t.Helper()
	eval[any](p, "if (!window.axe) {"+source+"}; null")
	script := `axe.run().then((found) => JSON.stringify(found.violations.map((v) =>
		({ id: v.id, impact: v.impact, help: v.help, where: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)) }))))`
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err)
	var list []violation
	require.NoError(p.t, json.Unmarshal([]byte(text), &list))
	return list
}

func axeSource(t *testing.T) string {
	file, err := os.Open(axe)
	require.NoError(t, err)
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	require.NoError(t, err)
	source, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	return string(source)
}

// TestAxeFindsNothing checks the page as it is met first, in every view, and with each dialog open.
func TestAxeFindsNothing(t *testing.T) {
	source := axeSource(t)
	site := serveSite(t)
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		for _, lang := range stage.Languages() {
			p := newTab(t, size[0], size[1])
			p.open(site + "?lesson=consumer-crashes&lang=" + lang)
			check := func(where string) {
				require.Empty(t, p.violations(source), "%s, %s, %v", where, lang, size)
			}
			check("first")
			for _, view := range stage.Views {
				p.act(scene.Action{Do: stage.View, Arg: view})
				check(view)
			}
			for _, panel := range stage.Panels {
				p.act(scene.Action{Do: stage.Panel, Arg: panel})
				check(panel)
			}
			for _, overlay := range stage.Overlays {
				p.act(scene.Action{Do: stage.Open, Arg: overlay})
				check(overlay)
				p.act(scene.Action{Do: stage.Close})
			}
			require.Empty(t, p.complaints(), fmt.Sprint(size))
		}
	}
}

// TestALessonIsCompletedByKeyboardAlone goes through every beat of a lesson, answers what it asks and opens the next lesson,
// with the Tab key, arrows and Enter.
func TestALessonIsCompletedByKeyboardAlone(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.reduceMotion()
	p.open(serveSite(t) + "?lesson=consumer-crashes&lang=en")
	tabTo := func(selector string) {
		t.Helper()
		for range 150 {
			if eval[bool](p, fmt.Sprintf("Boolean(document.activeElement.closest(%q))", selector)) {
				return
			}
			p.press(kb.Tab, 1)
		}
		require.FailNow(t, "the Tab key does not reach it", selector)
	}
	first := p.state()
	asked := 0
	for p.state().Lesson == first.Lesson {
		if question := eval[string](p, `document.querySelector('#mirror [role="radio"]:not(:disabled)')?.dataset.id || ""`); question != "" {
			asked++
			tabTo(`#mirror [role="radio"]`)
			p.press(kb.Enter, 1)
			p.untilState("the answer", func(s app.State) bool { return len(s.Session.Answers) == asked })
			p.settle()
		}
		before := p.state()
		tabTo(`#mirror [data-id="beat:next"]`)
		p.press(kb.Enter, 1)
		p.untilState("the next beat", func(s app.State) bool { return s.Event > before.Event || s.Lesson != before.Lesson })
		p.settle()
	}
	require.Positive(t, asked)
	require.Empty(t, p.complaints())
}

func TestTheSearchIsWrittenInAndChosenWithEnter(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.reduceMotion()
	p.open(serveSite(t) + "?lang=en")
	// The browser's protocol would type the character of the key although the page has taken the key: a person's browser does not.
	eval[any](p, `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true })); null`)
	p.until("the field has the focus", `document.activeElement.dataset.role === "textbox"`)
	p.do(chromedp.KeyEvent("last stable offset d"))
	p.untilState("what is written", func(s app.State) bool { return s.Session.Draft == "last stable offset d" })
	require.Equal(t, "light", p.state().Session.Theme, "d is a letter here, not a key")
	p.press(kb.Backspace, 2)
	p.press(kb.Enter, 1)
	p.untilState("the lesson", func(s app.State) bool { return s.Lesson == "last-stable-offset" && s.Session.Overlay == "" })
	require.Empty(t, p.complaints())
}
