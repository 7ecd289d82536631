package cuda

// Rules of this engine, for pregel.Choice: layout.choose and pulls of
// kernels/step_loop.cuh.
const (
	talliesPull  = "the program adds to aggregators, which the device folds where every vertex pulls"
	cannotPull   = "pulling needs in-arcs, which are not made for this graph"
	firstPushed  = "the frontier has {have} arcs, not above {limit}, a share of 1/256 of all"
	firstPulled  = "the frontier has {have} arcs, above {limit}, a share of 1/256 of all"
	seekersPull  = "the frontier has {have} arcs, not above {limit}, a share of 1/256 of all, but those who are left to seek an awake neighbour are few"
	doublePushed = "pushing costs {have}, 2 for each arc of the frontier, not above {limit} (arcs and vertices), that of pulling"
	doublePulled = "pushing would cost {have}, 2 for each arc of the frontier, above {limit} (arcs and vertices), that of pulling"
)
