package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest/race"
)

// drawn is an observed superstep, by chance like the one before in all but its numbers.
func drawn(r *rand.Rand, last pregel.StepRecord) pregel.StepRecord {
	s := last
	if last.Program == "" || r.IntN(8) == 0 {
		s = pregel.StepRecord{Program: fmt.Sprint("p", r.IntN(3)), Direction: pregel.Direction(r.IntN(3)), List: r.IntN(2) == 0, Relaxed: r.IntN(4) == 0,
			Detail: &pregel.Detail{Why: pregel.Choice{Rule: []string{"", "a \"rule\"", "{have} of {limit}"}[r.IntN(3)]}}}
		if r.IntN(3) == 0 {
			s.Metric = pregel.Metric{Name: "change", Tolerance: r.Float64()}
		}
		s.Detail.Timed = []int{0, 0, 5}[r.IntN(3)]
		s.Detail.Whole = []string{"", "push and apply"}[r.IntN(2)]
		for i := range r.IntN(3) {
			s.Detail.Phases = append(s.Detail.Phases, pregel.PhaseTime{Name: fmt.Sprint("phase ", i), Workers: make([]time.Duration, r.IntN(3))})
		}
		for i := range r.IntN(3) {
			s.Detail.Aggregates = append(s.Detail.Aggregates, []any{int32(0), 1.5, true}[i])
		}
		for _, x := range []**uint64{&s.Detail.Sent, &s.Detail.Combined, &s.Detail.Atomics} {
			if r.IntN(2) == 0 {
				*x = new(uint64)
			}
		}
	}
	return numbered(r, s, last)
}

// numbered gives a superstep numbers of its own: small ones and large ones, such as
// those before and such as other numbers of it.
func numbered(r *rand.Rand, s, last pregel.StepRecord) pregel.StepRecord {
	some := func() uint64 {
		return []uint64{0, 7, r.Uint64N(100), r.Uint64N(20_000), r.Uint64(), last.Awake, last.Arcs + r.Uint64N(5) - 2}[r.IntN(7)]
	}
	s.Awake, s.Arcs, s.Next, s.Time = some(), some(), some(), time.Duration(some()>>1)
	if r.IntN(3) > 0 {
		s.Awake = last.Next
	}
	s.Metric.Value = []float64{r.NormFloat64(), math.NaN(), math.Inf(1)}[r.IntN(3)]
	d := *s.Detail
	for _, x := range []**uint64{&d.Sent, &d.Combined, &d.Atomics} {
		if *x != nil {
			y := []uint64{some(), s.Arcs}[r.IntN(2)]
			*x = &y
		}
	}
	d.Barrier, d.Why.Have, d.Why.Limit = time.Duration(some()>>2), some(), some()
	if d.Read = 0; r.IntN(3) == 0 {
		d.Read = some()
	}
	d.Phases = slices.Clone(d.Phases)
	for i := range d.Phases {
		d.Phases[i].Workers = slices.Clone(d.Phases[i].Workers)
		for k := range d.Phases[i].Workers {
			d.Phases[i].Workers[k] = time.Duration(r.Int64N(1 << 40))
		}
	}
	if len(d.Aggregates) > 0 {
		d.Aggregates = slices.Clone(d.Aggregates)
		d.Aggregates[0] = r.Int32()
	}
	s.Detail = &d
	return s
}

// expected is the record of a superstep, made of what was observed alone.
func expected(number int, s pregel.StepRecord, edges bool, w pregel.Widths, vertices int) *Superstep {
	d := s.Detail
	if d.Read > 0 {
		s.Arcs = d.Read
	}
	rec := &Superstep{Superstep: number, Program: s.Program, Why: d.Why.String(), Awake: s.Awake, Arcs: s.Arcs, Sent: d.Sent, Combined: d.Combined,
		Next: s.Next, Nanoseconds: int64(s.Time), Timed: d.Timed, Barrier: int64(d.Barrier), Atomics: d.Atomics, Relaxed: s.Relaxed}
	if s.Direction != pregel.Auto {
		rec.Direction = s.Direction.String()
	}
	if edges {
		rec.Frontier = map[bool]string{true: "list", false: "bits"}[s.List]
	}
	if w != (pregel.Widths{}) {
		rec.Bytes = s.Arcs*(4+w.Weight+w.Message) + s.Awake*2*w.Value + w.Beside
		switch {
		case w.Frontier == pregel.ListedFrontier || w.Frontier == pregel.RecordedFrontier && s.List && edges:
			rec.Bytes += 8 * s.Awake
		case w.Frontier == pregel.RecordedFrontier:
			rec.Bytes += uint64(vertices) / 4
		}
		if s.Arcs > 0 && (w.Frontier != pregel.NoFrontier || w.Value > 0) {
			rec.Bytes += 2 * w.Offset * s.Awake
		}
	}
	if s.Metric.Name != "" {
		rec.Metric = metricOf(s.Metric)
	}
	if d.Whole != "" {
		rec.Phases = append(rec.Phases, Phase{d.Whole, []int64{int64(s.Time - d.Barrier)}})
	}
	for _, p := range d.Phases {
		phase := Phase{Name: p.Name}
		for _, t := range p.Workers {
			phase.Workers = append(phase.Workers, int64(t))
		}
		rec.Phases = append(rec.Phases, phase)
	}
	for _, x := range d.Aggregates {
		text, _ := json.Marshal(x)
		rec.Aggregates = append(rec.Aggregates, text)
	}
	return rec
}

