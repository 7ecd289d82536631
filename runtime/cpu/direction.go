package cpu

import "gopregel/pregel"

// The rule of Beamer, Asanović and Patterson (Direction-Optimizing Breadth-First
// Search, SC 2012) for programs that stop at the first message: pull when the
// frontier's arcs exceed a share of those at vertices not yet done, push again
// when the frontier is small and shrinking. Their α and β are those of GAPBS.
const (
	alpha = 15
	beta  = 18
)

// Other programs read every arc when they pull; a pushed message costs about
// pushCost times a pulled one, for its atomics.
const pushCost = 3

// A message pushed by one worker alone, by function calls, costs about aloneCost
// times an arc looked at by one of several.
const aloneCost = 16

// choose returns the direction of the next superstep.
func (r *edgeRun) choose() pregel.Direction {
	t := r.traits
	first := t.First || t.Levels && r.task.OneOffer()
	fixed := r.engine.Direction
	switch {
	case r.engine.Strict && !t.Exact:
		return pregel.Pull
	case t.PullOnly:
		if fixed == pregel.Auto && t.Alone && r.front.arcs*aloneCost < r.total+uint64(r.n) {
			return pregel.Push
		}
		return pregel.Pull
	case fixed != pregel.Auto:
		return fixed
	case t.Silent && !t.Exact:
		return pregel.Pull // float sums: no order is to be kept, but it is cheaper
	case !r.task.CanReceive() && r.pushed < 2*r.total:
		return pregel.Push // the in-arcs of a directed graph cost more to make
	case first && r.last == pregel.Pull:
		if r.front.count > r.lastCount || r.front.count > uint64(r.n/beta) {
			return pregel.Pull
		}
		return pregel.Push
	case first:
		// Whatever is left, a pull looks at all words of vertices.
		if r.front.arcs > max((r.total-min(r.done, r.total))/alpha, uint64(r.n/64)) {
			return pregel.Pull
		}
		return pregel.Push
	case r.front.arcs*pushCost > r.total-min(r.done, r.total)+uint64(r.n):
		return pregel.Pull
	}
	return pregel.Push
}
