package pregel

import "gopregel/pregel/graph"

// A batch is how many vertices have their memory read together: reads that do not
// hang on each other are under way at the same time.
const batch = 64

// spans are where the arcs of a batch of vertices begin and end.
type spans struct {
	begin, end [batch]uint64
}

// freshArc is how far behind its beginning a row is asked for ahead. Where the row of a neighbour has been gone through,
// as on grids, that has brought the line in which this one begins. On a grid of even width rows of four arcs begin an
// arc behind the start of 16 bytes or three, as those at the rim are shorter, so that a new line is always come to
// within a row. Of a shorter row it is an arc of the next, mostly in the same line.
const freshArc = 3

// spansOf finds them, and reads a target of each vertex ahead.
func spansOf(us []uint32, c graph.CSR, t *touch) (s spans) {
	for i, u := range us {
		s.begin[i], s.end[i] = c.Offsets.Row(u)
	}
	for i := range us {
		if s.begin[i] < s.end[i] {
			t.seen += c.Targets[min(s.begin[i]+freshArc, s.end[i]-1)]
		}
		t.w.Arcs += s.end[i] - s.begin[i]
	}
	return s
}

// askWeights asks for the weights of the first k rows.
func (s *spans) askWeights(k int, w graph.Weights) {
	var at [batch]uint64
	for i := range k {
		at[i] = s.begin[i] + freshArc
	}
	w.PrefetchAt(at[:k])
}

// of returns the targets of the batch's vertex i.
func (s *spans) of(i int, c graph.CSR) []uint32 { return c.Targets[s.begin[i]:s.end[i]] }

// eachRow is rows for a combiner that has no loop of its own for it.
func eachRow[M any](l loops[M], id M, xs, boxes []M, us []uint32, c graph.CSR, t *touch) {
	spans := spansOf(us, c, t)
	for i, x := range xs {
		l.scatter(opCopy, id, x, boxes, spans.of(i, c), graph.Weights{}, t)
	}
}
