package check_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/check"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

func engines() (list []check.Engine) {
	for _, o := range []cpu.Options{{Workers: 1}, {Workers: 3, Direction: pregel.Push}, {Workers: 2, Direction: pregel.Pull}} {
		list = append(list, check.Engine{Name: fmt.Sprintf("cpu %d %v", o.Workers, o.Direction), Engine: cpu.New(o), Loose: o.Direction != pregel.Pull})
	}
	return append(list, check.Engine{Name: "cpu relaxed", Engine: cpu.New(cpu.Options{Workers: 2, Schedule: pregel.Relaxed}), Relaxed: true})
}

// seeds are those that the programs below were tried with: that a law is found broken,
// and no other, hangs on the graphs that are drawn.
const seeds = 24

func newSeed(t *testing.T) uint64 {
	seed := 1 + rand.Uint64N(seeds)
	t.Logf("seed %d", seed)
	return seed
}

// A trial is a program, and what must be found in it.
type trial struct {
	subject check.Subject
	broken  string // the law, "" for none
	also    string // laws that it cannot but break too
	says    string // in the counter-example
}

func of[V, M any](fresh func() pregel.EdgeProgram[V, M]) check.Subject {
	return check.Values("parts", edge(fresh))
}

func combines[M any](c pregel.Monoid[M], message func(v pregel.Place) M) check.Subject {
	return of(func() pregel.EdgeProgram[M, M] { return once(c, message) })
}

func id(v pregel.Place) uint32 { return v.ID }

