// Package chromium starts the browser that tests and measurements look at pages with.
package chromium

import (
	"context"
	"fmt"

	"github.com/chromedp/chromedp"
)

// Start starts a Chromium without a screen that draws WebGL in software, with an empty profile. The browser ends
// with stop, or with the context.
func Start(ctx context.Context) (browser context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, // it refuses to start as root otherwise; it only sees pages of this tree
		chromedp.Flag("use-gl", "angle"),
		chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("ignore-gpu-blocklist", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	ctx, cancelAllocator := chromedp.NewExecAllocator(ctx, options...)
	browser, cancelBrowser := chromedp.NewContext(ctx)
	stop = func() {
		cancelBrowser()
		cancelAllocator()
	}
	if err := chromedp.Do(browser); err != nil {
		stop()
		return nil, nil, fmt.Errorf("start the browser (Debian: apt-get install chromium): %w", err)
	}
	return browser, stop, nil
}
