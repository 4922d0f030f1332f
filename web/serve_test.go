package web

import (
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

// siteWith is a folder with a page, a program and their compressed forms.
func siteWith(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"index.html": "<p>the page</p>", "groupscope.wasm": "the program"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, Pack(path, Smallest))
	}
	return dir
}

func get(t *testing.T, handler http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

func TestFilesComeInTheBestFormThatTheBrowserTakes(t *testing.T) {
	site := Handler(siteWith(t))

	answer := get(t, site, "/groupscope.wasm", "Accept-Encoding", "gzip, deflate, br")
	require.Equal(t, "br", answer.Header.Get("Content-Encoding"))
	require.Equal(t, "application/wasm", answer.Header.Get("Content-Type"))
	require.Equal(t, "the program", body(t, brotli.NewReader(answer.Body)))

	answer = get(t, site, "/groupscope.wasm", "Accept-Encoding", "gzip, br;q=0")
	require.Equal(t, "gzip", answer.Header.Get("Content-Encoding"))
	unpacked, err := gzip.NewReader(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "the program", body(t, unpacked))

	answer = get(t, site, "/groupscope.wasm")
	require.Empty(t, answer.Header.Get("Content-Encoding"))
	require.Equal(t, "the program", body(t, answer.Body))
}

// The page fetches the compressed files as what they are and unpacks them itself.
func TestACompressedFileThatIsAskedForIsSentAsItIs(t *testing.T) {
	answer := get(t, Handler(siteWith(t)), "/groupscope.wasm.gz", "Accept-Encoding", "gzip, br")
	require.Empty(t, answer.Header.Get("Content-Encoding"))
	unpacked, err := gzip.NewReader(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "the program", body(t, unpacked))
}

func TestAnOldCompressedFormIsNotSent(t *testing.T) {
	dir := siteWith(t)
	path := filepath.Join(dir, "groupscope.wasm")
	info, err := os.Stat(path + ".gz")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("a newer program"), 0o600))
	require.NoError(t, os.Chtimes(path, info.ModTime().Add(1e9), info.ModTime().Add(1e9)))
	answer := get(t, Handler(dir), "/groupscope.wasm", "Accept-Encoding", "gzip, br")
	require.Equal(t, "a newer program", body(t, answer.Body))
}

func TestTheRootIsThePageAndUnchangedFilesAreNotSentAgain(t *testing.T) {
	site := Handler(siteWith(t))
	answer := get(t, site, "/")
	require.Equal(t, "text/html; charset=utf-8", answer.Header.Get("Content-Type"))
	require.Equal(t, "<p>the page</p>", body(t, answer.Body))
	again := get(t, site, "/", "If-None-Match", answer.Header.Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.StatusCode)
}

func TestNothingOutsideTheSiteIsServed(t *testing.T) {
	dir := siteWith(t)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(dir), "secret"), []byte("x"), 0o600))
	for _, path := range []string{"/../secret", "/%2e%2e/secret", "/nowhere.js", "/.."} {
		answer := get(t, Handler(dir), path)
		require.NotContains(t, body(t, answer.Body), "x\n", path)
		require.Contains(t, []int{http.StatusNotFound, http.StatusOK}, answer.StatusCode, path)
	}
	require.Equal(t, http.StatusNotFound, get(t, Handler(dir), "/nowhere.js").StatusCode)
}

func TestATakenPortNamesTheNextFreeOne(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	_, err = Listen(port)
	require.ErrorContains(t, err, "is taken; the next free one is")
	require.ErrorContains(t, err, "PORT=")
}
