package command

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/programs"
)

// rot has values that become NaN, in a program or in a column of its own; or a
// phase that panics.
type rot struct {
	Own   bool `param:"own" doc:"the column has it, no program"`
	Phase bool `param:"phase" doc:"a phase panics"`
	spin  chan struct{}
}

func (r *rot) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if r.Phase {
		_, err := j.Phase(ctx, "sum", func(uint32, uint32, *pregel.Worker) { panic("deliberate") })
		return nil, err
	}
	result, err := pregel.RunEdge(ctx, j, rotting{r})
	if r.Own {
		result.Values[1] = math.NaN()
	}
	return &pregel.Answer{Stop: result.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: result.Values}}}}, err
}

type rotting struct{ *rot }

func (rotting) Name() string { return "rot" }
func (rotting) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Silent: true}
}
func (rotting) Init(pregel.Vertex[float64]) (float64, bool) { return 1, true }
func (rotting) Emit(v pregel.Vertex[float64]) float64       { return v.Value }
func (r rotting) Apply(v pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	if r.spin != nil && v.ID == 1 {
		<-r.spin
	}
	if !r.Own && v.Superstep == 2 && v.ID == 1 {
		return math.Inf(1) - math.Inf(1), true
	}
	return sum, v.Superstep < 4
}

// A superstep that does not end, with a limit of time, ends the process with an
// error that names it.
func TestStuckProcess(t *testing.T) {
	t.Parallel()
	// Where others have the machine, superstep 0 comes to its vertex 1 later than the
	// limit: the next try has more.
	for limit := 200 * time.Millisecond; ; limit *= 4 {
		ended, code, said := stuckFor(t, limit)
		want := regexp.MustCompile(fmt.Sprintf(`(?m)^pregel: program rot, superstep 0, vertex 1: still under way after [0-9.]+m?s, limits\.time being %v; nothing is written$`, limit))
		if code == exitLimit && ended == exitError && want.MatchString(said) && strings.Contains(said, "limits_test.go") {
			return
		}
		if t.Logf("%v: exit codes %d and %d, want %d and %d\n%s", limit, ended, code, exitError, exitLimit, said); limit > 10*time.Second {
			t.Fatal("it is not told so")
		}
	}
}

// stuckFor runs a job that is stuck at vertex 1; ended is the exit code of who found
// that.
func stuckFor(t *testing.T, limit time.Duration) (ended, code int, said string) {
	spin := make(chan struct{})
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs, grace: limit / 2,
		in:       strings.NewReader(fmt.Sprintf("{program: rot, graph: {generate: {kind: path, n: 3}}, engine: {device: cpu}, limits: {time: %v}}", limit)),
		programs: []programs.Entry{{Name: "rot", Doc: "is stuck", New: func() pregel.Algorithm { return &rot{spin: spin} }}},
		exit: func(code int) { // lets the program go on, as a test cannot end the process
			ended = code
			close(spin)
		}}
	code = a.execute(t.Context(), []string{"run", "-"})
	return ended, code, errs.String()
}
