package pregeltest

import (
	"slices"
	"testing"
)

func TestParsePart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]part{"1/1": {0, 1}, "3/8": {2, 8}, "8/8": {7, 8}} {
		if p, err := parsePart(text); err != nil || p != want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"0/8", "9/8", "3", "3/", "a/b", "-1/2", "3/8x", "1/0"} {
		if p, err := parsePart(text); err == nil {
			t.Errorf("%q: %v, want an error", text, p)
		}
	}
}

// Every trial is in exactly one part.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 5, 14, 39} {
		var got []int
		trials := make([]trial, n)
		for i := range trials {
			trials[i] = func(*env) { got = append(got, i) }
		}
		for index := range 14 {
			for _, try := range (&suite{T: t, part: part{index, 14}}).own(trials) {
				try(nil)
			}
		}
		if want := sequence(n); !slices.Equal(got, want) {
			t.Errorf("%d trials in 14 parts: %v", n, got)
		}
	}
}

func sequence(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
