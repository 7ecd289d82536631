// Package mst finds the minimum spanning forest of a graph.
//
// Result: the edges of a forest that joins whatever the graph joins and whose
// weights have the least sum. Directions are forgotten: an arc is an edge.
// Self-loops are left out, of parallel edges the lightest counts, edges of an
// unweighted graph weigh 1. Weights may be negative.
//
// Edges are compared by weight, then by their lesser, then by their greater
// end. No two edges of the simple graph are equal in this order, so the forest
// is the only one, whoever computes it.
//
// Method: Borůvka's rounds. Every component chooses the lightest edge that
// leaves it, and joins the component at its other end. Edges inside a component
// are dropped on the way. (Borůvka, O jistém problému minimálním, 1926.)
//
// The first round of an undirected graph reads the lists as they lie, without
// atomics (nearest.go). The trees it leaves are renamed 0, 1, …, and so they are
// after each round (trees.go): what is looked up at random is as small as there are
// trees, and a link is moved by one look.
//
// When there are many more edges than trees, the lightest of them, a few for
// each tree, are taken first and give nearly the whole forest; of the rest
// only those between different trees need be looked at again. An undirected graph's
// are collected in the first round, which has the lists in caches, and when trees are
// known those between them are taken. (Osipov, Sanders,
// Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm, ALENEX 2009.) Where
// most of the graph is one tree by then, they have an end outside it, and the lists
// of its vertices are not read (as with components: Sutton, Ben-Nun, Barak,
// Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling, 2018).
//
// A CUDA device runs Borůvka's rounds on all edges, the largest component left
// out (device.go, kernels/mst.cu); the forest is the same.
//
// Invariant: every chosen edge is in the forest (the cut property). A run that
// is stopped early returns those.
// Cost: O(m + k log n) for k edges that are not filtered out, O(m log n) at
// worst; memory for a batch of edges: 29 bytes each, and for a vertex 28, and 12
// when the forest is put in order, 24 where that is the user's of a prepared graph, or of what a
// device leaves to the host. A device that puts it in order takes 32 bytes a vertex more of its memory, where it
// has them. Records count the arcs that are read for the
// first round and to select a batch, the edges collected on the way when they are
// sifted, and in a round of a batch every edge that is looked at, once; they do not depend on the number of workers. The sample that
// bounds a batch and the ordering of a directed graph's edges and of the forest (order.go)
// are no phases, and not counted.
//
// A directed graph whose in-arcs are made, and mirror its arcs, is read as an undirected
// one (mutual.go).
package mst
