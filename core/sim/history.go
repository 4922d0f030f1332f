package sim

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"time"

	"groupscope/core/view"
)

// History is a run that can be visited at any event, and its branches. A branch shares the trace with its parent up to
// the event after which a command was given in the past; the parent's future is kept.
type History struct {
	branches []*branch
	current  BranchID
	recent   []*World   // worlds visited lately, the latest last; replay begins at the nearest
	frames   frameCache // of the current branch
}

// BranchID names a branch; 0 is the script's own run.
type BranchID int

// Branch tells where a branch leaves its parent, and what was done there.
type Branch struct {
	ID     BranchID
	Parent BranchID
	Name   string        // given by a person; "" for none
	Fork   int           // the last event that both share
	Given  []Command     // with their stamps, in order
	Until  time.Duration // the run ends after the last event at or before it
}

// branch is a branch's own part of a run.
type branch struct {
	Branch
	entries     []view.Entry // after Fork
	checkpoints []*World     // by event; the first is at Fork
	spacing     int          // events between two checkpoints
	tip         *World
	ended       bool // nothing was left to happen before the script's end
}

const (
	firstSpacing    = 128
	mostCheckpoints = 256 // a branch keeps at most so many, then every other one goes
	mostRecent      = 8
)

// NewHistory begins a history with a world at its first event. The history owns the world from then on.
func NewHistory(w *World) *History {
	return &History{branches: []*branch{newBranch(Branch{Fork: w.event, Until: w.until}, w)}}
}

func newBranch(b Branch, at *World) *branch {
	return &branch{Branch: b, checkpoints: []*World{at.Clone()}, spacing: firstSpacing, tip: at}
}

func (h *History) branch() *branch { return h.branches[h.current] }

// Len is the number of events in the current branch.
func (h *History) Len() int { return h.branch().tip.event }

// Step extends the current branch by one event. It returns false at the script's end.
func (h *History) Step() bool {
	b := h.branch()
	if b.ended {
		return false
	}
	entry, ok := b.tip.Step()
	if !ok {
		b.ended = true
		return false
	}
	h.keep(entry)
	return true
}

// Do gives a command at the tip of the current branch.
func (h *History) Do(c Command) error {
	b := h.branch()
	c.At, c.After = b.tip.now, b.tip.event
	entry, err := b.tip.Do(c)
	if err != nil {
		return err
	}
	b.Given = append(b.Given, c)
	b.ended = false
	h.keep(entry)
	return nil
}

// keep adds the tip's newest entry to the trace.
func (h *History) keep(entry view.Entry) {
	b := h.branch()
	b.entries = append(b.entries, entry)
	if (entry.Event-b.Fork)%b.spacing == 0 {
		b.checkpoint()
	}
}

// checkpoint keeps a copy of the tip. When there are too many, every other one goes and the rest stand twice as far apart.
func (b *branch) checkpoint() {
	b.checkpoints = append(b.checkpoints, b.tip.Clone())
	if len(b.checkpoints) <= mostCheckpoints {
		return
	}
	kept := b.checkpoints[:0]
	for i, w := range b.checkpoints {
		if i%2 == 0 {
			kept = append(kept, w)
		}
	}
	clear(b.checkpoints[len(kept):])
	b.checkpoints = kept
	b.spacing *= 2
}

// Entry is an event of the current branch, from 1 to Len.
func (h *History) Entry(n int) *view.Entry {
	b := h.owner(h.current, n)
	return &b.entries[n-b.Fork-1]
}

// owner is the branch whose own part holds event n of the given branch.
func (h *History) owner(id BranchID, n int) *branch {
	b := h.branches[id]
	for n <= b.Fork && b.ID != 0 {
		b = h.branches[b.Parent]
	}
	return b
}

// Entries are the events of the current branch from one to another, both included.
func (h *History) Entries(from, to int) iter.Seq[*view.Entry] {
	return func(yield func(*view.Entry) bool) {
		for n := from; n <= to; n++ {
			if !yield(h.Entry(n)) {
				return
			}
		}
	}
}

// EventAt is the last event of the current branch at or before a moment; 0 if there is none.
func (h *History) EventAt(at time.Duration) int {
	return sort.Search(h.Len(), func(i int) bool { return h.Entry(i+1).At > at })
}

// At is the world after event n of the current branch, 0 to Len. It is for reading only.
func (h *History) At(n int) *World {
	if n == h.Len() {
		return h.branch().tip
	}
	b := h.owner(h.current, n+1) // at a fork, the parent's world is the same
	start := b.before(n)
	for _, w := range h.recent {
		if w.event <= n && w.event > start.event && w.event > b.Fork {
			start = w
		}
	}
	if start.event == n {
		return start
	}
	w := start.Clone()
	b.replay(w, n)
	h.visited(w)
	return w
}

