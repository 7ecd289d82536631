package peer

import "strconv"

// A System is another one whose programs are timed beside ours.
type System struct {
	Name     string // on the command line
	Title    string
	Programs []Program
	Runs     int      // of a program, whatever it is asked for; 0: as many as it is asked for
	Default  []string // what is timed if nothing else is asked for, perhaps with parameters of ours
	build    string   // makes its programs
	threads  string   // the variable that tells it how many
	time     string   // a line that tells the seconds of a trial begins so
	draws    bool     // it draws sources itself, one for each trial (Sources)

	arguments func(trials int, p command, in Input) []string
}

// A Program is one of ours that a system has programs for. Where it has several, or one
// with a parameter that is for the user to find, the fastest counts.
type Program struct {
	Name     string // of ours
	Weighted bool   // reads weights
	Graphs   Graphs
	Input    string // the ending of the file that it reads
	commands []command
	per      float64 // what the times of theirs are divided by: iterations
}

// A command is one program of theirs, below the folder of the system.
type command struct {
	path  string
	short string // of path, where its last part does not tell what it is
	start string // the flag of the vertex to start from
	args  []string
}

// Graphs says which graphs a program takes.
type Graphs uint8

// The kinds of graphs.
const (
	Any Graphs = iota
	Undirected
	Directed
)

// String names the kind.
func (g Graphs) String() string { return [...]string{"any", "undirected", "directed"}[g] }

// iterations of PageRank are done, by both, and times are those of one.
const iterations = 20

// Systems lists them; deltas are the widths of steps of those that find shortest paths.
func Systems(deltas []int) []System {
	return []System{gapbs(deltas), gbbs(deltas), pbbs(), pasgal()}
}

// gapbs is the GAP Benchmark Suite (Beamer, Asanović, Patterson, arXiv:1508.03619).
func gapbs(deltas []int) System {
	rank := []string{"-i", strconv.Itoa(iterations), "-t", "0"}
	return System{
		Name: "gapbs", Title: "GAPBS", build: "make", threads: "OMP_NUM_THREADS", time: "Trial Time:", draws: true,
		Default: []string{"bfs", "pagerank", "sssp:parents=false", "wcc"},
		Programs: []Program{
			{Name: "bfs", Input: ".sg", commands: []command{{path: "bfs"}}, per: 1},
			{Name: "lcc", Input: ".sg", Graphs: Undirected, commands: []command{{path: "tc"}}, per: 1},
			{Name: "pagerank", Input: ".sg", commands: []command{{path: "pr", args: rank}, {path: "pr_spmv", args: rank}}, per: iterations},
			{Name: "sssp", Input: ".wsg", Weighted: true, commands: each(deltas, command{path: "sssp"}, "-d"), per: 1},
			{Name: "wcc", Input: ".sg", commands: []command{{path: "cc"}}, per: 1},
		},
		arguments: func(trials int, p command, in Input) []string {
			return append([]string{"-f", in.File, "-n", strconv.Itoa(trials)}, p.args...)
		},
	}
}

// gbbs is the Graph Based Benchmark Suite (Dhulipala, Blelloch, Shun, "Theoretically
// efficient parallel graph algorithms can be fast and scalable", SPAA 2018).
func gbbs(deltas []int) System {
	const scc, mst = "benchmarks/StronglyConnectedComponents/RandomGreedyBGSS16/", "benchmarks/MinimumSpanningForest/Boruvka/"
	const wcc, sssp = "benchmarks/Connectivity/", "benchmarks/PositiveWeightSSSP/DeltaStepping/"
	return System{
		Name: "gbbs", Title: "GBBS", build: "bazel build", threads: "PARLAY_NUM_THREADS", time: "### Running Time:",
		Default: []string{"mst", "scc"},
		Programs: []Program{
			{Name: "bfs", Input: ".adj", commands: []command{{path: "benchmarks/BFS/NonDeterministicBFS/BFS_main", short: "BFS", start: "-src"}}, per: 1},
			{Name: "lcc", Input: ".adj", Graphs: Undirected, commands: []command{{path: "benchmarks/TriangleCounting/ShunTangwongsan15/Triangle_main", short: "Triangle"}}, per: 1},
			{Name: "mst", Input: ".wadj", Weighted: true, Graphs: Undirected, commands: []command{{path: mst + "MinimumSpanningForest_main", short: "Boruvka"}}, per: 1},
			{Name: "scc", Input: ".adj", Graphs: Directed, commands: []command{{path: scc + "StronglyConnectedComponents_main", short: "RandomGreedyBGSS16"}}, per: 1},
			{Name: "sssp", Input: ".wadj", Weighted: true, commands: each(deltas, command{path: sssp + "DeltaStepping_main", short: "DeltaStepping", start: "-src"}, "-delta"), per: 1},
			{Name: "wcc", Input: ".adj", Graphs: Undirected, commands: []command{{path: wcc + "WorkEfficientSDB14/Connectivity_main", short: "WorkEfficientSDB14"}, {path: wcc + "SimpleUnionAsync/Connectivity_main", short: "SimpleUnionAsync"}}, per: 1},
		},
		arguments: func(trials int, p command, in Input) []string {
			list := append([]string{"-rounds", strconv.Itoa(trials)}, p.args...)
			if in.Undirected {
				list = append(list, "-s")
			}
			return append(list, p.source(in)...)
		},
	}
}

// pbbs is the Problem Based Benchmark Suite (Anderson, Blelloch et al., PPoPP 2022).
func pbbs() System {
	return System{
		Name: "pbbs", Title: "PBBS", build: "make", threads: "PARLAY_NUM_THREADS", time: "Parlay time:",
		Default: []string{"bfs", "mst"},
		Programs: []Program{
			{Name: "bfs", Input: ".adj", Graphs: Undirected, commands: []command{{path: "benchmarks/breadthFirstSearch/backForwardBFS/BFS", short: "backForwardBFS", start: "-src"}}, per: 1},
			{Name: "mst", Input: ".wea", Weighted: true, Graphs: Undirected, commands: []command{{path: "benchmarks/minSpanningForest/parallelFilterKruskal/MST", short: "parallelFilterKruskal"}}, per: 1},
		},
		arguments: func(trials int, p command, in Input) []string {
			return append(append([]string{"-r", strconv.Itoa(trials)}, p.args...), p.source(in)...)
		},
	}
}

// pasgal is the Parallel and Scalable Graph Algorithm Library (Wang, Dong, Gu, Sun, "Parallel
// Strong Connectivity Based on Faster Reachability", SIGMOD 2023).
func pasgal() System {
	return System{
		Name: "pasgal", Title: "PASGAL", build: "make", threads: "PARLAY_NUM_THREADS", time: "SCC: scc:", Runs: 5,
		Default:   []string{"scc"},
		Programs:  []Program{{Name: "scc", Input: ".adj", Graphs: Directed, commands: []command{{path: "src/SCC/scc"}}, per: 1}},
		arguments: func(_ int, _ command, in Input) []string { return []string{"-i", in.File} },
	}
}

// source is the end of a call: where to start, and the file.
func (c command) source(in Input) []string {
	if c.start == "" || len(in.Starts) == 0 {
		return []string{in.File}
	}
	return []string{c.start, strconv.Itoa(int(in.Starts[0])), in.File}
}

// each is the command with a flag for each of the values.
func each(values []int, c command, flag string) (list []command) {
	for _, x := range values {
		c.args = []string{flag, strconv.Itoa(x)}
		list = append(list, c)
	}
	return list
}
