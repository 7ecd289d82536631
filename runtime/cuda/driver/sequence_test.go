//go:build cuda

package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// graphs counts the sequences that have become graphs.
func (s *Sequences) graphs() (n int) {
	for i := range s.known {
		if s.known[i].exec != nil {
			n++
		}
	}
	return n
}

// addition is a launch of the kernel add to n words.
func addition(b *Buffer, n uint32, x uint64) *Args {
	return NewArgs().Buffer(b).Uint32(n).Uint64(x).Float32(0).Float64(0).Bytes(make([]byte, 16))
}

// Whatever is collected, one after the other and again, does what it does at once.
func TestSequences(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 2))
		k, s := load(t, d)("add"), d.NewSequences()
		pinned := must(d.Pin(64))(t)
		before, after := must(d.Event())(t), must(d.Event())(t)
		b := must(d.Alloc(64, "to"))(t)
		shape := Shape{Blocks: 1, Threads: 32}
		for round := range 60 {
			first := r.Uint32()
			binary.NativeEndian.PutUint32(pinned.Bytes(), first)
			want := first
			check(t, pinned.WriteAsync(0, b, 0, 4), d.Collect(s), before.Record())
			a := addition(b, 1, 0)
			for range r.IntN(3) + (longest-2)*r.IntN(2) { // sometimes too many
				x := uint64(r.IntN(2))
				a.SetUint64(2, x) // what has been asked for stays as it was
				check(t, k.Launch(shape, a))
				want += uint32(x)
			}
			a.SetUint64(2, 1000)
			check(t, after.Record(), pinned.ReadAsync(4, b, 0, 4))
			switch r.IntN(4) {
			case 0:
				check(t, after.Wait())
			case 1:
				check(t, must(d.Alloc(4, "other"))(t).Free())
			}
			check(t, d.Sync())
			if got := binary.NativeEndian.Uint32(pinned.Bytes()[4:]); got != want {
				t.Fatalf("round %d: %d, want %d", round, got, want)
			}
			if took := must(after.Since(before))(t); took <= 0 || took > time.Second {
				t.Fatalf("round %d took %v", round, took)
			}
		}
		if s.graphs() == 0 {
			t.Error("no sequence has come back")
		}
	})
}

// What is the same but for arguments becomes a graph the second time; a cooperative
// kernel, with other arguments each time, does not stop it.
func TestSequenceGraph(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		find, s := load(t, d), d.NewSequences()
		meet, add := find("meet"), find("add")
		blocks := uint32(d.Info().Processors)
		count, size := must(d.Alloc(4, "count"))(t), 4*uint64(blocks)
		both := [2]*Buffer{must(d.Alloc(size, "seen in even rounds"))(t), must(d.Alloc(size, "seen in odd rounds"))(t)}
		met, none := NewArgs().Buffer(count).Buffer(both[0]), addition(count, 1, 0)
		for round := range 5 {
			seen := both[round%2]
			met.SetBuffer(1, seen)
			check(t, count.Fill(0, 4, 0), seen.Fill(0, seen.Size(), 0), d.Collect(s))
			check(t, meet.Launch(Shape{Blocks: int(blocks), Threads: 32, Cooperative: true}, met), add.Launch(Shape{Blocks: 1, Threads: 1}, none))
			for _, x := range words(t, seen) {
				if x != blocks {
					t.Fatalf("round %d: a block has seen %d of %d", round, x, blocks)
				}
			}
			if want := min(round, 1); s.graphs() != want {
				t.Errorf("round %d: %d graphs, want %d", round, s.graphs(), want)
			}
		}
		check(t, meet.module.Unload())
		if s.graphs() != 0 {
			t.Error("a graph names a module that has been unloaded")
		}
		check(t, d.Collect(s))
		if err := meet.Launch(Shape{Blocks: 1, Threads: 1}, met); !errors.Is(err, errFreed) {
			t.Errorf("launch from an unloaded module: %v", err)
		}
		check(t, d.Sync())
	})
}

// Memory of one round lies where that of the round before was, and is another's.
func TestSequenceMemory(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		k, s := load(t, d)("add"), d.NewSequences()
		pinned := must(d.Pin(4))(t)
		before, after := must(d.Event())(t), must(d.Event())(t)
		for round := range uint32(40) {
			b := must(d.Alloc(uint64(1+round%3)<<20, "to"))(t)
			check(t, b.Fill(0, 4, 0), d.Collect(s), before.Record(), k.Launch(Shape{Blocks: 1, Threads: 32}, addition(b, 1, uint64(round))), after.Record(), pinned.ReadAsync(0, b, 0, 4), d.Sync())
			if got := binary.NativeEndian.Uint32(pinned.Bytes()); got != round {
				t.Fatalf("round %d: %d", round, got)
			}
			check(t, b.Free())
		}
		if s.graphs() != 1 {
			t.Errorf("%d graphs, want 1", s.graphs())
		}
	})
}

