package cuda

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
	"gopregel/runtime/superstep"
)

// runEdge runs the twin of an edge program.
func (e *Engine) runEdge(ctx context.Context, t pregel.Task, f pregel.Form, l pregel.Limits) pregel.Stop {
	failed := func(err error) pregel.Stop {
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), err)}
	}
	s, err := e.session(t.Graph())
	if err != nil {
		return failed(err)
	}
	defer s.close()
	r := &edgeRun{Session: s, task: t, form: f, detailed: l.Detail}
	r.bares = baresOf(f, l)
	r.stamps.on = l.Detail && r.tallies()
	if err := s.begin(r.prepare); err != nil {
		return failed(err)
	}
	if own, ok := t.(*sourceTask); ok {
		own.run = r
		defer func() { own.run = nil }()
	}
	answered := false
	defer func() { unanswered(f, answered) }()
	stop := superstep.Drive(ctx, t, r, l)
	if err := r.complete(); err != nil && stop.Reason != pregel.Failed {
		return failed(err)
	}
	if r.bares.blind { // a superstep has failed, and so has another for the values before it
		return stop
	}
	if err := r.bringLast(); err != nil && stop.Reason != pregel.Failed {
		return failed(err)
	}
	err = e.finish(r.answer)
	if answered = err == nil; !answered && stop.Reason != pregel.Failed {
		stop.Reason, stop.Err = pregel.Failed, fmt.Errorf("program %s: %w", t.Name(), err)
	}
	return stop
}

// unanswered leaves zeros where no values have come from the device: none are there till the end.
func unanswered(f pregel.Form, answered bool) {
	if !answered && !f.Given {
		clear(f.Values)
	}
}

// edgeRun is an edge program under way: its arrays on the device, and what the
// host knows of its frontier.
type edgeRun struct {
	*Session
	task    pregel.Task
	form    pregel.Form
	layout  *layout
	control *driver.Buffer // struct Control, then records
	values  *driver.Buffer
	arrays  arrays
	launch  map[string]arguments // by kernel
	kernels map[string]*driver.Kernel
	state   control
	blocks  int  // of the loop
	wide    int  // of phases over all vertices
	anew    bool // the first values are yet to be set, right before the loop
	zeroed  bool // the host's values have been, where they are not the device's

	// Of a program that tallies:
	turn    uint32 // which offers are those of this superstep
	offered bool   // they are made
	held    int    // the place of values, of two
	told    [2]told
	emptied bool // the device has emptied its counters, after what it told
	runs    runs
	flights [2]flight // by turns
	early   early
	bares   bares

	bring       bringing
	bringBlocks int

	detailed bool // records are to have details
	reasons  reasons
	room     room // of the records of Run
	stamps   stamps
}

// control is what of struct Control the host reads and writes.
type control struct {
	count, arcs, waiting, current uint64
	superstep, bits, side, done   uint32
}

// Sizes and places within struct Control and Record of kernels/step.cuh.
const (
	controlBytes = 256
	controlState = 32 + 4*32 // barrier words and sums before it
	recordBytes  = 40
	tracedBytes  = recordBytes + 16 + 7*8 // of a record where the run is traced
	mostRecords  = 1 << 12
	firstRecords = 24 // read with the control
)

// deviceBudget is how long the device works before it comes back to the host,
// so that a cancelled run ends.
const deviceBudget = 50 * time.Millisecond

func (r *edgeRun) tallies() bool { return len(r.form.Tallies) > 0 }

