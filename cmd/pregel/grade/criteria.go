package grade

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/check"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A program is the grader of one: every criterion on every hidden graph.
type program struct {
	empty    bool // a graph without vertices, too
	more     []Drawing
	criteria []criterion
}

// A criterion is what a program is held to. Exactly one of miss, on a graph, and
// whole is set. Whether a run has ended by itself is a criterion of its own: those
// behind it may rely on that.
type criterion struct {
	name, says, hint string
	miss             func(ctx context.Context, t *trial) *Miss
	whole            func(ctx context.Context, x *exam) (*Miss, error)
}

func (p program) grade(ctx context.Context, x *exam) (list []Verdict, _ string, err error) {
	drawings := append(hidden(x.Seed, x.Graphs, p.empty), p.more...)
	trials := make([]*trial, len(drawings))
	for i := range drawings {
		if trials[i], err = x.trial(&drawings[i]); err != nil {
			return nil, "", err
		}
	}
	failed := false
	for _, c := range p.criteria {
		v := Verdict{Criterion: c.name, Status: Unseen, Says: c.says}
		if !failed {
			if v.Miss, err = x.look(ctx, c, trials); err != nil {
				return nil, "", err
			}
			v.Status = OK
		}
		if v.Miss != nil {
			v.Status, v.Miss.Hint, failed = Failed, c.hint, true
		}
		list = append(list, v)
	}
	return list, "", nil
}

// look finds the first graph that misses a criterion, and makes it smaller.
func (x *exam) look(ctx context.Context, c criterion, trials []*trial) (*Miss, error) {
	if c.whole != nil {
		return c.whole(ctx, x)
	}
	for _, t := range trials {
		t.begin(ctx)
		miss := c.miss(ctx, t)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if miss == nil {
			continue
		}
		small := t.shrink(func(d *Drawing) bool {
			s, err := x.trial(d)
			if err != nil || ctx.Err() != nil {
				return false
			}
			s.begin(ctx)
			if c.name != ends.name && !s.ended() {
				return false
			}
			found := c.miss(ctx, s)
			if found != nil {
				miss = found
			}
			return found != nil
		})
		miss.On = fmt.Sprintf("%s%s%s", &small, x.parameters(&small), miss.On)
		return miss, x.show(&small, miss)
	}
	return nil, nil
}

// show hands a counter-example over, and says how to walk through it.
func (x *exam) show(d *Drawing, m *Miss) (err error) {
	folder := "found"
	if x.Calls.Far {
		if folder, err = filepath.Abs(folder); err != nil {
			return err
		}
	}
	if x.Hidden == nil {
		m.Look = fmt.Sprintf("%s %s --seed %d --keep %s; %s step %s", x.Calls.Grade, x.name, x.Seed, ShellWord(folder),
			x.Calls.Course, ShellWord(filepath.Join(folder, x.name+".yaml")))
		return nil
	}
	path, err := x.Hidden(x.name, d)
	if x.Calls.Far && err == nil {
		path, err = filepath.Abs(path)
	}
	m.Look = x.Calls.Course + " step " + ShellWord(path)
	return err
}

// parameters writes those that the program has.
func (x *exam) parameters(d *Drawing) (text string) {
	for _, p := range d.Params(x.Programs, x.name) {
		text += fmt.Sprintf("; %s %s", p.Name, p.Text)
	}
	return text
}

// ends is the first criterion of all programs.
var ends = criterion{
	name: "ends", says: "it comes to its end by itself, without an error",
	hint: "who is still awake when nobody has anything new to say? Sleep, and wake nobody, unless there is something new",
	miss: func(_ context.Context, t *trial) *Miss {
		switch {
		case t.base.err != nil:
			return &Miss{Found: t.base.err.Error(), Wanted: "no error"}
		case t.base.answer.Stop.Reason == pregel.TimeLimit:
			return &Miss{Found: fmt.Sprintf("after %v it has done %s", t.time, plural(len(t.base.steps), "superstep")), Wanted: "an end"}
		case t.base.answer.Stop.Reason != pregel.Halted:
			return &Miss{Found: fmt.Sprintf("after %s it still goes on, with %d awake", plural(t.base.answer.Stop.Supersteps, "superstep"), t.base.left), Wanted: "an end"}
		}
		return nil
	},
}

