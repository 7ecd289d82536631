package cuda

import (
	"math"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
	"gopregel/runtime/superstep"
)

// layout is struct Run of kernels/step.cuh, in the making: which arrays an edge
// program has on the device.
type layout struct {
	run           *edgeRun
	sides         int // directions it sends along
	send, receive [2]*CSR
	plans         [2]*schedule
	direction     pregel.Direction
	why           pregel.Choice // of the direction, where that is the whole run's
	pulls, pushes bool          // may
	boxed         bool          // see step.cuh
	signals       bool          // see step.cuh
	ranks         *ranks
	columns       *columns
	heavy         bool // a vertex that sends has heavyArcs or more
	seeks         bool // see step.cuh
	near          *driver.Buffer
	boxes         *boxes // resident ones
	err           error
}

// arrays are the buffers of struct Run, in its order; nil for those not needed.
type arrays struct {
	receivers, values, settled, waiting, chunk, control *driver.Buffer
	kept, seekers, later                                *driver.Buffer
	box, touched, offers, list, partial, heard          [2]*driver.Buffer
	awake                                               [3]*driver.Buffer
}

// pullAlpha is the share of the arcs, 1 in so many, above which a program that
// stops at the first awake neighbour pulls.
const pullAlpha = 64

// lay finds what the program needs of the graph.
func (r *edgeRun) lay() (*layout, error) {
	l := &layout{run: r, sides: 1, seeks: seeks(r.form), signals: signals(r.form)}
	l.boxed = first(r.form) && r.form.Edge == "source_id" && r.form.Combine == "min" && !l.signals
	l.choose()
	l.arcs()
	l.heavies()
	l.seek()
	return l, l.err
}

// threads is how many the superstep loop has on a multiprocessor, all in one block: more
// hide what others wait for, but make barriers dearer, which is most of the time where
// frontiers are small; and beyond 768 a thread has too few registers for the loop.
func (l *layout) threads() int {
	if l.heavy {
		return 768
	}
	return 512
}

// allocate makes the arrays, and the arguments of all kernels.
func (r *edgeRun) allocate() error {
	l := r.layout
	a := l.arrays()
	if l.err != nil {
		return l.err
	}
	r.arrays, r.values, r.control = a, a.values, a.control
	if r.tallies() {
		r.told = toldPlaces(r.engine.pinned, controlBytes+r.outcome(), r.engine.toldRoom)
		r.arrays.later = l.later()
	}
	own, err := r.bringer()
	if err != nil {
		return err
	}
	run := r.runs.of(r, &flight{})
	if l.err != nil {
		return l.err
	}
	params := paramsBytes(r.form)
	args := func(withParams bool, numbers int) *driver.Args {
		x := driver.NewArgs().Bytes(run)
		if withParams {
			x.Bytes(params)
		}
		for range numbers {
			x.Uint32(0)
		}
		return x
	}
	r.launch = map[string]arguments{
		"step_loop": {args(true, 2)}, "step_init": {args(true, 0)}, "step_emit": {args(true, 2)}, "step_gather": {args(false, 2)},
		"step_fix": {args(false, 1)}, "step_apply": {args(true, 3)}, "step_bare": {args(true, 3)},
	}
	if l.columns != nil {
		r.launch["step_columns"] = arguments{driver.NewArgs().Bytes(run).Bytes(l.columns.bytes())}
	}
	if r.bring.to != nil {
		r.launch["step_bring"] = r.bringArgs(own, run, params)
	}
	return nil
}

// choose settles which directions the program may take, as on the CPU: in-arcs
// that the host would have to make first are not worth a choice.
func (l *layout) choose() {
	f, e := l.run.form, l.run.engine
	l.direction = e.Direction
	if l.direction != pregel.Auto {
		l.why.Rule = superstep.Asked
	}
	canReceive := f.Along != pregel.OutEdges || !l.run.graph.Directed || l.run.graph.Host.HasIn()
	switch {
	case len(f.Tallies) > 0:
		l.direction, l.why.Rule = pregel.Pull, talliesPull
	case e.Strict && !f.Exact:
		l.direction, l.why.Rule = pregel.Pull, superstep.StrictPulls
	case l.direction == pregel.Auto && f.Silent && !f.Exact:
		l.direction, l.why.Rule = pregel.Pull, superstep.SumsPull
	case l.direction == pregel.Auto && !canReceive:
		l.direction, l.why.Rule = pregel.Push, cannotPull
	}
	l.pulls, l.pushes = l.direction != pregel.Push, l.direction != pregel.Pull
}

