package grade

import (
	"context"
	"fmt"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// exercises is the table, in the order of the lessons.
func exercises() []exercise {
	const (
		first  = "1-supersteps"
		second = "2-combiners"
		third  = "3-frontiers"
		fourth = "4-gpu"
	)
	return []exercise{
		{first, "hops", "how many hops every vertex is from the source", 10, hops},
		{first, "halfway", "the same, until half of all vertices are reached", 10, halfway},
		{second, "friends", "the mean of the in-neighbours' numbers of neighbours", 10, friends},
		{second, "famous", "the vertex with the most neighbours that can reach a vertex", 10, famous},
		{third, "within", "who is within so many hops, with an exact frontier", 10, within},
		{third, "parents", "a breadth-first search that reads few arcs", 10, parents},
		{fourth, "warp", "what a warp reads, where it contends, where it idles, in numbers", 10, warp{}},
		{fourth, "lanes", "how many lanes go through the arcs of a vertex", 10, lanes},
		{fourth, "reach", "within, in CUDA C", 10, kernel{}},
	}
}

var hops = program{criteria: []criterion{
	ends,
	answers("take the least of what is heard, and only the first time; what does a neighbour of the vertex h hops away get to hear?", func(t *trial) []pregel.Column {
		h, _ := t.distances()
		return []pregel.Column{counts("hops", h)}
	}),
	supersteps("at most D+2 supersteps, D being the greatest number of hops", "in superstep s the vertices s hops away hear it; one superstep later nothing new is said", func(t *trial) (int, string) {
		_, most := t.distances()
		return most + 2, fmt.Sprintf("D is %d", most)
	}),
	messages("at most one message along each arc", "tell the neighbours once, when the value has become known, not whenever a message comes", func(t *trial) (uint64, string) {
		h, _ := t.distances()
		most := t.arcsOf(func(v uint32) bool { return h[v] != graph.None })
		return most, "the arcs out of the vertices reached"
	}),
	same, laws,
}}

var halfway = program{criteria: []criterion{
	ends,
	answers("half of the vertices, rounded up, with the source among them; who is farther than the last of them stays unreached", func(t *trial) []pregel.Column {
		h, _ := t.distances()
		if most, ok := t.half(); ok {
			h = upTo(h, most)
		}
		return []pregel.Column{counts("hops", h)}
	}),
	supersteps("at most h+1 supersteps, half being within h hops", "after superstep s those s hops away have been counted: halt at that barrier", func(t *trial) (int, string) {
		if h, ok := t.half(); ok {
			return h + 1, fmt.Sprintf("half of %d are within %d hops", t.N, h)
		}
		_, most := t.distances()
		return most + 2, fmt.Sprintf("half cannot be reached, and D is %d", most)
	}),
	same, laws,
}}

// popular is a vertex that hears 257 in each of 257 messages: more than 16 bits hold.
func popular() []Drawing {
	return []Drawing{{N: 2, Directed: true, Arcs: slices.Repeat([]graph.Arc{{U: 0, V: 1}}, 257)}}
}

var friends = program{empty: true, more: popular(), criteria: []criterion{
	ends,
	laws.hinted("(a ⊕ b) ⊕ c and a ⊕ (b ⊕ c) must be the same: let a message carry a sum and a count, and let Apply divide"),
	answers("who sends how much: once per arc, an arc that is there twice counts twice; who gets nothing stays +Inf; hubs add up large numbers", func(t *trial) []pregel.Column {
		return []pregel.Column{{Name: "mean", Floats: t.friends()}}
	}),
	supersteps("1 superstep", "nobody needs to be awake after Apply", func(*trial) (int, string) { return 1, "all is said in the first" }),
	{name: "size", says: "a message has at most 16 bytes", hint: "a sum and a count, not a list",
		miss: func(_ context.Context, t *trial) *Miss {
			if w := t.base.width.Message; w > 16 {
				return &Miss{Found: plural(int(w), "byte"), Wanted: "at most 16"}
			}
			return nil
		}},
	same,
}}

var famous = program{empty: true, criteria: []criterion{
	ends,
	laws.hinted("of two with as many neighbours either may stand on the left: decide by the id; and against the identity everybody wins, vertex 5 without neighbours, too"),
	answers("the most neighbours, then the least id", func(t *trial) []pregel.Column {
		who, _ := t.famous()
		return []pregel.Column{vertices("famous", who)}
	}),
	supersteps("at most F+1 supersteps, F being the longest way that word of the famous goes", "wake only who has heard of somebody more famous", func(t *trial) (int, string) {
		_, far := t.famous()
		return far + 1, fmt.Sprintf("F is %d", far)
	}),
	same,
}}

// goes is how many supersteps within takes at most: the frontier of superstep s are
// the vertices s hops away, while s is below the hops allowed.
func (t *trial) goes() int {
	_, most := t.distances()
	return min(most+1, t.Hops)
}

var within = program{criteria: []criterion{
	ends,
	answers("who is farther than p.hops stays unreached; a vertex keeps the first number that it gets", func(t *trial) []pregel.Column {
		h, _ := t.distances()
		return []pregel.Column{counts("hops", upTo(h, t.Hops))}
	}),
	supersteps("at most as many supersteps as hops, and D+1", "who is p.hops away has nobody to tell", func(t *trial) (int, string) {
		_, most := t.distances()
		return t.goes(), fmt.Sprintf("%d hops are allowed, and D is %d", t.Hops, most)
	}),
	{name: "frontier", says: "in superstep s those who are s hops away are awake, and no others",
		hint: "awake in the next superstep is who was reached in this one: value before, value after",
		miss: func(_ context.Context, t *trial) *Miss {
			h, _ := t.distances()
			for s, r := range t.base.steps {
				want := uint64(0)
				for _, x := range h {
					if x != graph.None && int(x) == s {
						want++
					}
				}
				if r.Awake > want {
					return &Miss{Found: fmt.Sprintf("%d awake in superstep %d", r.Awake, s), Wanted: fmt.Sprintf("%d, as many as are %d hops away", want, s)}
				}
			}
			return nil
		}},
	messages("pushed, at most one message along each arc", "nobody is on the frontier twice", func(t *trial) (uint64, string) {
		h, _ := t.distances()
		return t.arcsOf(func(v uint32) bool { return h[v] != graph.None && int(h[v]) < t.Hops }), "the arcs out of the vertices that may go on"
	}),
	pulls("pulled, only those who are not reached yet read", "write Settled, true of values that stay as they are", func(t *trial) (uint64, string) {
		return t.reading(false, t.goes()-1), "the arcs into vertices not reached, superstep by superstep"
	}),
	same, laws,
}}

var parents = program{criteria: []criterion{
	ends,
	answers("the first to reach a vertex are those one hop nearer; the least of them is the parent", func(t *trial) []pregel.Column {
		h, _ := t.distances()
		return []pregel.Column{counts("depth", h), vertices("parent", t.parents())}
	}),
	{name: "certificate", says: "its answer passes the certificate of breadth-first searches", hint: "go doc gopregel/pregel/certify.BFS says what that checks",
		miss: func(ctx context.Context, t *trial) *Miss {
			depth, err := t.base.answer.Table.Column("depth")
			if err != nil {
				return &Miss{Found: err.Error(), Wanted: "a column depth"}
			}
			parent, err := t.base.answer.Table.Column("parent")
			if err == nil {
				err = certify.BFS(ctx, t.g, t.Source, depth.Counts, parent.Vertices)
			}
			if err != nil {
				return &Miss{Found: err.Error(), Wanted: "a certificate"}
			}
			return nil
		}},
	messages("pushed, at most one message along each arc", "who has its depth need not wake again", func(t *trial) (uint64, string) {
		h, _ := t.distances()
		return t.arcsOf(func(v uint32) bool { return h[v] != graph.None }), "the arcs out of the vertices reached"
	}),
	pulls("pulled, only those not reached read, up to the first neighbour awake", "both declarations are needed: Settled leaves out who is reached, SourceID stops at the first", func(t *trial) (uint64, string) {
		_, most := t.distances()
		return t.reading(true, most), "the arcs that a search has to read, superstep by superstep"
	}),
	same, laws,
}}
