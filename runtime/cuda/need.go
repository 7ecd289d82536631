package cuda

import "gopregel/pregel"

// A Shape is what the memory of a run depends on.
type Shape struct {
	Vertices, Arcs     uint64
	Weighted, Directed bool
	InArcs             bool   // arcs by target are needed too, in a directed graph
	Value, Message     int    // bytes; of an edge program; Value of others is what bringing the answer of a vertex takes
	Kernel             string // the name of a program of own kernels; others are edge programs

	// What optional forms depend on: the order of a prepared graph (pregel.Orders;
	// "": it is as it is); whether a vertex hears all its neighbours' messages as
	// they are, pulled and in any order of a sum; whether the program tallies; and
	// whether sssp is held to an order, a direction or a width of windows.
	Order                   string
	HearsAll, Tallies, Held bool
	// Tiles tells that the program runs tile by tile where that pays, and Relaxed that
	// it has to.
	Tiles, Relaxed bool
	// Weighs tells that weights count for such a program, and Both that it sends
	// along both directions of a directed graph, Against that it does along in-arcs alone.
	Weighs, Both, Against bool
	// Alone tells that sssp finds no parents.
	Alone bool
	// Ahead tells that a superstep of an edge program can be begun before the host knows
	// how the one before has ended (ahead.go).
	Ahead bool
	// Seeks tells that vertices settle, and that an edge program stops at the first
	// awake neighbour and may pull.
	Seeks bool
	// Brings tells that values of a prepared graph are brought into the graph's own order,
	// Names that they name vertices, MayName that they may, Classes that they are labels of classes.
	Brings, Names, MayName, Classes bool
	// Traced tells that records have details, Messages how many messages a trace asks
	// for at once, at the most, of a kernel of a user's own.
	Traced   bool
	Messages uint64
}

// An Item is one part of what a run needs on the device.
type Item struct {
	Name  string
	Bytes uint64
}

// A Need is the memory of a run on the device.
type Need struct {
	Items    []Item
	Total    uint64     // bytes
	Optional []Optional // what is made beside it, given room; not in Total
}

// own are the bytes that programs of own kernels hold for each vertex and arc,
// beside the graph.
var own = map[string]struct{ vertex, arc float64 }{
	"wcc": {8, 0}, "mst": {64, 0.25}, "scc": {33, 0.57}, "sssp": {29, 0.19},
}

const parentBytes = 4

// Plan returns the memory that a run needs: graph, schedules, values, messages
// and frontier; and beside it what forms for speed alone take.
func Plan(s Shape) Need {
	n := Need{Optional: s.optional(usualSkew())}
	add := func(name string, bytes uint64) {
		if bytes > 0 {
			n.Items = append(n.Items, Item{name, bytes})
			n.Total += bytes
		}
	}
	graph := s.csr().sum()
	if s.Directed && s.InArcs {
		graph *= 2
	}
	words := s.Vertices/8 + 4
	add("graph", graph)
	if s.Relaxed {
		_, most := s.byTile()
		add(arcsByTile, most)
		add("values", s.values())
		add("messages", s.Vertices*uint64(s.Message))
		if s.Order != "" { // a graph with hubs is swept, and has no arcs by tile
			add("offers and lists", s.Vertices*uint64(s.Message)+2*words+2*(4*s.Vertices+sweepChunks(s.Arcs)))
		}
		add("counters", s.Vertices/tileSize*12+s.Vertices/8+tileControlBytes+mostRecords*tileRecordBytes)
		return n
	}
	if k, ok := own[s.Kernel]; ok {
		if s.Alone {
			k.vertex -= parentBytes
		}
		add("arrays of "+s.Kernel, uint64(k.vertex*float64(s.Vertices)+k.arc*float64(s.Arcs)))
		return n
	}
	chunks := s.Arcs / hubArcs * 2
	add("schedule", words+s.Arcs/lightArcs*4+chunks*12)
	add("values", s.values())
	add("messages", 3*s.Vertices*uint64(s.Message)+2*words+chunks*uint64(s.Message+1))
	add("frontier", 6*words+2*s.Vertices*4+s.Arcs/128*8)
	add("counters", controlBytes+(mostRecords+2)*uint64(s.record()))
	if s.Traced && s.Tallies {
		add("times of kernels", timesBytes)
	}
	add("messages for a trace", s.Messages*uint64(4+8+s.Message))
	return n
}

// record is the size of that of a superstep. A program that tallies has none on the
// device.
func (s Shape) record() int {
	if s.Traced && !s.Tallies {
		return tracedBytes
	}
	return recordBytes
}

// Supports tells whether an algorithm, with its parameters, runs on a device.
func Supports(a pregel.Algorithm) bool {
	d, ok := a.(pregel.DeviceAlgorithm)
	return ok && d.OnDevice()
}

// Free returns the bytes of device memory that a run may use.
func (e *Engine) Free() (uint64, error) {
	var free uint64
	err := e.device.Do(func() (err error) {
		free, _, err = e.device.Memory()
		return err
	})
	if e.Memory > 0 {
		free = min(free, e.Memory-min(e.used, e.Memory))
	}
	return free, err
}
