//go:build !race

package mem

// Store writes *p while others may Load or Swap it. It orders nothing: what else
// the writer has written, a reader need not see yet, before a barrier. That is a
// plain store, as memory models call relaxed; sync/atomic has none, and its Store
// is an exchange on amd64, which takes 6 ns more (WCC's halving of paths: half of
// its time). Words are aligned, so that nobody sees half of one.
func Store[T Word](p *T, x T) { *p = x }
