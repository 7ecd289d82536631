package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/plan"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
)

// byTile are the arcs by tile: 8 bytes a vertex, 8 a tile and, at the most, 6 an arc
// that leaves, and 12 for every fifth; 16 more a vertex and 4 an arc if it weighs.
func byTile(n, m, forms, weighs uint64) cuda.Optional {
	least := (8+16*weighs)*n + 8*(n/1024+2)
	return cuda.Optional{Name: "arcs by tile", Least: forms * least, Most: forms * (least + (6+4*weighs)*m + m/5*12)}
}

// A trace takes room for longer records, and for the messages of a kernel of one's
// own that it asks the device for.
func TestTracedNeed(t *testing.T) {
	t.Parallel()
	const kernel = "{kernel: k.cu, value: uint32, message: uint64, combine: min, edge: copy}"
	for _, c := range []struct {
		program, trace string
		want           uint64 // bytes more than without
	}{
		{"bfs", "path: t.jsonl", 72 * 4098}, {"pagerank", "path: t.jsonl", 64}, {"sssp", "path: t.jsonl", 0},
		{"bfs", "path: t.jsonl, values: all", 72 * 4098}, // the host finds its messages
		{kernel, "path: t.jsonl", 72 * 4098}, {kernel, "path: t.jsonl, values: all, messages: none", 72 * 4098},
		{kernel, "path: t.jsonl, values: all", 72*4098 + 20*6000},
	} {
		need := func(trace string) uint64 {
			params := map[bool]string{true: "{source: 1}", false: "{}"}[c.program == "bfs" || c.program == "sssp"]
			j := parse(t, fmt.Sprintf("{program: %s, graph: {generate: {kind: uniform, n: 1000, edge_factor: 3}}, params: %s, trace: {%s}}", c.program, params, trace))
			return plan.Device(j, plan.Size{Vertices: 1000, Arcs: 3000}).Total
		}
		if got := need(c.trace) - need(""); got != c.want {
			t.Errorf("%s with {%s}: %d bytes more, want %d", c.program, c.trace, got, c.want)
		}
	}
}

// Distances of SSSP that are floats take eight bytes, where they are brought into the graph's own order, too.
func TestFloatsBrought(t *testing.T) {
	j := parse(t, "{program: sssp, graph: {generate: {kind: uniform, n: 4096, edge_factor: 8}, weights: splitmix64}, params: {source: 1}, prepare: {order: degree}}")
	for weights, want := range map[graph.WeightKind]uint64{graph.Int32: 4096 * (4 + 4 + 4 + 4), graph.Float32: 4096 * (4 + 4 + 8 + 4)} {
		need := plan.Device(j, plan.Size{Vertices: 4096, Arcs: 1 << 16, Prepared: true, Weights: weights})
		i := slices.IndexFunc(need.Optional, func(o cuda.Optional) bool { return o.Name == "the graph's own order" })
		if i < 0 || need.Optional[i].Least != want || need.Optional[i].Most != want {
			t.Errorf("weights %v: %v, want %d bytes of the graph's own order", weights, need.Optional, want)
		}
	}
}

