package view

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"gopregel/pregel/pregeltest/race"
)

// pageTime is what the browser has to start in, and a page to be tried in:
// many times what either takes on a machine of its own.
const pageTime = 4 * time.Minute

// A browser is a headless Chromium. A tab of it notes what a page must not do.
type browser struct{ ctx context.Context }

// openBrowser starts Chromium; without one the test is left out.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	if race.On || testing.Short() {
		t.Skip("pages are tried in a browser by the whole tests without the race detector")
	}
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no chromium on the PATH (apt-get install chromium): pages are not tried in a browser")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(pageTime), chromedp.Flag("force-color-profile", "srgb"))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &browser{ctx}
}

// A tab is a page in the browser, with what it did that it should not.
type tab struct {
	t   *testing.T
	ctx context.Context

	mutex    sync.Mutex
	failures []string // errors on the console, exceptions, what the policy refused
	requests []string // beside the page itself
}

// open loads a page and waits until it is ready.
func (b *browser) open(t *testing.T, url string, width, height int, before ...action) *tab {
	t.Helper()
	p := &tab{t: t}
	ctx, stop := chromedp.NewContext(b.ctx, chromedp.WithListener(func(event any) { p.note(url, event) }))
	t.Cleanup(stop)
	p.ctx = ctx
	p.do() // the first call starts the tab, and must have no time limit
	var cancel context.CancelFunc
	p.ctx, cancel = context.WithTimeout(ctx, pageTime)
	t.Cleanup(cancel)
	actions := []action{call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), chromedp.EmulateViewport(int64(width), int64(height))}
	p.do(append(append(actions, before...), chromedp.Navigate(url))...)
	p.until(`body[data-ready="true"]`, "")
	return p
}

type action = chromedp.Action[chromedp.Void]

// call is a command of the browser's protocol.
func call[P, R any](c cdp.Command[P, R], params P) action {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (p *tab) note(url string, event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.failures = append(p.failures, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		p.failures = append(p.failures, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		p.failures = append(p.failures, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if got := e.Request.URL; got != url && !strings.HasPrefix(got, "data:") {
			p.requests = append(p.requests, got)
		}
	}
}

func (p *tab) do(actions ...action) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("%v; the page said %q", err, p.failures)
	}
}

// evaluate runs a script, waits for its promise, and returns its result.
func evaluate[T any](p *tab, script string) T {
	p.t.Helper()
	x, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v; the page said %q", script, err, p.failures)
	}
	return x
}

// quiet holds that nothing went wrong, and nothing was asked of a network but what
// is allowed.
func (p *tab) quiet(allowed ...string) {
	p.t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.requests = slices.DeleteFunc(p.requests, func(url string) bool { return slices.Contains(allowed, url) })
	if len(p.failures) > 0 || len(p.requests) > 0 {
		p.t.Errorf("the page failed: %q; asked for %q", p.failures, p.requests)
	}
}

// text is what an element shows.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return evaluate[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? "nothing: no such element"`, selector))
}

// until waits for an element to show a text.
func (p *tab) until(selector, want string) {
	p.t.Helper()
	for end := time.Now().Add(pageTime / 2); ; time.Sleep(10 * time.Millisecond) {
		if evaluate[bool](p, fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q) ?? false`, selector, want)) {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s shows %q, want %q in it; the page said %q", selector, p.text(selector), want, p.failures)
		}
	}
}

// page writes traces and their page into a folder and returns its address.
func page(t *testing.T, traces ...[]byte) string {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "page.html")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := Write(out, openAll(t, folder, traces...)...); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func openAll(t *testing.T, folder string, traces ...[]byte) (files []*File) {
	t.Helper()
	for i, text := range traces {
		path := filepath.Join(folder, fmt.Sprintf("trace%d.jsonl", i))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		files = append(files, f)
	}
	return files
}
