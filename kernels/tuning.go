package kernels

import "fmt"

// A Device is what the tables below need to know of a device.
type Device struct {
	Processors int // streaming multiprocessors
}

// Tuning is how one source is compiled and launched. All of it changes speed
// only, never a result.
type Tuning struct {
	Threads int // in a block
	Blocks  int // of a launch over all vertices; loops take what is more
	// A vertex of at most Lane arcs is looked after by one thread, of at most
	// Warp arcs by a warp; longer lists are cut into pieces of Warp arcs, each a
	// warp's.
	Lane, Warp int
}

// Defines returns what the source is compiled with.
func (t Tuning) Defines() []string {
	return []string{fmt.Sprintf("LANE_LIST=%d", t.Lane), fmt.Sprintf("WARP_LIST=%d", t.Warp)}
}

// Pieces bounds the number of lists longer than Warp, and that of their pieces,
// in a graph of so many arcs.
func (t Tuning) Pieces(arcs uint64) (lists, pieces uint64) {
	lists = arcs / uint64(t.Warp)
	return lists, arcs/uint64(t.Warp) + lists
}

// WCC is the tuning of wcc.cu. Measured on an H200 with a prototype: 8 blocks of
// 256 threads for each multiprocessor, all resident.
func WCC(d Device) Tuning {
	return Tuning{Threads: 256, Blocks: 8 * d.Processors, Lane: 16, Warp: 1024}
}

// MST is the tuning of mst.cu, whose lists are read whole.
func MST(d Device) Tuning {
	return Tuning{Threads: 256, Blocks: 8 * d.Processors, Lane: 32, Warp: 512}
}

// MSTSorted is the tuning of mst_sorted.cu: most of its lists are left at one of
// the first arcs.
func MSTSorted(d Device) Tuning {
	return Tuning{Threads: 256, Blocks: 8 * d.Processors, Lane: 8, Warp: 512}
}

// BlocksFor returns the blocks of a launch over n items.
func (t Tuning) BlocksFor(n uint64) int {
	return int(min(uint64(t.Blocks), max(1, (n+uint64(t.Threads)-1)/uint64(t.Threads))))
}
