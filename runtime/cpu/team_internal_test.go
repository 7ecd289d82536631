package cpu

import (
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

// Members look out for longer once a job has come soon after one gave up, and only until that is
// in vain.
func TestTeamLooksOutForLonger(t *testing.T) {
	members := newTeam(2, nil)
	members.lingers = false // those called go at once
	want := func(what string, want time.Duration) {
		t.Helper()
		if got := time.Duration(members.linger.Load()); got != want {
			t.Errorf("%s: members look out for %v, want %v", what, got, want)
		}
	}
	members.call(1)
	want("the first call", lingerFor)
	members.gone.Store(int64(time.Since(members.begun) + time.Hour))
	members.call(1)
	want("a call within the time", lingerLong)
	members.giveUp()
	want("nothing came", lingerFor)
	members.gone.Store(int64(time.Since(members.begun) - lingerLong))
	members.call(1)
	want("a call after that time", lingerFor)
}
