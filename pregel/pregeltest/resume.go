package pregeltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"gopregel/pregel"
)

// An interruption is a pregel.Checkpointer in memory. It ends the job at the first
// state after so many supersteps, and has the next job go on from there. States before
// that it looks at now and then: who is looked at goes on as before.
type interruption struct {
	draw  *rand.Rand
	after int
	state *pregel.State // to go on from; nil: from the start
	taken *pregel.State
}

var errInterrupted = errors.New("interrupted by the test")

// Keep takes a copy of the state.
func (i *interruption) Keep(at pregel.Mark, state func() (pregel.State, error)) error {
	early := i.state != nil || at.Before+at.Supersteps < i.after
	if early && i.draw.IntN(2) == 0 {
		return nil
	}
	s, err := state()
	if early || err != nil {
		return err
	}
	i.taken = cloneState(s)
	return errInterrupted
}

// Resume gives the copy back.
func (i *interruption) Resume(blank *pregel.State) (bool, error) {
	s := i.state
	if s == nil || s.Program != blank.Program || s.Program != "commit" && s.Run != blank.Run {
		return false, nil
	}
	i.state = nil
	if s.Values != nil && reflect.Copy(reflect.ValueOf(blank.Values), reflect.ValueOf(s.Values)) != reflect.ValueOf(blank.Values).Len() {
		return false, fmt.Errorf("a state with %d values", reflect.ValueOf(s.Values).Len())
	}
	for k, p := range s.Kept {
		reflect.ValueOf(blank.Kept[k]).Elem().Set(cloned(reflect.ValueOf(p).Elem()))
	}
	values, kept := blank.Values, blank.Kept
	*blank = *s
	blank.Values, blank.Kept = values, kept
	return true, nil
}

func cloneState(s pregel.State) *pregel.State {
	s.Awake, s.Waiting, s.Settled = slices.Clone(s.Awake), slices.Clone(s.Waiting), slices.Clone(s.Settled)
	s.To, s.Aggregates, s.Kept = slices.Clone(s.To), slices.Clone(s.Aggregates), slices.Clone(s.Kept)
	for _, list := range []*any{&s.Values, &s.Messages} {
		if *list != nil {
			*list = cloned(reflect.ValueOf(*list)).Interface()
		}
	}
	for k, p := range s.Kept {
		at := reflect.New(reflect.TypeOf(p).Elem())
		at.Elem().Set(cloned(reflect.ValueOf(p).Elem()))
		s.Kept[k] = at.Interface()
	}
	return &s
}

// cloned copies a slice; other values are copies already.
func cloned(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Slice || v.IsNil() {
		return v
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c
}

// Interrupted runs a job of an algorithm and ends it after a number of supersteps
// that r draws, up to most, again and again; each time another job, with an engine
// and an algorithm of its own, goes on from the state at that barrier. It returns the
// answer of the last, which comes to its end, and how many were ended before it. The
// answer must be that of a job that nothing has interrupted.
func Interrupted(ctx context.Context, r *rand.Rand, most int, job func() (pregel.Algorithm, *pregel.Job)) (*pregel.Answer, int, error) {
	var state *pregel.State
	done := 0
	for times := 0; ; times++ {
		i := &interruption{draw: r, state: state, after: done + 1 + r.IntN(max(most, 1))}
		a, j := job()
		j.Checkpoints = i
		answer, err := a.Run(ctx, j)
		if !errors.Is(err, errInterrupted) {
			if err == nil && i.state != nil {
				err = fmt.Errorf("the state after %d supersteps was left lying", done)
			}
			return answer, times, err
		}
		state, done = i.taken, i.taken.Before+i.taken.Supersteps
	}
}
