//go:build !race

package bench

// Three arrays of triadLength numbers, 384 MiB, are more than caches hold.
const triadLength = 1 << 24
