package lessons

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func linkedRun(t require.TestingT) *Run {
	files, _ := BuiltinOf("sandbox-topic")
	lesson, err := Load(files, "sandbox-topic")
	require.NoError(t, err)
	r, err := lesson.Play("")
	require.NoError(t, err)
	for _, line := range []string{"slow C1 300ms", "add-consumer C2 group=G1 topics=T1", "crash C1"} {
		_, err := r.Act(r.History.EventAt(10*time.Second), line)
		require.NoError(t, err)
	}
	r.Switch(1)
	_, err = r.Act(r.History.EventAt(5*time.Second), "freeze C1 2s")
	require.NoError(t, err)
	require.NoError(t, r.Extend(70*time.Second))
	r.Rename(r.History.Current(), "frozen")
	return r
}

func TestALinkLeadsToTheSameTrace(t *testing.T) {
	r := linkedRun(t)
	text := r.Link(r.History.Len() - 5).String()
	link, err := ParseLink(text)
	require.NoError(t, err)
	a, err := link.Open()
	require.NoError(t, err)
	require.True(t, a.Exact)
	require.Empty(t, a.Refused)
	require.Equal(t, r.History.Len()-5, a.Event)
	require.Equal(t, r.Branches(), a.Run.Branches())
	require.Equal(t, hashOf(r), hashOf(a.Run))
	require.Equal(t, text, a.Run.Link(a.Event).String())
}

func TestALinkCarriesALessonThatIsNotBuiltIn(t *testing.T) {
	r := play(t, small, smallWords)
	act(t, r, r.History.EventAt(5*time.Second), "freeze C1 1s")
	link, err := ParseLink(r.Link(20).String())
	require.NoError(t, err)
	a, err := link.Open()
	require.NoError(t, err)
	require.True(t, a.Exact)
	require.Equal(t, hashOf(r), hashOf(a.Run))
}

func TestALinkWhoseTraceDiffersLandsAtItsTime(t *testing.T) {
	link := linkedRun(t).Link(400)
	link.Hash, link.Model = "of another model", 99
	for i := 3; i < len(link.Marks); i++ {
		link.Marks[i] ^= 1
	}
	a, err := link.Open()
	require.NoError(t, err)
	require.False(t, a.Exact)
	require.Equal(t, 99, a.Model)
	require.Equal(t, markedEvents(400)[0], a.Same)
	require.Equal(t, markedEvents(400)[1], a.Differs)
	require.LessOrEqual(t, a.Run.History.At(a.Event).Now(), link.At)
}

func TestADamagedLinkIsRefused(t *testing.T) {
	text := linkedRun(t).Link(40).String()
	for i := 0; i < len(text); i += 5 {
		_, err := ParseLink(text[:i])
		require.Error(t, err, "cut at %d", i)
	}
	_, err := ParseLink("2" + text[1:])
	require.ErrorContains(t, err, "newer")
	_, err = ParseLink(strings.Repeat("1", longestLink+1))
	require.Error(t, err)
	bomb := &Link{Model: 1, Lesson: "x", Files: map[string]string{"en.yaml": strings.Repeat("a", longestBody)}}
	_, err = ParseLink(bomb.String())
	require.ErrorContains(t, err, "more than")
}

func FuzzParseLink(f *testing.F) {
	f.Add(linkedRun(f).Link(40).String())
	f.Add("1.AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		if link, err := ParseLink(text); err == nil {
			require.NoError(t, link.check())
		}
	})
}
