package view

import (
	"bytes"
	"encoding/json"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
)

// A toy is an edge program for the interpreter below, which is as plain as can be
// and shares nothing with the engines: what a page shows of its traces is known.
type toy struct {
	declared trace.Program
	init     func(v uint32) (value any, awake bool)
	message  func(u uint32, value any, weight float64) any
	apply    func(v uint32, value any, got []any) (any, bool)
	metric   func(before, now []any) *trace.Metric // nil: until nobody is awake
}

// What the times of interpreted supersteps are made of, in nanoseconds: a worker's
// work is perVertex for each of its vertices awake.
const (
	perVertex  = 40
	perMessage = 25
	perBarrier = 3000
)

// A machine runs a toy and writes its trace.
type machine struct {
	t      testing.TB
	g      *graph.Graph
	p      toy
	out    bytes.Buffer
	w      *trace.Writer
	values []any
	awake  []bool
}

// record interprets a program on a graph and returns its trace.
func record(t testing.TB, g *graph.Graph, name, values string, p toy) []byte {
	t.Helper()
	m := &machine{t: t, g: g, p: p, values: make([]any, g.N()), awake: make([]bool, g.N())}
	m.w = trace.NewWriter(&m.out)
	m.write(&trace.Header{Version: trace.Version, Program: p.declared.Program, Values: values,
		Graph:  trace.GraphInfo{Name: name, Vertices: g.N(), Edges: g.Edges(), Arcs: g.Arcs(), Directed: g.Directed(), Weights: g.Weighted().String()},
		Engine: trace.EngineInfo{Device: "cpu", Workers: 2}})
	m.graph()
	for v := range m.values {
		m.values[v], m.awake[v] = p.init(uint32(v))
	}
	m.write(&p.declared)
	m.show(-1, nil)
	m.run(values)
	return m.out.Bytes()
}

func (m *machine) write(r trace.Record) {
	if err := m.w.Write(r); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) graph() {
	g := &trace.Graph{}
	for u := range uint32(m.g.N()) {
		g.IDs = append(g.IDs, m.g.IDs().Text(u))
		for i, v := range m.g.Out().Neighbors(u) {
			if m.g.Directed() || u <= v {
				g.Sources, g.Targets = append(g.Sources, u), append(g.Targets, v)
				if m.g.Weighted() != 0 {
					g.Weights = append(g.Weights, m.g.Out().Weights.At(m.g.Out().Offsets.At(u)+uint64(i)))
				}
			}
		}
	}
	m.write(g)
}

func (m *machine) run(values string) {
	for s := 0; s < 500; s++ {
		before := append([]any(nil), m.values...)
		ran := awakeOf(m.awake)
		sent := m.step(s)
		now := awakeOf(m.awake)
		record := m.account(s, ran, sent, now)
		if m.p.metric != nil {
			record.Metric = m.p.metric(before, m.values)
		}
		m.write(record)
		m.write(sent)
		if values == trace.Changed {
			m.show(s, before)
		} else {
			m.show(s, nil)
		}
		if converged := record.Metric != nil && float64(record.Metric.Value) < float64(record.Metric.Tolerance); converged || len(now) == 0 {
			m.write(&trace.Stop{Reason: "halted", Supersteps: s + 1, Metric: record.Metric, Nanoseconds: 1e6, Columns: append([]string{"id"}, m.p.declared.Columns...)})
			return
		}
	}
	m.t.Fatal("no end after 500 supersteps")
}

// step sends, then applies.
func (m *machine) step(s int) *trace.Messages {
	sent := &trace.Messages{Superstep: s, From: []uint32{}, To: []uint32{}, Message: []trace.Value{}}
	got := make([][]any, m.g.N())
	for u := range uint32(m.g.N()) {
		if !m.awake[u] {
			continue
		}
		for i, v := range m.g.Out().Neighbors(u) {
			weight := 1.0
			if m.g.Weighted() != 0 {
				weight = m.g.Out().Weights.At(m.g.Out().Offsets.At(u) + uint64(i))
			}
			x := m.p.message(u, m.values[u], weight)
			got[v] = append(got[v], x)
			sent.From, sent.To, sent.Message = append(sent.From, u), append(sent.To, v), append(sent.Message, m.text(x))
		}
	}
	for v := range m.values {
		if ran := m.awake[v] && m.p.declared.Silent; ran || len(got[v]) > 0 {
			m.values[v], m.awake[v] = m.p.apply(uint32(v), m.values[v], got[v])
		} else {
			m.awake[v] = false
		}
	}
	return sent
}

// account makes the record of a superstep, its times by the BSP model.
func (m *machine) account(s int, ran []uint32, sent *trace.Messages, next []uint32) *trace.Superstep {
	count := uint64(len(sent.To))
	r := &trace.Superstep{Superstep: s, Program: m.p.declared.Program, Direction: "push", Frontier: "list", Why: "frontier sends along few of all arcs", Awake: uint64(len(ran)), Arcs: count, Sent: &count, Next: uint64(len(next)), Barrier: perBarrier}
	if len(ran) > m.g.N()/16 {
		r.Direction, r.Frontier, r.Why = "pull", "bits", "pushing would cost more"
	}
	first := int64(len(ran)*2/3) * perVertex
	second := int64(len(ran))*perVertex - first
	r.Phases = []trace.Phase{{Name: "apply", Workers: []int64{first, second}}, {Name: r.Direction, Workers: []int64{int64(count) * perMessage, int64(count) * perMessage / 2}}}
	r.Nanoseconds = max(first, second) + int64(count)*perMessage + perBarrier
	return r
}

// show writes values: all, or those that are not what they were.
func (m *machine) show(s int, before []any) {
	r := &trace.Values{Superstep: s, Values: []trace.Value{}, Awake: awakeOf(m.awake)}
	for v, x := range m.values {
		if before == nil || before[v] != x {
			r.Values = append(r.Values, m.text(x))
			if before != nil {
				r.Vertices = append(r.Vertices, uint32(v))
			}
		}
	}
	if before != nil && r.Vertices == nil {
		r.Vertices = []uint32{}
	}
	m.write(r)
}

func (m *machine) text(x any) trace.Value {
	text, err := json.Marshal(x)
	if err != nil {
		m.t.Fatal(err)
	}
	return text
}

func awakeOf(awake []bool) []uint32 {
	list := []uint32{}
	for v, is := range awake {
		if is {
			list = append(list, uint32(v))
		}
	}
	return list
}
