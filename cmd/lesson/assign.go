package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

const aboutAssign = `Reads a JSON list of cases, such as

  [{"source": "my question", "topics": {"T1": 4}, "members": [{"id": "C1", "topics": ["T1"]}, {"id": "C2", "topics": ["T1"]}]}]

and shows who gets which partitions. Without FILE, or with -, it reads from standard input.
A case may also have "assignor" and "partition_racks" ({"T1": [["a"], ["b"], ...]}), a member "instance_id", "owned"
([["T1", 0], ...]), "generation" and "rack". If all cases name an assignor, the answer is a JSON list with an entry
{"source", "assignment"} for each case, in their order; otherwise a table for each case, with the assignors side by side.`

// assignPartitions shows what the assignors make of the cases in a file.
func assignPartitions(args []string, in io.Reader, out io.Writer) error {
	flags := newFlags("assign", "[FILE]", aboutAssign, out)
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	if len(paths) > 1 {
		return fmt.Errorf("%w: assign: one file at a time", errUsage)
	}
	if len(paths) == 0 || paths[0] == "-" {
		return runCases(in, out)
	}
	file, err := os.Open(paths[0])
	if err != nil {
		return err
	}
	defer file.Close()
	if err := runCases(file, out); err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	return nil
}

// runCases reads cases and writes the assignments. The error joins everything that is wrong with the input.
func runCases(r io.Reader, w io.Writer) error {
	cases, err := readCases(r)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(cases, func(c assignCase) bool { return c.Assignor == "" }) {
		return writeTables(w, cases)
	}
	return writeAssignments(w, cases)
}
