package superstep

// Rules that engines share, for pregel.Choice.
const (
	InPlace     = "what is relaxed is pushed"
	StrictPulls = "determinism is strict, and what is pulled is combined in an order that is the graph's alone"
	Asked       = "the job asks for it"
	SumsPull    = "every vertex sends to floating-point sums, which are cheaper without atomics"
)
