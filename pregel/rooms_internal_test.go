package pregel

import (
	"testing"

	"gopregel/pregel/mem"
)

// What one run has done with is the next one's, of one worker or several.
func TestRoomsAreKept(t *testing.T) {
	for workers := 1; workers < 4; workers++ {
		before := takeRooms(workers)
		mem.Give(before)
		if after := takeRooms(workers); len(after) != workers || &after[0] != &before[0] {
			t.Errorf("%d workers have others than those that were given", workers)
		}
	}
}