func (r *edgeRun) prepare() error {
	program, err := assemble(r.form)
	if err != nil {
		return err
	}
	if r.layout, err = r.lay(); err != nil {
		return err
	}
	r.reasons = r.layout.reasons(r.task.Name())
	defines := append(r.graph.defines(), fmt.Sprintf("THREADS=%d", r.layout.threads()))
	if r.layout.columns != nil {
		defines = append(defines, "COLUMNED=1")
	}
	if r.layout.near != nil {
		defines = append(defines, "NEARED=1")
	}
	if r.layout.mutual() {
		defines = append(defines, "MUTUAL=1")
	}
	if foreseen(r.form) {
		defines = append(defines, "AHEAD=1")
	}
	if r.bares.until > 0 {
		defines = append(defines, "ANEW=1")
	}
	if r.detailed {
		defines = append(defines, "TRACED")
	}
	r.kernels = map[string]*driver.Kernel{}
	for _, entry := range r.entries() {
		if r.kernels[entry], err = r.engine.programKernel(program, entry, defines); err != nil {
			return err
		}
	}
	if err := r.grids(); err != nil {
		return err
	}
	return r.allocate()
}

// grids finds how many blocks of its kernels run at a time.
func (r *edgeRun) grids() (err error) {
	widest := r.kernels["step_apply"]
	if widest == nil {
		widest = r.kernels["step_init"]
	}
	if r.wide, err = r.engine.grid(widest, stepThreads, 0); err != nil {
		return err
	}
	if k := r.kernels["step_loop"]; k != nil {
		if r.blocks, err = r.engine.grid(k, r.layout.threads(), 0); err != nil {
			return err
		}
		r.blocks = min(r.blocks, r.Info().Processors)
	}
	if k := r.kernels["step_bring"]; k != nil {
		if r.bringBlocks, err = r.engine.grid(k, stepThreads, 0); err != nil {
			return err
		}
	}
	if k := r.kernels["step_columns"]; k != nil {
		return k.AllowShared(r.layout.columns.shared(r.form.Message.Size))
	}
	return nil
}

// entries are the kernels that the program runs.
func (r *edgeRun) entries() []string {
	if r.tallies() {
		list := []string{"step_init", "step_emit", "step_gather", "step_fix", "step_apply"}
		if r.layout.columns != nil {
			list = append(list, "step_columns")
		}
		if r.bares.until > 0 {
			list = append(list, "step_bare")
		}
		return r.brings(list)
	}
	return r.brings([]string{"step_init", "step_loop"})
}

// Init sets all values, on the device.
func (r *edgeRun) Init() error {
	if r.form.Given {
		if err := r.values.Write(0, r.form.Values); err != nil {
			return r.failed(-1, err)
		}
	}
	r.state = control{bits: 1}
	if !r.tallies() {
		r.anew = true
		return nil
	}
	err := r.engine.begin()
	if err == nil {
		err = r.step("step_init")
		r.early.since = time.Now()
	}
	return r.failed(-1, err)
}

// Pending counts the awake vertices. The loop finds out itself whether any is
// awake at first: the host does not wait for that.
func (r *edgeRun) Pending() uint64 {
	if r.anew {
		return 1
	}
	return r.state.count + r.state.waiting
}

// Run does supersteps on the device: one when the program is asked between
// them, else as many as the device gets done.
func (r *edgeRun) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	r.room.reset()
	if r.tallies() {
		records, err := r.phases(s, most, records)
		return records, r.failed(s, err)
	}
	if r.form.Asks {
		most = 1
	}
	n, err := r.loop(s, min(most, mostRecords))
	if err != nil {
		return records, r.failed(s, err)
	}
	for i := range n.count {
		records = append(records, n.record(i, s+i, &r.room))
	}
	return records, nil
}

// Postpone does supersteps as Run does, where the program is not asked between them, and
// leaves their records to be made later.
func (r *edgeRun) Postpone(s, most int) (*pregel.Backlog, error) {
	if r.form.Asks || r.tallies() {
		return nil, nil
	}
	n, err := r.loop(s, min(most, mostRecords))
	if err != nil {
		return nil, r.failed(s, err)
	}
	return &pregel.Backlog{Superstep: s, Count: n.count, Make: n.each}, nil
}

func (r *edgeRun) failed(s int, err error) error {
	if err == nil {
		return nil
	}
	return &pregel.ProgramError{Program: r.task.Name(), Superstep: s, Cause: err}
}

