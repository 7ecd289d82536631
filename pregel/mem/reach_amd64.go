//go:build !race

package mem

func reachRows(r *reaching, size int, narrow, alone bool) {
	switch {
	case narrow && size == 4 && alone:
		reachNarrowAlone4(r)
	case narrow && size == 4:
		reachNarrow4(r)
	case narrow && alone:
		reachNarrowAlone8(r)
	case narrow:
		reachNarrow8(r)
	case size == 4 && alone:
		reachWideAlone4(r)
	case size == 4:
		reachWide4(r)
	case alone:
		reachWideAlone8(r)
	default:
		reachWide8(r)
	}
}

// These do rows with words of 4 or 8 bytes, by compare and swap, and Alone where nobody else
// does, along arcs with narrow or with wide offsets.
//
//go:noescape
func reachNarrow4(r *reaching)

//go:noescape
func reachNarrow8(r *reaching)

//go:noescape
func reachNarrowAlone4(r *reaching)

//go:noescape
func reachNarrowAlone8(r *reaching)

//go:noescape
func reachWide4(r *reaching)

//go:noescape
func reachWide8(r *reaching)

//go:noescape
func reachWideAlone4(r *reaching)

//go:noescape
func reachWideAlone8(r *reaching)
