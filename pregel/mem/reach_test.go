package mem_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gopregel/pregel/mem"
)

// A spread is words, and the rows along which some send.
type spread[W uint32 | uint64] struct {
	wave  mem.Wave[W]
	words []W
	arcs  mem.Arcs // with wide offsets
	us    []uint32
}

// narrow is a copy of wide offsets, the greatest of which may be beyond.
func narrow(o mem.Offsets) mem.Offsets {
	list := make([]uint32, o.Len())
	for i, x := range o.All() {
		list[i] = uint32(min(x, 1<<32-1))
	}
	return mem.NarrowOffsets(list)
}

// spreadOf draws words at rest, of this wave, and of one before.
func spreadOf[W uint32 | uint64](r *rand.Rand, f mem.Wave[W], before W) spread[W] {
	n := 1 + r.IntN(300)
	s := spread[W]{wave: f, words: make([]W, n), arcs: mem.Arcs{Offsets: mem.WideOffsets([]uint64{0})}}
	thin := []int{1, 4, 30}[r.IntN(3)]
	for v := range s.words {
		earlier := mem.Wave[W]{Stamp: before, Message: f.Message, Shift: f.Shift}
		s.words[v] = []W{f.Rest, f.Word(r.Uint32N(uint32(n))), earlier.Word(r.Uint32N(uint32(n)))}[r.IntN(3)]
		for range r.IntN(thin + 1) {
			s.arcs.Targets = append(s.arcs.Targets, r.Uint32N(uint32(n)))
		}
		s.arcs.Offsets = s.arcs.Offsets.Grown(1)
		s.arcs.Offsets.Set(uint32(v)+1, uint64(len(s.arcs.Targets)))
		if r.IntN(2) == 0 {
			s.us = append(s.us, uint32(v))
		}
	}
	r.Shuffle(len(s.us), func(i, k int) { s.us[i], s.us[k] = s.us[k], s.us[i] })
	return s
}

// slowly sends along the rows of us in order.
func (s spread[W]) slowly(words []W, us []uint32) (next []uint32, arcs uint64) {
	for _, u := range us {
		for _, v := range s.arcs.Targets[s.arcs.Offsets.At(u):s.arcs.Offsets.At(u+1)] {
			arcs++
			x := s.wave.Word(u)
			if !s.wave.Takes(words[v], x) {
				continue
			}
			if words[v] == s.wave.Rest {
				next = append(next, v)
			}
			words[v] = x
		}
	}
	return next, arcs
}

// Words of either size, the message in either half or nowhere, take what they do one by one,
// and whoever was at rest is listed once and in order.
func TestReachRows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 1500 {
		reaches(t, r, spreadOf(r, mem.Wave[uint64]{Rest: 1<<64 - 1, Stamp: 7, Message: 0xffffffff << 32, Shift: 32}, 6))
		reaches(t, r, spreadOf(r, mem.Wave[uint64]{Rest: 5 << 32, Stamp: 1 << 63, Message: 0xffffffff}, 3<<40))
		reaches(t, r, spreadOf(r, mem.Wave[uint64]{Rest: 1 << 40, Stamp: 1<<40 | 1}, 1<<41))
		reaches(t, r, spreadOf(r, mem.Wave[uint32]{Rest: 1<<32 - 1, Stamp: 9}, 4))
	}
}

func reaches[W uint32 | uint64](t *testing.T, r *rand.Rand, s spread[W]) {
	t.Helper()
	words, want, along := slices.Clone(s.words), slices.Clone(s.words), s.arcs
	if r.IntN(2) == 0 {
		along.Offsets = narrow(along.Offsets)
	}
	rows, list := r.IntN(len(s.us)+2), make([]uint32, r.IntN(2*len(s.arcs.Targets)+1))
	got := mem.ReachRows(words, s.wave, along, s.us, rows, list, r.IntN(2) == 0)
	next, arcs := s.slowly(want, s.us[:got.Rows])
	if !slices.Equal(words, want) || !slices.Equal(list[:got.Next], next) || got.Arcs != arcs {
		t.Fatalf("%+v, %d rows: %+v, %v, list %v; want %v, list %v, %d arcs", s, rows, got, words, list[:got.Next], want, next, arcs)
	}
	if done := min(rows, len(s.us)); inAssembly && int(got.Rows) < done {
		u := s.us[got.Rows]
		if degree := s.arcs.Offsets.Degree(u); got.Next+degree <= uint64(len(list)) {
			t.Fatalf("%+v: ended before row %d of %d, with room for it", s, got.Rows, done)
		}
	} else if inAssembly && int(got.Rows) != done {
		t.Fatalf("%+v: %d rows, want %d", s, got.Rows, done)
	}
}

