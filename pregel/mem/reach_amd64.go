//go:build !race

package mem

func reachRows(r *reaching, size int, alone bool) {
	switch {
	case size == 4 && alone:
		reachAlone4(r)
	case size == 4:
		reach4(r)
	case alone:
		reachAlone8(r)
	default:
		reach8(r)
	}
}

// reach4 and reach8 do rows with words of 4 or 8 bytes, by compare and swap.
//
//go:noescape
func reach4(r *reaching)

//go:noescape
func reach8(r *reaching)

// reachAlone4 and reachAlone8 do so where nobody else does.
//
//go:noescape
func reachAlone4(r *reaching)

//go:noescape
func reachAlone8(r *reaching)
