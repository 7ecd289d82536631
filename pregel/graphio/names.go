package graphio

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v3"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// A nameTable numbers strings as they come in from several goroutines. The
// numbers depend on who comes first; finish replaces them by the ranks of the
// strings in the order of their bytes.
type nameTable struct {
	numbers *xsync.MapOf[string, uint32]
	next    atomic.Int64
}

func newNameTable() *nameTable {
	return &nameTable{numbers: xsync.NewMapOf[string, uint32]()}
}

// number returns the number of a name, a new one at its first occurrence.
func (t *nameTable) number(name []byte, a *arena) uint64 {
	if n, ok := t.numbers.Load(mem.String(name)); ok {
		return uint64(n)
	}
	n, _ := t.numbers.LoadOrCompute(a.keep(name), func() uint32 { return uint32(t.next.Add(1) - 1) })
	return uint64(n)
}

// name returns the name of a number. It looks at all, for an error.
func (t *nameTable) name(number uint32) (name string) {
	t.numbers.Range(func(s string, n uint32) bool {
		if n == number {
			name = s
		}
		return n != number
	})
	return name
}

// finish returns the names in order and the rank of each number.
func (t *nameTable) finish() (graph.IDs, numbering, error) {
	count := t.next.Load()
	if count > graph.MaxVertices {
		return graph.IDs{}, nil, fmt.Errorf("%d vertices, at most %d fit", count, uint64(graph.MaxVertices))
	}
	type entry struct {
		name   string
		number uint32
	}
	entries := make([]entry, 0, count)
	t.numbers.Range(func(name string, number uint32) bool {
		entries = append(entries, entry{name, number})
		return true
	})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	names, ranks := make([]string, count), make(rankOf, count)
	for rank, e := range entries {
		names[rank] = e.name
		ranks[e.number] = uint32(rank)
	}
	ids, err := graph.NameIDs(names)
	return ids, ranks, err
}

// rankOf maps numbers of a nameTable to vertices.
type rankOf []uint32

func (r rankOf) vertices(ids []uint64, to []uint32) int {
	for i, id := range ids {
		if id >= uint64(len(r)) {
			return i
		}
		to[i] = r[id]
	}
	return -1
}
