package graph

import (
	"fmt"
	"slices"
	"strconv"
)

// IDs maps the vertices of a graph to the ids its user knows: a range of
// numbers (no table), sparse 64-bit numbers, or strings. Ids ascend with the
// vertices, unless the graph has been renumbered.
type IDs struct {
	n       int
	base    uint64   // of a range
	numbers []uint64 // ascending; nil for a range or strings
	names   []string // ascending by bytes; nil for numbers
	// Of a renumbered graph: the place of each vertex among the ascending ids, and
	// the vertex at each place. Else nil.
	order, place []uint32
}

// RangeIDs are the ids base, base+1, …, base+n-1.
func RangeIDs(base uint64, n int) IDs { return IDs{n: n, base: base} }

// NumberIDs are the given ids, which must be strictly ascending. A run without
// gaps is kept as a range.
func NumberIDs(ids []uint64) (IDs, error) {
	for i := 1; i < len(ids); i++ {
		if ids[i-1] >= ids[i] {
			return IDs{}, fmt.Errorf("graph: ids are not strictly ascending: %d, then %d", ids[i-1], ids[i])
		}
	}
	if n := len(ids); n == 0 || ids[n-1]-ids[0] == uint64(n-1) {
		base := uint64(0)
		if n > 0 {
			base = ids[0]
		}
		return RangeIDs(base, n), nil
	}
	return IDs{n: len(ids), numbers: ids}, nil
}

// NameIDs are the given strings, which must be strictly ascending.
func NameIDs(names []string) (IDs, error) {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return IDs{}, fmt.Errorf("graph: ids are not strictly ascending: %q, then %q", names[i-1], names[i])
		}
	}
	if names == nil {
		names = []string{}
	}
	return IDs{n: len(names), names: names}, nil
}

// reordered are the ids of vertices in another order.
func (t IDs) reordered(order, place []uint32) IDs {
	if t.order != nil { // from the ascending ids on
		old := t
		first, back := make([]uint32, len(order)), make([]uint32, len(place))
		for v, w := range order {
			first[v] = old.order[w]
			back[first[v]] = uint32(v)
		}
		order, place = first, back
	}
	t.order, t.place = order, place
	return t
}

// Order returns, for each vertex of a renumbered graph, its place among the
// ascending ids; nil when ids ascend with the vertices.
func (t IDs) Order() []uint32 { return t.order }

// Places returns, for each place among the ascending ids, the vertex of a renumbered
// graph that has it; nil when ids ascend with the vertices.
func (t IDs) Places() []uint32 { return t.place }

// at returns the place of v among the ascending ids.
func (t IDs) at(v uint32) uint32 {
	if t.order != nil {
		return t.order[v]
	}
	return v
}

// vertex returns the vertex at a place among the ascending ids.
func (t IDs) vertex(at uint32, ok bool) (uint32, bool) {
	if ok && t.place != nil {
		at = t.place[at]
	}
	return at, ok
}

// Some returns the ids of the given vertices, whose ids must ascend.
func (t IDs) Some(vertices []uint32) (IDs, error) {
	if t.names != nil {
		names := make([]string, len(vertices))
		for i, v := range vertices {
			names[i] = t.Text(v)
		}
		return NameIDs(names)
	}
	numbers := make([]uint64, len(vertices))
	for i, v := range vertices {
		numbers[i] = t.Number(v)
	}
	return NumberIDs(numbers)
}

// Len returns the number of vertices.
func (t IDs) Len() int { return t.n }

// Names returns the table of strings, ascending, nil when ids are numbers.
func (t IDs) Names() []string { return t.names }

// Numbers returns the table of sparse numbers, ascending, nil when ids are a
// range or strings.
func (t IDs) Numbers() []uint64 { return t.numbers }

// Base returns the least id when ids are a range.
func (t IDs) Base() uint64 { return t.base }

// Number returns the id of v, 0 when ids are strings.
func (t IDs) Number(v uint32) uint64 {
	switch {
	case t.numbers != nil:
		return t.numbers[t.at(v)]
	case t.names != nil:
		return 0
	}
	return t.base + uint64(t.at(v))
}

// Text returns the id of v as the file had it.
func (t IDs) Text(v uint32) string {
	if t.names != nil {
		return t.names[t.at(v)]
	}
	return strconv.FormatUint(t.Number(v), 10)
}

// Append appends the id of v to dst.
func (t IDs) Append(dst []byte, v uint32) []byte {
	if t.names != nil {
		return append(dst, t.names[t.at(v)]...)
	}
	return strconv.AppendUint(dst, t.Number(v), 10)
}

// Find returns the vertex with the given number as its id.
func (t IDs) Find(id uint64) (uint32, bool) {
	switch {
	case t.names != nil:
		return None, false
	case t.numbers != nil:
		i, ok := slices.BinarySearch(t.numbers, id)
		return t.vertex(uint32(i), ok)
	}
	return t.vertex(uint32(id-t.base), id >= t.base && id-t.base < uint64(t.n))
}

// Parse returns the vertex whose id is written as text.
func (t IDs) Parse(text string) (uint32, error) {
	if t.names != nil {
		if i, ok := slices.BinarySearch(t.names, text); ok {
			v, _ := t.vertex(uint32(i), ok)
			return v, nil
		}
		return None, fmt.Errorf("no vertex %q in the graph", text)
	}
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return None, fmt.Errorf("vertex %q: ids of this graph are whole numbers from 0 to 2^64-1", text)
	}
	v, ok := t.Find(id)
	if !ok {
		return None, fmt.Errorf("no vertex %d in the graph (%s)", id, t.describe())
	}
	return v, nil
}

func (t IDs) describe() string {
	switch {
	case t.n == 0:
		return "it has no vertices"
	case t.numbers != nil:
		return fmt.Sprintf("%d ids between %d and %d, with gaps", t.n, t.numbers[0], t.numbers[t.n-1])
	}
	return fmt.Sprintf("its ids are %d to %d", t.base, t.base+uint64(t.n)-1)
}

func (t IDs) bytes() uint64 {
	size := uint64(len(t.numbers))*8 + uint64(len(t.order)+len(t.place))*4
	for _, s := range t.names {
		size += uint64(len(s)) + 16
	}
	return size
}
