package check

// A Law is what a program has to keep.
type Law struct {
	Name   string
	Says   string
	Advice string // to whom breaks it
}

// The names of the laws.
const (
	runs          = "runs"
	identity      = "identity"
	commutative   = "commutative"
	associative   = "associative"
	exact         = "exact"
	idempotent    = "idempotent"
	closed        = "closed"
	many          = "many"
	weightless    = "weightless"
	pure          = "pure"
	superstep     = "superstep"
	order         = "order"
	settled       = "settled"
	priority      = "priority"
	relaxed       = "relaxed"
	signals       = "signals"
	anew          = "anew"
	absorbs       = "absorbs"
	finite        = "finite"
	certified     = "certified"
	deterministic = "deterministic"
)

// Laws lists the laws, in the order in which they are reported.
func Laws() []Law {
	return []Law{
		{runs, "ends without an error", "mend what the error names; a loop of sends ends when Apply wakes a vertex only for something new, or Compute votes to halt"},
		{identity, "combining with the identity changes nothing", "give the combiner the identity of its function: +Inf for a minimum, 0 for a sum"},
		{commutative, "a⊕b is b⊕a", "messages come in any order: let the function treat both alike, or collect them (pregel.Collector)"},
		{associative, "(a⊕b)⊕c is a⊕(b⊕c)", "messages are combined in any portions: let messages carry what a portion needs, as a sum and a count for a mean"},
		{exact, "a combiner that says Exact is associative to the last bit", "leave Exact false: sums of floats depend on their order in the last bits"},
		{idempotent, "a combiner that says Idempotent gives a⊕a = a", "leave Idempotent false"},
		{closed, "combining does not panic, and makes no NaN of numbers", "let the function take every message of its type"},
		{many, "a function of many does what that of one does", "let Many do for each what the function of one does, for any number of them, and change nothing else"},
		{weightless, "an edge operation that says Weightless makes the same of an offer whatever the weight", "leave Weightless false, or let the function not look at the weight"},
		{pure, "the same arguments give the same results, again and at the same time", "keep what changes in the value of the vertex or an aggregator, not in fields, globals, clocks or random numbers"},
		{superstep, "nothing is read that was written in the same superstep", "read only the vertex's own value and its messages: what others write goes through messages, or an aggregator's Last"},
		{order, "the answer does not depend on the order of the vertices", "let each vertex write its own places only; what several may write takes an atomic minimum, or a message"},
		{settled, "a settled vertex neither changes nor wakes", "let Settled be true only where Apply would return the value as it is, and false"},
		{priority, "the answer does not depend on the priorities", "let Apply take messages in any order, as a minimum does, or drop Priority"},
		{relaxed, "a Relaxer's values end alike whenever messages come", "drop Relaxes; go doc gopregel/pregel.Relaxer states the law"},
		{signals, "whose twin says Signals minds that a message came, not which", "leave Signals false, or let Apply not look at the message"},
		{anew, "whose twin says Anew makes values of messages, whatever they were", "leave Anew false, or let Apply not look at the value but for aggregators of change"},
		{absorbs, "an Absorber's Apply combines value and message and wakes whom that changes, and its Emit offers the value", "drop Absorbs; go doc gopregel/pregel.Absorber states the law"},
		{finite, "numbers stay numbers: no NaN, no Inf made of finite ones", "guard the division or the sum that makes it"},
		{certified, "the certificate accepts the answer", "mend the program, or its certificate"},
		{deterministic, "every engine gives the same answer", "compare two of them: pregel diff JOB --engines A,B"},
	}
}
