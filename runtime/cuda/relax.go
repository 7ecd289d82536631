package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// A Relaxation is an edge program that runs in place on the device, tile by tile:
// kernels/step_tiles.cuh. It is for programs that keep the law of pregel.Relaxer,
// and for any graph; it is fast where vertices that stand together are joined
// (order tiles).
type Relaxation struct {
	session *Session
	form    pregel.Form
	options RelaxOptions
	tiles   *tiles
	sent    [2]*CSR

	values, box, waiting, key, queue, control *driver.Buffer
	first, loop                               *driver.Kernel
	firstArgs, loopArgs                       *driver.Args
	run, params                               []byte // struct TileRun, struct Params
	blocks                                    int

	rounds   int
	finished bool
}

// Sizes and places within struct TileControl of kernels/step_tiles.cuh; records,
// struct TileRecord, follow it.
const (
	tileControlBytes = 128
	tileLeast        = 32 // barriers before it
	tileQueued       = 64
	tileNext         = 96
	tileRecordBytes  = 32
)

// RelaxOptions say how a Relaxation is run.
type RelaxOptions struct {
	Slack uint64 // priorities up to so much above the least are due with it
	Held  int    // vertices of a tile to a thread: 1 or 2; 0: as their values and messages leave registers for, 2 of a pair
	Pair  bool   // it will be launched with another: see LaunchPair
}

// held is how many vertices a thread has. With one, twice as many threads sweep a
// tile, which has to fit the registers that each then has: TUNING.md has the times.
// Of a pair each has only half of the blocks, and tiles for more of them.
func held(f pregel.Form, pair bool) int {
	if f.Value.Size+f.Message.Size <= 8 && !pair {
		return 1
	}
	return 2
}

// Relax prepares to run an edge program in place.
func (s *Session) Relax(f pregel.Form, o RelaxOptions) (*Relaxation, error) {
	if o.Held == 0 {
		o.Held = held(f, o.Pair)
	}
	x := &Relaxation{session: s, form: f, options: o}
	if why := unrelaxable(f); why != "" {
		return nil, errors.New(why)
	}
	if err := x.lay(); err != nil {
		return nil, err
	}
	if err := x.compile(); err != nil {
		return nil, err
	}
	return x, x.allocate()
}

// unrelaxable says why the device has no form of a program that may be relaxed.
func unrelaxable(f pregel.Form) string {
	switch f.Combine {
	case "min", "max", "or":
		return ""
	}
	return fmt.Sprintf("schedule relaxed on a GPU is for the combiners min, max and or; this one's is %s; allowed: auto or bsp", f.Combine)
}

// weighs tells whether the weight of an arc counts.
func weighs(f pregel.Form) bool {
	return f.Edge == "plus_weight" || f.Edge == "times_weight" || f.Edge == "min_weight"
}

// checkRelaxed finds out why a program cannot be relaxed.
func (e *Engine) checkRelaxed(t pregel.Former, f pregel.Form) error {
	switch {
	case e.Strict:
		return errors.New("schedule relaxed and determinism strict exclude each other, as strict runs use double buffers; allowed with strict: auto or bsp")
	case e.Direction == pregel.Pull:
		return errors.New("schedule relaxed and direction pull exclude each other, as what is relaxed is pushed; allowed with pull: auto or bsp")
	}
	if r, ok := t.(interface{ Relaxable() error }); ok {
		if err := r.Relaxable(); err != nil {
			return err
		}
	}
	if why := unrelaxable(f); why != "" {
		return errors.New(why)
	}
	return nil
}

// lay finds the arcs, and has them by tile.
func (x *Relaxation) lay() error {
	g := x.session.graph
	a := tileArcs{receive: [2]*CSR{g.out}, send: [2]*CSR{g.out}}
	if g.Directed {
		in, err := g.In()
		if err != nil {
			return err
		}
		switch x.form.Along {
		case pregel.BothEdges:
			a.receive, a.send = [2]*CSR{in, g.out}, [2]*CSR{g.out, in}
		case pregel.InEdges:
			a.send[0] = in
		default:
			a.receive[0] = in
		}
	}
	a.weighs = g.out.Kind != graph.Unweighted && weighs(x.form)
	x.sent = a.send
	var err error
	x.tiles, err = g.tile(a)
	return err
}

func assembleRelaxed(f pregel.Form) (program, error) {
	return assembleWith(f, "step.cuh", "step_tiles.cuh")
}

func (x *Relaxation) compile() error {
	e := x.session.engine
	program, err := assembleRelaxed(x.form)
	if err != nil {
		return err
	}
	defines := append(x.session.graph.tileDefines(), fmt.Sprintf("HELD=%d", x.options.Held), fmt.Sprintf("TILE_BLOCKS=%d", x.options.Held))
	entry := "step_tiles"
	if x.options.Pair {
		entry, defines = "step_tile_pair", append(defines, "TILE_PAIR")
	}
	for _, k := range []struct {
		entry string
		to    **driver.Kernel
	}{{"tiles_init", &x.first}, {entry, &x.loop}} {
		if *k.to, err = e.programKernel(program, k.entry, defines); err != nil {
			return err
		}
	}
	x.blocks, err = e.grid(x.loop, x.threads(), 0)
	x.blocks = min(x.blocks, e.tileBlocks)
	return err
}

