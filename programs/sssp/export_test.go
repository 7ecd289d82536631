package sssp

// Shared is a, whose buckets several workers share however small the graph is.
func Shared(a *SSSP) *SSSP {
	b := *a
	b.shared = true
	return &b
}
