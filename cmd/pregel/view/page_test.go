package view

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
)

func written(t *testing.T, files ...*File) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, files...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A page names no address, and its policy allows its own script and style alone.
func TestSelfContained(t *testing.T) {
	t.Parallel()
	text := written(t, openAll(t, t.TempDir(), record(t, karate(t), "karate", trace.All, breadth(0)))...)
	for _, found := range regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.]+\.[a-z]{2,}`).FindAllString(text, -1) {
		if !strings.HasSuffix(found, "//www.w3.org") { // the name of SVG, which is not loaded
			t.Errorf("the page has %s", found)
		}
	}
	if found := regexp.MustCompile(`(?i)<(link|script|img|iframe|object|embed)[^>]+(src|href)="([^"]*)"`).FindAllStringSubmatch(text, -1); len(found) != 1 || found[0][3] != "data:," {
		t.Errorf("the page loads %q", found)
	}
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1])
	for _, want := range []string{"default-src 'none'", "connect-src 'none'", hash(between(t, text, `<script type="module">`, "</script>")), hash(between(t, text, "<style>", "</style>"))} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %s\nlacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	inside, _, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("nothing between %s and %s", from, to)
	}
	return inside
}

// carried is what a page carries.
func carried(t *testing.T, text string) (traces []pageTrace, form string) {
	t.Helper()
	form = regexp.MustCompile(`data-form="(\w+)"`).FindStringSubmatch(text)[1]
	raw := []byte(between(t, text, `data-form="`+form+`">`, "</script>"))
	if form == "gzip" {
		packed, err := base64.StdEncoding.DecodeString(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err == nil {
			raw, err = io.ReadAll(z)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var all struct{ Traces []pageTrace }
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all.Traces, form
}

// What a page carries is the trace, record by record, whether compressed or not.
func TestDataRoundTrip(t *testing.T) {
	t.Parallel()
	forms := map[string]bool{}
	for _, text := range [][]byte{
		record(t, karate(t), "karate", trace.All, ranks(karate(t), 1e-9)),
		record(t, weighted(t, 10, 1), "</script><script>alert(1)</script>&", trace.Changed, shortest(0)),
	} {
		got, form := carried(t, written(t, openAll(t, t.TempDir(), text)...))
		forms[form] = true
		want := records(text)
		if len(got) != 1 || len(got[0].Records) != len(want) {
			t.Fatalf("%d traces, %d records, want %d", len(got), len(got[0].Records), len(want))
		}
		for i := range want {
			if !sameJSON(t, got[0].Records[i], want[i]) {
				t.Errorf("record %d: %s, want %s", i, got[0].Records[i], want[i])
			}
		}
	}
	if !forms["gzip"] || !forms["json"] {
		t.Errorf("forms tried: %v", forms)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x [2]any
	for i, text := range [][]byte{a, b} {
		if err := json.Unmarshal(text, &x[i]); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := json.Marshal(x[0])
	second, _ := json.Marshal(x[1])
	return bytes.Equal(first, second)
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	good := string(record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0)))
	lines := strings.SplitAfter(good, "\n")
	folder := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"empty.jsonl", "", "empty.jsonl:1: "},
		{"list.jsonl", "id,rank\n1,0.5\n", "list.jsonl:1: "},
		{"line.jsonl", lines[0] + lines[1] + "{\"kind\":\"superstep\"}\n" + good, "line.jsonl:3: "},
		{"type.jsonl", strings.Replace(good, `"nanoseconds":`, `"nanoseconds":"x","was":`, 1), "nanoseconds"},
		{"not.jsonl.gz", good, "not.jsonl.gz: "},
	} {
		path := filepath.Join(folder, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Open(path); err == nil {
			f.Close()
			t.Errorf("%s: no error", c.name)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(folder, "none.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
}

// A trace cut off anywhere after its header is good up to there.
func TestCutTraces(t *testing.T) {
	t.Parallel()
	text := record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0))
	lines := records(text)
	header := len(lines[0])
	for n := header; n < len(text); n += 397 {
		f := openAll(t, t.TempDir(), text[:n])[0]
		whole := bytes.Count(text[:n], []byte("\n"))
		if f.Cut == nil {
			t.Errorf("cut at %d: not noticed", n)
		}
		got, _ := carried(t, written(t, f))
		if have := len(got[0].Records); have != whole && have != whole+1 { // a line may lack its end alone
			t.Errorf("cut at %d: %d records, want %d", n, have, whole)
		}
		f.Close()
	}
}

func TestCompressedTraces(t *testing.T) {
	t.Parallel()
	text := record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	_ = z.Close()
	path := filepath.Join(t.TempDir(), "trace.jsonl.gz")
	for _, n := range []int{packed.Len(), packed.Len() / 2} {
		if err := os.WriteFile(path, packed.Bytes()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", n, packed.Len(), err)
		}
		if cut := f.Cut != nil; cut != (n < packed.Len()) {
			t.Errorf("%d of %d bytes: %v", n, packed.Len(), f.Cut)
		}
		spool := f.file.Name()
		f.Close()
		if _, err := os.Stat(spool); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", spool, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	f := openAll(t, t.TempDir(), record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0)))[0]
	f.size = mostBytes + 1
	var large *TooLarge
	if err := Write(io.Discard, f); !errors.As(err, &large) || !strings.Contains(err.Error(), "--serve") {
		t.Error(err)
	}
}

// serve starts a server of a trace and returns its address.
func serve(t *testing.T, files ...*File) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- Serve(ctx, "127.0.0.1:0", func(url string) { address <- url }, files...)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return <-address
}

// A served page has stubs, and their ranges are the records.
func TestServe(t *testing.T) {
	t.Parallel()
	text := record(t, karate(t), "karate", trace.Changed, ranks(karate(t), 1e-9))
	url := serve(t, openAll(t, t.TempDir(), text)...)
	got, _ := carried(t, string(get(t, url, "", http.StatusOK)))
	stubs := 0
	for i, want := range records(text) {
		var s struct{ At [2]int64 }
		if err := json.Unmarshal(got[0].Records[i], &s); err != nil {
			t.Fatal(err)
		}
		if s.At[1] == 0 {
			if !sameJSON(t, got[0].Records[i], want) {
				t.Errorf("record %d: %s, want %s", i, got[0].Records[i], want)
			}
			continue
		}
		stubs++
		part := get(t, url+got[0].Served, fmt.Sprintf("bytes=%d-%d", s.At[0], s.At[0]+s.At[1]-1), http.StatusPartialContent)
		if !bytes.Equal(part, want) {
			t.Errorf("record %d by its range: %s, want %s", i, part, want)
		}
	}
	if stubs < 100 {
		t.Errorf("%d stubs", stubs)
	}
	get(t, url+"trace/7", "", http.StatusNotFound)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "rebound.example"
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusForbidden {
		t.Errorf("another name of this host: %s", answer.Status)
	}
}

func get(t *testing.T, url, span string, status int) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if span != "" {
		request.Header.Set("Range", span)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Fatalf("%s: %s, %v", url, answer.Status, err)
	}
	return text
}

// A page of the largest graph that traces hold is small enough to send around.
func TestPageSize(t *testing.T) {
	t.Parallel()
	g := generate(t, graphgen.Spec{Kind: "grid", Rows: 100, Cols: 100}, graphgen.Options{})
	if text := written(t, openAll(t, t.TempDir(), record(t, g, "grid", trace.Changed, breadth(0)))...); len(text) > 1<<20 {
		t.Errorf("%d bytes", len(text))
	}
}
