// Package job reads job files: the YAML that says which program runs on which
// graph.
//
// Every key is a Field, with its type, what it allows and its default. The
// fields of the sections graph, prepare, engine, limits, checkpoint, output and trace are those of the structs here;
// those of params are the exported fields of the algorithm that the job names;
// those of graph.generate are the parameters of the kind of generator. A program
// that is a mapping is a kernel (Kernel), which declares its parameters. The same
// table is walked by the parser (Parse), by the JSON Schema (Schema), by the
// encoder (Job.Encode) and by the command line's own flags, so that they cannot
// differ.
//
// Nothing is guessed: a key that is unknown or given twice, a value of the
// wrong type, out of range or null is an Error with its position, and all
// errors of a file are reported together.
package job

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs"
)

// A Job is a job file that has been read and found good.
type Job struct {
	Program       string
	Kernel        *Kernel // nil: the program is a built-in one
	Graph         Graph
	Prepare       Prepare
	Engine        Engine
	Limits        Limits
	Checkpoint    Checkpoint
	Output        Output
	Trace         Trace
	Algorithm     pregel.Algorithm // with its parameters set
	MaxSupersteps int              // among the parameters; 0: no bound there (Supersteps)

	doc    document
	entry  programs.Entry
	params []Field // bound to Algorithm and MaxSupersteps
}

// Graph says where the graph comes from and how it is read.
type Graph struct {
	Path       string         `param:"path" doc:"the graph file; relative to the job file"`
	Generate   *graphgen.Spec `param:"-"`
	Format     string         `param:"format" doc:"the form of the file, if its name does not tell" enum:"@formats"`
	Directed   *bool          `param:"directed" doc:"whether lines are arcs (true) or undirected edges (false); if left out, as the file or the generator says"`
	IDs        string         `param:"ids" doc:"what the ids in the file are" enum:"integer,string"`
	Vertices   string         `param:"vertices" doc:"the ids that occur, or all from 0 to the greatest; if left out, as is usual for the format" enum:"endpoints,range"`
	Weights    string         `param:"weights" doc:"weights of the file (an error if it has none), none, or made of the two ids; if left out, those that the graph has" enum:"file,none,splitmix64"`
	SelfLoops  string         `param:"self_loops" doc:"what becomes of self-loops" enum:"keep,drop"`
	Duplicates string         `param:"duplicates" doc:"what becomes of parallel edges: all stay, one stays, the least weight, the sum of the weights" enum:"keep,drop,min,sum"`
}

// Prepare says what is done to the graph before the program runs.
type Prepare struct {
	Order string `param:"order" doc:"the order of the vertices during the run, in memory of a second graph: by degree, so that hubs lie together; by locality, so that neighbours do; in tiles, for a GPU, connected regions of 1024 vertices, where degrees are low and the diameter is large; none: as their ids are. The answer is in the graph's own ids and order" enum:"none,degree,locality,tiles"`
	Cache bool   `param:"cache" doc:"whether the graph in its new order is kept in a file beside the graph's own, for later runs, which then read neither; where there can be no such file, the run says so and goes on"`
}

// Engine says what runs the program.
type Engine struct {
	Device      string `param:"device" doc:"what computes; auto takes the GPU if this pregel can use one, the program has a form for it and memory suffices, else the CPU" enum:"cpu,auto,cuda"`
	GPU         int    `param:"gpu" doc:"which GPU, by its number in pregel devices" min:"0" max:"63"`
	Workers     int    `param:"workers" doc:"threads; 0: one for each processor" min:"0" max:"1024"`
	Direction   string `param:"direction" doc:"how messages travel; auto chooses in every superstep" enum:"auto,push,pull"`
	Determinism string `param:"determinism" doc:"strict: float sums, too, are the same to the last bit for any number of workers" enum:"default,strict"`
	Schedule    string `param:"schedule" doc:"when messages are delivered; bsp: in the next superstep; relaxed: at once, for programs that allow it; auto is bsp, but sssp with delta-stepping relaxes where neither a direction nor strict is asked for, and so, on a GPU and a graph in tiles, do bfs and scc" enum:"auto,bsp,relaxed"`
}

// Output says where the answer goes.
type Output struct {
	Path   string `param:"path" doc:"the file for the answer; relative to the job file. Without it only the summary is shown"`
	Format string `param:"format" doc:"the form of the file, if its name does not tell" enum:"@outputs"`
	Top    int    `param:"top" doc:"rows shown in the summary" min:"0" max:"1000000"`
}

