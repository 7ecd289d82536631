package trace

import (
	"errors"
	"fmt"
)

// This file reads columns that are said by less than a number a superstep.

// shortColumn is one of its forms.
type shortColumn struct {
	From uint64    `json:"from"`
	By   []int64   `json:"by"`
	Runs [][]int64 `json:"runs"`
	Sums []uint64  `json:"sums"`
}

// ramps reads runs of [supersteps, how much the first is above that before, how much
// each other].
func (u *unpacking) ramps(k int, list [][]int64) error {
	left, last := u.columns[k], uint64(0)
	for _, r := range list {
		if len(r) != 3 || r[0] < 1 || r[0] > int64(len(left)) {
			return fmt.Errorf("found run %d where %d supersteps are left, want [supersteps, by, by]", r, len(left))
		}
		fill(left[:r[0]], last+uint64(r[1]), uint64(r[2]))
		last, left = left[r[0]-1], left[r[0]:]
	}
	if len(left) > 0 {
		return fmt.Errorf("found runs of %d supersteps, want %d", u.records-len(left), u.records)
	}
	return nil
}

// sums reads nanoseconds of which supersteps that were timed together have one number.
func (u *unpacking) sums(list []uint64) error {
	if u.records < u.count {
		return errors.New("found sums, and groups of short supersteps")
	}
	want, from := 0, 0
	for _, r := range u.runs {
		n, k := r.end-from, max(u.shapes[r.shape].together, 1)
		if n%k != 0 {
			return fmt.Errorf("found sums, and %d supersteps of which %d were timed together", n, k)
		}
		want, from = want+n/k, r.end
	}
	if len(list) != want {
		return fmt.Errorf("found %d sums, want %d", len(list), want)
	}
	u.timed(list)
	return nil
}

// timed gives supersteps their nanoseconds.
func (u *unpacking) timed(sums []uint64) {
	left := u.columns[stepNanoseconds]
	from := 0
	for _, r := range u.runs {
		k := max(u.shapes[r.shape].together, 1)
		for ; from < r.end; from += k {
			part(left[:k], sums[0])
			left, sums = left[k:], sums[1:]
		}
	}
}
