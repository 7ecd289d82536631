package cuda

import (
	"errors"
	"reflect"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// This file has what traces ask of a kernel of a user's own: a task in Go answers
// them by its program, this one by the job file, and the device.

// Widths are those of its types.
func (t *sourceTask) Widths() pregel.Widths {
	w := pregel.Widths{Value: uint64(t.size), Message: uint64(kinds[t.program.Message].size)}
	if t.graph.Weighted() != graph.Unweighted && weighs(pregel.Form{Edge: t.program.Edge}) {
		w.Weight = 4
	}
	return w
}

// Aggregates are none.
func (t *sourceTask) Aggregates() []any { return nil }

// Sending returns the arcs along which messages leave their source.
func (t *sourceTask) Sending() []graph.CSR {
	along := alongNames[t.program.Along]
	switch {
	case along == pregel.OutEdges || !t.graph.Directed():
		return []graph.CSR{t.graph.Out()}
	case along == pregel.InEdges:
		return []graph.CSR{t.graph.In()}
	}
	return []graph.CSR{t.graph.Out(), t.graph.In()}
}

// Settled is known to the state.
func (t *sourceTask) Settled() bitmap.Bitmap { return nil }

// Trace has nothing to keep: what was sent is found again.
func (t *sourceTask) Trace() {}

// Declared says what the job file does.
func (t *sourceTask) Declared() pregel.Declaration {
	p := t.program
	d := pregel.Declaration{Combine: p.Combine, Edge: p.Edge, Along: alongNames[p.Along], Silent: p.Silent, Values: t.list}
	if d.Edge == "" {
		d.Edge = "copy"
	}
	d.Message = p.Message == "vertex" || p.Edge == "source_id"
	for _, f := range t.fields {
		d.Columns = append(d.Columns, f.name)
		if f.kind == "vertex" {
			d.Vertices = append(d.Vertices, f.name)
		}
	}
	return d
}

// Sends asks emit and the edge operation again, on the device that the run is on.
func (t *sourceTask) Sends(superstep int, awake bitmap.Bitmap, most int) (m pregel.Messages, err error) {
	if t.run == nil {
		return m, errors.New("the run is over")
	}
	var places []uint64
	sides := t.Sending()
	for _, u := range awake.AppendTo(nil) {
		for k, c := range sides {
			if uint64(len(m.To))+c.Degree(u) > uint64(most) {
				return pregel.Messages{}, pregel.ErrManyMessages
			}
			for i, v := range c.Neighbors(u) {
				m.From, m.To = append(m.From, u), append(m.To, v)
				places = append(places, uint64(k)<<63|(c.Offsets.At(u)+uint64(i)))
			}
		}
	}
	list := reflect.MakeSlice(reflect.SliceOf(kinds[t.program.Message].goes), len(m.To), len(m.To))
	m.List = list.Interface()
	if len(m.To) == 0 {
		return m, nil
	}
	return m, t.run.sends(superstep, m.From, places, mem.RawSlice(list))
}

// sends finds out what is sent along arcs (kernels/step_sends.cuh), between two
// supersteps. The values are on the device.
func (r *edgeRun) sends(superstep int, sources []uint32, places []uint64, messages []byte) error {
	k, err := r.sendsKernel()
	if err != nil {
		return err
	}
	args := driver.NewArgs().Bytes(r.layout.bytes(r.arrays)).Bytes(paramsBytes(r.form)).Uint32(uint32(superstep)).Uint32(uint32(len(sources)))
	var out *driver.Buffer
	for _, b := range [][]byte{mem.Bytes(sources), mem.Bytes(places), messages} {
		if out, err = r.engine.alloc(uint64(len(b)), "messages for a trace"); err != nil {
			return err
		}
		defer r.engine.free(out) // there will be as many another time by chance alone
		if err := out.Write(0, b); err != nil {
			return err
		}
		args.Buffer(out)
	}
	if err := r.Launch(k, blocks(len(sources), stepThreads), stepThreads, args); err != nil {
		return err
	}
	return out.Read(0, messages)
}

func (r *edgeRun) sendsKernel() (*driver.Kernel, error) {
	program, err := assembleWith(r.form, "step_sends.cuh")
	if err != nil {
		return nil, err
	}
	return r.engine.programKernel(program, "step_sends", r.graph.defines())
}