// before is the last checkpoint at or before an event.
func (b *branch) before(n int) *World {
	i, found := slices.BinarySearchFunc(b.checkpoints, n, func(w *World, n int) int { return w.event - n })
	if !found {
		i--
	}
	return b.checkpoints[max(0, i)]
}

// replay takes a world of this branch on to event n, giving the commands that were given then.
func (b *branch) replay(w *World, n int) {
	w.until = b.Until // it may have been less when the world was kept
	for w.event < n {
		if i := slices.IndexFunc(b.Given, func(c Command) bool { return c.After == w.event }); i >= 0 {
			w.obey(b.Given[i])
			continue
		}
		w.Step()
	}
}

// visited remembers a world, so that a visit nearby is cheap.
func (h *History) visited(w *World) {
	if len(h.recent) == mostRecent {
		h.recent = slices.Delete(h.recent, 0, 1)
	}
	h.recent = append(h.recent, w)
}

// Frame is what can be seen after event n of the current branch.
func (h *History) Frame(n int) *view.Frame {
	if f := h.frames.find(n); f != nil {
		return f
	}
	f := h.At(n).Frame()
	h.frames.add(&f)
	return &f
}

// Fork gives a command in the past, after event n of the current branch, and goes on in the branch that this makes.
func (h *History) Fork(n int, c Command) (BranchID, error) {
	if n < 0 || n > h.Len() {
		return 0, fmt.Errorf("there is no event %d", n)
	}
	w := h.At(n).Clone()
	w.until = h.branch().Until
	parent := h.current
	id := BranchID(len(h.branches))
	h.branches = append(h.branches, newBranch(Branch{ID: id, Parent: h.owner(parent, n).ID, Fork: n, Until: w.until}, w))
	h.Switch(id)
	if err := h.Do(c); err != nil {
		h.Forget(parent)
		return 0, err
	}
	return id, nil
}

// Forget drops the newest branch, which must not be the script's own run, and goes on in another.
func (h *History) Forget(next BranchID) {
	h.branches = slices.Delete(h.branches, len(h.branches)-1, len(h.branches))
	h.Switch(next)
}

// Rename gives a branch a name.
func (h *History) Rename(id BranchID, name string) { h.branches[id].Name = name }

// Extend moves the end of the current branch, and of those that are forked from it later, to a later time. Nothing that has
// happened changes by it.
func (h *History) Extend(until time.Duration) error {
	b := h.branch()
	if until < b.Until || until > maxUntil {
		return fmt.Errorf("until: %v is not between %v and %v", until, b.Until, maxUntil)
	}
	b.Until, b.tip.until, b.ended = until, until, false
	return nil
}

// Beside is the same history in another branch, for reading beside this one.
func (h *History) Beside(id BranchID) *History {
	return &History{branches: slices.Clone(h.branches), current: id}
}

// Switch goes on in another branch.
func (h *History) Switch(id BranchID) {
	h.current = id
	h.recent = nil
	h.frames = frameCache{}
}

// Current is the branch that the history is in.
func (h *History) Current() BranchID { return h.current }

// Branches lists all branches; the first is the script's own run.
func (h *History) Branches() []Branch {
	list := make([]Branch, len(h.branches))
	for i, b := range h.branches {
		list[i] = b.Branch
	}
	return list
}

// Hash is the hash of the current branch's trace up to event n.
func (h *History) Hash(n int) string { return h.Hashes(n)[0] }

// Hashes are the hashes of the current branch's trace up to several events, which must be in order.
func (h *History) Hashes(events ...int) []string {
	t, at := newTraceHash(), 0
	hashes := make([]string, len(events))
	for i, n := range events {
		for ; at < min(n, h.Len()); at++ {
			t.add(h.Entry(at + 1))
		}
		hashes[i] = t.sum()
	}
	return hashes
}

// ErrTooLong is returned by Run for a script that has more events than allowed.
var ErrTooLong = errors.New("the run has too many events")

// Run takes the current branch to the script's end, or fails with ErrTooLong after so many events.
func (h *History) Run(most int) error {
	for h.Step() {
		if h.Len() >= most {
			return ErrTooLong
		}
	}
	return nil
}

// frameCache keeps the frames made last.
type frameCache struct {
	frames [4]*view.Frame
	next   int
}

func (c *frameCache) find(n int) *view.Frame {
	for _, f := range c.frames {
		if f != nil && f.Event == n {
			return f
		}
	}
	return nil
}

func (c *frameCache) add(f *view.Frame) {
	c.frames[c.next] = f
	c.next = (c.next + 1) % len(c.frames)
}
