// Schedules made once for a resident graph: tiles of arcs, and who has arcs.
#include "base.cuh"

static const u32 TILE = 512;

// receivers sets the bits of the vertices that have arcs, and counts them.
extern "C" __global__ void graph_receivers(const Offset *offsets, u32 n, u32 *bits, u32 more) {
  for (u32 base = global_warp() * 32; base < n; base += global_warps() * 32) {
    u32 v = base + lane();
    u32 word = __ballot_sync(~0u, v < n && offsets[v + 1] > offsets[v]);
    if (lane() == 0) bits[base >> 5] = more ? bits[base >> 5] | word : word;
  }
}

// counts of set bits by block of 1024 words, for graph_rows.
extern "C" __global__ void graph_count(const u32 *bits, u32 words, u32 *counts) {
  __shared__ u32 total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  u32 sum = 0;
  u32 end = (blockIdx.x + 1) * 1024 < words ? (blockIdx.x + 1) * 1024 : words;
  for (u32 i = blockIdx.x * 1024 + threadIdx.x; i < end; i += blockDim.x) sum += __popc(bits[i]);
  sum = warp_sum(sum);
  if (lane() == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// rows lists the vertices with arcs in order, with the first arc of each. base
// holds how many come before each block of 1024 words; one warp a block.
extern "C" __global__ void graph_rows(const Offset *offsets, const u32 *bits, u32 words, const u32 *base, u32 *rows, Offset *starts) {
  u32 at = base[blockIdx.x];
  u32 end = (blockIdx.x + 1) * 1024 < words ? (blockIdx.x + 1) * 1024 : words;
  for (u32 i = blockIdx.x * 1024; i < end; i++) {
    u32 word = bits[i];
    if (word >> lane() & 1) {
      u32 k = at + __popc(word & ((1u << lane()) - 1)), v = i * 32 + lane();
      rows[k] = v;
      starts[k] = offsets[v];
    }
    at += __popc(word);
  }
}

// tiles finds the row within which each tile begins; the last entry is the last
// row.
extern "C" __global__ void graph_tiles(const Offset *starts, u32 rows, u64 arcs, u32 tiles, u32 *out) {
  for (u32 t = global_thread(); t <= tiles; t += global_threads()) {
    u64 arc = t == tiles ? arcs - 1 : (u64)t * TILE;
    u32 lo = 0, hi = rows; // starts[lo] <= arc < starts[hi]
    while (hi - lo > 1) {
      u32 mid = lo + (hi - lo) / 2;
      if ((u64)starts[mid] <= arc) lo = mid;
      else hi = mid;
    }
    out[t] = lo;
  }
}

// narrow makes 32-bit offsets of 64-bit ones.
extern "C" __global__ void graph_narrow(const u64 *from, u32 *to, u64 n) {
  for (u64 i = global_thread(); i < n; i += global_threads()) to[i] = (u32)from[i];
}

// copy, and random reads of 4 bytes, for measuring.
extern "C" __global__ void measure_random(const u32 *table, u32 mask, u32 rounds, u32 *out) {
  u32 x = global_thread() * 2654435761u + 12345u, sum = 0;
  for (u32 i = 0; i < rounds; i++) {
#pragma unroll
    for (u32 j = 0; j < 8; j++) {
      x = x * 1664525u + 1013904223u;
      sum += table[(x >> 3 ^ x << 13) & mask];
    }
  }
  if (sum == 0xdeadbeef) *out = sum;
}

extern "C" __global__ void measure_atomic(u32 *table, u32 mask, u32 rounds) {
  u32 x = global_thread() * 2654435761u + 12345u;
  for (u32 i = 0; i < rounds; i++) {
#pragma unroll
    for (u32 j = 0; j < 8; j++) {
      x = x * 1664525u + 1013904223u;
      atomicMin(table + ((x >> 3 ^ x << 13) & mask), x);
    }
  }
}
