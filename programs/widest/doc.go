// Package widest is the worked example of a kernel: an edge program of one's
// own in CUDA C, named by a job file and run without building pregel anew. It
// has no Go code but its tests: widest.cu is the program, widest.yaml the job.
//
// # What is computed
//
// width(v), the greatest number such that a path from the source to v has only
// edges of at least that weight: how wide a load can get there. It is the least
// fixed point of
//
//	width(v) = max over arcs u → v of min(width(u), weight(u,v)), width(source) = ∞
//
// reached in supersteps from 0 upwards, as shortest paths are from ∞ downwards.
// Weights are positive. Cost: O(m) a superstep at the most; as many supersteps
// as the longest of the paths found has arcs.
//
// # The job, line by line
//
//	program:
//	  kernel: widest.cu          the file, relative to the job
//	  value: {width: float32}    a vertex's value: a struct, whose fields are the columns
//	                             of the answer. `value: float32` is a bare number, in a
//	                             column named value. Types: int32 uint32 int64 uint64
//	                             float32 float64, and vertex, a uint32 that is written
//	                             as the user's id
//	  message: float32           what travels along an edge: one of the same types
//	  combine: max               what several messages to a vertex become: min max sum or any
//	  edge: min_weight           what an edge does to a message on its way: copy, plus_weight,
//	                             times_weight, min_weight, or source_id, which sends the
//	                             source's own id whatever emit gives
//	  relaxes: true              messages may be delivered at once (pregel.Relaxer has the law):
//	                             a job may then say engine: {schedule: relaxed}
//	  params: {source: vertex}   what params below must set: vertex (an id, given to the
//	                             kernel as its dense number), int (i64), float (double), bool
//	graph: …                     as for any program
//	params: {source: 34}
//
// Left out here: `along: in` or `both` sends against the arcs, or both ways;
// `silent: true` runs apply for awake vertices without a message, as PageRank
// needs it. engine.device need not be said: a kernel runs on a GPU or not at
// all.
//
// # The source, function by function
//
// init gives the first value and says who begins awake. emit says what an awake
// vertex offers. apply takes the combined message, and says whether the vertex
// is awake in the next superstep; got is false, and the message the combiner's
// identity, when none came. The run halts when nobody is awake. All three are
// pure: they see one vertex, change nothing else, and need neither atomics nor
// indices; whether vertices push or pull, and how the arcs are shared out among
// threads, is the engine's (ARCHITECTURE.md).
//
// Two more functions are optional: `bool settled(Value x)`, true where apply
// would never change the value again, spares the messages to such vertices;
// `u64 priority(Value x, const Params &p)` lets awake vertices wait until those
// of less priority are done.
//
// # In place
//
// Wider is greater, for widths and for offers, and to hear an offer again changes
// nothing: so offers need not wait for the next superstep. With
//
//	prepare: {order: tiles}
//	engine: {schedule: relaxed}
//
// the engine runs the same three functions tile by tile, in the GPU's shared
// memory, which on roads and grids takes a fraction of the time, as a path then
// costs a step per tile, and not per edge. On graphs with hubs, such as social
// networks, order degree lets every vertex look at its arcs, the widest first, and
// leave the rest alone once it is as wide as any offer would make it.
//
// An error in the source is reported with its own line, as NVRTC words it:
//
//	pregel run widest.yaml
//
// # Its tests
//
// The tests hold the same program written in Go (twin_test.go) to a slow
// reference on the CPU, and, in a binary with CUDA on a host with a GPU,
// widest.cu to that Go program.
package widest
