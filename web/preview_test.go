package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// authored is a lesson's folder as an author has it.
func authored(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, text := range map[string]string{"lesson.yaml": "format: 1\n", "en.yaml": "title: Mine\n", "notes.txt": "not a lesson's"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestThePreviewHandsOutTheLessonsFiles(t *testing.T) {
	preview, err := NewPreview(siteWith(t), authored(t))
	require.NoError(t, err)
	var files map[string]string
	require.NoError(t, json.NewDecoder(get(t, preview, "/preview/files").Body).Decode(&files))
	require.Equal(t, map[string]string{"mine/lesson.yaml": "format: 1\n", "mine/en.yaml": "title: Mine\n"}, files)
}

func TestThePreviewIsWhereThePageOpens(t *testing.T) {
	preview, err := NewPreview(siteWith(t), authored(t))
	require.NoError(t, err)
	answer := get(t, preview, "/")
	require.Equal(t, http.StatusFound, answer.StatusCode)
	require.Equal(t, "<p>the page</p>", body(t, get(t, preview, answer.Header.Get("Location")).Body))
}

func TestThePreviewTellsOfEachChange(t *testing.T) {
	lesson := authored(t)
	preview, err := NewPreview(siteWith(t), lesson)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	watched := make(chan error, 1)
	go func() { watched <- preview.Watch(ctx) }()
	server := httptest.NewServer(preview)
	t.Cleanup(server.Close)
	answer, err := http.Get(server.URL + "/preview/changes")
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))

	changes := make(chan string)
	go func() {
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if lines.Text() != "" {
				changes <- lines.Text()
			}
		}
	}()
	next := func() string {
		select {
		case line := <-changes:
			return line
		case <-time.After(5 * time.Second):
			return "nothing"
		}
	}
	require.Equal(t, "event: change", next(), "a page that comes loads the lesson")
	require.Equal(t, "data:", next())
	// Editors write a new file and put it in place of the old one.
	require.NoError(t, os.WriteFile(filepath.Join(lesson, "new"), []byte("format: 2\n"), 0o600))
	require.NoError(t, os.Rename(filepath.Join(lesson, "new"), filepath.Join(lesson, "lesson.yaml")))
	require.Equal(t, "event: change", next())
	stop()
	require.NoError(t, <-watched)
}

func TestOnlyAFolderCanBePreviewed(t *testing.T) {
	_, err := NewPreview(t.TempDir(), filepath.Join(authored(t), "lesson.yaml"))
	require.ErrorContains(t, err, "expected a lesson's folder")
	_, err = NewPreview(t.TempDir(), "nowhere")
	require.Error(t, err)
}
