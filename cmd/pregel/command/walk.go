package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gopregel/pregel/trace"
)

// A walk shows a run in memory, at the end of one superstep at a time.
type walk struct {
	run    *trace.Run
	in     *bufio.Scanner
	out    io.Writer
	at     int  // the superstep; -1: after Init
	prompt bool // somebody types
	quiz   *quiz
}

// A command of a walk takes the words behind its name.
type command struct {
	names []string
	words int // that it takes
	do    func(w *walk, words []string) error
}

var commands = []command{
	{[]string{"n", "next", ""}, 0, (*walk).forward},
	{[]string{"b", "back"}, 0, (*walk).back},
	{[]string{"g", "go"}, 1, (*walk).jump},
	{[]string{"v", "vertex"}, 1, (*walk).vertex},
	{[]string{"why"}, 1, (*walk).why},
	{[]string{"h", "help", "?"}, 0, (*walk).help},
}

const commandList = "n(ext), b(ack), g N, v X, why X, h(elp), q(uit)"

// loop takes commands until there are no more.
func (w *walk) loop() error {
	w.begin()
	for {
		line, ok := w.line("> ")
		words := strings.Fields(line)
		if len(words) == 0 {
			words = []string{""}
		}
		if !ok || slices.Contains([]string{"q", "quit"}, words[0]) {
			break
		}
		if err := w.command(words); err != nil {
			fmt.Fprintf(w.out, "%v\n", err)
		}
	}
	if w.quiz != nil {
		fmt.Fprintln(w.out, w.quiz)
	}
	return w.in.Err()
}

// line asks for a line.
func (w *walk) line(prompt string) (string, bool) {
	if w.prompt {
		fmt.Fprint(w.out, prompt)
	}
	ok := w.in.Scan()
	return w.in.Text(), ok
}

func (w *walk) command(words []string) error {
	for _, c := range commands {
		switch {
		case !slices.Contains(c.names, words[0]):
		case len(words)-1 != c.words:
			return fmt.Errorf("%s: found %s, want %d; commands: %s", words[0], plural(len(words)-1, "word"), c.words, commandList)
		default:
			return c.do(w, words[1:])
		}
	}
	return fmt.Errorf("there is no command %q; commands: %s", words[0], commandList)
}

func (w *walk) help([]string) error {
	_, err := fmt.Fprintln(w.out, "commands: "+commandList)
	return err
}

// begin introduces the run.
func (w *walk) begin() {
	h := &w.run.Header
	fmt.Fprintf(w.out, "%s on %s: %s, %s; %s\n", h.Program, h.Graph.Name, plural(h.Graph.Vertices, "vertex"), plural(h.Graph.Edges, "edge"),
		plural(len(w.run.Steps), "superstep"))
	for _, n := range w.run.Notes {
		fmt.Fprintf(w.out, "note (superstep %d): %s\n", n.Superstep, n.Text)
	}
	if w.prompt {
		fmt.Fprintln(w.out, "commands: "+commandList)
	}
	w.show()
}

func (w *walk) forward([]string) error {
	if w.at+1 >= len(w.run.Steps) {
		return fmt.Errorf("that was the last superstep: %s", w.end())
	}
	if w.quiz != nil {
		w.quiz.ask(w, w.at+1)
	}
	w.at++
	w.show()
	return nil
}

func (w *walk) back([]string) error {
	if w.at < 0 {
		return fmt.Errorf("this is the beginning")
	}
	w.at--
	w.show()
	return nil
}

func (w *walk) jump(words []string) error {
	n, err := strconv.Atoi(words[0])
	if last := len(w.run.Steps) - 1; err != nil || n < -1 || n > last {
		return fmt.Errorf("g: found %s, want a superstep from -1 to %d", words[0], last)
	}
	w.at = n
	w.show()
	return nil
}

// end says how the run ended.
func (w *walk) end() string {
	s := w.run.Stop
	switch {
	case s == nil:
		return "the trace ends here"
	case s.Error != "":
		return s.Reason + ": " + s.Error
	}
	return s.Reason
}

// show prints the superstep and what it has changed.
func (w *walk) show() {
	if w.at < 0 {
		fmt.Fprintln(w.out, "\nafter Init")
	} else {
		w.superstep(&w.run.Steps[w.at].Superstep)
	}
	w.changes()
	if x := w.run.ValuesAt(w.at); x != nil {
		fmt.Fprintf(w.out, "awake next: %s\n", w.ids(x.Awake))
	}
	if w.at == len(w.run.Steps)-1 {
		fmt.Fprintf(w.out, "the run ends: %s\n", w.end())
	}
}

