package pregel

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Whatever way takes less is that of nearly all turns, from the second on; when the other comes
// to take less, before long that is; and a turn in which others use the processor changes nothing.
func TestAsker(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var a asker
	arcsOf := func(n int, cost [2]time.Duration) (by [2]uint64) {
		for turn := 0; turn < n; {
			arcs := 1 + r.Uint64N(2*turnArcs)
			way := 0
			if a.asks {
				way = 1
			}
			took := time.Duration(arcs) * cost[way]
			if turn%200 == 0 && way == 0 { // another took a third of the time then
				took = took * 3 / 2
			}
			by[way] += arcs
			if a.arcs+arcs >= turnArcs {
				turn++
			}
			if !a.tries() {
				took = 0 // it is not measured
			}
			a.done(arcs, took)
		}
		return by
	}
	few := func(by [2]uint64, way int) bool { return by[way]*20 < by[1-way] }
	if by := arcsOf(1000, [2]time.Duration{2, 4}); !few(by, 1) {
		t.Errorf("asking takes twice the time: arcs without and with it %d", by)
	}
	arcsOf(500, [2]time.Duration{4, 2})
	if by := arcsOf(1000, [2]time.Duration{4, 2}); !few(by, 0) {
		t.Errorf("asking takes half the time: arcs without and with it %d", by)
	}
	if a := new(asker); a.asks {
		t.Error("it asks before anything is known")
	}
}
