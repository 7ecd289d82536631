package cpu

import (
	"runtime"
	"sync/atomic"
	"time"
)

// team is the goroutines that work beside the one that calls, on one job after the
// other.
//
// To wake a goroutine when its processor sleeps takes as long as a superstep of a
// thousand vertices (50 µs measured). So who has done a job looks out for the next
// one for a while, which it then begins within 0.2 µs, and only then ends: there is
// nothing to shut down, and where jobs are rare nothing is left running.
//
// Nobody waits for a member to come: one that is late finds the job closed.
type team struct {
	gate    atomic.Uint64 // number of the job, whether it is open, members at it
	present []atomic.Bool // members, by slot; 0 is the caller
	work    func(slot int)
	wake    chan struct{} // for the caller, when it has gone to sleep
	lingers bool
}

const (
	jobShift = 32
	jobOpen  = 1 << 31
	// No job is expected soon.
	jobNone = 1 << 29
	// The caller sleeps until the last member has left.
	jobAwaited = 1 << 30
	jobMembers = 1<<29 - 1

	// Members look out for so long, and a caller for them. Other goroutines get the
	// processor between.
	lingerFor   = 100 * time.Microsecond
	lingerTurns = 1 << 8 // looks between two at the clock
)

// newTeam makes a team of so many, the caller included. On fewer processors looking
// out would keep others from working.
func newTeam(n int) *team {
	return &team{present: make([]atomic.Bool, n), wake: make(chan struct{}, 1), lingers: n <= runtime.GOMAXPROCS(0)}
}

// do calls work for slot 0 here, and for their slots on the members that come before
// that returns; it waits for those to return. Members for slots below used are called;
// others who are still there from jobs before may come, too.
func (t *team) do(used int, work func(slot int)) {
	t.work = work
	number := t.gate.Load()>>jobShift + 1
	t.gate.Store(number<<jobShift | jobOpen)
	defer t.close() // whichever way work ends
	for slot := 1; slot < used; slot++ {
		if t.present[slot].CompareAndSwap(false, true) {
			go t.member(slot, number-1)
		}
	}
	work(0)
}

// busy tells whether a job is under way.
func (t *team) busy() bool { return t.gate.Load()&(jobOpen|jobMembers) != 0 }

// close ends the job when all members have left it.
func (t *team) close() {
	t.gate.And(^uint64(jobOpen))
	t.await()
	t.work = nil
}

// dismiss says that no job is expected soon.
func (t *team) dismiss() {
	if t.gate.Load()&jobNone == 0 {
		t.gate.Or(jobNone)
	}
}

// await waits until all members have left the job.
func (t *team) await() {
	for look := t.lookout(); t.gate.Load()&jobMembers != 0; {
		if look.on() {
			continue
		}
		if t.gate.Or(jobAwaited)&jobMembers != 0 {
			<-t.wake
		}
		return
	}
}

// member works on jobs after number last until none comes for a while. A caller that
// has seen it present, just before it left, relies on it.
func (t *team) member(slot int, last uint64) {
	ended := false
	defer func() {
		if !ended { // work has not returned
			t.present[slot].Store(false)
		}
	}()
	for {
		job, ok := t.join(last)
		if !ok {
			t.present[slot].Store(false)
			if !fresh(t.gate.Load(), last) || !t.present[slot].CompareAndSwap(false, true) {
				ended = true
				return
			}
			continue
		}
		t.serve(slot)
		last = job
	}
}

// serve is a member's part of a job that it has joined.
func (t *team) serve(slot int) {
	defer func() {
		if t.gate.Add(^uint64(0))&(jobAwaited|jobMembers) == jobAwaited {
			t.wake <- struct{}{}
		}
	}()
	t.work(slot)
}

// join waits for an open job after number last.
func (t *team) join(last uint64) (job uint64, ok bool) {
	for look := t.lookout(); ; {
		g := t.gate.Load()
		switch {
		case fresh(g, last):
			if t.gate.CompareAndSwap(g, g+1) {
				return g >> jobShift, true
			}
		case g&jobNone != 0 || !look.on():
			return 0, false
		}
	}
}

// fresh tells whether a gate is open for a job after number last.
func fresh(gate, last uint64) bool { return gate&jobOpen != 0 && gate>>jobShift != last }

// A lookout is a wait in a loop.
type lookout struct {
	turns int
	until time.Time
	never bool
}

func (t *team) lookout() lookout { return lookout{never: !t.lingers} }

// on tells whether to look once more.
func (l *lookout) on() bool {
	if l.turns++; l.turns%lingerTurns != 0 {
		return !l.never
	}
	now := time.Now()
	switch {
	case l.until.IsZero():
		l.until = now.Add(lingerFor)
	case now.After(l.until):
		return false
	}
	if l.turns%(lingerTurns<<6) == 0 {
		runtime.Gosched()
	}
	return true
}
