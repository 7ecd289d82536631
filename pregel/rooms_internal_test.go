package pregel

import (
	"testing"

	"gopregel/pregel/graph"
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

// A run gives its own when it ends.
func TestRoomsAreGiven(t *testing.T) {
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	task := bindEdge[uint32, uint32](g, picky{}, nil)
	if err := task.Begin(2); err != nil {
		t.Fatal(err)
	}
	of := &task.rooms[0]
	task.end(Stop{Reason: Halted})
	if after := takeRooms(2); &after[0] != of {
		t.Error("the next run has others")
	}
}
