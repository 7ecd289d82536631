package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"gopregel/pregel/trace"
)

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
