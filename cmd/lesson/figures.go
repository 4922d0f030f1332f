package main

import (
	"io"

	"groupscope/core/figures"
)

// countFigures writes a lesson's figures, or who owned what when.
func countFigures(args []string, out io.Writer) error {
	flags := newFlags("figures", "[-variant ID] [-owners] PATH", "Plays a lesson and writes its figures over virtual time as CSV: a line for each change.", out)
	variant := flags.String("variant", "", "the `ID` of a variant; the base if absent")
	owners := flags.Bool("owners", false, "write who owned which partition from when to when instead")
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	run, err := play(paths, *variant)
	if err != nil {
		return err
	}
	h := run.History
	f := figures.Of(figures.Run{Events: h.Len(), Entry: h.Entry, Frame: h.Frame})
	if *owners {
		return f.OwnersCSV(out)
	}
	return f.CSV(out)
}
