package scc

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
)

// searches are the two from the pivot, tile by tile, on graphs that are prepared
// for it (order tiles): what it reaches, and what reaches it. They take the place
// of scc_reach.
type searches [2]*cuda.Relaxation

// reach has the bit of who was heard of pass on.
const reach = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.pivot;
  return awake;
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = m && !x;
  return x | m;
}
`

// pivots are among so many vertices, evenly apart.
const pivots = 1 << 10

// inTiles prepares the searches, if they are to be made tile by tile.
func (d *device) inTiles(s *cuda.Session, pivot uint32) (err error) {
	if !s.InTiles() {
		return nil
	}
	if pivot == graph.None {
		pivot = central(s.Graph().Host)
	}
	if pivot == graph.None {
		return nil
	}
	var x searches
	for i, along := range []pregel.Along{pregel.OutEdges, pregel.InEdges} {
		f := pregel.Form{Combine: "or", Edge: "copy", Identity: "0u", Along: along, Exact: true}
		f.Name, f.Source, f.Params = "reach.cu", reach, struct{ Pivot uint32 }{pivot}
		f.Value, f.Message = pregel.CType{Definition: "typedef u32 Value;", Size: 4}, pregel.CType{Definition: "typedef u32 Message;", Size: 4}
		if x[i], err = s.Relax(f, cuda.RelaxOptions{Pair: true}); err != nil {
			return err
		}
	}
	d.tiles, d.pivot = &x, pivot
	return nil
}

// central is a vertex with many arcs both ways, of some.
func central(g *graph.Graph) uint32 {
	best, pivot := uint64(0), graph.None
	out, in := g.Out(), g.In()
	step := max(g.N()/pivots, 1)
	for v := 0; v < g.N(); v += step {
		if both := out.Degree(uint32(v)) * in.Degree(uint32(v)); both > best {
			best, pivot = both, uint32(v)
		}
	}
	return pivot
}

// start sets the first values.
func (x *searches) start() error {
	for _, r := range x {
		if err := r.Start(); err != nil {
			return err
		}
	}
	return nil
}

// launch has both searches go on. One that has ended finds nothing to do.
func (x *searches) launch() error { return cuda.LaunchPair(x[0], x[1], math.MaxInt32) }

// read finds out how far they have come.
func (x *searches) read() (awake, arcs uint64, err error) {
	for _, r := range x {
		records, err := r.Read("scc", nil)
		if err != nil {
			return 0, 0, err
		}
		for _, rec := range records {
			awake += rec.Awake
			arcs += rec.Arcs
		}
	}
	return awake, arcs, nil
}
