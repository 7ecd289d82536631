package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
)

// An equation is a law of combiners, on messages a, b and c.
type equation struct {
	law   string
	uses  int // how many of the messages
	holds func(c claim, m []any) (broken string)
}

// equations lists the laws of combiners. What a function does is told in the
// author's own terms: a⊕b.
func equations() []equation {
	return []equation{
		{closed, 2, isClosed},
		{identity, 1, func(c claim, m []any) string {
			return c.differ("%[1]s ⊕ %[2]s", c.Func(c.Identity, m[0]), m[0], 0, c.Identity, m[0])
		}},
		{identity, 1, func(c claim, m []any) string {
			return c.differ("%[2]s ⊕ %[1]s", c.Func(m[0], c.Identity), m[0], 0, c.Identity, m[0])
		}},
		{commutative, 2, func(c claim, m []any) string {
			return c.pair("%[1]s ⊕ %[2]s", "%[2]s ⊕ %[1]s", c.Func(m[0], m[1]), c.Func(m[1], m[0]), 0, m)
		}},
		{associative, 3, func(c claim, m []any) string { return c.portions(m, c.slack(m)) }},
		{exact, 3, func(c claim, m []any) string {
			if !c.Exact {
				return ""
			}
			return c.portions(m, 0)
		}},
		{idempotent, 1, func(c claim, m []any) string {
			if !c.Idempotent {
				return ""
			}
			return c.differ("%[1]s ⊕ %[1]s", c.Func(m[0], m[0]), m[0], 0, m[0])
		}},
	}
}

func isClosed(c claim, m []any) (broken string) {
	defer func() {
		if r := recover(); r != nil {
			broken = fmt.Sprintf("%s ⊕ %s panics: %v", goText(m[0]), goText(m[1]), r)
		}
	}()
	if x := c.Func(m[0], m[1]); hasNaN(x) && !hasNaN(m[0]) && !hasNaN(m[1]) {
		return fmt.Sprintf("%s ⊕ %s is %s", goText(m[0]), goText(m[1]), goText(x))
	}
	return ""
}

// differ tells where an expression has another value than it should.
func (c claim) differ(expression string, got, want any, share float64, of ...any) string {
	if equal(got, want, share) {
		return ""
	}
	return fmt.Sprintf(expression+" is %[3]s, not %[4]s", words(of, got, want)...)
}

// words are two operands, and results, as text.
func words(of []any, results ...any) (list []any) {
	for i := range 2 {
		list = append(list, goText(of[min(i, len(of)-1)]))
	}
	for _, x := range results {
		list = append(list, goText(x))
	}
	return list
}

func (c claim) pair(left, right string, got, want any, share float64, of []any) string {
	if equal(got, want, share) {
		return ""
	}
	return fmt.Sprintf(left+" is %[3]s, but "+right+" is %[4]s", words(of, got, want)...)
}

func (c claim) portions(m []any, share float64) string {
	left, right := c.Func(c.Func(m[0], m[1]), m[2]), c.Func(m[0], c.Func(m[1], m[2]))
	if equal(left, right, share) {
		return ""
	}
	x, y, z := goText(m[0]), goText(m[1]), goText(m[2])
	return fmt.Sprintf("(%s ⊕ %s) ⊕ %s is %s, but %s ⊕ (%s ⊕ %s) is %s", x, y, z, goText(left), x, y, z, goText(right))
}

// slack is by what share results may differ for the rounding of floats alone: none
// if messages have none. Of sums near 0 little can be said.
func (c claim) slack(m []any) float64 {
	bits := floats(c.Type)
	if bits > 0 && c.cancels(m) {
		return 2
	}
	return rounding(bits)
}

// rounding is by what share floats of so many bits may differ when they are added
// up in another order.
func rounding(bits int) float64 {
	switch bits {
	case 0:
		return 0
	case 32:
		return 1e-4
	}
	return 1e-9
}

// cancels tells whether floats of both signs meet.
func (c claim) cancels(m []any) bool {
	minus := func(x any) bool { return anyFloat(reflect.ValueOf(x), func(f float64) bool { return f < 0 }) }
	return slices.ContainsFunc(m, minus)
}

// draws is how many triples of messages a combiner is tried on.
const draws = 3000

// combiner looks for counter-examples to the laws of a combiner, on messages that
// were sent and on others of their type.
func combiner(c claim, sent []any, seed uint64) (list []Finding) {
	if c.Func == nil {
		return nil
	}
	r := rand.New(rand.NewPCG(seed, 2))
	drawn := make([][]any, draws)
	for i := range drawn {
		drawn[i] = []any{c.draw(r, sent), c.draw(r, sent), c.draw(r, sent)}
	}
	for _, e := range equations() {
		if slices.ContainsFunc(list, func(f Finding) bool {
			return f.Law == e.law || f.Law == closed || f.Law == associative && e.law == exact
		}) {
			continue
		}
		at := slices.IndexFunc(drawn, func(m []any) bool { return e.holds(c, m[:e.uses]) != "" })
		if at < 0 {
			continue
		}
		m := shrink(drawn[at][:e.uses], func(m []any) bool { return e.holds(c, m) != "" })
		list = append(list, Finding{Law: e.law, Program: c.program,
			Text: fmt.Sprintf("combiner %q of %s (%v): %s", c.Name, c.of, c.Type, e.holds(c, m))})
	}
	if slices.ContainsFunc(list, func(f Finding) bool { return f.Law == closed }) {
		return list
	}
	if text := c.unlikeOne(r, sent); text != "" {
		list = append(list, Finding{Law: many, Program: c.program, Text: fmt.Sprintf("combiner %q of %s (%v): %s", c.Name, c.of, c.Type, text)})
	}
	return list
}

func (c claim) draw(r *rand.Rand, sent []any) any {
	switch k := r.IntN(8); {
	case k == 0:
		return c.Identity
	case k < 4 && len(sent) > 0:
		return sent[r.IntN(len(sent))]
	}
	return random(r, c.Type).Interface()
}
