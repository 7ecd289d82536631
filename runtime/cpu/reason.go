package cpu

import "fmt"

// A reason is the rule that has chosen a direction, and the two numbers that it
// compares.
type reason struct {
	rule
	have, limit uint64
}

type rule uint8

const (
	inPlace rule = iota
	strictPulls
	callsPulled
	callsPushed
	asked
	sumsPull
	noInArcs
	grows
	stillLarge
	smallAgain
	firstPushed
	firstPulled
	costPushed
	costPulled
)

// rules say what is compared, in words. %[1]d is what there is, %[2]d the limit.
var rules = [...]string{
	inPlace:     "what is relaxed is pushed",
	strictPulls: "determinism is strict, and what is pulled is combined in the order of its sources",
	callsPulled: "functions combine, which have no atomic form: one worker alone would push at a cost of %[1]d, pulling costs %[2]d (arcs and vertices)",
	callsPushed: "functions combine, and one worker alone pushes at a cost of %[1]d, below %[2]d (arcs and vertices), that of pulling",
	asked:       "the job asks for it",
	sumsPull:    "every vertex sends to floating-point sums, which are cheaper without atomics",
	noInArcs:    "pulling needs in-arcs, and pushing along %[1]d arcs has not yet cost what making them does, %[2]d",
	grows:       "the frontier still grows, to %[1]d vertices from %[2]d",
	stillLarge:  "the frontier has %[1]d vertices, above %[2]d, a share of 1/18 of all",
	smallAgain:  "the frontier shrinks and has %[1]d vertices, not above %[2]d, a share of 1/18 of all",
	firstPushed: "the frontier has %[1]d arcs, not above %[2]d, a share of 1/15 of those at vertices not done",
	firstPulled: "the frontier has %[1]d arcs, above %[2]d, a share of 1/15 of those at vertices not done",
	costPushed:  "pushing costs %[1]d, 3 for each arc of the frontier, not above %[2]d (arcs at vertices not done, and vertices), that of pulling",
	costPulled:  "pushing would cost %[1]d, 3 for each arc of the frontier, above %[2]d (arcs at vertices not done, and vertices), that of pulling",
}

func (r reason) String() string {
	switch text := rules[r.rule]; r.rule {
	case inPlace, strictPulls, asked, sumsPull:
		return text
	default:
		return fmt.Sprintf(text, r.have, r.limit)
	}
}
