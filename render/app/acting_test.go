package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
	"groupscope/render/stage"
)

func TestASandboxIsChangedAndShownAtEveryStep(t *testing.T) {
	p := NewPlayer(Place{Session: stage.Session{Lesson: "sandbox-empty", Width: 1440, Height: 900}})
	var m Mirror
	for _, a := range []scene.Action{
		{Do: stage.Act, Arg: "add-topic T1 partitions=2"}, {Do: stage.Act, Arg: "add-consumer C1 group=G1 topics=T1"},
		{Do: stage.Last}, {Do: stage.Offer, Arg: "node:C1"}, {Do: stage.Act, Arg: "crash C1"}, {Do: stage.Undo},
	} {
		p.Do(a)
		m.Show(p.Scene())
		require.Empty(t, p.State().Failure, "%v", a)
		require.NotEmpty(t, p.Announce())
	}
	require.Equal(t, p.State().Events, p.State().Event)
}
