package scc

import "gopregel/pregel"

// Ways returns algorithms that go about every graph in one way each: as New chooses,
// by phases unless the graph is thin, and by districts of so many arcs.
func Ways(arcs uint64) map[string]pregel.Algorithm {
	return map[string]pregel.Algorithm{"chosen": New(), "phases": Phases(), "districts": &SCC{way: byDistricts, arcs: arcs}}
}

// Phases is that of Ways.
func Phases() pregel.Algorithm { return &SCC{way: byPhases} }
