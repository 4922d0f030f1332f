package lessons

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryPresetCanBePlayedAndHasAName(t *testing.T) {
	folders, err := fs.Glob(builtin, presetsDir+"/*/"+lessonName)
	require.NoError(t, err)
	require.Len(t, folders, len(Presets()), "every preset is listed")
	for _, title := range Presets() {
		files, ok := BuiltinOf(title.ID)
		require.True(t, ok)
		lesson, err := Load(files, title.ID)
		require.NoError(t, err)
		run, err := lesson.Play("")
		require.NoError(t, err)
		require.Empty(t, run.Check())
		require.True(t, run.Sandbox())
		for _, lang := range languages {
			require.NotEmpty(t, title.Titles[lang], title.ID)
			require.NotEmpty(t, run.Words(lang, 0).Text)
		}
	}
}

func TestASandboxIsBuiltFromNothing(t *testing.T) {
	files, _ := BuiltinOf("sandbox-empty")
	lesson, err := Load(files, "sandbox-empty")
	require.NoError(t, err)
	run, err := lesson.Play("")
	require.NoError(t, err)
	require.Zero(t, run.History.Len(), "nothing happens in it")
	for _, line := range []string{
		"add-topic T1 partitions=4", "add-producer P1 topic=T1 every=200ms", "add-consumer C1 group=G1 topics=T1 program=commit-sync",
		"add-consumer C2 group=G1 topics=T1", "add-broker B2",
	} {
		act(t, run, run.History.EventAt(0), line)
	}
	last := run.History.Frame(run.History.Len())
	require.Equal(t, "Stable", last.Groups[0].State)
	require.Len(t, last.Groups[0].Members, 2)
	require.Greater(t, last.Topics[0].Partitions[0].HighWatermark, int64(50))
	require.Len(t, last.Brokers, 2)
}
