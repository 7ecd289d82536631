// Package check looks for programs that break the laws of the model: laws that no
// compiler sees, and that engines rely upon (package pregel says which).
//
// [Program] runs a program on small random graphs, interpreted without an engine
// (interpret.go): messages in lists, vertices in any order, every function of the
// program called again with the same arguments. What the program does then is held
// against what it did before, against its laws (laws.go), and against what engines
// make of it. A broken law comes with a counter-example, on as small a graph and
// with as small numbers as still show it.
//
// A check proves nothing: a law that is not broken in some hundred runs may be
// in another. Every graph and number follows from Options.Seed.
//
// Authors call it by pregeltest.Check in a test, or as `pregel check`.
package check
