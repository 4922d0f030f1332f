// Package export turns what a stage shows, and the run behind it, into files for other programs.
package export

import (
	"bytes"
	"fmt"
	"strings"

	"groupscope/render/stage"
	"groupscope/render/svg"
)

// File is something to keep: its name, its media type, and what is in it.
type File struct {
	Name, MIME string
	Data       []byte
}

// Kinds are the kinds of files: the picture as SVG, the sequence diagram as SVG and as the text of Mermaid, the trace as JSON
// lines and as CSV, the figures and the owners of partitions as CSV.
var Kinds = []string{"svg", "sequence", "mermaid", "jsonl", "csv", "figures", "owners"}

// Of makes a file of a kind: pictures of what is on the stage now, diagrams up to there, traces of the whole branch.
func Of(s *stage.Stage, kind string) (File, error) {
	var data bytes.Buffer
	var err error
	history := s.Run().History
	file := File{Name: s.Run().Lesson.ID}
	switch kind {
	case "svg":
		file.Name, file.MIME = file.Name+".svg", "image/svg+xml"
		err = svg.Write(&data, s.Scene())
	case "sequence":
		file.Name, file.MIME = file.Name+"-sequence.svg", "image/svg+xml"
		err = svg.Write(&data, s.SequenceScene())
	case "mermaid":
		file.Name, file.MIME = file.Name+".mmd", "text/vnd.mermaid"
		data.WriteString(s.Mermaid())
	case "jsonl":
		file.Name, file.MIME = file.Name+".jsonl", "application/jsonl"
		err = WriteJSON(&data, history.Entries(1, history.Len()))
	case "csv":
		file.Name, file.MIME = file.Name+".csv", "text/csv"
		err = WriteCSV(&data, history.Entries(1, history.Len()))
	case "figures":
		file.Name, file.MIME = file.Name+"-figures.csv", "text/csv"
		err = s.Figures().CSV(&data)
	case "owners":
		file.Name, file.MIME = file.Name+"-owners.csv", "text/csv"
		err = s.Figures().OwnersCSV(&data)
	default:
		err = fmt.Errorf("export: unknown kind %q; expected one of %s", kind, strings.Join(Kinds, ", "))
	}
	file.Data = data.Bytes()
	return file, err
}