func (x *Relaxation) allocate() error {
	n, tiles := uint64(x.session.graph.N), uint64(x.tiles.count)
	words := tiles * uint64(x.session.engine.tile) / 8 // of whole tiles
	for _, b := range []struct {
		to    **driver.Buffer
		bytes uint64
		what  string
	}{
		{&x.values, n * uint64(x.form.Value.Size), "values"}, {&x.box, n * uint64(x.form.Message.Size), "messages"},
		{&x.waiting, words, "waiting vertices"},
		{&x.key, tiles * 8, "keys of tiles"}, {&x.queue, tiles * 4, "queue of tiles"},
		{&x.control, tileControlBytes + (mostRecords+1)*tileRecordBytes, "counters"},
	} {
		var err error
		if *b.to, err = x.session.Buffer(b.bytes, b.what); err != nil {
			return err
		}
	}
	w := &structure{}
	w.u32(x.session.graph.N, uint32(x.tiles.count), uint32(x.sides()), uint32(bit(x.form.Given)))
	for _, c := range x.sent {
		if c == nil {
			c = &CSR{}
		}
		w.buffers(c.Offsets)
	}
	x.tiles.write(w)
	w.buffers(x.values, x.box, x.waiting, x.key, x.queue, x.control)
	w.u64(x.control.Address()+tileControlBytes, x.options.Slack, uint64(deviceBudget))
	x.run, x.params = w.b, paramsBytes(x.form)
	x.firstArgs = driver.NewArgs().Bytes(x.run).Bytes(x.params)
	x.loopArgs = driver.NewArgs().Bytes(x.run).Bytes(x.params).Uint32(0).Uint32(0)
	return nil
}

// threads of a block, which has a tile.
func (x *Relaxation) threads() int { return x.session.engine.tile / x.options.Held }

func (x *Relaxation) sides() int {
	if x.sent[1] != nil {
		return 2
	}
	return 1
}

// Values are the values of all vertices, on the device.
func (x *Relaxation) Values() *driver.Buffer { return x.values }

// Control is struct TileControl, for kernels that follow.
func (x *Relaxation) Control() *driver.Buffer { return x.control }

// Finished tells that no vertex has anything new to say.
func (x *Relaxation) Finished() bool { return x.finished }

// Start sets all values.
func (x *Relaxation) Start() error {
	x.rounds, x.finished = 0, x.tiles.count == 0
	if x.finished {
		return nil
	}
	return x.session.Launch(x.first, min(x.tiles.count, 1<<16), 256, x.firstArgs)
}

// Launch begins up to so many rounds, after Start; it waits for nothing.
func (x *Relaxation) Launch(most int) error {
	if err := x.writeControl(); err != nil {
		return err
	}
	x.loopArgs.SetUint32(2, uint32(min(most, mostRecords)))
	x.loopArgs.SetUint32(3, uint32(x.rounds))
	return x.session.LaunchCooperative(x.loop, x.blocks, x.threads(), x.loopArgs)
}

// LaunchPair begins up to so many rounds of two runs of one program, side by side,
// neither of which has work for the whole device.
func LaunchPair(x, y *Relaxation, most int) error {
	if err := errors.Join(x.writeControl(), y.writeControl()); err != nil {
		return err
	}
	args := driver.NewArgs().Bytes(x.run).Bytes(y.run).Bytes(x.params).Uint32(uint32(min(most, mostRecords))).Uint32(uint32(x.rounds)).Uint32(uint32(y.rounds))
	return x.session.LaunchCooperative(x.loop, x.blocks, x.threads(), args)
}

// writeControl empties the counters before a launch.
func (x *Relaxation) writeControl() error {
	if err := x.control.Fill(0, tileControlBytes+tileRecordBytes, 0); err != nil {
		return err
	}
	return x.control.Fill(tileLeast, tileQueued-tileLeast, 0xff)
}

// Read waits for what was launched, and appends a record of each round.
func (x *Relaxation) Read(name string, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	e := x.session.engine
	raw := make([]byte, tileControlBytes+firstRecords*tileRecordBytes)
	if err := e.readSmall(x.control, 0, raw); err != nil {
		return records, err
	}
	x.finished = binary.LittleEndian.Uint64(raw[tileNext:]) == 0
	done := int(binary.LittleEndian.Uint32(raw[tileNext+8:]))
	if done > firstRecords {
		raw = append(raw, make([]byte, (done-firstRecords)*tileRecordBytes)...)
		at := uint64(tileControlBytes + firstRecords*tileRecordBytes)
		if err := e.readSmall(x.control, at, raw[at:]); err != nil {
			return records, err
		}
	}
	for i := range done {
		r := mem.View[uint64](raw[tileControlBytes+i*tileRecordBytes:][:tileRecordBytes])
		if n := len(records); i > 0 {
			records[n-1].Next = r[0] // those that were awake in this one
		}
		records = append(records, pregel.StepRecord{Program: name, Superstep: x.rounds + i, Awake: r[0], Arcs: r[1], Next: r[2],
			Time: time.Duration(r[3]), Direction: pregel.Push, List: true, Relaxed: true})
	}
	x.rounds += done
	return records, nil
}

// Advance does up to so many rounds, and appends a record of each.
func (x *Relaxation) Advance(name string, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	if err := x.Launch(most); err != nil {
		return records, err
	}
	return x.Read(name, records)
}