func trials() map[string]trial {
	lawless := func(m pregel.Monoid[uint32]) check.Subject { return combines(m, id) }
	exactSum, twice := pregel.Sum[float64](), pregel.Sum[uint32]()
	exactSum.Exact, twice.Idempotent = true, true
	keepsLaws := func() pregel.EdgeProgram[uint32, uint32] { return least() }
	return map[string]trial{
		"least":      {subject: of(keepsLaws)},
		"relaxes":    {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return relaxes{least()} })},
		"flood":      {subject: check.Values("flood", floods(false))},
		"gather":     {subject: check.Values("gather", gathers)},
		"float sums": {subject: combines(pregel.Sum[float64](), func(v pregel.Place) float64 { return 0.1 * float64(v.ID) })},
		"means": {subject: combines(pregel.Combine("mean", mean{}, func(a, b mean) mean { return mean{a.Sum + b.Sum, a.Count + b.Count} }),
			func(v pregel.Place) mean { return mean{float64(v.ID), 1} })},

		"panics":  {of(panics), "runs", "deterministic", "three"},
		"endless": {of(endless), "runs", "", "not ended"},
		"refuses": {of(refuses), "runs", "", "not today"},
		"wrong identity": {lawless(pregel.Combine("min", 0, func(a, b uint32) uint32 { return min(a, b) })),
			"identity", "", "0 ⊕ 1 is 0, not 1"},
		"first": {lawless(pregel.Combine("first", 0, func(a, b uint32) uint32 {
			if a != 0 {
				return a
			}
			return b
		})), "commutative", "superstep order", " ⊕ 1 is "},
		"distance": {lawless(distance()),
			"associative", "superstep order deterministic", "⊕"},
		"means of means": {combines(pregel.Combine("mean", mean{}, func(a, b mean) mean {
			switch {
			case a.Count == 0:
				return b
			case b.Count == 0:
				return a
			}
			return mean{(a.Sum + b.Sum) / 2, 1}
		}), func(v pregel.Place) mean { return mean{float64(v.ID), 1} }), "associative", "superstep order identity commutative deterministic", "check_test.mean{Sum: "},
		"exact sums": {combines(exactSum, func(v pregel.Place) float64 { return 0.1 * float64(v.ID) }), "exact", "superstep order associative deterministic", "⊕"},
		"twice":      {lawless(twice), "idempotent", "", "1 ⊕ 1 is 2, not 1"},
		"harmonic": {combines(pregel.Combine("harmonic", math.Inf(1), func(a, b float64) float64 { return a * b / (a + b) }),
			func(v pregel.Place) float64 { return float64(v.ID) }), "closed", "finite superstep order deterministic", "math.NaN()"},
		"counts":                     {of(counts), "pure", "deterministic superstep order", "when called again"},
		"scribbles":                  {of(scribbles), "pure", "deterministic", "at the same time"},
		"ahead":                      {of(ahead), "superstep", "deterministic", ""},
		"last writer, and lawless":   {check.Values("writer", lawlessThenLast), "order", "associative deterministic", ""},
		"flood with a column beside": {check.Values("flood", floods(true)), "superstep", "deterministic", ""},
		"last writer":                {check.Values("writer", lastWriter), "order", "deterministic", "superstep 1 alone"},
		"settles early":              {of(settlesEarly), "settled", "", "is settled"},
		"first wins":                 {of(firstWins), "priority", "", "no vertex waits"},
		"hops":                       {of(hops), "relaxed", "deterministic", "superstep"},
		"deaf":                       {subject: of(depths)},
		"deaf, but to the great":     {of(listens), "signals", "", ", and with message "},
		"deaf to none":               {of(func() pregel.EdgeProgram[uint32, uint32] { return deaf{least()} }), "signals", "", ", and with message "},
		"anew":                       {subject: of(renewed(func(uint32) bool { return false }))},
		"anew, but of nothing":       {of(renewed(func(x uint32) bool { return x == 0 })), "anew", "", ", and of value 0 "},
		"anew, but of the great":     {of(renewed(func(x uint32) bool { return x > 1<<20 })), "anew", "", ", and of value "},
		"silent relaxed":             {of(silent), "relaxed", "", "Silent"},
		"ratios":                     {of(ratios), "finite", "", "gives math.NaN(): the first NaN"},
		"explodes":                   {of(explodes), "finite", "", "gives math.Inf(1): the first Inf"},
		"ordered":                    {of(ordered), "commutative", "", "aggregator 1"},
		"wrong certificate":          {disputed(), "certified", "", "I do not like 7"},
		"seeds and sets":             {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return reached{} })},
		"seeds that stray":           {of(func() pregel.EdgeProgram[uint32, uint32] { return strayed{} }), "deterministic", "", ""},
		"arrivals":                   {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return lands{} })},
		"arrivals that are late":     {of(func() pregel.EdgeProgram[uint32, uint32] { return late{} }), "deterministic", "", ""},
		"sets that slip":             {of(func() pregel.EdgeProgram[uint32, uint32] { return slips{} }), "deterministic", "", ""},
		"sweeps":                     {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return sweeps{least()} })},
		"sweeps that end early":      {of(func() pregel.EdgeProgram[uint32, uint32] { return hurries{sweeps{least()}} }), "deterministic", "", ""},
		"blocks begun otherwise":     {of(func() pregel.EdgeProgram[uint32, uint32] { return begun{} }), "deterministic", "", ""},
		"hasty":                      {of(func() pregel.EdgeProgram[uint32, uint32] { return &hasty{} }), "deterministic", "", ""},
		"absorber":                   {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return soaks{least()} })},
		"absorber that forgets":      {of(func() pregel.EdgeProgram[uint32, uint32] { return forgets() }), "absorbs", "deterministic", "⊕"},
		"absorber that offers more":  {of(func() pregel.EdgeProgram[uint32, uint32] { return boasts() }), "absorbs", "deterministic", "Emit("},
		"many":                       {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return wholeMany(nil, nil) })},
		"many, but for the first": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return wholeMany(func(as, bs []uint32) { lesserMany(as[min(1, len(as)):], bs[min(1, len(bs)):]) }, nil)
		}), "many", "deterministic", " ⊕ "},
		"many that keep what is to be dropped": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return wholeMany(nil, func(*pregel.Arcs[uint32]) {})
		}), "many", "deterministic", "becomes nothing, but by Many"},
		"many that panic": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return wholeMany(nil, func(a *pregel.Arcs[uint32]) { _ = a.Messages[3] })
		}), "many", "deterministic", "panics"},
		"many that change the other list": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return wholeMany(func(as, bs []uint32) { lesserMany(as, bs); clear(bs) }, nil)
		}), "many", "deterministic", "changes number 1 of bs"},
		"rows":                             {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return rows{wholeMany(nil, nil), 0} })},
		"rows that leave the last one out": {of(func() pregel.EdgeProgram[uint32, uint32] { return rows{wholeMany(nil, nil), 1} }), "deterministic", "", ""},
		"weightless":                       {subject: of(func() pregel.EdgeProgram[uint32, uint32] { return blind() })},
		"weightless that looks at weights": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return weightless(func(x, u, v uint32, w float64) (uint32, bool) { return x, passes(u, v, w) })
		}), "weightless", "", "with weight 1, but"},
		"weightless that adds them": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return weightless(func(x, _, _ uint32, w float64) (uint32, bool) { return x + uint32(w), true })
		}), "weightless", "", "with weight 1, but"},
		"weightless that fails with them": {of(func() pregel.EdgeProgram[uint32, uint32] {
			return weightless(func(x, _, _ uint32, w float64) (uint32, bool) { return []uint32{x, x}[int(w)], false })
		}), "weightless", "", "panics"},
		"weightless, but by turns": {of(func() pregel.EdgeProgram[uint32, uint32] { return weightless(byTurns()) }), "pure", "deterministic superstep order", "is called again"},
		"an edge operation, but by turns": {of(func() pregel.EdgeProgram[uint32, uint32] {
			p := least()
			p.spec.Edge = pregel.EdgeFunc("by turns", byTurns())
			return p
		}), "pure", "deterministic superstep order", "is called again"},
		"by workers": {check.Values("workers", byWorkers), "deterministic", "", "on cpu 3 push"},
	}
}