// DefaultGraph returns the values of keys that are left out.
func DefaultGraph() Graph { return Graph{IDs: "integer", SelfLoops: "keep", Duplicates: "keep"} }

func newJob() *Job {
	return &Job{
		Graph:      DefaultGraph(),
		Prepare:    Prepare{Order: "none", Cache: true},
		Engine:     Engine{Device: "auto", Direction: "auto", Determinism: "default", Schedule: "auto"},
		Limits:     Limits{NaN: "allow"},
		Output:     Output{Top: 10},
		Trace:      newTrace(),
		Checkpoint: Checkpoint{Every: "30s", Keep: 2},
	}
}

// Options are what a job is read with.
type Options struct {
	Programs []programs.Entry
	// Set are changes from the command line, "params.damping=0.9". They go
	// through the same checks. An empty value takes the key away. A path in one
	// is relative to the current folder.
	Set []string
	// Output replaces output.path, if it is not empty.
	Output string
}

// Standard is the name that stands for standard input.
const Standard = "-"

const maxSize = 1 << 20

// Read reads the job file at path, or standard input for "-". Paths in it are
// relative to its folder, in a job from standard input to the current one.
func Read(path string, stdin io.Reader, o Options) (*Job, error) {
	name, in := path, stdin
	if path == Standard {
		name = "standard input"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s: is a directory, not a job file", path)
		}
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s: more than %d bytes: this is no job file", name, maxSize)
	}
	j, err := Parse(name, text, o)
	if err != nil {
		return j, err
	}
	if path != Standard {
		j.doc.dir = filepath.Dir(path)
	}
	if j.Kernel != nil {
		return j, j.loadKernel()
	}
	return j, nil
}

// Where says where the value of a key stands, such as "job.yaml:4:12"; for a
// key that the job leaves out it names the file.
func (j *Job) Where(key string) string {
	if at, ok := j.doc.at[key]; ok {
		return at.String()
	}
	return j.doc.name
}

// Errorf is an error about the value of a key.
func (j *Job) Errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", j.Where(key), key, fmt.Errorf(format, args...))
}

// GraphPath returns the path of the graph file, "" when there is none.
func (j *Job) GraphPath() string { return j.resolve("graph.path", j.Graph.Path) }

// OutputPath returns the path of the answer, "" when there is none.
func (j *Job) OutputPath() string { return j.resolve("output.path", j.Output.Path) }

func (j *Job) resolve(key, path string) string {
	if path == "" || filepath.IsAbs(path) || j.doc.at[key].flag != "" {
		return path
	}
	return filepath.Join(j.doc.dir, path)
}

// Name is what the job's graph is called: its file or its generator.
func (j *Job) Name() string {
	if j.Graph.Generate != nil {
		return j.Graph.Generate.String()
	}
	return filepath.Base(j.Graph.Path)
}

// CheckVertices finds a parameter that names a vertex which is not in the
// graph.
func (j *Job) CheckVertices(ids graph.IDs) error {
	var list Errors
	for _, f := range j.params {
		if id := f.Text(); f.Type == Vertex && id != "" {
			if _, err := ids.Parse(id); err != nil {
				key := "params." + f.Name
				list = append(list, &Error{j.doc.at[key], key, err.Error()})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Params returns the program's parameters with their values.
func (j *Job) Params() []Field { return j.params }

// ParamsText writes the parameters on one line, without those that are empty and
// a limit that is none.
func (j *Job) ParamsText() string {
	var words []string
	for _, f := range j.params {
		v := f.Value()
		if v != nil && v != "" && (f.Name != LimitName || j.MaxSupersteps > 0) {
			words = append(words, fmt.Sprintf("%s=%s", f.Name, f.Text()))
		}
	}
	return strings.Join(words, " ")
}

// Fresh returns a new algorithm with the job's parameters.
func (j *Job) Fresh() (pregel.Algorithm, error) {
	if j.Kernel != nil {
		return j.Kernel.program(j.params), nil
	}
	again := newJob()
	params, err := again.bind(j.entry)
	if err != nil {
		return nil, err
	}
	for i := range params {
		params[i].target.Set(j.params[i].target)
	}
	return again.Algorithm, nil
}
