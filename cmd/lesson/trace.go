package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"groupscope/core/kafka"
	"groupscope/core/sim"
	"groupscope/core/view"
)

// trace prints what happens in a lesson.
func trace(args []string, out io.Writer) error {
	flags := newFlags("trace", "[-variant ID] [-json | -hash] PATH", "Plays a lesson and prints its trace, one event a line.", out)
	variant := flags.String("variant", "", "the `ID` of a variant; the base if absent")
	asJSON := flags.Bool("json", false, "print JSON lines")
	hash := flags.Bool("hash", false, "print the hash of the trace alone")
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	if *asJSON && *hash {
		return fmt.Errorf("%w: trace: -json and -hash exclude each other", errUsage)
	}
	run, err := play(paths, *variant)
	if err != nil {
		return err
	}
	h := run.History
	if *hash {
		_, err := fmt.Fprintln(out, h.Hash(h.Len()))
		return err
	}
	buffer := bufio.NewWriter(out)
	lines := json.NewEncoder(buffer)
	lines.SetEscapeHTML(false)
	for e := range h.Entries(1, h.Len()) {
		if *asJSON {
			err = lines.Encode(jsonEntry(e))
		} else {
			_, err = fmt.Fprintln(buffer, sim.EntryText(e))
		}
		if err != nil {
			return err
		}
	}
	return buffer.Flush()
}

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
