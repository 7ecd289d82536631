// Package lcc computes how close the neighbourhood of each vertex is to a
// clique: its local clustering coefficient.
//
// Result: coefficient(v) = t(v) / (d·(d-1)), where N(v) is the set of vertices
// other than v with an arc to or from v, d is its size, and t(v) is the number
// of ordered pairs (u, w) in N(v) with an arc u → w. It is 0 when d < 2. An
// undirected edge is an arc both ways. Duplicate arcs count once, self-loops
// not at all (the definition of LDBC Graphalytics).
//
// Method: with directions forgotten, every triangle is listed once, and adds to
// each corner the number of arcs on the side opposite: 1 or 2. Vertices are
// ranked by degree, most neighbours first, so that every triangle has corners
// w < v < u in rank. For each v its lower neighbours are marked; the lower
// neighbours of each of its higher neighbours u, up to v, are then candidates
// for w. A vertex of the simple graph has at most √(2m) lower neighbours. Lists are
// made of these alone: the u are looked up in the graph, by their ranks. Where the
// lists of many u begin is asked for together, as they lie anywhere.
//
// In a thin graph, undirected, without loops and parallel arcs and with few
// neighbours of neighbours and no hub, ids are ranks as they are: no list is made, lists are merged,
// and totals are added to by all workers, with atomic operations (thin.go). In an even one, of which all
// vertices have about as many neighbours, ids are ranks, too, and no list is made (even.go).
//
// Cost: O(Σ k²) ≤ O(m·√m) over the numbers k of lower neighbours; memory for half
// of the simple graph, unless it is thin or even, and 9 bytes for each vertex and worker. Records count
// the arcs read in each phase, in the last every neighbour that is marked, every arc of a v, and
// every candidate; they do not depend on the number of workers.
//
// (Chiba, Nishizeki, Arboricity and Subgraph Listing Algorithms, 1985; Latapy,
// Main-memory Triangle Computations for Very Large (Sparse) Graphs, 2008.)
package lcc
