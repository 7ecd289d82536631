//go:build emulate && cgo

package emulator

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// A bench runs small kernels over one array of 64-bit words.
type bench struct {
	*testing.T
	kernel *Kernel
	memory *Memory
	pin    runtime.Pinner
}

func newBench(t *testing.T, body string, words int) *bench {
	t.Helper()
	image, err := Compile("test.cu", "typedef unsigned u32;\ntypedef unsigned long long u64;\n#line 1 \"test.cu\"\nextern \"C\" __global__ void __launch_bounds__(512) f(u64 *x, u32 n) {\n"+body+"\n}\n", []string{"THREE=3"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(image)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, kernel: m.Kernel("f"), memory: Alloc(uint64(words) * 8)}
	t.Cleanup(func() { m.Close(); b.memory.Free() })
	if m.Kernel("g") != nil || b.kernel.Bound != 512 || len(b.kernel.Parameters) != 2 || b.kernel.Parameters[0] != 8 || b.kernel.Parameters[1] != 4 {
		t.Fatalf("kernel %+v", b.kernel)
	}
	return b
}

func (b *bench) run(blocks, threads, n int, cooperative bool, seed uint64) error {
	defer b.pin.Unpin()
	address, number := b.memory.Address(), uint32(n)
	list := [2]unsafe.Pointer{unsafe.Pointer(&address), unsafe.Pointer(&number)}
	b.pin.Pin(&address)
	b.pin.Pin(&number)
	return b.kernel.Launch(blocks, threads, 64, cooperative, unsafe.Pointer(&list), seed)
}

func (b *bench) clear() {
	for i := range b.memory.Bytes {
		b.memory.Bytes[i] = 0
	}
}

func (b *bench) word(i int) uint64 { return binary.NativeEndian.Uint64(b.memory.Bytes[i*8:]) }

// What collectives, barriers and atomics give does not depend on who runs when.
func TestLaunch(t *testing.T) {
	b := newBench(t, `
  extern __shared__ u32 list[];
  __shared__ u32 sum, last;
  u32 lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0, list[0] = THREE;
  __syncthreads();
  u32 up = __shfl_up_sync(~0u, i, 1), down = __shfl_down_sync(~0u, i, 2), other = __shfl_xor_sync(~0u, i, 5), first = __shfl_sync(~0u, i, 0);
  u32 even = __ballot_sync(~0u, i % 2 == 0);
  u64 wide = __shfl_xor_sync(~0u, (u64)i << 40, 1);
  bool fine = up == (lane ? i - 1 : i) && down == (lane < 30 ? i + 2 : i) && other == (i ^ 5) && first == i - lane && even == 0x55555555u && wide == (u64)(i ^ 1) << 40;
  if (lane < 8) fine &= __reduce_max_sync(0xff, i) == i - lane + 7; else fine &= __reduce_add_sync(~0xffu, 1u) == 24;
  atomicAdd(&sum, fine && list[0] == 3);
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) atomicAdd(x, sum), x[1 + blockIdx.x] = sum;`, 40)
	for seed := range uint64(20) {
		b.clear()
		if err := b.run(37, 192, 0, false, seed); err != nil {
			t.Fatal(err)
		}
		if b.word(0) != 37*192 || b.word(37) != 192 || b.memory.Check() != nil {
			t.Fatalf("seed %d: %d threads of %d are right", seed, b.word(0), 37*192)
		}
	}
}

// The blocks of a cooperative launch wait for each other.
func TestCooperative(t *testing.T) {
	b := newBench(t, `
  for (u32 k = 0; k < n; k++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(x, 1);
      u64 y;
      do asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(y) : "l"(x) : "memory");
      while (y < (k + 1) * gridDim.x);
    }
    __syncthreads();
    if (threadIdx.x == 1 && x[1 + (blockIdx.x + 1) % gridDim.x] + 1 < k) x[10] = 1;
    if (threadIdx.x == 2) x[1 + blockIdx.x] = k;
  }`, 16)
	for seed := range uint64(10) {
		b.clear()
		if err := b.run(3, 64, 20, true, seed); err != nil {
			t.Fatal(err)
		}
		if b.word(0) != 60 || b.word(10) != 0 {
			t.Fatalf("seed %d: %d arrivals, %d", seed, b.word(0), b.word(10))
		}
	}
}

// What a GPU would break on is found, and named with its place.
func TestWrongKernels(t *testing.T) {
	for _, c := range []struct{ what, body, want string }{
		{"lanes part", "if (threadIdx.x % 2) __syncwarp();\nelse __ballot_sync(~0u, 1);", "test.cu:"},
		{"a lane leaves", "if (threadIdx.x == 5) return;\n__syncwarp();", "test.cu:3"},
		{"a lane is not in its mask", "__syncwarp(1);", "is not in the mask 00000001"},
		{"two sites", "if (threadIdx.x < 16) __syncwarp();\nelse __syncwarp();", "__syncwarp (test.cu:"},
		{"a thread leaves", "if (threadIdx.x == 70) return;\n__syncthreads();", "__syncthreads (test.cu:3)"},
		{"a warp waits elsewhere", "if (threadIdx.x < 7)\n  __syncwarp();\n__syncthreads();", "kernel f hangs: block 0, thread 0 waits in __syncwarp (test.cu:3)"},
		{"reads past the end", "x[0] = x[n];", "it touches memory at 0x"},
		{"writes far away", "if (threadIdx.x == 9) *(volatile u32 *)(1ull << 44) = 1;", "block 0, thread 9: it touches memory at 0x100000000000"},
		{"divides by zero", "x[0] = 5 / (n - n);", "it divides by zero"},
		{"asks a lane that is not there", "if (threadIdx.x < 8) x[0] = __shfl_sync(0xff, 1, 9);", "lane 0 asks lane 9"},
	} {
		b := newBench(t, c.body, 4)
		for seed := range uint64(5) {
			err := b.run(1, 96, 4, false, seed)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "kernel f") {
				t.Errorf("%s, seed %d: %v, want %s", c.what, seed, err, c.want)
			}
		}
	}
	b := newBench(t, "((unsigned char *)x)[n] = 1;", 3)
	if err := b.run(1, 32, 24, false, 1); err != nil || b.memory.Check() == nil {
		t.Errorf("a byte written behind the end: %v, %v", err, b.memory.Check())
	}
}

