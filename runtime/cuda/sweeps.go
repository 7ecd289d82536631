package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// sweeping is an edge program that runs in place on a graph with hubs, by pushes
// and bounded sweeps: kernels/step_sweeps.cuh. It is for programs that keep the law
// of pregel.Relaxer.
type sweeping struct {
	session *Session
	form    pregel.Form
	lists   *sweepLists

	values, box, offers, bounds, control *driver.Buffer
	bits, list, chunks                   [2]*driver.Buffer
	reset, first, look, loop             *driver.Kernel
	firstArgs, loopArgs                  *driver.Args
	blocks                               int

	rounds   int
	finished bool
}

// sweepLists are the arcs of a run by sweeps.
type sweepLists struct {
	send, receive *CSR
	first         *Lightest // of receive; nil: it is in no order
	end           uint32    // of the vertices that receive
	extreme       uint32    // the bits of the weight that makes the most of an offer
}

// Sizes and places within struct SweepControl of kernels/step_sweeps.cuh; records,
// struct SweepRecord, follow it.
const (
	sweepControlBytes = 160
	sweepNext         = 32
	sweepNone         = 152
	sweepRecordBytes  = 32
	sweepThreads      = 512
)

// A sweep has changed few vertices if they are one of sweepShare of those that look, or fewer;
// where that is less than sweepLeast, sweeps take no longer than pushes. programs/sssp goes by this, too.
const (
	sweepShare = 128
	sweepLeast = 8192
)

// A sweepProbe is what tests change, where it has defines: how kernels are compiled, how long a launch may take, and
// how many vertices are few.
type sweepProbe struct {
	defines []string
	limit   time.Duration
	few     uint32
}

// sweepOrder is the order of arcs in which those come first that make the most of an
// offer.
func sweepOrder(f pregel.Form) ArcOrder {
	if f.Combine == "max" {
		return HeaviestFirst
	}
	return LightestFirst
}

// sweepable tells whether sweeps can be bounded for a program on a graph. Who has said nothing offers the
// combiner's identity, which has to stay what it is along an arc (what source_id sends does not depend on what is
// offered); and of two offers and two arcs the better ones together have to make the best message there is: whole
// numbers, which wrap around, may do so only to where that is sent along more arcs than need be.
func sweepable(f pregel.Form, r graph.WeightRange, arcs uint64) bool {
	if f.Edge == "" || f.Edge == "copy" || f.Edge == "source_id" {
		return true
	}
	real := strings.HasPrefix(f.Message.Definition, "typedef float") || strings.HasPrefix(f.Message.Definition, "typedef double")
	switch {
	case r.NotFinite < arcs || !real && (r.Least < 0 || r.Most > math.MaxInt32):
		return false
	case f.Edge == "plus_weight":
		return f.Combine == "min" || f.Combine == "max" && real
	case f.Edge == "times_weight":
		return f.Combine != "or" && real
	}
	return f.Edge == "min_weight" && f.Combine == "max"
}

// sweepLists returns what a run by sweeps needs, nil where they do not pay or there is no such form: the graph
// has not been reordered, has no hubs, or is one for tiles; arcs are sent along both directions; sweeps
// could not be bounded; the engine is held to pushing; or there is no room.
func (s *Session) sweepLists(f pregel.Form) (*sweepLists, error) {
	g := s.graph
	held, both := s.engine.Direction != pregel.Auto, g.Directed && f.Along == pregel.BothEdges
	if held || g.slim || !g.Host.Reordered() || both || int(g.N) <= s.engine.tile || s.engine.InTiles(g.Host) {
		return nil, nil
	}
	if skewed, err := g.Skewed(g.out); err != nil || !skewed || !sweepable(f, g.Host.WeightRange(), g.out.Arcs) {
		return nil, err
	}
	in, err := g.In()
	if err == nil {
		return s.sweepSides(f, in)
	}
	return nil, unlessFull(err)
}

