//go:build !race

package mem

import "testing"

// Pointers are not stored behind the garbage collector's back.
func TestFillLeavesPointers(t *testing.T) {
	type boxed struct{ p *int }
	x := new(int)
	for name, done := range map[string]int{
		"pointers":  fill(make([]*int, fillFrom), x),
		"structs":   fill(make([]boxed, fillFrom), boxed{x}),
		"functions": fill(make([]func(), fillFrom), func() {}),
	} {
		if done != 0 {
			t.Errorf("%d %s were stored as numbers", done, name)
		}
	}
	if done := fill(make([]uint32, fillFrom), 1); done != fillFrom {
		t.Errorf("%d of %d numbers were stored", done, fillFrom)
	}
}
