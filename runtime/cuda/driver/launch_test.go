//go:build cuda

package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const launchSource = `
typedef unsigned u32;
typedef unsigned long long u64;
struct Pair { u64 first; u32 second; };

extern "C" __global__ void add(u32 *to, u32 n, u64 x, float f, double g, Pair p) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += (u32)(x + f + g + p.first + p.second);
}

// Each block waits for all: only a cooperative launch may do this.
extern "C" __global__ void meet(u32 *count, u32 *seen) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {}
    seen[blockIdx.x] = gridDim.x;
  }
}

extern "C" __global__ void reverse(u32 *to) {
  extern __shared__ u32 part[];
  part[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void null(u32 *p) { *p = 1; }
extern "C" __global__ void misaligned(u32 *p) { *(volatile u64 *)(p + 1) = 1; }
extern "C" __global__ void trap(u32 *p) { asm volatile("trap;"); }

extern "C" __global__ void spin(u64 cycles) {
  long long start = clock64();
  while (clock64() - start < (long long)cycles) {}
}
`

// load compiles and loads the source above.
func load(t *testing.T, d *Device) func(string) *Kernel {
	t.Helper()
	arch := fmt.Sprintf("sm_%d%d", d.Info().Major, d.Info().Minor)
	compiled, err := Compile("launch.cu", launchSource, CompileOptions{Arch: arch})
	if err != nil {
		t.Fatal(err)
	}
	m := must(d.Load(compiled.Image))(t)
	return func(name string) *Kernel { return must(m.Kernel(name))(t) }
}

func words(t *testing.T, b *Buffer) []uint32 {
	t.Helper()
	raw := make([]byte, b.Size())
	check(t, b.Read(0, raw))
	list := make([]uint32, len(raw)/4)
	for i := range list {
		list[i] = binary.NativeEndian.Uint32(raw[4*i:])
	}
	return list
}

func TestLaunch(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		k := load(t, d)("add")
		if i := k.Info(); k.Name() != "add" || i.Registers < 1 || i.MaxThreads < 32 {
			t.Errorf("%s: %+v", k.Name(), i)
		}
		const n = 100_001
		b := must(d.Alloc(4*n, "to"))(t)
		pair := binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint64(nil, 1000), 10_000)
		a := NewArgs().Buffer(b).Uint32(n).Uint64(1).Float32(10).Float64(100).Bytes(append(pair, 0, 0, 0, 0))
		shape := Shape{Blocks: (n + 255) / 256, Threads: 256}
		check(t, b.Fill(0, b.Size(), 0), k.Launch(shape, a))
		a.SetUint64(2, 2)
		check(t, k.Launch(shape, a))
		for i, x := range words(t, b) {
			if x != 2*11_110+3 {
				t.Fatalf("word %d is %d, want %d", i, x, 2*11_110+3)
			}
		}
		a.SetUint32(1, 0)
		if allocs := testing.AllocsPerRun(1000, func() { k.Launch(shape, a) }); allocs != 0 {
			t.Errorf("%v allocations a launch", allocs)
		}
		check(t, d.Sync())
	})
}

func TestCooperativeLaunch(t *testing.T) {
	d := open(t)
	if !d.Info().Cooperative {
		t.Skip("the device has no cooperative launches")
	}
	within(t, d, func() {
		k := load(t, d)("meet")
		resident := must(k.Resident(256, 0))(t)
		blocks := resident * d.Info().Processors
		count, seen := must(d.Alloc(4, "count"))(t), must(d.Alloc(uint64(4*blocks), "seen"))(t)
		check(t, count.Fill(0, 4, 0), seen.Fill(0, seen.Size(), 0))
		a := NewArgs().Buffer(count).Buffer(seen)
		check(t, k.Launch(Shape{Blocks: blocks, Threads: 256, Cooperative: true}, a), d.Sync())
		for i, x := range words(t, seen) {
			if x != uint32(blocks) {
				t.Fatalf("block %d has seen %d of %d", i, x, blocks)
			}
		}
		err := k.Launch(Shape{Blocks: blocks + 1, Threads: 256, Cooperative: true}, a)
		var e *Error
		if !errors.As(err, &e) || e.Fatal() == true && e.Code != 720 || !strings.Contains(err.Error(), "cuLaunchCooperativeKernel(meet") {
			t.Errorf("a block too many: %v", err)
		}
	})
}

