package cuda

import (
	"errors"
	"math"
	"time"

	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// ranks number those who are heard along the arcs of a CSR, by how many hear
// them: see Ranks in kernels/step.cuh. Those with as many, but for a factor of 2,
// are in the order of their ids. They are nil where it does not pay.
type ranks struct {
	of, targets *driver.Buffer
}

// A skew is that from which on ranks and columns pay.
type skew struct {
	arcs   uint64 // of one vertex: the graph is taken to be skewed
	bytes  uint64 // of the offers, of 4 bytes: below, all lie in the caches anyhow
	column int    // bytes of a narrow column's offers, which a block has in shared memory
	wide   int    // bytes of a wide column's, which lie in the caches
	narrow uint32 // columns that are narrow, or asPays
	any    bool   // columns of a graph in any order
}

func usualSkew() skew {
	return skew{arcs: 1024, bytes: 1 << 20, column: 192_000, wide: 8 << 20, narrow: asPays}
}

// rank makes the ranks for hearing along receive who sends along send. Where the
// device has no room for them, there are none.
func (d *Graph) rank(send, receive *CSR) (*ranks, error) {
	if receive.ranks != nil {
		d.engine.uses(receive.ranks)
		return receive.ranks, nil
	}
	if d.without(arcsByRank) || uint64(d.N)*4 < d.engine.skew.bytes || d.descending() {
		return nil, nil
	}
	skewed, err := d.reaches(send, d.engine.skew.arcs)
	if err != nil || !skewed {
		return nil, err
	}
	r, begin := &ranks{}, time.Now()
	err = d.order(send, receive, r)
	var full *driver.OutOfMemory
	if err != nil {
		r.free(d.engine)
		if errors.As(err, &full) {
			return nil, nil
		}
		return nil, err
	}
	receive.ranks = r
	d.engine.made(arcsByRank, r, begin, r.of, r.targets)
	return r, nil
}

func (d *Graph) order(send, receive *CSR, r *ranks) (err error) {
	e, sizes := d.engine, rankSizesOf(uint64(d.N), receive.Arcs)
	if r.targets, err = e.alloc(sizes.targets, "targets by rank"); err != nil {
		return err
	}
	if r.of, err = e.alloc(sizes.of, "ranks of vertices"); err != nil {
		return err
	}
	if err := r.of.Fill(0, sizes.of, 0xff); err != nil {
		return err
	}
	first, err := d.number(send, r.of)
	if err != nil {
		return err
	}
	return d.sort(receive, r, first)
}

// number gives the vertices ranks, class by class: those with 2^k to 2^(k+1)-1
// arcs are one. It returns the first rank of each, and the number of ranks.
func (d *Graph) number(send *CSR, rank *driver.Buffer) (first []uint32, err error) {
	e := d.engine
	words := (uint64(d.N) + 31) / 32
	bits, err := e.alloc(words*4, "bits of vertices with many arcs")
	if err != nil {
		return nil, err
	}
	defer e.free(bits)
	first = []uint32{0}
	for most := uint64(math.MaxUint64); most > 0; {
		least := min(most/2+1, 1<<30)
		list, count, err := d.list(send, bits, words, least, most)
		base := first[len(first)-1]
		if err == nil && count > 0 {
			err = e.launchAll("graph", d.defines()[:1], []launch{{"graph_rank", blocks(int(count), 256), 256,
				driver.NewArgs().Buffer(list).Uint32(count).Uint32(base).Buffer(rank)}})
		}
		e.free(list)
		if err != nil {
			return nil, err
		}
		first = append(first, base+count)
		most = least - 1
	}
	return first, nil
}

// sort writes the targets by rank, those of a vertex in order of rank.
func (d *Graph) sort(receive *CSR, r *ranks, first []uint32) error {
	e := d.engine
	named, err := e.alloc(receive.Arcs*4, "targets by rank, unsorted")
	if err != nil {
		return err
	}
	defer e.free(named)
	classes, err := d.send(mem.Bytes(first), "ranks of classes")
	if err != nil {
		return err
	}
	defer e.free(classes)
	return e.launchAll("graph", d.defines()[:1], []launch{
		{"graph_relabel", blocks(int(min(receive.Arcs, math.MaxInt32)), 256), 256,
			driver.NewArgs().Buffer(receive.Targets).Uint64(receive.Arcs).Buffer(r.of).Buffer(named)},
		{"graph_sort", blocks(int(d.N), 8), 256,
			driver.NewArgs().Buffer(receive.Offsets).Uint32(d.N).Buffer(named).Buffer(classes).Uint32(uint32(len(first) - 1)).Buffer(r.targets)},
	})
}

func (r *ranks) free(e *Engine) {
	if r == nil {
		return
	}
	e.free(r.of)
	e.free(r.targets)
}
