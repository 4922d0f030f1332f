package lessons

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestValuesAreWordedForReaders(t *testing.T) {
	for _, c := range []struct {
		value  Value
		en, zh string
	}{
		{number(7), "7", "7"},
		{number(1234567), "1,234,567", "1,234,567"},
		{number(-1000), "-1,000", "-1,000"},
		{duration(3 * time.Second), "3", "3"},
		{duration(3005 * time.Millisecond), "3.005", "3.005"},
		{duration(1500*time.Second + 123456*time.Microsecond), "1,500.123", "1,500.123"},
		{name("Stable"), "Stable", "Stable"},
		{absent(Number), "none", "无"},
		{namesOf([]string{"T1-0", "T1-1"}), "T1-0, T1-1", "T1-0、T1-1"},
		{namesOf(nil), "none", "无"},
	} {
		require.Equal(t, c.en, c.value.words("en"))
		require.Equal(t, c.zh, c.value.words("zh"))
		require.Equal(t, c.en, c.value.words("fr"), "a language without wording of its own writes as English does")
	}
}

func TestParagraphsIgnoreLineBreaks(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"one", []string{"one"}},
		{"one\ntwo\n", []string{"one two"}},
		{"one\ntwo\n\nthree\n", []string{"one two", "three"}},
		{"分区\n不变。", []string{"分区不变。"}},
		{"读完。\nC1 再读", []string{"读完。C1 再读"}},
		{"等了\n3 秒", []string{"等了 3 秒"}},
		{"C1，\nC2", []string{"C1，C2"}},
	} {
		require.Equal(t, c.want, paragraphs(c.text))
	}
}

func TestWordsAreFilledAtTheirBeat(t *testing.T) {
	run := play(t, small, smallWords)
	ready := run.Words("en", 1)
	require.Equal(t, []string{"C1 has T1-0, T1-1."}, ready.Text)
	require.Equal(t, &QuestionWords{
		ID: "how-many", Prompt: "How many members?", Explain: "1, it is.", Answer: 2,
		Options: []OptionWords{{"one", "One", true}, {"two", "Two", false}},
	}, ready.Question)
	require.Equal(t, []string{"9 s"}, run.Words("en", 2).Text)
	require.Nil(t, run.Words("en", 2).Question)
}

func TestUnknownLanguageSpeaksEnglish(t *testing.T) {
	require.Equal(t, "Ready", play(t, small, smallWords).Words("fr", 1).Title)
}

func TestThirdLanguageNeedsOnlyAWordsFile(t *testing.T) {
	fsys := files(small, smallWords, smallWords).(fstest.MapFS)
	fsys["small/fr.yaml"] = &fstest.MapFile{Data: []byte(changed(t, smallWords, "title: Ready", "title: Prêt"))}
	l, err := Load(fsys, "small")
	require.NoError(t, err)
	run, err := l.Play("")
	require.NoError(t, err)
	require.Equal(t, "Prêt", run.Words("fr", 1).Title)
}
