package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/soak"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/runtime/cuda"
)

// isJob tells whether a name as --programs has it is that of a job file.
func isJob(name string) bool { return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) }

// kernelOf returns what is timed of a job file: its kernel, with its parameters, of which vertices become the
// sources of runs. Graph, order and schedule are those of bench.
func (a *app) kernelOf(path string) (programs.Entry, error) {
	p := programs.Entry{Name: path}
	j, err := job.Read(path, a.in, job.Options{Programs: a.programs})
	if err != nil {
		return p, input(fmt.Errorf("--programs: %w", err))
	}
	k, ok := j.Algorithm.(*cuda.KernelProgram)
	if !ok {
		return p, input(fmt.Errorf("--programs: found %s, a job of the program %s, allowed: names of programs, and jobs whose program is a kernel", path, j.Program))
	}
	p.New = func() pregel.Algorithm { return timedKernel{copied(k)} }
	return p, nil
}

func copied(k *cuda.KernelProgram) *cuda.KernelProgram {
	fresh := *k
	fresh.Params = slices.Clone(k.Params)
	return &fresh
}

// A timedKernel is a kernel of a user's as bench times it.
type timedKernel struct{ *cuda.KernelProgram }

// From has every parameter that is a vertex be the source.
func (k timedKernel) From(source pregel.ID) {
	for i := range k.Params {
		if k.Params[i].Type == "vertex" {
			k.Params[i].Value = source
		}
	}
}

// CertifyOn compares an answer with that of supersteps that push, on the graph as it is: sums of floats but for
// what rounding in another order makes of them.
func (k timedKernel) CertifyOn(ctx context.Context, e pregel.Engine, g *graph.Graph, t *pregel.Table) error {
	d, ok := e.(*cuda.Engine)
	if !ok {
		return fmt.Errorf("%s is a kernel, and runs on a GPU only", k.Name)
	}
	schedule, direction := d.Schedule, d.Direction
	d.Schedule, d.Direction = pregel.BSP, pregel.Push
	want, err := copied(k.KernelProgram).Run(ctx, &pregel.Job{Graph: g, Engine: d})
	d.Schedule, d.Direction = schedule, direction
	switch {
	case err != nil:
		return err
	case want.Stop.Reason == pregel.Cancelled:
		return context.Cause(ctx)
	}
	defer want.Table.Release()
	if err := soak.SameTable(t, &want.Table, g.IDs(), k.share()); err != nil {
		return fmt.Errorf("against supersteps that push, on the graph as it is: %w", err)
	}
	return nil
}

// share is how much of a number sums in another order may differ by.
func (k timedKernel) share() float64 {
	switch {
	case k.Combine != "sum" || !strings.HasPrefix(k.Message, "float"):
		return 0
	case k.Message == "float32":
		return 1e-3
	}
	return 1e-9
}
