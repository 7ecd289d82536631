package sssp

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// What the records of runs on a device say (pregel.Account).
const (
	allAtOnce   = "no width of a window is wanted: all distances are relaxed at once"
	fixedWidth  = "windows of distances are {have} wide, as is asked for"
	widerWindow = "windows of distances are {have} wide at least, and wider as long as few vertices lie in them: now {limit}"
	pullLight   = "the graph is prepared, and has weights and hubs: vertices pull, the lightest arcs first, once many are reached, and as long as many change"
)

// account is that of a superstep: a vertex on a list has a distance, and so has the end of
// an arc.
func (d *device[T]) account(g *graph.Graph) *pregel.Account {
	size := d.distanceBytes()
	a := &pregel.Account{Widths: pregel.Widths{Value: size, Message: size, Frontier: pregel.ListedFrontier}}
	if g.Weighted() != graph.Unweighted {
		a.Widths.Weight = 4
	}
	switch why := &a.Why; {
	case d.pull != nil:
		why.Rule = pullLight
	case d.delta == 0:
		why.Rule = allAtOnce
	case !d.adapt:
		why.Rule, why.Have = fixedWidth, d.whole(d.width())
	default:
		why.Rule, why.Have, why.Limit = widerWindow, d.whole(d.width()), d.whole(d.word64(stateWidth))
	}
	return a
}

// whole is a width as a whole number, not less than 1 where it is a float.
func (d *device[T]) whole(width uint64) uint64 {
	if d.kind != real {
		return width
	}
	return uint64(math.Ceil(math.Float64frombits(width)))
}
