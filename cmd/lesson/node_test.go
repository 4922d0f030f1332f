//go:build node

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/lessons"
)

// The model is one and the same: compiled for the browser, each lesson and each of its variants gives the trace that it
// gives compiled for this machine. This very test, compiled for the browser, prints what Node gives.
func TestNodeGivesTheTracesOfThisMachine(t *testing.T) {
	here := traceHashes(t)
	if runtime.GOOS == "js" {
		fmt.Print(strings.Join(here, ""))
		return
	}
	program := filepath.Join(t.TempDir(), "lesson.wasm")
	build := exec.Command("go", "test", "-c", "-tags", "node", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	there := underNode(t, program, "-test.run", "^"+t.Name()+"$")
	require.NotEmpty(t, here)
	for _, line := range here {
		require.Contains(t, there, line)
	}
	t.Logf("%d traces are the same", len(here))
}

// scenarios is where the checked scenarios are; they are no part of the program.
const scenarios = "../../lessons/scenarios"

// traceHashes is a line for each lesson and scenario and each of its variants: the hash of its trace.
func traceHashes(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, title := range lessons.Catalogue() {
		paths = append(paths, title.ID)
	}
	folders, err := os.ReadDir(scenarios)
	require.NoError(t, err)
	for _, folder := range folders {
		paths = append(paths, scenarios+"/"+folder.Name())
	}
	var lines []string
	for _, path := range paths {
		for _, variant := range variantsOf(t, path) {
			var hash bytes.Buffer
			require.NoError(t, trace([]string{"-hash", "-variant", variant, path}, &hash))
			lines = append(lines, fmt.Sprintf("%s %s %s", path, variant, hash.String()))
		}
	}
	return lines
}

// variantsOf lists the variants of the lesson at a path; "" is the base.
func variantsOf(t *testing.T, path string) []string {
	t.Helper()
	fsys, folder := lessons.Builtin(), path
	if strings.HasPrefix(path, scenarios) {
		fsys, folder = os.DirFS(scenarios), filepath.Base(path)
	}
	lesson, err := lessons.Load(fsys, folder)
	require.NoError(t, err)
	variants := []string{""}
	for _, variant := range lesson.Variants {
		variants = append(variants, variant.ID)
	}
	return variants
}

// underNode runs a program compiled for browsers and returns what it prints.
func underNode(t *testing.T, program string, args ...string) string {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	support := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js")
	// Go's own go_js_wasm_exec gives Node the same stack.
	node := exec.Command("node", append([]string{"--stack-size=8192", support, program}, args...)...)
	node.Env = []string{"PATH=" + os.Getenv("PATH")} // the support code bounds the size of all variables together
	var complaints bytes.Buffer
	node.Stderr = &complaints
	out, err := node.Output()
	require.NoError(t, err, complaints.String())
	return string(out)
}
