package command

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/programs"
)

// What has been timed before a program fails is printed.
func TestTimedBeforeAFailure(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs, programs: []programs.Entry{
		{Name: "counts", Doc: "counts", New: func() pregel.Algorithm { return &degrees{Factor: 1} }},
		{Name: "crashes", Doc: "panics", New: func() pregel.Algorithm { return &crash{} }},
	}}
	if code := a.execute(t.Context(), []string{"bench", "karate", "--runs", "2"}); code == 0 {
		t.Error("exit code 0")
	}
	if !regexp.MustCompile(`(?m)^ +counts +run +[0-9.]+ `).MatchString(out.String()) || strings.Contains(out.String(), "crashes") {
		t.Errorf("printed\n%s", &out)
	}
	if !strings.HasPrefix(errs.String(), "pregel: bench: crashes: ") {
		t.Errorf("%s", &errs)
	}
}
