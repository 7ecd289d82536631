// Numbers by vertex of a prepared graph, brought into the order that its vertices had before: for
// programs of own kernels, what step_bring.cuh is for others. Where they name vertices, they name
// them by the numbers of then.
//
// Cost: a read of the places and of the numbers, a write of these, and a read of a number for
// each vertex that is named. Numbers of eight bytes name none.
//
// Labels of classes, each a vertex of its class, become the least vertices of then: who has a label
// offers itself to it (bring_classes), and what a label has taken is read by all who have it
// (bring_least). The first some thousand do so before the others: a class with one of them has its
// name then, as a class of many nearly always, and the others take it at once.
#include "base.cuh"

#ifndef BRING_NUMBERS
#define BRING_NUMBERS 8 // of a thread under way
#endif

// place has where the number of each vertex lies, order, unless it is null, the vertex as it was by place.
template <class T> __device__ __forceinline__ void bring(const T *from, const u32 *place, const u32 *order, u32 n, T *to) {
  for (u64 base = (u64)blockIdx.x * blockDim.x * BRING_NUMBERS + threadIdx.x; base < n; base += (u64)global_threads() * BRING_NUMBERS) {
    u32 v[BRING_NUMBERS];
    T x[BRING_NUMBERS];
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) {
      u64 u = base + q * blockDim.x;
      v[q] = __ldcs(place + (u < n ? u : n - 1));
    }
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) x[q] = from[v[q]];
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) {
      u64 u = base + q * blockDim.x;
      if (order && x[q] < n) x[q] = order[x[q]]; // else it is NONE
      if (u < n) __stcs(to + u, x[q]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) bring_numbers(const u32 *from, const u32 *place, const u32 *order, u32 n, u32 *to) { bring(from, place, order, n, to); }

extern "C" __global__ void __launch_bounds__(256) bring_wide(const u64 *from, const u32 *place, u32 n, u64 *to) { bring(from, place, nullptr, n, to); }

// What is brought of a run in vain: unless a word of its state, if one is given, is this.
struct When {
  const u32 *word;
  u32 is;

  __device__ __forceinline__ bool not_yet() const { return word && *word != is; }
};

// No label has taken a vertex.
extern "C" __global__ void __launch_bounds__(256) bring_nothing(u32 n, u32 *least, const __grid_constant__ When when) {
  if (when.not_yet()) return;
  for (u64 v = global_thread(); v < n; v += global_threads()) __stcs(least + v, NONE);
}

// What names of classes are made of.
struct Classes {
  const u32 *label, *place;
  u32 n, alone; // who has a place from alone on is a class of its own, and has no label
  u32 *least;   // of each label below alone: the least vertex that has offered itself
  u32 *to;
  u32 *open;    // bits: those whose class has no name for sure; to has their labels
};

// The vertices from first on, up to end, offer themselves. What a label has taken below first it
// keeps: all of those have.
extern "C" __global__ void __launch_bounds__(256) bring_classes(const __grid_constant__ Classes c, u32 first, u32 end, const __grid_constant__ When when) {
  if (when.not_yet()) return;
  end = min(end, c.n);
  for (u64 base = first + (u64)blockIdx.x * blockDim.x * BRING_NUMBERS + threadIdx.x - lane(); base < end; base += (u64)global_threads() * BRING_NUMBERS) {
    u32 v[BRING_NUMBERS], l[BRING_NUMBERS], named[BRING_NUMBERS];
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) {
      u64 u = base + q * blockDim.x + lane();
      v[q] = __ldcs(c.place + (u < end ? u : end - 1));
    }
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) l[q] = v[q] < c.alone ? c.label[v[q]] : NONE;
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) named[q] = l[q] < c.alone && first ? c.least[l[q]] : NONE;
#pragma unroll
    for (u32 q = 0; q < BRING_NUMBERS; q++) {
      u64 u = base + q * blockDim.x + lane();
      bool labelled = u < end && l[q] < c.alone, waits = labelled && named[q] >= first;
      u32 x = v[q] >= c.alone ? (u32)u : labelled && !waits ? named[q] : l[q];
      if (u < end) __stcs(c.to + u, x);
      u32 word = __ballot_sync(~0u, waits);
      if (lane() == 0 && u < end) c.open[u >> 5] = word;
      bool offers = waits && u < named[q]; // which is no less than it will be
      u32 mask = __ballot_sync(~0u, offers);
      if (!mask) continue;
      u32 leader = __ffs(mask) - 1, common = __shfl_sync(~0u, l[q], leader);
      if (offers && (lane() == leader || l[q] != common)) atomicMin(c.least + l[q], (u32)u);
    }
  }
}

// Those whose class had no name read it. A lane has a word of 32 vertices' bits. Few words have any bit set
// but the first some hundred, so the words of a warp lie far apart.
extern "C" __global__ void __launch_bounds__(256) bring_least(const __grid_constant__ Classes c, const __grid_constant__ When when) {
  if (when.not_yet()) return;
  u32 words = (c.n + 31) / 32, warps = global_warps();
  for (u64 base = global_warp(); base < words; base += (u64)warps * 32) {
    u64 word = base + (u64)lane() * warps;
    u32 bits = word < words ? c.open[word] : 0, some = __ballot_sync(~0u, bits != 0);
    while (some) {
      u64 v[BRING_NUMBERS];
      u32 x[BRING_NUMBERS];
      bool open[BRING_NUMBERS];
#pragma unroll
      for (u32 q = 0; q < BRING_NUMBERS; q++) {
        u32 from = some ? __ffs(some) - 1 : 0, held = __shfl_sync(~0u, bits, from);
        open[q] = some && held >> lane() & 1;
        v[q] = (base + (u64)from * warps) * 32 + lane();
        some &= some - 1;
      }
#pragma unroll
      for (u32 q = 0; q < BRING_NUMBERS; q++) {
        if (open[q]) x[q] = c.to[v[q]];
      }
#pragma unroll
      for (u32 q = 0; q < BRING_NUMBERS; q++) {
        if (open[q]) c.to[v[q]] = c.least[x[q]];
      }
    }
  }
}
