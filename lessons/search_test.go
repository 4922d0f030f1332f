package lessons

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSearchFindsALessonByAnErrorAQuestionOrASetting(t *testing.T) {
	for query, lesson := range map[string]string{
		"how many consumers can share the partitions, why is one idle": "fifth-is-idle",
		"Only a clock notices a crash":                                 "consumer-crashes",
		"isolation.level read_committed last stable offset":            "last-stable-offset",
		"OffsetOutOfRangeException":                                    "page-is-gone",
	} {
		found := Search(query, "en", 3)
		require.NotEmpty(t, found, query)
		var ids []string
		for _, f := range found {
			ids = append(ids, f.Lesson)
		}
		require.Contains(t, ids, lesson, query)
	}
	require.Equal(t, "consumer-crashes", Search("崩溃要靠时钟", "zh", 1)[0].Lesson)
}

func TestSearchShowsTheLineThatSaysMost(t *testing.T) {
	require.Contains(t, Search("LeaveGroup without close crash process dies", "en", 1)[0].Line, "LeaveGroup")
}

func TestSearchShowsNoKeysOfTheFile(t *testing.T) {
	for _, query := range []string{"idea consumer dies", "text explain predict", "nothing"} {
		for _, f := range Search(query, "en", 40) {
			require.NotRegexp(t, `^(title|idea|text|predict|explain):`, f.Line)
		}
	}
}

func TestSearchFindsNothingForNothing(t *testing.T) {
	for _, query := range []string{"", "  ", "?!", "xyzzyplugh"} {
		require.Empty(t, Search(query, "en", 5), query)
	}
	require.Empty(t, Search("crash", "xx", 5))
}
