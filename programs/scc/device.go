package scc

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// device finds the components on a CUDA device (kernels/scc.cu). The rounds run
// on the device; a superstep is what it does before it comes back to the host,
// to be bounded and cancelled.
//
// On long thin graphs (a ring, a path of small cycles) a round has a handful of
// vertices, and the host's depth-first search would be through with the graph
// long before: what is left is handed to it (tarjan.go) when the rounds of the
// searches have found too few, or the colours have taken as long as it would.
type device struct {
	ctx     context.Context
	n       uint32
	kernels map[string]*launch
	last    status

	component, state *driver.Buffer
	rest             time.Duration // spent on what is outside the pivot's component
	answer           []uint32
	handed           bool             // the host has found the components that were left
	tiles            *searches        // nil: scc_reach
	plain            bool             // no tiles: they have a state of their own
	bring            *pregel.Bringing // nil: not asked for
	bringer          *cuda.Bringer    // nil: the components stay in the graph's order
	pivot            uint32
}

// launch is a kernel with its arguments.
type launch struct {
	kernel *driver.Kernel
	blocks int
	args   *driver.Args
	limit  int // place of the argument that bounds its time; 0: none
}

const (
	deviceThreads = 512
	plainThreads  = 256

	// What a launch may take before it comes back, in nanoseconds. The first is
	// short, to see early that a graph is thin.
	firstLimit = 4_000_000
	laterLimit = 20_000_000

	// A round of the device takes as long as the host needs for so many vertices.
	thinRound = 64
	// What the host needs for a vertex that is left, and for one that is not.
	hostLeft  = 150 * time.Nanosecond
	hostOther = 2 * time.Nanosecond
	hostLeast = 5 * time.Millisecond
)

// onDevice finds the components on the device of an engine.
func onDevice(ctx context.Context, e *cuda.Engine, j *pregel.Job) (pregel.Result[uint32], error) {
	d := &device{ctx: ctx, plain: j.Checkpoints != nil, bring: j.Bringing()}
	stop, err := e.RunKernels(ctx, j, d)
	if d.answer == nil {
		d.answer = slices.Repeat([]uint32{graph.None}, j.Graph.N())
	}
	return pregel.Result[uint32]{Values: d.answer, Stop: stop, Ordered: d.bring.Brought()}, err
}

func (*device) Name() string { return "scc" }

// Begin makes the buffers and compiles the kernels.
func (d *device) Begin(s *cuda.Session) error {
	d.n = s.Graph().N
	out := s.Graph().Out()
	in, err := s.Graph().In()
	if err != nil {
		return err
	}
	m := maker{s: s}
	n, bits, pieces := 4*uint64(d.n), 4*((uint64(d.n)+31)/32), 8*(3*out.Arcs/256+1)
	d.component, d.state = m.buffer(n, "scc components"), m.buffer(stateBytes, "scc state")
	alive, forward, backward := m.buffer(bits, "scc bitmap"), m.buffer(bits, "scc bitmap"), m.buffer(bits, "scc bitmap")
	bits0, bits1, done := m.buffer(bits, "scc bitmap"), m.buffer(bits, "scc bitmap"), m.buffer(bits, "scc bitmap")
	classes, colours, least := m.buffer(n, "scc classes"), m.buffer(n, "scc colours"), m.buffer(n, "scc least vertices")
	f0, f1, b0, b1 := m.buffer(n, "scc list"), m.buffer(n, "scc list"), m.buffer(n, "scc list"), m.buffer(n, "scc list")
	// Trimming lists the chunks of both directions.
	fc0, fc1 := m.buffer(2*pieces, "scc list of chunks"), m.buffer(2*pieces, "scc list of chunks")
	bc0, bc1 := m.buffer(pieces, "scc list of chunks"), m.buffer(pieces, "scc list of chunks")
	hubs := 8 * (out.Arcs/2048 + 1)
	outHubs, inHubs := m.buffer(hubs, "scc list of hubs"), m.buffer(hubs, "scc list of hubs")
	active := cuda.WithArcs(s.Graph().Host.Out(), s.Graph().Host.In())
	outFirst, inFirst, pivot, err := byDegree(s.Graph(), in)
	if err != nil {
		return err
	}
	if d.tiles = nil; !d.plain {
		if err := d.inTiles(s, pivot); err != nil {
			return err
		}
	}
	if d.tiles != nil {
		pivot = d.pivot
		m.kernel("scc_adopt", false, m.args(active, alive, forward, backward, d.tiles[0].Values(), d.tiles[1].Values(), d.tiles[0].Control(), d.tiles[1].Control(), d.state))
	}
	m.kernel("scc_init", false, m.args(active, out.Offsets, in.Offsets, d.component, alive, forward, backward, bits0, bits1, done, outHubs, inHubs, d.state))
	m.kernel("scc_reach", true, m.args(active, out.Offsets, out.Targets, in.Offsets, in.Targets, outFirst, inFirst, alive, forward, backward,
		f0, f1, b0, b1, fc0, fc1, bc0, bc1, outHubs, inHubs, d.state))
	m.kernel("scc_classes", false, m.args(active, out.Offsets, out.Targets, in.Offsets, in.Targets, alive, forward, backward, d.component, classes, b0, d.state))
	m.kernel("scc_rest", true, m.args(active, out.Offsets, out.Targets, in.Offsets, in.Targets, d.component, classes, colours, least,
		bits0, bits1, done, b0, b1, f0, f1, fc0, fc1, d.state))
	if m.err == nil {
		m.kernels["scc_init"].args.Uint32(d.n).Uint32(pivot)
	}
	if d.kernels, d.bringer = m.kernels, nil; m.err == nil {
		d.bringer, m.err = s.Bringer(d.bring, cuda.Column{Numbers: d.component, Classes: true, Alone: active, Word: d.state, At: statePhase, Is: phaseDone})
	}
	return m.err
}

