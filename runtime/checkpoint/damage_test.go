package checkpoint_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/checkpoint"
)

// files lists the checkpoints of a folder, ascending, with their content.
func files(t *testing.T, dir string) (names []string, content [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, b)
	}
	return names, content
}

// damages are all that can have become of a file: every byte changed, cut at every
// length, longer.
func damages(r *rand.Rand, good []byte, each int) map[string][]byte {
	list := map[string][]byte{"empty": {}, "a byte more": append(slices.Clone(good), 0), "twice": slices.Concat(good, good)}
	for at := r.IntN(each); at < len(good); at += 1 + r.IntN(2*each-1) {
		b := slices.Clone(good)
		b[at] ^= 1 << r.IntN(8)
		list[fmt.Sprintf("byte %d of %d changed", at, len(good))] = b
		list[fmt.Sprintf("cut after %d of %d bytes", at, len(good))] = good[:at]
	}
	return list
}

// Whatever has happened to the newest checkpoint, the one before it is used, which
// is said, and the answer is the same.
func TestDamaged(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	g := aGraph(40)
	want, _, err := run(t.Context(), ranks(12), g, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := begun(t, g, 7)
	names, content := files(t, dir)
	if len(names) != 2 {
		t.Fatal(names)
	}
	each := 4
	if testing.Short() || race.On {
		each = 60
	}
	for what, b := range damages(r, content[1], each) {
		if err := os.WriteFile(names[1], b, 0o644); err != nil {
			t.Fatal(err)
		}
		s := opened(t, options(dir), true)
		report := s.Report()
		var damaged *checkpoint.DamagedError
		if report.Resumed == nil || report.Resumed.Supersteps != 6 || len(report.Problems) != 1 || !errors.As(report.Problems[0], &damaged) || damaged.File != names[1] {
			t.Fatalf("%s: %+v", what, report)
		}
		if r.IntN(40) > 0 {
			continue
		}
		if got, stop, err := run(t.Context(), ranks(12), g, s, 0); err != nil || got != want || stop.Supersteps != 12 {
			t.Fatalf("%s: %v, another answer: %v; %v", what, stop, got != want, err)
		}
		restore(t, dir, names, content)
	}
}

// restore makes a folder what it was.
func restore(t *testing.T, dir string, names []string, content [][]byte) {
	t.Helper()
	now, _ := files(t, dir)
	for _, name := range now {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		if err := os.WriteFile(name, content[i], 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A damaged file goes when there is a better one, also where its number is higher.
func TestDamagedGoes(t *testing.T) {
	g := aGraph(40)
	dir := begun(t, g, 9)
	names, content := files(t, dir)
	if err := os.WriteFile(names[1], content[1][:99], 0o644); err != nil {
		t.Fatal(err)
	}
	high := filepath.Join(dir, "superstep-0000000100.checkpoint")
	if err := os.WriteFile(high, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := opened(t, options(dir), true)
	if len(s.Report().Problems) != 2 {
		t.Fatalf("%+v", s.Report())
	}
	if _, _, err := run(t.Context(), ranks(12), g, s, 10); err != nil {
		t.Fatal(err)
	}
	if now, _ := files(t, dir); len(now) != 2 || now[1] == high {
		t.Errorf("left are %v", now)
	}
}

// Where none is whole nothing is begun anew without a word.
func TestAllDamaged(t *testing.T) {
	dir := begun(t, aGraph(40), 5)
	names, _ := files(t, dir)
	for _, name := range names {
		if err := os.WriteFile(name, []byte("PREGELCK"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := checkpoint.Open(options(dir), true)
	if err == nil || !strings.Contains(err.Error(), "has no checkpoint that is whole") || strings.Count(err.Error(), "it ends within its first bytes") != 2 {
		t.Error(err)
	}
}