// A race between warps, and one within a warp that only lockstep would hide,
// show; and a seed repeats a run.
func TestRaces(t *testing.T) {
	for what, body := range map[string]string{
		"between blocks": "if (threadIdx.x == 0) { u64 y = __ldcg(x); __ldcg(x); x[0] = y + 1; }",
		"within a warp":  "u64 y = x[1];\nif (threadIdx.x == 0) x[1] = 1;\nif (y == 0) atomicAdd(x, 1);",
	} {
		b := newBench(t, body, 4)
		seen := map[uint64]bool{}
		for seed := range uint64(300) {
			b.clear()
			if err := b.run(4, 32, 0, true, seed); err != nil {
				t.Fatal(err)
			}
			first := b.word(0)
			seen[first] = true
			b.clear()
			if err := b.run(4, 32, 0, true, seed); err != nil || b.word(0) != first {
				t.Fatalf("%s, seed %d: %d, again %d (%v)", what, seed, first, b.word(0), err)
			}
		}
		if len(seen) < 2 {
			t.Errorf("a race %s does not show", what)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	_, err := Compile("mine.cu", "\n\nextern \"C\" __global__ void f() { nowhere(); }\n", nil)
	if log, ok := err.(*CompileError); !ok || !strings.Contains(log.Log, "mine.cu:3") || !strings.Contains(log.Log, "nowhere") {
		t.Errorf("%v", err)
	}
}