// topVertices are those among which a pivot is looked for in an order by degree.
const topVertices = 64

// byDegree returns what speeds up a graph whose vertices stand by degree: first
// neighbours, where there is room, and a vertex with many arcs both ways;
// graph.None, where the device is to look for one.
func byDegree(g *cuda.Graph, in *cuda.CSR) (outFirst, inFirst *driver.Buffer, pivot uint32, err error) {
	pivot = graph.None
	if !g.Host.Reordered() || !g.Descending() {
		return nil, nil, pivot, nil
	}
	best, from, to := uint64(0), g.Host.Out(), g.Host.In()
	for v := range min(g.N, topVertices) {
		if both := from.Degree(v) * to.Degree(v); both > best {
			best, pivot = both, v
		}
	}
	if outFirst, err = g.First(g.Out()); err == nil {
		inFirst, err = g.First(in)
	}
	return outFirst, inFirst, pivot, err
}

// maker makes buffers and kernels until one fails.
type maker struct {
	s       *cuda.Session
	kernels map[string]*launch
	err     error
}

func (m *maker) buffer(bytes uint64, what string) *driver.Buffer {
	if m.err != nil {
		return nil
	}
	b, err := m.s.Buffer(bytes, what)
	m.err = err
	return b
}

func (m *maker) args(n uint32, buffers ...*driver.Buffer) *launch {
	l := &launch{args: driver.NewArgs().Uint32(n)}
	for _, b := range buffers {
		l.args.Buffer(b)
	}
	l.limit = 1 + len(buffers)
	return l
}

// kernel makes the kernel of a launch: one with a grid-wide barrier and a bound
// of its time, or a plain one.
func (m *maker) kernel(entry string, cooperative bool, l *launch) {
	if m.err != nil {
		return
	}
	if l.kernel, m.err = m.s.Kernel("scc", entry); m.err != nil {
		return
	}
	if cooperative {
		l.args.Uint64(firstLimit)
		l.blocks, m.err = m.s.Grid(l.kernel, deviceThreads, 0)
	} else {
		l.limit = 0
		l.blocks, m.err = m.s.Grid(l.kernel, plainThreads, 0)
	}
	if m.kernels == nil {
		m.kernels = make(map[string]*launch)
	}
	m.kernels[entry] = l
}

// Kept is how far the kernels are. What the host has found when its context ended is not:
// that is begun again.
func (d *device) Kept() []any { return []any{&d.last, &d.rest} }