// The optional forms that a job can have on a GPU: on a graph of 2^19 vertices and
// 2^24 arcs, 12 bytes a weighted arc or 4, with 4 for each offset.
func TestOptionalForms(t *testing.T) {
	t.Parallel()
	const n, m = 1 << 19, 1 << 24
	arcs := func(bytes uint64) uint64 { return 4*(n+1) + bytes*m }
	own := func(lists, value uint64) cuda.Optional {
		return cuda.Optional{Name: "the graph's own order", Least: (lists + value) * n, Most: (lists + value) * n}
	}
	classes := own(4, 8) // and a bit for each vertex
	classes.Least, classes.Most = classes.Least+n/8, classes.Most+n/8
	edges := func(least uint64) cuda.Optional {
		return cuda.Optional{Name: "edges in order", Least: least, Most: 32*n + 12 + 512*(16+8*256)}
	}
	ahead := cuda.Optional{Name: "values of a superstep ahead", Least: 8 * n, Most: 8 * n}
	for _, c := range []struct {
		program, rest string
		directed      bool
		want          []cuda.Optional
	}{
		{"mst", "prepare: {order: degree}", false, []cuda.Optional{{Name: "arcs sorted by weight", Least: arcs(8), Most: arcs(8)}, edges(0), own(8, 0)}},
		{"mst", "prepare: {order: degree}, checkpoint: {dir: x}", false, []cuda.Optional{{Name: "arcs sorted by weight", Least: arcs(8), Most: arcs(8)}}},
		{"mst", "prepare: {order: none}", false, []cuda.Optional{edges(32 * n)}},
		{"mst", "prepare: {order: degree}", true, []cuda.Optional{edges(32 * n), own(8, 0)}},
		{"sssp", "params: {source: 1}, prepare: {order: locality}", true, []cuda.Optional{{Name: "in-arcs sorted by weight", Least: arcs(8), Most: arcs(8) + 32*n}, own(8, 8)}},
		{"sssp", "params: {source: 1, parents: false}, prepare: {order: locality}", true, []cuda.Optional{{Name: "in-arcs sorted by weight", Least: arcs(8), Most: arcs(8) + 32*n}, own(4, 4)}},
		{"sssp", "params: {source: 1, parents: false, delta: 7}, prepare: {order: locality}", true, []cuda.Optional{own(4, 4)}},
		{"sssp", "params: {source: 1, delta: 7}, prepare: {order: degree}", true, []cuda.Optional{own(8, 8)}},
		{"sssp", "params: {source: 1}, prepare: {order: degree}, engine: {direction: push}", true, []cuda.Optional{own(8, 8)}},
		{"wcc", "prepare: {order: degree}", true, []cuda.Optional{{Name: "in-arcs", Least: arcs(8), Most: arcs(8)}, {Name: "first neighbours", Least: 16 * n, Most: 16 * n}, classes}},
		{"wcc", "prepare: {order: locality}", true, []cuda.Optional{classes}},
		{"wcc", "prepare: {order: none}", true, nil},
		{"wcc", "params: {method: propagate}, prepare: {order: locality}", false, []cuda.Optional{own(8, 4)}},
		{"wcc", "prepare: {order: degree}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}, classes}},
		{"wcc", "prepare: {order: degree}, checkpoint: {dir: x}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}}},
		{"scc", "prepare: {order: degree}", true, []cuda.Optional{{Name: "first neighbours", Least: 16 * n, Most: 16 * n}, classes}},
		{"scc", "prepare: {order: locality}", true, []cuda.Optional{classes}},
		{"bfs", "params: {source: 1, any_parent: true}, prepare: {order: degree}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}, own(8, 8)}},
		{"bfs", "params: {source: 1, parents: false}, prepare: {order: degree}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}, own(4, 4)}},
		{"bfs", "params: {source: 1, any_parent: true, depths: false}, prepare: {order: degree}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}, own(8, 4)}},
		{"bfs", "params: {source: 1}, prepare: {order: degree}", false, nil},
		{"bfs", "params: {source: 1}, prepare: {order: locality}", false, []cuda.Optional{own(8, 8)}},
		{"bfs", "params: {source: 1, any_parent: true}, prepare: {order: degree}, engine: {direction: push}", false, []cuda.Optional{own(8, 8)}},
		{"bfs", "params: {source: 1, any_parent: true}, prepare: {order: degree}, checkpoint: {dir: x}", false, []cuda.Optional{{Name: "first neighbours", Least: 8 * n, Most: 8 * n}}},
		{"bfs", "params: {source: 1}, prepare: {order: tiles}", false, []cuda.Optional{byTile(n, m, 1, 0), own(8, 8)}},
		{"bfs", "params: {source: 1, depths: false}, prepare: {order: tiles}", false, nil},
		{"bfs", "params: {source: 1, depths: false, any_parent: true}, prepare: {order: tiles}", false, []cuda.Optional{byTile(n, m, 1, 0), own(8, 8)}},
		{"bfs", "params: {source: 1, depths: false}, prepare: {order: locality}", false, nil},
		{"bfs", "params: {source: 1}, prepare: {order: locality}, trace: {path: x}", false, []cuda.Optional{own(8, 8)}},
		{"bfs", "params: {source: 1}, prepare: {order: locality}, trace: {path: x, values: all}", false, nil},
		{"bfs", "params: {source: 1}, prepare: {order: tiles}, engine: {schedule: bsp}", false, []cuda.Optional{own(8, 8)}},
		{"bfs", "params: {source: 1, max_supersteps: 5}, prepare: {order: tiles}", false, []cuda.Optional{own(8, 8)}},
		{"bfs", "params: {source: 1}, limits: {supersteps: 5}, prepare: {order: tiles}", false, []cuda.Optional{own(8, 8)}},
		{"sssp", "params: {source: 1}, prepare: {order: tiles}", true, []cuda.Optional{byTile(n, m, 1, 1), own(8, 8)}},
		{"scc", "prepare: {order: tiles}", true, []cuda.Optional{byTile(n, m, 2, 0), classes}},
		{"pagerank", "prepare: {order: none}", true, []cuda.Optional{{Name: "targets by rank", Least: 4*n + 4*m, Most: 4*n + 4*m}, ahead}},
		{"pagerank", "prepare: {order: degree}, engine: {determinism: strict}", false, []cuda.Optional{ahead, own(4, 8)}},
		{"pagerank", "params: {precision: float32}, prepare: {order: degree}, engine: {determinism: strict}", false, []cuda.Optional{{Name: ahead.Name, Least: 4 * n, Most: 4 * n}, own(4, 4)}},
		{"pagerank", "prepare: {order: degree}", false, []cuda.Optional{{Name: "arcs in columns",
			Least: n/8 + 4 + 20*(m-7*n)/8, Most: n/8 + 4*4097 + 20*m}, ahead, own(4, 8)}},
	} {
		text := fmt.Sprintf("{program: %s, graph: {generate: {kind: uniform, n: %d, edge_factor: 8}, weights: splitmix64, directed: %v}, %s}", c.program, n, c.directed, c.rest)
		j := parse(t, text)
		s := plan.Size{Vertices: n, Arcs: m, Directed: c.directed, Prepared: j.Prepare.Order != "none"}
		s.Weights = graph.Int32
		need := plan.Device(j, s)
		if fmt.Sprint(need.Optional) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", text, need.Optional, c.want)
		}
		sides := uint64(1)
		if c.directed && c.program != "wcc" {
			sides = 2
		}
		if got := need.Items[0]; got.Name != "graph" || got.Bytes != sides*arcs(8) {
			t.Errorf("%s: %v, want %d directions", text, got, sides)
		}
		sum := uint64(0)
		for _, i := range need.Items {
			sum += i.Bytes
			if strings.Contains(i.Name, "sorted") {
				t.Errorf("%s needs %s", text, i.Name)
			}
		}
		if sum != need.Total {
			t.Errorf("%s: %d bytes in all, needed %d", text, sum, need.Total)
		}
	}
}
