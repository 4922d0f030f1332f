package lessons

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzLoad feeds anything at all to the decoder, and plays what passes. Neither may panic or hang; a lesson is either
// loaded or explained.
func FuzzLoad(f *testing.F) {
	f.Add(small, smallWords)
	for _, title := range Catalogue() {
		lesson, err := fs.ReadFile(builtin, title.ID+"/lesson.yaml")
		require.NoError(f, err)
		words, err := fs.ReadFile(builtin, title.ID+"/zh.yaml")
		require.NoError(f, err)
		f.Add(string(lesson), string(words))
	}
	for _, lesson := range []string{
		"", "~", "[]", "- - - -", "? a", "a: b: c", "a:\n\tb", "\xff\xfe", "&a *a", "{{{{", "format: {format: {format: 1}}",
		"beats: [1]", "beats: {a: ~}", "variants: {a: ~}", "variants: [a]", "variants: {a: {variants: {b: 1}}}",
		"programs: {p: {listing: x, body: [{for-each: [{for-each: x}]}]}}", "commands: {a: {when: {all: [{any: []}]}}}",
		"commands: {a: ~}", "consumers: {C1: ~}", "topics: {T1: {partitions: 99999999999999999999}}", "brokers: {B1: {settings: {a: [1]}}}",
		"beats: {a: {predict: {options: {x: {not: ~}}}}}", "x: |\n  {{", "<<: {a: 1}", "!!binary x: !!map {}",
	} {
		f.Add(lesson, lesson)
	}
	f.Fuzz(func(t *testing.T, lesson, words string) {
		l, err := Load(files(lesson, words, words), "small")
		if err != nil {
			require.IsType(t, Problems{}, err)
			require.NotEmpty(t, err.Error())
			return
		}
		if tooLong(&l.Plan) {
			return
		}
		if run, err := l.Play(""); err == nil {
			_ = run.Check()
			for beat := range run.Plan.Beats {
				_ = run.Words("en", beat)
			}
		}
	})
}

// tooLong reports whether a lesson that is in order would keep the fuzzer from its work.
func tooLong(p *Plan) bool {
	records := int64(0)
	for _, producer := range p.Script.Producers {
		records += int64(p.Script.Until / producer.Every)
	}
	for _, topic := range p.Script.Topics {
		records += int64(topic.Records) * int64(topic.Partitions)
	}
	return records > 1000 || p.Script.Until.Minutes() > 5 || len(p.Script.Consumers) > 10
}
