package pregel

import (
	"time"

	"gopregel/pregel/mem"
)

// An asker finds out whether to ask for offers before they are read (mem.Prefetch): a worker
// tries both ways now and then, and does what took less, arc for arc. That hangs on the
// processor, on how many offers there are and on how those of a row lie. On a Xeon PageRank of
// Kronecker 22 took 1.3 to 1.7 times as long by asking, as its reads hang on nothing and are under
// way soon enough; on the machine that asking was written on, 0.7.
//
// Answers do not hang on it: the same is read in the same order.
type asker struct {
	asks bool          // in the turn under way
	turn int           // of turns: in the first two both ways are tried
	arcs uint64        // of it, so far,
	took time.Duration // and the time, of one that tries
	arc  [2]float64    // what one takes, of late, without and with asking; 0: not known
}

const (
	turns    = 64      // until both ways are tried again
	turnArcs = 1 << 14 // of a turn, at least
	// askGain is what asking has to gain: it also makes batches shorter (together), which costs
	// elsewhere.
	askGain = 0.95
)

// mayAsk tells whether asking may pay: for offers that are too many for caches, and not for those
// of functions of many, which are put side by side first, where the program does not gather them.
func (t *edgeTask[V, M]) mayAsk() bool {
	return mem.Prefetches[M]() && mem.Far(t.offers) && (t.byGather() || !t.byMany())
}

// tries tells whether the turn under way is to be timed.
func (a *asker) tries() bool { return a.turn < 2 }

// done tells of arcs of the turn under way, and what they took if it is timed.
func (a *asker) done(arcs uint64, took time.Duration) {
	a.arcs, a.took = a.arcs+arcs, a.took+took
	if a.arcs < turnArcs {
		return
	}
	if a.tries() {
		a.learn(float64(a.took) / float64(a.arcs))
	}
	a.turn, a.arcs, a.took = (a.turn+1)%turns, 0, 0
	a.asks = a.turn == 1 || a.turn > 1 && a.arc[1] < a.arc[0]*askGain
}

// learn lets a turn count for a quarter, as others may have used the processor in it.
func (a *asker) learn(arc float64) {
	way := &a.arc[a.turn]
	if *way != 0 {
		arc = (3**way + arc) / 4
	}
	*way = arc
}
