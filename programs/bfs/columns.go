package bfs

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file makes the columns of an answer of the states of a search. A short column of states is
// left as a search begins, for the next. In the memory of a long one its parents stay, so that
// all takes a quarter less.

// InPlaceFrom is from how many vertices on parents stay where states were: 4 MB of them.
const InPlaceFrom = 1 << 19

// An extent tells of a search how many vertices it has reached, and of the greatest depth.
type extent struct {
	reached int
	deepest uint32
}

func (e *extent) add(reached int, deepest uint32) {
	e.reached += reached
	e.deepest = max(e.deepest, deepest)
}

// columns takes the states apart, with the parents if they are wanted.
func columns(p pregel.Pool, states []State, parents bool) (depth, parent []uint32, e extent, err error) {
	depth = mem.Take[uint32](len(states))
	switch {
	case !parents:
		err = depthsOf(p, states, depth, &e)
	case len(states) >= InPlaceFrom:
		parent, err = inPlace(p, states, depth, &e)
	default:
		parent = mem.Take[uint32](len(states))
		err = apart(p, states, depth, parent, &e)
	}
	return depth, parent, e, err
}

// apart leaves the states as a search begins.
func apart(p pregel.Pool, states []State, depth, parent []uint32, e *extent) error {
	err := e.inPieces(p, 0, len(states), func(lo, hi int) (int, uint32) {
		pairs := words(states[lo:hi])
		defer mem.Fill(pairs, graph.None)
		return mem.Unzip(depth[lo:hi], parent[lo:hi], pairs)
	})
	if err == nil {
		mem.GiveBlank(states)
	}
	return err
}

// inPlace has the parents in the first half of the states' memory. State k is words 2k and 2k+1,
// and its parent becomes word k: so when all states below k are done with, those from k to 2k can
// be taken apart at once. The first piece is, from its start on, by one worker. The rest of the
// memory is within the capacity, so that who gives the column back gives all.
func inPlace(p pregel.Pool, states []State, depth []uint32, e *extent) (parent []uint32, err error) {
	n, pairs := len(states), words(states)
	parent = pairs[:n]
	for lo, hi := 0, min(piece, n); lo < n && err == nil; lo, hi = hi, min(2*hi, n) {
		err = e.inPieces(p, lo, hi, func(lo, hi int) (int, uint32) {
			return mem.Unzip(depth[lo:hi], parent[lo:hi], pairs[2*lo:2*hi])
		})
	}
	return parent, err
}

// depthsOf takes the depths alone.
func depthsOf(p pregel.Pool, states []State, depth []uint32, e *extent) error {
	err := e.inPieces(p, 0, len(states), func(lo, hi int) (int, uint32) {
		for i, s := range states[lo:hi] {
			depth[lo+i] = s.Depth
		}
		return mem.Extent(depth[lo:hi])
	})
	if err == nil {
		mem.Give(states)
	}
	return err
}

func words(states []State) []uint32 { return mem.View[uint32](mem.Raw(states)) }

// inPieces has the engine's workers, who are awake after a search, look at the vertices from lo
// to hi, piece by piece.
func (e *extent) inPieces(p pregel.Pool, lo, hi int, of func(lo, hi int) (reached int, deepest uint32)) error {
	found := make([]extent, p.Workers())
	err := p.For((hi-lo+piece-1)/piece, func(i int, w *pregel.Worker) {
		from := lo + i*piece
		found[w.Slot].add(of(from, min(hi, from+piece)))
	})
	for _, part := range found {
		e.add(part.reached, part.deepest)
	}
	return err
}
