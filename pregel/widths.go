package pregel

import "gopregel/pregel/graph"

// Widths are the bytes of one value, of one message, and of the weight read with
// an arc. Of a phase these are what it reads and writes at each vertex, and what it
// reads with an arc, beside the target.
type Widths struct {
	Value, Message, Weight uint64
	Offset                 uint64 // of where a row of arcs begins: WidthsOf knows it, no task does
	Frontier               FrontierForm
	Beside                 uint64 // read and written of what belongs to neither: lists of edges
}

// WidthsOf are the widths of a task that an engine runs. An engine that keeps a graph in memory
// of its own tells how wide the offsets are there; phases are the host's, whatever the engine.
func WidthsOf(e Engine, t Measured) Widths {
	w := t.Widths()
	if w == (Widths{}) {
		return w
	}
	w.Offset = t.Graph().Out().Offsets.Width()
	_, phase := t.(Accounted)
	if own, ok := e.(interface{ OffsetBytes(*graph.Graph) uint64 }); ok && !phase {
		w.Offset = own.OffsetBytes(t.Graph())
	}
	return w
}

// Bytes estimates what a superstep of a graph with n vertices has touched, each
// number at its own size:
//
//	arcs · (4 + weight + message) + awake · (2 · offset, if any arcs were read, + 2 · value) + frontier + beside
//
// A target has 4 bytes; of a vertex awake it is read where its row begins and ends, and its value
// is read and written. The frontier is written and read: 8 bytes a vertex awake as a list, two
// bits a vertex of the graph as bits. A phase whose value is 0 goes over something
// else than vertices. It is all 0 where no widths are known.
func (w Widths) Bytes(r StepRecord, n int) uint64 {
	if w == (Widths{}) {
		return 0
	}
	arcs := r.Arcs
	if r.Detail != nil && r.Detail.Read > 0 {
		arcs = r.Detail.Read
	}
	sum := arcs*(4+w.Weight+w.Message) + r.Awake*2*w.Value + w.Frontier.bytes(r, n) + w.Beside
	if arcs > 0 && !(w.Frontier == NoFrontier && w.Value == 0) {
		sum += r.Awake * 2 * w.Offset
	}
	return sum
}
