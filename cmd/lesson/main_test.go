package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/stage"
)

// written makes a folder with the lesson "tiny", whose claim is that C1 gets so many partitions.
func written(t *testing.T, partitions string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	require.NoError(t, os.Mkdir(dir, 0o755))
	lesson := "format: 1\nuntil: 5s\nbrokers: {B1: {}}\ntopics: {T1: {partitions: 2}}\nconsumers: {C1: {group: G1, topics: [T1]}}\n" +
		"beats:\n  start: {look: [T1]}\n  end:\n    at: 4s\n    must:\n      - assignment-size: {consumer: C1, is: " + partitions + "}\n"
	words := "title: Tiny\nidea: A trial\nbeats: {start: {title: S, text: S}, end: {title: E, text: E}}\n"
	for name, content := range map[string]string{"lesson.yaml": lesson, "en.yaml": words, "zh.yaml": words} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return dir
}

func TestCheckSaysInALineWhatIsInOrder(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, check([]string{written(t, "2")}, &out))
	require.Regexp(t, `^ok  tiny +\d+ events, 1 claim\n$`, out.String())
}

func TestCheckTellsTheMomentOfEachBeat(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, check([]string{"-v", written(t, "2")}, &out))
	require.Regexp(t, `^    start +event +0 +0\.000 s\n    end +event +\d+ +\d\.\d\d\d s\nok `, out.String())
}

func TestCheckFailsWithThePlaceOfAFailedClaim(t *testing.T) {
	var out bytes.Buffer
	dir := written(t, "3")
	require.EqualError(t, check([]string{dir}, &out), "1 problem; lessons not in order: 1 of 1")
	require.Regexp(t, `^`+filepath.Join(dir, "lesson.yaml")+`:11:9: assignment-size consumer=C1 is 2 at event \d+, [\d.]+ s; expected 3\n$`, out.String())
}

func TestCheckGoesThroughATree(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, check([]string{"two-consumers", filepath.Dir(written(t, "2"))}, &out))
	require.Contains(t, out.String(), "ok  two-consumers roundrobin")
	require.Contains(t, out.String(), "ok  tiny")
}

func TestCheckFindsNothing(t *testing.T) {
	empty := t.TempDir()
	require.EqualError(t, check([]string{empty}, &bytes.Buffer{}), "no lesson.yaml at or below "+empty)
}

func TestTracePrintsOneEventALine(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, trace([]string{"two-consumers"}, &out))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Greater(t, len(lines), 100)
	require.Regexp(t, `^1 0\.000000s P1 command add-producer P1`, lines[0])
}

func TestTraceHashTellsVariantsApart(t *testing.T) {
	var base, variant, again bytes.Buffer
	require.NoError(t, trace([]string{"-hash", "two-consumers"}, &base))
	require.NoError(t, trace([]string{"two-consumers", "-hash", "-variant", "roundrobin"}, &variant))
	require.NoError(t, trace([]string{"-hash", "two-consumers"}, &again))
	require.Regexp(t, `^[0-9a-f]{32,}\n$`, base.String())
	require.Equal(t, base.String(), again.String())
	require.NotEqual(t, base.String(), variant.String())
}

func TestTraceAsJSONLines(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, trace([]string{"-json", written(t, "2")}, &out))
	var kinds []string
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var line struct {
			Event   int
			Kind    string
			Message *struct {
				API    string
				Reply  bool
				Fields map[string]string
			}
		}
		require.NoError(t, decoder.Decode(&line))
		require.Equal(t, len(kinds)+1, line.Event)
		if line.Message != nil && line.Message.API == "JoinGroup" && !line.Message.Reply {
			require.Equal(t, "G1", line.Message.Fields["group"])
		}
		kinds = append(kinds, line.Kind)
	}
	require.Subset(t, kinds, []string{"command", "receive", "timer"})
}