// Superstep goes on where the last one has stopped. Kernels do nothing while
// those before them are not through, so that all are launched at once.
func (d *device) Superstep(s *cuda.Session, superstep int) (cuda.Counts, error) {
	reached := d.last.reached()
	if err := d.start(s, superstep); err != nil {
		return cuda.Counts{}, err
	}
	begin := time.Now()
	var now status
	if err := s.ReadUint32s(d.state, 0, now[:]); err != nil {
		return cuda.Counts{}, err
	}
	if reached {
		d.rest += time.Since(begin)
	}
	var awake, arcs uint64
	if d.tiles != nil && !reached {
		var err error
		if awake, arcs, err = d.tiles.read(); err != nil {
			return cuda.Counts{}, err
		}
	}
	c := cuda.Counts{Awake: awake + now.vertices() - d.last.vertices(), Arcs: arcs + now.arcs() - d.last.arcs(), Next: 1}
	c.Account, c.Atomics = d.account(now, false), c.Awake+c.Arcs
	d.last = now
	switch {
	case now.done():
		c.Next = 0
	case d.slow(now):
		c.Account = d.account(now, true)
		return c, d.hand(s, &c)
	}
	return c, nil
}

// start launches what is to be done, and behind it what brings the components once all are found.
func (d *device) start(s *cuda.Session, superstep int) error {
	if superstep == 0 {
		if err := d.state.Fill(0, stateBytes, 0); err != nil {
			return err
		}
		if err := d.launch(s, "scc_init"); err != nil {
			return err
		}
	} else if err := d.state.Fill(0, barriersBytes, 0); err != nil {
		return err
	}
	names := []string{"scc_reach", "scc_classes", "scc_rest"}
	if d.tiles != nil && !d.last.reached() {
		names[0] = "scc_adopt"
		if superstep == 0 {
			if err := d.tiles.start(); err != nil {
				return err
			}
		}
		if err := d.tiles.launch(); err != nil {
			return err
		}
	}
	if d.last.reached() {
		names = names[2:]
	}
	for _, name := range names {
		if err := d.launch(s, name); err != nil {
			return err
		}
	}
	for _, l := range d.kernels {
		if l.limit > 0 {
			l.args.SetUint64(l.limit, laterLimit)
		}
	}
	return s.LaunchBringer(d.bringer)
}

func (d *device) launch(s *cuda.Session, name string) error {
	l := d.kernels[name]
	if l.limit > 0 {
		return s.LaunchCooperative(l.kernel, l.blocks, deviceThreads, l.args)
	}
	return s.Launch(l.kernel, l.blocks, plainThreads, l.args)
}

// slow tells whether the host would be faster with what is left.
func (d *device) slow(now status) bool {
	if !now.reached() {
		return d.tiles == nil && now.vertices() < thinRound*now.rounds()
	}
	return d.rest > d.onHost(now)
}

// onHost is how long the host would take with what is left outside the pivot's
// component.
func (d *device) onHost(now status) time.Duration {
	left := time.Duration(max(now.left(0), now.left(1)))
	return left*hostLeft + time.Duration(d.n)*hostOther + hostLeast
}

// hand has the host find the components that are left. When its context ends,
// the engine stops the run at its next look.
func (d *device) hand(s *cuda.Session, c *cuda.Counts) error {
	if err := d.read(d.component); err != nil {
		return err
	}
	finish(d.ctx, s.Graph().Host.Out(), d.answer)
	d.handed = true
	if d.ctx.Err() == nil {
		c.Next = 0
	}
	return nil
}

// End copies the components.
func (d *device) End(*cuda.Session) error {
	switch {
	case d.handed:
		return nil
	case d.bringer != nil && d.last.done():
		d.bring.Done = true
		return d.read(d.bringer.To[0])
	}
	return d.read(d.component)
}

func (d *device) read(component *driver.Buffer) error {
	d.answer = mem.Take[uint32](int(d.n))
	return component.Read(0, mem.Bytes(d.answer))
}

// status is the state of the kernels (State in kernels/scc.cu), in words of 4
// bytes.
type status [stateBytes / 4]uint32

const (
	stateLeft     = 58
	stateRounds   = 62
	stateVertices = 64
	stateArcs     = 66
	stateReached  = 73
	statePhase    = 74
	stateBytes    = 328

	barriersBytes = 64
	phaseDone     = 6
)

func (s *status) word64(i int) uint64 { return binary.LittleEndian.Uint64(mem.Bytes(s[i : i+2])) }
func (s *status) left(i int) uint64   { return s.word64(stateLeft + 2*i) }
func (s *status) rounds() uint64      { return s.word64(stateRounds) }
func (s *status) vertices() uint64    { return s.word64(stateVertices) }
func (s *status) arcs() uint64        { return s.word64(stateArcs) }
func (s *status) reached() bool       { return s[stateReached] != 0 }
func (s *status) done() bool          { return s.reached() && s[statePhase] == phaseDone }
