package cuda

import (
	"encoding/binary"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// A flight is a superstep of a program that tallies, from its launch until the host knows
// what became of it.
type flight struct {
	superstep  int
	place      int    // where it is told
	side, turn uint32 // the frontier, and the offers, that it hears
	all        bool   // are awake
	offered    bool   // the offers are made
	ahead      bool   // it was launched before the one before was told: see ahead.go
	bare       bool   // it keeps no values: see bare.go
	from, to   int    // the places of values
	params     []byte // struct Params, as its kernels have it
	slots      []int  // of the kernels' times, in their order
}

// phases does one superstep of a program that tallies: it pulls, phase by phase.
func (r *edgeRun) phases(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	rec := pregel.StepRecord{Program: r.task.Name(), Superstep: s, Awake: r.state.count, Arcs: r.state.arcs, Direction: pregel.Pull}
	f, err := r.underWay(s)
	if err != nil {
		return records, err
	}
	if err := r.goAhead(f, most); err != nil {
		return records, err
	}
	raw, err := r.land(f)
	if err != nil {
		return records, err
	}
	rec.Next = r.state.count
	if r.detailed {
		r.room.detail(&r.reasons, &rec, r.stamps.phases(raw, f.slots, &r.room))
	}
	return append(records, rec), nil
}

// underWay returns superstep s, launched now unless it has been.
func (r *edgeRun) underWay(s int) (*flight, error) {
	params, all := paramsBytes(r.form), r.state.count == uint64(r.graph.N)
	if f, err := r.early.take(r, params, all); f != nil || err != nil {
		return f, err
	}
	if !all {
		if err := r.again(); err != nil {
			return nil, err
		}
	}
	f := &r.flights[0]
	*f = flight{superstep: s, side: r.state.side & 1, turn: r.turn, all: all, offered: r.offered && all, bare: all && r.bares.has(s), from: r.held, to: r.held, params: params, slots: f.slots[:0]}
	if !f.offered {
		f.turn = 0
	}
	r.leaves(f)
	return f, r.depart(f)
}

// depart launches a superstep's kernels.
func (r *edgeRun) depart(f *flight) error {
	run, all := r.runs.of(r, f), uint32(bit(f.all))
	if r.form.Edge != "source_id" && !f.offered {
		r.launch["step_emit"].run(run, f.params).with(2, uint32(f.superstep)).with(3, all)
		f.stamp(timeEmit, 0)
		if err := r.start("step_emit", r.phaseBlocks()*2); err != nil {
			return err
		}
	}
	if err := r.gather(f, run); err != nil {
		return err
	}
	apply := "step_apply"
	if f.bare {
		apply = "step_bare"
	}
	r.launch[apply].run(run, f.params).with(2, uint32(f.superstep)).with(3, all).with(4, f.how())
	f.stamp(timeApply, 0)
	return r.send(apply, f.place, f.ahead)
}

// How a superstep is done, as bits: the enumeration in kernels/step.cuh.
const (
	tellsApart = 1 << iota
	follows
)

func (f *flight) how() uint32 {
	return uint32(f.place*tellsApart | bit(f.ahead)*follows)
}

// land waits until the host knows what became of a superstep. It returns what lies behind
// struct Control: times, if the run is traced, and tallies.
func (r *edgeRun) land(f *flight) ([]byte, error) {
	raw, err := r.hear(f.place)
	if err != nil {
		return nil, err
	}
	r.deposit(raw[r.stamps.bytes():], f.bare || r.bares.blind)
	r.bares.note(f)
	r.offered, r.turn, r.held = r.layout.local(), r.afterTurn(f.turn), f.to
	r.values = r.places()[f.to]
	r.state.side ^= 1
	r.early.landed(r, f, raw[r.stamps.bytes():])
	return raw, nil
}

// step does a phase that counts and tallies.
func (r *edgeRun) step(entry string) error {
	err := r.send(entry, 0, false)
	if err != nil {
		return err
	}
	raw, err := r.hear(0)
	if err == nil {
		r.deposit(raw[r.stamps.bytes():], false)
	}
	return err
}

// send launches a phase that counts and tallies, and has the device tell what became of it,
// where there is room for that. If it is ahead of the host, the device's clock goes on.
func (r *edgeRun) send(entry string, place int, ahead bool) error {
	t := &r.told[place]
	if !r.emptied {
		c := r.state
		r.state.count, r.state.arcs = 0, 0
		err := r.writeControl()
		if r.state = c; err != nil {
			return err
		}
	}
	r.emptied = t.at != 0
	if r.emptied {
		t.expect()
	}
	if err := r.start(entry, r.phaseBlocks()); err != nil || !r.emptied {
		return err
	}
	if ahead {
		return r.engine.markNext()
	}
	return r.engine.mark()
}

// hear waits for what the phase tells or, where there is no room for that, copies it.
func (r *edgeRun) hear(place int) (raw []byte, err error) {
	t := &r.told[place]
	if raw = t.text; t.at == 0 {
		raw = make([]byte, controlBytes+r.outcome())
		err = r.engine.readSmall(r.control, 0, raw)
	} else {
		err = t.wait(r.engine.device)
	}
	if err != nil {
		return nil, err
	}
	bits, side := r.state.bits, r.state.side
	r.readControl(raw)
	r.state.bits, r.state.side = bits, side
	return raw[controlBytes:], nil
}

// outcome is the size of what hear returns.
func (r *edgeRun) outcome() int {
	_, size := tallyLayout(r.form.Tallies)
	return r.stamps.bytes() + size
}

// deposit hands what was tallied to the program's aggregators. blind: values, or those before, were not there, so
// that no change is known.
func (r *edgeRun) deposit(raw []byte, blind bool) {
	offsets, _ := tallyLayout(r.form.Tallies)
	for i, t := range r.form.Tallies {
		if blind && t.Change {
			t.Deposit(unknown(t))
		} else if bits, has := tallied(raw[offsets[i]:], cSizes[t.CType()]); has {
			t.Deposit(bits)
		}
	}
}

// tallied reads a number of a few bytes, and whether there is any.
func tallied(raw []byte, width int) (bits uint64, has bool) {
	var b [8]byte
	copy(b[:], raw[:width])
	return binary.LittleEndian.Uint64(b[:]), raw[width] != 0
}

// phaseBlocks is how many blocks a phase over all vertices runs on: as many as
// are resident together. It depends on device and kernel alone, so that sums are
// the same in every run.
func (r *edgeRun) phaseBlocks() int { return r.wide }

func (r *edgeRun) start(entry string, blocks int) error {
	return r.Launch(r.kernels[entry], blocks, stepThreads, r.launch[entry].Args)
}

// gather combines the messages of vertices that receive many.
func (r *edgeRun) gather(f *flight, run []byte) error {
	if r.layout.columns != nil && f.all {
		return r.gatherColumns(f, run)
	}
	r.launch["step_gather"].SetBytes(0, run)
	for k := range r.layout.sides {
		p := r.layout.plans[k]
		items := p.chunkCount + p.wides + (p.mids+3)/4
		if items == 0 {
			continue
		}
		r.launch["step_gather"].with(1, uint32(k)).with(2, uint32(bit(f.all)))
		f.stamp(timeGather, k)
		if err := r.start("step_gather", blocks(int(items), stepThreads/32)); err != nil {
			return err
		}
		if p.hubCount == 0 {
			continue
		}
		r.launch["step_fix"].with(1, uint32(k))
		f.stamp(timeFix, k)
		if err := r.start("step_fix", blocks(int(p.hubCount), stepThreads/32)); err != nil {
			return err
		}
	}
	return nil
}

// gatherColumns does so when all are awake, on a block for each multiprocessor:
// there is no room for a second column.
func (r *edgeRun) gatherColumns(f *flight, run []byte) error {
	c := r.layout.columns
	r.launch["step_columns"].SetBytes(0, run)
	f.stamp(timeGather, 0)
	shape := driver.Shape{Blocks: r.Info().Processors, Threads: columnThreads, Shared: c.shared(r.form.Message.Size)}
	return r.Session.launch(r.kernels["step_columns"], shape, r.launch["step_columns"].Args)
}

// columnThreads are those of a block of step_columns.
const columnThreads = 1024

// arguments are the arguments of one kernel.
type arguments struct{ *driver.Args }

// run replaces struct Run and struct Params.
func (a arguments) run(run, params []byte) arguments {
	a.SetBytes(0, run)
	a.SetBytes(1, params)
	return a
}

// with replaces a number.
func (a arguments) with(i int, x uint32) arguments {
	a.SetUint32(i, x)
	return a
}
