// Package pregel is the programming model of gopregel: what a vertex or an
// edge does in one superstep, how messages combine, when a run ends.
//
// Two kinds of program exist. An [EdgeProgram] states pure parts (what a vertex
// offers along its edges, how offers combine, what the combined message does to
// the value) and leaves to the engine whether messages are pushed or pulled,
// whether the frontier is a list or a bitmap. A [VertexProgram] is a function
// over a vertex and its messages that may send anything anywhere. Algorithms of
// several phases are ordinary functions, an [Algorithm], that run programs over
// shared columns of values; [EdgeAlgorithm] makes one of a single program.
//
// The superstep of an edge program, s = 0, 1, …:
//
//  1. every awake vertex emits, reading the values at the start of s;
//  2. the messages at each vertex are combined, whatever their order;
//  3. Apply turns value and message into the value at the start of s+1 and says
//     whether the vertex is awake there.
//
// The superstep of a vertex program: every vertex that is awake or has messages
// sent in s-1 computes; what it sends is seen in s+1.
//
// Edge programs that do not mind when their messages come may say so (Relaxer);
// an engine with schedule Relaxed then delivers at once, and a superstep is a round
// of that.
//
// A run ends when no vertex is awake and no message under way, when a program
// says it has converged, at a limit, when its context is cancelled, or by an
// error; the [Stop] record says which, and the values reached are kept.
//
// Programs are bound to a graph as a [Task], which has no type parameters and
// works on ranges of vertices. An [Engine] schedules tasks; runtime/cpu is the
// shared-memory engine, package pregeltest the contract that each must pass.
package pregel
