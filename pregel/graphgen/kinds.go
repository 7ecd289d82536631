package graphgen

import (
	"fmt"
	"strconv"
	"strings"

	"gopregel/pregel/graph"
)

// A Kind is a generator.
type Kind struct {
	Name     string
	Doc      string // one line
	Params   []Param
	Directed bool // by default
	Weighted bool // has integer weights of its own

	check func(Spec) error
	open  func(s Spec, directed bool) (graph.IDs, generator, error)
}

// A Param is a parameter of a kind.
type Param struct {
	Name     string // as in a job file
	Doc      string
	Type     string   // integer, number, boolean or string, as in a JSON Schema
	Enum     []string // of a string: what it may be
	Default  string   // "" when there is none
	Min, Max float64
	required bool
}

// Required tells whether a Spec must set the parameter.
func (p Param) Required() bool { return p.required }

func (p Param) allowed() string {
	switch {
	case p.Type == "boolean":
		return "true or false"
	case p.Type == "string":
		return strings.Join(p.Enum, " or ")
	case p.Name == "seed":
		return "a whole number from 0 to 2^64-1"
	case p.Type == "integer":
		return fmt.Sprintf("a whole number from %.0f to %.0f", p.Min, p.Max)
	}
	return fmt.Sprintf("a number from %g to %g", p.Min, p.Max)
}

const (
	maxScale    = 31
	maxVertices = 1 << maxScale
	maxComplete = 1 << 16
)

func integer(name, doc string, lo, hi float64) Param {
	return Param{Name: name, Doc: doc, Type: "integer", Min: lo, Max: hi, required: true}
}

func (p Param) or(value string) Param {
	p.Default, p.required = value, false
	return p
}

func (p Param) optional() Param { return p.or("") }

func number(name, doc string, lo, hi, value float64) Param {
	return Param{Name: name, Doc: doc, Type: "number", Min: lo, Max: hi, Default: strconv.FormatFloat(value, 'g', -1, 64)}
}

func scale() Param { return integer("scale", "2^scale vertices", 1, maxScale) }

func edgeFactor() Param {
	return integer("edge_factor", "edges drawn for each vertex", 1, 1<<20).or("16")
}

func vertices(lo, hi float64) Param { return integer("n", "vertices", lo, hi) }

func seed() Param {
	return integer("seed", "picks one of the graphs", 0, 1<<64-1).or("0")
}

// Kinds lists all generators.
func Kinds() []Kind { return append(append(randomKinds(), shapeKinds()...), textbookKinds()...) }

func randomKinds() []Kind {
	return []Kind{
		{
			Name: "kronecker", Doc: "Graph500: R-MAT with A 0.57, B 0.19, C 0.19 and permuted ids",
			Params: []Param{scale(), edgeFactor(), seed()},
			open: func(s Spec, directed bool) (graph.IDs, generator, error) {
				s.A, s.B, s.C = 0.57, 0.19, 0.19
				return openRMAT(s, directed)
			},
		},
		{
			Name: "rmat", Doc: "R-MAT with any probabilities of its quadrants",
			Params: []Param{
				scale(), edgeFactor(),
				number("a", "probability of the upper left quadrant (low source, low target)", 1e-6, 1, 0.57),
				number("b", "of the upper right one (low source, high target)", 1e-6, 1, 0.19),
				number("c", "of the lower left one (high source, low target)", 1e-6, 1, 0.19),
				number("noise", "how far b and c may differ from level to level", 0, 0.5, 0),
				{Name: "permute", Doc: "permute the ids, so that they tell nothing of degrees", Type: "boolean", Default: "false"},
				seed(),
			},
			check: checkRMAT, open: openRMAT,
		},
		{
			Name: "ssca2", Doc: "SSCA#2: cliques of random sizes, linked the more rarely the farther",
			Params: []Param{scale(), seed()}, open: openSSCA2,
		},
		{
			Name: "uniform", Doc: "edge_factor·n edges with independent uniform ends (Erdős–Rényi)",
			Params: []Param{scale().optional(), vertices(1, maxVertices).optional(), edgeFactor(), seed()},
			check:  checkUniform, open: openUniform,
		},
	}
}

