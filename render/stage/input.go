package stage

import (
	"slices"
	"strconv"
	"time"

	"groupscope/core/figures"
	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/lessons"
)

// input is all that the panels draw from. They change nothing in it, so the same input gives the same picture.
type input struct {
	session *Session
	frame   *view.Frame
	entry   *view.Entry // the event that led to the frame; nil before the first
	entries func(event int) *view.Entry
	track   *track
	pace    *pace
	truth   *pace  // the run's own time, for a sequence that is zoomed
	tally   *tally // of the messages by what becomes of them in the sequence
	lesson  lessonInput
	run     *lessons.Run // where a person can act; nil where nobody can
	refused refusal
	whole   *whole
	figures *figures.Figures   // nil where no view shows them
	limits  map[string]float64 // by pane: how far it can be scrolled; filled while drawing
	rests   map[string]float64 // by pane: how far it is scrolled while nobody has scrolled it; filled while drawing

	// Derived by prepare.
	words  words
	theme  *theme
	layout layout
	size   size
	cast   cast
}

// lessonInput is what the stage shows of a lesson.
type lessonInput struct {
	id, title string
	next      string // the id of the lesson after it; "" after the last one
	menu      []menuItem
	variant   string
	variants  []menuItem // empty when there is only the base
	beats     []int      // the event at which each beat is reached
	beat      int        // the present one; -1 before the first
	text      lessons.BeatWords
	look      []string // what the present beat points at
}

// menuItem is one line of a menu.
type menuItem struct {
	id, title, chapter string
}

// prepare derives what depends on session and frame alone.
func (in *input) prepare() {
	in.words = languages()[in.session.Lang]
	in.theme = themeNamed(in.session.Theme)
	in.layout = newLayout(in.session, in.whole.lanes())
	in.size = in.layout.size
	in.cast = newCast(in.theme, in.whole.last())
}

// scaled is the same input with everything drawn larger.
func (in *input) scaled(by float64) *input {
	larger := *in
	larger.size = newSize(in.size.unit*by, in.size.control)
	return &larger
}

// at is the same input at another frame.
func (in *input) at(f *view.Frame) *input {
	other := *in
	other.frame = f
	return &other
}

// now is the virtual time of the frame.
func (in *input) now() time.Duration { return in.frame.At }

// cast knows the look of every consumer of the run, by its place in the order in which they were added.
type cast struct {
	theme   *theme
	accents map[kafka.NodeID]accent
}

func newCast(t *theme, f *view.Frame) cast {
	c := cast{theme: t, accents: map[kafka.NodeID]accent{}}
	for i := range f.Consumers {
		c.accents[f.Consumers[i].ID] = t.accent(i)
	}
	return c
}

// of is the look of a node; brokers, producers and nobody share a neutral one.
func (c cast) of(id kafka.NodeID) accent {
	if a, ok := c.accents[id]; ok {
		return a
	}
	return c.theme.nobody()
}

func (c cast) isConsumer(id kafka.NodeID) bool {
	_, ok := c.accents[id]
	return ok
}

// isClient reports whether a node is a consumer or a producer.
func (in *input) isClient(id kafka.NodeID) bool {
	return in.cast.isConsumer(id) || slices.ContainsFunc(in.frame.Producers, func(p view.Producer) bool { return p.ID == id })
}

// selected reports whether a thing is selected or under the pointer.
func (in *input) selected(id string) bool { return in.session.Selected == id }
func (in *input) hovered(id string) bool  { return in.session.Hovered == id }

// looked reports whether the present beat points at the thing: at its own event, not while the lesson goes on.
func (in *input) looked(name string) bool {
	beat := in.lesson.beat
	return beat >= 0 && in.lesson.beats[beat] == in.frame.Event && slices.Contains(in.lesson.look, name)
}

// The ids of things, as Selected holds them and shapes carry them.
func nodeID(id kafka.NodeID) string              { return "node:" + string(id) }
func partitionID(tp kafka.TopicPartition) string { return "partition:" + tp.String() }
func groupID(id string) string                   { return "group:" + id }
func messageID(id int64) string                  { return "message:" + strconv.FormatInt(id, 10) }
func eventID(event int) string                   { return "event:" + strconv.Itoa(event) }

func number[T ~int | ~int32 | ~int64](n T) string { return strconv.FormatInt(int64(n), 10) }
