package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"groupscope/lessons"
)

// check plays every lesson at or below the paths, with all its variants, and prints what does not hold.
func check(args []string, out io.Writer) error {
	flags := newFlags("check", "PATH...", "Plays every lesson at or below the paths, with all its variants, and verifies every claim.\n"+
		"What is wrong is printed with its file, line and column; then the exit code is 1.", out)
	verbose := flags.Bool("v", false, "print the moment of each beat, too")
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("%w: check: no path given; expected the folder of a lesson, or one with lessons in it", errUsage)
	}
	c := checker{out: out, verbose: *verbose}
	for _, p := range paths {
		s, err := find(p)
		if err != nil {
			return err
		}
		if err := c.tree(s); err != nil {
			return err
		}
	}
	return c.verdict(paths)
}

// checker counts while it checks.
type checker struct {
	out             io.Writer
	verbose         bool
	lessons, failed int
	problems        int
}

// tree checks the lessons and courses at and below a folder.
func (c *checker) tree(s source) error {
	return fs.WalkDir(s.fsys, s.dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		here := source{s.fsys, path.Dir(name), s.prefix}
		switch {
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != s.dir:
			return fs.SkipDir
		case entry.Name() == "lesson.yaml":
			c.lesson(here)
		case entry.Name() == "course.yaml":
			_, err := lessons.LoadCourse(here.fsys, here.dir)
			c.report(here.named(err))
		}
		return nil
	})
}

// lesson checks one lesson and says so in one line for each variant.
func (c *checker) lesson(s source) {
	c.lessons++
	before := c.problems
	lesson, err := s.load()
	c.report(err)
	if err == nil {
		c.variant(s, lesson, "")
		for _, v := range lesson.Variants {
			c.variant(s, lesson, v.ID)
		}
	}
	if c.problems > before {
		c.failed++
	}
}

func (c *checker) variant(s source, lesson *lessons.Lesson, variant string) {
	name := strings.TrimSpace(lesson.ID + " " + variant)
	run, err := lesson.Play(variant)
	if err == nil {
		if problems := run.Check(); len(problems) > 0 {
			err = problems
		}
	}
	if c.verbose && run != nil {
		c.beats(run)
	}
	if err != nil {
		c.report(s.named(err))
		return
	}
	fmt.Fprintf(c.out, "ok  %-30s %5d events, %s\n", name, run.History.Len(), counted(run.Plan.Claims(), "claim"))
}

// beats prints when each beat is reached.
func (c *checker) beats(run *lessons.Run) {
	for i, reached := range run.Reached {
		fmt.Fprintf(c.out, "    %-28s event %5d  %9.3f s\n", run.Plan.Beats[i].ID, reached.Event, reached.At.Seconds())
	}
}

// report prints what an error says, one line each.
func (c *checker) report(err error) {
	if err == nil {
		return
	}
	var problems lessons.Problems
	if errors.As(err, &problems) {
		c.problems += len(problems)
	} else {
		c.problems++
	}
	fmt.Fprintln(c.out, err)
}

// verdict is the error that ends a check; nil if all is well.
func (c *checker) verdict(paths []string) error {
	switch {
	case c.problems > 0:
		return fmt.Errorf("%s; lessons not in order: %d of %d", counted(c.problems, "problem"), c.failed, c.lessons)
	case c.lessons == 0:
		return fmt.Errorf("no lesson.yaml at or below %s", strings.Join(paths, ", "))
	}
	return nil
}

// counted writes a number with what it counts: "1 problem", "2 problems".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
