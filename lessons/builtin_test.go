package lessons

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// played is every built-in lesson with each of its variants, played once for all tests.
var played = sync.OnceValues(func() ([]*Run, error) {
	var runs []*Run
	for _, title := range Catalogue() {
		lesson, err := Load(builtin, title.ID)
		if err != nil {
			return nil, err
		}
		variants := []string{""}
		for _, v := range lesson.Variants {
			variants = append(variants, v.ID)
		}
		for _, v := range variants {
			run, err := lesson.Play(v)
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
})

// forEachRun tests every built-in lesson with each of its variants.
func forEachRun(t *testing.T, test func(t *testing.T, run *Run)) {
	runs, err := played()
	require.NoError(t, err)
	for _, run := range runs {
		t.Run(path.Join(run.Lesson.ID, run.Variant), func(t *testing.T) { test(t, run) })
	}
}

func TestEveryClaimOfEveryLessonHolds(t *testing.T) {
	forEachRun(t, func(t *testing.T, run *Run) {
		require.NoError(t, run.Check().err())
		require.Len(t, run.Reached, len(run.Plan.Beats))
		require.LessOrEqual(t, run.History.Len(), 10_000, "a lesson is a short play")
	})
}

func TestEveryLessonBeginsBeforeItsFirstEvent(t *testing.T) {
	forEachRun(t, func(t *testing.T, run *Run) { require.Equal(t, 0, run.Reached[0].Event) })
}

func TestCourseIsInOrder(t *testing.T) {
	chapters, err := LoadCourse(builtin, ".")
	require.NoError(t, err)
	var taught []string
	for _, c := range chapters {
		for _, lang := range languages {
			require.NotEmpty(t, c.Titles[lang], c.ID)
		}
		taught = append(taught, c.Lessons...)
	}
	folders, err := fs.Glob(builtin, "*/"+lessonName)
	require.NoError(t, err)
	for _, f := range folders {
		require.Contains(t, taught, path.Dir(f), "every lesson has a place in the course")
	}
	for i, title := range Catalogue() {
		require.Equal(t, taught[i], title.ID)
		lesson, err := Load(builtin, title.ID)
		require.NoError(t, err)
		require.Equal(t, i+1, lesson.Order)
		require.Equal(t, title.Chapter, lesson.Chapter)
		require.Equal(t, lesson.Words["zh"].Title, title.Titles["zh"])
		require.NotEmpty(t, lesson.Sources, title.ID)
	}
}

// sentenceEnd is the end of a sentence: a full stop before a space or the end, or a wide one.
var sentenceEnd = regexp.MustCompile(`[.?!](\s|$)|[。？！]`)

func TestBeatsAreShort(t *testing.T) {
	forEachRun(t, func(t *testing.T, run *Run) {
		require.GreaterOrEqual(t, len(run.Plan.Beats), 5)
		require.LessOrEqual(t, len(run.Plan.Beats), 9)
		for _, lang := range languages {
			for i, b := range run.Plan.Beats {
				text := strings.Join(run.Words(lang, i).Text, "\n")
				sentences := len(sentenceEnd.FindAllString(text, -1))
				require.True(t, sentences >= 1 && sentences <= 3, "%s %s: %d sentences", lang, b.ID, sentences)
				require.NotEmpty(t, b.Look, "%s shows something", b.ID)
			}
		}
	})
}

func TestEveryLessonAsksForAPrediction(t *testing.T) {
	forEachRun(t, func(t *testing.T, run *Run) {
		require.True(t, slices.ContainsFunc(run.Plan.Beats, func(b Beat) bool { return b.Question != nil }))
	})
}

func TestNothingIsLeftUnfilled(t *testing.T) {
	forEachRun(t, func(t *testing.T, run *Run) {
		for _, lang := range languages {
			for i := range run.Plan.Beats {
				words := run.Words(lang, i)
				all := append(slices.Clone(words.Text), words.Title)
				if q := words.Question; q != nil {
					all = append(all, q.Prompt, q.Explain)
					for _, o := range q.Options {
						all = append(all, o.Text)
					}
				}
				for _, text := range all {
					require.NotEmpty(t, strings.TrimSpace(text))
					require.NotContains(t, text, "{{")
					require.NotContains(t, text, "  ")
				}
			}
		}
	})
}

func TestChineseSetsASpaceBesideLatin(t *testing.T) {
	tight := regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`)
	forEachRun(t, func(t *testing.T, run *Run) {
		for i, b := range run.Plan.Beats {
			words := run.Words("zh", i)
			require.Empty(t, tight.FindAllString(strings.Join(append(words.Text, words.Title), "\n"), -1), b.ID)
		}
	})
}
