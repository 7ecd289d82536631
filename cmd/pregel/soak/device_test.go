package soak_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gopregel/cmd/pregel/soak"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// standIn is a device whose engines are the CPU's, by a name of their own.
type standIn struct {
	asked []soak.Engine
	gone  int // after so many engines there are no more; 0: never
}

type engineThere struct{ *cpu.Engine }

func (engineThere) Name() string { return "there" }

func (d *standIn) Engine(e soak.Engine) (pregel.Engine, error) {
	if d.asked = append(d.asked, e); d.gone > 0 && len(d.asked) >= d.gone {
		return nil, errors.New("the device is gone")
	}
	return engineThere{cpu.New(e.Parsed())}, nil
}

// Programs that have a form for a device run there, with the options that were drawn, those that have
// none on the CPU.
func TestOnDevice(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64N(1e12)
	t.Logf("seed %d", seed)
	d := &standIn{}
	there := 0
	o := soak.Options{Programs: programs.All(), Seed: seed, Trials: 60, Each: each, On: "cuda", Device: d, Progress: func(t *soak.Trial, _ int) {
		if t.Engine.Device == "cuda" {
			there++
		}
	}}
	if done, err := soak.Run(t.Context(), o); err != nil || done != 60 {
		t.Fatalf("%d trials, %v", done, err)
	}
	if there == 0 || there == 60 || len(d.asked) != there {
		t.Errorf("%d of 60 on the device, %d engines asked for", there, len(d.asked))
	}
	for _, e := range d.asked {
		if e.Device != "cuda" || e.Determinism == "" || e.Direction == "" {
			t.Errorf("an engine of %+v", e)
		}
	}
}

// Engines of a device are drawn for several trials in a row, of all kinds, and graphs are larger than for
// the CPU.
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

// lostThere finds components, and is wrong on a device.
type lostThere struct{ wcc.WCC }

func (w *lostThere) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	answer, err := w.WCC.Run(ctx, j)
	if err == nil && j.Engine.Name() == "there" && j.Graph.N() > 1 {
		answer.Table.Columns[0].Vertices[j.Graph.N()-1] = graph.None
	}
	return answer, err
}

// What is wrong on a device is made small, unless the device fails whatever it is asked: then the trial is
// kept as it was drawn. A trial for a device that is not there says so.
func TestFindsOnDevice(t *testing.T) {
	t.Parallel()
	list := []programs.Entry{{Name: "wrong", New: func() pregel.Algorithm { return &lostThere{wcc.WCC{Method: wcc.Afforest}} }}}
	for _, gone := range []int{0, 1} {
		d := &standIn{gone: gone}
		_, err := soak.Run(t.Context(), soak.Options{Programs: list, Seed: 7, Trials: 50, Each: each, On: "cuda", Device: d})
		var failed *soak.Failure
		if !errors.As(err, &failed) {
			t.Fatalf("gone %d: %v", gone, err)
		}
		whole := len(failed.Trial.Graph.Lines) == len(failed.Found.Graph.Lines) && failed.Trial.Engine == failed.Found.Engine
		if whole != (gone > 0) || gone == 0 && len(failed.Trial.Graph.Lines) != 1 || gone > 0 && !strings.Contains(err.Error(), "the device is gone") {
			t.Errorf("gone %d: %v", gone, err)
		}
		if !strings.Contains(failed.Trial.String(), "on cuda, wide offsets") {
			t.Errorf("%v", failed.Trial)
		}
		if err := failed.Trial.Check(t.Context(), list, nil, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no such engine") {
			t.Errorf("without a device: %v", err)
		}
	}
}
