package view

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"io"
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

func TestTooLarge(t *testing.T) {
	t.Parallel()
	f := openAll(t, t.TempDir(), record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0)))[0]
	f.size = mostBytes + 1
	var large *TooLarge
	if err := Write(io.Discard, f); !errors.As(err, &large) || !strings.Contains(err.Error(), "--serve") {
		t.Error(err)
	}
}

// A page of the largest graph that traces hold is small enough to send around.
func TestPageSize(t *testing.T) {
	t.Parallel()
	g := generate(t, graphgen.Spec{Kind: "grid", Rows: 100, Cols: 100}, graphgen.Options{})
	if text := written(t, openAll(t, t.TempDir(), record(t, g, "grid", trace.Changed, breadth(0)))...); len(text) > 1<<20 {
		t.Errorf("%d bytes", len(text))
	}
}
