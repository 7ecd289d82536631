// Package scc finds the strongly connected components of a graph.
//
// Result: component(v), the least vertex of v's component. Two vertices are in
// one component when each reaches the other along arcs. In an undirected graph
// these are the connected components, which package wcc finds. Self-loops and
// duplicates change nothing.
//
// Method, in phases over shared columns:
//
//  1. trim: a vertex without out-arcs or without in-arcs is a component alone;
//  2. giant: of the vertices left, a pivot with many arcs both ways searches
//     forward, and backward among what it has found; both together are its
//     component, in most graphs by far the largest;
//  3. trim again, a few rounds, with arcs to closed vertices left out: a
//     component lies within what the pivot reaches or outside it;
//  4. finish: a depth-first search of what is left, on one worker.
//
// The searches of 2 are edge programs, so the engine pushes or pulls; they are
// given up when they take too many supersteps.
//
// Other graphs are gone about in other ways (thin.go). A small sample shows a graph to
// be thin (a path, a grid, a road map: many supersteps, each of few vertices) and
// whether most arcs lead near by in number: then districts of vertices are searched by
// themselves, and their parts joined (join.go); of a thin graph whose vertices
// stand in no order all is left to 4. So it is of graphs of few arcs, if those
// lead near by, or are few to a vertex and searches do not spread at once, as in crawls
// of the web, on which 4 is the fastest.
//
// On a CUDA device (device.go, kernels/scc.cu) the searches of 2 run at the same
// time, trimming follows lists, and colours do the work of 4, unless the graph is
// so thin that 4 is faster. On graphs whose vertices stand with their neighbours
// (order tiles) both searches are made tile by tile (device_tiles.go).
//
// Invariant: a vertex with a component has that of all its component's members.
// Cost: O(n + m) in all; 1 to 3 passes over the arcs. Records count the arcs read:
// of 2, those that the engine counts; of 3, a list up to the first that keeps its
// vertex open; of 4, every arc of what is left; of districts, every arc. They do not depend on the number
// of workers. The sample is no phase, and not counted.
//
// (1, 3: McLendon, Hendrickson, Plimpton, Rauchwerger, Finding Strongly
// Connected Components in Distributed Graphs, 2005. 2: Fleischer, Hendrickson,
// Pınar, On Identifying Strongly Connected Components in Parallel, 2000; there
// the rest is divided again and again. 1 to 4 together, with several searches
// in the end: Slota, Rajamanickam, Madduri, BFS and Coloring-based Parallel
// Algorithms for Strongly Connected Components, IPDPS 2014. 4: tarjan.go.)
package scc
