package cuda

import (
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// The last bare superstep can be done again while the offers that it heard are there: of two places the next
// one writes to them, of three the one after that, which comes when another is the last.
func TestBareLeaves(t *testing.T) {
	for _, third := range []bool{false, true} {
		r := &edgeRun{bares: bares{until: 9}}
		if third {
			r.arrays.later = new(driver.Buffer)
		}
		for s, turn := 0, uint32(0); s < 7; s++ {
			f := &flight{superstep: s, turn: turn, bare: true}
			before := r.bares.last
			r.leaves(f)
			if kept := r.bares.last != nil; s > 0 && (kept != third || before == nil) {
				t.Errorf("third place %v, superstep %d: what it comes after can be done again: %v, before it was launched %v", third, s, kept, before != nil)
			}
			r.bares.note(f)
			if turn = r.afterTurn(turn); !r.bares.blind || r.bares.last == nil || r.bares.last.superstep != s {
				t.Errorf("superstep %d is over: %+v", s, r.bares)
			}
		}
		r.bares.note(&flight{})
		if r.bares.blind || r.bares.last != nil {
			t.Errorf("one that keeps values is over: %+v", r.bares)
		}
	}
}

// Bare are all supersteps but the last two, of as many as are known to come, where nobody looks.
func TestBaresOf(t *testing.T) {
	tally := pregel.NamedTally{Name: "x"}
	form := pregel.Form{Twin: pregel.Twin{Anew: true, Local: true, Steps: 10, Tallies: []pregel.NamedTally{tally}}, Silent: true}
	looks := func(func() (pregel.State, error)) error { return nil }
	keeps := func(int, bool, func() (pregel.State, error)) error { return nil }
	for i, c := range []struct {
		change func(f *pregel.Form, l *pregel.Limits)
		until  int
	}{
		{func(*pregel.Form, *pregel.Limits) {}, 8},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Steps = 2 }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Steps = 1 }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Steps = 0 }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.MaxSupersteps = 5 }, 3},
		{func(_ *pregel.Form, l *pregel.Limits) { l.MaxSupersteps = 50 }, 8},
		{func(_ *pregel.Form, l *pregel.Limits) { l.MaxSupersteps = -1 }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Anew = false }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Local = false }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Silent = false }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Settles = true }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Waits = true }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Tallies = nil }, 0},
		{func(f *pregel.Form, _ *pregel.Limits) { f.Edge = "source_id" }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Detail = true }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Observe = func(*pregel.StepRecord) {} }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Observe, l.Unmeasured = func(*pregel.StepRecord) {}, true }, 8},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Barrier = looks }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Keep = keeps }, 0},
		{func(_ *pregel.Form, l *pregel.Limits) { l.Bounds.NaN = true }, 0},
	} {
		f, l := form, pregel.Limits{}
		c.change(&f, &l)
		if got := baresOf(f, l); got.until != c.until {
			t.Errorf("case %d: supersteps below %d are bare, want %d", i, got.until, c.until)
		}
	}
}

// kindOf is a tally of some combiner and type.
type kindOf struct{ combiner, ctype string }

func (k kindOf) Combiner() string { return k.combiner }
func (k kindOf) CType() string    { return k.ctype }
func (kindOf) LastBits() uint64   { return 0 }
func (kindOf) Deposit(uint64)     {}

// A tally of change is a sum of floats, and none that device functions have the last value of.
func TestTallyOfChange(t *testing.T) {
	for _, c := range []struct {
		kind kindOf
		ok   bool
	}{{kindOf{"sum", "double"}, true}, {kindOf{"sum", "float"}, true}, {kindOf{"sum", "u64"}, false}, {kindOf{"max", "double"}, false}} {
		list := []pregel.NamedTally{{Name: "moved", Tally: c.kind, Change: true}, {Name: "odd", Tally: kindOf{"max", "u32"}}}
		if _, err := talliesText(list); (err == nil) != c.ok {
			t.Errorf("a %s of %s: %v", c.kind.combiner, c.kind.ctype, err)
		}
		text, err := paramsText(pregel.Form{Twin: pregel.Twin{Tallies: list}})
		if err != nil || strings.Contains(text, "moved") || !strings.Contains(text, "last_odd") {
			t.Errorf("parameters are %q, %v", text, err)
		}
	}
}
