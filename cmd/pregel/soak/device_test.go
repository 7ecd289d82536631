package soak_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopregel/cmd/pregel/soak"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// standIn is a device whose engines are the CPU's, by a name of their own, and have an engine's count of runs.
type standIn struct {
	asked  []soak.Engine
	most   int // engines that it has; 0: any number
	idle   bool
	closed int
}

type engineThere struct {
	*cpu.Engine
	idle bool
	runs *int
}

func (engineThere) Name() string { return "there" }

// Runs counts a run with each look at it, unless nothing runs there.
func (e engineThere) Runs() int {
	if !e.idle {
		*e.runs++
	}
	return *e.runs
}

func (d *standIn) Engine(e soak.Engine) (pregel.Engine, error) {
	if d.asked = append(d.asked, e); d.most > 0 && len(d.asked) > d.most {
		return nil, errors.New("no engine is left")
	}
	return engineThere{cpu.New(e.Parsed()), d.idle, new(int)}, nil
}

func (d *standIn) Close() error { d.closed++; return nil }

// Programs that have a form for a device run there, with the options that were drawn, those that have
// none on the CPU.
func TestOnDevice(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64N(1e12)
	t.Logf("seed %d", seed)
	d := &standIn{}
	there, strayed := 0, false
	o := soak.Options{Programs: programs.All(), Seed: seed, Trials: 60, Each: each, On: "cuda", Device: d, Progress: func(t *soak.Trial, _ int) {
		if t.Engine.Device == "cuda" {
			there++
		}
		if onCPU := t.Program == "lcc" || t.Program == "cdlp"; onCPU && (t.Engine.Device != "" || t.Engine.Wide) {
			strayed = true
		}
	}}
	done, err := soak.Run(t.Context(), o)
	var failed *soak.Failure
	if errors.As(err, &failed) {
		path := filepath.Join(os.TempDir(), "soak-failed-on-device.json")
		t.Fatalf("%v\nkept: %v", failed, errors.Join(failed.Trial.Write(path), errors.New(path)))
	}
	if err != nil || done != 60 || d.closed > 0 {
		t.Fatalf("%d trials, %v, closed %d times", done, err, d.closed)
	}
	if strayed || there == 0 || there == 60 || len(d.asked) != there {
		t.Errorf("%d of 60 on the device, one without a form for it: %v, %d engines asked for", there, strayed, len(d.asked))
	}
	for _, e := range d.asked {
		if e.Device != "cuda" || e.Determinism == "" || e.Direction == "" {
			t.Errorf("an engine of %+v", e)
		}
	}
}

// Engines of a device are drawn for several trials in a row, in all directions, strict or not, of both
// widths, and graphs are larger than for the CPU.
func TestDrawOnDevice(t *testing.T) {
	t.Parallel()
	seen, largest := map[soak.Engine]int{}, 0
	for group := range uint64(200) {
		var first *soak.Engine
		for seed := 16 * group; seed < 16*group+16; seed++ {
			trial, err := soak.Draw(seed, programs.All(), "cuda")
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, len(trial.Graph.Lines))
			e := trial.Engine
			if e.Device == "" {
				continue
			}
			if e.Workers, e.Order, e.Schedule = 0, "", ""; first == nil {
				first = &e
			}
			if e != *first {
				t.Fatalf("seed %d: %+v, and before %+v", seed, e, *first)
			}
			seen[e]++
		}
	}
	if len(seen) != 3*2*2 || largest < 3<<13 {
		t.Errorf("%d kinds of engines: %v; up to %d lines", len(seen), seen, largest)
	}
}

// wrongThere finds components, and is wrong on a device.
type wrongThere struct{ wcc.WCC }

func (w *wrongThere) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	answer, err := w.WCC.Run(ctx, j)
	if err == nil && j.Engine.Name() == "there" {
		answer.Table.Columns[0].Vertices[j.Graph.N()-1] = graph.None
	}
	return answer, err
}

