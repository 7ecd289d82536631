//go:build race

package mem

// spoil fills an array that nobody may read, so that who does is found out.
func spoil[T any](s []T) {
	b := Raw(s)
	for i := range b {
		b[i] = 0xa5
	}
}

// checkBlank panics if a bit is not a one: who takes the array relies on it.
func checkBlank[T any](s []T) {
	for _, b := range Raw(s) {
		if b != 0xff {
			panic("mem: GiveBlank of an array that is not blank")
		}
	}
}
