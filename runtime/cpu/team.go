package cpu

import (
	"runtime"
	"sync/atomic"
	"time"

	"gopregel/pregel"
)

// team is the goroutines that work beside the one that calls, on one job after the
// other.
//
// To wake a goroutine when its processor sleeps takes as long as a superstep of a
// thousand vertices (50 to 140 µs measured), and 15 µs of the caller's time. So who has done
// a job looks out for the next one for a while, which it then begins at once, and only then
// ends: there is nothing to shut down, and where jobs are rare nothing is left running. The
// while is longer for one that was just missed, until that is in vain.
//
// Nobody waits for a member to come: one that is late finds the job closed.
//
// What one processor has written reaches another after 0.1 to 0.5 µs (measured), for each cache
// line, so a short superstep is as fast as the lines are few that a job takes over and
// back: the board, which the caller writes and members read, and the seat of each member,
// which it writes and the caller reads.
type team struct {
	*board
	seats   []seat        // by slot; 0 is the caller
	present []atomic.Bool // goroutines there are, by slot
	work    func(slot, first int, j *job)
	wake    chan struct{} // for the caller, when it has gone to sleep
	lingers bool
	begun   time.Time // from which seats tell the time
}

// A board tells of the job that is to be done.
type board struct {
	gate atomic.Uint64 // number of the job, whether it is open, how many slots it is for
	job  job           // may be read by who has come in time
	_    [64]byte
}

// A job is items to be done, by n.
type job struct {
	do        func(i int, w *pregel.Worker)
	n, used   int
	superstep int32
	near      bool // workers have items of their own
}

// A seat tells to which job a member has come last, whether it is at work on it, and what it does
// when it has none.
type seat struct {
	state  atomic.Uint64
	busy   atomic.Bool  // with an item
	linger atomic.Int64 // nanoseconds that its member looks out for a job: lingerFor or lingerLong
	idle   atomic.Int64 // when the last who has gone began to have none, in nanoseconds
	_      [96]byte
}

const (
	jobShift = 32
	jobOpen  = 1 << 31
	// No job is expected soon.
	jobNone = 1 << 29
	// The caller sleeps until a member has left its work.
	jobAwaited = 1 << 30
	jobSlots   = 1<<29 - 1

	// Members look out for so long, and a caller for them; members for longer where the job that
	// they were called for came within that time. Other goroutines get the processor between.
	lingerFor   = 100 * time.Microsecond
	lingerLong  = time.Millisecond
	lingerTurns = 1 << 8 // looks between two at the clock
)

// at and left are the states of a seat whose member is at work on a job, and no more.
func at(number uint64) uint64   { return number<<1 | 1 }
func left(number uint64) uint64 { return number << 1 }

// after is the number of the job after one: of 32 bits, and never that of a seat where nobody
// has been.
func after(number uint64) uint64 { return number%(1<<jobShift-1) + 1 }

// newTeam makes a team of so many, the caller included. Slots do a job by a call of work, which
// begins with an item of their own and goes on with the rest. On fewer processors
// looking out would keep others from working.
func newTeam(n int, work func(slot, first int, j *job)) *team {
	t := &team{board: new(board), seats: make([]seat, n), present: make([]atomic.Bool, n), work: work,
		wake: make(chan struct{}, 1), lingers: n <= runtime.GOMAXPROCS(0), begun: time.Now()}
	for i := range t.seats {
		t.seats[i].linger.Store(int64(lingerFor))
		t.seats[i].idle.Store(-int64(lingerLong)) // none has gone
	}
	return t
}

// do has a job done by slot 0, here, and those slots below used whose members come before
// that is through; it waits for those.
func (t *team) do(j job) {
	number := after(t.gate.Load() >> jobShift)
	t.job = j
	t.seats[0].state.Store(at(number))
	t.gate.Store(number<<jobShift | jobOpen | uint64(j.used))
	defer t.end(number, j.used) // whichever way work ends
	for slot := 1; slot < j.used; slot++ {
		if !t.present[slot].Load() && t.present[slot].CompareAndSwap(false, true) {
			t.call(slot)
		}
	}
	t.work(0, 0, &t.job)
	if !t.complete(number, j.used) {
		t.substitute(number, j.used)
	}
}

// call has a member come that is not present.
func (t *team) call(slot int) {
	seat := &t.seats[slot]
	if time.Since(t.begun)-time.Duration(seat.idle.Load()) < lingerLong {
		seat.linger.Store(int64(lingerLong))
	}
	go t.member(slot)
}

// goes notes that a member goes, who has looked out for so long.
func (t *team) goes(slot int, looked time.Duration) {
	if !t.lingers {
		return
	}
	t.seats[slot].linger.Store(int64(lingerFor))
	t.seats[slot].idle.Store(int64(time.Since(t.begun) - looked))
}

// under tells whether a job is under way.
func (t *team) under() bool { return t.seats[0].state.Load()&1 != 0 }

