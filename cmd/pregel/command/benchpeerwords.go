package command

// peerWords say what the commands are that time our programs beside another system's.
var peerWords = map[string]struct {
	use, short, long, example string
	without                   []string // flags that say nothing here
}{
	"gapbs": {
		use: " GRAPH.sg…", short: "Times programs in turn with those of the GAP Benchmark Suite",
		long: `Times bfs, pagerank, sssp and wcc in turn with what the GAP Benchmark Suite has for
them, on the same files with the same number of threads: its bfs, the faster of its
pr and pr_spmv, its sssp with the best of --deltas, its cc. The suite is not part
of this: build it with its own make, and name its folder by --dir. Graphs are in
its serialised form, which its converter writes; sssp is timed if a file of the same name
with weights, .wsg, lies beside.

Both start from the sources that the suite draws, another in each run. Two things
differ: GAPBS has ranks in float32, ours are float64 unless --precision says otherwise;
and ours are the same whatever the workers do, with the least of several parents. For
sssp GAPBS has distances alone: so has sssp:parents=false, sssp has parents too.

lcc, which takes long, is timed if --programs names it, beside their tc: on undirected
graphs, both list every triangle; theirs counts them, ours adds them up for each vertex.`,
		example: "  pregel bench gapbs kron20.sg road.sg --dir ../gapbs",
	},
	"gbbs": {
		use: " GRAPH…", short: "Times programs in turn with those of the Graph Based Benchmark Suite",
		long: `Times scc, on directed graphs, and mst, on undirected ones with weights, in turn with
what the Graph Based Benchmark Suite has for them: RandomGreedyBGSS16 and Boruvka.
--programs names others: bfs (its BFS), lcc (Triangle), sssp (DeltaStepping with the
best of --deltas), wcc (the faster of WorkEfficientSDB14 and SimpleUnionAsync). The
suite is not part of this: build it, and name by --dir the folder in which
benchmarks/… has its programs, bazel-bin.

` + peerFiles,
		example: "  pregel bench gbbs web.sg --dir ../gbbs/bazel-bin --programs scc --runs 7",
		without: []string{"precision"},
	},
	"pbbs": {
		use: " GRAPH…", short: "Times programs in turn with those of the Problem Based Benchmark Suite",
		long: `Times bfs and mst, on undirected graphs, in turn with what the Problem Based Benchmark
Suite has for them: backForwardBFS and parallelFilterKruskal. The suite is not part of
this: build these with its own make, in their folders, and name its folder by --dir.

` + peerFiles,
		example: "  pregel bench pbbs kron20.sg --dir ../pbbsbench --programs mst --runs 7",
		without: []string{"precision", "deltas"},
	},
	"pasgal": {
		use: " GRAPH…", short: "Times programs in turn with those of the Parallel and Scalable Graph Algorithm Library",
		long: `Times scc, on directed graphs, in turn with what the Parallel and Scalable Graph
Algorithm Library has for it. The library is not part of this: build src/SCC with its
own make, and name its folder by --dir. It does 5 runs, so --runs is 5.

` + peerFiles,
		example: "  pregel bench pasgal web.sg --dir ../PASGAL",
		without: []string{"precision", "deltas"},
	},
}

const peerFiles = `GRAPH is a file that pregel reads. Where it has no weights, those of a file of the same
name in the form of GAPBS, .wsg, beside it are taken for programs that need some. The
suite reads text: a file of the same name beside GRAPH that is not older than it, .adj,
.wadj or .wea, is taken for that graph; else one is written for the time of the call
into a folder for temporary files (TMPDIR).

Where programs have a source, it is one for all runs of a round, another in each.`

const peerTimes = `Times are medians of --runs runs, by the clock of each, of the algorithm alone: of
theirs what it prints, of ours the whole algorithm with the columns of its answer; ours
that take less than 10 ms follow others, untimed, as theirs follow one another. A
round is both, one after the other; the ratio is ours to theirs in the same round, the
median of all rounds. MB are the largest resident size of the process in any round, the
graph included, where Linux tells it: theirs is looked at every 5 ms. Of ours the answers
of the last --certify-runs runs of each round are certified, untimed, after memory has been
looked at. With --prepare ours run on the graph in other orders too, each in turn with theirs
on the graph as it is; putting the answers into the graph's order is part of our time,
making the graph, which pregel bench times, is not. Our memory has both graphs then.
Programs that cannot run on such a graph are timed on it as it is alone.`
