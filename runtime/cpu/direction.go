package cpu

import (
	"gopregel/pregel"
	"gopregel/runtime/superstep"
)

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
func (r *edgeRun) choose() (pregel.Direction, pregel.Choice) {
	t, fixed := r.traits, r.engine.Direction
	first := t.First || t.Levels && r.task.OneOffer()
	switch {
	case r.engine.Strict && !t.Exact:
		return pregel.Pull, pregel.Choice{Rule: superstep.StrictPulls}
	case t.PullOnly && !(first && r.wavy() && fixed != pregel.Pull):
		return r.byCalls()
	case fixed != pregel.Auto:
		return fixed, pregel.Choice{Rule: superstep.Asked}
	case t.Silent && !t.Exact:
		return pregel.Pull, pregel.Choice{Rule: superstep.SumsPull} // float sums: no order is to be kept, but it is cheaper
	case !r.task.CanReceive() && r.pushed < 2*r.total:
		return pregel.Push, pregel.Choice{Rule: noInArcs, Have: r.pushed, Limit: 2 * r.total} // the in-arcs of a directed graph cost more to make
	case first:
		return r.byFirst()
	}
	return byCost(pregel.Choice{Rule: costPushed, Have: r.front.arcs * pushCost, Limit: r.left() + uint64(r.n)}, costPulled)
}

// byFirst is choose where pulling stops at the first awake neighbour.
func (r *edgeRun) byFirst() (pregel.Direction, pregel.Choice) {
	f, few := r.front, uint64(r.n/beta)
	switch {
	case r.last != pregel.Pull:
		// Whatever is left, a pull looks at all words of vertices.
		return byCost(pregel.Choice{Rule: firstPushed, Have: f.arcs, Limit: max(r.left()/alpha, uint64(r.n/64))}, firstPulled)
	case f.count > r.lastCount:
		return pregel.Pull, pregel.Choice{Rule: grows, Have: f.count, Limit: r.lastCount}
	case f.count > few:
		return pregel.Pull, pregel.Choice{Rule: stillLarge, Have: f.count, Limit: few}
	}
	return pregel.Push, pregel.Choice{Rule: smallAgain, Have: f.count, Limit: few}
}

// byCalls is choose where functions combine. What it costs one worker alone to push them decides, whether or not
// several do it (pushcalls.go), so that directions do not hang on the workers.
func (r *edgeRun) byCalls() (pregel.Direction, pregel.Choice) {
	alone := pregel.Choice{Rule: callsPulled, Have: r.front.arcs * aloneCost, Limit: r.total + uint64(r.n)}
	if r.engine.Direction == pregel.Auto && r.traits.Alone && alone.Have < alone.Limit {
		alone.Rule = callsPushed
		return pregel.Push, alone
	}
	return pregel.Pull, alone
}

// left counts the arcs at vertices not done with.
func (r *edgeRun) left() uint64 { return r.total - min(r.done, r.total) }

// law gives the numbers of the last choice, as choose does, if it is one of those by
// which supersteps are pushed one after the other.
func (r *edgeRun) law() (l pregel.Law, ok bool) {
	switch r.why.Rule {
	case superstep.Asked:
	case noInArcs:
		l = pregel.Law{Pushed: true, Least: 2 * r.total}
	case firstPushed:
		l = pregel.Law{Each: 1, Share: alpha, Least: uint64(r.n / 64)}
	case costPushed:
		l = pregel.Law{Each: pushCost, Share: 1, Plus: uint64(r.n)}
	default:
		return l, false
	}
	return l, true
}

// byCost pushes up to the limit, and pulls above it, by the given rule.
func byCost(why pregel.Choice, above string) (pregel.Direction, pregel.Choice) {
	if why.Have > why.Limit {
		why.Rule = above
		return pregel.Pull, why
	}
	return pregel.Push, why
}
