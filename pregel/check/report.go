package check

import (
	"fmt"
	"strings"
)

// A Report is the outcome for each law.
type Report struct {
	Program string    `json:"program"`
	Seed    uint64    `json:"seed"`
	Graphs  int       `json:"graphs"`
	Refused int       `json:"refused"` // graphs that the program does not take
	Laws    []Verdict `json:"laws"`
}

// A Verdict is what was found of a law.
type Verdict struct {
	Law     string   `json:"law"`
	Status  string   `json:"status"` // ok, broken, or none: nothing there to check
	Says    string   `json:"says"`
	Why     string   `json:"why,omitempty"` // why there is nothing
	Finding *Finding `json:"finding,omitempty"`
	Advice  string   `json:"advice,omitempty"`
}

// The statuses of a law.
const (
	OK     = "ok"
	Broken = "broken"
	None   = "none"
)

// Broken returns the verdicts on broken laws.
func (r *Report) Broken() (list []Verdict) {
	for _, v := range r.Laws {
		if v.Status == Broken {
			list = append(list, v)
		}
	}
	return list
}

// Text tells of a broken law: the counter-example, where it is, what to do.
func (v Verdict) Text() string {
	f := v.Finding
	if f == nil {
		return fmt.Sprintf("%s: %s", v.Law, v.Status)
	}
	var where []string
	if f.Program != "" {
		where = append(where, "program "+f.Program)
	}
	if f.Superstep != nil {
		where = append(where, when(*f.Superstep))
	}
	if f.Vertex != nil {
		where = append(where, fmt.Sprintf("vertex %d", *f.Vertex))
	}
	lines := []string{fmt.Sprintf("%s: broken (%s)", v.Law, v.Says)}
	if len(where) > 0 {
		lines = append(lines, "  where  "+strings.Join(where, ", "))
	}
	lines = append(lines, "  found  "+f.Text)
	if f.Graph != "" {
		lines = append(lines, "  on     "+f.Graph)
	}
	return strings.Join(append(lines, "  do     "+v.todo()), "\n")
}

// todo is the advice, which is another where the combiner is to blame.
func (v Verdict) todo() string {
	switch laws := v.Finding.Follows; {
	case laws == "":
		return v.Advice
	case v.Law == superstep || v.Law == order:
		return "mend the combiner (" + laws + "), of which this follows: with the messages in the order of their senders it does not happen"
	default:
		return "mend the combiner first (" + laws + "), of which this may follow: engines combine messages in any portions"
	}
}

// absent are the reasons for which there is nothing to check, until there is.
func absent(s Subject) map[string]string {
	const noCombiner = "it combines no messages by a function and has no aggregators"
	list := map[string]string{identity: noCombiner, commutative: noCombiner, associative: noCombiner, closed: noCombiner,
		many: "no combiner or edge operation has a Many", weightless: "no edge operation says Weightless, on a graph with weights", exact: "no combiner says Exact", idempotent: "no combiner says Idempotent",
		pure: "it is made of phases alone", superstep: "it is made of phases alone", finite: "it is made of phases alone",
		settled: "it is no Settler", priority: "it is no Prioritizer", relaxed: "it is no Relaxer", signals: "no twin of it says Signals", anew: "no twin of it says Anew", absorbs: "it is no Absorber, or one of values that are no words",
		certified: "it has no certificate", deterministic: "no engine was given",
	}
	if s.Device {
		for _, l := range Laws() {
			list[l.Name] = "it has a form for a GPU only"
		}
	}
	return list
}

// present notes what there is to check.
func (x *exam) present(r *record) {
	has := map[string]bool{settled: r.settles, priority: r.waits, relaxed: r.relaxes, signals: r.signals, anew: r.anew, many: r.many, weightless: r.weightless, absorbs: r.absorbs,
		pure: r.programs, superstep: r.programs, finite: r.programs,
		certified: x.subject.Certify != nil, deterministic: len(x.options.Engines) > 0}
	for _, c := range r.laws {
		has[many] = has[many] || c.Many != nil
		if c.Func != nil {
			has[identity], has[commutative], has[associative], has[closed] = true, true, true, true
			has[exact], has[idempotent] = has[exact] || c.Exact, has[idempotent] || c.Idempotent
		}
	}
	for law, there := range has {
		if there {
			delete(x.none, law)
		}
	}
}

func (x *exam) verdict(l Law) Verdict {
	v := Verdict{Law: l.Name, Status: OK, Says: l.Says}
	f, broken := x.found[l.Name]
	why, none := x.none[l.Name]
	switch {
	case broken:
		v.Status, v.Finding, v.Advice = Broken, &f, l.Advice
	case !x.ended:
		v.Status, v.Why = None, "no run came to its end"
	case none:
		v.Status, v.Why = None, why
	}
	return v
}
