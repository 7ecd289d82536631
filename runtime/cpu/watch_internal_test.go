package cpu

import (
	"testing"
	"time"

	"gopregel/pregel"
)

// A phase has the time that workers spend in it, alone or together, and what passes
// between two supersteps is nobody's.
func TestWatch(t *testing.T) {
	t.Parallel()
	const nap, pause = 2 * time.Millisecond, 20 * time.Millisecond
	p := newPool(2)
	p.watch = &watch{base: time.Now()}
	work := func(times int, do func(n int, f func(int, *pregel.Worker)) error, n int) {
		for range times {
			if err := do(n, func(int, *pregel.Worker) { time.Sleep(nap) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	begin, waited := time.Now(), time.Duration(0)
	sum := time.Duration(0)
	for step := range 3 {
		if step > 0 {
			begun := time.Now()
			time.Sleep(pause)
			waited += time.Since(begun)
		}
		p.Phase("alone")
		work(2, p.alone, 1)
		p.Phase("together")
		work(1, p.For, 2)
		work(1, p.alone, 1)
		work(1, p.For, 2)
		p.Phase("nobody")
		p.Phase("last")
		work(3, p.alone, 1)
		list := p.watch.take()
		want := []struct {
			name        string
			first, both time.Duration // at least: of the first worker, and of both
		}{{"alone", 2 * nap, 2 * nap}, {"together", nap, 5 * nap}, {"last", 3 * nap, 3 * nap}}
		if len(list) != len(want) {
			t.Fatalf("superstep %d: phases %v", step, list)
		}
		for i, w := range want {
			both := list[i].Workers[0] + list[i].Workers[1]
			if list[i].Name != w.name || list[i].Workers[0] < w.first || both < w.both || w.both == w.first && both != list[i].Workers[0] {
				t.Errorf("superstep %d: phase %v, want %s of %v and, by both workers, %v at least", step, list[i], w.name, w.first, w.both)
			}
			sum += list[i].Workers[0]
		}
	}
	if took := time.Since(begin) - waited; sum > took {
		t.Errorf("the first worker's times are %v in all, of %v that passed in supersteps", sum, took)
	}
}
