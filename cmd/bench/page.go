package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"groupscope/web"
	"groupscope/web/chromium"
)

// watched is how long the processor is watched while a page stands still.
const watched = 10 * time.Second

// measurePage compares what the paused page and a bare program cost the processor, in one Chromium without a screen.
func measurePage(ctx context.Context) error {
	if runtime.GOOS != "linux" {
		fmt.Println("The paused page: measured on Linux alone")
		return nil
	}
	fmt.Println("The page at rest: share of one processor, all of the browser's processes together")
	folder, err := os.MkdirTemp("", "groupscope-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := web.Build(ctx, folder, web.Quick); err != nil {
		return err
	}
	if err := addBarePage(ctx, folder); err != nil {
		return err
	}
	site := httptest.NewServer(web.Handler(folder))
	defer site.Close()
	for _, page := range []struct{ name, path, ready, begin string }{
		{"an empty page", "/LICENSE", "true", ""},
		{"groupscope, paused", "/", programReady, ""},
		{"groupscope, playing", "/", programReady, `groupscope.act('{"Do":"play"}'); groupscopeGate.wake()`},
		{"bare Ebitengine program, drawing nothing", "/bare.html", "window.running === true", ""},
	} {
		cost, err := costOf(ctx, site.URL+page.path, page.ready, page.begin)
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
		row(page.name, fmt.Sprintf("%.1f %%", 100*cost))
	}
	return nil
}

const programReady = `window.groupscope !== undefined && document.getElementById("shell").hidden`

// addBarePage puts the bare program beside the site, with the least page that starts it.
func addBarePage(ctx context.Context, folder string) error {
	if err := web.CompileWASM(ctx, "groupscope/cmd/bench/bare", filepath.Join(folder, "bare.wasm")); err != nil {
		return err
	}
	const page = `<!doctype html><title>bare</title><script src="wasm_exec.js"></script><script>
		const go = new Go();
		WebAssembly.instantiateStreaming(fetch("bare.wasm"), go.importObject).then((program) => {
			go.run(program.instance);
			window.running = true;
		});
	</script>`
	return os.WriteFile(filepath.Join(folder, "bare.html"), []byte(page), 0o644)
}

// costOf opens a page in a browser of its own and returns the share of one processor that it takes once it is ready and
// has had a moment to settle.
func costOf(ctx context.Context, address, ready, begin string) (float64, error) {
	browser, stop, err := chromium.Start(ctx)
	if err != nil {
		return 0, err
	}
	defer stop()
	if err := chromedp.Do(browser, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(address)); err != nil {
		return 0, err
	}
	deadline := time.Now().Add(time.Minute)
	for {
		isReady, err := chromedp.Run(browser, chromedp.Evaluate[bool]("Boolean("+ready+")"))
		if err != nil {
			return 0, err
		}
		if isReady {
			break
		}
		if time.Now().After(deadline) {
			return 0, fmt.Errorf("%s was not ready within a minute: %w", address, http.ErrHandlerTimeout)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if _, err := chromedp.Run(browser, chromedp.Evaluate[any](begin+"; null")); err != nil {
		return 0, err
	}
	time.Sleep(3 * time.Second)
	before := processorTime(os.Getpid())
	time.Sleep(watched)
	return (processorTime(os.Getpid()) - before).Seconds() / watched.Seconds(), nil
}

// processorTime is what all processes below a process have used so far.
func processorTime(parent int) time.Duration {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	children := map[int][]int{}
	used := map[int]time.Duration{}
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		id, _ := strconv.Atoi(strings.Split(path, "/")[2])
		// After the name, which may hold blanks: state, parent, ..., user and system time in hundredths (proc(5)).
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		above, _ := strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		children[above] = append(children[above], id)
		used[id] = time.Duration(user+system) * 10 * time.Millisecond
	}
	var total time.Duration
	for below := children[parent]; len(below) > 0; below = below[1:] {
		total += used[below[0]]
		below = append(below, children[below[0]]...)
	}
	return total
}