// arcs finds the arcs to send and receive along, and the schedules of the latter.
func (l *layout) arcs() {
	g := l.run.graph
	in := func() *CSR {
		c, err := g.In()
		l.fail(err)
		return c
	}
	f := l.run.form
	switch {
	case !g.Directed:
		l.send[0], l.receive[0] = g.out, g.out
	case f.Along == pregel.BothEdges:
		l.sides = 2
		l.send = [2]*CSR{g.out, in()}
		l.receive = l.send
	case f.Along == pregel.InEdges:
		l.send[0], l.receive[0] = in(), g.out
	default:
		l.send[0] = g.out
		if l.pulls {
			l.receive[0] = in()
		}
	}
	for k := range l.sides {
		if l.err == nil && l.pulls {
			s, err := g.plan(l.receive[k], g.hostOf(l.receive[k]))
			l.fail(err)
			l.plans[k] = s
		}
	}
	// Whether there is room for ranks must not show in a sum that is to be the same.
	steady := f.Exact || !l.run.engine.Strict
	if l.err == nil && l.pulls && hearsAll(f) && l.sides == 1 && steady {
		l.order()
	}
}

// seek has the first neighbours side by side, for vertices that seek an awake one,
// and boxes that need no reset.
func (l *layout) seek() {
	g, f := l.run.graph, l.run.form
	var err error
	if l.err == nil && l.seeks && l.pulls && l.sides == 1 && g.Host.Reordered() && g.Descending() {
		l.near, err = g.First(l.receive[0])
		l.fail(err)
	}
	if l.err == nil && l.seeks && l.pushes && !l.signals && !g.slim {
		l.boxes, err = g.boxesOf(f.Message.Definition+f.Identity, f.Message.Size)
		l.fail(err)
	}
}

// hearsAll tells whether all are heard as they are, be they awake or not.
func hearsAll(f pregel.Form) bool { return !first(f) && f.Silent && (f.Edge == "" || f.Edge == "copy") }

// columnable tells whether messages can be gathered by columns.
func columnable(f pregel.Form) bool {
	return hearsAll(f) && len(f.Tallies) > 0 && (f.Message.Size == 4 || f.Message.Size == 8)
}

// order has the arcs in an order that is good for hearing all neighbours.
func (l *layout) order() {
	g, f := l.run.graph, l.run.form
	var err error
	if columnable(f) {
		l.columns, err = g.column(l.send[0], l.receive[0], f.Message.Size)
		l.fail(err)
	}
	if l.err == nil && l.columns == nil {
		l.ranks, err = g.rank(l.send[0], l.receive[0])
		l.fail(err)
	}
}

func (l *layout) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *layout) buffer(on bool, bytes uint64, what string) *driver.Buffer {
	if !on || l.err != nil {
		return nil
	}
	b, err := l.run.Buffer(bytes, what)
	l.fail(err)
	return b
}

func (l *layout) arrays() arrays {
	f := l.run.form
	n, words := uint64(l.run.graph.N), (uint64(l.run.graph.N)+31)/32*4
	message := uint64(f.Message.Size)
	gathers := l.pulls && !l.first()
	a := arrays{
		values:  l.buffer(true, n*uint64(f.Value.Size), "values"),
		settled: l.buffer(f.Settles, words, "settled vertices"),
		waiting: l.buffer(f.Waits, words, "waiting vertices"),
		control: l.buffer(true, controlBytes+l.tail(), "counters"),
	}
	for i := range 2 {
		if l.boxes != nil {
			a.box[i] = l.boxes.pair[i]
		} else {
			a.box[i] = l.buffer((l.pushes || gathers && i == 0) && !l.signals, n*message, "messages")
		}
		a.touched[i] = l.buffer(!l.boxed && (l.pushes || gathers && i == 0), words, "vertices with messages")
		a.offers[i] = l.buffer(l.pulls && f.Edge != "source_id" && (i == 0 || l.local()), n*message, "offers")
		a.list[i] = l.buffer(l.pushes || f.Waits, n*4, "frontier list")
	}
	for i := range a.awake {
		a.awake[i] = l.buffer(i < 2 || l.seeks, words, "frontier bitmap")
	}
	a.kept = l.buffer(l.lazy(), words, "vertices with values")
	a.seekers = a.list[0]
	if l.seeks && l.pulls && a.seekers == nil {
		a.seekers = l.buffer(true, n*4, "list of vertices that seek")
	}
	if l.err == nil && l.pulls {
		a.receivers = l.receivers(words)
	}
	chunks := uint64(0)
	for k := range l.sides {
		if l.send[k] != nil {
			chunks += l.send[k].Arcs/heavyArcs*3 + 3 // one more than 128 arcs each make
		}
		if gathers && l.plans[k] != nil {
			a.partial[k] = l.buffer(true, uint64(l.plans[k].chunkCount)*message, "sums of chunks")
			a.heard[k] = l.buffer(true, uint64(l.plans[k].chunkCount), "marks of sums")
		}
	}
	a.chunk = l.buffer(l.pushes, chunks*8, "chunks of hubs")
	return a
}

// first tells whether the program stops at the first awake neighbour when it
// pulls. Programs that tally look at all.
func (l *layout) first() bool { return first(l.run.form) }

func first(f pregel.Form) bool { return f.First && len(f.Tallies) == 0 }

