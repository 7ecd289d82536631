package graph

// A pocket is a free component next to the region that has just become full:
// the region has cut it off from the rest. Left alone it would become a region
// that does not fill a tile. Instead the region absorbs it and gives as many of
// its own vertices back, those that it took last: what it took first is
// connected without them, and of a pocket one vertex touches it. The vertices
// given back may leave pockets in their turn, so this is tried a few times.
//
// Cost: 4 searches for each region, of O(1) vertices for each that it has met.

const (
	pocketSize   = 128 // vertices of a pocket at most
	pocketRounds = 3
	pocketsSize  = TileSize / 2 // vertices of all pockets of a round at most
)

// findPockets looks at the free components next to the region, and tells
// whether pockets are among them.
func (t *tiler) findPockets() bool {
	t.walked, t.pockets, t.big = t.walked[:0], t.pockets[:0], t.big[:0]
	for _, v := range t.met {
		if x := t.vertices[v]; x.state != tileFree || x.inside == 0 {
			continue
		}
		from := len(t.walked)
		if t.walk(v) && len(t.walked) <= pocketsSize {
			t.pockets = append(t.pockets, len(t.walked))
			continue
		}
		for _, w := range t.walked[from:] {
			t.vertices[w].state = tileBig
		}
		t.big = append(t.big, t.walked[from:]...)
		t.walked = t.walked[:from]
	}
	for _, list := range [2][]uint32{t.walked, t.big} {
		for _, v := range list {
			t.vertices[v].state = tileFree
		}
	}
	return len(t.pockets) > 0
}

// walk appends the free component of v to walked, or a part of it where it
// returns false: that is too large.
func (t *tiler) walk(v uint32) bool {
	from := len(t.walked)
	t.vertices[v].state = tileSmall
	t.walked = append(t.walked, v)
	for i := from; i < len(t.walked); i++ {
		u := t.walked[i]
		if t.vertices[u].free == tileMany {
			return false
		}
		for _, v := range t.neighbors(u) {
			switch x := &t.vertices[v]; {
			case x.state == tileBig || x.state == tileFree && len(t.walked)-from == pocketSize:
				return false
			case x.state == tileFree:
				x.state = tileSmall
				t.walked = append(t.walked, v)
			}
		}
	}
	return true
}

// exchange gives vertices back and absorbs pockets in their place. The region
// then is to be filled up. It returns false where nothing more can be given
// back.
func (t *tiler) exchange() (more bool) {
	for range t.walked {
		if more = t.giveBack(); !more {
			break
		}
	}
	from := 0
	for _, to := range t.pockets {
		pocket := t.walked[from:to]
		from = to
		if t.size()+len(pocket) > TileSize || !t.touches(pocket) {
			continue
		}
		for _, v := range pocket {
			t.take(v, tileAbsorbed)
		}
		t.absorbed = append(t.absorbed, pocket...)
	}
	return more
}

// touches tells whether a vertex of the pocket has a neighbour in the region.
func (t *tiler) touches(pocket []uint32) bool {
	for _, v := range pocket {
		if t.vertices[v].inside > 0 {
			return true
		}
	}
	return false
}
