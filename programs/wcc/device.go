package wcc

import (
	"context"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// device finds the components on a CUDA device, in the same four supersteps as
// the CPU (kernels/wcc.cu). In a directed graph all out-arcs are read: that
// costs less than making the in-arcs.
type device struct {
	n, arcs        uint64
	supersteps     [4][]launch
	label, control *driver.Buffer
	root           []uint32
}

type launch struct {
	kernel          *driver.Kernel
	blocks, threads int
	args            *driver.Args
}

func onDevice(ctx context.Context, e *cuda.Engine, j *pregel.Job) (pregel.Result[uint32], error) {
	d := &device{}
	stop, err := e.RunKernels(ctx, j, d)
	if d.root == nil { // stopped before the first superstep
		d.root = mem.Make[uint32](j.Graph.N())
		for v := range d.root {
			d.root[v] = uint32(v)
		}
	}
	return pregel.Result[uint32]{Values: d.root, Stop: stop}, err
}

func (*device) Name() string { return "wcc" }

const (
	controlBytes  = 8
	chooseThreads = 1024 // SAMPLES in kernels/giant.cuh
)

// Begin makes the buffers, compiles the kernels and lays out the launches.
func (d *device) Begin(s *cuda.Session) error {
	g := s.Graph()
	out := g.Out()
	d.n, d.arcs = uint64(g.N), out.Arcs
	if d.n == 0 {
		return nil
	}
	m := maker{s: s, tuning: kernels.WCC(kernels.Device{Processors: s.Info().Processors}), n: d.n}
	_, places := m.tuning.Pieces(d.arcs)
	d.label = m.buffer(4*d.n, "wcc labels")
	d.control = m.buffer(controlBytes, "wcc control")
	pieces := m.buffer(8*max(places, 1), "wcc pieces of lists")
	skip := uint32(1)
	if g.Directed {
		skip = 0
	}
	lists := func() *driver.Args { return driver.NewArgs().Buffer(out.Offsets).Buffer(out.Targets) }
	all := lists().Uint32(g.N).Buffer(d.label)
	flatten := m.over("wcc_flatten", driver.NewArgs().Uint32(g.N).Buffer(d.label))
	d.supersteps = [4][]launch{
		{m.over("wcc_first", lists().Uint32(g.N).Buffer(d.label).Buffer(d.control)), flatten, m.over("wcc_second", all)},
		{flatten},
		{},
		{flatten},
	}
	if d.arcs > 0 {
		choose := m.over("wcc_choose", driver.NewArgs().Buffer(out.Targets).Uint64(d.arcs).Buffer(d.label).Buffer(d.control))
		choose.blocks, choose.threads = 1, chooseThreads
		d.supersteps[2] = []launch{
			choose,
			m.over("wcc_rest", lists().Uint32(g.N).Uint32(skip).Buffer(d.label).Buffer(d.control).Buffer(pieces)),
			m.over("wcc_pieces", lists().Buffer(d.label).Buffer(d.control).Buffer(pieces)),
		}
	}
	return m.err
}

// maker makes buffers and launches until one fails.
type maker struct {
	s      *cuda.Session
	tuning kernels.Tuning
	n      uint64
	err    error
}

func (m *maker) buffer(bytes uint64, what string) *driver.Buffer {
	if m.err != nil {
		return nil
	}
	b, err := m.s.Buffer(bytes, what)
	m.err = err
	return b
}

// over makes a launch with a thread for every vertex, or as many as run at once.
func (m *maker) over(entry string, a *driver.Args) launch {
	if m.err != nil {
		return launch{}
	}
	k, err := m.s.Kernel("wcc", entry, m.tuning.Defines()...)
	m.err = err
	return launch{k, m.tuning.BlocksFor(m.n), m.tuning.Threads, a}
}

// Superstep launches, and waits for nothing: how many there are is known.
func (d *device) Superstep(s *cuda.Session, superstep int) (cuda.Counts, error) {
	for _, l := range d.supersteps[superstep] {
		if err := s.Launch(l.kernel, l.blocks, l.threads, l.args); err != nil {
			return cuda.Counts{}, err
		}
	}
	c := cuda.Counts{Awake: d.n}
	if superstep < len(d.supersteps)-1 {
		c.Next = max(d.n, 1)
	}
	return c, nil
}

// End copies the labels.
func (d *device) End(*cuda.Session) error {
	d.root = mem.Make[uint32](int(d.n))
	if d.n == 0 {
		return nil
	}
	return d.label.Read(0, mem.Bytes(d.root))
}
