package grade

import (
	"context"
	"fmt"
	"path/filepath"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
)

// kernel is the grader of an edge program in CUDA C: on a GPU it is held to the same as
// within; without one nothing but that its job is in order can be seen.
type kernel struct{}

var kernelAnswer = criterion{
	name: "answer", says: "on the GPU it is right, by a slow and plain reference",
	hint: "what Apply does in within.go, with awake in place of the second result",
	miss: func(_ context.Context, t *trial) *Miss {
		h, _ := t.distances()
		return differ(&t.base.answer.Table, []pregel.Column{counts("hops", upTo(h, t.Hops))})
	},
}

var kernelSteps = supersteps("at most as many supersteps as hops, and D+1", "who is p.hops away has nobody to tell", func(t *trial) (int, string) {
	_, most := t.distances()
	return t.goes(), fmt.Sprintf("%d hops are allowed, and D is %d", t.Hops, most)
})

// kernelGraphs are enough for one function.
const kernelGraphs = 10

func (kernel) grade(ctx context.Context, x *exam) (list []Verdict, leftOut string, err error) {
	path := filepath.Join(x.Folder, x.lesson, "reach.yaml")
	v := Verdict{Criterion: "job", Status: OK, Says: "reach.yaml and reach.cu are in order"}
	j, err := job.Read(path, nil, job.Options{Programs: x.Programs})
	if err != nil {
		v.Status, v.Miss = Failed, &Miss{Found: err.Error(), Wanted: "a job that can be run", Hint: "the error names the file and the line"}
		return []Verdict{v}, "", nil
	}
	list = append(list, v)
	engine, done, err := x.Open(j)
	if err != nil {
		return list, err.Error(), nil
	}
	defer done()
	failed := false
	for _, c := range []criterion{ends, kernelAnswer, kernelSteps} {
		v := Verdict{Criterion: c.name, Status: Unseen, Says: c.says}
		if !failed {
			v.Status, v.Miss = OK, x.onDevice(ctx, j, engine, c)
		}
		if v.Miss != nil {
			v.Status, v.Miss.Hint, failed = Failed, c.hint, true
		}
		list = append(list, v)
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
	}
	return list, "", nil
}

// onDevice looks at a criterion on hidden graphs, whose first miss is not made smaller:
// fixed graphs come first, and are small.
func (x *exam) onDevice(ctx context.Context, j *job.Job, engine pregel.Engine, c criterion) *Miss {
	for _, d := range hidden(x.Seed, min(x.Graphs, kernelGraphs), false) {
		t := &trial{Drawing: &d, g: d.Build(), limit: 2*d.N + 20}
		t.base = t.onDevice(ctx, j, engine)
		if m := c.miss(ctx, t); m != nil {
			m.On = fmt.Sprintf("%s; source %d; hops %d", &d, d.Source, d.Hops)
			return m
		}
	}
	return nil
}

func (t *trial) onDevice(ctx context.Context, j *job.Job, engine pregel.Engine) *run {
	r := &run{}
	values := map[string]string{"source": fmt.Sprint(t.Source), "hops": fmt.Sprint(t.Hops)}
	params := j.Params()
	for i := range params {
		if text, ok := values[params[i].Name]; ok && r.err == nil {
			r.err = params[i].Set(text)
		}
	}
	var a pregel.Algorithm
	if r.err == nil {
		a, r.err = j.Fresh()
	}
	if r.err == nil {
		r.answer, r.err = a.Run(ctx, &pregel.Job{Graph: t.g, Engine: engine, MaxSupersteps: t.limit, Batch: 16,
			Observe: func(s pregel.StepRecord) { r.steps, r.left = append(r.steps, s), s.Next }})
	}
	return r
}
