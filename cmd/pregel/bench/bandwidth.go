package bench

import (
	"time"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const triadPasses = 9

// Bandwidth measures what so many workers read and write of main memory by the
// second, streaming: the triad a[i] = b[i] + x·c[i], 24 bytes a number, as the
// STREAM benchmark counts (reading a line before it is written is not counted).
// The best of some passes counts.
//
// J. McCalpin: Memory bandwidth and machine balance in current high performance
// computers, IEEE TCCA Newsletter, 1995.
func Bandwidth(workers int) float64 { return triad(workers, triadLength, triadPasses) }

func triad(workers, n, passes int) float64 {
	a, b, c := mem.Make[float64](n), mem.Make[float64](n), mem.Make[float64](n)
	workers = parallel.Workers(workers)
	part := (n + workers - 1) / workers
	each := func(f func(a, b, c []float64)) {
		parallel.Range(workers, n, part, func(_, lo, hi int) { f(a[lo:hi], b[lo:hi], c[lo:hi]) })
	}
	each(func(a, b, c []float64) {
		for i := range a {
			a[i], b[i], c[i] = 1, 2, 3
		}
	})
	best := 0.0
	for range passes {
		begin := time.Now()
		each(triadPass)
		best = max(best, 24*float64(n)/time.Since(begin).Seconds())
	}
	return best
}

func triadPass(a, b, c []float64) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		a[i] = b[i] + 3*c[i]
	}
}
