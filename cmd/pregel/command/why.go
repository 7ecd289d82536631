package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel/trace"
)

// A why prints the chain of messages that has led to a value.
type why struct {
	run   *trace.Run
	out   io.Writer
	all   bool
	top   int // contributions to a sum that are shown
	depth int // messages that are followed back; 0: to Init
}

func (a *app) whyCommand() *cobra.Command {
	w := why{out: a.out, top: 3}
	vertex, superstep := "", 0
	c := &cobra.Command{
		Use:   "why TRACE --vertex X",
		Short: "Shows the chain of messages that led to a vertex's value",
		Long: `Shows why a vertex has the value that it has, by a trace with values and messages
(trace: {path: t.jsonl, values: changed} in a job): the superstep that gave it the
value, the message that decided, what its sender was then, and so on, back to Init.

Where the least, the greatest or any message counts (min, max, any), there is one
for each superstep. To a sum all contribute: the greatest are shown, and the
greatest is followed back.`,
		Example: `  pregel why bfs.jsonl --vertex 27
  pregel why ranks.jsonl --vertex 34 --superstep 3 --all`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if vertex == "" {
				return input(errors.New("--vertex: missing, want the id of a vertex"))
			}
			var err error
			if w.run, err = readTrace(args[0]); err != nil && !truncated(err) {
				return input(err)
			} else if err != nil {
				a.tell("%v; this is why up to there", err)
			}
			if !c.Flags().Changed("superstep") {
				superstep = len(w.run.Steps) - 1
			}
			return input(w.explain(args[0], vertex, superstep))
		},
	}
	f := c.Flags()
	f.StringVar(&vertex, "vertex", "", "the `id` of the vertex")
	f.IntVar(&superstep, "superstep", 0, "explain the value at the end of this superstep; -1: after Init (default: the last)")
	f.BoolVar(&w.all, "all", false, "show all messages that contributed")
	f.IntVar(&w.depth, "depth", 12, "follow so many messages back; 0: to Init")
	return c
}

// readTrace reads a trace, whose name tells whether it is compressed.
func readTrace(path string) (*trace.Run, error) {
	in, err := output.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return trace.Read(path, in)
}

func truncated(err error) bool {
	var at *trace.Error
	return errors.As(err, &at) && at.Truncated
}

// explain finds the vertex and prints its chain.
func (w *why) explain(path, id string, superstep int) error {
	if last := len(w.run.Steps) - 1; superstep < -1 || superstep > last {
		return fmt.Errorf("--superstep: found %d, allowed: -1 to %d, those of %s", superstep, last, path)
	}
	v, ok := w.run.Find(id)
	if !ok {
		return fmt.Errorf("--vertex: %w", unknownVertex(w.run, id))
	}
	err := w.chain(v, superstep)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// unknownVertex names ids that are near.
func unknownVertex(r *trace.Run, id string) error {
	if near := r.Near(id); len(near) > 0 {
		return fmt.Errorf("there is no vertex %s; near it: %s", id, strings.Join(near, ", "))
	}
	return fmt.Errorf("there is no vertex %s of %d", id, r.Header.Graph.Vertices)
}

// chain follows the first message of each cause.
func (w *why) chain(v uint32, superstep int) error {
	c, err := w.run.Why(v, superstep)
	for depth := 0; ; depth++ {
		if c != nil {
			w.cause(c, strings.Repeat("  ", depth))
		}
		switch {
		case err != nil || c == nil:
			return err
		case len(c.Messages) == 0:
			return nil
		case w.depth > 0 && depth == w.depth:
			fmt.Fprintf(w.out, "%s… %s before that; --depth 0 follows them all\n", strings.Repeat("  ", depth+1), plural(c.Superstep+1, "superstep"))
			return nil
		}
		c, err = w.run.Next(c.Messages[0])
	}
}

// cause prints one link: the value, then the messages.
func (w *why) cause(c *trace.Cause, indent string) {
	r := w.run
	since := fmt.Sprintf("since superstep %d", c.Superstep)
	if c.Init {
		since = "since Init"
	}
	fmt.Fprintf(w.out, "%s%s has %s %s\n", indent, r.ID(c.Vertex), r.Text(c.Program, c.Value), since)
	if !c.Init && len(c.Messages) == 0 {
		fmt.Fprintf(w.out, "%s  without a message\n", indent)
	}
	shown := len(c.Messages)
	if !w.all {
		shown = min(shown, w.top)
	}
	for _, m := range c.Messages[:shown] {
		fmt.Fprintf(w.out, "%s  superstep %d: %s\n", indent, m.Superstep, w.message(c, m))
	}
	if rest := len(c.Messages) - shown; rest > 0 {
		fmt.Fprintf(w.out, "%s  … and %s less; --all shows them\n", indent, plural(rest, "message"))
	}
}

// counts says which part a message has in what is combined.
var counts = map[string]string{"min": "the least of %s", "max": "the greatest of %s", "any": "one of %s"}

// message prints who has sent what.
func (w *why) message(c *trace.Cause, m trace.Sent) string {
	r, p := w.run, c.Program
	text := fmt.Sprintf("%s sent %s", r.ID(m.From), r.MessageText(p, m.Message))
	if weight, ok := r.Weight(m.From, c.Vertex); ok {
		text += fmt.Sprintf(", by an arc of weight %g", weight)
	}
	if p == nil {
		return text
	}
	if words, ok := counts[p.Combine]; ok && c.Others > 0 {
		text += ", " + fmt.Sprintf(words, plural(c.Others+1, "message"))
	}
	if p.Combine == "sum" && len(c.Messages) > 1 {
		text += share(c, m)
	}
	return text
}

// share is a message's part of a sum of positive numbers.
func share(c *trace.Cause, m trace.Sent) string {
	sum := 0.0
	for _, s := range c.Messages {
		x, _ := trace.Number(s.Message)
		if x < 0 {
			return ""
		}
		sum += x
	}
	if x, _ := trace.Number(m.Message); sum > 0 {
		return fmt.Sprintf(", %.0f %% of %s", 100*x/sum, plural(len(c.Messages), "message"))
	}
	return ""
}
