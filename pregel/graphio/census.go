package graphio

import (
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
)

// A numbering maps ids of a file to vertices.
type numbering interface {
	// vertices writes the vertices of ids to to and returns -1, or the place
	// of the first id that has none.
	vertices(ids []uint64, to []uint32) (bad int)
}

// span is the numbering of the ids base, base+1, …, base+n-1.
type span struct{ base, n uint64 }

func (s span) vertices(ids []uint64, to []uint32) int {
	to = to[:len(ids)]
	for i, id := range ids {
		if id-s.base >= s.n {
			return i
		}
		to[i] = uint32(id - s.base)
	}
	return -1
}

// A census learns in the first pass over a file which vertices there are.
type census interface {
	// see looks at a batch. It returns the place of the first arc whose ends
	// are not allowed, with the reason, else -1.
	see(worker int, b *batch) (bad int, problem string)
	// finish returns the vertices after all batches of a file with the given
	// number of arcs.
	finish(arcs int64) (graph.IDs, numbering, error)
}

// endpointCensus makes a vertex of each id that occurs.
type endpointCensus struct{ set *idSet }

func (c endpointCensus) see(worker int, b *batch) (int, string) {
	c.set.add(worker, b.u)
	c.set.add(worker, b.v)
	c.set.add(worker, b.alone)
	return -1, ""
}

func (c endpointCensus) finish(int64) (graph.IDs, numbering, error) {
	k, count := c.set.finish()
	if count > graph.MaxVertices {
		return graph.IDs{}, nil, tooManyVertices(count)
	}
	if base, ok := k.contiguous(); ok {
		return graph.RangeIDs(base, int(count)), span{base, count}, nil
	}
	ids, err := graph.NumberIDs(k.list())
	return ids, k, err
}

// contiguous tells whether the ids have no gaps, and the first.
func (k *ranks) contiguous() (base uint64, ok bool) {
	if len(k.high.ids) > 0 {
		return 0, false
	}
	if k.low == 0 {
		return 0, true
	}
	return k.least, k.greatest-k.least+1 == k.low
}

func tooManyVertices(count uint64) error {
	return fmt.Errorf("%d vertices, at most %d fit", count, uint64(graph.MaxVertices))
}

// rangeCensus makes vertices of 0 to the greatest id.
type rangeCensus struct {
	guard bool // refuse when most of the vertices would be isolated
	slack uint64
	any   atomic.Bool
	most  atomic.Uint64
}

func (c *rangeCensus) see(_ int, b *batch) (int, string) {
	most := uint64(0)
	for i, u := range b.u {
		most = max(most, u, b.v[i])
	}
	for _, u := range b.alone {
		most = max(most, u)
	}
	if len(b.u)+len(b.alone) > 0 {
		c.any.Store(true)
	}
	for old := c.most.Load(); most > old && !c.most.CompareAndSwap(old, most); old = c.most.Load() {
	}
	return -1, ""
}

func (c *rangeCensus) finish(arcs int64) (graph.IDs, numbering, error) {
	if !c.any.Load() {
		return graph.RangeIDs(0, 0), span{}, nil
	}
	most := c.most.Load()
	if c.guard && mostlyIsolated(most, arcs, c.slack) {
		return graph.IDs{}, nil, fmt.Errorf("the greatest id is %d, but there are only %d edges: with the vertices 0 to %d nearly all would be isolated; `vertices: endpoints` takes those that occur, `vertices: range` insists", most, arcs, most)
	}
	if most >= graph.MaxVertices {
		return graph.IDs{}, nil, fmt.Errorf("the greatest id is %d: vertices 0 to %d are more than the %d that fit; `vertices: endpoints` takes those that occur", most, most, uint64(graph.MaxVertices))
	}
	return graph.RangeIDs(0, int(most)+1), span{0, most + 1}, nil
}

// mostlyIsolated tells whether a graph of n vertices would waste memory.
func mostlyIsolated(n uint64, arcs int64, slack uint64) bool { return n > 16*uint64(arcs)+slack }

// headerCensus has the vertices 1 to n of a header; parsers check the ids.
type headerCensus struct{ n uint64 }

func (c headerCensus) see(int, *batch) (int, string) { return -1, "" }

func (c headerCensus) finish(int64) (graph.IDs, numbering, error) {
	return graph.RangeIDs(1, int(c.n)), span{1, c.n}, nil
}

// nameCensus makes a vertex of each name of a table.
type nameCensus struct{ names *nameTable }

func (c nameCensus) see(int, *batch) (int, string) { return -1, "" }

func (c nameCensus) finish(int64) (graph.IDs, numbering, error) { return c.names.finish() }

// listedCensus has the vertices that another file lists, and no others.
type listedCensus struct {
	ids     graph.IDs
	known   numbering
	file    string
	names   *nameTable // of strings
	scratch [][]uint32 // of the workers
}

func (c listedCensus) see(worker int, b *batch) (int, string) {
	if len(c.scratch[worker]) < len(b.u) {
		c.scratch[worker] = make([]uint32, len(b.u)+len(b.u)/8)
	}
	bad, id := -1, uint64(0)
	if i := c.known.vertices(b.u, c.scratch[worker]); i >= 0 {
		bad, id = i, b.u[i]
	}
	if i := c.known.vertices(b.v, c.scratch[worker]); i >= 0 && (bad < 0 || i < bad) {
		bad, id = i, b.v[i]
	}
	switch {
	case bad < 0:
		return -1, ""
	case c.names != nil:
		return bad, fmt.Sprintf("vertex %q is not in %s", c.names.name(uint32(id)), c.file)
	}
	return bad, fmt.Sprintf("vertex %d is not in %s", id, c.file)
}

func (c listedCensus) finish(int64) (graph.IDs, numbering, error) { return c.ids, c.known, nil }
