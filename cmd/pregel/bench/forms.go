package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"

	"gopregel/cmd/pregel/energy"
	"gopregel/programs"
)

// A Form is what an engine makes of a graph for speed alone, beside its order: lists sorted by weight,
// arcs in columns.
type Form struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"` // that making it took
	Bytes   uint64  `json:"bytes"`   // of the device's memory
}

// A FormMaker is an engine whose forms can be left out.
type FormMaker interface {
	// Forms returns those that the last task has used.
	Forms() []Form
	// LeaveOut gives up all forms, and has those of these names not made in the tasks that
	// follow.
	LeaveOut(names ...string) error
}

// leaveOut times a program without each form that it uses and can do without; energy is not
// measured. What making them takes is measured when they are made again: for the first time
// kernels may have to be compiled.
func (s *series) leaveOut(ctx context.Context, p programs.Entry) error {
	if len(s.o.Maker.Forms()) == 0 {
		return nil
	}
	if err := s.o.Maker.LeaveOut(); err != nil {
		return err
	}
	runtime.GC() // making forms is timed
	if _, err := s.run(ctx, p, s.starts()[0], false); err != nil {
		return err
	}
	defer func(m energy.Meter) { s.o.Meter = m }(s.o.Meter)
	s.o.Meter = nil
	for _, f := range s.o.Maker.Forms() {
		if err := s.o.Maker.LeaveOut(f.Name); err != nil {
			return fmt.Errorf("without %s: %w", f.Name, err)
		}
		row, err := s.program(ctx, p)
		if err != nil {
			return fmt.Errorf("without %s: %w", f.Name, err)
		}
		if slices.ContainsFunc(s.o.Maker.Forms(), func(used Form) bool { return used.Name == f.Name }) {
			continue // the program cannot run without
		}
		row.Without = &f
		s.rows = append(s.rows, row)
	}
	return s.o.Maker.LeaveOut()
}

// printForms writes what forms cost and gain, if there are rows without any: such rows follow that of the
// same program with all forms.
func printForms(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "program\tprepare\tform\tits ms\tits MB\tmedian ms\twithout it\tratio\t\n")
	with, found := Row{}, false
	for _, r := range rows {
		if r.Without == nil {
			with = r
			continue
		}
		found = true
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Program, r.Prepare, r.Without.Name, fixed(r.Without.Seconds*1e3, 2), megabytes(float64(r.Without.Bytes)),
			fixed(with.Median*1e3, 3), fixed(r.Median*1e3, 3), fixed(r.Median/with.Median, 2))
	}
	if !found {
		return nil
	}
	fmt.Fprintln(w)
	return t.Flush()
}
