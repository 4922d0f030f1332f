package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/lessons"
	"groupscope/render/export"
	"groupscope/render/fonts/han"
	"groupscope/render/stage"
)

// draw writes the scene at a beat as SVG, or the sequence diagram up to there.
func draw(args []string, out io.Writer) error {
	flags := newFlags("draw", "-beat ID [-view VIEW | -mermaid] [-o FILE] PATH",
		"Plays a lesson and writes what is on screen at a beat as SVG, or the sequence diagram up to there as the text of Mermaid.", out)
	beat := flags.String("beat", "", "the `ID` of the beat")
	file := flags.String("o", "", "the `FILE` to write; standard output if absent")
	variant := flags.String("variant", "", "the `ID` of a variant; the base if absent")
	lang := flags.String("lang", "en", "language: "+strings.Join(stage.Languages(), " or "))
	theme := flags.String("theme", stage.Light, "theme: "+strings.Join(stage.Themes, ", "))
	size := flags.String("size", "1440x900", "`WIDTHxHEIGHT` of the picture; the sequence by itself is as high as its lanes need")
	show := flags.String("view", stage.Views[0], "what the main area shows: "+strings.Join(stage.Views, ", ")+"; or sequence, for that by itself")
	span := flags.Duration("span", 0, "the `TIME` of the run that the sequence shows, such as 30s; as much as can be read if absent")
	mermaid := flags.Bool("mermaid", false, "write the sequence diagram as the text of Mermaid")
	paths, err := flags.parse(args)
	if err != nil {
		return err
	}
	known := append(slices.Clone(stage.Views), "sequence")
	if err := errors.Join(oneOf("lang", *lang, stage.Languages()), oneOf("theme", *theme, stage.Themes), oneOf("view", *show, known)); err != nil {
		return err
	}
	if spans := spanNames(); !slices.Contains(spans, span.String()) {
		return fmt.Errorf("%w: draw: -span %s; expected one of %s", errUsage, *span, strings.Join(spans, ", "))
	}
	width, height, err := parseSize(*size)
	if err != nil {
		return err
	}
	run, err := play(paths, *variant)
	if err != nil {
		return err
	}
	event, err := beatEvent(run, *beat)
	if err != nil {
		return err
	}
	if err := han.Use(); err != nil {
		return err
	}
	s := stage.New(run, stage.Session{
		Lang: *lang, Theme: *theme, Width: width, Height: height, Event: event, View: *show, Sequence: stage.Excerpt{Span: span.Seconds()},
	})
	kind := "svg"
	switch {
	case *mermaid:
		kind = "mermaid"
	case *show == "sequence":
		kind = "sequence"
	}
	made, err := export.Of(s, kind)
	if err != nil {
		return err
	}
	if *file == "" {
		_, err := out.Write(made.Data)
		return err
	}
	return os.WriteFile(*file, made.Data, 0o644)
}

// spanNames lists the times that the sequence can show.
func spanNames() []string {
	names := []string{time.Duration(0).String()}
	for _, s := range stage.Spans {
		names = append(names, time.Duration(s*float64(time.Second)).String())
	}
	return names
}

// oneOf checks the value of a flag against those it can have.
func oneOf(flag, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("%w: draw: -%s %s; expected one of %s%s", errUsage, flag, value, strings.Join(known, ", "), hint(value, known))
}

// hint suggests the known name that a wrong one probably stands for.
func hint(name string, known []string) string {
	if near := kafka.Suggest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// beatEvent is the event after which a beat is reached.
func beatEvent(run *lessons.Run, id string) (int, error) {
	if event, reached := run.EventOf(id); reached {
		return event, nil
	}
	var known []string
	for _, b := range run.Plan.Beats {
		known = append(known, b.ID)
	}
	if slices.Contains(known, id) {
		return 0, fmt.Errorf("beat %s is never reached; lesson check says why", id)
	}
	return 0, fmt.Errorf("%w: draw: -beat %q; expected one of %s%s", errUsage, id, strings.Join(known, ", "), hint(id, known))
}

// The sides of a picture that draw makes.
const (
	shortestSide = 200
	longestSide  = 10_000
)

// parseSize reads a size such as 1440x900.
func parseSize(text string) (width, height float64, err error) {
	w, h, _ := strings.Cut(text, "x")
	var sides [2]int
	for i, side := range []string{w, h} {
		sides[i], err = strconv.Atoi(side)
		if err != nil || sides[i] < shortestSide || sides[i] > longestSide {
			return 0, 0, fmt.Errorf("%w: draw: -size %s; expected one such as 1440x900, each side from %d to %d",
				errUsage, text, shortestSide, longestSide)
		}
	}
	return float64(sides[0]), float64(sides[1]), nil
}
