package lessons

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Problem is one thing wrong with a lesson, and where.
type Problem struct {
	File         string // "" for a command in one line
	Line, Column int    // 1 for the first; 0 when the whole file is meant
	Message      string // what is wrong
	Expected     string // what would be right; "" when the message says it
	Suggestion   string // a known name near the unknown one; "" for none
}

func (p Problem) String() string {
	var b strings.Builder
	switch {
	case p.File == "" && p.Line > 0:
		fmt.Fprintf(&b, "column %d: ", p.Column)
	case p.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", p.File, p.Line, p.Column)
	case p.File != "":
		b.WriteString(p.File + ": ")
	}
	b.WriteString(p.Message)
	if p.Expected != "" {
		b.WriteString("; expected ")
		b.WriteString(p.Expected)
	}
	if p.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %q?", p.Suggestion)
	}
	return b.String()
}

// Problems is everything wrong with a lesson, in the order of files and lines.
type Problems []Problem

// mostShown is how many problems a message lists.
const mostShown = 100

func (ps Problems) Error() string {
	shown := ps[:min(len(ps), mostShown)]
	lines := make([]string, len(shown))
	for i, p := range shown {
		lines[i] = p.String()
	}
	if more := len(ps) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// problem is one problem at this place, as an error.
func (at place) problem(message, expected string) error {
	return Problems{{File: at.File, Line: at.Line, Column: at.Column, Message: message, Expected: expected}}
}

// sorted returns the problems in the order of their places, each of them once: what is wrong with the base is found
// again in every variant.
func (ps Problems) sorted() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(path.Dir(a.File), path.Dir(b.File)), cmp.Compare(rank(a.File), rank(b.File)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}

// rank puts a lesson's own file before its words, as what is wrong with them often comes from there.
func rank(file string) int {
	if path.Base(file) == lessonName {
		return 0
	}
	return 1
}

// err is the problems as an error; nil when there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps.sorted()
}
