package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport says which folders of the tree the files of a folder may import, directly. What a line allows includes the
// folders below. Imports run downwards only: from what is seen to what happens.
var mayImport = map[string][]string{
	"core/kafka":    {},
	"core/view":     {"core/kafka"},
	"core/node":     {"core/kafka", "core/view"},
	"core/assign":   {"core/kafka"},
	"core/broker":   {"core/kafka", "core/view", "core/node"},
	"core/client":   {"core/kafka", "core/view", "core/node", "core/assign"},
	"core/sim":      {"core"},
	"core/figures":  {"core/kafka", "core/view"},
	"core/internal": {},
	"lessons":       {"core"},

	"render/fonts":  {},
	"render/scene":  {"render/fonts"},
	"render/svg":    {"render/scene", "render/fonts"},
	"render/paint":  {"render/scene", "render/fonts"},
	"render/stage":  {"render/scene", "lessons", "core"},
	"render/export": {"render/stage", "render/scene", "render/svg", "core"},
	"render/app":    {"render/stage", "render/export", "render/paint", "render/scene", "render/fonts", "lessons"},

	"web":         {},
	"wasm":        {"render", "lessons"},
	"cmd/desktop": {"render", "lessons"},
	"cmd/lesson":  {"lessons", "core", "render/stage", "render/export", "render/scene", "render/svg", "render/fonts", "web"},
	"cmd/dist":    {"web"},
	"cmd/bench":   {"lessons", "core", "render/stage", "render/scene", "web"},
}

// usesScreen are the folders that may import Ebitengine: everything else is tested without a display.
var usesScreen = []string{"render/paint", "render/app", "wasm", "cmd/desktop", "cmd/bench/bare"}

// topLevel is all that lies in the root of the tree, beside files whose names begin with a dot.
var topLevel = []string{
	"LICENSE", "Makefile", "README.md", "cmd", "core", "go.mod", "go.sum", "lessons", "render", "wasm", "web",
	"dist", "shots", // made by targets of the Makefile
}

const module = "groupscope"

func TestImportsRunDownwards(t *testing.T) {
	forEachImport(t, func(file, imported string) {
		target, ours := strings.CutPrefix(imported, module+"/")
		room, known := roomOf(path.Dir(file))
		require.True(t, known, "%s: its folder is not in the table of this test", file)
		if !ours || below(target, room) {
			return
		}
		allowed := slices.ContainsFunc(mayImport[room], func(other string) bool { return below(target, other) })
		require.True(t, allowed, "%s imports %s; %s may import %v", file, target, room, mayImport[room])
	})
}

func TestBrokerAndClientMeetOnlyInMessages(t *testing.T) {
	forEachImport(t, func(file, imported string) {
		switch folder := path.Dir(file); {
		case below(folder, "core/broker"):
			require.NotEqual(t, module+"/core/client", imported, file)
		case below(folder, "core/client"):
			require.NotEqual(t, module+"/core/broker", imported, file)
		}
	})
}

func TestOnlyTheScreenUsesEbitengine(t *testing.T) {
	forEachImport(t, func(file, imported string) {
		if !strings.HasPrefix(imported, "github.com/hajimehoshi/ebiten") {
			return
		}
		folder := path.Dir(file)
		allowed := slices.ContainsFunc(usesScreen, func(room string) bool { return below(folder, room) })
		require.True(t, allowed, "%s imports %s", file, imported)
	})
}

// The model has neither clock nor chance nor concurrency of its own, so that a script always gives the same trace.
func TestTheModelIsDeterministic(t *testing.T) {
	forbidden := []string{"math/rand", "math/rand/v2", "crypto/rand", "os", "net", "sync", "context", "runtime", "unsafe"}
	forEachImport(t, func(file, imported string) {
		if below(path.Dir(file), "core") {
			require.NotContains(t, forbidden, imported, file)
		}
	})
	forEachFile(t, "core", func(file string) {
		source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(source, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
				require.Fail(t, "concurrency in the model", "%s: %T", file, n)
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" {
					require.NotContains(t, []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}, n.Sel.Name, file)
				}
			}
			return true
		})
	})
}

func TestTheTopLevelHoldsOnlyTheHouse(t *testing.T) {
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") {
			require.Contains(t, topLevel, entry.Name())
		}
	}
}

// root is the root of the tree, seen from this folder.
const root = "../.."

// roomOf is the folder in the table that a folder is, or lies in: the longest one.
func roomOf(folder string) (string, bool) {
	best := ""
	for room := range mayImport {
		if below(folder, room) && len(room) > len(best) {
			best = room
		}
	}
	return best, best != ""
}

func below(folder, room string) bool {
	return folder == room || strings.HasPrefix(folder, room+"/")
}

// forEachFile visits the Go files that are no tests below a folder of the tree, by their slash-separated paths.
func forEachFile(t *testing.T, folder string, visit func(file string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2 {
			return filepath.SkipDir
		}
		if filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(relative))
		}
		return nil
	})
	require.NoError(t, err)
}

// forEachImport visits every import of every Go file of the tree that is no test.
func forEachImport(t *testing.T, visit func(file, imported string)) {
	t.Helper()
	forEachFile(t, ".", func(file string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			visit(file, imported)
		}
	})
}