func shapeKinds() []Kind {
	n := []Param{vertices(1, maxVertices)}
	return []Kind{
		{
			Name: "grid", Doc: "rows × cols vertices, each joined to its 4 neighbours (directed: right and down, or orient)",
			Params: []Param{
				integer("rows", "rows", 1, maxVertices), integer("cols", "columns", 1, maxVertices),
				{
					Name: "orient", Type: "string", Enum: []string{ascending, random, mixed},
					Doc: "makes the grid directed: each edge right or down (ascending), or by the seed one way or the other (random), or one way, the other or both (mixed)",
				},
				integer("seed", "picks one of the random orientations", 0, 1<<64-1).optional(),
			},
			check: checkGrid, open: openGrid,
		},
		{Name: "path", Doc: "0 – 1 – … – n-1", Params: n, open: openPath},
		{Name: "cycle", Doc: "a path whose ends are joined", Params: []Param{vertices(3, maxVertices)}, open: openCycle},
		{Name: "star", Doc: "vertex 0 joined to all others (directed: away from it)", Params: n, open: openStar},
		{Name: "tree", Doc: "binary tree: v joined to 2v+1 and 2v+2 (directed: away from the root)", Params: n, open: openTree},
		{
			Name: "complete", Doc: "every pair joined (directed: both ways)",
			Params: []Param{vertices(1, maxComplete)}, open: openComplete,
		},
	}
}

func textbookKinds() []Kind {
	return []Kind{
		{Name: "karate", Doc: "Zachary's karate club: 34 members, 78 friendships, ids 1 to 34", open: openText(karate)},
		{Name: "petersen", Doc: "the Petersen graph: 10 vertices of degree 3", open: openText(petersen)},
		{Name: "clrs-bfs", Doc: "Introduction to Algorithms (3rd ed.) fig. 22.3, breadth-first search from s", open: openText(clrsBFS)},
		{Name: "clrs-scc", Doc: "fig. 22.9, strongly connected components", Directed: true, open: openText(clrsSCC)},
		{Name: "clrs-mst", Doc: "fig. 23.1, minimum spanning tree", Weighted: true, open: openText(clrsMST)},
		{Name: "clrs-bellman-ford", Doc: "fig. 24.4, shortest paths from s with negative weights", Directed: true, Weighted: true, open: openText(clrsBellmanFord)},
		{Name: "clrs-sssp", Doc: "fig. 24.6, shortest paths from s", Directed: true, Weighted: true, open: openText(clrsSSSP)},
	}
}

func checkRMAT(s Spec) error {
	if set := s.A != 0; set != (s.B != 0) || set != (s.C != 0) {
		for _, name := range []string{"a", "b", "c"} {
			if _, zero := text(s.at(name)); zero {
				return &FieldError{Field: name, Allowed: "a, b and c are given together or not at all"}
			}
		}
	}
	s = s.withDefaults()
	if sum := s.A + s.B + s.C; sum > 1+1e-12 {
		return &FieldError{Field: "a", Found: fmt.Sprintf("a + b + c = %g", sum), Allowed: "a sum of at most 1"}
	}
	most := min(s.B, s.C, (1-s.B-s.C)/2)
	if s.Noise > most {
		return &FieldError{Field: "noise", Found: fmt.Sprint(s.Noise), Allowed: fmt.Sprintf("a number from 0 to %.6g, the least of b, c and (a+d)/2", most)}
	}
	return nil
}

func checkUniform(s Spec) error {
	switch {
	case s.Scale == 0 && s.N == 0:
		return &FieldError{Field: "scale", Allowed: "give scale (2^scale vertices) or n (vertices)"}
	case s.Scale != 0 && s.N != 0:
		return &FieldError{Field: "n", Found: strconv.Itoa(s.N), Allowed: "either scale or n, not both"}
	}
	return nil
}

// The values of orient.
const (
	ascending = "ascending"
	random    = "random"
	mixed     = "mixed"
)

func checkGrid(s Spec) error {
	if s.Seed != 0 && s.Orient != random && s.Orient != mixed {
		return &FieldError{Field: "seed", Found: strconv.FormatUint(s.Seed, 10), Allowed: "with orient random or mixed only: no other grid is random"}
	}
	if s.Rows > maxVertices/s.Cols {
		return &FieldError{Field: "rows", Found: strconv.Itoa(s.Rows), Allowed: fmt.Sprintf("at most %d with %d columns (2^31 vertices)", maxVertices/s.Cols, s.Cols)}
	}
	return nil
}