var wrongList = []programs.Entry{{Name: "wrong", New: func() pregel.Algorithm { return &wrongThere{wcc.WCC{Method: wcc.Afforest}} }}}

// What is wrong on a device is made small there, with a new engine after each that failed. A trial for a
// device that is not there says so.
func TestFindsOnDevice(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64N(1e12)
	for wide := false; !wide; {
		seed++
		trial, err := soak.Draw(seed, wrongList, "cuda")
		if err != nil {
			t.Fatal(err)
		}
		wide = trial.Engine.Wide
	}
	t.Logf("seed %d", seed)
	d := &standIn{}
	_, err := soak.Run(t.Context(), soak.Options{Programs: wrongList, Seed: seed, Trials: 1, Each: each, On: "cuda", Device: d})
	var failed *soak.Failure
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	e := failed.Trial.Engine
	if len(failed.Trial.Graph.Lines) != 1 || e.Device != "cuda" || e.Wide || e.Workers != 1 || e.Direction != "auto" || e.Order != "none" || d.closed == 0 {
		t.Errorf("%v; closed %d times", failed, d.closed)
	}
	if !strings.Contains(failed.Trial.String(), "on cuda, wide offsets false") || !strings.Contains(err.Error(), "certificate failed") {
		t.Error(err)
	}
	if err := failed.Trial.Check(t.Context(), wrongList, nil, t.TempDir()); err == nil || !strings.Contains(err.Error(), "found cuda, and there is no such engine here") {
		t.Errorf("without a device: %v", err)
	}
}

// badThere is bad, and has a form for a device.
type badThere struct{ bad }

func (*badThere) OnDevice() bool { return true }

// What is wrong on the CPU, too, is no trial for a device in the end.
func TestFindsWithoutDevice(t *testing.T) {
	t.Parallel()
	run := func(context.Context) error { return errors.New("deliberate") }
	list := []programs.Entry{{Name: "bad", New: func() pregel.Algorithm { return &badThere{bad{run}} }}}
	_, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: 5, Trials: 1, Each: each, On: "cuda", Device: &standIn{}})
	var failed *soak.Failure
	if !errors.As(err, &failed) || failed.Found.Engine.Device != "cuda" || failed.Trial.Engine.Device != "" || failed.Trial.Engine.Wide {
		t.Error(err)
	}
}

// Where there is no engine for a trial, it has not failed; nor is one smaller that could not be tried.
func TestNoEngine(t *testing.T) {
	t.Parallel()
	for most := 1; most < 4; most++ {
		d := &standIn{most: most}
		list := programs.All()
		if most == 3 {
			list = wrongList
		}
		done, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: 7, Trials: 60, Each: each, On: "cuda", Device: d})
		var failed *soak.Failure
		switch found := errors.As(err, &failed); {
		case found != (most == 3), err == nil:
			t.Errorf("%d engines: %v", most, err)
		case !found && (!strings.Contains(err.Error(), "device cuda: no engine is left") || done < most):
			t.Errorf("%d engines: after %d trials, %v", most, done, err)
		case found && strings.Contains(err.Error(), "no engine is left"):
			t.Errorf("%d engines: %v", most, err)
		}
	}
}

// A program that does not run on the device that it should run on is found.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	_, err := soak.Run(t.Context(), soak.Options{Programs: programs.All(), Seed: 7, Trials: 60, Each: each, On: "cuda", Device: &standIn{idle: true}})
	var failed *soak.Failure
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "nothing has run on cuda") {
		t.Error(err)
	}
}

// A device's option without a device is refused.
func TestWideNowhere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "trial.json")
	if err := (&soak.Trial{Engine: soak.Engine{Wide: true}}).Write(path); err != nil {
		t.Fatal(err)
	}
	if _, err := soak.Read(path); err == nil || !strings.Contains(err.Error(), path+": engine.wide: found true, allowed with a device") {
		t.Error(err)
	}
}
