package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"groupscope/lessons"
)

// source is a folder of a file system that holds a lesson or a course. Prefix makes of its file names those that the
// author knows.
type source struct {
	fsys   fs.FS
	dir    string
	prefix string
}

// find finds the folder that a path means: one on disk, or that of a lesson which comes with the program.
func find(path string) (source, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		parent, base := filepath.Split(filepath.Clean(path))
		if base == "." || base == ".." || base == "" {
			return source{os.DirFS(path), ".", path}, nil
		}
		return source{os.DirFS(filepath.Clean(parent)), base, parent}, nil
	case err == nil:
		return source{}, fmt.Errorf("%s is a file; a lesson is the folder around it", path)
	case !errors.Is(err, fs.ErrNotExist):
		return source{}, err
	}
	var known []string
	for _, title := range lessons.Catalogue() {
		known = append(known, title.ID)
	}
	if slices.Contains(known, path) {
		return source{lessons.Builtin(), path, "lessons"}, nil
	}
	return source{}, fmt.Errorf("there is no folder and no lesson %s%s", path, hint(path, known))
}

// load reads the lesson in a source. Its problems name files as the author knows them.
func (s source) load() (*lessons.Lesson, error) {
	lesson, err := lessons.Load(s.fsys, s.dir)
	return lesson, s.named(err)
}

// play reads and plays the one lesson that a command line names.
func play(paths []string, variant string) (*lessons.Run, error) {
	if len(paths) != 1 {
		return nil, fmt.Errorf("%w: %d paths given; expected one: the folder of a lesson, or the name of one that comes with the program", errUsage, len(paths))
	}
	s, err := find(paths[0])
	if err != nil {
		return nil, err
	}
	lesson, err := s.load()
	if err != nil {
		return nil, err
	}
	run, err := lesson.Play(variant)
	return run, s.named(err)
}

// named gives the files of problems the names that the author knows.
func (s source) named(err error) error {
	var problems lessons.Problems
	if !errors.As(err, &problems) {
		return err
	}
	renamed := slices.Clone(problems)
	for i := range renamed {
		renamed[i].File = filepath.Join(s.prefix, filepath.FromSlash(renamed[i].File))
	}
	return renamed
}
