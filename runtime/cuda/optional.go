package cuda

// What is made of a graph, or of a run, for speed alone (see slim.go) is planned too: it
// decides nothing, but says what a GPU with more room is good for. Sizes here are
// those that ranks.go, columns.go, weights.go and first.go allocate.

// OwnOrder is the name of what bringing values into the graph's own order takes (bring.go): the order, and of
// a run the values in it. Without it the host brings them, behind the device's clock.
const OwnOrder = "the graph's own order"

// An Optional is a form of the graph that a run makes where there is room for it
// beside all it needs, and where it pays: see Shape. Bytes that depend on more
// than the graph's size lie between Least and Most.
type Optional struct {
	Name        string
	Least, Most uint64
}

// The names of the optional forms.
const (
	inArcs         = "in-arcs"
	arcsByWeight   = "arcs sorted by weight"
	inArcsByWeight = "in-arcs sorted by weight"
	arcsByRank     = "targets by rank"
	arcsInColumns  = "arcs in columns"
	arcsByTile     = "arcs by tile"

	firstNeighbours = "first neighbours"

	valuesAhead  = "values of a superstep ahead" // of a run, not of the graph: ahead.go
	edgesInOrder = "edges in order"              // likewise: edges.go
)

// optional lists the forms that a run may make. What only the graph itself tells is taken
// to be so: that it has hubs, and, for paths, that distances have 32 bits.
func (s Shape) optional(k skew) []Optional {
	if s.Tiles && s.Order == "tiles" {
		return append(s.tiles(), s.brought()...)
	}
	if s.Relaxed {
		return s.swept()
	}
	if _, ok := own[s.Kernel]; !ok {
		list := s.orders(k)
		if s.Ahead {
			list = append(list, Optional{valuesAhead, s.values(), s.values()})
		}
		return append(list, s.brought()...)
	}
	arcs := s.csr().sum()
	switch {
	case (s.Kernel == "wcc" || s.Kernel == "scc") && s.Order == "degree":
		return append(s.firsts(), s.brought()...)
	case s.Kernel == "wcc" || s.Kernel == "scc":
		return s.brought()
	case s.Kernel == "sssp" && s.Order != "":
		return s.paths()
	case s.Kernel == "mst" && s.Order != "" && s.Weighted && !s.Directed:
		return append([]Optional{{arcsByWeight, arcs, arcs}}, s.edges()...)
	case s.Kernel == "mst":
		return s.edges()
	}
	return nil
}

// edges lists what putting a forest's edges in order takes, for each vertex, and for pieces of a list.
func (s Shape) edges() []Optional {
	if s.Vertices < EdgesFrom || s.Vertices > 1<<31 || s.Order != "" && !s.Brings {
		return nil
	}
	least, pieces := 32*s.Vertices, uint64(mostPieces*(16+8*sortThreads)+8)
	if s.Order != "" && s.Weighted && !s.Directed {
		least = 0 // of vertices without arcs nothing is kept then
	}
	list := []Optional{{edgesInOrder, least, 32*s.Vertices + 4 + pieces}}
	if s.Order != "" {
		list = append(list, Optional{OwnOrder, 8 * s.Vertices, 8 * s.Vertices})
	}
	return list
}

// swept lists the forms of an edge program that runs by sweeps.
func (s Shape) swept() (list []Optional) {
	if s.Order == "" || s.Both && s.Directed {
		return nil
	}
	arcs := s.csr().sum()
	if s.Directed && !s.InArcs {
		list = append(list, Optional{inArcs, arcs, arcs})
	}
	if s.Weighted && s.Weighs {
		name := arcsByWeight
		if s.Directed && !s.Against {
			name = inArcsByWeight
		}
		list = append(list, Optional{name, arcs, arcs + lightestMost(s.Vertices)})
	}
	return list
}

// paths lists the forms of shortest paths: of sweeps, where nothing holds them to an order, and of bringing
// the answer.
func (s Shape) paths() (list []Optional) {
	if s.Weighted && !s.Held {
		name, arcs := arcsByWeight, s.csr().sum()
		if s.Directed {
			name = inArcsByWeight
		}
		list = append(list, Optional{name, arcs, arcs + lightestMost(s.Vertices)})
	}
	return append(list, s.brought()...)
}

// brought lists what bringing values into the graph's own order takes.
func (s Shape) brought() []Optional {
	if s.Order == "" || !s.Brings {
		return nil
	}
	list := 4 * s.Vertices
	o := Optional{OwnOrder, list + s.values(), list + s.values()}
	if s.Classes {
		o.Least, o.Most = o.Least+openBytes(s.Vertices), o.Most+openBytes(s.Vertices)
	}
	if s.Names {
		o.Least += list
	}
	if s.Names || s.MayName {
		o.Most += list
	}
	return []Optional{o}
}

