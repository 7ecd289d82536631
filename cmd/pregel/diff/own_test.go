package diff_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/diff"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// Farthest is a program of one's own: the greatest sum of weights heard of, back
// along arcs, in a few rounds.
type Farthest struct {
	Rounds int `param:"rounds" doc:"supersteps" min:"1"`
	spare  int
}

func (*Farthest) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Max[float64](), Edge: pregel.PlusWeight[float64](), Along: pregel.InEdges}
}
func (*Farthest) Init(v pregel.Vertex[float64]) (float64, bool) { return 0, v.ID%3 != 0 }
func (*Farthest) Emit(v pregel.Vertex[float64]) float64         { return v.Value }
func (f *Farthest) Apply(v pregel.Vertex[float64], x float64, _ bool) (float64, bool) {
	return max(v.Value, x), v.Superstep < int32(f.Rounds) && x > v.Value
}

// Dealt is a vertex program that sends where there are no arcs.
type Dealt struct{}

func (*Dealt) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }
func (*Dealt) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	for _, m := range messages {
		c.Value += m
	}
	if c.Superstep > 3 {
		c.VoteToHalt()
		return
	}
	c.Send((c.ID+7)%30, c.Value)
}

// What came, by the weights and the values, gives the value that the reference has.
func TestMessagesOfOwnProgram(t *testing.T) {
	t.Parallel()
	q := diff.Question{Graph: grid(t, true), Sides: [2]diff.Side{{Name: "a", Engine: push()}, {Name: "b", Engine: push()}},
		New: func() (pregel.Algorithm, error) { return pregel.EdgeAlgorithm(&Farthest{Rounds: 5}), nil }}
	at := func(superstep int) *pregel.Answer {
		a, err := q.New()
		if err != nil {
			t.Fatal(err)
		}
		answer, err := a.Run(t.Context(), &pregel.Job{Graph: q.Graph, Engine: push(), MaxSupersteps: superstep})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for _, superstep := range []int{0, 1, 3} {
		after := at(superstep + 1).Table.Columns[0].Floats
		for v := 0; v < q.Graph.N(); v += 37 {
			messages, err := q.Messages(t.Context(), &diff.Difference{Superstep: superstep, Row: v, Cells: make([]diff.Cell, 1)})
			if err != nil {
				t.Fatal(err)
			}
			if out := q.Graph.Out().Neighbors(uint32(v)); len(messages) != len(out) {
				t.Fatalf("superstep %d, vertex %d: %d entries for %d arcs", superstep, v, len(messages), len(out))
			}
			best := math.Inf(-1)
			for _, m := range messages {
				x := m.Values[0].Values[0].(float64)
				if superstep == 0 && (m.Awake == diff.Yes) != (m.Source%3 != 0) || (m.Sent != "") != (m.Awake == diff.Yes) {
					t.Fatalf("superstep %d, vertex %d: %+v", superstep, v, m)
				}
				if m.Awake == diff.Yes {
					best = max(best, x+m.Weight)
				}
			}
			if best > after[v] || superstep == 0 && best >= 0 && best != after[v] {
				t.Fatalf("superstep %d, vertex %d: the messages give %v, the run %v", superstep, v, best, after[v])
			}
		}
	}
}

func TestMessagesOfVertexProgram(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(30, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := diff.Question{Graph: g, Sides: [2]diff.Side{{Name: "a", Engine: cpu.New(cpu.Options{Workers: 2})}, {Name: "b", Engine: push()}},
		New: func() (pregel.Algorithm, error) { return pregel.VertexAlgorithm(&Dealt{}), nil }}
	for superstep, want := range []string{"", "3", "29", "74"} { // 10 hears what 3 has: 3, then 3+26, then 29+26+19
		messages, err := q.Messages(t.Context(), &diff.Difference{Superstep: superstep, Row: 10, Cells: make([]diff.Cell, 1)})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && len(messages) == 0 {
			continue
		}
		if len(messages) != 1 || messages[0].Source != 3 || messages[0].Sent != want {
			t.Errorf("superstep %d: %+v, want %s from 3", superstep, messages, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a       pregel.Algorithm
		text    string
		imports []string
		err     string
	}{
		{&bfs.BFS{Source: "7"}, `&bfs.BFS{Source: "7"}`, []string{"gopregel/programs/bfs"}, ""},
		{&bfs.BFS{Source: "7", Parents: new(false)}, `&bfs.BFS{Source: "7", Parents: new(bool(false))}`, []string{"gopregel/programs/bfs"}, ""},
		{pregel.EdgeAlgorithm(&Farthest{Rounds: 3, spare: 1}), `pregel.EdgeAlgorithm(&diff_test.Farthest{Rounds: 3})`, []string{"gopregel/cmd/pregel/diff_test"}, ""},
		{pregel.VertexAlgorithm(&Dealt{}), `pregel.VertexAlgorithm(&diff_test.Dealt{})`, []string{"gopregel/cmd/pregel/diff_test"}, ""},
		{pregel.EdgeAlgorithm(&hidden{}), "", nil, "the program's type diff_test.hidden cannot be imported by a test"},
	} {
		text, imports, err := diff.Literal(c.a)
		if text != c.text || !slices.Equal(imports, c.imports) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s, %v, %v; want %s, %v, %s", text, imports, err, c.text, c.imports, c.err)
		}
	}
}

type hidden struct{ Farthest }
