package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gopregel/pregel"
)

// A Finding is a broken law with its counter-example.
type Finding struct {
	Law       string `json:"law"`
	Program   string `json:"program,omitempty"`
	Superstep *int   `json:"superstep,omitempty"` // -1: Init
	Vertex    *int   `json:"vertex,omitempty"`
	Text      string `json:"text"`            // what happens, with Go values
	Graph     string `json:"graph,omitempty"` // on which it does
	// Follows are laws of the combiner that are broken, where this comes of that: it
	// goes away when messages are combined in the order of their senders. Of engines,
	// which cannot be told to, it is what may be.
	Follows string `json:"follows,omitempty"`
}

// A result is what a call returns.
type result struct {
	value any
	awake bool
	sent  []pregel.Sent
}

func (r result) same(o result) bool {
	return r.awake == o.awake && equal(r.value, o.value, 0) && slices.EqualFunc(r.sent, o.sent, func(a, b pregel.Sent) bool {
		return a.To == b.To && equal(a.Message, b.Message, 0)
	})
}

// tell writes a result, so that it differs from another where it does.
func (r result) tell(what string) string {
	if what == "Emit" {
		return goText(r.value)
	}
	text := goText(r.value) + ", asleep"
	if r.awake {
		text = goText(r.value) + ", awake"
	}
	for i, s := range r.sent {
		if i == 3 {
			return fmt.Sprintf("%s, … %d messages", text, len(r.sent))
		}
		text += fmt.Sprintf(", %s to %d", goText(s.Message), s.To)
	}
	return text
}

// A call is one of a program's function, and how to make it again.
type call struct {
	what     string
	at       pregel.Place
	value    any
	messages []any
	got      result
	run      func(slot int) result
}

// tell writes a call as Go would.
func (c call) tell() string {
	switch {
	case c.what == "Apply":
		return fmt.Sprintf("Apply(%s, message %s)", goText(c.value), goText(c.messages[0]))
	case c.what == "ApplyAll" || c.what == "Compute":
		var list []string
		for _, m := range c.messages {
			list = append(list, goText(m))
		}
		return fmt.Sprintf("%s(%s, messages [%s])", c.what, goText(c.value), strings.Join(list, ", "))
	}
	return fmt.Sprintf("%s(%s)", c.what, goText(c.value))
}

// find keeps the first finding of a law.
func (b *base) find(law string, at pregel.Place, format string, args ...any) {
	b.e.find(Finding{Law: law, Program: b.task.Name(), Superstep: intp(int(at.Superstep)), Vertex: intp(int(at.ID)), Text: fmt.Sprintf(format, args...)})
}

func (e *interpreter) find(f Finding) {
	if !slices.ContainsFunc(e.seen.findings, func(g Finding) bool { return g.Law == f.Law }) {
		e.seen.findings = append(e.seen.findings, f)
	}
}

func intp(i int) *int { return &i }

// heard looks at a call: the same again must give the same, and numbers numbers.
func (b *base) heard(c call) {
	if !b.e.audit {
		return
	}
	var again result
	b.parts.Quietly(0, func() { again = c.run(0) })
	if !again.same(c.got) {
		b.find(pure, c.at, "%s gives %s, and %s when called again", c.tell(), c.got.tell(c.what), again.tell(c.what))
		return
	}
	b.calls = append(b.calls, c)
	b.number(c)
}

// number finds where what is no number begins.
func (b *base) number(c call) {
	of := append([]any{c.value}, c.messages...)
	sends := c.what != "Emit" || c.at.OutDegree > 0
	switch {
	case !sends:
	case hasNaN(c.got.value) && !hasNaN(c.value):
		b.find(finite, c.at, "%s gives %s: the first NaN", c.tell(), goText(c.got.value))
	case c.what != "Init" && hasInf(c.got.value) && !slices.ContainsFunc(of, hasInf):
		b.find(finite, c.at, "%s gives %s: the first Inf, of finite numbers", c.tell(), goText(c.got.value))
	}
}

// end is a barrier: what was called is called again, when all others have been, and
// by several workers at once.
func (b *base) end(s int) {
	b.snapshot(s)
	for _, c := range slices.Backward(b.calls) {
		var again result
		b.parts.Quietly(0, func() { again = c.run(0) })
		if !again.same(c.got) {
			b.find(superstep, c.at, "%s gives %s, and %s after other vertices have been called: it sees what they write", c.tell(), c.got.tell(c.what), again.tell(c.what))
			b.calls = nil
			return
		}
	}
	again := make([]result, len(b.calls))
	var wg sync.WaitGroup
	failed := make([]any, slots)
	for slot := range slots {
		wg.Go(func() {
			defer func() { failed[slot] = recover() }()
			b.parts.Quietly(slot, func() {
				for i := slot; i < len(b.calls); i += slots {
					again[i] = b.calls[i].run(slot)
				}
			})
		})
	}
	wg.Wait()
	for _, f := range failed {
		if f != nil {
			panic(f)
		}
	}
	for i, c := range b.calls {
		if !again[i].same(c.got) {
			b.find(pure, c.at, "%s gives %s, and %s when other vertices are called at the same time", c.tell(), c.got.tell(c.what), again[i].tell(c.what))
			break
		}
	}
	b.calls = b.calls[:0]
}

