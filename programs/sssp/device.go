package sssp

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// device finds the paths on a CUDA device: distances near-far, then parents, if they are
// wanted (kernels/sssp.cu); on prepared graphs with hubs by sweeps (device_pull.go). The
// rounds run on the device; a superstep is what it does before it comes back to
// the host, to be bounded and cancelled.
//
// Whole distances are found in 32 bits first. A sum that does not fit is seen,
// and everything starts again in 64 bits.
type device[T distance] struct {
	source uint32
	far    T
	delta  T // least width of a window; 0: relax at once
	adapt  bool
	most   float64 // weight
	kind   int
	alone  bool // no parents are wanted
	ready  bool // for another launch; else the arrays are to be filled first

	relax, init, hang             *driver.Kernel
	initArgs, relaxArgs, hangArgs *driver.Args
	relaxBlocks, hangBlocks       int
	distances, parent, state      *driver.Buffer
	bits, lists, chunks           [2]*driver.Buffer
	words                         [stateWords]uint32
	pull                          *pull // nil: near-far
	held                          bool  // to an order: strict, or a direction
	probe                         *probe
	bring                         *pregel.Bringing // nil: not asked for
	bringer                       *cuda.Bringer    // nil: the answer stays in the graph's order
	visited, arcs                 uint64           // up to the last superstep
	answer                        Paths[T]
}

// The forms of a distance on the device: DIST_KIND.
const (
	narrow = iota // uint32
	wide          // int64
	real          // float64
)

// narrowMost is the greatest weight with which 32 bits are tried.
const narrowMost = 1 << 28

// The state of the kernels (State in kernels/sssp.cu), in words of 4 bytes.
const (
	stateBarrier     = 0
	stateHangBarrier = 24
	stateWidth       = 44
	stateVertices    = 50
	stateArcs        = 52
	stateRelaxed     = 57
	statePhase       = 58
	stateOverflow    = 60
	stateSweep       = 62
	stateOrphans     = 82
	stateMarks       = 83
	stateAgain       = 84
	stateWords       = 102

	barrierBytes = 32
	noMarks      = 2
	phaseDone    = 5
)

const (
	deviceThreads = 512
	deviceLimit   = 50_000_000 // nanoseconds that a launch may take before it comes back
)

// onDevice finds the paths on the device of an engine.
func onDevice[T distance](ctx context.Context, e *cuda.Engine, j *pregel.Job, d *device[T]) (Paths[T], error) {
	switch {
	case j.Graph.Weighted() == graph.Float32:
		d.kind = real
	case d.most > narrowMost:
		d.kind = wide
	}
	d.held = e.Strict || e.Direction != pregel.Auto
	stop, err := e.RunKernels(ctx, j, d)
	if err != nil {
		return Paths[T]{}, err
	}
	if d.answer.Distance == nil { // stopped before any were found
		d.answer.Distance = slices.Repeat([]T{d.far}, j.Graph.N())
		d.answer.Distance[d.source] = 0
	}
	if stop.Reason != pregel.Halted && !d.alone {
		d.answer.Parent = slices.Repeat([]uint32{graph.None}, j.Graph.N()) // distances may still fall
	}
	d.answer.Stop, d.answer.ordered = stop, d.bring.Brought()
	return d.answer, nil
}

func (*device[T]) Name() string { return "sssp" }

// Begin makes the buffers and compiles the kernels.
func (d *device[T]) Begin(s *cuda.Session) error {
	n, arcs := uint64(s.Graph().N), s.Graph().Out().Arcs
	m := maker{s: s}
	d.distances, d.bringer = nil, nil
	if d.parent = nil; !d.alone {
		d.parent = m.buffer(4*n, "sssp parents")
	}
	d.state = m.buffer(4*stateWords, "sssp state")
	for i := range 2 {
		d.bits[i] = m.buffer(4*((n+31)/32), "sssp bitmap")
		d.lists[i] = m.buffer(4*n, "sssp list")
		d.chunks[i] = m.buffer(8*(3*arcs/256+1), "sssp list of chunks")
	}
	if m.err != nil {
		return m.err
	}
	var err error
	if d.pull, err = d.sweeps(s); err != nil {
		return err
	}
	if d.pull != nil {
		if err := d.pull.bound(s, d.defines()); err != nil {
			return err
		}
	}
	return d.prepare(s)
}

