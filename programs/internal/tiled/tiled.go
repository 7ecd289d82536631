// Package tiled finds distances from a source on a CUDA device tile by tile, on
// graphs that are prepared for it (order tiles): for bfs and sssp.
//
// Result: the least length of a path from the source to each vertex, and the least
// in-neighbour that such a path may come from. Every arc counts 1, or its weight, a
// whole number above 0.
//
// Method: cuda.Relaxation of least(distance(u) + length), those next to the nearest
// ones first, as wide as is good for tiles; then kernels/nearest.cu. In 32 bits
// distances above a limit are not sent on, so that no sum overflows; if one is
// found everything is done again in 64.
//
// Cost: see kernels/step_tiles.cuh.
package tiled

import (
	"context"
	"fmt"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// functions are the program's, for templates.
const functions = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return awake ? 0 : IDENTITY;
}
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = m < x;
  return awake ? m : x;
}
__device__ u64 priority(Value x, const Params &p) { return (u64)x; }
`

// What is sent along arcs that count 1, and along those that count their weight.
const (
	ofHops   = "__device__ Message emit(Vertex v, Value x, const Params &p) { return x + 1; }\n"
	ofLength = "__device__ Message emit(Vertex v, Value x, const Params &p) { return (u64)x > p.limit ? IDENTITY : x; }\n"
)

// Tiles across which those next to the nearest may be ahead, and how many arcs a
// path across a tile has.
const (
	aheadTiles = 4
	acrossTile = 32
)

// A Search is one run. Its fields up to Lone are given.
type Search struct {
	Program string
	Source  uint32
	Hops    bool             // every arc counts 1
	Alone   bool             // no parents are wanted; of Hops only
	Most    float64          // the greatest weight
	Usual   float64          // weight, as most have it
	Bring   *pregel.Bringing // into the user's order, if the device has room for it; nil: not
	Least   bool             // parents that are brought are the least by the user's numbers, not by the graph's
	Lone    bool             // parents are found, to see that all distances fit, but nobody wants them

	Distance32 []uint32 // the answer: math.MaxUint32 where there is no path;
	Distance64 []int64  // or, where 32 bits did not do, math.MaxInt64
	Parent     []uint32

	wide           bool
	started        bool
	relax          *cuda.Relaxation
	parent, beyond *driver.Buffer
	bringer        *cuda.Bringer
	near           *driver.Buffer // distances in the user's order; nil: they were not brought there
	kernel         *driver.Kernel
	args           *driver.Args
}

// Run finds the distances. Whoever has not stopped because the run halted has none
// that are final, and no parents.
func (x *Search) Run(ctx context.Context, e *cuda.Engine, j *pregel.Job) (pregel.Stop, error) {
	return e.RunKernels(ctx, j, x)
}

// Ordered tells whether the answer is in the user's order.
func (x *Search) Ordered() bool { return x.Bring.Brought() }

// Name is that of the program.
func (x *Search) Name() string { return x.Program }

// limit is up to which distances are sent on.
func (x *Search) limit() uint64 {
	if x.wide || x.Hops {
		return math.MaxInt64
	}
	return math.MaxUint32 - 1 - uint64(x.Most)
}

func (x *Search) form() pregel.Form {
	f := pregel.Form{Combine: "min", Edge: "plus_weight", Waits: true, Exact: true}
	f.Name, f.Source, f.Params = "tiled.cu", functions+ofLength, struct {
		Source uint32
		Limit  uint64
	}{x.Source, x.limit()}
	if x.Hops {
		f.Edge = "copy"
		f.Source = functions + ofHops
	}
	number, size := "u32", 4
	f.Identity = "0xffffffffu"
	if x.wide {
		number, size, f.Identity = "i64", 8, "0x7fffffffffffffffll"
	}
	f.Value = pregel.CType{Definition: "typedef " + number + " Value;", Size: size}
	f.Message = pregel.CType{Definition: "typedef " + number + " Message;", Size: size}
	return f
}

// slack is how far above the least distance is due.
func (x *Search) slack() uint64 {
	usual := x.Usual
	if x.Hops {
		usual = 1
	}
	return uint64(max(aheadTiles*acrossTile*usual, 1))
}

// Begin makes buffers and kernels.
func (x *Search) Begin(s *cuda.Session) (err error) {
	x.started, x.near = false, nil
	if x.relax, err = s.Relax(x.form(), cuda.RelaxOptions{Slack: x.slack()}); err != nil {
		return err
	}
	if x.Alone {
		x.bringer, err = s.Bringer(x.Bring, cuda.Column{Numbers: x.relax.Values()})
		return err
	}
	if x.parent, err = s.Buffer(4*uint64(s.Graph().N), "parents"); err != nil {
		return err
	}
	if x.beyond, err = s.Buffer(4, "mark of distances too great"); err != nil {
		return err
	}
	dist, far := "u32", "0xffffffffu"
	if x.wide {
		dist, far = "i64", "0x7fffffffffffffffll"
	}
	one := 0
	if x.Hops {
		one = 1
	}
	if x.kernel, err = s.Kernel("nearest", "nearest_parents", "DIST="+dist, "FAR="+far, fmt.Sprintf("HOPS=%d", one)); err != nil {
		return err
	}
	in, err := s.Graph().In()
	if err != nil {
		return err
	}
	if err := x.brings(s); err != nil {
		return err
	}
	var order *driver.Buffer
	if x.Least && x.bringer != nil {
		order = x.bringer.Order
	}
	x.args = driver.NewArgs().Buffer(in.Offsets).Buffer(in.Targets).Buffer(in.Weights).Uint32(s.Graph().N).Uint32(x.Source).Uint64(x.limit()).
		Buffer(x.relax.Values()).Buffer(order).Buffer(x.parent).Buffer(x.relax.Control()).Buffer(x.beyond)
	return nil
}

// brings makes what bringing distances and parents takes.
func (x *Search) brings(s *cuda.Session) (err error) {
	columns := []cuda.Column{{Numbers: x.relax.Values(), Wide: x.wide}}
	if !x.Lone {
		columns = append(columns, cuda.Column{Numbers: x.parent, Names: true, Own: x.Least})
	}
	x.bringer, err = s.Bringer(x.Bring, columns...)
	return err
}

// Superstep does rounds until the device comes back. What finds the parents does
// nothing before the distances are final, so it is launched at once.
func (x *Search) Superstep(s *cuda.Session, _ int) (cuda.Counts, error) {
	if !x.started {
		x.started = true
		if !x.Alone {
			if err := x.beyond.Fill(0, 4, 0); err != nil {
				return cuda.Counts{}, err
			}
		}
		if err := x.relax.Start(); err != nil {
			return cuda.Counts{}, err
		}
	}
	if err := x.relax.Launch(math.MaxInt32); err != nil {
		return cuda.Counts{}, err
	}
	if x.Alone {
		return x.read(s)
	}
	if err := s.Launch(x.kernel, 8*s.Info().Processors, 256, x.args); err != nil {
		return cuda.Counts{}, err
	}
	return x.read(s)
}

func (x *Search) read(s *cuda.Session) (cuda.Counts, error) {
	records, err := x.relax.Read(x.Program, nil)
	c := cuda.Counts{Next: 1, Done: len(records)}
	for _, r := range records {
		c.Awake += r.Awake
		c.Arcs += r.Arcs
	}
	c.Account, c.Atomics = x.account(), c.Arcs
	if err != nil || !x.relax.Finished() {
		return c, err
	}
	var beyond [1]uint32
	if !x.wide && !x.Hops {
		if err := s.ReadUint32s(x.beyond, 0, beyond[:]); err != nil {
			return c, err
		}
	}
	if beyond[0] == 0 {
		c.Next = 0
		return c, x.bring(s)
	}
	x.wide = true
	s.Reset()
	return c, x.Begin(s)
}

// bring has the answer brought into the user's order.
func (x *Search) bring(s *cuda.Session) error {
	if x.bringer == nil {
		return nil
	}
	x.Bring.Done, x.near = true, x.bringer.To[0]
	if !x.Alone && !x.Lone {
		x.parent = x.bringer.To[1]
	}
	return s.LaunchBringer(x.bringer)
}

// inTiles is why a trace says that it is done so.
const inTiles = "vertices stand with their neighbours: distances are relaxed in place, tile by tile"

// account is that of a record: a vertex has a distance, and so has the end of an arc.
func (x *Search) account() *pregel.Account {
	w := pregel.Widths{Value: 4, Message: 4, Frontier: pregel.ListedFrontier}
	if x.wide {
		w.Value, w.Message = 8, 8
	}
	if !x.Hops {
		w.Weight = 4
	}
	return &pregel.Account{Widths: w, Why: pregel.Choice{Rule: inTiles}}
}

// End copies the answer to the host.
func (x *Search) End(s *cuda.Session) error {
	n := int(s.Graph().N)
	if !x.Alone && !x.Lone {
		x.Parent = mem.Make[uint32](n)
		if err := x.parent.Read(0, mem.Bytes(x.Parent)); err != nil {
			return err
		}
	}
	distances := x.relax.Values()
	if x.near != nil {
		distances = x.near
	}
	if x.wide {
		x.Distance64 = mem.Make[int64](n)
		return distances.Read(0, mem.Bytes(x.Distance64))
	}
	x.Distance32 = mem.Make[uint32](n)
	return distances.Read(0, mem.Bytes(x.Distance32))
}
