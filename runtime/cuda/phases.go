package cuda

import (
	"encoding/binary"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// step launches a phase that counts and tallies, and waits for both. It returns what lies
// behind struct Control: times, if the run is traced, and tallies.
func (r *edgeRun) step(entry string) (raw []byte, err error) {
	r.state.count, r.state.arcs = 0, 0
	if !r.emptied {
		if err := r.writeControl(); err != nil {
			return nil, err
		}
	}
	if raw, err = r.tell(entry); err != nil {
		return nil, err
	}
	bits, side := r.state.bits, r.state.side
	r.readControl(raw)
	r.state.bits, r.state.side = bits, side
	r.deposit(raw[controlBytes+r.stamps.bytes():])
	return raw[controlBytes:], nil
}

// tell launches the phase, and has the device tell what became of it or, where there is no
// room for that, copies it.
func (r *edgeRun) tell(entry string) ([]byte, error) {
	t := &r.told
	r.emptied = t.at != 0
	if r.emptied {
		t.expect()
	}
	if err := r.start(entry, r.phaseBlocks()); err != nil {
		return nil, err
	}
	if !r.emptied {
		raw := make([]byte, controlBytes+r.outcome())
		return raw, r.engine.readSmall(r.control, 0, raw)
	}
	if err := r.engine.mark(); err != nil {
		return nil, err
	}
	return t.text, t.wait(r.engine.device)
}

// outcome is the size of what step returns.
func (r *edgeRun) outcome() int {
	_, size := tallyLayout(r.form.Tallies)
	return r.stamps.bytes() + size
}

// deposit hands what was tallied to the program's aggregators.
func (r *edgeRun) deposit(raw []byte) {
	offsets, _ := tallyLayout(r.form.Tallies)
	for i, t := range r.form.Tallies {
		width := cSizes[t.CType()]
		var b [8]byte
		copy(b[:], raw[offsets[i]:offsets[i]+width])
		if raw[offsets[i]+width] != 0 {
			t.Deposit(binary.LittleEndian.Uint64(b[:]))
		}
	}
}

// phaseBlocks is how many blocks a phase over all vertices runs on: as many as
// are resident together. It depends on device and kernel alone, so that sums are
// the same in every run.
func (r *edgeRun) phaseBlocks() int { return r.wide }

func (r *edgeRun) start(entry string, blocks int) error {
	return r.Launch(r.kernels[entry], blocks, stepThreads, r.launch[entry].Args)
}

// phases does one superstep of a program that tallies: it pulls, phase by phase.
func (r *edgeRun) phases(s int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	rec := pregel.StepRecord{Program: r.task.Name(), Superstep: s, Awake: r.state.count, Arcs: r.state.arcs, Direction: pregel.Pull}
	r.stamps.reset()
	b, all := r.state.side&1, r.state.count == uint64(r.graph.N)
	params := paramsBytes(r.form)
	if !all || !r.offered {
		r.turn = 0
	}
	if r.form.Edge != "source_id" && (!all || !r.offered) {
		r.launch["step_emit"].SetBytes(1, params)
		r.launch["step_emit"].with(2, uint32(s)).with(3, b).with(4, uint32(bit(all)))
		r.stamps.stamp(timeEmit, 0)
		if err := r.start("step_emit", r.phaseBlocks()*2); err != nil {
			return records, err
		}
	}
	if err := r.gather(b, uint32(bit(all))); err != nil {
		return records, err
	}
	r.launch["step_apply"].SetBytes(1, params)
	r.launch["step_apply"].with(2, uint32(s)).with(3, b).with(4, uint32(bit(all))).with(5, r.turn)
	r.stamps.stamp(timeApply, 0)
	raw, err := r.step("step_apply")
	if err != nil {
		return records, err
	}
	r.offered = r.layout.local()
	r.turn ^= 1
	r.state.side ^= 1
	rec.Next = r.state.count
	if r.detailed {
		r.room.detail(&r.reasons, &rec, r.stamps.phases(raw, &r.room))
	}
	return append(records, rec), nil
}

// gather combines the messages of vertices that receive many.
func (r *edgeRun) gather(b, all uint32) error {
	if r.layout.columns != nil && all != 0 {
		return r.gatherColumns()
	}
	for k := range r.layout.sides {
		p := r.layout.plans[k]
		items := p.chunkCount + p.wides + (p.mids+3)/4
		if items == 0 {
			continue
		}
		r.launch["step_gather"].with(1, uint32(k)).with(2, b).with(3, all).with(4, r.turn)
		r.stamps.stamp(timeGather, k)
		if err := r.start("step_gather", blocks(int(items), stepThreads/32)); err != nil {
			return err
		}
		if p.hubCount == 0 {
			continue
		}
		r.launch["step_fix"].with(1, uint32(k))
		r.stamps.stamp(timeFix, k)
		if err := r.start("step_fix", blocks(int(p.hubCount), stepThreads/32)); err != nil {
			return err
		}
	}
	return nil
}

// gatherColumns does so when all are awake, on a block for each multiprocessor:
// there is no room for a second column.
func (r *edgeRun) gatherColumns() error {
	c := r.layout.columns
	r.launch["step_columns"].with(2, r.turn)
	r.stamps.stamp(timeGather, 0)
	shape := driver.Shape{Blocks: r.Info().Processors, Threads: columnThreads, Shared: c.shared(r.form.Message.Size)}
	return r.Session.launch(r.kernels["step_columns"], shape, r.launch["step_columns"].Args)
}

// columnThreads are those of a block of step_columns.
const columnThreads = 1024

// arguments are the arguments of one kernel.
type arguments struct{ *driver.Args }

// with replaces a number.
func (a arguments) with(i int, x uint32) arguments {
	a.SetUint32(i, x)
	return a
}