// maker makes buffers until one fails.
type maker struct {
	s   *cuda.Session
	err error
}

func (m *maker) buffer(bytes uint64, what string) *driver.Buffer {
	if m.err != nil {
		return nil
	}
	b, err := m.s.Buffer(bytes, what)
	m.err = err
	return b
}

// defines are what the kernels are compiled with.
func (d *device[T]) defines() []string {
	list := []string{fmt.Sprintf("DIST_KIND=%d", d.kind)}
	if d.pull != nil && d.pull.lightest.Packed {
		list = append(list, "PACKED=1")
	}
	if d.probe != nil {
		list = append(list, d.probe.defines...)
	}
	return list
}

// distanceBytes is the size of a distance on the device.
func (d *device[T]) distanceBytes() uint64 {
	if d.kind == narrow {
		return 4
	}
	return 8
}

// width is the least width of a window in the form that the device has
// distances in.
func (d *device[T]) width() uint64 {
	switch {
	case d.kind == real && d.delta == 0:
		return math.Float64bits(math.Inf(1))
	case d.kind == real:
		return math.Float64bits(float64(d.delta))
	case d.delta == 0:
		return math.MaxUint32
	case d.kind == narrow:
		return min(uint64(d.delta), math.MaxUint32)
	}
	return uint64(d.delta)
}

// prepare makes what depends on the form of distances.
func (d *device[T]) prepare(s *cuda.Session) error {
	var err error
	g := s.Graph()
	s.DropBringer(d.bringer)
	d.bringer = nil
	s.GiveBack(d.distances) // those that were too narrow
	if d.distances, err = s.Buffer(d.distanceBytes()*uint64(g.N), "sssp distances"); err != nil {
		return err
	}
	if err := d.brings(s); err != nil {
		return err
	}
	kernels := []struct {
		entry  string
		kernel **driver.Kernel
		blocks *int
	}{{"sssp_init", &d.init, nil}, {"sssp_relax", &d.relax, &d.relaxBlocks}, {"sssp_parents", &d.hang, &d.hangBlocks}}
	if !d.hangs() {
		kernels = kernels[:2]
	}
	for _, k := range kernels {
		if *k.kernel, err = s.Kernel("sssp", k.entry, d.defines()...); err != nil {
			return err
		}
		if k.blocks == nil {
			continue
		}
		if *k.blocks, err = s.Grid(*k.kernel, deviceThreads, 0); err != nil {
			return err
		}
	}
	d.arguments(g)
	d.ready, d.words = false, [stateWords]uint32{}
	if d.pull != nil {
		return d.pullKernels(s)
	}
	return nil
}

func (d *device[T]) arguments(g *cuda.Graph) {
	out, parent := g.Out(), d.parent
	if d.pull != nil {
		parent = nil // sssp_nearest writes all of it
	}
	d.initArgs = driver.NewArgs().Uint32(g.N).Uint32(d.source).Uint64(d.width()).Buffer(out.Offsets).
		Buffer(d.distances).Buffer(parent).Buffer(d.bits[0]).Buffer(d.bits[1]).
		Buffer(d.lists[0]).Buffer(d.chunks[0]).Buffer(d.state)
	adapt := uint32(0)
	if d.adapt {
		adapt = 1
	}
	d.relaxArgs = driver.NewArgs().Uint32(g.N).Buffer(out.Offsets).Buffer(out.Targets).Buffer(out.Weights).
		Buffer(d.distances).Buffer(d.bits[0]).Buffer(d.bits[1]).
		Buffer(d.lists[0]).Buffer(d.lists[1]).Buffer(d.chunks[0]).Buffer(d.chunks[1]).
		Buffer(d.state).Uint64(d.width()).Uint32(adapt).Uint64(deviceLimit)
	d.hangArgs = driver.NewArgs().Uint32(g.N).Uint32(d.source).
		Buffer(out.Offsets).Buffer(out.Targets).Buffer(out.Weights).
		Buffer(d.distances).Buffer(d.order()).Buffer(d.parent).Buffer(d.bits[0]).
		Buffer(d.lists[0]).Buffer(d.lists[1]).Buffer(d.chunks[0]).Buffer(d.chunks[1]).
		Buffer(d.state).Uint64(deviceLimit)
}

