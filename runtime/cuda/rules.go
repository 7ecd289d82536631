package cuda

// seekArcs is SEEK_ARCS in kernels/step_seek.cuh.
const seekArcs = 1 << 17

// Rules of this engine, for pregel.Choice: layout.choose and pulls of
// kernels/step_loop.cuh.
const (
	talliesPull  = "the program adds to aggregators, which the device folds where every vertex pulls"
	cannotPull   = "pulling needs in-arcs, which are not made for this graph"
	firstPushed  = "the frontier has {have} arcs, not above {limit}, a share of 1/64 of all"
	firstPulled  = "the frontier has {have} arcs, above {limit}, a share of 1/64 of all"
	seekersPull  = "those who are left to seek an awake neighbour have {have} arcs, not above {limit}"
	fusedPushed  = "{have} vertices have got a message, not above {limit}, a share of 1/8 of all, and few arcs: what they wake sends at once"
	doublePushed = "pushing costs {have}, 2 for each arc of the frontier, not above {limit} (arcs and vertices), that of pulling"
	doublePulled = "pushing would cost {have}, 2 for each arc of the frontier, above {limit} (arcs and vertices), that of pulling"
)
