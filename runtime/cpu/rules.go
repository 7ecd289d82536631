package cpu

// Rules of this engine alone, for pregel.Choice.
const (
	callsPulled = "functions combine, which have no atomic form: one worker alone would push at a cost of {have}, pulling costs {limit} (arcs and vertices)"
	callsPushed = "functions combine, and pushing would cost one worker alone {have}, below {limit} (arcs and vertices), that of pulling"
	noInArcs    = "pulling needs in-arcs, and pushing along {have} arcs has not yet cost what making them does, {limit}"
	grows       = "the frontier still grows, to {have} vertices from {limit}"
	stillLarge  = "the frontier has {have} vertices, above {limit}, a share of 1/18 of all"
	smallAgain  = "the frontier shrinks and has {have} vertices, not above {limit}, a share of 1/18 of all"
	firstPushed = "the frontier has {have} arcs, not above {limit}, a share of 1/15 of those at vertices not done"
	firstPulled = "the frontier has {have} arcs, above {limit}, a share of 1/15 of those at vertices not done"
	costPushed  = "pushing costs {have}, 3 for each arc of the frontier, not above {limit} (arcs at vertices not done, and vertices), that of pulling"
	costPulled  = "pushing would cost {have}, 3 for each arc of the frontier, above {limit} (arcs at vertices not done, and vertices), that of pulling"
)
