// Package certify checks answers without knowing the right ones, and without
// the engine that gave them: it sees a graph and plain slices, indexed by
// vertex.
//
// Most certificates are properties of single vertices and arcs that together
// imply the answer, so that checking is linear and easier than solving; each
// file states its theorem. Where no such certificate is known (MST, label
// propagation, clustering coefficients, a fixed number of PageRank
// iterations), the file says what is done instead and what it costs.
//
// An answer that fails gives a *Violation, which names the vertex or edge by
// the user's ids: the first in the order of vertices and of the arcs that leave
// them, whatever the number of processors. Other errors mean that nothing was
// certified: slices of the wrong length, a source outside the graph, a
// cancelled context.
package certify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// A Violation is the first place where an answer breaks its certificate.
type Violation struct {
	Answer string // what is certified: "bfs", "scc", …
	Where  string // "vertex 7", "edge 3 → 7", …, by the user's ids
	Found  string
	Want   string
}

func (v *Violation) Error() string {
	return fmt.Sprintf("certificate of %s: %s: found %s, want %s", v.Answer, v.Where, v.Found, v.Want)
}

// checker is what all certificates share.
type checker struct {
	ctx    context.Context
	g      *graph.Graph
	answer string
}

// id writes the user's id of v.
func (c *checker) id(v uint32) string {
	switch {
	case v == graph.None:
		return "nothing"
	case uint64(v) >= uint64(c.g.N()):
		return fmt.Sprintf("vertex number %d, which is not in the graph", v)
	}
	return c.g.IDs().Text(v)
}

// at reports a violation at a vertex; want is a format for the arguments.
func (c *checker) at(v uint32, found, want string, args ...any) *Violation {
	return &Violation{Answer: c.answer, Where: "vertex " + c.id(v), Found: found, Want: fmt.Sprintf(want, args...)}
}

// on reports a violation at the arc from u to v.
func (c *checker) on(u, v uint32, found, want string, args ...any) *Violation {
	sign := " → "
	if !c.g.Directed() {
		sign = " – "
	}
	return &Violation{Answer: c.answer, Where: "edge " + c.id(u) + sign + c.id(v), Found: found, Want: fmt.Sprintf(want, args...)}
}

// has checks that a column of the answer has a row for every vertex.
func (c *checker) has(name string, rows int) error {
	if rows != c.g.N() {
		return fmt.Errorf("certify %s: %s has %d values, the graph has %d vertices", c.answer, name, rows, c.g.N())
	}
	return nil
}

func (c *checker) hasSource(source uint32) error {
	if uint64(source) >= uint64(c.g.N()) {
		return fmt.Errorf("certify %s: source %d is not one of the %d vertices", c.answer, source, c.g.N())
	}
	return nil
}

const (
	pieceArcs  = 1 << 15 // arcs that a worker takes at once
	pieceRows  = 1 << 12 // rows of a list
	smallRound = 1 << 10 // vertices of a round that are not worth a second goroutine
)

// each calls check for all vertices, in parallel, in pieces of about equal
// numbers of the given arcs, and returns the violation of the least vertex.
// check is told which worker calls it.
func (c *checker) each(arcs graph.CSR, check func(worker int, v uint32) *Violation) error {
	bounds := arcs.Cut(pieceArcs, 1)
	return c.pieces(len(bounds)-1, func(w, i int) *Violation {
		for v := bounds[i]; v < bounds[i+1]; v++ {
			if broken := check(w, v); broken != nil {
				return broken
			}
		}
		return nil
	})
}

// rows calls check for 0 to n-1, in parallel, and returns the violation of the
// least.
func (c *checker) rows(n, piece int, check func(worker, row int) *Violation) error {
	return c.pieces((n+piece-1)/piece, func(w, i int) *Violation {
		for row := i * piece; row < min(n, (i+1)*piece); row++ {
			if broken := check(w, row); broken != nil {
				return broken
			}
		}
		return nil
	})
}

// pieces calls check for the pieces 0 to n-1 and returns the violation of the
// least. Pieces after one that is violated may be left out.
func (c *checker) pieces(n int, check func(worker, piece int) *Violation) error {
	var (
		least atomic.Int64 // the least piece with a violation
		mu    sync.Mutex
		first *Violation
	)
	least.Store(math.MaxInt64)
	parallel.Range(0, n, 1, func(w, i, _ int) {
		if int64(i) > least.Load() || c.ctx.Err() != nil {
			return
		}
		broken := check(w, i)
		if broken == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if int64(i) < least.Load() {
			least.Store(int64(i))
			first = broken
		}
	})
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if first != nil {
		return first
	}
	return nil
}

// arc returns the place of the first arc from u to v, which is the lightest.
func arc(c graph.CSR, u, v uint32) (place uint64, ok bool) {
	i, ok := slices.BinarySearch(c.Neighbors(u), v)
	return c.Offsets.At(u) + uint64(i), ok
}

// isVertex tells whether v is one.
func (c *checker) isVertex(v uint32) bool { return uint64(v) < uint64(c.g.N()) }
