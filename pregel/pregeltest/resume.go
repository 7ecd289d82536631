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
// state after so many supersteps, or sometimes between the pieces of a phase, and has
// the next job go on from there. States before that it looks at now and then: who is
// looked at goes on as before.
type interruption struct {
	draw  *rand.Rand
	after int
	state *pregel.State // to go on from; nil: from the start
	taken *pregel.State
	piece int // beyond those of the phase under way when it is to be ended
	at    pregel.Mark
}

var errInterrupted = errors.New("interrupted by the test")

// pieceShare of the states between two pieces are taken.
const pieceShare = 4

// Due is asked between the pieces of a phase.
func (i *interruption) Due(at pregel.Mark) bool {
	return i.state == nil && at.Pieces > i.piece && i.draw.IntN(pieceShare) == 0
}

// Keep takes a copy of the state.
func (i *interruption) Keep(at pregel.Mark, state func() (pregel.State, error)) error {
	early := i.state != nil || at.Before+at.Supersteps < i.after && at.Pieces <= i.piece
	if early && i.draw.IntN(2) == 0 {
		return nil
	}
	s, err := state()
	if early || err != nil {
		return err
	}
	i.taken, i.at = cloneState(s), at
	return errInterrupted
}

// Resume gives the copy back: first the parts of a Commit, then the rest.
func (i *interruption) Resume(blank *pregel.State) (bool, error) {
	s := i.state
	commit := blank.Program == pregel.CommitName
	switch {
	case s == nil, commit && s.Parts == nil, !commit && (s.Program != blank.Program || s.Run != blank.Run):
		return false, nil
	case commit:
		fillAll(blank.Parts, s.Parts)
		blank.PartsRun, blank.PartsBefore = s.PartsRun, s.PartsBefore
		if s.Program == blank.Program {
			i.state = nil
		}
		return true, nil
	}
	i.state = nil
	if s.Values != nil && reflect.Copy(reflect.ValueOf(blank.Values), reflect.ValueOf(s.Values)) != reflect.ValueOf(blank.Values).Len() {
		return false, fmt.Errorf("a state with %d values", reflect.ValueOf(s.Values).Len())
	}
	fillAll(blank.Kept, s.Kept)
	values, kept := blank.Values, blank.Kept
	*blank = *s
	blank.Values, blank.Kept = values, kept
	return true, nil
}

// fillAll gives variables the content of others.
func fillAll(to, from []any) {
	for k, p := range from {
		reflect.ValueOf(to[k]).Elem().Set(cloned(reflect.ValueOf(p).Elem()))
	}
}

func cloneState(s pregel.State) *pregel.State {
	s.Awake, s.Waiting, s.Settled = slices.Clone(s.Awake), slices.Clone(s.Waiting), slices.Clone(s.Settled)
	s.To, s.Aggregates = slices.Clone(s.To), slices.Clone(s.Aggregates)
	for _, list := range []*any{&s.Values, &s.Messages} {
		if *list != nil {
			*list = cloned(reflect.ValueOf(*list)).Interface()
		}
	}
	s.Kept, s.Parts = clonedAll(s.Kept), clonedAll(s.Parts)
	return &s
}

// clonedAll copies variables.
func clonedAll(list []any) []any {
	list = slices.Clone(list)
	for k, p := range list {
		at := reflect.New(reflect.TypeOf(p).Elem())
		at.Elem().Set(cloned(reflect.ValueOf(p).Elem()))
		list[k] = at.Interface()
	}
	return list
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
	done, pieces := 0, 0
	for times := 0; ; times++ {
		i := &interruption{draw: r, state: state, piece: pieces, after: done + 1 + r.IntN(max(most, 1))}
		a, j := job()
		j.Checkpoints = i
		answer, err := a.Run(ctx, j)
		if !errors.Is(err, errInterrupted) {
			if err == nil && i.state != nil {
				err = fmt.Errorf("the state after %d supersteps was left lying", done)
			}
			return answer, times, err
		}
		state, done, pieces = i.taken, i.at.Before+i.at.Supersteps, i.at.Pieces
	}
}
