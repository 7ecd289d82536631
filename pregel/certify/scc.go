package certify

import (
	"context"

	"gopregel/pregel/graph"
)

// SCC certifies strongly connected components: label(v) is the least vertex
// that v reaches and is reached by. In an undirected graph these are the
// connected components.
//
// Theorem. Call vertices with equal labels a class. Let
//
//	(1) label(v) <= v and label(label(v)) = label(v) for every v,
//	(2) within each class, its label reach every vertex,
//	(3) within each class, every vertex reach its label,
//	(4) there be no cycle of arcs between different classes.
//
// Then label is right: by (2) and (3) each class is strongly connected; by (4)
// two classes never reach each other both ways, so each class is a whole
// component; by (1) label is its least vertex.
//
// Cost: O(n + m): a search forward and one backward from all labels at once,
// and a topological sort of the classes (A. B. Kahn: Topological sorting of
// large networks, CACM 5(11), 1962).
func SCC(ctx context.Context, g *graph.Graph, label []uint32) error {
	s := scc{checker{ctx, g, "scc"}, label}
	if err := s.has("component", len(label)); err != nil {
		return err
	}
	if err := s.leastLabels(label); err != nil {
		return err
	}
	starts := representatives(label)
	for _, pass := range []struct {
		arcs graph.CSR
		how  string
	}{
		{g.Out(), "that vertex does not reach it by way of the component"},
		{g.In(), "it does not reach that vertex by way of the component"},
	} {
		seen, err := s.reach(starts, []graph.CSR{pass.arcs}, func(_ int, _ uint64, u, v uint32) bool { return label[u] == label[v] })
		if err != nil {
			return err
		}
		if err := s.allSeen(seen, label, pass.how); err != nil {
			return err
		}
	}
	return s.acyclic(starts)
}

type scc struct {
	checker
	label []uint32
}

// acyclic removes, again and again, classes that no arc enters from a class
// that is still there. A cycle is what cannot be removed.
func (s *scc) acyclic(classes []uint32) error {
	out := s.g.Out()
	entering := make([]uint64, len(s.label)) // arcs that enter a class from others, by label
	for u := range uint32(len(s.label)) {
		if u%(1<<16) == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		for _, v := range out.Neighbors(u) {
			if s.label[u] != s.label[v] {
				entering[s.label[v]]++
			}
		}
	}
	members := newMembers(s.label)
	var free []uint32
	for _, l := range classes {
		if entering[l] == 0 {
			free = append(free, l)
		}
	}
	removed := 0
	for ; removed < len(free); removed++ {
		if removed%(1<<16) == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		for _, u := range members.of(free[removed]) {
			for _, v := range out.Neighbors(u) {
				if l := s.label[v]; l != s.label[u] {
					if entering[l]--; entering[l] == 0 {
						free = append(free, l)
					}
				}
			}
		}
	}
	if removed == len(classes) {
		return nil
	}
	return s.cycle(classes, entering, members)
}

// cycle finds the classes of a cycle: from the least that is left, go back to
// classes that are left until one comes again.
func (s *scc) cycle(classes []uint32, entering []uint64, members members) error {
	var at uint32
	for _, l := range classes {
		if entering[l] > 0 {
			at = l
			break
		}
	}
	after := map[uint32]uint32{} // the class gone on to, when going forward
	for {
		before := s.before(at, entering, members)
		_, again := after[before]
		after[before] = at
		at = before
		if again {
			break
		}
	}
	least, next := at, after[at]
	for l := next; l != at; l = after[l] {
		if l < least {
			least, next = l, after[l]
		}
	}
	return &Violation{
		Answer: s.answer,
		Where:  "components " + s.id(min(least, next)) + " and " + s.id(max(least, next)),
		Found:  "edges that lead from each to the other",
		Want:   "one component",
	}
}

// before returns a class that is left and has an arc to l.
func (s *scc) before(l uint32, entering []uint64, members members) uint32 {
	for _, v := range members.of(l) {
		for _, u := range s.g.In().Neighbors(v) {
			if k := s.label[u]; k != l && entering[k] > 0 {
				return k
			}
		}
	}
	return l // not reached: a class that is left is entered from one that is
}

// members lists the vertices of each class.
type members struct {
	starts []uint64 // by label
	list   []uint32
}

func newMembers(label []uint32) members {
	m := members{make([]uint64, len(label)+1), make([]uint32, len(label))}
	for _, l := range label {
		m.starts[l+1]++
	}
	for l := range label {
		m.starts[l+1] += m.starts[l]
	}
	next := append([]uint64(nil), m.starts...)
	for v, l := range label {
		m.list[next[l]] = uint32(v)
		next[l]++
	}
	return m
}

func (m members) of(l uint32) []uint32 { return m.list[m.starts[l]:m.starts[l+1]] }
