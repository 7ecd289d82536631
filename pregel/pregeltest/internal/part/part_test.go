package part_test

import (
	"slices"
	"testing"

	"gopregel/pregel/pregeltest/internal/part"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]part.Part{"1/1": {0, 1}, "3/8": {2, 8}, "8/8": {7, 8}} {
		if p, err := part.Parse(text); err != nil || p != want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"0/8", "9/8", "3", "3/", "a/b", "-1/2", "3/8x", "1/0"} {
		if p, err := part.Parse(text); err == nil {
			t.Errorf("%q: %v, want an error", text, p)
		}
	}
}

// Every element is in exactly one part.
func TestPartsAreTheWhole(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 5, 14, 39} {
		var got, want []int
		for i := range n {
			want = append(want, i)
		}
		for index := range 14 {
			got = append(got, part.Own(part.Part{Index: index, Of: 14}, want)...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d in 14 parts: %v", n, got)
		}
	}
}