func TestSharedMemory(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		k := load(t, d)("reverse")
		const n = 64
		b := must(d.Alloc(4*n, "to"))(t)
		raw := make([]byte, 4*n)
		for i := range n {
			binary.NativeEndian.PutUint32(raw[4*i:], uint32(i))
		}
		check(t, b.Write(0, raw))
		shape := Shape{Blocks: 1, Threads: n, Shared: d.Info().SharedBlock}
		if d.Info().SharedBlock > 48<<10 {
			if err := k.Launch(shape, NewArgs().Buffer(b)); err == nil {
				t.Error("more shared memory is given than allowed")
			}
		}
		check(t, k.AllowShared(shape.Shared), k.Launch(shape, NewArgs().Buffer(b)))
		for i, x := range words(t, b) {
			if x != uint32(n-1-i) {
				t.Fatalf("word %d is %d", i, x)
			}
		}
		if err := k.AllowShared(1 << 30); err == nil || !strings.Contains(err.Error(), "cuFuncSetAttribute(reverse") {
			t.Errorf("a gigabyte of shared memory: %v", err)
		}
	})
}

func TestLaunchErrors(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		find := load(t, d)
		k := find("null")
		for what, err := range map[string]error{
			"kernel null: cannot launch 0 blocks":    k.Launch(Shape{Blocks: 0, Threads: 1}, NewArgs().Buffer(nil)),
			"kernel null: cannot launch 1 blocks of": k.Launch(Shape{Blocks: 1, Threads: -1}, NewArgs().Buffer(nil)),
			"cuLaunchKernel(null, 1 blocks, 5000":    k.Launch(Shape{Blocks: 1, Threads: 5000}, NewArgs().Buffer(nil)),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), what) {
				t.Errorf("%v, want %q", err, what)
			}
		}
		if !k.known {
			t.Log("this driver does not tell about parameters")
		} else if err := k.Launch(Shape{Blocks: 1, Threads: 1}, nil); err == nil {
			t.Error("a launch without its argument")
		}
		freed := must(d.Alloc(4, "gone"))(t)
		stale := NewArgs().Buffer(freed)
		check(t, freed.Free())
		if err := k.Launch(Shape{Blocks: 1, Threads: 1}, stale); !errors.Is(err, errFreed) || !strings.Contains(err.Error(), `argument 0: buffer "gone"`) {
			t.Errorf("launch with a freed buffer: %v", err)
		}
		if _, err := k.module.Kernel("nowhere"); err == nil || !strings.Contains(err.Error(), `cuModuleGetFunction("nowhere"): CUDA_ERROR_NOT_FOUND (500)`) {
			t.Errorf("no such kernel: %v", err)
		}
		if _, err := d.Load([]byte("nonsense")); err == nil || !strings.Contains(err.Error(), "cuModuleLoadData(8 bytes)") {
			t.Errorf("nonsense is loaded: %v", err)
		}
		check(t, k.module.Unload(), k.module.Unload())
		if err := k.Launch(Shape{Blocks: 1, Threads: 1}, NewArgs().Buffer(nil)); !errors.Is(err, errFreed) {
			t.Errorf("launch from an unloaded module: %v", err)
		}
	})
}

func TestEvents(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		k := load(t, d)("spin")
		before, after := must(d.Event())(t), must(d.Event())(t)
		cycles := uint64(d.Info().ClockKHz) * 20 // 20 ms at full clock
		check(t, before.Record(), k.Launch(Shape{Blocks: 1, Threads: 1}, NewArgs().Uint64(cycles)), after.Record())
		if done := must(after.Done())(t); done {
			t.Error("20 ms of work are done at once")
		}
		check(t, after.Wait())
		if done := must(after.Done())(t); !done {
			t.Error("not done after Wait")
		}
		if took := must(after.Since(before))(t); took.Milliseconds() < 15 || took.Seconds() > 2 {
			t.Errorf("20 ms of work took %v", took)
		}
		check(t, after.Free(), after.Free())
		if err := after.Record(); !errors.Is(err, errFreed) {
			t.Errorf("freed: %v", err)
		}
	})
}
