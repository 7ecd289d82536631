package cuda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
	"gopregel/runtime/superstep"
)

// A Program launches its own kernels, superstep by superstep. The engine bounds
// it, cancels it between supersteps, and keeps its records.
type Program interface {
	Name() string
	// Begin makes buffers and compiles kernels. It launches nothing but what makes
	// forms of the graph, which are resident with it: arrays get their first content
	// in superstep 0. Where there was no room it is called again, with a graph that
	// is Slim.
	Begin(s *Session) error
	// Superstep launches superstep number superstep, and waits only for what it
	// must know.
	Superstep(s *Session, superstep int) (Counts, error)
	// End copies the answer to the host.
	End(s *Session) error
}

// Counts are the numbers of a superstep. The run halts when Next is 0.
type Counts struct {
	Awake, Arcs, Next uint64
	// Done is how many supersteps it was, when Superstep has done more than one.
	Done int
	// Account is what the record has beside, with Atomics, the atomic operations on
	// numbers of vertices: that many at the most, where they were not counted. nil:
	// nothing is known.
	Account *pregel.Account
	Atomics uint64
}

// RunKernels runs a program of own kernels on the graph of a job. When it ends
// before superstep 0 there is no answer, and End is not called.
func (e *Engine) RunKernels(ctx context.Context, j *pregel.Job, p Program) (pregel.Stop, error) {
	stop := j.RunTask(ctx, &kernelTask{graph: j.Graph, program: p})
	return stop, stop.Err
}

// A Session is one run of a Program on the device.
type Session struct {
	engine  *Engine
	graph   *Graph
	buffers []*driver.Buffer
	names   []string // of the buffers
	laps    *laps    // nil: no times of kernels are asked for
}

func (e *Engine) session(g *graph.Graph) (*Session, error) {
	d, err := e.resident(g)
	return &Session{engine: e, graph: d}, err
}

// Graph returns the job's graph on the device.
func (s *Session) Graph() *Graph { return s.graph }

// Device returns the device.
func (s *Session) Device() *driver.Device { return s.engine.device }

// Info describes the device.
func (s *Session) Info() driver.Info { return s.engine.device.Info() }

// Buffer makes a buffer that lasts as long as the session. Its content is
// undefined.
func (s *Session) Buffer(bytes uint64, what string) (*driver.Buffer, error) {
	b, err := s.engine.alloc(bytes, what)
	if err == nil {
		s.buffers, s.names = append(s.buffers, b), append(s.names, what)
	}
	return b, err
}

// Kernel compiles an embedded source for the device and the graph, and finds an
// entry point in it.
func (s *Session) Kernel(source, entry string, defines ...string) (*driver.Kernel, error) {
	return s.engine.kernel(source, entry, append(s.graph.defines(), defines...))
}

// Grid returns how many blocks of k run at the same time.
func (s *Session) Grid(k *driver.Kernel, threads, shared int) (int, error) {
	return s.engine.grid(k, threads, shared)
}

// Launch starts a kernel.
func (s *Session) Launch(k *driver.Kernel, blocks, threads int, a *driver.Args) error {
	return s.launch(k, driver.Shape{Blocks: blocks, Threads: threads}, a)
}

// LaunchCooperative starts a kernel all of whose blocks run at the same time.
func (s *Session) LaunchCooperative(k *driver.Kernel, blocks, threads int, a *driver.Args) error {
	return s.launch(k, driver.Shape{Blocks: blocks, Threads: threads, Cooperative: true}, a)
}

func (s *Session) launch(k *driver.Kernel, shape driver.Shape, a *driver.Args) error {
	if err := k.Launch(shape, a); err != nil {
		return err
	}
	return s.laps.lap(k.Name())
}

// time has the kernels of supersteps timed.
func (s *Session) time() { s.laps = &laps{device: s.engine.device} }

// Tallies are what kernels are compiled with to count what a trace has of them, if the
// run is traced (kernels/tally.cuh).
func (s *Session) Tallies() []string {
	if s.laps == nil {
		return nil
	}
	return []string{"TRACED"}
}

// TallyBytes are those of the counters of such kernels, which ReadTally reads.
const TallyBytes = 16

