package trace

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gopregel/pregel"
)

// A superstep written by hand is what package json writes.
func TestSuperstepText(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	some := func() *uint64 {
		if x := r.Uint64(); x%2 == 0 {
			return &x
		}
		return nil
	}
	text := func() string { return []string{"", "push", "a \"b\" \\ ü \n", "x<y"}[r.IntN(4)] }
	for range 500 {
		s := &Superstep{Superstep: r.IntN(9), Program: text(), Direction: text(), Frontier: text(), Why: text(), Awake: r.Uint64(), Arcs: 3,
			Sent: some(), Combined: some(), Next: 1, Nanoseconds: r.Int64(), Barrier: r.Int64N(2), Bytes: r.Uint64N(2), Atomics: some(), Relaxed: r.IntN(2) == 0}
		for range r.IntN(3) {
			s.Phases = append(s.Phases, Phase{Name: text(), Workers: make([]int64, r.IntN(3))})
			s.Aggregates = append(s.Aggregates, Value("1.5"))
		}
		if r.IntN(2) == 0 {
			s.Contention = &Contention{Most: r.Uint64(), Mean: r.Float64()}
			s.Metric = &Metric{Name: text(), Value: Float(math.Inf(1)), Tolerance: Float(r.Float64() * 1e-9)}
		}
		if r.IntN(2) == 0 {
			s.choice = pregel.Choice{Rule: text() + "{have} of {limit}, {} {hav", Have: r.Uint64(), Limit: 7}
			s.Why = s.choice.String()
		}
		line, err := encode(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var a, b map[string]any
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if err := json.Unmarshal(want, &b); err != nil {
			t.Fatal(err)
		}
		b["kind"] = "superstep"
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s\nwant\n%s", line, want)
		}
		if c := s.choice; c.Rule != "" && s.Why != strings.NewReplacer("{have}", fmt.Sprint(c.Have), "{limit}", fmt.Sprint(c.Limit)).Replace(c.Rule) {
			t.Fatalf("%+v in words is %q", c, s.Why)
		}
	}
}