// seeks tells whether vertices settle that stop at the first: see step.cuh.
func seeks(f pregel.Form) bool { return first(f) && f.Settles && !f.Silent && !f.Waits }

// signals tells whether a message is but a bit: see step.cuh.
func signals(f pregel.Form) bool { return f.Signals && seeks(f) && f.Edge == "source_id" }

// lazy tells whether values that nothing has changed are written at the end.
func (l *layout) lazy() bool { return l.seeks && !l.run.form.Given }

// lazyEnds is LAZY_ENDS in kernels/step.cuh.
const lazyEnds = 2

// begins tells whether the loop itself can set what is to be set at first: bits.
func (l *layout) begins() bool {
	return l.lazy() && (!l.pushes || l.signals || l.boxes != nil && l.boxes.clean)
}

// ends is how many words of bits there are of vertices with arcs to receive along.
func (l *layout) ends() uint32 {
	if l.columns == nil && (!l.seeks || !l.pulls || l.sides > 1) {
		return (l.run.graph.N + 31) / 32
	}
	return (WithArcs(l.run.graph.hostOf(l.receive[0])) + 31) / 32
}

// local tells whether applying makes the offers of the next superstep too.
func (l *layout) local() bool { return l.run.form.Local && l.run.tallies() }

// mutual tells whether messages are received along the arcs that they are sent along.
func (l *layout) mutual() bool { return l.sides == 1 && l.receive[0] == l.send[0] }

// tail is what follows struct Control: records, or the tallies of all blocks.
func (l *layout) tail() uint64 {
	if l.run.tallies() {
		_, size := tallyLayout(l.run.form.Tallies)
		return uint64(l.run.stamps.bytes() + size*(1+l.run.phaseBlocks()))
	}
	return uint64(mostRecords+2) * uint64(l.run.recordBytes()) // the loop empties two ahead
}

// receivers is the set of vertices with arcs to receive along, on either side.
func (l *layout) receivers(words uint64) *driver.Buffer {
	if l.sides == 1 {
		return l.plans[0].receivers
	}
	b := l.buffer(true, words, "receivers")
	if l.err != nil {
		return nil
	}
	for k := range 2 {
		l.fail(l.run.graph.mark(l.receive[k], b, k > 0, 1, math.MaxUint64))
	}
	return b
}

// heavyArcs is HEAVY in kernels/step.cuh.
const heavyArcs = 256

// heavies finds whether a vertex that sends has many arcs.
func (l *layout) heavies() {
	for k := range l.sides {
		if l.err == nil && !l.heavy {
			has, err := l.run.graph.reaches(l.send[k], heavyArcs/uint64(l.sides))
			l.heavy = has
			l.fail(err)
		}
	}
}

// bytes writes struct Run.
func (l *layout) bytes(a arrays) []byte {
	g := l.run.graph
	w := &structure{}
	w.u32(g.N, (g.N+31)/32, uint32(l.sides), l.ends())
	for _, side := range [][2]*CSR{l.send, l.receive} {
		for _, c := range side {
			if c == nil {
				c = &CSR{}
			}
			w.buffers(c.Offsets, c.Targets, c.Weights)
		}
	}
	total := uint64(0)
	for k := range 2 {
		s := l.plans[k]
		if s == nil {
			s = &schedule{}
		}
		w.buffers(s.mid, s.wide, s.hubs, s.first, s.chunks)
		w.u32(s.mids, s.wides, s.hubCount, s.chunkCount)
		if l.send[k] != nil {
			total += l.send[k].Arcs
		}
	}
	if l.ranks == nil {
		l.ranks = &ranks{}
	}
	w.buffers(l.ranks.of, l.ranks.targets)
	w.buffers(a.receivers, l.near, a.values, a.box[0], a.box[1], a.touched[0], a.touched[1], a.offers[0], a.offers[1], a.awake[0], a.awake[1], a.awake[2],
		a.settled, a.waiting, a.kept, a.list[0], a.list[1], a.seekers, a.chunk, a.partial[0], a.partial[1], a.heard[0], a.heard[1], a.control)
	tail := a.control.Address() + controlBytes
	w.u64(tail, tail+uint64(l.run.stamps.bytes()), total)
	w.u32(uint32(l.direction), uint32(bit(l.run.form.Given)), uint32(bit(l.heavy)), math.Float32bits(pullAlpha), uint32(total/uint64(max(g.N, 1))), l.light(),
		uint32(bit(l.lazy())|bit(l.lazy() && l.run.bring.to != nil)*lazyEnds), uint32(bit(l.boxes != nil && l.boxes.clean)))
	told := &l.run.told[0]
	w.u64(uint64(deviceBudget), told.at)
	w.u32(told.words(), uint32(toldApart(len(told.text))/4))
	w.buffers(a.later)
	return w.b
}

// light is the number of arcs below which a vertex hears them when it is applied.
func (l *layout) light() uint32 {
	if l.columns != nil {
		return l.columns.from
	}
	return lightArcs
}
