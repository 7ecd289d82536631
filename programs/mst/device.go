package mst

import (
	"context"
	"encoding/binary"
	"slices"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// device finds the forest on a CUDA device: Borůvka's rounds (kernels/mst.cu, or
// mst_sorted.cu where the graph is prepared), a superstep each. The host only
// reads how many components are left. Then the device puts the edges in order (cuda.EdgeList),
// where there are enough, and room.
type device struct {
	n, arcs               uint64
	blocks, threads       int
	args                  *driver.Args // the same for all launches
	kernels               map[string]*driver.Kernel
	ends, weight, control *driver.Buffer
	found                 copied
	forest                *Forest          // in order; nil: found, in none
	bring                 *pregel.Bringing // nil: nothing is asked for
	order                 *driver.Buffer   // of the user's graph, which bring asks for; nil: there is no room
	renumbered            bool             // the job's graph is, which bring undoes
	orderFrom             uint64           // vertices from which on the device puts edges in order
	sorted                *sorted          // nil unless lists are in order of weight
	weighs                uint64           // bytes of a weight
	traced                bool
}

// onDevice finds the forest on the device of an engine.
func onDevice(ctx context.Context, e *cuda.Engine, j *pregel.Job) (Forest, error) {
	return (&device{orderFrom: cuda.EdgesFrom}).run(ctx, e, j)
}

func (d *device) run(ctx context.Context, e *cuda.Engine, j *pregel.Job) (Forest, error) {
	order, _ := j.Order()
	d.bring, d.renumbered = j.Bringing(0), order != nil
	stop, err := e.RunKernels(ctx, j, d)
	if err != nil {
		return Forest{}, err
	}
	stop.Supersteps = j.Supersteps()
	if d.forest != nil {
		d.forest.Stop, d.forest.Ordered = stop, order != nil
		return *d.forest, nil
	}
	edges := gather(j.Engine.Pool().Workers(), len(d.found.ends), d.found, nil, order)
	mem.Give(d.found.ends)
	mem.Give(d.found.weight)
	f := ordered(j, edges, stop)
	f.Ordered = order != nil
	return f, nil
}

func (*device) Name() string { return "mst" }

// The launches of round 0 and of the others.
var (
	firstRound = []string{"mst_first", "mst_first_pieces", "mst_join", "mst_settle"}
	laterRound = []string{"mst_begin", "mst_find", "mst_find_pieces", "mst_find_hubs", "mst_tie", "mst_hook", "mst_settle_roots", "mst_relabel"}
)

// The struct Control of the kernels, in numbers of 4 bytes.
const (
	controlWords = 14
	tallyWord    = 10 // of a traced run
	listWord     = 5  // list[2]: vertices that have proposed
	rootsWord    = 7  // roots[2]: components left to choose

	beginThreads = 1024 // SAMPLES in kernels/giant.cuh
)

// Begin makes the buffers and compiles the kernels.
func (d *device) Begin(s *cuda.Session) (err error) {
	if err = d.begin(s); err != nil || !d.orders(s) {
		return err
	}
	d.order, err = s.OwnNumbers(d.bring)
	return err
}

// orders tells whether the device is to put the edges in order.
func (d *device) orders(s *cuda.Session) bool { return uint64(s.Graph().N) >= d.orderFrom }

func (d *device) begin(s *cuda.Session) error {
	g := s.Graph()
	d.n, d.arcs, d.sorted = uint64(g.N), g.Out().Arcs, nil
	d.traced, d.weighs = s.Tallies() != nil, weightBytes(g.Host)
	if d.n == 0 {
		return nil
	}
	if !g.Directed && d.arcs > 0 {
		byWeight, err := g.ByWeight(g.Out(), cuda.LightestFirst)
		if err != nil {
			return err
		}
		if byWeight != nil {
			d.sorted = &sorted{device: d}
			return d.sorted.begin(s, byWeight)
		}
	}
	tuning := kernels.MST(kernels.Device{Processors: s.Info().Processors})
	d.blocks, d.threads = tuning.BlocksFor(d.n), tuning.Threads
	d.kernels = make(map[string]*driver.Kernel)
	for _, entry := range slices.Concat(firstRound, laterRound) {
		k, err := s.Kernel("mst", entry, append(tuning.Defines(), s.Tallies()...)...)
		if err != nil {
			return err
		}
		d.kernels[entry] = k
	}
	return d.layout(s, tuning)
}

// layout makes the buffers and the argument of the kernels, struct Forest: fields
// in the same order.
func (d *device) layout(s *cuda.Session, tuning kernels.Tuning) error {
	g := s.Graph()
	f := fields{s: s}
	f.arcs(g.Out())
	arcs := d.arcs
	if g.Directed {
		in, err := g.In()
		if err != nil {
			return err
		}
		f.arcs(in)
		arcs += in.Arcs
	} else {
		f.arcs(&cuda.CSR{})
	}
	hubs, pieces := tuning.Pieces(arcs)
	f.array(4*d.n, "mst components")
	f.array(4*d.n, "mst parents")
	f.array(8*d.n, "mst candidates")
	f.array(8*d.n, "mst least edges")
	f.array(4*d.n, "mst greater ends")
	d.ends = f.array(8*d.n, "mst edges")
	d.weight = f.array(4*d.n, "mst weights of edges")
	for range 2 {
		f.array(4*d.n, "mst list of vertices")
	}
	for range 2 {
		f.array(4*d.n, "mst list of components")
	}
	f.array(4*max(hubs, 1), "mst hubs")
	f.array(8*max(hubs, 1), "mst searches of hubs")
	f.array(8*max(pieces, 1), "mst pieces of lists")
	d.control = f.array(4*controlWords, "mst control")
	f.number(d.arcs)
	directed := uint64(0)
	if g.Directed {
		directed = 1
	}
	f.number(directed<<32 | d.n)
	d.args = driver.NewArgs().Bytes(f.bytes)
	return f.err
}

// fields makes a struct of addresses and numbers, until a buffer cannot be made.
type fields struct {
	s     *cuda.Session
	bytes []byte
	err   error
}

func (f *fields) number(x uint64) { f.bytes = binary.LittleEndian.AppendUint64(f.bytes, x) }

func (f *fields) address(b *driver.Buffer) {
	if b == nil {
		f.number(0)
		return
	}
	f.number(b.Address())
}

func (f *fields) arcs(c *cuda.CSR) {
	f.address(c.Offsets)
	f.address(c.Targets)
	f.address(c.Weights)
}

func (f *fields) array(bytes uint64, what string) *driver.Buffer {
	if f.err != nil {
		return nil
	}
	b, err := f.s.Buffer(bytes, what)
	f.err = err
	f.address(b)
	return b
}

// Kept has nothing: all is on the device.
func (*device) Kept() []any { return nil }

// Superstep launches a round.
func (d *device) Superstep(s *cuda.Session, superstep int) (cuda.Counts, error) {
	switch {
	case d.n == 0:
		return cuda.Counts{}, nil
	case d.sorted != nil:
		return d.sorted.superstep(s, superstep)
	case superstep == 0:
		if err := d.control.Fill(0, 4*controlWords, 0); err != nil {
			return cuda.Counts{}, err
		}
		c := cuda.Counts{Awake: d.n, Arcs: d.arcs, Account: d.account(firstOfLists)}
		if d.arcs > 0 {
			c.Next = d.n
		}
		if err := d.launch(s, firstRound); err != nil {
			return c, err
		}
		return c, d.tally(s, &c, 4*tallyWord)
	}
	if err := d.launch(s, laterRound); err != nil {
		return cuda.Counts{}, err
	}
	var control [controlWords]uint32
	if err := s.ReadUint32s(d.control, 0, control[:]); err != nil {
		return cuda.Counts{}, err
	}
	side := superstep % 2
	c := cuda.Counts{Awake: uint64(control[listWord+side]), Next: uint64(control[rootsWord+side]), Account: d.account(firstOfLists)}
	return c, d.tally(s, &c, 4*tallyWord)
}

// tally takes what the kernels of a traced run have counted.
func (d *device) tally(s *cuda.Session, c *cuda.Counts, offset uint64) (err error) {
	if d.traced {
		c.Arcs, c.Atomics, err = s.ReadTally(d.control, offset)
	}
	return err
}

func (d *device) launch(s *cuda.Session, entries []string) error {
	for _, entry := range entries {
		blocks, threads := d.blocks, d.threads
		if entry == "mst_begin" {
			blocks, threads = 1, beginThreads
		}
		if err := s.Launch(d.kernels[entry], blocks, threads, d.args); err != nil {
			return err
		}
	}
	return nil
}

// End copies the edges. Every vertex has a place for one.
func (d *device) End(s *cuda.Session) error {
	if d.n == 0 {
		return nil
	}
	if d.orders(s) && (d.order != nil || !d.renumbered) {
		if err := d.copyOrdered(s); err != nil || d.forest != nil {
			return err
		}
	}
	d.found = copied{mem.Take[uint64](int(d.n)), mem.Take[uint32](int(d.n))}
	if err := d.ends.Read(0, mem.Bytes(d.found.ends)); err != nil {
		return err
	}
	return d.weight.Read(0, mem.Bytes(d.found.weight))
}

// copyOrdered copies the edges as the device puts them in order, if there is room for that.
func (d *device) copyOrdered(s *cuda.Session) error {
	l, err := s.EdgeList(d.ends, d.weight, d.order)
	if l == nil || err != nil {
		return err
	}
	f := newForest(s.Graph().Host, int(l.Count), pregel.Stop{})
	d.forest = &f
	if l.Count == 0 {
		return nil
	}
	if err := l.Source.Read(0, mem.Bytes(f.Source)); err != nil {
		return err
	}
	if err := l.Target.Read(0, mem.Bytes(f.Target)); err != nil || f.Weights.Kind() == graph.Unweighted {
		return err
	}
	return l.Weight.Each(0, 4*l.Count, func(at uint64, piece []byte) {
		restoreAll(f.Weights, int(at/4), mem.View[uint32](piece))
	})
}