// A sequence is another's graph only where kernels, shapes and events are the same.
func TestSequenceKinds(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		find, s := load(t, d), d.NewSequences()
		null, reverse := find("null"), find("reverse")
		begin, end, other := must(d.Event())(t), must(d.Event())(t), must(d.Event())(t)
		b, kinds := must(d.Alloc(8, "to"))(t), []struct {
			kernel  *Kernel
			threads int
			end     *Event
			want    string
		}{{reverse, 1, end, "[7 9]"}, {reverse, 1, other, "[7 9]"}, {reverse, 2, end, "[9 7]"}, {null, 1, end, "[1 9]"}}
		for round := range 16 {
			k := kinds[round%4]
			check(t, b.Write(0, []byte{7, 0, 0, 0, 9, 0, 0, 0}), begin.Record(), d.Collect(s))
			check(t, k.kernel.Launch(Shape{Blocks: 1, Threads: k.threads, Shared: 8}, NewArgs().Buffer(b)), k.end.Record(), d.Sync())
			if took := must(k.end.Since(begin))(t); took <= 0 {
				t.Errorf("round %d took %v", round, took)
			}
			if got := fmt.Sprint(words(t, b)); got != k.want {
				t.Errorf("round %d: %s, want %s", round, got, k.want)
			}
		}
		if s.graphs() != 4 {
			t.Errorf("%d graphs, want 4", s.graphs())
		}
	})
}

// A graph is given up before the events that it names, and another made of the next.
func TestSequenceForgets(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		k, s := load(t, d)("add"), d.NewSequences()
		b, last := must(d.Alloc(4, "to"))(t), must(d.Event())(t)
		check(t, b.Fill(0, 4, 0))
		for round := range 12 {
			check(t, d.Collect(s), k.Launch(Shape{Blocks: 1, Threads: 32}, addition(b, 1, uint64(round))), last.Record(), d.Sync())
			if want := min(round%3, 1); s.graphs() != want {
				t.Errorf("round %d: %d graphs, want %d", round, s.graphs(), want)
			}
			if round%3 == 2 {
				check(t, last.Free())
				last = must(d.Event())(t)
			}
		}
		if got := fmt.Sprint(words(t, b)); got != "[66]" {
			t.Errorf("found %s, want [66]", got)
		}
	})
}

// An error of what was collected is told by the call that gives it to the device, or by
// the next where that was Free.
func TestSequenceErrors(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		find, s := load(t, d), d.NewSequences()
		k := find("null")
		for round := range 3 {
			check(t, d.Collect(s), k.Launch(Shape{Blocks: 1, Threads: 5000}, NewArgs().Buffer(nil)))
			if err := d.Sync(); err == nil || !strings.Contains(err.Error(), "(null") {
				t.Errorf("round %d: %v", round, err)
			}
			check(t, d.Sync())
		}
		other := must(d.Alloc(4, "other"))(t)
		check(t, d.Collect(s), k.Launch(Shape{Blocks: 1, Threads: 5000}, NewArgs().Buffer(nil)), other.Free())
		if err := d.Sync(); err == nil || !strings.Contains(err.Error(), "(null") {
			t.Errorf("after Free: %v", err)
		}
		check(t, d.Sync())
		freed := must(d.Alloc(4, "gone"))(t)
		check(t, d.Collect(s), find("add").Launch(Shape{Blocks: 1, Threads: 1}, addition(freed, 1, 1)), freed.Free(), d.Sync())
		stale := NewArgs().Buffer(freed)
		check(t, d.Collect(s))
		if err := k.Launch(Shape{Blocks: 1, Threads: 1}, stale); !errors.Is(err, errFreed) {
			t.Errorf("launch with a freed buffer: %v", err)
		}
	})
}

// Work that was collected when Do ends is done.
func TestSequenceEnds(t *testing.T) {
	d := open(t)
	var b *Buffer
	within(t, d, func() {
		k, s := load(t, d)("add"), d.NewSequences()
		b = must(d.Alloc(4, "to"))(t)
		check(t, b.Fill(0, 4, 0), d.Collect(s), k.Launch(Shape{Blocks: 1, Threads: 1}, addition(b, 1, 7)))
	})
	within(t, d, func() {
		if got := fmt.Sprint(words(t, b)); got != "[7]" {
			t.Errorf("found %s, want [7]", got)
		}
	})
}
