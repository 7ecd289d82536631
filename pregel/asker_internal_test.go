package pregel

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Whatever way takes less is that of nearly all turns, from the second on; when the other comes
// to take less, before long that is; and a turn in which others use the processor changes nothing.
func TestAsker(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var a asker
	tried := 0
	// arcsOf is how many arcs are done without and with asking in n turns, if an arc takes so long, and in
	// some turns without asking, if those are disturbed, three times as long.
	arcsOf := func(n int, arc [2]time.Duration, disturbed bool) (by [2]uint64) {
		for turn := 0; turn < n; {
			arcs, way, took := 1+r.Uint64N(2*turnArcs), 0, time.Duration(0)
			if a.asks {
				way = 1
			}
			if a.tries() {
				took = time.Duration(arcs) * arc[way]
				if disturbed && tried%5 == 4 && way == 0 { // others use the processor
					took *= 3
				}
			}
			by[way] += arcs
			if a.arcs+arcs >= turnArcs {
				turn++
				if a.tries() && way == 0 {
					tried++
				}
			}
			a.done(arcs, took)
		}
		return by
	}
	few := func(by [2]uint64, way int) bool { return by[way]*20 < by[1-way] }
	if by := arcsOf(20*turns, [2]time.Duration{200, 400}, true); !few(by, 1) {
		t.Errorf("asking takes twice the time: arcs without and with it %d", by)
	}
	if by := arcsOf(20*turns, [2]time.Duration{200, 196}, false); !few(by, 1) {
		t.Errorf("asking gains little: arcs without and with it %d", by)
	}
	arcsOf(10*turns, [2]time.Duration{400, 200}, true)
	if by := arcsOf(20*turns, [2]time.Duration{400, 200}, true); !few(by, 0) {
		t.Errorf("asking takes half the time: arcs without and with it %d", by)
	}
}