// ReadTally reads the counters of arcs and of atomic operations, and puts them back to 0.
func (s *Session) ReadTally(b *driver.Buffer, offset uint64) (arcs, atomics uint64, err error) {
	var counts [2]uint64
	if err := s.engine.readSmall(b, offset, mem.Bytes(counts[:])); err != nil {
		return 0, 0, err
	}
	return counts[0], counts[1], b.Fill(offset, TallyBytes, 0)
}

// ReadUint32s waits for the work under way and reads a few numbers.
func (s *Session) ReadUint32s(b *driver.Buffer, offset uint64, dst []uint32) error {
	return s.engine.readSmall(b, offset, mem.Bytes(dst))
}

func (s *Session) close() {
	s.laps.free()
	s.giveBack(0)
}

// Reset gives back all buffers, for a program that begins again.
func (s *Session) Reset() { s.giveBack(0) }

// begin makes what a run needs, a second time where a slim graph leaves room for
// it.
func (s *Session) begin(f func() error) error {
	err := f()
	var full *driver.OutOfMemory
	if errors.As(err, &full) && s.graph.slimmed() {
		s.giveBack(0)
		err = f()
	}
	return err
}

// giveBack gives up the buffers from number i on, the last first: the same run gets the
// same again, and starts with the same sequence.
func (s *Session) giveBack(i int) {
	for _, b := range slices.Backward(s.buffers[i:]) {
		s.engine.release(b)
	}
	s.buffers, s.names = s.buffers[:i], s.names[:i]
}

// GiveBack gives up one buffer before the session ends.
func (s *Session) GiveBack(b *driver.Buffer) {
	if i := slices.Index(s.buffers, b); i >= 0 {
		s.engine.release(b)
		s.buffers, s.names = slices.Delete(s.buffers, i, i+1), slices.Delete(s.names, i, i+1)
	}
}

// readSmall reads through pinned memory.
func (e *Engine) readSmall(b *driver.Buffer, offset uint64, dst []byte) error {
	if len(dst) > pinnedBytes {
		return b.Read(offset, dst)
	}
	if err := e.mark(); err != nil {
		return err
	}
	if err := e.pinned.ReadAsync(0, b, offset, uint64(len(dst))); err != nil {
		return err
	}
	e.marked = e.device.Work()
	if err := e.device.Sync(); err != nil {
		return err
	}
	copy(dst, e.pinned.Bytes())
	return nil
}

// begin starts the device's clock.
func (e *Engine) begin() error {
	e.marked, e.ended = 0, 0
	if !e.Singly {
		if err := e.device.Collect(e.opening); err != nil {
			return err
		}
	}
	return e.start.Record()
}

// mark stops the device's clock behind the work under way, should that be the
// last. The time until the host has read of it is not the device's.
func (e *Engine) mark() error {
	if e.marked == e.device.Work() {
		return nil
	}
	e.marked = e.device.Work()
	return e.ends[e.ended].Record()
}

// markNext notes when what was begun ahead of the host ends.
func (e *Engine) markNext() error {
	e.marked = e.device.Work()
	return e.ends[e.ended^1].Record()
}

// kernel compiles a source once.
func (e *Engine) kernel(source, entry string, defines []string) (*driver.Kernel, error) {
	key := source + "\n" + strings.Join(defines, "\n")
	if k := e.kernels[key+"\n"+entry]; k != nil {
		return k, nil
	}
	src, err := kernels.Get(source)
	if err != nil {
		return nil, err
	}
	return e.compile(key, src, entry, defines)
}

// compile compiles a source and keeps all its entry points under key.
func (e *Engine) compile(key string, src kernels.Source, entry string, defines []string) (*driver.Kernel, error) {
	info := e.device.Info()
	c, err := driver.Compile(src.Name, src.Text, driver.CompileOptions{
		Arch: fmt.Sprintf("sm_%d%d", info.Major, info.Minor), Defines: append(slices.Clone(defines), e.Defines...), Flags: []string{"--fmad=false"}, Cache: e.Cache})
	if err != nil {
		return nil, err
	}
	m, err := e.device.Load(c.Image)
	if err != nil {
		return nil, err
	}
	for _, point := range src.Entries {
		k, err := m.Kernel(point.Name)
		switch {
		case err == nil:
			e.kernels[key+"\n"+point.Name] = k
		case point.Name == entry: // others may be left out by the preprocessor
			return nil, err
		}
	}
	if k := e.kernels[key+"\n"+entry]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%s has no kernel %s", src.Name, entry)
}