// superstep prints its record.
func (w *walk) superstep(s *trace.Superstep) {
	fmt.Fprintf(w.out, "\nsuperstep %d of %d, %s", s.Superstep, len(w.run.Steps), s.Program)
	if s.Direction != "" {
		fmt.Fprintf(w.out, ", %s", s.Direction)
	}
	if s.Why != "" {
		fmt.Fprintf(w.out, " (%s)", s.Why)
	}
	fmt.Fprintf(w.out, "\n%s awake, %s looked at", count(s.Awake), plural(s.Arcs, "arc"))
	if s.Sent != nil {
		fmt.Fprintf(w.out, ", %s", plural(*s.Sent, "message"))
	}
	if s.Combined != nil {
		fmt.Fprintf(w.out, " to %s", plural(*s.Combined, "vertex"))
	}
	if m := s.Metric; m != nil {
		fmt.Fprintf(w.out, ", %s %.3g", m.Name, float64(m.Value))
	}
	fmt.Fprintln(w.out)
	if text := w.run.AggregateText(s); text != "" {
		fmt.Fprintf(w.out, "aggregates: %s\n", text)
	}
}

// Rows and ids that are shown at most.
const (
	mostRows = 20
	mostIDs  = 40
)

// changes prints the values that the superstep has changed.
func (w *walk) changes() {
	list := w.run.Changes(w.at)
	if w.run.ValuesAt(w.at) == nil {
		fmt.Fprintln(w.out, "no values are known")
		return
	}
	if w.at >= 0 {
		fmt.Fprintf(w.out, "%s changed\n", plural(len(list), "value"))
	}
	t := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	for _, v := range list[:min(len(list), mostRows)] {
		now, since, _ := w.run.At(w.at, v)
		before, then, ok := w.run.At(w.at-1, v)
		fmt.Fprintf(t, "  %s\t%s", w.run.ID(v), w.run.Text(w.run.ProgramOf(since), now))
		if ok && w.at >= 0 {
			fmt.Fprintf(t, "\twas %s", w.run.Text(w.run.ProgramOf(then), before))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // the screen; the loop ends with it
	if rest := len(list) - mostRows; rest > 0 {
		fmt.Fprintf(w.out, "  … and %d more\n", rest)
	}
}

// ids writes vertices.
func (w *walk) ids(list []uint32) string {
	if len(list) == 0 {
		return "nobody"
	}
	var words []string
	for _, v := range list[:min(len(list), mostIDs)] {
		words = append(words, w.run.ID(v))
	}
	if rest := len(list) - mostIDs; rest > 0 {
		words = append(words, fmt.Sprintf("… and %d more", rest))
	}
	return strings.Join(words, " ")
}

// find returns the vertex with an id.
func (w *walk) find(id string) (uint32, error) {
	if v, ok := w.run.Find(id); ok {
		return v, nil
	}
	return 0, unknownVertex(w.run, id)
}

// vertex prints the value of one, and its messages.
func (w *walk) vertex(words []string) error {
	v, err := w.find(words[0])
	if err != nil {
		return err
	}
	value, since, ok := w.run.At(w.at, v)
	if !ok {
		return fmt.Errorf("no value of %s is known", words[0])
	}
	p := w.run.ProgramOf(since)
	fmt.Fprintf(w.out, "%s has %s since %s\n", words[0], w.run.Text(p, value), map[bool]string{true: "Init", false: fmt.Sprintf("superstep %d", since)}[since < 0])
	if w.at < 0 {
		return nil
	}
	m := w.run.Steps[w.at].Messages
	if m == nil {
		fmt.Fprintln(w.out, "no messages are known of this superstep")
		return nil
	}
	w.messages("in ", m.To, m.From, m, v)
	w.messages("out", m.From, m.To, m, v)
	return nil
}

// messages prints those whose end is v.
func (w *walk) messages(name string, ends, others []uint32, m *trace.Messages, v uint32) {
	var list []string
	p := w.run.ProgramAt(w.at)
	for i, end := range ends {
		if end == v {
			list = append(list, fmt.Sprintf("%s: %s", w.run.ID(others[i]), w.run.MessageText(p, m.Message[i])))
		}
	}
	text := strings.Join(list[:min(len(list), mostRows)], ", ")
	switch rest := len(list) - mostRows; {
	case len(list) == 0:
		text = "none"
	case rest > 0:
		text += fmt.Sprintf(", … and %d more", rest)
	}
	fmt.Fprintf(w.out, "  messages %s  %s\n", name, text)
}

// why prints the chain of messages that led to a value.
func (w *walk) why(words []string) error {
	v, err := w.find(words[0])
	if err != nil {
		return err
	}
	chain := why{run: w.run, out: w.out, top: 3, depth: 12}
	return chain.chain(v, w.at)
}
