package cuda

import (
	"encoding/binary"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// step launches a phase that counts and tallies, and reads both in one copy.
func (r *edgeRun) step(entry string, s int) error {
	r.state.count, r.state.arcs = 0, 0
	if err := r.writeControl(); err != nil {
		return err
	}
	blocks := r.phaseBlocks(entry)
	if err := r.start(entry, blocks); err != nil {
		return err
	}
	_, size := tallyLayout(r.form.Tallies)
	if !r.tallies() {
		size = 0
	} else if err := r.Launch(r.kernels["step_tally"], 1, stepThreads, r.launch["step_tally"].with(1, uint32(blocks)).Args); err != nil {
		return err
	}
	raw := make([]byte, controlBytes+size)
	if err := r.engine.readSmall(r.control, 0, raw); err != nil {
		return err
	}
	bits, side := r.state.bits, r.state.side
	r.readControl(raw)
	r.state.bits, r.state.side = bits, side
	r.deposit(raw[controlBytes:])
	return nil
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

// phaseBlocks is how many blocks a phase over all vertices runs on. It depends
// on nothing but the device, so that sums are the same in every run.
func (r *edgeRun) phaseBlocks(string) int { return r.Info().Processors * 8 }

func (r *edgeRun) start(entry string, blocks int) error {
	return r.Launch(r.kernels[entry], blocks, stepThreads, r.launch[entry].Args)
}

// phases does one superstep of a program that tallies: it pulls, phase by phase.
func (r *edgeRun) phases(s int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	rec := pregel.StepRecord{Program: r.task.Name(), Superstep: s, Awake: r.state.count, Arcs: r.state.arcs, Direction: pregel.Pull}
	b, all := r.state.side&1, bit(r.state.count == uint64(r.graph.N))
	both := r.form.Along == pregel.BothEdges
	gathered := bit(all == 1 && !both)
	params := paramsBytes(r.form)
	r.launch["step_emit"].SetBytes(1, params)
	r.launch["step_emit"].with(2, uint32(s)).with(3, b).with(4, uint32(all))
	if r.form.Edge != "source_id" {
		if err := r.start("step_emit", r.phaseBlocks("")*2); err != nil {
			return records, err
		}
	}
	for k := range r.layout.sides {
		r.launch["step_gather"].with(1, uint32(k)).with(2, b).with(3, uint32(all))
		if err := r.start("step_gather", r.gatherBlocks(k)); err != nil {
			return records, err
		}
		r.launch["step_fix"].with(1, uint32(k)).with(2, uint32(all))
		if err := r.start("step_fix", r.phaseBlocks("")); err != nil {
			return records, err
		}
	}
	r.launch["step_apply"].SetBytes(1, params)
	r.launch["step_apply"].with(2, uint32(s)).with(3, b).with(4, uint32(gathered)).with(5, 1)
	if err := r.step("step_apply", s); err != nil {
		return records, err
	}
	r.state.side ^= 1
	rec.Next = r.state.count
	return append(records, rec), nil
}

// gatherBlocks gives every tile a warp, so that the device balances them.
func (r *edgeRun) gatherBlocks(k int) int {
	return max(blocks(int(r.layout.plans[k].tiles), stepThreads/32), 1)
}

// arguments are the arguments of one kernel.
type arguments struct{ *driver.Args }

// with replaces a number.
func (a arguments) with(i int, x uint32) arguments {
	a.SetUint32(i, x)
	return a
}
