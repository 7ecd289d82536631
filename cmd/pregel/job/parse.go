package job

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/graphio"
	"gopregel/programs"
)

// Parse reads a job from text; name is what messages call it. All errors are
// reported, as Errors.
func Parse(name string, text []byte, o Options) (*Job, error) {
	d := newDocument(name)
	d.read(text)
	if err := d.apply(o); err != nil {
		return nil, err
	}
	if len(d.errs) > 0 {
		return nil, d.err()
	}
	j := newJob()
	if err := j.read(d, o.Programs); err != nil {
		return nil, err
	}
	j.doc = *d
	return j, d.err()
}

// fields returns the keys of a job for the given programs. Those of params are
// there when the job's program is known.
func (j *Job) fields(list []programs.Entry) []Field {
	program := Field{Name: "program", Doc: "what is computed", Type: Text, Required: true, target: settled(&j.Program)}
	for _, e := range list {
		program.Enum = append(program.Enum, e.Name)
	}
	if j.Kernel != nil {
		program.Type, program.Enum = Section, nil
	}
	graph := Field{Name: "graph", Doc: "where the graph comes from and how it is read", Required: true, Fields: own(&j.Graph)}
	generate := Field{Name: "generate", Doc: "makes the graph instead of reading one"}
	graph.Fields = slices.Insert(graph.Fields, 1, generate)
	return []Field{
		program, graph,
		{Name: "prepare", Doc: "what is done to the graph before the program runs", Fields: own(&j.Prepare)},
		{Name: "engine", Doc: "what runs the program", Fields: own(&j.Engine)},
		{Name: "limits", Doc: "what ends the run", Fields: own(&j.Limits)},
		{Name: "checkpoint", Doc: "where and when the state of the run is kept, for another process to go on from (pregel run --resume)", Fields: own(&j.Checkpoint)},
		{Name: "params", Doc: "the parameters of the program", Fields: j.params},
		{Name: "output", Doc: "where the answer goes", Fields: own(&j.Output)},
		{Name: "trace", Doc: "what record of the run is kept, superstep by superstep", Fields: own(&j.Trace)},
	}
}

// Fields returns the keys of graph that say how a graph is read, bound to g.
func (g *Graph) Fields() []Field { return own(g)[1:] }

// Fields returns the keys of engine, bound to e.
func (e *Engine) Fields() []Field { return own(e) }

// own describes a struct of this package, whose tags its tests check.
func own(section any) []Field {
	fields, err := Describe(section)
	if err != nil {
		panic(err)
	}
	return fields
}

func (j *Job) read(d *document, list []programs.Entry) error {
	kernel := j.readKernel(d)
	for _, e := range list {
		if name := d.scalarAt("program"); name == e.Name {
			if _, err := j.bind(e); err != nil {
				return err
			}
		}
	}
	fields := j.fields(list)
	d.fields = fields
	known := d.section("", d.root, fields)
	if known == nil {
		return nil
	}
	d.missing("", d.root, known, fields)
	for _, f := range fields {
		e, ok := known[f.Name]
		switch {
		case f.Type != Section || f.Fields == nil || !ok && (f.Required || f.Name == "output"):
		case f.Name == "params":
			j.readParams(d, known["program"], e, f.Fields)
		case ok:
			inner := d.section(f.Name, e.value, f.Fields)
			switch {
			case inner == nil:
			case f.Name == "graph":
				j.readGraph(d, e, inner)
			case f.Name == "checkpoint":
				d.missing(f.Name, e.where, inner, f.Fields)
			}
		}
	}
	j.checkOutput(d)
	j.checkTrace(d)
	if j.Prepare.Order != "none" && j.Algorithm != nil && !pregel.Renumberable(j.Algorithm) {
		d.errs = append(d.errs, &Error{d.at["prepare.order"], "prepare.order", fmt.Sprintf("found %s, allowed: none, as the answer of %s depends on the order of the ids", j.Prepare.Order, j.Program)})
	}
	j.checkSchedule(d)
	if kernel {
		j.finishKernel(d, known["engine"])
	}
	j.checkCheckpoint(d)
	return nil
}

