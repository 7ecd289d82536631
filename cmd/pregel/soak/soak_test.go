package soak_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gopregel/cmd/pregel/soak"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/wcc"
)

// What soaking has found does not come back: testdata has each trial as small as
// it failed.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d trials, %v", len(files), err)
	}
	for _, file := range files {
		trial, err := soak.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := trial.Check(t.Context(), programs.All(), nil, t.TempDir()); err != nil {
			t.Errorf("%s: %v\n%v", file, trial, err)
		}
	}
}

// each is what a trial may take: far more than it does where others have the machine.
const each = 5 * time.Minute

// A few fresh trials of each program.
func TestFresh(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64N(1e12)
	t.Logf("seed %d", seed)
	trials := 200
	if testing.Short() {
		trials = 40
	}
	done, err := soak.Run(t.Context(), soak.Options{Programs: programs.All(), Seed: seed, Trials: trials, Each: each})
	var failed *soak.Failure
	if errors.As(err, &failed) {
		path := filepath.Join(os.TempDir(), "soak-failed.json")
		t.Fatalf("%v\nkept: %v", failed, errors.Join(failed.Trial.Write(path), errors.New(path)))
	}
	if err != nil || done != trials {
		t.Fatalf("%d trials, %v", done, err)
	}
}

// A seed draws the same trial for ever, and its file gives it back.
func TestDrawAndKeep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "trial.json")
	seen := map[string]bool{}
	for seed := range uint64(300) {
		one, err := soak.Draw(seed, programs.All(), "")
		if err != nil {
			t.Fatal(err)
		}
		two, err := soak.Draw(seed, programs.All(), "")
		if err != nil || !reflect.DeepEqual(one, two) {
			t.Fatalf("seed %d: %v, then %v (%v)", seed, one, two, err)
		}
		if err := one.Write(path); err != nil {
			t.Fatal(err)
		}
		if two, err = soak.Read(path); err != nil || !reflect.DeepEqual(one, two) {
			t.Fatalf("seed %d: %v, kept %v (%v)", seed, one, two, err)
		}
		for _, word := range []string{one.Program, one.Graph.File, one.Engine.Order, one.Engine.Schedule, one.Graph.Vertices, one.Graph.IDs, one.Output} {
			seen[word] = true
		}
	}
	for _, word := range []string{"bfs", "sssp", "mst", ".pgr", ".e", ".wsg", "tiles", "relaxed", "range", "string", "parquet"} {
		if !seen[word] {
			t.Errorf("%s is not among 300 trials", word)
		}
	}
	if err := os.WriteFile(path, []byte(`{"seed": 1, "sed": 2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := soak.Read(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "sed") {
		t.Errorf("%v", err)
	}
}

// wrong finds components, and is wrong where it has several workers and a vertex
// has two arcs to itself.
type wrong struct{ wcc.WCC }

func (w *wrong) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	answer, err := w.WCC.Run(ctx, j)
	if err != nil || j.Engine.Pool().Workers() == 1 {
		return answer, err
	}
	out := j.Graph.Out()
	for v := range uint32(j.Graph.N()) {
		loops := 0
		for _, u := range out.Neighbors(v) {
			if u == v {
				loops++
			}
		}
		if loops > 1 {
			answer.Table.Columns[0].Vertices[v] = graph.None
		}
	}
	return answer, nil
}

// seeds are those that TestFindsAndShrinks was tried with: how small a trial is made hangs
// on what is drawn.
const seeds = 100

// What is wrong is found, and made small: two lines on two workers.
func TestFindsAndShrinks(t *testing.T) {
	t.Parallel()
	list := []programs.Entry{{Name: "wrong", New: func() pregel.Algorithm { return &wrong{wcc.WCC{Method: wcc.Afforest}} }}}
	seed := 1 + rand.Uint64N(seeds)
	t.Logf("seed %d", seed)
	done, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: seed, Trials: 5000, Each: each})
	var failed *soak.Failure
	if !errors.As(err, &failed) {
		t.Fatalf("%d trials, %v", done, err)
	}
	lines := failed.Trial.Graph.Lines
	if len(lines) != 2 || failed.Trial.Engine.Workers != 2 || failed.Trial.Engine.Order != "none" {
		t.Errorf("%v\n%s", failed, strings.Join(lines, "\n"))
	}
	if err := failed.Trial.Check(t.Context(), list, nil, t.TempDir()); err == nil {
		t.Errorf("%v: it does not fail again", failed.Trial)
	}
	if !strings.Contains(failed.Error(), "certificate failed") {
		t.Errorf("%v", failed)
	}
}

// A program that panics, or does not end, is a failure like others.
func TestPanicsAndTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want string
		each time.Duration
		run  func(ctx context.Context) error
	}{
		{"panic: deliberate", time.Hour, func(context.Context) error { panic("deliberate") }},
		{"deliberate error", time.Hour, func(context.Context) error { return errors.New("deliberate error") }},
		{"not done after 300ms", 300 * time.Millisecond, func(ctx context.Context) error { <-ctx.Done(); return nil }},
	} {
		list := []programs.Entry{{Name: "bad", New: func() pregel.Algorithm { return &bad{run: c.run} }}}
		_, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: 5, Trials: 1, Each: c.each})
		var failed *soak.Failure
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// An answer that is empty where that of one worker is not is another one, whatever
// share of a float may be lost.
func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 2, 1} {
		list := []programs.Entry{{Name: "ones", New: func() pregel.Algorithm { return &ones{x} }}}
		_, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: 1, Trials: 60, Each: each})
		if wrong := err != nil && strings.Contains(err.Error(), "otherwise than on one worker: column one, vertex ") && strings.HasSuffix(err.Error(), fmt.Sprintf(": %v, want 1", x)); wrong != (x != 1) || err != nil && x == 1 {
			t.Errorf("%v: %v", x, err)
		}
	}
}

// ones gives every vertex 1, but where there are several workers.
type ones struct{ several float64 }

func (o *ones) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) {
	column := make([]float64, j.Graph.N())
	for v := range column {
		column[v] = 1
		if j.Engine.Pool().Workers() > 1 {
			column[v] = o.several
		}
	}
	return &pregel.Answer{Stop: pregel.Stop{Reason: pregel.Halted}, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "one", Floats: column}}}}, nil
}

type bad struct {
	run func(ctx context.Context) error
}

func (b *bad) Run(ctx context.Context, _ *pregel.Job) (*pregel.Answer, error) {
	return &pregel.Answer{}, b.run(ctx)
}
