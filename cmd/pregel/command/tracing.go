package command

import (
	"errors"
	"io"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
)

// A tracing is the trace of a run on its way to its file: nil where none is asked
// for.
type tracing struct {
	file     *atomicfile.File
	out      io.WriteCloser
	recorder *trace.Recorder
}

// trace begins the trace of a run, if the job asks for one.
func (r *run) trace(j *pregel.Job) (*tracing, error) {
	path := r.job.TracePath()
	if path == "" {
		return nil, nil
	}
	g := r.graph
	if r.prepared != nil {
		g = r.prepared.For(r.job.Algorithm, r.engine.Engine)
	}
	t := &tracing{}
	var err error
	if t.file, err = atomicfile.Create(path); err != nil {
		return nil, err
	}
	if t.out, err = output.Compressor(path, t.file); err != nil {
		t.file.Discard()
		return nil, err
	}
	o := r.job.Trace
	t.recorder = trace.NewRecorder(trace.NewWriter(t.out), g, r.header(),
		trace.Options{Values: o.Values, Sample: o.Sample, Messages: o.Messages == "auto" && o.Values != trace.None})
	t.recorder.Watch(j)
	return t, nil
}

// header is what a trace says of a job.
func (r *run) header() trace.Header {
	e := r.engine.report(r.job)
	r.report.Graph = describeGraph(r.job.Name(), r.graph)
	h := trace.Header{Pregel: sourceText(built()), Job: r.path, Program: r.job.Program, Params: r.job.Values(),
		Graph: trace.GraphInfo{Name: r.job.Name(), Edges: r.report.Graph.Edges},
		Engine: trace.EngineInfo{Device: e.Device, Workers: e.Workers, Direction: e.Direction, Determinism: e.Determinism,
			Schedule: e.Schedule}}
	if e.GPU != nil {
		h.Engine.GPU = *e.GPU
	}
	return h
}

// close ends the trace and puts it in its place, however the run has ended.
func (t *tracing) close(answer *pregel.Answer, ids graph.IDs, failure error) error {
	if t == nil {
		return nil
	}
	err := t.recorder.Close(answer, ids, failure)
	err = errors.Join(err, t.out.Close())
	if err != nil {
		t.file.Discard()
		return err
	}
	return t.file.Commit()
}
