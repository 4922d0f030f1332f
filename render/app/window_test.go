//go:build !js

package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// atAQuestion is a player where a question is asked, and the ids of its options.
func atAQuestion(t *testing.T) (*Player, []string) {
	p := firstLesson(0)
	for i, beat := range p.run.Plan.Beats {
		if beat.Question == nil {
			continue
		}
		p.Do(scene.Action{Do: stage.Seek, N: float64(p.run.Reached[i].Event)})
		var options []string
		for _, o := range beat.Question.Options {
			options = append(options, "answer:"+beat.Question.ID+"/"+o.ID)
		}
		return p, options
	}
	require.FailNow(t, "the lesson asks nothing", lessons.Catalogue()[0].ID)
	return nil, nil
}

func TestArrowsGoFromOptionToOptionWithoutAStep(t *testing.T) {
	p, options := atAQuestion(t)
	event := p.State().Event
	p.Do(scene.Action{Do: stage.Focus, Arg: options[0]})
	for _, press := range []struct{ key, focused string }{
		{"ArrowRight", options[1]}, {"ArrowLeft", options[0]}, {"ArrowDown", options[1]}, {"ArrowUp", options[0]},
		{"ArrowUp", options[len(options)-1]}, {"ArrowDown", options[0]},
	} {
		action, ok := focusKey(p, press.key)
		require.True(t, ok, press.key)
		p.Do(action)
		require.Equal(t, press.focused, p.Session().Focused, press.key)
		require.Equal(t, event, p.State().Event)
	}
}

func TestArrowsElsewhereAreNotTheFocuss(t *testing.T) {
	p, _ := atAQuestion(t)
	p.Do(scene.Action{Do: stage.Focus, Arg: "transport:play"})
	for _, key := range []string{"ArrowRight", "ArrowDown"} {
		_, ok := focusKey(p, key)
		require.False(t, ok, key)
	}
}
