package sssp

import (
	"errors"
	"math"

	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// pull is what sweeps need (kernels/sssp_pull.cuh): distances on prepared graphs
// with hubs, where every vertex pulls along its in-arcs, the lightest first.
type pull struct {
	in                   *cuda.CSR // by weight
	lightest             *cuda.Lightest
	bounds               *driver.Buffer // of long lists: see sssp_bounds
	push, sweep, nearest pullLaunch     // nearest: parents
	again                pullLaunch     // push, behind the sweeps
	adopt                pullLaunch     // the first step of who is left
	few                  uint32         // who may be left for pushes; 0: sweeps go on as long as they are not lean
	hangs                bool           // vertices may be left for sssp_adopt and sssp_parents
}

// pullLaunch is one of its kernels.
type pullLaunch struct {
	kernel *driver.Kernel
	args   *driver.Args
	blocks int
}

// probe is what tests change: how kernels are compiled, how long a launch may
// take, how many vertices are few, and that graphs without hubs are swept too.
type probe struct {
	defines []string
	limit   uint64
	few     uint32
}

const boundsBytes = 12

// sweeps returns what sweeps need, nil where they do not pay or are not asked
// for: the graph is not prepared, has no weights or no hubs, or there is no room;
// windows have a given width; or the engine is held to an order.
func (d *device[T]) sweeps(s *cuda.Session) (*pull, error) {
	g := s.Graph()
	if g.Slim() || !g.Host.Reordered() || g.Out().Weights == nil || !d.adapt || d.delta == 0 || d.held {
		return nil, nil
	}
	if skewed, err := d.skewed(g); err != nil || !skewed {
		return nil, err
	}
	arcs, err := g.In()
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lightest, in, err := g.Lightest(arcs, cuda.LightestFirst)
	if err != nil || lightest == nil {
		return nil, err
	}
	// Where an arc may add nothing, a vertex may have no nearer parent.
	p := &pull{in: in, lightest: lightest, hangs: d.kind == real || g.Host.WeightRange().Least < 1}
	p.few = cuda.FewOf(cuda.WithArcs(g.Host.In()))
	if d.probe != nil {
		p.few = d.probe.few
	}
	p.bounds, err = s.Buffer(boundsBytes, "sssp bounds of long lists")
	return p, err
}

func (d *device[T]) skewed(g *cuda.Graph) (bool, error) {
	if d.probe != nil {
		return true, nil
	}
	return g.Skewed(g.Out())
}

// bound finds who has long lists.
func (p *pull) bound(s *cuda.Session, defines []string) error {
	k, err := s.Kernel("sssp", "sssp_bounds", defines...)
	if err != nil {
		return err
	}
	if err := p.bounds.Fill(0, boundsBytes, 0); err != nil {
		return err
	}
	args := driver.NewArgs().Uint32(s.Graph().N).Buffer(p.in.Offsets).Buffer(p.bounds)
	return s.Launch(k, 4*s.Info().Processors, 256, args)
}

// pullKernels makes what depends on the form of distances.
func (d *device[T]) pullKernels(s *cuda.Session) (err error) {
	p := d.pull
	kernels := map[string]*pullLaunch{"sssp_push": &p.push, "sssp_sweep": &p.sweep}
	if !d.alone {
		kernels["sssp_nearest"] = &p.nearest
	}
	if d.hangs() {
		kernels["sssp_adopt"] = &p.adopt
	}
	for entry, l := range kernels {
		if l.kernel, err = s.Kernel("sssp", entry, d.defines()...); err != nil {
			return err
		}
		if l.blocks, err = s.Grid(l.kernel, deviceThreads, 0); err != nil {
			return err
		}
	}
	limit := uint64(deviceLimit)
	if d.probe != nil {
		limit = d.probe.limit
	}
	g, out := s.Graph(), s.Graph().Out()
	push := func(again uint32) *driver.Args {
		return driver.NewArgs().Uint32(g.N).Buffer(out.Offsets).Buffer(out.Targets).Buffer(out.Weights).
			Buffer(d.distances).Buffer(d.bits[0]).Buffer(d.bits[1]).
			Buffer(d.lists[0]).Buffer(d.lists[1]).Buffer(d.chunks[0]).Buffer(d.chunks[1]).
			Buffer(d.state).Uint32(p.few).Uint32(again).Uint64(limit)
	}
	p.push.args, p.again = push(0), pullLaunch{p.push.kernel, push(1), p.push.blocks}
	p.sweep.args = driver.NewArgs().Uint32(g.N).Buffer(p.in.Offsets).Buffer(p.in.Targets).Buffer(p.in.Weights).
		Buffer(p.lightest.Arcs).Buffer(p.lightest.Weights).Buffer(d.distances).Buffer(d.bits[0]).Buffer(d.bits[1]).
		Buffer(d.state).Buffer(p.bounds).Uint64(d.leastWeight(g)).Uint32(p.few).Uint64(limit)
	p.nearest.args = driver.NewArgs().Uint32(g.N).Uint32(d.source).
		Buffer(p.in.Offsets).Buffer(p.in.Targets).Buffer(p.in.Weights).Buffer(p.lightest.Arcs).Buffer(p.lightest.Weights).
		Uint32(cuda.WithArcs(g.Host.Out())).Buffer(out.Offsets).Buffer(out.Targets).Buffer(out.Weights).
		Buffer(d.distances).Buffer(d.order()).Buffer(d.parent).Buffer(d.lists[0]).Buffer(d.chunks[0]).Buffer(p.bounds).Buffer(d.state)
	p.adopt.args = driver.NewArgs().Uint32(g.N).Uint32(d.source).
		Buffer(p.in.Offsets).Buffer(p.in.Targets).Buffer(p.in.Weights).Buffer(p.lightest.Arcs).Buffer(p.lightest.Weights).
		Buffer(out.Offsets).Buffer(d.distances).Buffer(d.order()).Buffer(d.parent).Buffer(d.bits[0]).
		Buffer(d.lists[1]).Buffer(d.chunks[1]).Buffer(p.bounds).Buffer(d.state)
	return nil
}

// leastWeight is the least weight in the form of the device.
func (d *device[T]) leastWeight(g *cuda.Graph) uint64 {
	least := g.Host.WeightRange().Least
	if d.kind == real {
		return math.Float64bits(math.Abs(least)) // no -0
	}
	return uint64(least)
}

// launchPull launches pushes, sweeps and parents, each of which does nothing
// before it is its turn; launches after the parents are for sssp_parents alone.
func (d *device[T]) launchPull(s *cuda.Session) error {
	if d.words[stateRelaxed] != 0 {
		return nil
	}
	kernels := []*pullLaunch{&d.pull.push, &d.pull.sweep}
	if d.pull.few > 0 {
		kernels = append(kernels, &d.pull.again)
	}
	if !d.alone {
		kernels = append(kernels, &d.pull.nearest)
	}
	if d.hangs() {
		kernels = append(kernels, &d.pull.adopt)
	}
	for _, l := range kernels {
		if err := s.LaunchCooperative(l.kernel, l.blocks, deviceThreads, l.args); err != nil {
			return err
		}
	}
	return nil
}

// hangs tells whether sssp_parents has to be launched.
func (d *device[T]) hangs() bool { return !d.alone && (d.pull == nil || d.pull.hangs) }
