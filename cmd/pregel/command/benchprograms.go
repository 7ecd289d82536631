package command

import (
	"fmt"
	"slices"
	"strings"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/programs"
	"gopregel/programs/pagerank"
)

// variant returns what is timed under a name as --programs has it: that of a program,
// and behind it parameters of it, NAME:PARAMETER=VALUE…, which bench does not choose
// itself; or that of a job file with a kernel.
func (a *app) variant(text string) (programs.Entry, error) {
	if isJob(text) {
		return a.kernelOf(text)
	}
	parts := strings.Split(text, ":")
	var known []string
	for _, p := range a.programs {
		known = append(known, p.Name)
	}
	if err := oneOf("programs", parts[0], known); err != nil {
		return programs.Entry{}, err
	}
	p := a.programs[slices.Index(known, parts[0])]
	plain := p.New
	p.Name, p.New = text, func() pregel.Algorithm {
		fresh := plain()
		_ = give(fresh, parts[1:]) // has gone well before, on another
		return fresh
	}
	if err := give(plain(), parts[1:]); err != nil {
		return p, input(fmt.Errorf("--programs: %s: %w", text, err))
	}
	return p, nil
}

// give sets parameters of an algorithm, each NAME=VALUE. PageRank is timed for so many
// iterations, whatever the change, so its tolerance is none of them.
func give(a pregel.Algorithm, params []string) error {
	fields, err := job.Describe(a)
	if err != nil {
		return err
	}
	_, ranks := a.(*pagerank.PageRank)
	fields = slices.DeleteFunc(fields, func(f job.Field) bool {
		return f.Type == job.Vertex && f.Required || ranks && f.Name != "damping"
	})
	for k, p := range params {
		name, value, found := strings.Cut(p, "=")
		i := slices.IndexFunc(fields, func(f job.Field) bool { return f.Name == name })
		switch {
		case !found:
			return fmt.Errorf("found %q behind the program, want PARAMETER=VALUE", p)
		case i < 0:
			return fmt.Errorf("found parameter %s, allowed: %s", name, allowed(fields))
		case slices.ContainsFunc(params[:k], func(q string) bool { return strings.HasPrefix(q, name+"=") }):
			return fmt.Errorf("found parameter %s twice, want it once", name)
		}
		if err := fields[i].Set(value); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	return nil
}

func allowed(fields []job.Field) string {
	if len(fields) == 0 {
		return "none"
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// able returns the programs that have a form for the device and the schedule, of those
// that are asked for; one that is asked for by name must.
func (d *timing) able() (list []programs.Entry, err error) {
	asked := d.app.programs
	if len(d.options.Programs) > 0 {
		asked = nil
	}
	for _, text := range d.options.Programs {
		p, err := d.app.variant(text)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(asked, func(q programs.Entry) bool { return q.Name == p.Name }) {
			asked = append(asked, p)
		}
	}
	slices.SortStableFunc(asked, func(p, q programs.Entry) int { return strings.Compare(p.Name, q.Name) })
	for _, p := range asked {
		why := d.unable(p)
		if why == "" {
			list = append(list, p)
		} else if len(d.options.Programs) > 0 {
			return nil, input(fmt.Errorf("--programs: the program %s", why))
		}
	}
	return list, nil
}
