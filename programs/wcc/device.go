package wcc

import (
	"context"
	"errors"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// device finds the components on a CUDA device: as the CPU does, in four supersteps
// (kernels/wcc.cu), or, where vertices stand by degree, without sampling, in two
// (kernels/wcc_hubs.cu). In a directed graph that has not been reordered all
// out-arcs are read: that costs less than making the in-arcs.
type device struct {
	n, arcs        uint64
	supersteps     [][]launch
	label, control *driver.Buffer
	root           []uint32
	bring          *pregel.Bringing // nil: not asked for
	bringer        *cuda.Bringer    // nil: the labels stay in the graph's order
	alone          uint32           // vertices from there on have no arcs
	directed       bool
	traced         bool
	first          string // why first arcs are looked at as they are
}

type launch struct {
	kernel          *driver.Kernel
	blocks, threads int
	cooperative     bool
	args            *driver.Args
}

func onDevice(ctx context.Context, e *cuda.Engine, j *pregel.Job) (pregel.Result[uint32], error) {
	d := &device{bring: j.Bringing()}
	stop, err := e.RunKernels(ctx, j, d)
	if d.root == nil { // stopped before the first superstep
		d.root = mem.Make[uint32](j.Graph.N())
		for v := range d.root {
			d.root[v] = uint32(v)
		}
	}
	return pregel.Result[uint32]{Values: d.root, Stop: stop, Ordered: d.bring.Brought()}, err
}

func (*device) Name() string { return "wcc" }

const (
	controlBytes  = 72
	sampleBytes   = 40   // before the giant's number in the sample, and whether it is sure
	tallyBytes    = 56   // before what a traced run counts
	chooseThreads = 1024 // SAMPLES in kernels/giant.cuh
	labelBatch    = 4    // WCC_BATCH in kernels/wcc.cuh

	// Blocks of hubs_rest, those of a multiprocessor at the most: what its barriers
	// cost grows with them.
	restThreads  = 512
	restResident = 4
)

// Begin makes the buffers, compiles the kernels and lays out the launches.
func (d *device) Begin(s *cuda.Session) error {
	g := s.Graph()
	d.n, d.arcs, d.directed, d.traced, d.first = uint64(g.N), g.Out().Arcs, g.Directed, s.Tallies() != nil, ""
	d.supersteps, d.bringer, d.alone = make([][]launch, 4), nil, g.N
	if d.n == 0 {
		return nil
	}
	m := &maker{s: s, tuning: kernels.WCC(kernels.Device{Processors: s.Info().Processors}), n: d.n}
	d.label = m.buffer(4*d.n, "wcc labels")
	d.control = m.buffer(controlBytes, "wcc control")
	h, err := byDegree(g)
	switch {
	case err != nil:
		return err
	case h != nil:
		d.hubs(m, g, h)
	default:
		d.sampling(m, g)
	}
	if m.err == nil {
		d.bringer, m.err = s.Bringer(d.bring, cuda.Column{Numbers: d.label, Classes: true, Alone: d.alone})
	}
	return m.err
}

// hubs is what the kernels of kernels/wcc_hubs.cu read; in a graph that is not
// directed nothing is inward.
type hubs struct {
	in                *cuda.CSR
	outFirst, inFirst *driver.Buffer
}

// byDegree returns it where vertices stand by degree, nil elsewhere and where
// there is no room for it.
func byDegree(g *cuda.Graph) (*hubs, error) {
	if g.Slim() || !g.Host.Reordered() || !g.Descending() {
		return nil, nil
	}
	h := &hubs{in: &cuda.CSR{}}
	var err error
	if h.outFirst, err = g.First(g.Out()); err != nil || h.outFirst == nil {
		return nil, err
	}
	if !g.Directed {
		return h, nil
	}
	h.in, err = g.In()
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if h.inFirst, err = g.First(h.in); err != nil || h.inFirst == nil {
		return nil, err
	}
	return h, nil
}

// sampling lays out the launches of kernels/wcc.cu.
func (d *device) sampling(m *maker, g *cuda.Graph) {
	m.source, d.first = "wcc", secondArcs
	out := g.Out()
	active := cuda.WithArcs(g.Host.Out())
	_, places := m.tuning.Pieces(d.arcs)
	pieces := m.buffer(8*max(places, 1), "wcc pieces of lists")
	lists := func() *driver.Args { return driver.NewArgs().Buffer(out.Offsets).Buffer(out.Targets) }
	d.supersteps[0] = []launch{m.over("wcc_first", lists().Uint32(g.N).Uint32(active).Buffer(d.label).Buffer(d.control))}
	skewed := m.skewed(g, out)
	if skewed { // ways are short
		d.supersteps[0] = append(d.supersteps[0], m.flatten(active, 0, d.label, nil))
	} else {
		d.supersteps[0] = append(d.supersteps[0], m.ways(active, d.label)...)
	}
	if d.arcs == 0 {
		return
	}
	skip := uint32(0)
	if !g.Directed { // the sample is of use
		skip = 1
		choose := m.over("wcc_choose", driver.NewArgs().Buffer(out.Targets).Uint64(d.arcs).Uint32(active).Buffer(d.label).Buffer(d.control))
		choose.blocks, choose.threads = 1, chooseThreads
		if !skewed { // with hubs one round leaves too many outside
			d.supersteps[0] = append(d.supersteps[0], choose)
		}
		d.supersteps[2] = append(d.supersteps[2], choose)
	}
	d.supersteps[0] = append(d.supersteps[0], m.over("wcc_second", lists().Uint32(active).Buffer(d.label).Buffer(d.control)))
	d.supersteps[1] = []launch{m.flatten(active, 0, d.label, d.control)}
	d.supersteps[2] = append(d.supersteps[2],
		m.over("wcc_rest", lists().Uint32(active).Uint32(skip).Buffer(d.label).Buffer(d.control).Buffer(pieces)),
		m.over("wcc_pieces", lists().Buffer(d.label).Buffer(d.control).Buffer(pieces)))
	d.supersteps[3] = []launch{m.last(g.N, d.label, d.control)}
}

// hubs lays out the launches of kernels/wcc_hubs.cu.
func (d *device) hubs(m *maker, g *cuda.Graph, h *hubs) {
	m.source, d.first = "wcc_hubs", standByDegree
	out, active := g.Out(), cuda.WithArcs(g.Host.Out())
	_, places := m.tuning.Pieces(d.arcs)
	if g.Directed {
		active = cuda.WithArcs(g.Host.Out(), g.Host.In())
		places *= 2
	}
	d.alone = active
	words := (uint64(active) + 31) / 32
	outside := m.buffer(4*max(words, 1), "wcc vertices outside")
	pieces := m.buffer(8*max(places, 1), "wcc pieces of lists")
	first := driver.NewArgs().Buffer(h.outFirst).Buffer(h.inFirst).Uint32(g.N).Uint32(active).Buffer(d.label).Buffer(outside).Buffer(d.control)
	rest := driver.NewArgs().Buffer(out.Offsets).Buffer(out.Targets).Buffer(h.in.Offsets).Buffer(h.in.Targets).
		Uint32(active).Buffer(d.label).Buffer(outside).Buffer(d.control).Buffer(pieces)
	d.supersteps = [][]launch{{m.over("hubs_first", first)}, {m.together("hubs_rest", words, rest)}}
}

// maker makes buffers and launches until one fails.
type maker struct {
	s      *cuda.Session
	source string // of kernels
	tuning kernels.Tuning
	n      uint64
	err    error
}

func (m *maker) buffer(bytes uint64, what string) *driver.Buffer {
	if m.err != nil {
		return nil
	}
	b, err := m.s.Buffer(bytes, what)
	m.err = err
	return b
}

func (m *maker) skewed(g *cuda.Graph, c *cuda.CSR) bool {
	if m.err != nil {
		return false
	}
	has, err := g.Skewed(c)
	m.err = err
	return has
}

// over makes a launch with a thread for every vertex, or as many as run at once.
func (m *maker) over(entry string, a *driver.Args) launch {
	if m.err != nil {
		return launch{}
	}
	k, err := m.s.Kernel(m.source, entry, append(m.tuning.Defines(), m.s.Tallies()...)...)
	m.err = err
	return launch{kernel: k, blocks: m.tuning.BlocksFor(m.n), threads: m.tuning.Threads, args: a}
}

// flatten brings the vertices of a level of words to their roots (kernels/wcc_ways.cuh); of
// level 0 are all. It does nothing if the control block that is given is sure of the giant.
func (m *maker) flatten(n uint32, level uint32, label, unless *driver.Buffer) launch {
	return m.over("wcc_flatten", driver.NewArgs().Uint32(n).Uint32(level).Buffer(label).Buffer(unless).Uint32(0))
}

// last brings all vertices to their roots. It does nothing if the control block knows that
// they are there.
func (m *maker) last(n uint32, label, unless *driver.Buffer) launch {
	return m.over("wcc_flatten", driver.NewArgs().Uint32(n).Uint32(0).Buffer(label).Buffer(unless).Uint32(1))
}

// levels are of one of 2^l words each, and have leastWords or more. The first are close to
// one another: most is read there, and the longest of many gaps takes its time.
var levels = []uint32{2, 4, 6, 8, 14, 20}

const leastWords = 64

// gaps is how far vertices of a level go to the next one, in mean gaps.
const gaps = 6

// ways brings all vertices to their roots, however deep the trees are: at once where all are
// under way together, else by levels of words.
func (m *maker) ways(n uint32, label *driver.Buffer) (list []launch) {
	words, together := (uint64(n)+31)/32, uint64(m.tuning.Blocks*m.tuning.Threads/32*labelBatch)
	deep, below := 0, uint32(0)
	for ; deep < len(levels) && words > together && words>>levels[deep] >= leastWords; deep++ {
		list = append(list, m.over("wcc_lift", driver.NewArgs().Uint32(n).Uint32(levels[deep]).Uint32(gaps<<(levels[deep]-below)).Buffer(label)))
		below = levels[deep]
	}
	for ; deep > 0; deep-- {
		list = append(list, m.flatten(n, levels[deep-1], label, nil))
	}
	return append(list, m.flatten(n, 0, label, nil))
}

// together makes a launch with barriers of the grid, in which a warp has a word of
// bits or more.
func (m *maker) together(entry string, words uint64, a *driver.Args) launch {
	l := m.over(entry, a)
	if m.err != nil {
		return l
	}
	most, err := m.s.Grid(l.kernel, restThreads, 0)
	m.err = err
	most = min(most, restResident*m.s.Info().Processors)
	l.blocks = max(1, min(most, int((words+restThreads/32-1)/(restThreads/32))))
	l.threads, l.cooperative = restThreads, true
	return l
}

// Kept has nothing: which superstep it is says what is to be launched.
func (*device) Kept() []any { return nil }

// Superstep launches, and waits for nothing: how many there are is known.
func (d *device) Superstep(s *cuda.Session, superstep int) (cuda.Counts, error) {
	if d.traced && superstep == 0 && d.n > 0 {
		if err := d.control.Fill(0, controlBytes, 0); err != nil {
			return cuda.Counts{}, err
		}
	}
	for _, l := range d.supersteps[superstep] {
		start := s.Launch
		if l.cooperative {
			start = s.LaunchCooperative
		}
		if err := start(l.kernel, l.blocks, l.threads, l.args); err != nil {
			return cuda.Counts{}, err
		}
	}
	c := cuda.Counts{Awake: d.n, Account: &pregel.Account{Widths: widths}}
	if superstep < len(d.supersteps)-1 {
		c.Next = max(d.n, 1)
	} else if d.bringer != nil {
		d.bring.Done = true
		if err := s.LaunchBringer(d.bringer); err != nil {
			return c, err
		}
	}
	return c, d.trace(s, superstep, &c)
}

// End copies the labels.
func (d *device) End(*cuda.Session) error {
	d.root = mem.Take[uint32](int(d.n))
	if d.n == 0 {
		return nil
	}
	label := d.label
	if d.bring.Brought() {
		label = d.bringer.To[0]
	}
	return label.Read(0, mem.Bytes(d.root))
}
