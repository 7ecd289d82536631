package plan

import (
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
)

// shape is what the CPU engine keeps of a program, in bytes a vertex.
type shape struct {
	value, offer, box uint64 // values, offers that are pulled, messages that are pushed
	bitmaps           uint64 // sets of vertices: two frontiers, touched, settled, waiting
	own               uint64 // arrays of the algorithm itself
	answer            uint64 // columns, where they are not the values
	shared            uint64 // of these, what lies in the memory of values and offers
	in                bool   // it reads the in-arcs of a directed graph
	shares            bool   // several workers share frontiers of few vertices
	known             bool
}

// mostShares is how many of them are worth it on the CPU, however many workers there are.
const mostShares = 32

// shapeOf knows the built-in programs, and of others that say so the sizes of values
// and messages; of the rest it supposes 16 bytes each.
func shapeOf(a pregel.Algorithm, s Size, e job.Engine) shape {
	pull := e.Direction == "pull"
	switch a := a.(type) {
	case *bfs.BFS:
		t := shape{value: 8, box: 4, bitmaps: 4, answer: 8, in: pull, shares: true, known: true}
		switch {
		case a.Parents != nil && !*a.Parents:
			t.value, t.answer = 4, 0
		case s.Vertices >= bfs.InPlaceFrom && !s.Prepared:
			t.shared = 4 // parents stay where values were
		}
		return t
	case *sssp.SSSP:
		return pathsByMessages(a, s, pull)
	case *pagerank.PageRank:
		t := shape{value: 8, offer: 8, bitmaps: 2, in: true, known: true}
		if s.Arcs <= pregel.AheadDegree*s.Vertices {
			t.offer *= 2
		}
		if e.Direction == "push" && e.Determinism != "strict" {
			t.offer, t.box, t.bitmaps, t.in = 0, 8, 3, false
		}
		if a.Precision == pagerank.Float32 {
			t.value, t.offer, t.box, t.answer = 4, t.offer/2, t.box/2, 8
			if !s.Prepared {
				t.shared = min(8, 4+t.offer) // offers of one superstep
			}
		}
		return t
	case *wcc.WCC:
		if a.Method == wcc.Propagate && e.Schedule == "relaxed" {
			return shape{value: 4, box: 4, bitmaps: 3, own: 16, known: true, in: true} // lists
		}
		if a.Method == wcc.Propagate {
			return shape{value: 4, offer: 4, box: 4, bitmaps: 3, own: 4, in: true, known: true}
		}
		return shape{value: 4, own: 4, known: true}
	case *scc.SCC:
		if !s.Directed {
			return shape{value: 4, own: 4, known: true}
		}
		// own: marks, search, census; and what a path of all vertices has beyond the in-arcs
		// and boxes of a run that makes none.
		return shape{value: 4, box: 4, bitmaps: 4, own: 1 + 4 + 4 + 8, in: true, shares: true, known: true}
	case *cdlp.CDLP:
		return shape{value: 4, offer: 4, bitmaps: 2, own: 4, in: true, known: true}
	case *mst.MST:
		return shape{value: 28, known: true} // nearest neighbours and their weights, trees, their parents, ranks and names, and lightest edges
	case *lcc.LCC:
		return shape{value: 8, own: 12, answer: 8, in: true, known: true} // degree, rank, vertex of a rank
	}
	if z, ok := a.(pregel.Sized); ok {
		v, m := z.Sizes()
		value, message := uint64(v), uint64(m)
		return shape{value: value, offer: message, box: message, bitmaps: 4, answer: 2 * value, in: true, known: true} // columns are of 4 or 8 bytes
	}
	return shape{value: 16, offer: 16, box: 16, bitmaps: 4, answer: 16, in: true}
}

// withoutDepths tells whether parents are found alone, by a GPU: a CPU finds depths beside.
func withoutDepths(b *bfs.BFS) bool { return b.Depths != nil && !*b.Depths }