// packedTrace writes supersteps as one line, and says what they are.
func packedTrace(t *testing.T, r *rand.Rand, count int) (text []byte, want []*Superstep) {
	t.Helper()
	const vertices = 1000
	b, last := &steps{vertices: vertices}, pregel.StepRecord{}
	b.room(count)
	widths := pregel.Widths{}
	for i := range count {
		edges := r.IntN(16) > 0
		if r.IntN(10) == 0 {
			widths = pregel.Widths{Value: r.Uint64N(9), Message: 4, Weight: 4 * r.Uint64N(2), Offset: uint64(4 + 4*r.IntN(2)), Frontier: pregel.FrontierForm(r.IntN(3)), Beside: 7 * r.Uint64N(2)}
		}
		last = drawn(r, last)
		b.program(edges, widths)
		b.add(&last)
		want = append(want, expected(i, last, edges, widths, vertices))
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, rec := range []Record{&Header{Version: Version, Program: "p", Values: None, Graph: GraphInfo{Vertices: vertices}}, b, &Stop{Reason: "halted", Supersteps: count}} {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes(), want
}

func readSteps(text []byte) (list []*Superstep, err error) {
	in := NewReader("", bytes.NewReader(text))
	for {
		rec, err := in.Next()
		if err != nil {
			return list, err
		}
		if s, ok := rec.(*Superstep); ok {
			list = append(list, s)
		}
	}
}

func texts(t *testing.T, list []*Superstep) (texts []string) {
	t.Helper()
	for _, s := range list {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		// To the format none and an empty list are the same.
		texts = append(texts, strings.ReplaceAll(string(text), `"workers":[]`, `"workers":null`))
	}
	return texts
}

// Many supersteps in a line are read as what they were, unfolded, too; a line that was
// cut off has none.
func TestSteps(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range race.Times(200) {
		text, want := packedTrace(t, r, 1+r.IntN(40))
		got, err := readSteps(text)
		if err != io.EOF || !reflect.DeepEqual(texts(t, got), texts(t, want)) {
			t.Fatalf("%s\nis read as %s\nwant %s\n%v", text, texts(t, got), texts(t, want), err)
		}
		var plain bytes.Buffer
		if err := Unfold(&plain, bytes.NewReader(text)); err != nil || bytes.Count(plain.Bytes(), []byte("\n")) != len(want)+2 {
			t.Fatalf("%s\nis unfolded as %s: %v", text, plain.Bytes(), err)
		}
		if got, err := readSteps(plain.Bytes()); err != io.EOF || !reflect.DeepEqual(texts(t, got), texts(t, want)) {
			t.Fatalf("%s\nis unfolded as %s: %v", text, plain.Bytes(), err)
		}
	}
}

func TestStepsCut(t *testing.T) {
	t.Parallel()
	text, want := packedTrace(t, rand.New(rand.NewPCG(5, 3)), 20)
	lines := bytes.SplitAfter(text, []byte("\n"))
	whole := len(lines[0]) + len(lines[1])
	step := 1
	if race.On {
		step = 7
	}
	for end := len(lines[0]); end < len(text)-1; end += step {
		part, err := readSteps(text[:end])
		cut := (*Error)(nil)
		if !errors.As(err, &cut) || !cut.Truncated {
			t.Fatalf("cut off at %d of %d: %v", end, len(text), err)
		}
		if n := map[bool]int{true: len(want)}[end >= whole-1]; len(part) != n { // a line is whole without its line break
			t.Fatalf("cut off at %d of %d: %d supersteps, want %d", end, len(text), len(part), n)
		}
		var plain bytes.Buffer
		if err := Unfold(&plain, bytes.NewReader(text[:end])); err != nil {
			t.Fatal(err)
		}
		if again, _ := readSteps(plain.Bytes()); len(again) != len(part) {
			t.Fatalf("cut off at %d of %d: %d supersteps unfolded, want %d", end, len(text), len(again), len(part))
		}
	}
}