// answers holds the answer to a reference.
func answers(hint string, want func(t *trial) []pregel.Column) criterion {
	return criterion{name: "answer", says: "it is right, by a slow and plain reference", hint: hint, miss: func(_ context.Context, t *trial) *Miss {
		return differ(&t.base.answer.Table, want(t))
	}}
}

// supersteps holds their number to a budget, which why explains.
func supersteps(says, hint string, most func(t *trial) (most int, why string)) criterion {
	return criterion{name: "supersteps", says: says, hint: hint, miss: func(_ context.Context, t *trial) *Miss {
		limit, why := most(t)
		if n := t.base.answer.Stop.Supersteps; n > limit {
			return &Miss{Found: plural(n, "superstep"), Wanted: fmt.Sprintf("at most %d: %s", limit, why)}
		}
		return nil
	}}
}

// messages holds their number to a budget; those of edge programs are pushed for it.
func messages(says, hint string, most func(t *trial) (uint64, string)) criterion {
	return criterion{name: "messages", says: says, hint: hint, miss: func(ctx context.Context, t *trial) *Miss {
		o := plain
		o.Direction = pregel.Push
		r := t.run(ctx, o)
		sum := uint64(0)
		for _, s := range r.steps {
			sum += s.Arcs
		}
		if limit, why := most(t); sum > limit {
			return &Miss{Found: plural(int(sum), "message"), Wanted: fmt.Sprintf("at most %d: %s", limit, why)}
		}
		return nil
	}}
}

// pulls holds what has to be read, if every superstep pulls, to a budget.
func pulls(says, hint string, most func(t *trial) (uint64, string)) criterion {
	return criterion{name: "reads", says: says, hint: hint, miss: func(_ context.Context, t *trial) *Miss {
		if limit, why := most(t); t.base.pulled > limit {
			return &Miss{Found: plural(int(t.base.pulled), "arc") + " to read", Wanted: fmt.Sprintf("at most %d: %s", limit, why)}
		}
		return nil
	}}
}

// same holds the answer to those of other numbers of workers and directions.
var same = criterion{
	name: "same", says: "1, 2 and 3 workers give the same answer, pushed and pulled",
	hint: "messages come in any order and in any portions: what does the program do that depends on it?",
	miss: func(ctx context.Context, t *trial) *Miss {
		for _, workers := range []int{1, 2, 3} {
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
				r := t.run(ctx, cpu.Options{Workers: workers, Direction: d, Schedule: pregel.BSP})
				on := fmt.Sprintf("; %s, direction %v", plural(workers, "worker"), d)
				if r.err != nil {
					return &Miss{On: on, Found: r.err.Error(), Wanted: "no error, as with 2 workers"}
				}
				if m := differ(&r.answer.Table, t.base.answer.Table.Columns); m != nil {
					m.On, m.Wanted = on, m.Wanted+", as with 2 workers and direction auto"
					return m
				}
			}
		}
		return nil
	},
}

// laws are those of package check.
var laws = criterion{
	name: "laws", says: "pregel check finds no broken law",
	whole: func(ctx context.Context, x *exam) (*Miss, error) {
		fresh := func(g *graph.Graph) (pregel.Algorithm, error) {
			t, err := x.trial(&Drawing{N: g.N(), Hops: 3})
			if err != nil {
				return nil, err
			}
			return t.algorithm()
		}
		s := check.Algorithm(x.name, fresh)
		s.Certify = nil
		report, err := check.Program(ctx, s, check.Options{Seed: x.Seed, Graphs: max(x.Graphs/2, 1), Engines: []check.Engine{
			{Name: "cpu:workers=1,direction=pull", Engine: cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull, Schedule: pregel.BSP})},
			{Name: "cpu:workers=3,direction=push", Engine: cpu.New(cpu.Options{Workers: 3, Direction: pregel.Push, Schedule: pregel.BSP}), Loose: true},
		}})
		if err != nil {
			return nil, err
		}
		broken := report.Broken()
		if len(broken) == 0 {
			return nil, nil
		}
		f := broken[0].Finding
		return &Miss{On: f.Graph, Found: f.Text, Wanted: fmt.Sprintf("the law %q: %s", broken[0].Law, broken[0].Says),
			Look: fmt.Sprintf("%s check %s --seed %d", x.Calls.Course, x.name, x.Seed)}, nil
	},
}

// hinted is a criterion with a hint of its own.
func (c criterion) hinted(hint string) criterion {
	c.hint = hint
	return c
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// has tells whether x is one of a list.
func has(x uint32, list ...uint32) bool { return slices.Contains(list, x) }
