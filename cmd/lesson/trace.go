package main

import (
	"bufio"
	"fmt"
	"io"

	"groupscope/core/sim"
	"groupscope/render/export"
)

// trace prints what happens in a lesson.
func trace(args []string, out io.Writer) error {
	flags := newFlags("trace", "[-variant ID] [-json | -csv | -hash] PATH", "Plays a lesson and prints its trace, one event a line.", out)
	variant := flags.String("variant", "", "the `ID` of a variant; the base if absent")
	asJSON := flags.Bool("json", false, "print JSON lines")
	asCSV := flags.Bool("csv", false, "print CSV")
	hash := flags.Bool("hash", false, "print the hash of the trace alone")
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	if *asJSON && *asCSV || *hash && (*asJSON || *asCSV) {
		return fmt.Errorf("%w: trace: -json, -csv and -hash exclude each other", errUsage)
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
	entries := h.Entries(1, h.Len())
	buffer := bufio.NewWriter(out)
	switch {
	case *asJSON:
		err = export.WriteJSON(buffer, entries)
	case *asCSV:
		err = export.WriteCSV(buffer, entries)
	default:
		for e := range entries {
			fmt.Fprintln(buffer, sim.EntryText(e)) // what fails is kept until Flush
		}
	}
	if err != nil {
		return err
	}
	return buffer.Flush()
}
