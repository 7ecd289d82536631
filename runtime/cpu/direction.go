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

// choose returns the direction of the next superstep, and why.
func (r *edgeRun) choose() (pregel.Direction, reason) {
	t, f := r.traits, r.front
	first := t.First || t.Levels && r.task.OneOffer()
	fixed := r.engine.Direction
	left := r.total - min(r.done, r.total)
	switch {
	case r.engine.Strict && !t.Exact:
		return pregel.Pull, reason{rule: strictPulls}
	case t.PullOnly:
		alone := reason{callsPulled, f.arcs * aloneCost, r.total + uint64(r.n)}
		if fixed == pregel.Auto && t.Alone && alone.have < alone.limit {
			alone.rule = callsPushed
			return pregel.Push, alone
		}
		return pregel.Pull, alone
	case fixed != pregel.Auto:
		return fixed, reason{rule: asked}
	case t.Silent && !t.Exact:
		return pregel.Pull, reason{rule: sumsPull} // float sums: no order is to be kept, but it is cheaper
	case !r.task.CanReceive() && r.pushed < 2*r.total:
		return pregel.Push, reason{noInArcs, r.pushed, 2 * r.total} // the in-arcs of a directed graph cost more to make
	case first && r.last == pregel.Pull:
		limit := uint64(r.n / beta)
		switch {
		case f.count > r.lastCount:
			return pregel.Pull, reason{grows, f.count, r.lastCount}
		case f.count > limit:
			return pregel.Pull, reason{stillLarge, f.count, limit}
		}
		return pregel.Push, reason{smallAgain, f.count, limit}
	case first:
		// Whatever is left, a pull looks at all words of vertices.
		return byCost(reason{firstPushed, f.arcs, max(left/alpha, uint64(r.n/64))}, firstPulled)
	}
	return byCost(reason{costPushed, f.arcs * pushCost, left + uint64(r.n)}, costPulled)
}

// byCost pushes up to the limit, and pulls above it, by the given rule.
func byCost(why reason, above rule) (pregel.Direction, reason) {
	if why.have > why.limit {
		why.rule = above
		return pregel.Pull, why
	}
	return pregel.Push, why
}
