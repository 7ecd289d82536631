package pregel

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// An Algorithm is what a job file names: one or more programs, run in phases,
// whose answer is a table. Its exported fields are its parameters; `pregel`
// fills them from `params:`, and their struct tags say how:
//
//	Damping float64 `param:"damping" doc:"probability to follow a link" min:"0" max:"1"`
//	Source  pregel.ID `param:"source" doc:"where to start" required:"true"`
//	Method  string `param:"method" doc:"…" enum:"auto,bellman-ford"`
//
// A field may be a bool, int, float64, string or ID. The values a new Algorithm
// comes with are the defaults.
type Algorithm interface {
	Run(ctx context.Context, j *Job) (*Answer, error)
}

// A Certifier can check an answer without a reference. The table is that of an
// answer to the same parameters and graph, possibly read back from a file.
type Certifier interface {
	Certify(ctx context.Context, g *graph.Graph, t *Table) error
}

// A Limiter has a number of supersteps that bounds it when the job says none.
type Limiter interface {
	DefaultMaxSupersteps() int
}

// A DeviceAlgorithm can say whether, with its parameters, all of it runs on a
// CUDA device.
type DeviceAlgorithm interface {
	OnDevice() bool
}

// ID is a parameter that names a vertex by the user's own id of it.
type ID string

// Vertex finds the vertex in a graph.
func (id ID) Vertex(g *graph.Graph) (uint32, error) {
	v, err := g.IDs().Parse(string(id))
	if err != nil {
		return graph.None, fmt.Errorf("source: %w", err)
	}
	return v, nil
}

// An Answer is what an algorithm has found.
type Answer struct {
	Table   Table
	Stop    Stop // of the phase that ended the run; Supersteps counts all phases
	Summary []Fact
	// Ordered: of a job on a prepared graph, rows and vertices are the user's already (Result.Ordered),
	// not to be translated. Who makes an answer of another's hands it on.
	Ordered bool
}

// A Fact is one line of an answer's summary, such as the number of components.
// Value is an integer, a float64 or a string.
type Fact struct {
	Name  string
	Value any
}

// A Table is an answer in columns of equal length.
type Table struct {
	// PerVertex tables have one row per vertex; the vertex's id is the first
	// column of every output and is not among Columns.
	PerVertex bool
	Columns   []Column
}

// Rows returns the number of rows.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len()
}

// Column returns the column with the given name.
func (t *Table) Column(name string) (Column, error) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, nil
		}
	}
	return Column{}, fmt.Errorf("the answer has no column %q", name)
}

// Release gives the memory of the columns to runs to come: for who runs an algorithm
// many times and has done with an answer. The table has no columns then, and slices of
// them must not be used any more.
func (t *Table) Release() {
	for _, c := range t.Columns {
		mem.Give(c.Vertices)
		mem.Give(c.Counts)
		mem.Give(c.Ints)
		mem.Give(c.Floats)
	}
	t.Columns = nil
}

// A Column is a named list of numbers: exactly one of the slices is set, and
// its kind has a value that means "nothing", written as an empty field.
type Column struct {
	Name     string
	Vertices []uint32  // vertices, written as their ids; graph.None is empty
	Counts   []uint32  // whole numbers; NoCount is empty
	Ints     []int64   // whole numbers; NoInt is empty
	Floats   []float64 // +Inf is empty
}

// The values that mean "nothing" in a column.
const (
	NoCount uint32 = math.MaxUint32
	NoInt   int64  = math.MaxInt64
)

// Len returns the number of rows.
func (c Column) Len() int { return len(c.Vertices) + len(c.Counts) + len(c.Ints) + len(c.Floats) }

// CheckVertices returns an error where a column with a row for each vertex names what is none.
func (c Column) CheckVertices() error {
	n := len(c.Vertices)
	var found sync.Mutex
	least := n
	parallel.Range(0, n, rows, func(_, lo, hi int) {
		if i := slices.IndexFunc(c.Vertices[lo:hi], func(v uint32) bool { return v >= uint32(n) && v != graph.None }); i >= 0 {
			found.Lock()
			least = min(least, lo+i)
			found.Unlock()
		}
	})
	if least < n {
		return fmt.Errorf("column %s names vertices: found the number %d, want one below %d, or %d for none", c.Name, c.Vertices[least], n, graph.None)
	}
	return nil
}

// Empty tells whether row i holds nothing.
func (c Column) Empty(i int) bool {
	switch {
	case c.Vertices != nil:
		return c.Vertices[i] == graph.None
	case c.Counts != nil:
		return c.Counts[i] == NoCount
	case c.Ints != nil:
		return c.Ints[i] == NoInt
	}
	return math.IsInf(c.Floats[i], 1)
}