// complete writes the first values that a run has left out, one that has ended
// before superstep 0 or while vertices were awake. A run that has failed holds the
// values reached too.
func (r *edgeRun) complete() error {
	if err := r.again(); err != nil {
		return err
	}
	if !r.anew && (!r.layout.lazy() || r.state.count == 0) {
		return nil
	}
	_, err := r.loop(0, 0)
	return err
}

// loop launches the superstep loop once, for up to so many supersteps.
func (r *edgeRun) loop(s, most int) (*notes, error) {
	args := r.launch["step_loop"]
	args.SetUint32(2, uint32(most))
	args.SetUint32(3, uint32(bit(r.anew && r.layout.begins())))
	r.state.superstep = uint32(s)
	if err := r.writeControl(); err != nil {
		return nil, err
	}
	if r.anew {
		if err := r.first(); err != nil {
			return nil, err
		}
	}
	clean := r.layout.boxes.use()
	err := r.LaunchCooperative(r.kernels["step_loop"], r.blocks, r.layout.threads(), args.Args)
	if err != nil {
		return nil, err
	}
	if most > 1 { // else it is seldom the last
		if err := r.bringEarly(); err != nil {
			return nil, err
		}
	}
	size := r.recordBytes()
	raw := make([]byte, controlBytes+min(most, firstRecords)*size)
	if err := r.engine.readSmall(r.control, 0, raw); err != nil {
		return nil, err
	}
	clean()
	r.readControl(raw)
	r.bring.done = most > 1 && r.state.count+r.state.waiting == 0
	done := int(r.state.done)
	if rest := done - firstRecords; rest > 0 {
		raw = append(raw, make([]byte, rest*size)...)
		at := controlBytes + firstRecords*size
		if err := r.engine.readSmall(r.control, uint64(at), raw[at:]); err != nil {
			return nil, err
		}
	}
	return &notes{reasons: r.reasons, raw: raw[controlBytes:], size: size, count: done, next: r.state.count}, nil
}

// first sets all values, unless the loop does.
func (r *edgeRun) first() error {
	r.anew = false
	if err := r.engine.begin(); err != nil || r.layout.begins() {
		return err
	}
	return r.start("step_init", r.phaseBlocks())
}

// writeControl puts the frontier's numbers and empty counters before a launch.
func (r *edgeRun) writeControl() error {
	b := r.engine.pinned.Bytes()[:controlBytes]
	clear(b)
	for i := range 4 {
		binary.LittleEndian.PutUint64(b[32+i*32+24:], ^uint64(0)) // Sums.least
	}
	c := r.state
	for i, x := range []uint64{c.count, c.arcs, c.waiting, c.current} {
		binary.LittleEndian.PutUint64(b[controlState+i*8:], x)
	}
	for i, x := range []uint32{c.superstep, c.bits, c.side, 0} {
		binary.LittleEndian.PutUint32(b[controlState+32+i*4:], x)
	}
	return r.engine.pinned.WriteAsync(0, r.control, 0, controlBytes)
}

func (r *edgeRun) readControl(b []byte) {
	x, y := mem.View[uint64](b[controlState:controlState+32]), mem.View[uint32](b[controlState+32:controlState+48])
	r.state = control{x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]}
}

// Fetch copies the values of a barrier to the host. First values that are written
// late are zeros there till the end, or what was given.
func (r *edgeRun) Fetch() error {
	if err := r.again(); err != nil {
		return err
	}
	if !r.anew && !r.layout.lazy() {
		return r.download()
	}
	if !r.form.Given && !r.zeroed {
		clear(r.form.Values)
		r.zeroed = true
	}
	return nil
}

// answer copies the values to the host as the run is to leave them.
func (r *edgeRun) answer() error {
	if r.bring.to == nil {
		return r.download()
	}
	r.form.Bring.Done = true
	return r.bring.to.Read(0, r.form.Values)
}

// download copies the values to the host.
func (r *edgeRun) download() error { return r.values.Read(0, r.form.Values) }
