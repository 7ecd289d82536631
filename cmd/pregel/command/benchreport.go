package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/energy"
	"gopregel/pregel"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// A timedEngine is an engine whose runs are timed.
type timedEngine struct {
	pregel.Engine
	host   *cpu.Engine
	device *cuda.Engine // nil: the CPU
	clock  bench.Clock  // nil: the CPU's
	opened energy.Meter
}

// openTimed opens what --device, --gpu, --workers, --direction and --schedule name.
func openTimed(device string, gpu int, o cpu.Options) (*timedEngine, error) {
	host := cpu.New(o)
	if device != "cuda" {
		return &timedEngine{Engine: host, host: host}, nil
	}
	e, err := cuda.Open(cuda.Options{Device: gpu, Direction: o.Direction, Schedule: o.Schedule, Host: host, Cache: kernelCache()})
	if err != nil {
		return nil, input(fmt.Errorf("--device cuda: %w", err))
	}
	return &timedEngine{Engine: e, host: host, device: e, clock: deviceClock{e}}, nil
}

// meter opens what counts the engine's energy, or says why nothing does.
func (e *timedEngine) meter() (name string, m energy.Meter, none string) {
	var err error
	if e.device != nil {
		counter, failed := e.device.Energy()
		name, m, err = "NVML", counter, failed
	} else {
		name = "RAPL"
		m, err = energy.RAPL(energy.Powercap)
	}
	if err != nil {
		return "", nil, "not measured: " + strings.TrimPrefix(err.Error(), "energy: ")
	}
	e.opened = m
	return name, m, ""
}

func (e *timedEngine) close() {
	if e.opened != nil {
		e.opened.Close()
	}
	if e.device != nil {
		e.device.Close()
	}
}

// A benchReport is what bench prints as JSON.
type benchReport struct {
	Graph    string    `json:"graph"`
	Vertices int       `json:"vertices"`
	Edges    uint64    `json:"edges"`
	Directed bool      `json:"directed"`
	Workers  int       `json:"workers"`
	Go       string    `json:"go"`
	GPU      *benchGPU `json:"gpu"` // null: the CPU
	// Bandwidth is what shares are of, in bytes by the second, measured by a copy
	// within the GPU's memory or by a triad of all workers.
	Bandwidth   float64     `json:"bandwidth_bytes_per_second"`
	BandwidthOf string      `json:"bandwidth_of"`
	NoEnergy    string      `json:"no_energy,omitempty"` // why energy, which was asked for, is null
	NoForms     bool        `json:"-"`                   // none was found, and asked for
	Rows        []bench.Row `json:"programs"`
}

type benchGPU struct {
	Name   string      `json:"name"`
	Copy   float64     `json:"copy_bytes_per_second"`
	Random []benchRate `json:"random_access"`
}

type benchRate struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"per_second"`
}

// deviceClock is the clock of a GPU.
type deviceClock struct{ *cuda.Engine }

// Elapsed returns the GPU's time of the last task.
func (c deviceClock) Elapsed() time.Duration { return c.Timing().Device }

// formMaker is a GPU whose forms can be left out.
type formMaker struct {
	*cuda.Engine
	never []string // forms that are left out in any case
}

// LeaveOut leaves out these, too.
func (f formMaker) LeaveOut(names ...string) error {
	return f.Engine.LeaveOut(append(slices.Clone(f.never), names...)...)
}

// Forms returns those that the last task has used and that the device's clock tells the gain of.
func (f formMaker) Forms() (list []bench.Form) {
	for _, made := range f.Engine.Forms() {
		if made.Name == cuda.OwnOrder {
			continue
		}
		list = append(list, bench.Form{Name: made.Name, Seconds: made.Took.Seconds(), Bytes: made.Bytes})
	}
	return list
}

func measureGPU(ctx context.Context, e *cuda.Engine) (*benchGPU, error) {
	r := &benchGPU{Name: e.Info().Name}
	var err error
	if r.Copy, err = e.Bandwidth(ctx); err != nil {
		return nil, err
	}
	rates, err := e.RandomAccess(ctx)
	for _, rate := range rates {
		r.Random = append(r.Random, benchRate{rate.Name, rate.PerSecond})
	}
	return r, err
}

func (r benchReport) write(w io.Writer) error {
	on := plural(r.Workers, "worker")
	if r.GPU != nil {
		on = r.GPU.Name
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s; %s\n", r.Graph, plural(r.Vertices, "vertex"), plural(r.Edges, "edge"), on)
	if err != nil {
		return err
	}
	if r.GPU == nil {
		fmt.Fprintf(w, "triad: %s read and written\n", bytesPerSecond(r.Bandwidth))
	} else {
		fmt.Fprintf(w, "copy: %s read and written\n", bytesPerSecond(r.GPU.Copy))
		for _, rate := range r.GPU.Random {
			fmt.Fprintf(w, "%s: %s/s\n", rate.Name, strings.TrimSpace(short(rate.PerSecond)))
		}
	}
	if r.NoEnergy != "" {
		fmt.Fprintln(w, "energy: "+r.NoEnergy)
	}
	if r.NoForms {
		fmt.Fprintln(w, "forms: no program has used any that it can do without; most are made of prepared graphs (--prepare)")
	}
	return bench.Print(w, r.Rows)
}

// Upload returns what copying the graph to the GPU took in the last task.
func (c deviceClock) Upload() time.Duration { return c.Timing().Upload }
