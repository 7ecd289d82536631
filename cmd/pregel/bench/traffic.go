package bench

import "gopregel/pregel"

// traffic estimates the bytes that a run has read and written: those of its
// supersteps, as a trace has them (pregel.Widths), and the columns of the answer, once.
// arcs are those of the records: sent along, or read when pulled or by a plain phase.
//
// It is what a program of this kind has to touch, counted at its own size: not
// whole cache lines, nor what is copied or sorted between phases. Caches serve a
// part of it, so more of it than the memory's bandwidth is possible, above all
// for lcc, whose lists are short and read again and again.
type traffic struct {
	vertices int
	engine   pregel.Engine
	task     pregel.Measured // under way; nil: nothing is known of it
	sum      uint64
	counted  bool // some arcs
}

// begun is called with each program and phase.
func (t *traffic) begun(task pregel.Task) { t.task, _ = task.(pregel.Measured) }

func (t *traffic) step(r pregel.StepRecord) {
	t.counted = t.counted || r.Arcs > 0
	if t.task != nil {
		t.sum += pregel.WidthsOf(t.engine, t.task).Bytes(r, t.vertices)
	}
}

// bytes returns the estimate, 0 when no superstep counted arcs.
func (t *traffic) bytes(table *pregel.Table) uint64 {
	if !t.counted {
		return 0
	}
	sum := t.sum
	for _, c := range table.Columns {
		sum += uint64(c.Len()) * width(c)
	}
	return sum
}

// width is the size of a column's numbers.
func width(c pregel.Column) uint64 {
	if c.Vertices != nil || c.Counts != nil {
		return 4
	}
	return 8
}
