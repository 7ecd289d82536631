package pregel_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
)

// plain is what a detail says, in memory of its own.
func plain(d *pregel.Detail) pregel.Detail {
	said, sent, atomics := *d, *d.Sent, *d.Atomics
	said.Sent, said.Atomics = &sent, &atomics
	return said
}

// Whatever was made in a room before, a detail says what is asked for, and no more;
// those made beside it keep what they said until all are taken back.
func TestDetailsInTheSameRoom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var room pregel.Details
	var want pregel.Detail // of the last
	for range 300 {
		var made []*pregel.Detail
		var said []pregel.Detail
		for range r.IntN(8) {
			d := another(r, &room, &want)
			made, said = append(made, d), append(said, plain(d))
			if !reflect.DeepEqual(*d, want) {
				t.Fatalf("made %+v, want %+v", *d, want)
			}
			if !want.Again && r.IntN(2) == 0 { // who makes one completes it
				d.Whole = "push and apply"
				want.Whole, said[len(said)-1].Whole = d.Whole, d.Whole
			}
			d.Timed, said[len(said)-1].Timed = 3, 3
		}
		for i, d := range made {
			if !reflect.DeepEqual(*d, said[i]) {
				t.Fatalf("detail %d of %d became %+v, was %+v", i, len(made), *d, said[i])
			}
		}
		room.Reset()
	}
}

// another makes a detail, and what it must say.
func another(r *rand.Rand, room *pregel.Details, want *pregel.Detail) *pregel.Detail {
	sent, none := r.Uint64N(100), uint64(0)
	why := pregel.Choice{Rule: want.Why.Rule, Have: r.Uint64N(100), Limit: r.Uint64N(100)}
	if want.Sent != nil && r.IntN(2) == 0 {
		*want = pregel.Detail{Why: why, Sent: &sent, Atomics: &none, Whole: want.Whole, Again: true}
		return room.Again(why, sent)
	}
	why.Rule = []string{"{have} of {limit}", "few", ""}[r.IntN(3)]
	*want = pregel.Detail{Why: why, Sent: &sent, Atomics: &none}
	return room.New(why, sent)
}
