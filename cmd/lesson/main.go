// Command lesson is the tool of lesson authors: it checks lessons, prints their traces, draws their beats and shows
// them in a browser while they are written.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// command is one thing the tool does.
type command struct {
	name, arguments, about string
	run                    func(args []string) error
}

func commands() []command {
	return []command{
		{"check", "PATH...", "play lessons and verify every claim they make", func(args []string) error {
			return check(args, os.Stdout)
		}},
		{"trace", "PATH", "print what happens in a lesson, one event a line", func(args []string) error {
			return trace(args, os.Stdout)
		}},
		{"draw", "-beat ID PATH", "write what is on screen at a beat as SVG", func(args []string) error {
			return draw(args, os.Stdout)
		}},
		{"figures", "PATH", "count lag, records, rebalances and requests over time, as CSV", func(args []string) error {
			return countFigures(args, os.Stdout)
		}},
		{"assign", "[FILE]", "show what the assignors make of the cases in a file", func(args []string) error {
			return assignPartitions(args, os.Stdin, os.Stdout)
		}},
		{"serve", "[FOLDER]", "build the site and serve it; with a lesson's folder, show that and follow its changes", func(args []string) error {
			return serve(args, os.Stdout)
		}},
	}
}

func main() {
	err := dispatch(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "lesson:", strings.TrimPrefix(err.Error(), errUsage.Error()+": "))
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lesson:", err)
		os.Exit(1)
	}
}

// errUsage marks the errors of a command line that makes no sense.
var errUsage = errors.New("usage")

// dispatch runs the command that is named first.
func dispatch(args []string, out io.Writer) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help" {
		usage(out)
		return flag.ErrHelp
	}
	var names []string
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:])
		}
		names = append(names, c.name)
	}
	near := hint(args[0], names)
	if near == "" {
		near = "; lesson -h lists the commands"
	}
	return fmt.Errorf("%w: unknown command %q%s", errUsage, args[0], near)
}

func usage(out io.Writer) {
	fmt.Fprint(out, "lesson is the tool of lesson authors.\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(out, "  %-22s %s\n", c.name+" "+c.arguments, c.about)
	}
	fmt.Fprint(out, "\nPATH is a lesson's folder, a folder with lessons in it (check), or the name of a lesson that comes with the program.\n"+
		"lesson COMMAND -h tells more about a command. lessons/README.md describes the format of lessons.\n")
}

// commandLine is the flags and paths of a command.
type commandLine struct {
	*flag.FlagSet
	help func()
}

// newFlags makes the flags of a command, with a text for -h that begins with what the command does.
func newFlags(name, arguments, about string, out io.Writer) commandLine {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed once, by main
	return commandLine{flags, func() {
		fmt.Fprintf(out, "lesson %s %s\n\n%s\n", name, arguments, about)
		flags.SetOutput(out)
		flags.PrintDefaults()
	}}
}

// parse reads a command line whose flags may stand before and after its paths, and returns the paths.
func (c commandLine) parse(args []string) ([]string, error) {
	var paths []string
	for {
		switch err := c.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			c.help()
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w: %s: %w", errUsage, c.Name(), err)
		}
		if c.NArg() == 0 {
			return paths, nil
		}
		paths, args = append(paths, c.Arg(0)), c.Args()[1:]
	}
}
