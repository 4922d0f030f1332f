package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// types are the media types of a site's files, said here because a machine's own table may lack them or be wrong.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".wasm": "application/wasm",
	".ttf":  "font/ttf",
	".ttc":  "font/collection",
	".gz":   "application/gzip",
	".br":   "application/octet-stream",
	"":      "text/plain; charset=utf-8",
}

// Handler serves the site in the folder, compressed where the browser takes it and the folder has it.
func Handler(dir string) http.Handler {
	return site{dir}
}

type site struct{ dir string }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	if name == "/" {
		name = "/" + pageFile
	}
	header := w.Header()
	header.Set("Content-Type", types[path.Ext(name)])
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache") // ask again each time; unchanged files answer 304
	// A sandboxed frame has no origin of its own and could not load the program otherwise.
	header.Set("Access-Control-Allow-Origin", "*")
	file, encoding, err := s.open(name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	if !isPacked(name) {
		header.Set("Vary", "Accept-Encoding")
	}
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	header.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.ModTime().UnixNano(), info.Size(), encoding))
	http.ServeContent(w, r, name, info.ModTime(), file)
}

// open finds the best form of a file: brotli, gzip, or as it is.
func (s site) open(name, accepted string) (file *os.File, encoding string, err error) {
	full := filepath.Join(s.dir, filepath.FromSlash(name))
	for _, form := range []struct{ ending, encoding string }{{".br", "br"}, {".gz", "gzip"}} {
		if isPacked(name) || !accepts(accepted, form.encoding) || !isFresh(full+form.ending, full) {
			continue
		}
		if file, err := os.Open(full + form.ending); err == nil {
			return file, form.encoding, nil
		}
	}
	file, err = os.Open(full)
	return file, "", err
}

// accepts reads an Accept-Encoding header. A weight of 0 refuses (RFC 9110, 12.5.3).
func accepts(header, encoding string) bool {
	for item := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(item), ";")
		if strings.TrimSpace(name) == encoding {
			return strings.TrimRight(strings.TrimSpace(weight), "0.") != "q="
		}
	}
	return false
}

// Listen opens a port of this machine alone. If the port is taken, the error names the next free one.
func Listen(port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", address(port))
	if err == nil {
		return listener, nil
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return nil, err
	}
	for next := port + 1; next < 1<<16; next++ {
		if free, err := net.Listen("tcp", address(next)); err == nil {
			free.Close()
			return nil, fmt.Errorf("port %d is taken; the next free one is %d: PORT=%d", port, next, next)
		}
	}
	return nil, fmt.Errorf("port %d is taken, and so is every one above it", port)
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
