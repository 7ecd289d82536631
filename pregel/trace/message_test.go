package trace_test

import (
	"context"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/runtime/cpu"
)

// An invitation is a message of two vertices and a number.
type invitation struct {
	From, To uint32
	Round    uint32
}

// inviting sends invitations to the next vertex.
type inviting struct{}

func (inviting) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(ctx, j, inviting{})
	return table(r.Values, r.Stop), err
}

func (inviting) Present() pregel.Presentation {
	return pregel.Presentation{MessageVertices: []string{"from", "to"}}
}

func (inviting) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 0, v.ID == 0 }

func (inviting) Compute(c *pregel.Context[uint32, invitation], messages []invitation) {
	for _, m := range messages {
		c.Value = m.Round
	}
	if len(c.Neighbors()) > 0 {
		c.Send(c.ID+1, invitation{c.ID, c.ID + 1, 2})
	}
	c.VoteToHalt()
}

// Vertices in messages that are structs have the graph's ids.
func TestMessagesNameVertices(t *testing.T) {
	t.Parallel()
	ids, err := graph.NameIDs([]string{"Ann", "Bob", "Cy"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(t.Context(), ids, graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 2}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	run := recorded(t, g, inviting{}, cpu.Options{}, trace.All)
	c, err := run.Why(2, len(run.Steps)-1)
	if err != nil || len(c.Messages) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got, want := run.MessageText(c.Program, c.Messages[0].Message), "from Bob, to Cy, round 2"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
	if got, want := run.MessageText(nil, c.Messages[0].Message), "from 1, to 2, round 2"; got != want {
		t.Errorf("where nothing is declared it is %q, want %q", got, want)
	}
}
