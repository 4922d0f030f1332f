package lessons

import (
	"io/fs"
	"path"
	"slices"
	"sync"
)

// presetsDir holds what a sandbox can start from, a folder each, in the form of a lesson with one beat.
const presetsDir = "presets"

// presetIDs are the presets as they are listed.
var presetIDs = []string{"sandbox-empty", "sandbox-topic", "sandbox-replicas", "sandbox-groups", "sandbox-protocols"}

// Presets lists what a sandbox can start from.
var Presets = sync.OnceValue(func() []Title {
	var titles []Title
	for _, id := range presetIDs {
		titles = append(titles, Title{ID: id, Titles: titlesOf(builtin, path.Join(presetsDir, id))})
	}
	return titles
})

// Sandbox reports whether a run began as one of the presets, which is there to be changed.
func (r *Run) Sandbox() bool { return slices.Contains(presetIDs, r.Lesson.ID) }

// BuiltinOf is the file system in which a lesson of the course, or a preset, is the folder of that id; false if there is none.
func BuiltinOf(id string) (fs.FS, bool) {
	if slices.Contains(presetIDs, id) {
		presets, err := fs.Sub(builtin, presetsDir)
		return presets, err == nil
	}
	return builtin, slices.ContainsFunc(Catalogue(), func(t Title) bool { return t.ID == id })
}
