package grade

import (
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// References: slow, plain, and made of a Drawing alone, with nothing of what runs a
// program.

// distances are the hops from the source, by a queue; graph.None is unreached. Most
// is the greatest that is reached.
func (d *Drawing) distances() (hops []uint32, most int) {
	hops = make([]uint32, d.N)
	for v := range hops {
		hops[v] = graph.None
	}
	hops[d.Source] = 0
	out := d.out()
	for queue := []uint32{d.Source}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		most = int(hops[u])
		for _, v := range out[u] {
			if hops[v] == graph.None {
				hops[v] = hops[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return hops, most
}

// upTo leaves out what is farther than so many hops.
func upTo(hops []uint32, most int) []uint32 {
	list := slices.Clone(hops)
	for v, h := range list {
		if h != graph.None && int(h) > most {
			list[v] = graph.None
		}
	}
	return list
}

// half is the least number of hops within which half of all vertices are; ok is false
// if so many cannot be reached.
func (d *Drawing) half() (hops int, ok bool) {
	list, most := d.distances()
	for h := range most + 1 {
		near := 0
		for _, x := range list {
			if x != graph.None && int(x) <= h {
				near++
			}
		}
		if 2*near >= d.N {
			return h, true
		}
	}
	return 0, false
}

func (d *Drawing) friends() []float64 {
	out, mean := d.out(), make([]float64, d.N)
	for v, sources := range d.in() {
		sum := 0
		for _, u := range sources {
			sum += len(out[u])
		}
		mean[v] = math.Inf(1)
		if len(sources) > 0 {
			mean[v] = float64(sum) / float64(len(sources))
		}
	}
	return mean
}

// famous goes from the most famous vertex on to all it reaches, then from the next.
// far is the longest way that word has to go.
func (d *Drawing) famous() (who []uint32, far int) {
	out, order := d.out(), make([]uint32, d.N)
	who = make([]uint32, d.N)
	for v := range order {
		order[v], who[v] = uint32(v), graph.None
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return len(out[b]) - len(out[a]) })
	for _, f := range order {
		if who[f] != graph.None {
			continue
		}
		who[f] = f
		for level, steps := []uint32{f}, 0; len(level) > 0; steps++ {
			far = max(far, steps)
			var next []uint32
			for _, u := range level {
				for _, v := range out[u] {
					if who[v] == graph.None {
						who[v] = f
						next = append(next, v)
					}
				}
			}
			level = next
		}
	}
	return who, far
}

// parents are the least in-neighbours that are one hop nearer.
func (d *Drawing) parents() []uint32 {
	hops, _ := d.distances()
	list := make([]uint32, d.N)
	for v, sources := range d.in() {
		list[v] = graph.None
		for _, u := range sources { // ascending
			if hops[v] != graph.None && hops[v] > 0 && hops[u] != graph.None && hops[u]+1 == hops[v] {
				list[v] = u
				break
			}
		}
	}
	return list
}

// arcsOf adds up the arcs out of the vertices that f chooses.
func (d *Drawing) arcsOf(f func(v uint32) bool) (sum uint64) {
	for v, targets := range d.out() {
		if f(uint32(v)) {
			sum += uint64(len(targets))
		}
	}
	return sum
}

// reading is how many arcs a breadth-first search has to read in all when every
// superstep pulls: those into vertices that are not reached yet, up to the first
// neighbour on the frontier if first is set, else all. Frontiers are those of
// supersteps 0 to last.
func (d *Drawing) reading(first bool, last int) (sum uint64) {
	hops, _ := d.distances()
	in := d.in()
	for s := range last + 1 {
		for v, sources := range in {
			if hops[v] != graph.None && int(hops[v]) <= s {
				continue
			}
			for _, u := range sources {
				sum++
				if first && hops[u] == uint32(s) {
					break
				}
			}
		}
	}
	return sum
}

// columns make a table to compare with.
func counts(name string, x []uint32) pregel.Column   { return pregel.Column{Name: name, Counts: x} }
func vertices(name string, x []uint32) pregel.Column { return pregel.Column{Name: name, Vertices: x} }
