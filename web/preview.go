package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Preview serves a site that shows an author's lesson and loads it again whenever a file of it changes.
type Preview struct {
	site   http.Handler
	lesson string // its folder

	mutex   sync.Mutex
	readers map[chan struct{}]bool
}

// NewPreview serves the site in folder dir with the lesson in the other folder.
func NewPreview(dir, lesson string) (*Preview, error) {
	info, err := os.Stat(lesson)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("preview: there is no folder %s", lesson)
	}
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("preview: %s is a file; expected a lesson's folder", lesson)
	}
	return &Preview{site: Handler(dir), lesson: lesson, readers: map[chan struct{}]bool{}}, nil
}

func (p *Preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/preview/files":
		p.serveFiles(w)
	case r.URL.Path == "/preview/changes":
		p.serveChanges(w, r)
	case r.URL.Path == "/" && !r.URL.Query().Has("preview"):
		http.Redirect(w, r, "/?preview", http.StatusFound)
	default:
		p.site.ServeHTTP(w, r)
	}
}

// serveFiles answers with the lesson's files as one object: name to content.
func (p *Preview) serveFiles(w http.ResponseWriter) {
	files, err := ReadLesson(p.lesson)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", types[".json"])
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(files); err != nil {
		return // the reader has gone
	}
}

// ReadLesson reads a lesson's files, by their paths below the folder that the lesson's folder is in.
func ReadLesson(dir string) (map[string]string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	err = filepath.WalkDir(absolute, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil // a pipe might never end; the page misses the file, and says so
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(absolute), path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	return files, err
}

// serveChanges is a stream of Server-Sent Events: one at once, so that the page loads the lesson, and one for each change.
func (p *Preview) serveChanges(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	changes := make(chan struct{}, 1)
	changes <- struct{}{}
	p.join(changes)
	defer p.leave(changes)
	stream := http.NewResponseController(w)
	for {
		select {
		case <-r.Context().Done():
			return
		case <-changes:
			if _, err := fmt.Fprint(w, "event: change\ndata:\n\n"); err != nil {
				return
			}
			if err := stream.Flush(); err != nil {
				return
			}
		}
	}
}

func (p *Preview) join(changes chan struct{}) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.readers[changes] = true
}

func (p *Preview) leave(changes chan struct{}) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.readers, changes)
}

func (p *Preview) tell() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for changes := range p.readers {
		select {
		case changes <- struct{}{}:
		default: // it has one to read already
		}
	}
}

// quiet is how long the files must rest before a change is told: editors write in several steps.
const quiet = 100 * time.Millisecond

// Watch tells the pages of changes until the context ends. Folders are watched, not files, since editors replace files.
func (p *Preview) Watch(ctx context.Context) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("preview: %w", err)
	}
	defer watcher.Close()
	err = filepath.WalkDir(p.lesson, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return watcher.Add(path)
	})
	if err != nil {
		return fmt.Errorf("preview: %w", err)
	}
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-watcher.Events:
			rest.Reset(quiet)
		case err := <-watcher.Errors:
			return fmt.Errorf("preview: %w", err)
		case <-rest.C:
			p.tell()
		}
	}
}