// samples is how many messages of a program are kept.
const samples = 40

func (b *base) sample(messages []any) {
	name := b.task.Name()
	for _, m := range messages {
		list := b.e.seen.messages[name]
		if len(list) < samples && !slices.ContainsFunc(list, func(x any) bool { return equal(x, m, 0) }) {
			b.e.seen.messages[name] = append(list, m)
		}
	}
}

// some draws a message that was sent.
func (b *base) some() any {
	list := b.e.seen.messages[b.task.Name()]
	return list[b.e.rand.IntN(len(list))]
}

// auditApply holds Apply against what the program says of itself, at a vertex whose
// value has become x.
func (r *edgeRun) auditApply(at pregel.Place, value, sum any, got bool, now result) {
	x := now.value
	again := func(x, m any) (result result) {
		r.parts.Quietly(0, func() {
			result.value, result.awake = r.edge.Apply(r.parts.At(at.ID, at.Superstep+1, 0), x, m, true)
		})
		return result
	}
	if r.edge.Settled != nil && r.edge.Settled(x) && len(r.e.seen.messages[r.task.Name()]) > 0 {
		for range 3 {
			m := r.some()
			if y := again(x, m); y.awake || !equal(y.value, x, 0) {
				r.find(settled, at, "%s is settled, and Apply of it and message %s gives %s", goText(x), goText(m), y.tell("Apply"))
			}
		}
	}
	if r.edge.Absorbs {
		r.auditAbsorbs(at, value, sum, now)
	}
	if r.edge.Signals && got {
		r.auditSignals(at, value, sum, now)
	}
	if r.edge.Anew {
		r.auditAnew(at, value, sum, got, now)
	}
	if !r.edge.Relaxes || len(r.e.seen.messages[r.task.Name()]) == 0 {
		return
	}
	if later := again(value, sum); got && !later.same(now) {
		r.find(relaxed, at, "Apply(%s, message %s) gives %s, and %s a superstep later: it must not look at Superstep or an aggregator",
			goText(value), goText(sum), now.tell("Apply"), later.tell("Apply"))
	}
	c := r.edge.Combine
	if y := again(x, c.Identity); y.awake || !equal(y.value, x, 0) {
		r.find(relaxed, at, "a message equal to the identity, %s, says nothing, but Apply(%s, it) gives %s", goText(c.Identity), goText(x), y.tell("Apply"))
	}
	if c.Func == nil {
		return
	}
	m, o := r.some(), r.some()
	apart, whole := again(again(x, m).value, o), again(x, c.Func(m, o))
	if !equal(apart.value, whole.value, 0) {
		r.find(relaxed, at, "value %s becomes %s by messages %s and then %s, and %s by both combined", goText(x), goText(apart.value), goText(m), goText(o), goText(whole.value))
	}
}

// auditAbsorbs holds Apply against the combiner, and Emit against the value.
func (r *edgeRun) auditAbsorbs(at pregel.Place, value, sum any, now result) {
	x := r.edge.Combine.Func(value, sum)
	if want := (result{value: x, awake: !equal(x, value, 0)}); !now.same(want) {
		r.find(absorbs, at, "Apply(%s, message %s) gives %s; %s⊕%s is %s", goText(value), goText(sum), now.tell("Apply"), goText(value), goText(sum), want.tell("Apply"))
	}
	if offer := r.edge.Emit(at, x); !r.edge.Sources && !equal(offer, x, 0) {
		r.find(absorbs, at, "Emit(%s) gives %s", goText(x), goText(offer))
	}
}

// auditSignals gives Apply other messages than the one that came, sent ones and drawn ones:
// an engine that has a bit for a message gives it any number.
func (r *edgeRun) auditSignals(at pregel.Place, value, sum any, now result) {
	for _, m := range []any{r.some(), random(r.e.rand, r.parts.Message).Interface()} {
		var other result
		r.parts.Quietly(0, func() {
			other.value, other.awake = r.edge.Apply(at, value, m, true)
		})
		if !other.same(now) {
			r.find(signals, at, "Apply(%s, message %s) gives %s, and with message %s %s", goText(value), goText(sum), now.tell("Apply"), goText(m), other.tell("Apply"))
		}
	}
}

// auditAnew gives Apply other values than the one that the vertex has: an engine that keeps none gives it any.
func (r *edgeRun) auditAnew(at pregel.Place, value, sum any, got bool, now result) {
	for _, x := range []any{reflect.Zero(r.parts.Value).Interface(), random(r.e.rand, r.parts.Value).Interface()} {
		var other result
		r.parts.Quietly(0, func() {
			other.value, other.awake = r.edge.Apply(at, x, sum, got)
		})
		if !other.same(now) {
			r.find(anew, at, "Apply(%s, message %s) gives %s, and of value %s %s", goText(value), goText(sum), now.tell("Apply"), goText(x), other.tell("Apply"))
		}
	}
}
