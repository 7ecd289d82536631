package bench

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// An own is a program of a user's that is timed, as bench sees it.
type own struct {
	search  *bfs.BFS
	certify func(source pregel.ID, e pregel.Engine, g *graph.Graph, rows int) error
}

func (o *own) From(source pregel.ID) { o.search.Source = source }
func (o *own) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	return o.search.Run(ctx, j)
}
func (o *own) CertifyOn(_ context.Context, e pregel.Engine, g *graph.Graph, t *pregel.Table) error {
	return o.certify(o.search.Source, e, g, t.Rows())
}

// A program of a user's is run from each source, and asked itself whether its last answers are right.
func TestOwnPrograms(t *testing.T) {
	g, err := graph.FromArcs(4, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var asked []pregel.ID
	wrong, host := errors.New("wrong"), cpu.New(cpu.Options{})
	entry := programs.Entry{Name: "own.yaml", New: func() pregel.Algorithm {
		return &own{&bfs.BFS{}, func(source pregel.ID, e pregel.Engine, on *graph.Graph, rows int) error {
			if asked = append(asked, source); source == "3" || e != pregel.Engine(host) || on != g || rows != 4 {
				return wrong
			}
			return nil
		}}
	}}
	for _, c := range []struct {
		sources []pregel.ID
		want    []pregel.ID
		err     error
	}{
		{[]pregel.ID{"0", "1", "2"}, []pregel.ID{"1", "2"}, nil},
		{[]pregel.ID{"0", "3", "2"}, []pregel.ID{"3"}, wrong},
	} {
		asked = nil
		s := &series{graph: g, engine: host, o: Options{Runs: 3, Certify: 2, Sources: c.sources}}
		row, err := s.program(t.Context(), entry)
		if !errors.Is(err, c.err) || !slices.Equal(asked, c.want) || err == nil && (row.Runs != 3 || row.Certified != 2) {
			t.Errorf("sources %q: certified %q, %+v, %v", c.sources, asked, row, err)
		}
	}
}

// seen is an algorithm that keeps the job that it is run by.
type seen struct {
	bfs.BFS
	job *pregel.Job
}

func (s *seen) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	*s.job = *j
	return s.BFS.Run(ctx, j)
}

// Timed runs are those of a run that nobody watches: who counts bytes does without the metric of each superstep, so
// that a GPU's PageRank takes the time that it takes without.
func TestTimedRunsAreUnmeasured(t *testing.T) {
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var job pregel.Job
	s := &series{graph: g, engine: cpu.New(cpu.Options{}), o: Options{Runs: 1, Sources: []pregel.ID{"0"}}}
	entry := programs.Entry{Name: "bfs", New: func() pregel.Algorithm { return &seen{bfs.BFS{Source: "0"}, &job} }}
	if _, err := s.program(t.Context(), entry); err != nil || job.Observe == nil || !job.Unmeasured {
		t.Errorf("observed %v, unmeasured %v, %v: want both", job.Observe != nil, job.Unmeasured, err)
	}
}