// sweepSides finds which arcs are sent and received along.
func (s *Session) sweepSides(f pregel.Form, in *CSR) (*sweepLists, error) {
	g := s.graph
	l := &sweepLists{send: g.out, receive: in}
	if f.Along == pregel.InEdges {
		l.send, l.receive = in, g.out
	}
	l.end = WithArcs(g.hostOf(l.receive))
	if !weighs(f) || g.out.Kind == graph.Unweighted {
		return l, nil
	}
	var err error
	order := sweepOrder(f)
	if l.first, l.receive, err = g.Lightest(l.receive, order); err != nil || l.first == nil {
		return nil, err
	}
	l.extreme = extremeWeight(g.Host, order)
	return l, nil
}

// unlessFull is an error but for one that tells of no room.
func unlessFull(err error) error {
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		return nil
	}
	return err
}

// extremeWeight is the first weight of all in an order, as its bits.
func extremeWeight(g *graph.Graph, o ArcOrder) uint32 {
	w := g.WeightRange().Least
	if o == HeaviestFirst {
		w = g.WeightRange().Most
	}
	if g.Weighted() == graph.Float32 {
		return math.Float32bits(float32(w))
	}
	return uint32(int32(w))
}

func assembleSweeps(f pregel.Form) (program, error) { return assembleWith(f, "step_sweeps.cuh") }

// sweep prepares to run an edge program by sweeps.
func (s *Session) sweep(f pregel.Form, l *sweepLists) (*sweeping, error) {
	x := &sweeping{session: s, form: f, lists: l}
	if err := x.compile(); err != nil {
		return nil, err
	}
	return x, x.allocate()
}

// sweepDefines are what the kernels must know of the lists.
func (l *sweepLists) defines() []string {
	switch {
	case l.first == nil:
		return []string{"HEADED=0"}
	case l.first.Packed:
		return []string{"PACKED=1"}
	}
	return nil
}

func (x *sweeping) compile() error {
	e := x.session.engine
	program, err := assembleSweeps(x.form)
	if err != nil {
		return err
	}
	defines := append(x.session.graph.defines(), x.lists.defines()...)
	defines = append(defines, e.sweepProbe.defines...)
	for _, k := range []struct {
		entry string
		to    **driver.Kernel
	}{{"sweeps_begin", &x.reset}, {"sweeps_init", &x.first}, {"sweeps_bounds", &x.look}, {"step_sweeps", &x.loop}} {
		if *k.to, err = e.programKernel(program, k.entry, defines); err != nil {
			return err
		}
	}
	x.blocks, err = e.grid(x.loop, sweepThreads, 0)
	return err
}

func (x *sweeping) allocate() error {
	s, n := x.session, uint64(x.session.graph.N)
	words, message := (n+31)/32*4, uint64(x.form.Message.Size)
	chunks := sweepChunks(x.lists.send.Arcs)
	for _, b := range []struct {
		to    **driver.Buffer
		bytes uint64
		what  string
	}{
		{&x.values, n * uint64(x.form.Value.Size), "values"}, {&x.box, n * message, "messages"}, {&x.offers, n * message, "offers"},
		{&x.bits[0], words, "bits of vertices"}, {&x.bits[1], words, "bits of vertices"},
		{&x.list[0], 4 * n, "list of vertices"}, {&x.list[1], 4 * n, "list of vertices"},
		{&x.chunks[0], chunks, "list of chunks"}, {&x.chunks[1], chunks, "list of chunks"},
		{&x.bounds, 12, "bounds of long lists"}, {&x.control, sweepControlBytes + (mostRecords+1)*sweepRecordBytes, "counters"},
	} {
		var err error
		if *b.to, err = s.Buffer(b.bytes, b.what); err != nil {
			return err
		}
	}
	run, params := x.layout(), paramsBytes(x.form)
	x.firstArgs = driver.NewArgs().Bytes(run).Bytes(params).Uint32(0)
	x.loopArgs = driver.NewArgs().Bytes(run).Bytes(params).Uint32(0).Uint32(0)
	if err := x.bounds.Fill(0, 12, 0); err != nil {
		return err
	}
	return s.Launch(x.look, 4*s.Info().Processors, 256, driver.NewArgs().Uint32(s.graph.N).Buffer(x.lists.receive.Offsets).Buffer(x.bounds))
}