// tiles lists the forms of a program that runs tile by tile.
func (s Shape) tiles() (list []Optional) {
	least, most := s.byTile()
	if s.Kernel == "scc" { // one for each of its searches
		least, most = 2*least, 2*most
	}
	if s.Directed && !s.InArcs && s.Kernel != "scc" {
		arcs := s.csr().sum()
		list = append(list, Optional{inArcs, arcs, arcs})
	}
	return append(list, Optional{arcsByTile, least, most})
}

// byTile bounds the arcs by tile (tiles.go): all of them are in rows, or none.
func (s Shape) byTile() (least, most uint64) {
	row, arc := uint64(8), uint64(6)
	if s.Weighted && s.Weighs {
		row, arc = row+4*tileRow, arc+4
	}
	arcs := s.Arcs
	if s.Both && s.Directed {
		arcs *= 2
	}
	least = s.Vertices*row + (s.Vertices/tileSize+2)*8
	return least, least + arcs*arc + arcs/(tileRow+1)*12
}

// firsts lists the forms of a program that looks at first neighbours, in an order
// by degree, along both directions.
func (s Shape) firsts() (list []Optional) {
	first := firstBytes(s.Vertices)
	if s.Directed {
		first *= 2
		if !s.InArcs && s.Kernel != "scc" { // which needs them
			arcs := s.csr().sum()
			list = append(list, Optional{inArcs, arcs, arcs})
		}
	}
	return append(list, Optional{firstNeighbours, first, first})
}

// orders lists the forms in which all neighbours are heard well. In an order by
// degree the vertices of a directed graph stand by the arcs of both directions,
// and hardly ever by those of one, as columns have it.
func (s Shape) orders(k skew) []Optional {
	descends := s.Order == "degree" && !s.Directed
	switch {
	case s.Seeks && s.Order == "degree" && (!s.Directed || s.InArcs):
		first := firstBytes(s.Vertices)
		return []Optional{{firstNeighbours, first, first}}
	case !s.HearsAll || s.Vertices*4 < k.bytes:
		return nil
	case !descends:
		bytes := rankSizesOf(s.Vertices, s.Arcs).sum()
		return []Optional{{arcsByRank, bytes, bytes}}
	case s.Tallies && (s.Message == 4 || s.Message == 8):
		least, most := columnBounds(s.Vertices, s.Arcs, k.columnsMost(s.Vertices, s.Message))
		return []Optional{{arcsInColumns, least.sum(), most.sum()}}
	}
	return nil
}

// values is the size of the column of values.
func (s Shape) values() uint64 { return s.Vertices * uint64(s.Value) }

// csr are the sizes of one direction of the arcs.
func (s Shape) csr() csrSizes { return csrSizesOf(s.Vertices, s.Arcs, wideOffsets(s.Arcs), s.Weighted) }

// csrSizes are the bytes of a CSR's arrays.
type csrSizes struct{ offsets, targets, weights uint64 }

func csrSizesOf(vertices, arcs uint64, wide, weighted bool) csrSizes {
	c := csrSizes{offsets: (vertices + 1) * 4, targets: arcs * 4}
	if wide {
		c.offsets *= 2
	}
	if weighted {
		c.weights = arcs * 4
	}
	return c
}

func (c csrSizes) sum() uint64 { return c.offsets + c.targets + c.weights }

// rankSizes are the bytes of the arrays of ranks.
type rankSizes struct{ of, targets uint64 }

func rankSizesOf(vertices, arcs uint64) rankSizes { return rankSizes{vertices * 4, arcs * 4} }

func (r rankSizes) sum() uint64 { return r.of + r.targets }

// columnSizes are the bytes of the arrays of columns.
type columnSizes struct{ heard, first, chunk, rows uint64 }

func columnSizesOf(vertices, columns, chunks uint64) columnSizes {
	return columnSizes{(vertices + 31) / 32 * 4, (columns + 1) * 4, chunks * 16, chunks * 4}
}

func (c columnSizes) sum() uint64 { return c.heard + c.first + c.chunk + c.rows }

// columnBounds bound the columns of any graph of a size, of which any number may be
// narrow: every arc of a list that is cut is in a chunk, of chunkOf or alone; and the
// lists that are too short to be cut into so many columns have fewer than cutFrom for each vertex.
func columnBounds(vertices, arcs uint64, columns uint32) (least, most columnSizes) {
	cut := arcs - min(arcs, uint64(cutFrom(columns)-1)*vertices)
	least = columnSizesOf(vertices, 0, (cut+chunkOf-1)/chunkOf)
	return least, columnSizesOf(vertices, min(vertices, columnMost), arcs)
}

// sharedLeast is what shared memory a block has on any device.
const sharedLeast = 48 << 10

// columnsMost is how many columns there are at the most, for messages of some bytes.
func (k skew) columnsMost(vertices uint64, bytes int) uint32 {
	width := uint64(max(min(k.column, sharedLeast-1024)/bytes-columnAlign, 1))
	return uint32(min((vertices+width-1)/width, columnMost))
}
