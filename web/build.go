// Package web makes the site out of the program and the pages, and serves it.
package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// Packing is how hard the files of a site are compressed beforehand.
type Packing uint8

const (
	Quick    Packing = iota // gzip, in about a second: to look at it now
	Smallest                // gzip and brotli at their best, in about a minute: to publish it
)

// The program, and the Chinese font that the page loads when it is wanted.
const (
	programFile = "groupscope.wasm"
	fontFile    = "han.ttc"
)

// Sizes are the lengths in bytes of one file as it is and compressed; 0 where there is no such form.
type Sizes struct {
	Raw    int64 `json:"raw"`
	Gzip   int64 `json:"gz,omitempty"`
	Brotli int64 `json:"br,omitempty"`
}

// Build makes the site in folder out from the source tree around the working directory. It needs the Go command alone.
func Build(ctx context.Context, out string, packing Packing) error {
	root, err := goEnv(ctx, "GOMOD")
	if err != nil {
		return err
	}
	b := builder{root: filepath.Dir(root), out: out, packing: packing}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make site: %w", err)
	}
	for _, step := range []func(context.Context) error{b.program, b.copies, b.page} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("make site: %w", err)
		}
	}
	return nil
}

type builder struct {
	root, out string
	packing   Packing
}

// program compiles the program for browsers.
func (b builder) program(ctx context.Context) error {
	if err := CompileWASM(ctx, "groupscope/wasm", filepath.Join(b.out, programFile)); err != nil {
		return err
	}
	return b.pack(programFile)
}

// CompileWASM compiles a main package for browsers into file out, as small as the compiler makes it.
func CompileWASM(ctx context.Context, pkg, out string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s for js/wasm: %w\n%s", pkg, err, said)
	}
	return nil
}

// copies puts everything beside the program that is taken as it is.
func (b builder) copies(ctx context.Context) error {
	goroot, err := goEnv(ctx, "GOROOT")
	if err != nil {
		return err
	}
	sources := map[string]string{
		// The support code has to be that of the compiler.
		"wasm_exec.js": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
		fontFile:       filepath.Join(b.root, "render", "fonts", "han", fontFile),
		"LICENSE":      filepath.Join(b.root, "LICENSE"),
	}
	static, err := filepath.Glob(filepath.Join(b.root, "web", "static", "*"))
	if err != nil {
		return err
	}
	for _, path := range static {
		if name := filepath.Base(path); name != pageFile {
			sources[name] = path
		}
	}
	for name, path := range sources {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := b.write(name, data); err != nil {
			return err
		}
	}
	return nil
}

const pageFile = "index.html"

// page writes the one page. It carries the sizes of what it loads, the words it says before the program speaks, and a
// version made from the files' contents, so that no cache mixes two builds.
func (b builder) page(context.Context) error {
	page, err := template.ParseFiles(filepath.Join(b.root, "web", "static", pageFile))
	if err != nil {
		return err
	}
	words, err := b.words()
	if err != nil {
		return err
	}
	files, err := b.sizes(programFile, fontFile)
	if err != nil {
		return err
	}
	version, err := b.version()
	if err != nil {
		return err
	}
	var html bytes.Buffer
	data := struct{ Version, Files, Words string }{version, files, words}
	if err := page.Execute(&html, data); err != nil {
		return err
	}
	return b.write(pageFile, html.Bytes())
}

// words gathers the page's words: a file for each language, named after it.
func (b builder) words() (string, error) {
	paths, err := filepath.Glob(filepath.Join(b.root, "web", "words", "*.json"))
	if err != nil {
		return "", err
	}
	all := map[string]json.RawMessage{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = data
	}
	text, err := json.Marshal(all)
	return string(text), err
}

func (b builder) sizes(names ...string) (string, error) {
	all := map[string]Sizes{}
	for _, name := range names {
		all[name] = SizesOf(filepath.Join(b.out, name))
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// SizesOf measures a file and its compressed forms.
func SizesOf(path string) Sizes {
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	return Sizes{Raw: size(path), Gzip: size(path + ".gz"), Brotli: size(path + ".br")}
}

// version is a short hash of everything in the site but the page.
func (b builder) version() (string, error) {
	entries, err := os.ReadDir(b.out)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, entry := range entries {
		if entry.IsDir() || strings.HasPrefix(entry.Name(), pageFile) || isPacked(entry.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(b.out, entry.Name()))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n", entry.Name(), len(data))
		hash.Write(data)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}

// write puts a file into the site unless it is there already, and its compressed forms beside it.
func (b builder) write(name string, data []byte) error {
	path := filepath.Join(b.out, name)
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, data) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return b.pack(name)
}

// packers make the compressed forms of a file, by their file endings.
var packers = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser {
		packer, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			panic(err) // the level is a constant of the package
		}
		return packer
	},
	".br": func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	},
}

func isPacked(name string) bool {
	_, packed := packers[filepath.Ext(name)]
	return packed
}

// pack makes the compressed forms of a file of the site.
func (b builder) pack(name string) error { return Pack(filepath.Join(b.out, name), b.packing) }

// Pack puts the compressed forms of a file beside it unless they are newer than the file, and drops older ones that the
// packing does not ask for.
func Pack(path string, packing Packing) error {
	wanted := []string{".gz"}
	if packing == Smallest {
		wanted = append(wanted, ".br")
	}
	for ending := range packers {
		if isFresh(path+ending, path) {
			continue
		}
		if !slices.Contains(wanted, ending) {
			if err := os.Remove(path + ending); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if err := packFile(path, ending); err != nil {
			return err
		}
	}
	return nil
}

// isFresh reports whether the file made is there and not older than the one it was made from.
func isFresh(made, from string) bool {
	madeInfo, madeErr := os.Stat(made)
	fromInfo, fromErr := os.Stat(from)
	return madeErr == nil && fromErr == nil && !madeInfo.ModTime().Before(fromInfo.ModTime())
}

func packFile(path, ending string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	packer := packers[ending](&packed)
	if _, err := packer.Write(data); err != nil {
		return err
	}
	if err := packer.Close(); err != nil {
		return err
	}
	return os.WriteFile(path+ending, packed.Bytes(), 0o644)
}

func goEnv(ctx context.Context, name string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	value := strings.TrimSpace(string(out))
	if value == "" || value == os.DevNull {
		return "", fmt.Errorf("go env %s says nothing: run this inside groupscope's source tree", name)
	}
	return value, nil
}