// came tells whether the member of a slot has come to a job.
func (t *team) came(slot int, number uint64) bool { return t.seats[slot].state.Load()>>1 == number }

// complete tells whether all members have come to a job.
func (t *team) complete(number uint64, used int) bool {
	for slot := 1; slot < used; slot++ {
		if !t.came(slot, number) {
			return false
		}
	}
	return true
}

// substitute closes a job, and does what those would have begun with who have not come. One
// who came just then may find it closed, and go away.
func (t *team) substitute(number uint64, used int) {
	t.gate.And(^uint64(jobOpen))
	done := make([]bool, used)
	for slot := 1; slot < used; slot++ {
		if done[slot] = !t.came(slot, number); done[slot] {
			t.work(0, slot, &t.job)
		}
	}
	for slot := 1; slot < used; slot++ {
		if t.await(slot, number); !done[slot] && !t.came(slot, number) {
			t.work(0, slot, &t.job)
		}
	}
}

// end ends the job when all members have left it.
func (t *team) end(number uint64, used int) {
	if !t.complete(number, used) {
		t.gate.And(^uint64(jobOpen))
	}
	for slot := 1; slot < used; slot++ {
		t.await(slot, number)
	}
	t.seats[0].state.Store(left(number))
}

// dismiss says that no job is expected soon, and forgets the last one, which holds what it was
// about: a graph, perhaps. All members have left that.
func (t *team) dismiss() {
	t.forget()
	if t.gate.Load()&jobNone == 0 {
		t.gate.Or(jobNone)
	}
}

// forget lets go of what the last job was about, unless it is under way.
func (t *team) forget() {
	if !t.under() {
		t.job = job{}
	}
}

// await waits until the member of a slot is not at work on a job.
func (t *team) await(slot int, number uint64) {
	state := &t.seats[slot].state
	for look := t.lookout(lingerFor); state.Load() == at(number); {
		if look.on() {
			continue
		}
		t.gate.Or(jobAwaited)
		if state.Load() == at(number) {
			<-t.wake
		}
	}
}

// member works on one job after the other until none comes for a while. A caller that
// has seen it present, just before it left, relies on it.
func (t *team) member(slot int) {
	ended := false
	defer func() {
		if !ended { // work has not returned
			t.present[slot].Store(false)
		}
	}()
	for {
		number, ok, looked := t.join(slot)
		if !ok {
			t.goes(slot, looked)
			t.present[slot].Store(false)
			if !t.fresh(t.gate.Load(), slot) || !t.present[slot].CompareAndSwap(false, true) {
				ended = true
				return
			}
			continue
		}
		t.serve(slot, number)
	}
}

// serve is a member's part of a job that it has joined.
func (t *team) serve(slot int, number uint64) {
	defer t.leave(slot, number)
	t.work(slot, slot, &t.job)
}

// leave says that a member is not at work on a job any more.
func (t *team) leave(slot int, number uint64) {
	t.seats[slot].state.Store(left(number))
	if t.gate.Load()&jobAwaited != 0 {
		select {
		case t.wake <- struct{}{}:
		default: // it is awake
		}
	}
}

// join waits for an open job that is new to a slot. A member says that it has come, and then
// looks whether the job is still open; the caller closes it, and then looks who has come: one
// of the two sees the other. Who does not join has looked out for so long.
func (t *team) join(slot int) (number uint64, ok bool, looked time.Duration) {
	for look := t.lookout(time.Duration(t.seats[slot].linger.Load())); ; {
		g := t.gate.Load()
		switch {
		case t.fresh(g, slot):
			number, last := g>>jobShift, t.seats[slot].state.Load()>>1
			t.seats[slot].state.Store(at(number))
			if now := t.gate.Load(); now>>jobShift == number && now&jobOpen != 0 {
				return number, true, 0
			}
			t.leave(slot, last)
		case g&jobNone != 0 && look.long < lingerLong:
			return 0, false, 0
		case !look.on():
			return 0, false, look.long
		}
	}
}

// fresh tells whether a gate is open to a slot for a job that it has not done: another
// goroutine may have, which has ended since.
func (t *team) fresh(gate uint64, slot int) bool {
	return gate&jobOpen != 0 && !t.came(slot, gate>>jobShift) && uint64(slot) < gate&jobSlots
}

// A lookout is a wait in a loop.
type lookout struct {
	turns int
	until time.Time
	long  time.Duration // 0: it is none
}

// lookout begins one, for so long where the team lingers.
func (t *team) lookout(long time.Duration) lookout {
	if !t.lingers {
		long = 0
	}
	return lookout{long: long}
}

// on tells whether to look once more.
func (l *lookout) on() bool {
	if l.turns++; l.turns%lingerTurns != 0 {
		return l.long > 0
	}
	now := time.Now()
	switch {
	case l.until.IsZero():
		l.until = now.Add(l.long)
	case now.After(l.until):
		return false
	}
	if l.turns%(lingerTurns<<6) == 0 {
		runtime.Gosched()
	}
	return true
}