// grid returns how many blocks of k are resident on the whole device.
func (e *Engine) grid(k *driver.Kernel, threads, shared int) (int, error) {
	per, err := k.Resident(threads, shared)
	if err != nil {
		return 0, err
	}
	if per == 0 {
		return 0, fmt.Errorf("kernel %s does not fit on a multiprocessor with %d threads and %d bytes of shared memory", k.Name(), threads, shared)
	}
	return per * e.device.Info().Processors, nil
}

// kernelTask is a Program as a task.
type kernelTask struct {
	graph   *graph.Graph
	program Program
	memory  memory // of a state that is kept, or gone on from
	widths  pregel.Widths
}

func (t *kernelTask) Name() string               { return t.program.Name() }
func (t *kernelTask) Graph() *graph.Graph        { return t.graph }
func (t *kernelTask) Begin(int) error            { return nil }
func (t *kernelTask) Barrier(int) pregel.Verdict { return pregel.Verdict{} }
func (t *kernelTask) Widths() pregel.Widths      { return t.widths }
func (t *kernelTask) Aggregates() []any          { return nil }
func (t *kernelTask) Retold()                    {} // widths are those of the last record

// run runs the program on the device's thread.
func (t *kernelTask) run(ctx context.Context, e *Engine, l pregel.Limits) pregel.Stop {
	s, err := e.session(t.graph)
	if err != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), err)}
	}
	defer s.close()
	plain := kernelRun{task: t, session: s, pending: 1}
	var run superstep.Runner = &plain
	if k, ok := t.program.(Keeper); ok {
		run = &keptRun{plain, k}
	}
	if l.Detail {
		s.time()
	}
	stop := superstep.Drive(ctx, t, run, l)
	if stop.Reason == pregel.Failed || stop.Supersteps == 0 {
		return stop
	}
	if err := e.finish(func() error { return t.program.End(s) }); err != nil {
		stop.Reason, stop.Err = pregel.Failed, fmt.Errorf("program %s: %w", t.Name(), err)
	}
	return stop
}

// finish takes the time of the device's work, and that of copying the answer.
func (e *Engine) finish(download func() error) error {
	if err := e.mark(); err != nil {
		return err
	}
	if err := e.device.Sync(); err != nil {
		return err
	}
	took, err := e.ends[e.ended].Since(e.start)
	if err != nil {
		return err
	}
	e.timing.Device = took
	begin := time.Now()
	err = download()
	e.timing.Download = time.Since(begin)
	return err
}

// kernelRun is a Program under way.
type kernelRun struct {
	task    *kernelTask
	session *Session
	pending uint64
}

// Init makes buffers and kernels.
func (r *kernelRun) Init() error {
	begin := func() error { return r.task.program.Begin(r.session) }
	if err := r.session.begin(begin); err != nil {
		return r.failed(-1, err)
	}
	return r.session.engine.begin()
}

// Run does one superstep, or as many as the program does at a time.
func (r *kernelRun) Run(s, _ int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	if err := r.session.laps.begin(); err != nil {
		return records, r.failed(s, err)
	}
	c, err := r.task.program.Superstep(r.session, s)
	if err != nil {
		return records, r.failed(s, err)
	}
	phases, err := r.session.laps.take()
	if err != nil {
		return records, r.failed(s, err)
	}
	r.pending = c.Next
	for i := range max(c.Done, 1) {
		records = append(records, pregel.StepRecord{Program: r.task.Name(), Superstep: s + i})
	}
	last := &records[len(records)-1]
	last.Awake, last.Arcs, last.Next = c.Awake, c.Arcs, c.Next
	if phases != nil {
		last.Detail = &pregel.Detail{Phases: phases}
	}
	if r.task.widths = (pregel.Widths{}); c.Account != nil {
		r.task.widths = c.Account.Widths
		if last.Detail != nil {
			last.Detail.Why, last.Detail.Atomics = c.Account.Why, &c.Atomics
		}
	}
	return records, nil
}

func (r *kernelRun) failed(s int, err error) error {
	return &pregel.ProgramError{Program: r.task.Name(), Superstep: s, Cause: err}
}

// Pending is not 0 while the run is to go on.
func (r *kernelRun) Pending() uint64 { return r.pending }
