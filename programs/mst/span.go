package mst

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/phase"
	"gopregel/runtime/cuda"
)

// span is the run of the algorithm on one graph. The rest of it depends on at, the
// columns and the batch under way alone (parts).
type span struct {
	*phase.Run
	ctx      context.Context
	job      *pregel.Job
	g        *graph.Graph
	n        int
	weights  weights
	at       place
	near     []uint32 // the other end of a vertex's lightest edge; graph.None when another has that
	weight   []uint32 // that edge's weight
	tree     []uint32 // the tree of a vertex, when the batch was begun
	parent   []uint32 // what each tree hangs below at the end of a round; roots are their own
	lightest []uint64 // key, of weight and place, of the lightest link found at a tree
	grown    []uint32 // what a tree at the batch's begin is part of now; nil: itself, or nobody will ask
	rank     []uint32 // room for rename
	rows     []edge   // chosen in the batches so far
	early    []edge   // collected in the first round, for the first batch
	boruvka           // on the batch under way
}

// place is where a run is.
type place struct {
	Stage    stage
	Directed bool    // an edge may stand in the list of either end alone
	Again    bool    // the links of the batch are made
	Batches  int     // ended
	Want     float64 // edges of the batch
	Limit    uint64  // of the batch
	Giant    uint32  // a tree whose vertices' arcs are not read for the batch, or graph.None
}

// A stage is one phase or a few that read alone, and what has to be done to know the
// next.
type stage uint8

const (
	nearing stage = iota
	joining
	selecting
	lightening
	hooking
	contracting
	finishing
	planting
	flattening
	done
)

var stages = [...]func(*span){(*span).nearest, (*span).join, (*span).take, (*span).light, (*span).hang,
	(*span).contract, (*span).close, (*span).plant, (*span).flatten}

const (
	perTree    = 3       // edges of the first batch
	perVertex  = 1.5     // likewise, where they are collected in the first round
	leastBatch = 1 << 13 // edges
	mostBatch  = 1 << 30
)

// Span finds the forest of the job's graph; a run stopped early has found part
// of its edges.
func Span(ctx context.Context, j *pregel.Job) (Forest, error) {
	if e, ok := j.Engine.(*cuda.Engine); ok {
		return onDevice(ctx, e, j)
	}
	s := &span{Run: phase.New(ctx, j), ctx: ctx, job: j, g: j.Graph, n: j.Graph.N(), weights: weightsOf(j.Graph.Out().Weights)}
	resumed, err := j.Continue(s.parts()...)
	if err != nil {
		return Forest{}, err
	}
	if !resumed {
		s.begin()
	}
	s.run()
	f := s.forest()
	if s.Err() == nil {
		s.giveBack()
	}
	return f, s.Err()
}

// giveBack ends the use of all arrays.
func (s *span) giveBack() {
	for _, list := range [][]uint32{s.near, s.weight, s.tree, s.parent, s.rank, s.grown} {
		mem.Give(list)
	}
	mem.Give(s.lightest)
	mem.Give(s.rows)
	mem.Give(s.early)
	s.boruvka.giveBack()
}

func (s *span) parts() []any {
	return []any{&s.at, &s.near, &s.weight, &s.tree, &s.parent, &s.lightest, &s.rows, &s.edges, &s.chosen, &s.links, &s.length, &s.names, &s.grown, &s.early}
}

// begin sets the first values. Of a directed graph's arcs those into a vertex do not
// stand in its list: the first round needs them.
func (s *span) begin() {
	s.parent, s.at.Giant = mem.Take[uint32](s.n), graph.None
	s.at.Directed = s.g.Directed() && !mutual(s.g, s.job.Engine.Pool().Workers())
	switch {
	case s.n == 0:
		s.at.Stage = done
	case s.at.Directed:
		s.tree, s.lightest = mem.Take[uint32](s.n), mem.Take[uint64](s.n)
		s.pieces(s.n, func(lo, hi int) {
			ascend(s.tree, lo, hi)
			blank(s.lightest, lo, hi)
		})
		s.next(s.n)
	}
}

// newForest makes room for a forest of so many edges.
func newForest(g *graph.Graph, edges int, stop pregel.Stop) Forest {
	return Forest{Source: mem.Take[uint32](edges), Target: mem.Take[uint32](edges), Weights: room(g.Weighted(), edges), Stop: stop}
}

// put puts edges into their places.
func (f *Forest) put(at int, edges []edge) {
	for i, e := range edges {
		f.Source[at+i], f.Target[at+i] = e.u, e.v
	}
	restore(f.Weights, at, edges)
}

// run takes the edges in batches, each heavier than the ones before and at least twice
// as large, so that there are O(log m) of them.
func (s *span) run() {
	for s.at.Stage != done && s.Commit(nil, s.parts()...) {
		stages[s.at.Stage](s)
	}
}

// forest returns the edges of the forest that are found.
func (s *span) forest() Forest {
	own := toNear{s.near, s.weight}
	if s.at.Stage <= joining {
		own = toNear{} // not all are of the forest, or some are in it twice
	}
	batches := s.at.Batches
	if len(s.chosen) > 0 {
		batches++ // the one under way
	}
	s.rows = s.boruvka.appendTo(s.rows, s.job.Engine.Pool().Workers())
	if order, _ := s.job.Order(); order != nil {
		edges := gather(s.job.Engine.Pool().Workers(), len(own.near), own, s.rows, order)
		mem.Give(s.rows)
		s.rows = nil
		f := ordered(s.job, edges, s.Stop())
		f.Ordered = true
		return f
	}
	if own.near == nil && batches <= 1 {
		return s.inOrder()
	}
	d := s.deal(own.near, own.weight, s.rows)
	f := newForest(s.g, d.total, s.Stop())
	d.ascending(f.put)
	return f
}

// inOrder returns the edges chosen where these are of one batch: they ascend.
func (s *span) inOrder() Forest {
	f := newForest(s.g, len(s.rows), s.Stop())
	parallel.Range(s.job.Engine.Pool().Workers(), len(s.rows), columnLength, func(_, lo, hi int) { f.put(lo, s.rows[lo:hi]) })
	return f
}

// take takes a batch.
func (s *span) take() {
	edges, limit, err := s.nextBatch()
	if err != nil {
		s.Note(pregel.Stop{Reason: pregel.Failed, Err: err}, err)
	}
	if !s.Going() {
		return
	}
	s.at.Limit, s.at.Again = limit, false
	s.boruvka = boruvka{edges: edges, chosen: mem.Make[byte](len(edges)), links: mem.Take[link](len(edges)),
		length: make([]int, (len(edges)+pieceLength-1)/pieceLength)}
	if s.at.Stage = lightening; len(edges) <= serialFrom {
		s.at.Stage = finishing
	}
}

// close ends a batch.
func (s *span) close() {
	if !s.Serial("mst finish", s.closeAccount(), s.finish) {
		return
	}
	s.rows = s.boruvka.appendTo(s.rows, s.job.Engine.Pool().Workers())
	s.boruvka.giveBack()
	s.boruvka = boruvka{}
	s.at.Batches++
	if s.at.Stage = flattening; s.at.Limit == everything {
		s.at.Stage = done
	}
}
