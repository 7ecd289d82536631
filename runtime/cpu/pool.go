package cpu

import (
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// pool runs the items of a phase on a fixed number of workers: the one that calls, and
// the members of a team.
type pool struct {
	workers   []pregel.Worker
	watch     *watch // nil: nobody asks for times
	team      *team
	superstep int32
	running   atomic.Bool  // a task
	next      atomic.Int64 // the item that who comes free takes
	shares    []itemShare  // or those of which each worker takes its own first
	failure   firstFailure
	done      <-chan struct{} // of the run's context
}

func newPool(n int) *pool {
	p := &pool{workers: make([]pregel.Worker, n), shares: make([]itemShare, n)}
	p.team = newTeam(n, p.work)
	for i := range p.workers {
		p.workers[i].Slot = i
	}
	return p
}

// Workers returns the number of workers.
func (p *pool) Workers() int { return len(p.workers) }

// reset forgets what a failed run may have left behind.
func (p *pool) reset() {
	p.watch = nil
	for i := range p.workers {
		w := &p.workers[i]
		*w = pregel.Worker{Slot: i, Touched: w.Touched[:0], Next: w.Next[:0]}
	}
}

// cancelled tells whether the run's context has ended: it is asked between supersteps that
// are done in one call.
func (p *pool) cancelled() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// setSuperstep says which superstep it is that jobs are of.
func (p *pool) setSuperstep(s int) { p.superstep = int32(s) }

// begins says that a worker begins items of a superstep. It writes that itself: see team.
func begins(w *pregel.Worker, superstep int32) { w.Superstep, w.At = superstep, graph.None }

// computing names the vertices that workers are at, for a superstep that does not
// end. It reads what they may be writing, so the vertex can be the one before.
//
//go:norace
func (p *pool) computing() []uint32 {
	var list []uint32
	for i := range p.workers {
		if at := p.workers[i].At; p.team.seats[i].busy.Load() && at != graph.None {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// For calls f for the items 0 to n-1 and waits. One item runs on the calling
// goroutine. Each worker begins with the item of its number, and takes others as it comes
// free. After a panic only items before that one are still run, so that of
// several failures the first item's is found. A fault in a mapped file is an error
// that names the file.
func (p *pool) For(n int, f func(i int, w *pregel.Worker)) error {
	return p.do(job{do: f, n: n})
}

// near is For where each worker begins with items of its own, those next to each other and
// the same in every job of as many, and then helps others with theirs: what lies in the
// cache of one core after a job is what that core asks for in the next. Unlike For's, items
// are not begun in their order.
func (p *pool) near(n int, f func(i int, w *pregel.Worker)) error {
	return p.do(job{do: f, n: n, near: true})
}

// do has a job done.
func (p *pool) do(j job) error {
	if p.team.under() {
		return errNested
	}
	j.used, j.superstep = min(j.n, len(p.workers)), p.superstep
	if j.used <= 1 {
		return p.alone(j.n, j.do)
	}
	p.watch.join()
	p.next.Store(int64(j.used))
	if j.near {
		for k := range p.shares {
			p.shares[k].set(k*j.n/len(p.shares), (k+1)*j.n/len(p.shares))
		}
	}
	p.failure.reset(j.n)
	p.team.do(j)
	if !p.running.Load() {
		p.team.forget()
	}
	return p.failure.result()
}

// An itemShare is items in a row, taken one by one.
type itemShare struct {
	next, end atomic.Int64
	_         [112]byte // two lines are fetched together
}

func (s *itemShare) set(from, end int) {
	s.next.Store(int64(from))
	s.end.Store(int64(end))
}

// take returns the next item, if it is below a bound.
func (s *itemShare) take(below int64) (i int64, ok bool) {
	if i = s.next.Load(); i < s.end.Load() && i < below {
		i = s.next.Add(1) - 1
	}
	return i, i < s.end.Load() && i < below
}

// errNested is why a job within a job is not done: the workers are at the other.
var errNested = errors.New("For was called by what a call of For does; want one after the other")

// work does an item of a job, or those of a worker's own, and others until there are no more.
func (p *pool) work(slot, first int, j *job) {
	i, w, busy := first, &p.workers[slot], &p.team.seats[slot].busy
	ended, began := false, p.watch.now()
	guarded := debug.SetPanicOnFault(true)
	begins(w, j.superstep)
	busy.Store(true)
	defer func() {
		p.watch.add(slot, began)
		thrown := recover()
		if thrown == nil && !ended {
			thrown = errExited
		}
		p.failure.catch(thrown, int64(i), w)
		debug.SetPanicOnFault(guarded)
		busy.Store(false)
	}()
	if j.near {
		p.workNear(slot, j, w, &i)
	} else {
		p.workOn(j, w, &i)
	}
	ended = true
}

// workOn does the item at, which it moves on, and those that are left.
func (p *pool) workOn(j *job, w *pregel.Worker, at *int) {
	for p.failure.before(*at) {
		j.do(*at, w)
		if j.n == j.used {
			return
		}
		*at = int(p.next.Add(1) - 1)
	}
}

// workNear does the items of a slot, and those that are left of others'; at is the item.
func (p *pool) workNear(slot int, j *job, w *pregel.Worker, at *int) {
	for k := range p.shares {
		share := &p.shares[(slot+k)%len(p.shares)]
		for i, ok := share.take(p.failure.item.Load()); ok; i, ok = share.take(p.failure.item.Load()) {
			*at = int(i)
			j.do(*at, w)
		}
	}
}

// errExited is why a job has failed of whose items one was not done to its end.
var errExited = errors.New("the program has called runtime.Goexit")

// alone is For by the calling goroutine. It makes nothing on the heap: where
// supersteps take a microsecond that was a tenth of it.
func (p *pool) alone(n int, f func(i int, w *pregel.Worker)) (err error) {
	w := &p.workers[0]
	w.Alone = true
	p.watch.begin()
	guarded := debug.SetPanicOnFault(true)
	begins(w, p.superstep)
	busy := &p.team.seats[0].busy
	busy.Store(true)
	defer func() {
		if thrown := recover(); thrown != nil {
			err = thrownBy(w, thrown)
		}
		debug.SetPanicOnFault(guarded)
		busy.Store(false)
		w.Alone = false
	}()
	for i := range n {
		f(i, w)
	}
	return nil
}

// Phase names what follows, in a run that is observed in detail.
func (p *pool) Phase(name string) {
	if p.watch != nil {
		p.watch.phase(name, len(p.workers))
	}
}

// firstFailure keeps, of the panics of several workers, that of the first item.
type firstFailure struct {
	item atomic.Int64 // that failed; the number of items while none has
	mu   sync.Mutex
	err  error
}

// reset forgets what has failed, before n items.
func (f *firstFailure) reset(n int) {
	f.item.Store(int64(n))
	f.err = nil
}

// before tells whether an item is to be done: none before it has failed.
func (f *firstFailure) before(item int) bool { return int64(item) < f.item.Load() }

// catch takes what a worker has panicked with in an item, if it has.
func (f *firstFailure) catch(thrown any, item int64, w *pregel.Worker) {
	if thrown == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || item < f.item.Load() {
		f.item.Store(item)
		f.err = thrownBy(w, thrown)
	}
}

// thrownBy is what a worker has panicked with, as an error.
func thrownBy(w *pregel.Worker, thrown any) error {
	if err := mem.Fault(thrown); err != nil {
		return err
	}
	return &pregel.VertexError{Vertex: w.At, Cause: thrown, Stack: string(debug.Stack())}
}

func (f *firstFailure) result() error { return f.err }
