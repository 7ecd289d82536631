// Package pregeltest is the contract between programs and engines, as tests.
//
// [Contract] runs the rules of a superstep (ARCHITECTURE.md and package pregel)
// against an engine, in every configuration of workers, direction and
// determinism. An engine's author needs three lines:
//
//	func TestContract(t *testing.T) {
//		pregeltest.Contract(t, func(c pregeltest.Config) pregel.Engine { return mine.New(c.Workers) })
//	}
//
// [Check] looks for laws of the model that a program breaks (package check), and
// [Shadow] for hazards between the vertices of a superstep. [Program] runs an
// author's own program in all those configurations on random graphs, and says on
// which smallest graph it does not give one answer. [Laws] looks for the smallest
// counter-example to the laws of a combiner, [Relaxes] to the law of programs that
// may be relaxed. [Reference] interprets an edge program without an engine: a
// double-buffered loop over the arcs, slow and plain, that everything else is
// compared with.
//
// Random inputs are fresh in every run; a failure names what reproduces it: a
// seed for the environment variable PREGELTEST_SEED, or a flag of rapid.
package pregeltest
