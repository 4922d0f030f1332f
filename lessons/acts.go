package lessons

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// Act is a command that a person gave, which made a branch.
type Act struct {
	Text   string
	After  int           // the event that it follows
	At     time.Duration // and its time
	Branch sim.BranchID
	From   sim.BranchID // the branch that the person was in
	// Continues says that nobody had looked further than the act: so it has no other future that could be missed.
	Continues bool

	tree *node // what the text says
}

// given is a command of the lesson itself that was given after an event of a branch.
type given struct {
	index int // in Plan.Commands
	after int
}

// branchState is what a run keeps of a branch of its history.
type branchState struct {
	act   Act     // that made it; none for the base
	given []given // in the branch's own part
	seen  int     // the last event that a person has looked at
}

// command reads a line as a command that can be given after an event of the current branch.
func (r *Run) command(event int, line string) (sim.Command, *node, error) {
	d := &decoder{names: r.directory(event)}
	if length := len(line); length > longestLine || !utf8.ValidString(line) {
		return sim.Command{}, nil, place{Line: 1, Column: 1}.problem(fmt.Sprintf("the command has %d bytes", length),
			fmt.Sprintf("at most %d, of text", longestLine))
	}
	tree := d.readLine(line)
	if len(d.problems) > 0 {
		return sim.Command{}, nil, d.problems.err()
	}
	m := maker{decoder: d, file: r.Plan.file}
	command := m.command(readDeed(d, "", pair{at: tree.place, value: tree}))
	if len(d.problems) > 0 {
		return sim.Command{}, nil, d.problems.err()
	}
	if err := r.History.At(event).Check(command); err != nil {
		return sim.Command{}, nil, refusal(tree, err)
	}
	return command, tree, nil
}

// refusal puts what the world says to a command where it is said: at the setting that is wrong, or at the command.
func refusal(tree *node, err error) error {
	var wrong kafka.ConfigError
	if errors.As(err, &wrong) {
		at := tree.place
		if set := tree.find("settings"); set != nil {
			at = set.keyPlace(wrong.Key)
		}
		return Problems{{Line: at.Line, Column: at.Column, Message: wrong.Key + ": " + wrong.Problem, Expected: wrong.Expected, Suggestion: wrong.Suggestion}}
	}
	return tree.problem(err.Error(), "")
}

// directory is the names that there are after an event of the current branch.
func (r *Run) directory(event int) directory {
	f := r.History.Frame(event)
	d := newDirectory(r.Plan.root)
	known := directory{programs: d.programs, assignors: d.assignors, groups: slices.Clone(d.groups)}
	for _, b := range f.Brokers {
		known.brokers = append(known.brokers, string(b.ID))
	}
	for _, c := range f.Consumers {
		known.consumers = append(known.consumers, string(c.ID))
		if c.Group != "" && !slices.Contains(known.groups, c.Group) {
			known.groups = append(known.groups, c.Group)
		}
	}
	for _, p := range f.Producers {
		known.producers = append(known.producers, string(p.ID))
	}
	for _, s := range f.Stores {
		known.stores = append(known.stores, string(s.ID))
	}
	for _, t := range f.Topics {
		known.topics = append(known.topics, topicSize{t.Name, len(t.Partitions)})
	}
	return known
}

// Parse tells whether a line is a command that can be given after an event of the current branch, and how it is best written.
// The error is of type Problems.
func (r *Run) Parse(event int, line string) (canonical string, err error) {
	_, tree, err := r.command(event, line)
	if err != nil {
		return "", err
	}
	return lineOf(tree), nil
}

// Act gives a command after an event of the current branch, and goes on in the branch that this makes: it is played to the
// run's end, with the commands of the lesson that were not given by then. The error is of type Problems, and nothing has changed then.
func (r *Run) Act(event int, line string) (sim.BranchID, error) {
	if event < 0 || event > r.History.Len() {
		return 0, fmt.Errorf("there is no event %d: the run has %d", event, r.History.Len())
	}
	command, tree, err := r.command(event, line)
	if err != nil {
		return 0, err
	}
	from := r.History.Current()
	act := Act{
		Text: lineOf(tree), After: event, At: r.History.At(event).Now(), From: from, Continues: event >= r.seen(from), tree: tree,
	}
	waiting := r.waitingAt(event)
	id, err := r.History.Fork(event, command)
	if err != nil {
		return 0, tree.problem(err.Error(), "")
	}
	act.Branch = id
	r.branches = append(r.branches, branchState{act: act, seen: event})
	if err := newPlayer(r, waiting).play(); err != nil {
		r.branches = r.branches[:id]
		r.History.Forget(from)
		return 0, tree.problem(err.Error(), "less to happen, or an earlier end")
	}
	r.undone = nil
	return id, nil
}