// sweepChunks are the bytes of a list of chunks: kernels/worklist.cuh.
func sweepChunks(arcs uint64) uint64 { return 8 * (3*arcs/256 + 1) }

// layout makes struct SweepRun.
func (x *sweeping) layout() []byte {
	l, first, few, limit := x.lists, x.lists.first, FewOf(x.lists.end), deviceBudget
	if first == nil {
		first = &Lightest{}
	}
	if p := x.session.engine.sweepProbe; p.defines != nil {
		few, limit = p.few, p.limit
	}
	w := &structure{}
	w.u32(x.session.graph.N, uint32(bit(x.form.Given)))
	w.buffers(l.send.Offsets, l.send.Targets, l.send.Weights, l.receive.Offsets, l.receive.Targets, l.receive.Weights)
	w.buffers(first.Arcs, first.Weights, x.bounds, x.values, x.box, x.offers, x.bits[0], x.bits[1], x.list[0], x.list[1], x.chunks[0], x.chunks[1], x.control)
	w.u64(x.control.Address() + sweepControlBytes)
	w.u32(l.extreme, few)
	w.u64(uint64(limit))
	return w.b
}

// FewOf is how many of the vertices that look are few, 0 if that is not asked.
func FewOf(vertices uint32) uint32 {
	if few := vertices / sweepShare; few >= sweepLeast {
		return few
	}
	return 0
}

// Finished tells that no vertex has anything new to say.
func (x *sweeping) Finished() bool { return x.finished }

// Start sets all values.
func (x *sweeping) Start() error {
	x.rounds = 0
	return x.begin(false)
}

// begin makes offers of first values, or, if a run goes on, of those that are there.
func (x *sweeping) begin(goesOn bool) error {
	x.finished = false
	x.firstArgs.SetUint32(2, uint32(bit(goesOn)))
	if err := x.session.Launch(x.reset, 1, 32, driver.NewArgs().Buffer(x.control)); err != nil {
		return err
	}
	return x.session.Launch(x.first, 4*x.session.Info().Processors, 256, x.firstArgs)
}

// Advance does up to so many rounds, and appends a record of each.
func (x *sweeping) Advance(name string, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	for _, at := range []uint64{0, sweepControlBytes} { // barriers, and the first record
		if err := x.control.Fill(at, sweepRecordBytes, 0); err != nil {
			return records, err
		}
	}
	x.loopArgs.SetUint32(2, uint32(min(most, mostRecords)))
	x.loopArgs.SetUint32(3, uint32(x.rounds))
	if err := x.session.LaunchCooperative(x.loop, x.blocks, sweepThreads, x.loopArgs); err != nil {
		return records, err
	}
	return x.read(name, records)
}

// read waits for the rounds, and appends their records.
func (x *sweeping) read(name string, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	e := x.session.engine
	raw := make([]byte, sweepControlBytes+firstRecords*sweepRecordBytes)
	if err := e.readSmall(x.control, 0, raw); err != nil {
		return records, err
	}
	next, done := binary.LittleEndian.Uint64(raw[sweepNext:]), int(binary.LittleEndian.Uint32(raw[sweepNext+8:]))
	if x.finished = next == 0; done > firstRecords {
		raw = append(raw, make([]byte, (done-firstRecords)*sweepRecordBytes)...)
		at := uint64(sweepControlBytes + firstRecords*sweepRecordBytes)
		if err := e.readSmall(x.control, at, raw[at:]); err != nil {
			return records, err
		}
	}
	for i := range done {
		r := mem.View[uint64](raw[sweepControlBytes+i*sweepRecordBytes:][:sweepRecordBytes])
		if n := len(records); i > 0 {
			records[n-1].Next = r[0] // those that were awake in this one
		}
		direction := pregel.Push
		if r[3] != 0 {
			direction = pregel.Pull
		}
		records = append(records, pregel.StepRecord{Program: name, Superstep: x.rounds + i, Awake: r[0], Arcs: r[1], Next: next,
			Time: time.Duration(r[2]), Direction: direction, List: r[3] == 0, Relaxed: true})
	}
	x.rounds += done
	return records, nil
}