func TestTraceAsCSV(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, trace([]string{"-csv", written(t, "2")}, &out))
	lines, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"event", "cause", "at", "node", "kind"}, lines[0][:5])
	require.Equal(t, "1", lines[1][0])
	require.Equal(t, "command", lines[1][4])
}

func TestDrawWritesTheSequenceByItself(t *testing.T) {
	var picture, text bytes.Buffer
	require.NoError(t, draw([]string{"-beat", "shared", "-view", "sequence", "-span", "60s", "two-consumers"}, &picture))
	require.Contains(t, picture.String(), "<svg")
	require.Contains(t, picture.String(), ">C2<")
	require.NoError(t, draw([]string{"-beat", "shared", "-mermaid", "two-consumers"}, &text))
	require.Regexp(t, `^sequenceDiagram\n    participant n1 as C1\n`, text.String())
}

func TestDrawWritesThePictureOfABeat(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		file := filepath.Join(t.TempDir(), "out.svg")
		require.NoError(t, draw([]string{"-beat", "shared", "-lang", lang, "-theme", "dark", "-size", "800x600", "-o", file, "two-consumers"}, nil))
		picture, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(picture), `width="800"`)
		require.Contains(t, string(picture), map[string]string{"en": "Two partitions each", "zh": "每人两个分区"}[lang])
	}
}

func TestCommandLinesAreExplained(t *testing.T) {
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"chekc", "x"}, `usage: unknown command "chekc"; did you mean "check"?`},
		{[]string{"wxyz"}, `usage: unknown command "wxyz"; lesson -h lists the commands`},
		{[]string{"check"}, "usage: check: no path given; expected the folder of a lesson, or one with lessons in it"},
		{[]string{"check", "-x"}, "usage: check: flag provided but not defined: -x"},
		{[]string{"check", "one-consumr"}, `there is no folder and no lesson one-consumr; did you mean "one-consumer"?`},
		{[]string{"check", "main.go"}, "main.go is a file; a lesson is the folder around it"},
		{[]string{"trace"}, "usage: 0 paths given; expected one: the folder of a lesson, or the name of one that comes with the program"},
		{[]string{"trace", "-json", "-hash", "x"}, "usage: trace: -json, -csv and -hash exclude each other"},
		{[]string{"draw", "-beat", "shred", "two-consumers"},
			`usage: draw: -beat "shred"; expected one of alone, arrives, hears, lets-go, shared, both; did you mean "shared"?`},
		{[]string{"draw", "-theme", "drak", "two-consumers"}, `usage: draw: -theme drak; expected one of light, dark, contrast; did you mean "dark"?`},
		{[]string{"draw", "-view", "sequense", "two-consumers"}, `usage: draw: -view sequense; expected one of ` + strings.Join(stage.Views, ", ") + `, sequence; did you mean "sequence"?`},
		{[]string{"draw", "-span", "7s", "two-consumers"},
			"usage: draw: -span 7s; expected one of 0s, 1s, 2s, 5s, 10s, 20s, 30s, 1m0s, 2m0s, 5m0s, 10m0s, 30m0s, 1h0m0s"},
		{[]string{"draw", "-lang", "fr", "two-consumers"}, "usage: draw: -lang fr; expected one of en, zh"},
		{[]string{"draw", "-size", "big", "two-consumers"},
			"usage: draw: -size big; expected one such as 1440x900, each side from 200 to 10000"},
	} {
		require.EqualError(t, dispatch(c.args, &bytes.Buffer{}), c.said)
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, args := range [][]string{{}, {"-h"}, {"help"}} {
		var out bytes.Buffer
		require.ErrorIs(t, dispatch(args, &out), flag.ErrHelp)
		for _, c := range commands() {
			require.Contains(t, out.String(), c.name+" "+c.arguments)
		}
	}
	var out bytes.Buffer
	require.ErrorIs(t, check([]string{"-h"}, &out), flag.ErrHelp)
	require.Contains(t, out.String(), "lesson check PATH...")
}
