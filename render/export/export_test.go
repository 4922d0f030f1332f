package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/lessons"
	"groupscope/render/fonts/han"
	"groupscope/render/stage"
)

func TestMain(m *testing.M) {
	if err := han.Use(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func stageOf(t *testing.T, id string, s stage.Session) *stage.Stage {
	lesson, err := lessons.Load(lessons.Builtin(), id)
	require.NoError(t, err)
	run, err := lesson.Play("")
	require.NoError(t, err)
	return stage.New(run, s)
}

func TestEveryKindOfFileIsMade(t *testing.T) {
	s := stageOf(t, "one-consumer", stage.Session{Event: 200, Lang: "zh"})
	names := map[string]bool{}
	for _, kind := range Kinds {
		file, err := Of(s, kind)
		require.NoError(t, err, kind)
		require.NotEmpty(t, file.Data, kind)
		require.NotEmpty(t, file.MIME, kind)
		require.False(t, names[file.Name], kind)
		names[file.Name] = true
		if file.MIME == "image/svg+xml" {
			decoder := xml.NewDecoder(bytes.NewReader(file.Data))
			for err == nil {
				_, err = decoder.Token()
			}
			require.Equal(t, io.EOF, err, "%s is well-formed", kind)
		}
	}
	_, err := Of(s, "pdf")
	require.EqualError(t, err, `export: unknown kind "pdf"; expected one of svg, sequence, mermaid, jsonl, csv, figures, owners`)
}

func TestATraceHasALineForEachEvent(t *testing.T) {
	s := stageOf(t, "one-consumer", stage.Session{})
	h := s.Run().History
	file, err := Of(s, "jsonl")
	require.NoError(t, err)
	events := 0
	for decoder := json.NewDecoder(bytes.NewReader(file.Data)); decoder.More(); events++ {
		var line entryLine
		require.NoError(t, decoder.Decode(&line))
		require.Equal(t, h.Entry(events+1).At.Microseconds(), line.At)
	}
	require.Equal(t, h.Len(), events)

	file, err = Of(s, "csv")
	require.NoError(t, err)
	lines, err := csv.NewReader(bytes.NewReader(file.Data)).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, h.Len()+1)
	for i, line := range lines[1:] {
		require.Equal(t, strconv.Itoa(i+1), line[0])
	}
}

func TestACellNeverBecomesAFormulaAndKeepsItsLineBreaks(t *testing.T) {
	for _, name := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "a,b", "say \"hi\"", "two\nlines"} {
		entry := view.Entry{Event: 1, Node: kafka.NodeID(name), Kind: view.Fired, Timer: "t"}
		var out bytes.Buffer
		require.NoError(t, WriteCSV(&out, slices.Values([]*view.Entry{&entry})))
		lines, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		node := lines[1][slices.Index(columns, "node")]
		require.Contains(t, []string{name, "'" + name}, node)
		require.NotContains(t, "=+-@", node[:1])
	}
}