// Host adds up what a job takes on the host: the arrays of its graph and, unless
// a GPU has them, of the program; its answer; and what is used for a while on
// the way. Garbage that is not yet collected counts, as it is there at the peak;
// the program's code and the runtime do not.
func Host(a pregel.Algorithm, s Size, e job.Engine, gpu bool) Need {
	var n Need
	t := shapeOf(a, s, e)
	if p, ok := a.(*sssp.SSSP); ok && !gpu && inPlace(p, e) {
		t = pathsInPlace(p, s)
	}
	workers := uint64(parallel.Workers(e.Workers))
	s.addGraph(&n, workers)
	if s.Prepared {
		sides := uint64(1)
		if s.Directed {
			sides = 2
		}
		n.add("prepared graph", sides*(graph.OffsetBytes(s.Arcs)*(s.Vertices+1)+s.perArc()*s.Arcs)+8*s.Vertices)
		n.add("preparing", 16*s.Vertices+graph.OffsetBytes(s.Arcs)*(s.Vertices+1)+s.perArc()*s.Arcs+4*s.Vertices*transposeParts(s, workers))
	}
	if b, ok := a.(*bfs.BFS); ok && gpu && withoutDepths(b) && !s.Prepared {
		t.value, t.answer, t.shared = 4, 0, 0
	}
	if _, ok := a.(*mst.MST); ok && gpu {
		t.value = 12 + 12 + 12 + 20 // edges as they are copied, gathered, and dealt to be put in order; as columns
	}
	if gpu {
		n.add("answer", (t.value+t.answer-min(t.value, t.shared))*s.Vertices)
		return n
	}
	if t.in && s.Directed && !s.HasIn {
		n.add("graph: in-arcs", graph.OffsetBytes(s.Arcs)*(s.Vertices+1)+s.perArc()*s.Arcs)
		n.add("making the in-arcs", 4*s.Vertices*transposeParts(s, workers))
	}
	n.add("values", t.value*s.Vertices)
	n.add("messages: offers", t.offer*s.Vertices)
	n.add("messages: boxes", t.box*s.Vertices)
	n.add("frontier", t.bitmaps*(s.Vertices+7)/8+listed(t)*s.Vertices)
	if t.shares && workers > 1 {
		n.add("frontier: shares of the workers", 2*((s.Vertices+7)/8)+min(workers, mostShares)*((s.Vertices+511)/512))
	}
	n.add("the algorithm's own", t.own*s.Vertices)
	n.add("answer", (t.answer-t.shared)*s.Vertices)
	switch a := a.(type) {
	case *mst.MST:
		addMST(&n, s)
	case *lcc.LCC:
		addLCC(&n, s, workers)
	case *cdlp.CDLP:
		if s.Directed { // two short lists for each vertex and iteration, until the heap has doubled
			n.add("garbage, not yet collected", min(n.Total, 72*s.Vertices*uint64(a.Iterations)))
		}
	}
	return n
}

// listed is what lists of awake and touched vertices take: each is kept while
// it is shorter than a sixteenth of the vertices, and grows by doubling.
func listed(t shape) uint64 {
	if t.bitmaps > 0 {
		return 1
	}
	return 0
}

func (s Size) perArc() uint64 {
	if s.Weights == graph.Unweighted {
		return 4
	}
	return 8
}

// addGraph adds the graph and what is needed to make it.
func (s Size) addGraph(n *Need, workers uint64) {
	if s.Loading.Loaded {
		return // memory that is available no more
	}
	if !s.Loading.Mapped {
		n.add("graph: offsets", graph.OffsetBytes(s.Placed)*(s.Vertices+2))
		if graph.OffsetBytes(s.Placed) > 4 {
			n.add("counting arcs", 4*(s.Vertices+2)+graph.OffsetBytes(s.Arcs)*(s.Vertices+1))
		}
		n.add("graph: targets", 4*s.Placed)
		if s.Weights != graph.Unweighted {
			n.add("graph: weights", 4*s.Placed)
		}
	}
	if s.Loading.Mapped && s.Loading.Hashes {
		n.add("graph: weights", 4*s.Arcs)
	}
	switch s.IDs {
	case Numbers:
		n.add("graph: ids", 8*s.Vertices)
	case Names:
		n.add("graph: ids", 16*s.Vertices+s.NameBytes)
		n.add("finding ids", 64*s.Vertices)
	}
	if s.Loading.Merges {
		n.add("merging duplicates", 4*s.Vertices)
	}
	if s.Loading.Text > 0 {
		n.add("reading text", workers*(4<<20)+s.Loading.Text/8)
	}
	if s.Loading.Held {
		lines := s.Placed / s.stored()
		if s.Loading.BothEnds {
			lines = s.Placed
			n.add("holding where lists begin", graph.OffsetBytes(s.Placed)*(s.Vertices+1))
		}
		n.add("holding the arcs of the text", 2*s.perArc()*lines)
	}
}

// stored is how many arcs a line of a text makes.
func (s Size) stored() uint64 {
	if s.Directed {
		return 1
	}
	return 2
}

// transposeParts is how many counters of each vertex the making of in-arcs
// has: see graph.transpose.
func transposeParts(s Size, workers uint64) uint64 {
	return min(workers, max(1, s.Arcs/max(s.Vertices, 1)))
}

// addMST adds the edges of the greatest batch, in slabs and in order, with
// their links; and the forest, as edges and as columns.
func addMST(n *Need, s Size) {
	edges := s.Arcs / s.stored()
	batch := edges
	if edges > 6*s.Vertices {
		batch = 4 * s.Vertices // aimed at 3
	}
	n.add("edges of a batch", 2*12*batch)
	n.add("links of a batch", (16+1)*batch)
	if s.Directed {
		n.add("sorting a batch", 12*batch+16*s.Vertices+8*batch)
	}
	ordered := uint64(12)
	if s.Prepared {
		ordered = 24 // with the user's numbers first
	}
	n.add("answer", (24+4+8+ordered)*s.Vertices)
}

// addLCC adds half of the simple graph and the counters of the workers.
func addLCC(n *Need, s Size, workers uint64) {
	edges, perArc := s.Arcs/s.stored(), uint64(4)
	if s.Directed {
		perArc = 8
	}
	n.add("lists by rank", graph.OffsetBytes(s.Arcs)*(s.Vertices+1)+perArc*edges)
	n.add("counters of the workers", 9*s.Vertices*workers)
}
