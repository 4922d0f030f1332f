package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// entryLine is an event as a JSON line. Times are in microseconds.
type entryLine struct {
	Event   int           `json:"event"`
	Cause   int           `json:"cause,omitempty"`
	At      int64         `json:"at"`
	Node    kafka.NodeID  `json:"node"`
	Kind    string        `json:"kind"`
	Message *messageLine  `json:"message,omitempty"`
	Peer    kafka.NodeID  `json:"peer,omitempty"`
	Timer   string        `json:"timer,omitempty"`
	Command string        `json:"command,omitempty"`
	Facts   []factLine    `json:"facts,omitempty"`
	Sent    []messageLine `json:"sent,omitempty"`
}

// messageLine is a message; one that is sent is given without its fields, as they come when it is received.
type messageLine struct {
	ID     int64             `json:"id"`
	From   kafka.NodeID      `json:"from"`
	To     kafka.NodeID      `json:"to"`
	API    string            `json:"api"`
	Reply  bool              `json:"reply"`
	Fields map[string]string `json:"fields,omitempty"`
}

type factLine struct {
	Kind       string   `json:"kind"`
	Group      string   `json:"group,omitempty"`
	Member     string   `json:"member,omitempty"`
	Partition  string   `json:"partition,omitempty"`
	From       int64    `json:"from,omitempty"`
	To         int64    `json:"to,omitempty"`
	Error      string   `json:"error,omitempty"`
	Text       string   `json:"text,omitempty"`
	Partitions []string `json:"partitions,omitempty"`
}

// WriteJSON writes a trace as JSON lines, one event each. Times are in microseconds.
func WriteJSON(w io.Writer, entries iter.Seq[*view.Entry]) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for e := range entries {
		if err := lines.Encode(jsonEntry(e)); err != nil {
			return err
		}
	}
	return nil
}

func jsonEntry(e *view.Entry) entryLine {
	line := entryLine{
		Event: e.Event, Cause: e.Cause, At: e.At.Microseconds(), Node: e.Node, Kind: e.Kind.String(),
		Peer: e.Peer, Timer: e.Timer, Command: e.Command,
	}
	if e.Message != nil {
		m := jsonMessage(e.Message)
		m.Fields = map[string]string{}
		for _, f := range view.Fields(e.Message.Body) {
			m.Fields[f.Name] = f.Value
		}
		line.Message = &m
	}
	for i := range e.Sent {
		line.Sent = append(line.Sent, jsonMessage(&e.Sent[i]))
	}
	for i := range e.Facts {
		line.Facts = append(line.Facts, jsonFact(&e.Facts[i]))
	}
	return line
}

func jsonMessage(m *kafka.Message) messageLine {
	return messageLine{ID: m.ID, From: m.From, To: m.To, API: m.Body.API().String(), Reply: m.Reply()}
}

func jsonFact(f *view.Fact) factLine {
	line := factLine{Kind: f.Kind.String(), Group: f.Group, Member: f.Member, From: f.From, To: f.To, Text: f.Text}
	if f.Partition.Topic != "" {
		line.Partition = f.Partition.String()
	}
	if f.Error != kafka.None {
		line.Error = f.Error.String()
	}
	for _, tp := range f.Partitions {
		line.Partitions = append(line.Partitions, tp.String())
	}
	return line
}

// columns are those of a trace as CSV: at is in microseconds; message, from, to, api, reply, error and fields are of the
// message that was received; peer is the other end of a lost connection; sent and facts are lists, with semicolons.
var columns = []string{
	"event", "cause", "at", "node", "kind", "message", "from", "to", "api", "reply", "error", "fields", "timer", "peer", "command", "sent", "facts",
}

// WriteCSV writes a trace as CSV (RFC 4180), one event a line, below a line with the names of the columns.
func WriteCSV(w io.Writer, entries iter.Seq[*view.Entry]) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for e := range entries {
		if err := out.Write(csvEntry(e)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvEntry(e *view.Entry) []string {
	line := map[string]string{
		"event": strconv.Itoa(e.Event), "cause": strconv.Itoa(e.Cause), "at": strconv.FormatInt(e.At.Microseconds(), 10), "node": string(e.Node),
		"kind": e.Kind.String(), "timer": e.Timer, "peer": string(e.Peer), "command": e.Command,
	}
	if m := e.Message; m != nil {
		line["message"], line["api"], line["reply"] = strconv.FormatInt(m.ID, 10), m.Body.API().String(), strconv.FormatBool(m.Reply())
		line["from"], line["to"], line["error"] = string(m.From), string(m.To), kafka.ErrorOf(m.Body).String()
		var fields []string
		for _, f := range view.Fields(m.Body) {
			fields = append(fields, f.Name+"="+f.Value)
		}
		line["fields"] = strings.Join(fields, "; ")
	}
	var sent, facts []string
	for i := range e.Sent {
		m := &e.Sent[i]
		sent = append(sent, m.Body.API().String()+" #"+strconv.FormatInt(m.ID, 10)+" to "+string(m.To))
	}
	for i := range e.Facts {
		facts = append(facts, factText(&e.Facts[i]))
	}
	line["sent"], line["facts"] = strings.Join(sent, "; "), strings.Join(facts, "; ")
	values := make([]string, len(columns))
	for i, name := range columns {
		values[i] = harmless(line[name])
	}
	return values
}

// factText is a fact as words and numbers, those that are set.
func factText(f *view.Fact) string {
	line := jsonFact(f)
	parts := []string{line.Kind}
	for _, part := range []string{line.Group, line.Member, line.Partition, line.Text, line.Error} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if line.From != 0 || line.To != 0 {
		parts = append(parts, strconv.FormatInt(line.From, 10)+".."+strconv.FormatInt(line.To, 10))
	}
	return strings.Join(append(parts, line.Partitions...), " ")
}

// harmless marks a text that a spreadsheet would take for a formula, such as a hostile name, as text.
// https://owasp.org/www-community/attacks/CSV_Injection
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
