package pregel

// An Account is what a plain phase tells of itself for its record (Job.Detail), beside
// the arcs that it reads (Worker.Arcs) and the atomic operations that it does
// (Worker.Atomics). It changes nothing of what is done. Without one a record has
// neither bytes nor atomics, as nothing is known of them.
type Account struct {
	Widths Widths // of what the phase reads and writes at a vertex and along an arc
	Why    Choice // what led to this phase, or to its form; no Rule: there was no choice
	// Beside tells the bytes of Widths.Beside when the phase is done; nil: none.
	Beside func() uint64
}

// An Accounted task is a phase that may have an account.
type Accounted interface {
	Task
	// Account returns nil where there is none.
	Account() *Account
}

// A Choosing task tells why its last superstep was done as it was.
type Choosing interface {
	Chosen() Choice
}

// FrontierForm says where a program keeps who is awake, for an estimate of bytes.
type FrontierForm uint8

const (
	// RecordedFrontier is a list, or bits of all vertices, as StepRecord.List says.
	RecordedFrontier FrontierForm = iota
	// NoFrontier is that of a phase: it goes over all vertices.
	NoFrontier
	// ListedFrontier is lists always.
	ListedFrontier
)

// bytes is what it takes to write and to read the frontier of a superstep.
func (f FrontierForm) bytes(r StepRecord, n int) uint64 {
	switch {
	case f == NoFrontier:
		return 0
	case f == ListedFrontier || r.List:
		return 8 * r.Awake
	}
	return uint64(n) / 4
}
