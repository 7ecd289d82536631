package pregel

import "gopregel/pregel/graph"

// begin prepares the program for a run.
func (s *Setup) begin(g *graph.Graph, workers int, program any) error {
	*s = Setup{Graph: g, slots: workers, chunks: (g.N() + BlockSize - 1) / BlockSize}
	if p, ok := program.(Setuper); ok {
		return p.Setup(s)
	}
	return nil
}

// flush empties the aggregator cells of a worker that has finished the block of
// v.
func (s *Setup) flush(slot int, v uint32) {
	for _, a := range s.aggregators {
		a.flush(slot, int(v/BlockSize))
	}
}

// ordered tells whether an aggregator depends on the order of vertices.
func (s *Setup) ordered() bool {
	for _, a := range s.aggregators {
		if !a.exact() {
			return true
		}
	}
	return false
}

// folds tells whether there is anything to do at a barrier.
func (s *Setup) folds(program any) bool {
	_, asked := program.(Barrierer)
	return asked || len(s.aggregators) > 0
}

func (s *Setup) barrier(superstep int, program any) Verdict {
	for _, a := range s.aggregators {
		a.fold()
	}
	b, ok := program.(Barrierer)
	if !ok {
		return Verdict{}
	}
	step := Step{Superstep: superstep}
	b.Barrier(&step)
	return Verdict{Metric: step.metric, Converged: step.converged, Halt: step.ended, Err: step.err}
}

// Rehearse prepares a program to be interpreted without an engine, by one
// worker, as pregeltest.Reference does. The function it returns is to be called
// after Init, with -1, and after each superstep.
func Rehearse(g *graph.Graph, program any) (barrier func(superstep int) Verdict, err error) {
	var s Setup
	err = s.begin(g, 1, program)
	return func(superstep int) Verdict { return s.barrier(superstep, program) }, err
}
