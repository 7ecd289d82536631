package plan

import (
	"slices"
	"strings"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// Device asks cuda for what a job takes on the device.
func Device(j *job.Job, s Size) cuda.Need {
	t := shapeOf(j.Algorithm, s, j.Engine)
	value, message := t.value, max(t.offer, t.box)
	if b, ok := j.Algorithm.(*bfs.BFS); ok && b.Parents != nil && !*b.Parents {
		message = 0 // but a bit
	} else if ok && withoutDepths(b) {
		value = 4
	}
	if k := j.Kernel; k != nil {
		value, message = 0, widths[k.Message]
		for _, f := range k.Value {
			value += widths[f.Type]
		}
	}
	shape := cuda.Shape{
		Vertices: s.Vertices, Arcs: s.Arcs, Weighted: s.Weights != graph.Unweighted, Directed: s.Directed,
		InArcs: s.Directed && (t.in || j.Kernel != nil || j.Program == "mst" || j.Program == "sssp"), Value: int(value), Message: int(message), Kernel: kernelName(j),
	}
	traced(j, &shape)
	if s.Prepared {
		shape.Order = j.Prepare.Order
	}
	hears(j, &shape)
	tiles(j, &shape)
	brings(j, &shape, s.Weights)
	return cuda.Plan(shape)
}

// traced sets what a trace takes beside.
func traced(j *job.Job, s *cuda.Shape) {
	s.Traced = j.Trace.Path != ""
	asks := j.Kernel != nil && j.Trace.Values != trace.None && j.Trace.Messages == "auto"
	if asks && trace.Fits(s.Vertices, s.Arcs) {
		s.Messages = min(2*s.Arcs, trace.MostMessages) // two, where it sends both ways
	}
}

// hears sets what optional forms of the graph depend on, beside its order.
func hears(j *job.Job, s *cuda.Shape) {
	strict, push, pull := j.Engine.Determinism == "strict", j.Engine.Direction == "push", j.Engine.Direction == "pull"
	if k := j.Kernel; k != nil {
		s.HearsAll = k.Silent && k.Combine != "any" && k.Edge == "copy" && !push && !(s.Directed && k.Along == "both") && !(strict && inexact(k))
		first := k.Combine == "any" || k.Combine == "min" && k.Edge == "source_id"
		s.Seeks = first && k.Settles() && !k.Silent && !push && !(s.Directed && k.Along == "both")
		return
	}
	switch a := j.Algorithm.(type) {
	case *bfs.BFS:
		s.Seeks = !push
	case *pagerank.PageRank: // its sums are pulled whatever the direction
		s.HearsAll, s.Tallies, s.Ahead = !strict, true, true
	case *sssp.SSSP:
		s.Held = a.Method == sssp.BellmanFord || a.Delta != 0 || strict || push || pull
		s.Alone = a.Parents != nil && !*a.Parents
	}
}

// tiles sets whether the program runs tile by tile.
func tiles(j *job.Job, s *cuda.Shape) {
	e := j.Engine
	s.Relaxed = e.Schedule == pregel.Relaxed.String() && s.Kernel == ""
	held := e.Schedule == pregel.BSP.String() || e.Determinism == "strict" || e.Direction != "auto"
	switch a := j.Algorithm.(type) {
	case *bfs.BFS:
		s.Tiles = !held && j.Supersteps() == 0
	case *scc.SCC:
		s.Tiles = !held && s.Directed
	case *sssp.SSSP:
		s.Weighs = true
		s.Tiles = !held && j.Supersteps() == 0 && a.Method != sssp.BellmanFord && a.Delta == 0 && s.Weighted
	case *wcc.WCC:
		s.Both = true
	case *cuda.KernelProgram:
		s.Weighs, s.Both, s.Against = strings.HasSuffix(a.Edge, "_weight"), a.Along == "both", a.Along == "in"
	}
}

// labelBytes are those of a label, and of the least vertex that has it.
const labelBytes = 8

// brings sets what bringing an answer into the graph's own order takes. BFS that is to find the least
// parents runs on the graph as it is, if it is to find no depths, and hardly ever by degree.
func brings(j *job.Job, s *cuda.Shape, weights graph.WeightKind) {
	watched := s.Traced && j.Trace.Values != trace.None || j.Checkpoint.Dir != ""
	s.Brings = !watched && !s.Relaxed
	switch a := j.Algorithm.(type) {
	case *bfs.BFS:
		s.Names = a.Parents == nil || *a.Parents
		if s.Names && !a.Any && (s.Order == "degree" || withoutDepths(a)) {
			s.Order = ""
		}
		if s.Tiles && s.Order == "tiles" && s.Names {
			s.Value = 8 // depths are found by tiles in any case
		}
	case *sssp.SSSP:
		s.Names, s.Value = !s.Alone, 4
		if weights == graph.Float32 {
			s.Value = 8
		}
		if s.Names {
			s.Value += 4
		}
	case *pagerank.PageRank, *mst.MST:
	case *scc.SCC:
		s.Value, s.Classes = labelBytes, true
	case *wcc.WCC:
		if s.Kernel != "" {
			s.Value, s.Classes = labelBytes, true
		} else {
			s.Names = true
		}
	case *cuda.KernelProgram:
		s.Names = slices.ContainsFunc(j.Kernel.Value, func(f job.NameType) bool { return f.Type == "vertex" })
	case pregel.Sized:
		s.MayName = true
	default:
		s.Brings = false
	}
}

// inexact tells whether the order of messages shows in what they come to.
func inexact(k *job.Kernel) bool {
	return k.Combine == "sum" && (k.Message == "float32" || k.Message == "float64")
}

var widths = map[string]uint64{"int32": 4, "uint32": 4, "float32": 4, "vertex": 4, "int64": 8, "uint64": 8, "float64": 8}

// kernelName is the name of a program of own kernels, "" of an edge program.
func kernelName(j *job.Job) string {
	c, ok := j.Algorithm.(*wcc.WCC)
	if _, whole := j.Algorithm.(pregel.Sized); whole || j.Kernel != nil || ok && c.Method == wcc.Propagate {
		return ""
	}
	return j.Program
}
