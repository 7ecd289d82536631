package mst

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// This file says what the records of the phases have beside (pregel.Account).

// Bytes of what phases read and write.
const (
	rootBytes = 4
	keyBytes  = 8
	edgeBytes = 12
	linkBytes = 16
)

// Rules for records.
const (
	takesAll   = "about {have} edges are left between trees, not more than {limit}, two batches: all are taken"
	takesLight = "about {have} edges are left between trees, more than {limit}, two batches: the lightest are taken, a batch of them"
	// Of the first round.
	collectsNone  = "there are {have} edges, not more than {limit}, two batches: none are collected on the way"
	collectsLight = "there are {have} edges, more than {limit}, two batches: the lightest are collected on the way, a batch of them"
	manyLinks     = "{have} edges of the batch are left between trees, more than {limit}: rounds of all workers"
	// On a device.
	firstOfLists   = "lists are not in order of weight: all arcs of a list are looked at for the least that leaves a component"
	sortedLists    = "the graph is undirected and prepared, with lists in order of weight: the first arc that leaves a component is the least"
	candidateBytes = 8
	fewLinks       = "{have} edges of the batch are left between trees, not more than {limit}: one worker takes them in order of weight"
)

// overVertices is the account of a phase over vertices: at each a number is read or
// written, and along an arc the root of its target.
func (s *span) overVertices(value, weight uint64, why pregel.Choice) pregel.Account {
	return pregel.Account{Widths: pregel.Widths{Value: value, Message: rootBytes, Weight: weight, Frontier: pregel.NoFrontier}, Why: why}
}

// overLinks is the account of a phase over edges or links: with each so many bytes are
// read, and beside so many are written.
func overLinks(read uint64, why pregel.Choice, written func() uint64) pregel.Account {
	return pregel.Account{Widths: pregel.Widths{Message: read - targetBytes, Frontier: pregel.NoFrontier}, Why: why, Beside: written}
}

// targetBytes of an arc are in the estimate.
const targetBytes = 4

// weightBytes is the size of the weight read with an arc.
func weightBytes(g *graph.Graph) uint64 {
	if g.Weighted() == graph.Unweighted {
		return 0
	}
	return 4
}

// siftAccount is that of the first batch where its edges were collected before: the trees of
// both ends are looked up, and edges between them are written.
func (s *span) siftAccount(found []finder) pregel.Account {
	return overLinks(edgeBytes+2*rootBytes, pregel.Choice{}, func() uint64 { return edgeBytes * count(found) })
}

// lightAccount is that of a round's first phase: of a link that was made before
// the roots of both ends are read anew, and those that are kept are written. At both
// roots the lightest is looked at.
func (s *span) lightAccount() pregel.Account {
	why := pregel.Choice{Rule: manyLinks, Have: uint64(s.live()), Limit: serialFrom}
	read := uint64(linkBytes)
	if !s.at.Again {
		read = edgeBytes
	}
	return overLinks(read+2*rootBytes, why, func() uint64 { return uint64(s.live()) * (linkBytes + 2*keyBytes) })
}

// closeAccount is that of the last phase of a batch: a key is made of each link,
// and the edge and its roots are looked up in their order.
func (s *span) closeAccount() pregel.Account {
	read, left := uint64(linkBytes), uint64(s.live())
	if !s.at.Again {
		read, left = edgeBytes, uint64(len(s.edges))
	}
	written := func() uint64 { return left * keyBytes }
	return overLinks(read+keyBytes+edgeBytes+2*rootBytes, pregel.Choice{Rule: fewLinks, Have: left, Limit: serialFrom}, written)
}

// live counts the links that are left; before the first round, all edges of the batch.
func (s *span) live() (links int) {
	if !s.at.Again {
		return len(s.edges)
	}
	for _, k := range s.length {
		links += k
	}
	return links
}

// account is that of a round on a device: a vertex has a component and a candidate, and
// an arc that is looked at leads to the component at its end.
func (d *device) account(why string) *pregel.Account {
	return &pregel.Account{Why: pregel.Choice{Rule: why},
		Widths: pregel.Widths{Value: rootBytes + candidateBytes, Message: rootBytes, Weight: d.weighs, Frontier: pregel.ListedFrontier}}
}
