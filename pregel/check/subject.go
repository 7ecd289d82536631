package check

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A Subject is what is checked: a program, or an algorithm of several.
type Subject struct {
	Name string
	// Run runs it on the job's graph with the job's engine, always anew.
	Run func(ctx context.Context, j *pregel.Job) (Answer, error)
	// Certify checks an answer; nil: there is no certificate.
	Certify func(ctx context.Context, g *graph.Graph, a Answer) error
	// Limit is the number of supersteps after which it is stopped by its own rule; 0:
	// none.
	Limit int
	// Device tells that there is no form for the CPU: nothing but the agreement of
	// engines can be looked at.
	Device bool
}

// An Answer is a list of columns of any types.
type Answer struct {
	Columns []Column
	Table   *pregel.Table // of an algorithm
}

// A Column is a slice with a name; the values of a program have none.
type Column struct {
	Name   string
	Values any
}

// Values is a program whose answer are its values: run is usually one call of
// pregel.RunEdge or RunVertex.
func Values[V any](name string, run func(ctx context.Context, j *pregel.Job) ([]V, error)) Subject {
	return Subject{Name: name, Run: func(ctx context.Context, j *pregel.Job) (Answer, error) {
		values, err := run(ctx, j)
		return Answer{Columns: []Column{{Values: values}}}, err
	}}
}

// Algorithm is an algorithm with its parameters; fresh makes it for a graph.
func Algorithm(name string, fresh func(g *graph.Graph) (pregel.Algorithm, error)) Subject {
	run := func(ctx context.Context, j *pregel.Job) (Answer, error) {
		a, err := fresh(j.Graph)
		if err != nil {
			return Answer{}, err
		}
		answer, err := a.Run(ctx, j)
		if answer == nil {
			return Answer{}, err
		}
		return tableAnswer(answer.Table), err
	}
	certify := func(ctx context.Context, g *graph.Graph, answer Answer) error {
		a, err := fresh(g)
		if c, ok := a.(pregel.Certifier); ok && err == nil {
			return c.Certify(ctx, g, answer.Table)
		}
		return err
	}
	return Subject{Name: name, Run: run, Certify: certify}
}

func tableAnswer(t pregel.Table) Answer {
	a := Answer{Table: &t}
	for _, c := range t.Columns {
		column := Column{Name: c.Name, Values: c.Floats}
		switch {
		case c.Vertices != nil:
			column.Values = c.Vertices
		case c.Counts != nil:
			column.Values = c.Counts
		case c.Ints != nil:
			column.Values = c.Ints
		}
		a.Columns = append(a.Columns, column)
	}
	return a
}
