package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"
	"time"

	"groupscope/core/sim"
	"groupscope/lessons"
	"groupscope/render/scene"
	"groupscope/render/stage"
)

// crowd is a lesson about a group of so many consumers on one topic, with records for all.
func crowd(consumers, partitions int, until time.Duration) (*lessons.Lesson, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "format: 1\nuntil: %s\nbrokers: {B1: {}, B2: {}, B3: {}}\ntopics:\n  T1: {partitions: %d}\nconsumers:\n", until, partitions)
	for i := range consumers {
		fmt.Fprintf(&b, "  C%d: {group: G1, topics: [T1]}\n", i+1)
	}
	b.WriteString("producers:\n  P1: {topic: T1, every: 20ms}\nbeats:\n  start: {must: [{records: {topic: T1, is: 0}}]}\n")
	files := fstest.MapFS{"crowd/lesson.yaml": &fstest.MapFile{Data: []byte(b.String())}}
	for _, lang := range stage.Languages() {
		words := "title: A crowd\nidea: Many share one topic.\nbeats:\n  start: {title: Start, text: It begins.}\n"
		files["crowd/"+lang+".yaml"] = &fstest.MapFile{Data: []byte(words)}
	}
	return lessons.Load(files, "crowd")
}

// The size of the history that is sought in.
const historyEvents = 100_000

func measureModel(context.Context) error {
	fmt.Println("The model (medians; in brackets what 99 of 100 stay below)")
	lesson, err := crowd(4, 8, 10*time.Hour)
	if err != nil {
		return err
	}
	world, err := sim.New(lesson.Script)
	if err != nil {
		return err
	}
	history := sim.NewHistory(world)
	start := time.Now()
	for history.Len() < historyEvents && history.Step() {
	}
	rate := float64(history.Len()) / time.Since(start).Seconds()
	row("events simulated and kept per second", fmt.Sprintf("%.0f", rate))

	chance := rand.New(rand.NewPCG(1, 2)) // the same places in every run
	anywhere := measure(200, func(int) { history.Frame(chance.IntN(history.Len())) })
	row(fmt.Sprintf("go to any of %d events, and its frame", history.Len()), anywhere.String())
	last := history.Len()
	row("go back by one event", measure(200, func(i int) { history.Frame(last - i) }).String())
	return nil
}

func measureStage(context.Context) error {
	fmt.Println("The stage (medians; in brackets what 99 of 100 stay below)")
	first, err := lessons.Load(lessons.Builtin(), lessons.Catalogue()[0].ID)
	if err != nil {
		return err
	}
	many, err := crowd(64, 256, 20*time.Second)
	if err != nil {
		return err
	}
	for _, of := range []struct {
		name   string
		lesson *lessons.Lesson
	}{{"the first lesson", first}, {"64 consumers, 256 partitions", many}} {
		run, err := of.lesson.Play("")
		if err != nil {
			return err
		}
		measureScenes(of.name, run)
	}
	return nil
}

// measureScenes measures the pictures of events near the end of a run, where there is most to see.
func measureScenes(name string, run *lessons.Run) {
	const times = 100
	last := run.History.Len()
	shown := stage.New(run, stage.Session{Width: 1440, Height: 900, Event: last - times - 1})
	row(name+": the picture of the next event", measure(times, func(i int) {
		shown.Do(scene.Action{Do: stage.Seek, N: float64(last - times + i)})
		shown.Scene()
	}).String())
	shown.Do(scene.Action{Do: stage.Seek, N: float64(last / 2)})
	shown.Do(scene.Action{Do: stage.Play})
	row(name+": the picture of the next frame while playing", measure(times, func(int) {
		shown.Advance(time.Second / 60)
		shown.Scene()
	}).String())
}
