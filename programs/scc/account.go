package scc

import "gopregel/pregel"

// This file says what the records of the phases have beside (pregel.Account).

// led is what led to a stage: a rule, and the numbers that it compares.
type led struct {
	Rule        rule
	Have, Limit uint64
}

type rule uint8

const (
	noRule rule = iota
	notThin
	smallReach
	isThin
	gaveUp
	manyOpen
	fewOpen
	noMoreRounds
	fewClosed
	isNear
	isSmall
	isSparse
	mayBeSparse
	notQuick
	manyBridges
	fewBridges
)

var rules = [...]string{
	noRule:       "",
	notThin:      "a search from the vertex of most arcs, of a sample, found 1/16 of the vertices (64 to 4096), or read 16 arcs for each of so many, within {have} levels, not more than {limit}: the graph is not thin",
	smallReach:   "a search from the vertex of most arcs, of a sample, ended after {have} levels, before it had found 1/16 of the vertices (64 to 4096), or read 16 arcs for each of so many: it shows no thin graph",
	isThin:       "a search from the vertex of most arcs, of a sample, took {have} levels to find 1/16 of the vertices (64 to 4096), or read 16 arcs for each of so many, more than {limit}: the graph is thin, and one worker is fastest",
	gaveUp:       "the search has not ended after {have} supersteps, and is given up after {limit}",
	manyOpen:     "{have} vertices are open, not fewer than {limit}: they are trimmed",
	fewOpen:      "{have} vertices are open, fewer than {limit}: one worker finishes",
	noMoreRounds: "{have} rounds of trimming were done, of {limit} at most: one worker finishes",
	fewClosed:    "a round of trimming closed {have} vertices, not more than {limit}, a share of 1/32 of those open: one worker finishes",
	isNear:       "the graph is thin, and of a sample of arcs {have} leave their districts, not more than {limit}: each district is searched by itself",
	isSmall:      "of a sample of arcs {have} lead far, not more than {limit}, and there are few: one worker is fastest",
	isSparse:     "there are {have} arcs, not more than {limit}, few to a vertex: one worker is fastest",
	mayBeSparse:  "there are {have} arcs, not more than {limit}, few to a vertex: when vertices are trimmed, a search from the pivot shows whether one worker is fastest",
	notQuick:     "the graph is sparse, and a search from the pivot did not find 4096 vertices or read 65536 arcs within {limit} levels, of {have}: one worker finishes",
	manyBridges:  "{have} arcs lead from one part to another, more than {limit}: one worker finishes",
	fewBridges:   "{have} arcs lead from one part to another, not more than {limit}: one worker joins the parts",
}

func (l led) choice() pregel.Choice {
	return pregel.Choice{Rule: rules[l.Rule], Have: l.Have, Limit: l.Limit}
}

// Bytes of what phases read and write.
const (
	markBytes      = 1
	componentBytes = 4
	indexBytes     = 4
)

// account is that of a phase over vertices, at each of which so many bytes are read
// and written.
func account(value, message uint64, why led) pregel.Account {
	return pregel.Account{Widths: pregel.Widths{Value: value, Message: message, Frontier: pregel.NoFrontier}, Why: why.choice()}
}

// Rules for records on a device.
const (
	deviceBoth  = "both searches from the pivot go on at the same time: {have} vertices in {limit} rounds so far"
	deviceEnded = "both searches from the pivot have ended, with {have} vertices in {limit} rounds, and what they leave is begun"
	deviceTiles = "vertices stand with their neighbours: both searches from the pivot go tile by tile"
	deviceRest  = "the searches have ended, and what is left takes {have} µs so far, the host would take {limit} µs: it stays on the device"
	hostThin    = "the searches have found {have} vertices, fewer than {limit}, 64 for each round: the graph is thin, and the host finishes"
	hostFaster  = "what the searches have left takes {have} µs so far, longer than the host would take, {limit} µs: it finishes"
)

// account is that of a superstep of the device. A vertex is on a list, and has a
// component or a class; so has the end of an arc.
func (d *device) account(now status, handed bool) *pregel.Account {
	a := account(componentBytes, componentBytes, led{})
	a.Widths.Frontier = pregel.ListedFrontier
	found := [2]uint64{now.vertices(), now.rounds()}
	took := [2]uint64{uint64(d.rest.Microseconds()), uint64(d.onHost(now).Microseconds())}
	switch {
	case now.reached() && handed:
		a.Why = pregel.Choice{Rule: hostFaster, Have: took[0], Limit: took[1]}
	case now.reached() && d.rest == 0:
		a.Why = pregel.Choice{Rule: deviceEnded, Have: found[0], Limit: found[1]}
	case now.reached():
		a.Why = pregel.Choice{Rule: deviceRest, Have: took[0], Limit: took[1]}
	case handed:
		a.Why = pregel.Choice{Rule: hostThin, Have: found[0], Limit: thinRound * found[1]}
	case d.tiles != nil:
		a.Why.Rule = deviceTiles
	default:
		a.Why = pregel.Choice{Rule: deviceBoth, Have: found[0], Limit: found[1]}
	}
	return &a
}
