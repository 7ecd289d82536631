package cpu

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gopregel/pregel"
)

// A member that says it has come while the job is closed, for want of another, goes away
// again: what it would have begun with is done all the same, as what the other would.
func TestTeamDoesWhatWasLeft(t *testing.T) {
	var done []int
	var members *team
	members = newTeam(3, func(slot, first int, _ *job) {
		if done = append(done, first); first != 0 {
			return
		}
		number := members.gate.Load() >> jobShift
		members.seats[1].state.Store(at(number))
		go func() {
			for members.gate.Load()&jobOpen != 0 {
				runtime.Gosched()
			}
			members.leave(1, 0)
		}()
	})
	for slot := range members.present {
		members.present[slot].Store(true) // no goroutine is started
	}
	members.do(job{n: 3, used: 3})
	slices.Sort(done)
	if !slices.Equal(done, []int{0, 1, 2}) {
		t.Fatalf("items %v were done, want each of 3 once", done)
	}
}

// Jobs are numbered anew after 2^32 of them, and each item is done once all the same.
func TestTeamNumbersAnew(t *testing.T) {
	p := newPool(2)
	p.team.gate.Store((1<<32 - 3) << jobShift)
	for job := range 8 {
		var done [3]atomic.Int32
		if err := p.For(len(done), func(i int, _ *pregel.Worker) { done[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if times := done[i].Load(); times != 1 || p.team.gate.Load()>>jobShift == 0 {
				t.Fatalf("job %d: item %d was done %d times", job, i, times)
			}
		}
	}
}

// A member looks out for longer where its job came within that time of the last, whether it had
// been sent away or had looked out in vain for a shorter one, and until the longer one is in vain.
func TestTeamLooksOutForLonger(t *testing.T) {
	members := newTeam(2, nil)
	members.lingers = false // those called go at once, and note nothing
	seat := &members.seats[1]
	now := func() time.Duration { return time.Since(members.begun) }
	for _, c := range []struct {
		what string
		idle time.Duration // since then, of now
		want time.Duration
	}{
		{"none has gone", math.MinInt64 / 2, lingerFor},
		{"it went just now", time.Hour, lingerLong},
		{"it was idle for as long", -lingerLong, lingerFor},
	} {
		seat.linger.Store(int64(lingerFor))
		seat.idle.Store(int64(now() + c.idle))
		members.call(1)
		if got := time.Duration(seat.linger.Load()); got != c.want {
			t.Errorf("%s: it looks out for %v, want %v", c.what, got, c.want)
		}
	}
	members = newTeam(2, nil)
	members.lingers, seat = true, &members.seats[1]
	for _, looked := range []time.Duration{0, lingerFor, lingerLong} {
		before := now()
		seat.linger.Store(int64(lingerLong))
		members.goes(1, looked)
		if idle := time.Duration(seat.idle.Load()) + looked; seat.linger.Load() != int64(lingerFor) || idle < before || idle > now() {
			t.Errorf("gone after %v: it is to look out for %v, idle since %v before, want between %v and now", looked, time.Duration(seat.linger.Load()), idle, before)
		}
	}
}

// Who is dismissed goes at once, unless it looks out for longer.
func TestTeamDismissed(t *testing.T) {
	members := newTeam(2, nil)
	members.lingers = true
	members.gate.Store(jobNone)
	for _, c := range []struct{ linger, looked time.Duration }{{lingerFor, 0}, {lingerLong, lingerLong}} {
		members.seats[1].linger.Store(int64(c.linger))
		if _, ok, looked := members.join(1); ok || looked != c.looked {
			t.Errorf("dismissed, with %v to look out: joined %v, looked out for %v, want %v", c.linger, ok, looked, c.looked)
		}
	}
}
