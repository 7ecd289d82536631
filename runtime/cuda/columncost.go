package cuda

// How many columns are narrow, their offers in shared memory, and where wide ones
// begin (kernels/columns.cu): what a column costs either way, by what it moves.

// Picoseconds of the whole device, for one of each. PLACEHOLDER
const (
	chunkCost = 7
	loadCost  = 23_000
	wideCost  = 9
)

const asPays = ^uint32(0)

// of splits the columns of those below heard, a number of them narrow at the most.
func (s split) of(heard, narrow uint32) split {
	s.narrow = min((heard+s.width-1)/s.width, narrow)
	rest := uint64(heard) - min(uint64(heard), uint64(s.narrow)*uint64(s.width))
	s.columns = s.narrow + uint32((rest+uint64(s.wide)-1)/uint64(s.wide))
	return s
}

// keep is how many columns are to be narrow, of so many chunks by block and so many
// arcs each if all are.
func (k skew) keep(table []uint32, arcs []uint64) uint32 {
	if k.narrow != asPays {
		return k.narrow
	}
	best, least, cost := len(arcs), int64(0), int64(0)
	for c := len(arcs) - 1; c >= 0; c-- {
		chunks := int64(0)
		for _, x := range table[c*columnBlocks:][:columnBlocks] {
			chunks += int64(x)
		}
		if cost += int64(arcs[c])*wideCost - chunks*chunkCost - loadCost; cost < least {
			best, least = c, cost
		}
	}
	return uint32(best)
}
