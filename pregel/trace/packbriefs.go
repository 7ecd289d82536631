package trace

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"gopregel/pregel"
)

// This file writes and reads short supersteps in lines of many (FORMAT.md). They are
// written as they were collected: a number in decimals takes longer to write than its
// part of such a superstep does to be done.

// packedLaw is a law as it is read.
type packedLaw struct {
	Each   uint64 `json:"each"`
	Pushed bool   `json:"pushed"`
	Share  uint64 `json:"share"`
	Plus   uint64 `json:"plus"`
	Least  uint64 `json:"least"`
}

func appendLaw(to []byte, l *pregel.Law) []byte {
	to = strconv.AppendUint(append(to, `{"each":`...), l.Each, 10)
	to = strconv.AppendBool(append(to, `,"pushed":`...), l.Pushed)
	to = strconv.AppendUint(append(to, `,"share":`...), l.Share, 10)
	to = strconv.AppendUint(append(to, `,"plus":`...), l.Plus, 10)
	to = strconv.AppendUint(append(to, `,"least":`...), l.Least, 10)
	return append(to, '}')
}

// briefBytes has one, in the order of its fields.
const briefBytes = 4

// appendBriefs writes those of a line.
func (b *steps) appendBriefs(to []byte) []byte {
	if len(b.briefs.list) == 0 {
		return to
	}
	to = append(to, `,"starts":[`...)
	for i, s := range b.briefs.starts {
		to = appendNumbers(appendComma(to, i), []uint64{s.left, s.pushed, s.next})
	}
	to = append(to, `],"groups":[`...)
	for i, g := range b.briefs.groups {
		to = appendNumbers(appendComma(to, i), []uint64{uint64(g.n), uint64(g.took)})
	}
	to = append(to, `],"briefs":"`...)
	return append(appendList64(to, b.briefs.list), '"')
}

// appendList64 writes a list in base 64.
func appendList64(to []byte, list []pregel.Brief) []byte {
	const some = 3 * 64 // no rest is left of so many but the last
	var raw [some * briefBytes]byte
	for part := range slices.Chunk(list, some) {
		for i, s := range part {
			*(*[briefBytes]byte)(raw[briefBytes*i:]) = [briefBytes]byte{s.Awake, s.Arcs, s.Done, s.Times}
		}
		to = base64.StdEncoding.AppendEncode(to, raw[:briefBytes*len(part)])
	}
	return to
}

// brief reads the short supersteps of a line, whose runs are known.
func (p *packed) brief(b *steps) error {
	if len(p.Briefs)%briefBytes != 0 || len(p.Groups)%2 != 0 || len(p.Starts)%3 != 0 {
		return errors.New("briefs, groups or starts: found a part of one")
	}
	for s := range slices.Chunk(p.Briefs, briefBytes) {
		b.briefs.list = append(b.briefs.list, pregel.Brief{Awake: s[0], Arcs: s[1], Done: s[2], Times: s[3]})
	}
	for g := range slices.Chunk(p.Groups, 2) {
		if g[0] < 1 || g[0] > mostPacked || g[1] > math.MaxInt64 {
			return fmt.Errorf("groups: found %d supersteps in %d nanoseconds, want 1 to %d in %d at most", g[0], g[1], mostPacked, math.MaxInt64)
		}
		b.briefs.groups = append(b.briefs.groups, group{uint32(g[0]), time.Duration(g[1])})
	}
	for s := range slices.Chunk(p.Starts, 3) {
		b.briefs.starts = append(b.briefs.starts, start{s[0], s[1], s[2]})
	}
	return b.fits()
}

// fits checks that there are as many short supersteps as the runs of them have.
func (b *steps) fits() error {
	list, groups, starts, from := b.briefs.list, b.briefs.groups, b.briefs.starts, 0
	for _, r := range b.runs {
		n := r.end - from
		if from = r.end; !b.shapes[r.shape].brief {
			continue
		}
		var err [2]error
		list, err[0] = taken("briefs", list, n, func(s pregel.Brief) int { return int(s.Times) })
		groups, err[1] = taken("groups", groups, n, func(g group) int { return int(g.n) })
		if err := errors.Join(err[:]...); err != nil {
			return err
		}
		if len(starts) == 0 {
			return errors.New("starts: found fewer than runs of short supersteps")
		}
		starts = starts[1:]
	}
	if len(list) > 0 || len(groups) > 0 || len(starts) > 0 {
		return fmt.Errorf("found %d briefs, %d groups and %d starts more than runs of short supersteps have", len(list), len(groups), len(starts))
	}
	return nil
}

// taken is what is left of a list after those for so many supersteps.
func taken[T any](name string, list []T, supersteps int, of func(T) int) ([]T, error) {
	left := supersteps
	for left > 0 && len(list) > 0 {
		n := of(list[0])
		if n < 1 || n > left {
			return nil, fmt.Errorf("%s: found one of %d supersteps where %d of a run are left", name, n, left)
		}
		left, list = left-n, list[1:]
	}
	if left > 0 {
		return nil, fmt.Errorf("%s: found %d supersteps of a run, want %d", name, supersteps-left, supersteps)
	}
	return list, nil
}
