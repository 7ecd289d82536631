package mst

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"gopregel/kernels"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// sorted finds the forest from lists in order of weight (kernels/mst_sorted.cu):
// a superstep is a round here too.
type sorted struct {
	*device
	launches map[string]sortedLaunch
	packed   bool // an edge is one number
}

type sortedLaunch struct {
	kernel *driver.Kernel
	blocks int
}

// The launches of round 0 and of the others.
var (
	sortedFirst = []string{"sorted_first", "sorted_settle"}
	sortedLater = []string{"sorted_find", "sorted_pieces", "sorted_tie", "sorted_hook", "sorted_walk", "sorted_relabel"}
)

const (
	sortedSide  = 4  // SIDE in kernels/mst_sorted.cuh
	roundWords  = 8  // struct Round there
	roundTally  = 4  // words before what a traced run counts
	mostRounds  = 64 // a round leaves half of the components that choose, at the most
	packedBits  = 63
	heaviestOf  = 1 << 12 // vertices that are looked at for one of many arcs
	sortedBlock = 256     // threads
)

// begin makes the buffers and compiles the kernels, for lists in order of weight.
func (d *sorted) begin(s *cuda.Session, c *cuda.CSR) error {
	host := s.Graph().Host
	out := host.Out()
	d.n = uint64(sort.Search(host.N(), func(v int) bool { return out.Offsets.At(uint32(v)) == out.Arcs() })) // no arcs from there on
	tuning := kernels.MSTSorted(kernels.Device{Processors: s.Info().Processors})
	o := orderOf(host, d.n)
	d.packed = o.packed()
	if err := d.compile(s, tuning); err != nil {
		return err
	}
	return d.arrange(s, c, tuning, o)
}

func (d *sorted) compile(s *cuda.Session, tuning kernels.Tuning) error {
	d.launches = make(map[string]sortedLaunch)
	packed := "PACKED=0"
	if d.packed {
		packed = "PACKED=1"
	}
	for _, entry := range slices.Concat(sortedFirst, sortedLater) {
		if entry == "sorted_tie" && d.packed {
			continue
		}
		k, err := s.Kernel("mst_sorted", entry, append(append(tuning.Defines(), packed), s.Tallies()...)...)
		if err != nil {
			return err
		}
		resident, err := s.Grid(k, sortedBlock, 0)
		if err != nil {
			return err
		}
		if entry != "sorted_pieces" {
			resident = int(min(uint64(resident), (d.n-1)/(sortedBlock*sortedSide)+1))
		}
		d.launches[entry] = sortedLaunch{k, resident}
	}
	return nil
}

// arrange makes the buffers and the argument of the kernels, struct Forest of
// kernels/mst_sorted.cuh: fields in the same order.
func (d *sorted) arrange(s *cuda.Session, c *cuda.CSR, tuning kernels.Tuning, o order) error {
	f := fields{s: s}
	hubs, pieces := tuning.Pieces(c.Arcs)
	hubs, pieces = max(hubs, 1), max(pieces, 1)
	offset := c.Offsets.Size() / (uint64(s.Graph().N) + 1)
	f.arcs(c)
	f.array(4*d.n, "mst components")
	f.array(4*d.n, "mst parents")
	f.array(offset*d.n, "mst cursors")
	f.array(8*d.n, "mst candidates")
	f.array(8*d.n, "mst least edges")
	if d.packed {
		f.address(nil)
	} else {
		f.array(4*d.n, "mst greater ends")
	}
	d.ends = f.array(8*d.n, "mst edges")
	d.weight = f.array(4*d.n, "mst weights of edges")
	for _, what := range []string{"mst list of vertices", "mst list of vertices", "mst list of components", "mst list of components"} {
		f.array(4*d.n, what)
	}
	f.array(4*hubs, "mst hubs")
	f.array(4*hubs, "mst pieces left of hubs")
	f.array(8*hubs, "mst searches of hubs")
	f.array(8*hubs, "mst finds of hubs")
	f.array(8*pieces, "mst pieces of lists")
	d.control = f.array(4*roundWords*mostRounds, "mst rounds")
	f.number(uint64(heaviest(s.Graph().Host.Out(), d.n))<<32 | d.n)
	f.number(uint64(o.varying)<<32 | uint64(o.bits))
	f.number(uint64(o.fixed))
	d.args = driver.NewArgs().Bytes(f.bytes).Uint32(0)
	return f.err
}

// superstep launches a round.
func (d *sorted) superstep(s *cuda.Session, round int) (cuda.Counts, error) {
	if round == 0 {
		if err := d.control.Fill(0, 4*roundWords*mostRounds, 0); err != nil {
			return cuda.Counts{}, err
		}
		n := uint64(s.Graph().N)
		c := cuda.Counts{Awake: n, Arcs: d.arcs, Next: n, Account: d.account(sortedLists)}
		if err := d.round(s, sortedFirst, 0); err != nil {
			return c, err
		}
		return c, d.tally(s, &c, 4*roundTally)
	}
	if err := d.round(s, sortedLater, round); err != nil {
		return cuda.Counts{}, err
	}
	var found [roundWords]uint32
	if err := s.ReadUint32s(d.control, uint64(4*roundWords*round), found[:]); err != nil {
		return cuda.Counts{}, err
	}
	c := cuda.Counts{Awake: uint64(found[0]), Next: uint64(found[1]), Account: d.account(sortedLists)}
	return c, d.tally(s, &c, uint64(4*(roundWords*round+roundTally)))
}

func (d *sorted) round(s *cuda.Session, entries []string, round int) error {
	d.args.SetUint32(1, uint32(round))
	for _, entry := range entries {
		l, ok := d.launches[entry]
		if !ok {
			continue
		}
		if err := s.Launch(l.kernel, l.blocks, sortedBlock, d.args); err != nil {
			return err
		}
	}
	return nil
}

// heaviest returns a vertex of many arcs: that of most among some.
func heaviest(c graph.CSR, n uint64) (best uint32) {
	for v := uint64(0); v < n; v += max(n/heaviestOf, 1) {
		if c.Degree(uint32(v)) > c.Degree(best) {
			best = uint32(v)
		}
	}
	return best
}

// order tells how an edge is made a number: bits of a vertex, and of weights, as
// numbers in their order, the bits in which some differ and those all have.
type order struct {
	bits           int
	varying, fixed uint32
}

// orderOf looks at the extremes of the weights: what numbers between two others
// differ in is below the first bit that those differ in.
func orderOf(g *graph.Graph, n uint64) order {
	r := g.WeightRange()
	o := order{bits: bits.Len64(n - 1), varying: math.MaxUint32}
	if r.NotFinite < g.Arcs() {
		return o
	}
	extremes := graph.Weights{Int: []int32{int32(r.Least), int32(r.Most)}}
	if g.Weighted() == graph.Float32 {
		extremes = graph.Weights{Float: []float32{float32(r.Least), float32(r.Most)}}
	}
	w := weightsOf(extremes)
	least, most := w.at(0), w.at(1)
	o.varying = 1<<bits.Len32(least^most) - 1
	o.fixed = least &^ o.varying
	return o
}

// packed tells whether an edge is one number: weight, lesser end, greater end.
func (o order) packed() bool { return 2*o.bits+bits.Len32(o.varying) <= packedBits }
