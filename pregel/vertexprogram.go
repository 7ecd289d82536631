package pregel

import (
	"fmt"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// A VertexProgram is what one vertex does in a superstep, in free form: V is
// the type of its value, M that of messages. Compute runs for every vertex that
// is awake or has messages, at the same time for different vertices; it may
// change nothing but through its Context.
type VertexProgram[V, M any] interface {
	// Init gives the first value of a vertex and whether it is awake in
	// superstep 0.
	Init(v Vertex[V]) (value V, awake bool)
	// Compute reads the messages sent in the superstep before, in order of
	// their senders; the slice is reused after the call.
	Compute(c *Context[V, M], messages []M)
}

// A Combiner is a vertex program whose messages to one vertex may be combined:
// Compute then gets one message at most.
type Combiner[M any] interface {
	Combine() Monoid[M]
}

// A Context is what Compute sees and changes of its vertex. A vertex stays
// awake until it votes to halt, and wakes again when a message comes.
type Context[V, M any] struct {
	Place
	Value  V // written back when Compute returns
	task   *vertexTask[V, M]
	out    []sent[M]
	marks  []mark
	halted bool
	ran    uint64 // vertices computed in this superstep
	_      [64]byte
}

type sent[M any] struct {
	to      uint32
	message M
}

// Send sends a message to any vertex; it is seen in the next superstep.
func (c *Context[V, M]) Send(to uint32, message M) {
	if int(to) >= c.task.g.N() {
		c.Fail(errNoVertex(to, c.task.g.N()))
	}
	if len(c.out) == cap(c.out) {
		c.grow(1)
	}
	c.out = append(c.out, sent[M]{to, message})
}

// SendAll sends a message along every out-arc.
func (c *Context[V, M]) SendAll(message M) {
	neighbors := c.Neighbors()
	if cap(c.out)-len(c.out) < len(neighbors) {
		c.grow(len(neighbors))
	}
	for _, v := range neighbors {
		c.out = append(c.out, sent[M]{v, message})
	}
}

// checkFrom is how many bytes an outbox has when its growth is first held against
// the limit, so that small ones cost nothing.
const checkFrom = 1 << 20

// grow fails the vertex if memory is bounded and what it sends would take more.
// append at least doubles a small list, and adds a quarter to a long one; the old
// one stays until then.
func (c *Context[V, M]) grow(more int) {
	bytes := uint64(len(c.out)+max(more, len(c.out)/4)) * uint64(mem.Size[sent[M]]())
	if c.task.memory == 0 || bytes < checkFrom {
		return
	}
	if err := room(c.task.memory, bytes, fmt.Sprintf("its range's %d messages and more", len(c.out))); err != nil {
		c.Fail(err)
	}
}

// Neighbors returns the targets of the vertex's out-arcs, ascending.
func (c *Context[V, M]) Neighbors() []uint32 { return c.task.g.Out().Neighbors(c.ID) }

// Weights returns the weights beside Neighbors.
func (c *Context[V, M]) Weights() graph.Weights {
	out := c.task.g.Out()
	return out.Weights.Slice(out.Offsets.Row(c.ID))
}

// VoteToHalt puts the vertex to sleep when Compute returns.
func (c *Context[V, M]) VoteToHalt() { c.halted = true }

// Fail ends the run with an error that names this vertex. It does not return.
func (c *Context[V, M]) Fail(err error) { panic(err) }
