// Package graphio reads and writes graph files.
//
// Read makes a graph of a file in any of the forms that Formats lists, plain
// or compressed with gzip or zstd, and reports what is wrong with a file by
// its line. Write is the way back.
//
// Text is read in parallel and in pieces. openText (input.go) finds the
// compression and reads header lines; blocks.go and stream.go cut the rest
// into blocks of whole lines; a parser (edges.go, lists.go) turns a block into
// a batch of arcs; in a first pass a census (census.go) learns the vertices
// from the batches, and then a source (source.go) gives the arcs to
// graph.Build, which wants them twice. A plain file is parsed for each of the
// three passes, so that beside the finished graph only the buffers of the
// workers are in memory; files that can be read only once are held (held.go).
//
// The graph is the same for any number of workers, and of several errors the
// first in the file is reported.
package graphio
