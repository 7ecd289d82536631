package diff

import (
	"context"
	"fmt"
	"strconv"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// A Message is what a neighbour could have sent to the vertex in the superstep
// that went wrong.
type Message struct {
	Source uint32
	Weight float64
	Values []Cell // of the source, at the superstep's start
	Awake  Awake
	Sent   string // the message at the vertex, for programs that are known here; "" else
}

// Awake tells whether a source was awake.
type Awake uint8

// What is known of it.
const (
	Unknown Awake = iota // values before the superstep are not known
	Yes
	No
)

func (a Awake) String() string { return [...]string{"?", "yes", "no"}[a] }

// Messages recomputes what came to the vertex of a difference: for each of its
// arcs, the values of the other end after the superstep before, whether it was
// awake (those of all programs but PageRank and CDLP sleep unless their value
// has changed in the superstep before), and the message.
func (q *Question) Messages(ctx context.Context, d *Difference) ([]Message, error) {
	if d.Row < 0 || d.Superstep < 0 || d.Row >= q.Graph.N() {
		return nil, nil
	}
	a, err := q.New()
	if err != nil {
		return nil, err
	}
	before, err := q.reached(ctx, d.Superstep)
	if err != nil {
		return nil, err
	}
	earlier, err := q.reached(ctx, d.Superstep-1)
	if err != nil {
		return nil, err
	}
	var list []Message
	v := uint32(d.Row)
	for _, c := range arriving(a, q.Graph) {
		base := c.Offsets[v]
		for i, u := range c.Neighbors(v) {
			m := Message{Source: u, Weight: c.Weights.At(base + uint64(i))}
			if before != nil && int(u) < before.Table.Rows() {
				m.Values = cells(&before.Table, int(u))
				for i := range m.Values {
					m.Values[i].Single = d.Cells[i].Single
				}
				m.Awake = awake(a, m.Values, earlier, u)
				if d.Superstep == 0 {
					m.Awake = first(a, m.Values)
				}
				m.Sent = sent(a, q.Graph, m)
			}
			list = append(list, m)
		}
	}
	return list, nil
}

// arriving returns the arcs by which messages come to a vertex.
func arriving(a pregel.Algorithm, g *graph.Graph) []graph.CSR {
	both := []graph.CSR{g.In(), g.Out()}
	if !g.Directed() {
		return both[:1]
	}
	switch a := a.(type) {
	case *wcc.WCC, *cdlp.CDLP:
		return both
	case *cuda.KernelProgram:
		switch a.Along {
		case "in":
			return both[1:]
		case "both":
			return both
		}
	}
	return both[:1]
}

func awake(a pregel.Algorithm, now []Cell, earlier *pregel.Answer, u uint32) Awake {
	switch a.(type) {
	case *pagerank.PageRank, *cdlp.CDLP:
		return Yes
	}
	if earlier == nil || int(u) >= earlier.Table.Rows() {
		return Unknown
	}
	for i, c := range cells(&earlier.Table, int(u)) {
		if c.Values[0] != now[i].Values[0] {
			return Yes
		}
	}
	return No
}

// first tells whether a source is awake in superstep 0.
func first(a pregel.Algorithm, now []Cell) Awake {
	switch a.(type) {
	case *pagerank.PageRank, *cdlp.CDLP, *wcc.WCC:
		return Yes
	case *bfs.BFS, *sssp.SSSP:
		if now[0].Values[0] == nil {
			return No
		}
		return Yes
	}
	return Unknown
}

// sent is the message as it arrives, in words.
func sent(a pregel.Algorithm, g *graph.Graph, m Message) string {
	if m.Awake == No || len(m.Values) == 0 {
		return ""
	}
	x := m.Values[0].Values[0]
	if x == nil {
		return ""
	}
	switch a.(type) {
	case *bfs.BFS:
		return g.IDs().Text(m.Source)
	case *sssp.SSSP:
		if d, ok := x.(int64); ok {
			return fmt.Sprint(d + int64(m.Weight))
		}
		return strconv.FormatFloat(x.(float64)+m.Weight, 'g', -1, 64)
	case *pagerank.PageRank:
		return strconv.FormatFloat(x.(float64)/float64(g.Out().Degree(m.Source)), 'g', -1, 64)
	case *cdlp.CDLP, *wcc.WCC:
		return m.Values[0].Text(0, g.IDs())
	}
	return ""
}