func gathers(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	r, err := pregel.RunCollector(ctx, j, gather{})
	return r.Values, err
}

// byWorkers is another program on three workers.
func byWorkers(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	r, err := pregel.RunEdge(ctx, j, least())
	if n := len(r.Values); n > 2 && j.Engine.Pool().Workers() == 3 {
		r.Values[n-1]++
	}
	return r.Values, err
}

// disputed has a certificate that refuses graphs of more than seven vertices.
func disputed() check.Subject {
	s := check.Values("disputed", edge(func() pregel.EdgeProgram[uint32, uint32] { return least() }))
	s.Certify = func(_ context.Context, g *graph.Graph, _ check.Answer) error {
		if g.N() > 7 {
			return errors.New("I do not like 7")
		}
		return nil
	}
	return s
}

// The verdict tells whether there was anything Weightless.
func TestWeightlessIsLookedAt(t *testing.T) {
	t.Parallel()
	for _, there := range []bool{true, false} {
		subject := of(func() pregel.EdgeProgram[uint32, uint32] {
			if there {
				return blind()
			}
			return least()
		})
		report, err := check.Program(t.Context(), subject, check.Options{Seed: newSeed(t), Graphs: 20, Supersteps: 500})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(report.Laws, func(v check.Verdict) bool { return v.Law == "weightless" })
		if ok := report.Laws[i].Status == check.OK; ok != there {
			t.Errorf("an operation is Weightless: %v; the verdict is %+v", there, report.Laws[i])
		}
	}
}

// TestFindsWhatIsBroken wants of each program its own law found, and no other.
func TestFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	seed := newSeed(t)
	for name, try := range trials() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := check.Program(t.Context(), try.subject, check.Options{Seed: seed, Graphs: 30, Supersteps: 500, Engines: engines()})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, v := range report.Broken() {
				if !rightlyFollows(try, v) {
					t.Errorf("found\n%s\nwhich follows from %q", v.Text(), v.Finding.Follows)
				}
				switch {
				case v.Law == try.broken:
					found = true
					if text := v.Text(); !strings.Contains(text, try.says) {
						t.Errorf("found\n%s\nwhich does not say %q", text, try.says)
					} else {
						t.Log(text)
					}
				case !slices.Contains(strings.Fields(try.also), v.Law):
					t.Errorf("found\n%s\nwhich is not broken", v.Text())
				}
			}
			if !found && try.broken != "" {
				t.Errorf("%s was not found: %+v", try.broken, report.Laws)
			}
		})
	}
}

// rightlyFollows tells whether what follows from a broken combiner alone, and only
// that, is said to.
func rightlyFollows(try trial, v check.Verdict) bool {
	laws := strings.Split(v.Finding.Follows, " and ")
	switch combiners := []string{"commutative", "associative", "exact", "closed"}; {
	case v.Law == try.broken:
		return v.Finding.Follows == ""
	case slices.Contains(combiners, try.broken) && (v.Law == "superstep" || v.Law == "order"):
		return slices.Contains(laws, try.broken) && strings.Contains(v.Text(), "does not happen")
	}
	return true
}

// TestEachLawIsTried holds the table of laws and that of programs together.
func TestEachLawIsTried(t *testing.T) {
	t.Parallel()
	broken := map[string]bool{}
	for _, try := range trials() {
		broken[try.broken] = true
	}
	for _, l := range check.Laws() {
		if !broken[l.Name] {
			t.Errorf("no program of the tests breaks %s", l.Name)
		}
	}
}
