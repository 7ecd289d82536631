package command

import (
	"fmt"
	"io"
	"text/tabwriter"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/plan"
	"gopregel/runtime/cuda"
)

// A planMemory is what a job needs of one memory.
type planMemory struct {
	Name      string      `json:"name,omitempty"`
	Items     []plan.Item `json:"items"`
	Needed    uint64      `json:"needed"`
	Available *uint64     `json:"available"` // null: not known
	By        string      `json:"available_by"`
	Fits      bool        `json:"fits"`
	// Optional is what is made on a GPU for speed alone; Needed is without it.
	Optional *planOptional `json:"optional,omitempty"`
}

// A planOptional is what forms take that a run can do without.
type planOptional struct {
	Items []planForm `json:"items"`
	Least uint64     `json:"least"`
	Most  uint64     `json:"most"`
	Fits  bool       `json:"fits"` // the most, beside what is needed
}

// A planForm is one of them. Where more than the size of the graph decides, its
// bytes lie between least and most.
type planForm struct {
	Name  string `json:"name"`
	Least uint64 `json:"least"`
	Most  uint64 `json:"most"`
}

func (m *planMemory) shortage(where string) error {
	return &shortage{where, m.Needed, *m.Available, m.By}
}

func planHost(j *job.Job, c *choice, s plan.Size) planMemory {
	need, has := plan.Host(j.Algorithm, s, j.Engine, c.device != nil), hostMemory(j)
	m := planMemory{Items: need.Items, Needed: need.Total, By: has.By, Fits: true}
	if has.By != "" {
		m.Available, m.Fits = &has.Available, need.Total <= has.Available
	}
	return m
}

func planDevice(j *job.Job, c *choice, s plan.Size) (*planMemory, error) {
	free, err := c.device.Free()
	if err != nil {
		return nil, err
	}
	need := plan.Device(j, s)
	m := &planMemory{
		Name: c.device.Info().Name, Needed: need.Total, Available: &free, Fits: need.Total <= free,
		By: "free of " + size(c.device.Info().Memory),
	}
	for _, i := range need.Items {
		m.Items = append(m.Items, plan.Item{Name: i.Name, Bytes: i.Bytes})
	}
	m.Optional = optionalForms(need, free)
	return m, nil
}

// optionalForms adds up the forms that a run may make beside what it needs.
func optionalForms(need cuda.Need, free uint64) *planOptional {
	o := &planOptional{Items: []planForm{}}
	for _, f := range need.Optional {
		o.Items = append(o.Items, planForm(f))
		o.Least += f.Least
		o.Most += f.Most
	}
	o.Fits = need.Total+o.Most <= free
	return o
}

func (m *planMemory) write(w io.Writer, title string) error {
	fmt.Fprintf(w, "\n%s\n", title)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, bytes uint64) {
		fmt.Fprintf(out, "  \t%s\t%s\t  %s\n", count(bytes), size(bytes), name)
	}
	for _, i := range m.Items {
		row(i.Name, i.Bytes)
	}
	row("needed", m.Needed)
	if m.Available != nil {
		row("available ("+m.By+")", *m.Available)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if !m.Fits {
		fmt.Fprintln(w, "  This is too little.")
	}
	return m.Optional.write(w)
}

func (o *planOptional) write(w io.Writer) error {
	if o == nil {
		return nil
	}
	for _, f := range o.Items {
		bytes := size(f.Most)
		if f.Least < f.Most {
			bytes = size(f.Least) + " to " + bytes
		}
		if _, err := fmt.Fprintf(w, "  If there is room, for speed: %s, %s.\n", f.Name, bytes); err != nil {
			return err
		}
	}
	return nil
}
