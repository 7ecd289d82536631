//go:build cuda || emulate

package cuda

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"gopregel/runtime/cuda/driver"
)

// SeekArcs is what a trace takes SEEK_ARCS for.
const SeekArcs = seekArcs

// opened is an engine, which is closed when the test ends. Without a device the
// test is skipped.
func opened(t *testing.T) *Engine {
	t.Helper()
	e, err := Open(Options{Cache: t.TempDir(), Singly: os.Getenv("GOPREGEL_SINGLY") != ""})
	if errors.Is(err, driver.ErrNoDevice) || errors.Is(err, driver.ErrNotBuilt) {
		t.Skip("no CUDA device: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// GiveUp frees the resident graph and the spare buffers: what Used tells then is
// lost.
func (e *Engine) GiveUp() error {
	return e.device.Do(func() error {
		if e.graph != nil {
			e.graph.free()
			e.graph = nil
		}
		e.drain()
		return nil
	})
}

// RankAll lets ranks be made of every graph that has a vertex of two arcs.
func (e *Engine) RankAll() { e.skew = skew{arcs: 2} }

// ColumnAll lets columns of some 16 vertices be made of every graph that has a vertex
// of two arcs, so many of them narrow, or as many as pay, the others of some 30.
func (e *Engine) ColumnAll(narrow uint32) {
	e.skew = skew{arcs: 2, column: 64, wide: 120, narrow: narrow, any: true}
}

// AsPays columns are narrow: as many as pay.
const AsPays = asPays

// Made names the optional forms of the resident graph with their bytes.
func (e *Engine) Made() map[string]uint64 {
	list := map[string]uint64{}
	add := func(name string, buffers ...*driver.Buffer) {
		for _, b := range buffers {
			if b != nil {
				list[name] += b.Size()
			}
		}
	}
	for _, c := range []*CSR{e.graph.out, e.graph.in} {
		if c == nil || c == e.graph.out && e.graph.out == e.graph.in && len(list) > 0 {
			continue
		}
		sorted := arcsByWeight
		if c != e.graph.out {
			sorted = inArcsByWeight
			add(inArcs, c.Offsets, c.Targets, c.Weights)
		}
		for _, b := range c.byWeight {
			if b.arcs != nil {
				add(sorted, b.arcs.Offsets, b.arcs.Targets, b.arcs.Weights)
			}
			if b.first != nil {
				add(sorted, b.first.Arcs, b.first.Weights)
			}
		}
		add(firstNeighbours, c.first)
		if c.ranks != nil {
			add(arcsByRank, c.ranks.of, c.ranks.targets)
		}
		for _, made := range c.tiles {
			add(arcsByTile, made.buffers()...)
		}
		for _, made := range c.columns {
			if made != nil {
				add(arcsInColumns, made.chunk, made.rows, made.first, made.heard)
			}
		}
	}
	if f := e.forms[edgesInOrder]; f != nil && f.used {
		list[edgesInOrder] = f.Bytes
	}
	if e.graph.before != nil {
		add(OwnOrder, e.graph.before.place, e.graph.before.order)
		if f := e.forms[valuesInOrder]; f != nil && f.used {
			list[OwnOrder] += f.Bytes
		}
	}
	return list
}

// PlanAny is Plan where ranks and columns pay for any graph.
func PlanAny(s Shape) []Optional { return s.optional(skew{}) }

// OrderAll lets ranks and columns be made of every graph that has a vertex of two
// arcs, where its order is right for them; so many columns are narrow.
func (e *Engine) OrderAll(narrow uint32) {
	e.skew = skew{arcs: 2, column: 1000, wide: 2000, narrow: narrow}
}

// fresh returns random numbers, and prints their seed.
func fresh(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// Tiles sets how many vertices a tile has, 64 at the least.
func (e *Engine) Tiles(size int) { e.tile = size }

// Sweeps has relaxed runs sweep every graph that has a vertex of two arcs and more vertices than a tile; kernels are
// compiled with defines, a launch takes so long, and so many vertices are few.
func (e *Engine) Sweeps(few uint32, limit time.Duration, defines ...string) {
	e.skew, e.sweepProbe = skew{arcs: 2}, sweepProbe{append(defines, "PROBED"), limit, few}
}

// Compiled tells whether a program's entry has been.
func (e *Engine) Compiled(entry string) bool {
	for key := range e.kernels {
		if strings.HasSuffix(key, "\n"+entry) {
			return true
		}
	}
	return false
}

// TileBlocks sets how many blocks a relaxed run has at most, 2 at the least.
func (e *Engine) TileBlocks(most int) { e.tileBlocks = most }

// ToldRoom sets the bytes that there are for what the device tells.
func (e *Engine) ToldRoom(bytes int) { e.toldRoom = bytes }

// ToldNeeds is how many a program needs that tallies so many numbers of 8 bytes.
func ToldNeeds(tallies int) int { return toldHead + controlBytes + 16*tallies }

// Told tells whether the device told how the last superstep ended, and forgets it.
func (e *Engine) Told() bool {
	word := e.pinned.Bytes()[pinnedBytes:]
	told := word[0] == 1
	word[0] = 0
	return told
}

// AheadMost sets how long supersteps may take of which one is begun ahead of the host.
func (e *Engine) AheadMost(most time.Duration) { e.aheadMost = most }

// Ahead tells whether a superstep of the last run was begun ahead of the host, of a program
// that tallies so many numbers of 8 bytes, and forgets it.
func (e *Engine) Ahead(tallies int) bool {
	word := e.pinned.Bytes()[pinnedBytes+toldApart(controlBytes+16*tallies):]
	ahead := word[0] == 1
	word[0] = 0
	return ahead
}

// ToldNothing waits for what nobody tells.
func (e *Engine) ToldNothing() (err error) {
	place := toldPlaces(e.pinned, controlBytes, toldBytes)[0]
	place.expect()
	return errors.Join(e.device.Do(func() error { err = place.wait(e.device); return nil }), err)
}
