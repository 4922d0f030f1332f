//go:build browser

package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// command gives a command in the palette by keyboard.
func (p *tab) command(line string) {
	p.t.Helper()
	p.press("/", 1)
	p.until("the field has the focus", `document.activeElement.dataset.role === "textbox"`)
	p.act(scene.Action{Do: stage.Type, Arg: ""})
	p.do(chromedp.KeyEvent(line))
	p.untilState("what is written", func(s app.State) bool { return s.Session.Draft == line })
	p.press(kb.Enter, 1)
	p.untilState(line, func(s app.State) bool { return s.Session.Overlay == "" })
}

func TestASandboxIsChangedByKeyboardAlone(t *testing.T) {
	p := newTab(t, 1440, 900)
	p.reduceMotion()
	p.open(serveSite(t) + "?lang=en&lesson=sandbox-empty")
	p.command("add-topic T1 partitions=2")
	p.command("add-consumer C1 group=G1 topics=T1")
	p.press(kb.End, 1)
	before := p.untilState("the end of the run", func(s app.State) bool { return s.Event > 10 && s.Event == s.Events })

	eval[any](p, mirrored("node:C1")+".focus(); null")
	p.untilState("the consumer has the focus", func(s app.State) bool { return s.Session.Focused == "node:C1" })
	p.press("!", 1)
	p.until("the menu", mirrored("act:crash C1")+" !== null")
	for range 10 {
		p.press(kb.Tab, 1)
		if eval[string](p, `document.activeElement.dataset.id || ""`) == "act:crash C1" {
			break
		}
	}
	p.press(kb.Enter, 1)
	p.untilState("the act", func(s app.State) bool { return s.Session.Overlay == "" && s.Event == before.Event+1 })
	require.Contains(t, p.state().Announce, "C1")

	p.press("u", 1)
	after := p.untilState("undone", func(s app.State) bool { return s.Event == before.Event })
	require.Equal(t, before.Hash, after.Hash)
	require.Equal(t, before.Events, after.Events)
	require.Empty(t, p.complaints())
}
