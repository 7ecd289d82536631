package cuda

// How many columns are narrow, their offers in shared memory, and where wide ones
// begin (kernels/columns.cu). A chunk of a narrow column costs 20 bytes of memory and
// 8 places of shared memory, full or not; an arc of a wide one a sector of L2. By the
// prototype's rates (gpu/recipes.md, part 3: 105 million chunks in 780 µs, 7.5 million
// arcs in 60) that is about as much, 7 ps and 8, where a chunk has one or two arcs.
//
// What decides is who does it. Columns with few chunks lie in the shares of a few
// blocks, which fill their shared memory for each, and deliver from nearly each chunk,
// to a sector of its own; the shares count neither in full, and all wait for those
// blocks. Wide chunks are dealt out to all. So columns are wide where a block would go
// through too many for its share: with 22, all of Kronecker 24's, an iteration of
// PageRank took 1.295 ms, with 6, the first 96, 1.027 (kernels/TUNING.md).
const (
	shareColumns = 6 // of a block's share, at the most
	thinArcs     = 2 // for each chunk, on average: with more a column is narrow
)

// A list is cut if it has an arc for so many columns: of a shorter one most chunks would have a single arc,
// and each of them delivers by itself. Whoever is applied hears it then.
const (
	columnsAnArc = 24
	shortLeast   = 8  // arcs of a list that is cut
	shortMost    = 64 // arcs of a list that is, whatever columns there are
)

// cutFrom is from how many arcs on a list is cut into so many columns.
func cutFrom(columns uint32) uint32 { return min(max(columns/columnsAnArc, shortLeast), shortMost) }

// asPays stands for as many narrow columns as pay.
const asPays = ^uint32(0)

// of splits the columns of those below heard, a number of them narrow at the most.
func (s split) of(heard, narrow uint32) split {
	s.narrow = min(uint32((uint64(heard)+uint64(s.width)-1)/uint64(s.width)), narrow)
	rest := uint64(heard) - min(uint64(heard), uint64(s.narrow)*uint64(s.width))
	s.columns = s.narrow + uint32((rest+uint64(s.wide)-1)/uint64(s.wide))
	return s
}

// keep is how many columns are to be narrow, for a block on each of the processors,
// with their chunks by block of columns_count and their arcs if all are.
func (k skew) keep(processors int, table []uint32, arcs []uint64) uint32 {
	if k.narrow != asPays {
		return k.narrow
	}
	chunks, total := make([]uint64, len(arcs)), uint64(0)
	for i, x := range table {
		chunks[i/columnBlocks] += uint64(x)
		total += uint64(x)
	}
	narrow := len(arcs)
	for ; narrow > 0; narrow-- {
		c := narrow - 1
		if chunks[c]*shareColumns*uint64(processors) >= total || arcs[c] >= thinArcs*chunks[c] && arcs[c] > 0 {
			break
		}
	}
	return uint32(narrow)
}
