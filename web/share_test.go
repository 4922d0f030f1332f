//go:build browser

package web_test

import (
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/stretchr/testify/require"

	"groupscope/render/app"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

func TestALinkLeadsBackToThePlace(t *testing.T) {
	site := serveSite(t)
	p := newTab(t, 1024, 640)
	p.open(site + "?lesson=consumer-crashes&lang=en")
	p.act(scene.Action{Do: stage.Seek, N: 1200})
	was := p.state()
	link := eval[string](p, "window.groupscope.link()")

	other := newTab(t, 1024, 640)
	other.open(site + "?lang=en#g=" + link)
	here := other.untilState("the place", func(s app.State) bool { return s.Event == was.Event })
	require.Equal(t, was.Lesson, here.Lesson)
	require.Equal(t, was.Hash, here.Hash)
	require.Empty(t, other.complaints())
}

func TestADamagedOrNewerLinkIsToldAndShowsNothingOfIt(t *testing.T) {
	p := newTab(t, 1024, 640)
	p.open(serveSite(t) + "?lang=en")
	link := eval[string](p, "window.groupscope.link()")
	for text, says := range map[string]string{
		link[:len(link)/2]: "damaged or cut short", "99." + link[2:]: "newer groupscope", "<b>hello</b>": "no link", strings.Repeat("A", 300<<10): "characters",
	} {
		eval[any](p, "window.groupscope.open("+strconv.Quote(text)+"); null")
		p.untilState(says, func(s app.State) bool { return strings.Contains(s.Failure, says) })
		p.act(scene.Action{Do: stage.Close})
	}
}

func TestEverythingCanBeTakenAway(t *testing.T) {
	folder := t.TempDir()
	p := newTab(t, 1024, 640)
	call(p, downloads.SetDownloadBehavior, downloads.SetDownloadBehaviorParams{Behavior: downloads.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder})
	p.open(serveSite(t) + "?lesson=two-consumers&lang=en")
	p.act(scene.Action{Do: stage.Last})
	for _, kind := range stage.Shares {
		p.act(scene.Action{Do: stage.Export, Arg: kind})
	}
	for _, name := range []string{
		"two-consumers.svg", "two-consumers.png", "two-consumers-sequence.svg", "two-consumers.mmd", "two-consumers.jsonl", "two-consumers.csv",
		"two-consumers-figures.csv", "two-consumers-owners.csv", "two-consumers.lesson.yaml", "two-consumers.en.yaml",
	} {
		require.Eventually(t, func() bool {
			info, err := os.Stat(filepath.Join(folder, name))
			return err == nil && info.Size() > 100
		}, 10*time.Second, 50*time.Millisecond, name)
	}
	file, err := os.Open(filepath.Join(folder, "two-consumers.png"))
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	require.Greater(t, colors(picture), 20, "the picture is blank")
}