// path lists the branches from the base to one.
func (r *Run) path(id sim.BranchID) []sim.Branch {
	all := r.History.Branches()
	var path []sim.Branch
	for b := all[id]; ; b = all[b.Parent] {
		path = append(path, b)
		if b.ID == 0 {
			slices.Reverse(path)
			return path
		}
	}
}

// shared is the last event of each branch of a path that counts for the branch at its end.
func shared(path []sim.Branch, i, end int) int {
	if i+1 < len(path) {
		return min(end, path[i+1].Fork)
	}
	return end
}

// waitingAt lists the lesson's commands that were not given by an event of the current branch.
func (r *Run) waitingAt(event int) []int {
	path := r.path(r.History.Current())
	done := map[int]bool{}
	for i, b := range path {
		for _, g := range r.branches[b.ID].given {
			done[g.index] = done[g.index] || g.after < shared(path, i, event)
		}
	}
	var waiting []int
	for i := range r.Plan.Commands {
		if !done[i] {
			waiting = append(waiting, i)
		}
	}
	return waiting
}

// Until is the time at which the current branch ends.
func (r *Run) Until() time.Duration { return r.History.Branches()[r.History.Current()].Until }

// Extend lets the current branch go on to a later end.
func (r *Run) Extend(until time.Duration) error {
	waiting := r.waitingAt(r.History.Len())
	if err := r.History.Extend(until); err != nil {
		return err
	}
	return newPlayer(r, waiting).play()
}

// seen is the last event of a branch that a person has looked at.
func (r *Run) seen(id sim.BranchID) int { return r.branches[id].seen }

// Look notes that a person has looked at an event of the current branch.
func (r *Run) Look(event int) {
	b := &r.branches[r.History.Current()]
	b.seen = max(b.seen, event)
}

// Acts lists the commands that a person gave on the way to the current branch.
func (r *Run) Acts() []Act {
	var acts []Act
	for _, b := range r.path(r.History.Current())[1:] {
		acts = append(acts, r.branches[b.ID].act)
	}
	return acts
}

// BranchInfo is a branch as it is listed.
type BranchInfo struct {
	sim.Branch
	Changed []string // the commands that were given since it left the listed branch it comes from
	Events  int
	Stale   bool // another continues it, and nobody has seen it beyond that
}

// Branches lists all branches, the base first.
func (r *Run) Branches() []BranchInfo {
	list := make([]BranchInfo, len(r.branches))
	for i, b := range r.History.Branches() {
		list[i] = BranchInfo{Branch: b, Events: r.History.Beside(b.ID).Len()}
		act := r.branches[i].act
		if i == 0 {
			continue
		}
		if act.Continues {
			list[act.From].Stale = true
			list[i].Changed = slices.Clone(list[act.From].Changed)
		}
		list[i].Changed = append(list[i].Changed, act.Text)
	}
	return list
}

// Switch goes on in another branch; one that there is not is ignored.
func (r *Run) Switch(id sim.BranchID) {
	if id >= 0 && int(id) < len(r.branches) {
		r.History.Switch(id)
		r.undone = nil
	}
}

// Rename gives a branch a name.
func (r *Run) Rename(id sim.BranchID, name string) {
	if id >= 0 && int(id) < len(r.branches) {
		r.History.Rename(id, name)
	}
}

// Undo goes back to before the act that made the current branch, and returns the event; false in the base.
func (r *Run) Undo() (event int, ok bool) {
	current := r.History.Current()
	if current == 0 {
		return 0, false
	}
	act := r.branches[current].act
	r.undone = append(r.undone, current)
	r.History.Switch(act.From)
	return act.After, true
}

// Redo goes forward again to the branch that was undone last, right after its act.
func (r *Run) Redo() (event int, ok bool) {
	if len(r.undone) == 0 {
		return 0, false
	}
	id := r.undone[len(r.undone)-1]
	r.undone = r.undone[:len(r.undone)-1]
	r.History.Switch(id)
	return r.branches[id].act.After + 1, true
}

// narrated is the last event of the current branch that the lesson's words are about.
func (r *Run) narrated() int {
	if path := r.path(r.History.Current()); len(path) > 1 {
		return path[1].Fork
	}
	return r.History.Len()
}

// Narrated reports whether the lesson's words are about an event of the current branch: beyond the first act they are silent.
func (r *Run) Narrated(event int) bool { return event <= r.narrated() }
