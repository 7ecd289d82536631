package cpu_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// A snapshot is what a State was, in memory of its own.
type snapshot struct {
	pregel.State
	awake int
}

// The state at a barrier is that of a run which stops there, its frontier as large
// as the record says.
func TestStateAtBarriers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, c := range pregeltest.Graphs(seed) {
		if c.Graph.N() == 0 {
			continue
		}
		for _, a := range []pregel.Algorithm{
			&bfs.BFS{Source: pregel.ID(c.Graph.IDs().Text(0))},
			&pagerank.PageRank{Damping: 0.85, Iterations: 4, Precision: pagerank.Float64},
			&cdlp.CDLP{Iterations: 3},
		} {
			checkStates(t, c, a)
		}
	}
}

func checkStates(t *testing.T, c pregeltest.Case, a pregel.Algorithm) {
	t.Helper()
	e := cpu.New(cpu.Options{Workers: 2, Strict: true})
	var states []snapshot
	var records []pregel.StepRecord
	j := &pregel.Job{Graph: c.Graph, Engine: e,
		Observe: func(r pregel.StepRecord) { records = append(records, r) },
		Barrier: func(state func() (pregel.State, error)) error {
			s, err := state()
			if err != nil {
				return err
			}
			s.Values, s.Awake = copied(s.Values), slices.Clone(s.Awake)
			states = append(states, snapshot{s, s.Awake.Count()})
			return nil
		}}
	if _, err := a.Run(t.Context(), j); err != nil {
		t.Fatalf("%s, %T: %v", c.Name, a, err)
	}
	if len(states) != len(records)+1 {
		t.Fatalf("%s, %T: %d states of %d supersteps", c.Name, a, len(states), len(records))
	}
	for k, s := range states {
		if s.Supersteps != k {
			t.Errorf("%s, %T: state %d is after %d supersteps", c.Name, a, k, s.Supersteps)
		}
		if k > 0 && len(s.To) == 0 && uint64(s.awake) != records[k-1].Next {
			t.Errorf("%s, %T: %d vertices awake after superstep %d, the record says %d", c.Name, a, s.awake, k-1, records[k-1].Next)
		}
		if want := stopped(t, c, a, k); !reflect.DeepEqual(s.Values, want) {
			t.Errorf("%s, %T: after %d supersteps the state has %v, a run that stops there %v", c.Name, a, k, s.Values, want)
		}
	}
}

// stopped returns the values that the first k supersteps leave.
func stopped(t *testing.T, c pregeltest.Case, a pregel.Algorithm, k int) any {
	t.Helper()
	var last any
	enough := errors.New("enough")
	j := &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull, Strict: true}),
		Barrier: func(state func() (pregel.State, error)) error {
			s, err := state()
			if err != nil {
				t.Fatal(err)
			}
			if last = copied(s.Values); s.Supersteps == k {
				return enough
			}
			return nil
		}}
	if _, err := a.Run(t.Context(), j); !errors.Is(err, enough) {
		t.Fatalf("%s, %T: the error at the barrier came back as %v", c.Name, a, err)
	}
	return last
}

// copied is a slice of any type in memory of its own.
func copied(list any) any {
	v := reflect.ValueOf(list)
	if v.IsNil() {
		return list
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c.Interface()
}