// Kept is how far the kernels are, and in which form.
func (d *device[T]) Kept() []any {
	return []any{&d.kind, &d.ready, &d.words, &d.visited, &d.arcs}
}

// Superstep goes on where the last one has stopped. The kernel of the parents
// does nothing before the distances are final, so it can be launched at once.
func (d *device[T]) Superstep(s *cuda.Session, _ int) (cuda.Counts, error) {
	if err := d.launch(s); err != nil {
		return cuda.Counts{}, err
	}
	if err := s.ReadUint32s(d.state, 0, d.words[:]); err != nil {
		return cuda.Counts{}, err
	}
	vertices, arcs := d.word64(stateVertices), d.word64(stateArcs)
	c := cuda.Counts{Awake: vertices - d.visited, Arcs: arcs - d.arcs, Next: 1}
	c.Account, c.Atomics = d.account(s.Graph().Host), c.Arcs
	d.visited, d.arcs = vertices, arcs
	switch {
	case d.words[stateOverflow] != 0:
		d.kind, d.visited, d.arcs = wide, 0, 0
		return c, d.prepare(s)
	case d.words[stateRelaxed] != 0 && (d.words[statePhase] == phaseDone || !d.hangs()):
		c.Next = 0
	}
	return c, nil
}

func (d *device[T]) launch(s *cuda.Session) error {
	if !d.ready {
		d.ready = true
		if err := s.Launch(d.init, 8*s.Info().Processors, 256, d.initArgs); err != nil {
			return err
		}
	} else {
		for _, at := range []uint64{stateBarrier, stateHangBarrier, stateSweep, stateAgain} {
			if err := d.state.Fill(4*at, barrierBytes, 0); err != nil {
				return err
			}
		}
	}
	if err := d.launchRelax(s); err != nil {
		return err
	}
	if d.hangs() {
		if err := s.LaunchCooperative(d.hang, d.hangBlocks, deviceThreads, d.hangArgs); err != nil {
			return err
		}
	}
	return s.LaunchBringer(d.bringer) // again, if the distances are not yet final
}

// launchRelax launches what finds the distances.
func (d *device[T]) launchRelax(s *cuda.Session) error {
	if d.pull != nil {
		return d.launchPull(s)
	}
	return s.LaunchCooperative(d.relax, d.relaxBlocks, deviceThreads, d.relaxArgs)
}

func (d *device[T]) word64(i int) uint64 {
	return binary.LittleEndian.Uint64(mem.Bytes(d.words[i : i+2]))
}

// End copies distances and parents, unless a sum has not fitted and the run has
// ended before its second start.
func (d *device[T]) End(s *cuda.Session) error {
	if !d.ready {
		return nil
	}
	n := int(s.Graph().N)
	distances, parent := d.brought()
	d.answer.Distance = mem.Take[T](n)
	if !d.alone {
		d.answer.Parent = mem.Take[uint32](n)
		if err := parent.Read(0, mem.Bytes(d.answer.Parent)); err != nil {
			return err
		}
	}
	if d.kind != narrow {
		return distances.Read(0, mem.Bytes(d.answer.Distance))
	}
	d.answer.extent = new(extent[T])
	return d.widened(distances)
}

// widened makes distances of those of 32 bits as they come, and tells of their extent. T is int64.
func (d *device[T]) widened(distances *driver.Buffer) error {
	var lock sync.Mutex
	to := mem.View[int64](mem.Bytes(d.answer.Distance))
	return distances.Each(0, 4*uint64(len(to)), func(at uint64, piece []byte) {
		from := mem.View[uint32](piece)
		reached, longest := mem.Widen(to[at/4:][:len(from)], from, int64(d.far))
		lock.Lock()
		defer lock.Unlock()
		d.answer.extent.add(extent[T]{reached: reached, longest: T(longest)})
	})
}
