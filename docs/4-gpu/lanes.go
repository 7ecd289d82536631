package gpu

// lanes says how many of the 32 lanes of a warp go through the arcs of a vertex side
// by side: 1, 2, 4, 8, 16 or 32; 0 for a vertex without arcs. A warp takes 32 / lanes
// vertices of the same number of lanes at a time, and is done when its slowest is:
// after ⌈degree / lanes⌉ steps of all 32 lanes.
//
// EXERCISE lanes: with one lane for every vertex, 31 lanes wait for one hub.
//   - At least half of all lanes that run must look at an arc, but for the last warp
//     of each kind.
//   - No warp takes more than ⌈degree / 32⌉ steps of the greatest degree.
func lanes(degree uint32) uint32 {
	if degree == 0 {
		return 0
	}
	return 1
}