// Nor in rows of many arcs, wherever in them the target that is no word is: what lies behind the words is
// left as it is.
func TestReachLongRowsOutOfBounds(t *testing.T) {
	for at := range 12 {
		targets := []uint32{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}
		targets[at] = 3
		reachesNoMore[uint32](t, at, targets)
		reachesNoMore[uint64](t, at, targets)
	}
}

func reachesNoMore[W uint32 | uint64](t *testing.T, at int, targets []uint32) {
	t.Helper()
	wide := mem.WideOffsets([]uint64{0, 12, 12, 12})
	for _, alone := range []bool{false, true} {
		for _, offsets := range []mem.Offsets{wide, narrow(wide)} {
			room := []W{9, 9, 9, 9, 9}
			got := mem.ReachRows(room[:3], mem.Wave[W]{Rest: 9, Stamp: 5}, mem.Arcs{Offsets: offsets, Targets: targets}, []uint32{0}, 1, make([]uint32, 20), alone)
			if got.Rows != 0 || got.Next > 3 || room[3] != 9 || room[4] != 9 {
				t.Errorf("target %d, alone %v, wide %v: %+v, words %d", at, alone, offsets.Wide(), got, room)
			}
		}
	}
}

// Several at once leave what one does: the least message, and each index in one list.
func TestReachRowsTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 3))
	for range 300 {
		s := spreadOf(r, mem.Wave[uint64]{Rest: 1<<64 - 1, Stamp: 7, Message: 0xffffffff << 32, Shift: 32}, 6)
		words, want := slices.Clone(s.words), slices.Clone(s.words)
		lists, group := make([][]uint32, 3), sync.WaitGroup{}
		for i := range lists {
			us := s.us[len(s.us)*i/3 : len(s.us)*(i+1)/3]
			lists[i] = make([]uint32, len(s.arcs.Targets))
			group.Go(func() {
				got := mem.ReachRows(words, s.wave, s.arcs, us, len(us), lists[i], false)
				lists[i] = lists[i][:got.Next]
			})
		}
		group.Wait()
		if !inAssembly {
			return
		}
		next, _ := s.slowly(want, s.us)
		found := slices.Concat(lists...)
		slices.Sort(found)
		slices.Sort(next)
		if !slices.Equal(words, want) || !slices.Equal(found, next) {
			t.Fatalf("%+v: %v, %v, want %v, %v", s, words, found, want, next)
		}
	}
}

// A row that is none, and one that names no word, are not done, nor is anything behind them.
func TestReachRowsOutOfBounds(t *testing.T) {
	targets := []uint32{1, 2, 0, 1, 2, 0}
	for name, c := range map[string]struct {
		offsets []uint64
		targets []uint32
		us      []uint32
		rows    uint64
	}{
		"a target that is no word": {[]uint64{0, 2, 4, 6}, []uint32{1, 2, 0, 3, 2, 0}, []uint32{0, 1, 2}, 1},
		"a target far beyond":      {[]uint64{0, 2, 4, 6}, []uint32{1, 1<<32 - 1, 0, 1, 2, 0}, []uint32{2, 0}, 1},
		"a row backwards":          {[]uint64{0, 4, 2, 6}, targets, []uint32{0, 1, 2}, 1},
		"a row that ends beyond":   {[]uint64{0, 2, 4, 7}, targets, []uint32{0, 1, 2}, 2},
		"an offset far beyond":     {[]uint64{0, 2, 1 << 62, 6}, targets, []uint32{1}, 0},
		"a vertex that is none":    {[]uint64{0, 2, 4, 6}, targets, []uint32{3}, 0},
		"offsets for fewer":        {[]uint64{0, 2, 4}, targets, []uint32{0}, 0},
	} {
		for _, alone := range []bool{false, true} {
			words := []uint64{9, 9, 9}
			list := make([]uint32, 20)
			wide := mem.WideOffsets(c.offsets)
			for _, offsets := range []mem.Offsets{wide, narrow(wide)} {
				got := mem.ReachRows(words, mem.Wave[uint64]{Rest: 9, Stamp: 1 << 32, Message: 0xffffffff}, mem.Arcs{Offsets: offsets, Targets: c.targets}, c.us, 3, list, alone)
				if inAssembly && got.Rows != c.rows || !inAssembly && got.Rows != 0 {
					t.Errorf("%s, alone %v: %d rows, want %d", name, alone, got.Rows, c.rows)
				}
			}
		}
	}
}
