package check

import "gopregel/pregel"

// A pool is one worker, who takes pieces in any order. Its slot does not change, as
// a task may keep more in a worker than the lists that engines empty.
type pool struct{ e *interpreter }

// Workers returns 1.
func (pool) Workers() int { return 1 }

// For calls f for 0 to n-1 in the order of the manner. A panic is that of the run.
func (p pool) For(n int, f func(i int, w *pregel.Worker)) error {
	w := pregel.Worker{Superstep: int32(p.e.steps), Alone: true}
	for _, i := range p.e.order(n) {
		f(int(i), &w)
		p.e.at = w.At
	}
	return nil
}

// phaseRun runs a plain phase, a block of vertices at a time.
type phaseRun struct {
	e    *interpreter
	f    func(lo, hi uint32, w *pregel.Worker)
	n    uint32
	done bool
	read uint64 // arcs
}

func (r *phaseRun) init()        { r.e.seen.values = append(r.e.seen.values, snapshot{}) }
func (r *phaseRun) arcs() uint64 { return r.read }

func (r *phaseRun) next() uint64 {
	if r.done {
		return 0
	}
	return uint64(max(r.n, 1))
}

func (r *phaseRun) step(int) {
	r.done = true
	_ = pool{r.e}.For(int(r.n+pregel.BlockSize-1)/pregel.BlockSize, func(i int, w *pregel.Worker) {
		lo := uint32(i) * pregel.BlockSize
		w.At = lo
		r.e.at = lo
		r.f(lo, min(lo+pregel.BlockSize, r.n), w)
		r.read += w.Arcs
		w.Arcs = 0
	})
}

// ownRun runs a task that brings its own superstep.
type ownRun struct {
	e    *interpreter
	task pregel.VertexTask
	sent uint64
}

func (r *ownRun) init() {
	r.e.seen.values = append(r.e.seen.values, snapshot{})
	r.fail(r.task.Init(pool{r.e}))
}
func (r *ownRun) next() uint64 { return r.task.Pending() }
func (r *ownRun) arcs() uint64 { return r.sent }
func (r *ownRun) step(s int) {
	counts, err := r.task.Superstep(s, pool{r.e})
	r.sent = counts.Sent
	r.fail(err)
}

func (r *ownRun) fail(err error) {
	if err != nil {
		panic(err)
	}
}
