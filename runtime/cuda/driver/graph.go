//go:build cuda && cgo

package driver

// #include "graph.h"
import "C"

import (
	"bytes"
	"fmt"
	"unsafe"
)

// A chain is a sequence that was given before, and from the second time on a CUDA graph
// of it: its items one behind the other, with the arguments of the last time.
type chain struct {
	items []item
	nodes []C.CUgraphNode // of the items
	graph C.CUgraph
	exec  C.CUgraphExec // nil: it is no graph yet
	plain bool          // nor can it become one
}

// build makes the graph, with all that it takes on the device; where this driver cannot,
// or there is no room, there is none.
func (c *chain) build(stream C.CUstream) {
	c.plain = true
	if C.cuGraphCreate(&c.graph, 0) != C.CUDA_SUCCESS {
		c.graph = nil
		return
	}
	var last C.CUgraphNode
	c.nodes = c.nodes[:0]
	for k := range c.items {
		if c.items[k].add(c.graph, &last) != C.CUDA_SUCCESS {
			return
		}
		c.nodes = append(c.nodes, last)
	}
	if C.cuGraphInstantiateWithFlags(&c.exec, c.graph, 0) != C.CUDA_SUCCESS {
		c.exec = nil
		return
	}
	c.plain = C.cuGraphUpload(c.exec, stream) != C.CUDA_SUCCESS
}

// add makes a node of an item, behind the last.
func (i *item) add(graph C.CUgraph, last *C.CUgraphNode) C.CUresult {
	if i.event != nil {
		return C.pregel_graph_event(graph, last, i.event.raw())
	}
	return C.pregel_graph_kernel(graph, last, i.start())
}

// start is what a launch takes.
func (i *item) start() C.pregel_start {
	s := C.pregel_start{f: i.kernel.raw(), blocks: C.uint(i.shape.Blocks), threads: C.uint(i.shape.Threads), shared: C.uint(i.shape.Shared)}
	s.arguments = i.args.list(i.used)
	if i.shape.Cooperative {
		s.cooperative = 1
	}
	return s
}

// change gives the graph the arguments of items, which are those of the chain but for
// them. Where that fails the chain is as it was, but for its graph, which is of no use.
func (c *chain) change(items []item) bool {
	for k := range items {
		if c.differs(k, &items[k]) && C.pregel_graph_arguments(c.exec, c.nodes[k], items[k].start()) != C.CUDA_SUCCESS {
			return false
		}
	}
	for k := range items {
		c.items[k].args, items[k].args = items[k].args, c.items[k].args
	}
	return true
}

// differs tells whether item k has other arguments in the graph.
func (c *chain) differs(k int, want *item) bool {
	n := want.used
	return n > 0 && !bytes.Equal(c.items[k].args.values[:n], want.args.values[:n])
}

// launch starts the graph.
func (c *chain) launch(d *Device) error {
	if result := C.cuGraphLaunch(c.exec, d.raw()); result != C.CUDA_SUCCESS {
		return d.note(newError(int(result), fmt.Sprintf("cuGraphLaunch(%s)", names(c.items))))
	}
	return nil
}

// raw is the device's stream.
func (d *Device) raw() C.CUstream { return C.CUstream(unsafe.Pointer(d.stream.C())) }

// drop gives up the graph.
func (c *chain) drop(d *Device) {
	if !d.lost() {
		if c.exec != nil {
			C.cuGraphExecDestroy(c.exec)
		}
		if c.graph != nil {
			C.cuGraphDestroy(c.graph)
		}
	}
	c.exec, c.graph, c.plain = nil, nil, false
}
