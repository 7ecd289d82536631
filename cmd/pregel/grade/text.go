package grade

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gopregel/cmd/pregel/job"
	"gopregel/programs"
)

// A Param is a parameter of a run on a hidden graph.
type Param struct{ Name, Text string }

// Params are those of a drawing that a program has.
func (d *Drawing) Params(list []programs.Entry, name string) (params []Param) {
	i := slices.IndexFunc(list, func(e programs.Entry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	fields, err := job.Describe(list[i].New())
	if err != nil {
		return nil
	}
	for _, f := range fields {
		switch f.Name {
		case "source":
			params = append(params, Param{f.Name, fmt.Sprint(d.Source)})
		case "hops":
			params = append(params, Param{f.Name, fmt.Sprint(d.Hops)})
		}
	}
	return params
}

// WriteText writes the report: a line a criterion, and what was missed.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d\n", r.Seed)
	for _, e := range r.Exercises {
		points := fmt.Sprintf("%d of %s", e.Points, plural(e.Of, "point"))
		if e.Of == 0 {
			points = "no points"
		}
		fmt.Fprintf(&b, "\n%s, %s: %s\n%s\n", e.Lesson, e.Exercise, points, e.Asks)
		out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, v := range e.Criteria {
			fmt.Fprintf(out, "  %s\t%s\t%s\n", v.Criterion, map[string]string{OK: "ok", Failed: "FAILED", Unseen: "-"}[v.Status], v.Says)
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if e.LeftOut != "" {
			fmt.Fprintf(&b, "  left out: %s\n", e.LeftOut)
		}
		for _, v := range e.Criteria {
			if v.Miss != nil {
				v.Miss.write(&b, v.Criterion)
			}
		}
	}
	fmt.Fprintf(&b, "\n%d of %s\n", r.Points, plural(r.Of, "point"))
	_, err := io.WriteString(w, b.String())
	return err
}

func (m *Miss) write(b *strings.Builder, criterion string) {
	fmt.Fprintf(b, "\n  %s\n", criterion)
	for _, line := range []struct{ name, text string }{
		{"on", m.On}, {"found", m.Found}, {"wanted", m.Wanted}, {"hint", m.Hint}, {"look", m.Look},
	} {
		if line.text != "" {
			fmt.Fprintf(b, "    %-6s  %s\n", line.name, strings.ReplaceAll(strings.TrimRight(line.text, "\n"), "\n", "\n            "))
		}
	}
}

// ShellWord writes a path as a shell wants it.
func ShellWord(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@+,") == "" && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
