package trace

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest/race"
)

// briefed are short supersteps by chance, after a superstep, and what each is expected to
// be.
func briefed(r *rand.Rand, last pregel.StepRecord, law pregel.Law, left, pushed *uint64, more bool) (b *pregel.Briefs, want []pregel.StepRecord) {
	b = &pregel.Briefs{Time: time.Duration(r.IntN(5000)), Law: law, Left: *left, Pushed: *pushed, Next: r.Uint64N(200)}
	if more {
		b.Next = 7 // who are awake in the first that follow, below
	}
	n := 1 + r.IntN(20)
	one := pregel.Brief{Awake: 7}
	for i := range n {
		one.Arcs, one.Done, one.Times = uint8(r.IntN(2)*31), uint8(r.IntN(2)*255), 1
		if r.IntN(4) > 0 && i > 0 {
			one.Arcs, one.Done = b.List[len(b.List)-1].Arcs, b.List[len(b.List)-1].Done
		}
		if i > 0 {
			one.Awake = uint8(7 + r.IntN(3)/2)
			want[i-1].Next = uint64(one.Awake)
		}
		b.Add(one)
		*left -= uint64(one.Done)
		want = append(want, short(last, one, law, *left, *pushed))
		*pushed += uint64(one.Arcs)
	}
	want[n-1].Next = b.Next
	for i := range want {
		if want[i].Time = b.Time / time.Duration(n); n > 1 {
			want[i].Detail.Timed = n
		}
	}
	want[0].Time = b.Time - time.Duration(n-1)*(b.Time/time.Duration(n))
	return b, want
}

// short is the record of a superstep like another, but brief.
func short(like pregel.StepRecord, s pregel.Brief, law pregel.Law, left, pushed uint64) pregel.StepRecord {
	arcs, none := uint64(s.Arcs), uint64(0)
	d := pregel.Detail{Why: pregel.Choice{Rule: like.Detail.Why.Rule, Have: arcs * law.Each, Limit: law.Plus}, Whole: like.Detail.Whole}
	if law.Pushed {
		d.Why.Have = pushed
	}
	if law.Share > 0 {
		d.Why.Limit += left / law.Share
	}
	d.Why.Limit = max(d.Why.Limit, law.Least)
	if like.Detail.Sent != nil {
		d.Sent = &arcs
	}
	if like.Detail.Combined != nil {
		d.Combined = &none
	}
	if like.Detail.Atomics != nil {
		d.Atomics = &none
	}
	like.Awake, like.Arcs, like.Detail = uint64(s.Awake), arcs, &d
	return like
}

// Supersteps that are brief, between others that are not, are read as what they were,
// wherever a batch begins.
func TestBriefSteps(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	laws := []pregel.Law{{}, {Each: 1, Share: 15, Least: 30_000}, {Each: 3, Share: 1, Plus: 9}, {Pushed: true, Least: 5}}
	for range race.Times(300) {
		var text bytes.Buffer
		w := NewWriter(&text)
		if err := w.Write(&Header{Version: Version, Program: "p", Values: None, Graph: GraphInfo{Vertices: 1000}}); err != nil {
			t.Fatal(err)
		}
		q := newQueue(func(b *steps) {
			b.desk = &desk{}
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
		}, 1000)
		q.beside = false
		var want []*Superstep
		widths, last := pregel.Widths{Value: 8, Message: 4, Offset: uint64(4 + 4*r.IntN(2))}, pregel.StepRecord{}
		q.program(true, widths)
		tell := func(s pregel.StepRecord) {
			want = append(want, expected(len(want), s, true, widths, 1000))
		}
		for range 1 + r.IntN(30) {
			if last = drawn(r, last); r.IntN(2) == 0 {
				q.next(len(want)).add(&last)
				tell(last)
				continue
			}
			last.Metric, last.Detail.Phases, last.Detail.Aggregates, last.Detail.Barrier, last.Detail.Read = pregel.Metric{}, nil, nil, 0, 0
			q.next(len(want)).add(&last)
			tell(last)
			law, left, pushed := laws[r.IntN(len(laws))], r.Uint64N(1<<20)+1<<19, r.Uint64N(1000)
			for more := r.IntN(12); more >= 0; more-- {
				b, list := briefed(r, last, law, &left, &pushed, more > 0)
				q.nextOf(len(want), b).addBriefs(b)
				for _, s := range list {
					tell(s)
				}
			}
		}
		q.close()
		if err := w.Write(&Stop{Reason: "halted", Supersteps: len(want)}); err != nil {
			t.Fatal(err)
		}
		got, err := readSteps(text.Bytes())
		if err != io.EOF || !reflect.DeepEqual(texts(t, got), texts(t, want)) {
			t.Fatalf("%s\nis read as %s\nwant %s\n%v", text.Bytes(), texts(t, got), texts(t, want), err)
		}
	}
}
