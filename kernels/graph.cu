// Schedules made once for a resident graph: who has arcs, and how many.
#include "base.cuh"

// graph_receivers sets the bits of the vertices with at least least arcs and at
// most most; those of before stay where more is 1.
extern "C" __global__ void graph_receivers(const Offset *offsets, u32 n, u32 *bits, u32 more, u64 least, u64 most) {
  for (u32 base = global_warp() * 32; base < n; base += global_warps() * 32) {
    u32 v = base + lane();
    u64 degree = v < n ? offsets[v + 1] - offsets[v] : 0;
    u32 word = __ballot_sync(~0u, v < n && degree >= least && degree <= most);
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

// graph_rows lists the vertices whose bits are set, in order. base holds how
// many come before each block of 1024 words; one warp a block.
extern "C" __global__ void graph_rows(const u32 *bits, u32 words, const u32 *base, u32 *rows) {
  u32 at = base[blockIdx.x];
  u32 end = (blockIdx.x + 1) * 1024 < words ? (blockIdx.x + 1) * 1024 : words;
  for (u32 i = blockIdx.x * 1024; i < end; i++) {
    u32 word = bits[i];
    if (word >> lane() & 1) rows[at + __popc(word & ((1u << lane()) - 1))] = i * 32 + lane();
    at += __popc(word);
  }
}

// graph_rank numbers the vertices of a list, from base on.
extern "C" __global__ void graph_rank(const u32 *list, u32 count, u32 base, u32 *rank) {
  for (u32 i = global_thread(); i < count; i += global_threads()) rank[list[i]] = base + i;
}

// graph_relabel names targets by rank.
extern "C" __global__ void graph_relabel(const u32 *targets, u64 arcs, const u32 *rank, u32 *out) {
  for (u64 e = global_thread(); e < arcs; e += global_threads()) out[e] = rank[targets[e]];
}

// graph_sort sorts the targets of each vertex that are in order but for their
// class, of which first gives the least rank; a warp a vertex, a pass a class.
extern "C" __global__ void graph_sort(const Offset *offsets, u32 n, const u32 *targets, const u32 *first, u32 classes, u32 *out) {
  for (u32 v = global_warp(); v < n; v += global_warps()) {
    u64 begin = offsets[v], end = offsets[v + 1], at = begin;
    for (u32 c = 0; c < classes && at < end; c++) {
      u32 lo = first[c], hi = first[c + 1];
      if (lo == hi) continue;
      for (u64 e = begin; e < end; e += 32) {
        u32 x = e + lane() < end ? targets[e + lane()] : NONE;
        bool in = x >= lo && x < hi;
        u32 mask = __ballot_sync(~0u, in);
        if (in) out[at + __popc(mask & ((1u << lane()) - 1))] = x;
        at += __popc(mask);
      }
    }
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