// finishKernel gives the kernel its parameters and checks where it is to run.
func (j *Job) finishKernel(d *document, engine entry) {
	j.Algorithm = j.Kernel.program(j.params)
	at, given := d.at["engine.device"]
	switch {
	case !given || engine.key == nil:
		j.Engine.Device = "cuda"
	case j.Engine.Device == "cpu":
		d.errs = append(d.errs, &Error{at, "engine.device", "found cpu, allowed: auto or cuda, as the program is a kernel, which runs on a GPU"})
	}
}

// readParams reads the section params, which may be left out when no parameter
// is required.
func (j *Job) readParams(d *document, program, params entry, fields []Field) {
	inner := d.section("params", params.value, fields)
	at := params.where
	if at == nil {
		at = program.where
	}
	if inner == nil {
		return
	}
	d.missing("params", at, inner, fields)
	if l, ok := j.Algorithm.(pregel.Limiter); ok && inner[LimitName].key == nil {
		j.MaxSupersteps = l.DefaultMaxSupersteps() // it may depend on the parameters
	}
	if v, ok := j.Algorithm.(interface{ Validate() error }); ok && len(d.errs) == 0 {
		if err := v.Validate(); err != nil {
			d.fail(at, "params", err.Error())
		}
	}
}

func (j *Job) readGraph(d *document, graph entry, known map[string]entry) {
	path, read := known["path"]
	generate, made := known["generate"]
	switch {
	case read && made:
		second := generate
		if path.where.Line > generate.where.Line {
			second = path
		}
		d.fail(second.key, "graph", "found path and generate, allowed: one of them")
		return
	case !read && !made:
		d.fail(graph.where, "graph", "found neither path nor generate, allowed: one of them")
		return
	case made:
		j.readGenerate(d, generate, known)
	case j.Graph.Format == "" && known["format"].key == nil && j.Graph.Path != "":
		if _, _, err := graphio.FormatOf(j.Graph.Path); err != nil {
			d.fail(path.where, "graph.path", fmt.Sprintf("found %s, whose name tells no format, allowed: a name that does, or graph.format (%s)", j.Graph.Path, strings.Join(formatNames(), ", ")))
		}
	}
}

// fileOnly are the keys of graph that say how a file is read.
var fileOnly = []string{"format", "ids", "vertices"}

// readGenerate reads the parameters of a generator and checks what concerns
// more than one key.
func (j *Job) readGenerate(d *document, generate entry, known map[string]entry) {
	for _, name := range fileOnly {
		if e, ok := known[name]; ok {
			d.fail(e.key, "graph."+name, "says how a file is read, and this graph is generated")
		}
	}
	j.Graph.IDs = ""
	before := len(d.errs)
	const path = "graph.generate"
	k, inner := d.kind(path, generate.value)
	if k == nil {
		return
	}
	d.missing(path, generate.where, inner, generatorFields(*k))
	if weights, ok := known["weights"]; ok && j.Graph.Weights == "file" && !k.Weighted {
		d.fail(weights.where, "graph.weights", fmt.Sprintf("found file, allowed: none or splitmix64, as %s has no weights of its own", k.Name))
	}
	if len(d.errs) > before {
		return
	}
	texts := map[string]string{}
	for name, e := range inner {
		if name != "kind" {
			texts[name] = e.value.Value
		}
	}
	spec, err := graphgen.Parse(k.Name, texts)
	var bad *graphgen.FieldError
	switch {
	case errors.As(err, &bad):
		d.generatorError(path, generate, inner, bad)
	case err != nil:
		d.fail(generate.where, path, err.Error())
	}
	j.Graph.Generate = &spec
}

func (d *document) generatorError(path string, generate entry, inner map[string]entry, e *graphgen.FieldError) {
	at, problem := generate.where, "missing: "+e.Allowed
	if e.Found != "" {
		problem = fmt.Sprintf("found %s, allowed: %s", e.Found, e.Allowed)
	}
	if given, ok := inner[e.Field]; ok {
		at = given.where
	}
	d.fail(at, join(path, e.Field), problem)
}

func (j *Job) checkOutput(d *document) {
	at, ok := d.at["output.path"]
	if _, named := d.at["output.format"]; !ok || named || j.Output.Path == "" {
		return
	}
	if _, _, err := output.FormatOf(j.Output.Path); err != nil {
		d.errs = append(d.errs, &Error{at, "output.path", err.Error()})
	}
}

func formatNames() []string {
	var list []string
	for _, f := range graphio.Formats() {
		if f.CanRead {
			list = append(list, f.Name)
		}
	}
	return list
}

func outputNames() []string { return output.Formats() }
