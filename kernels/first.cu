// Makes the array of first neighbours (first.cuh) of a direction. Entries behind
// the last vertex, up to a multiple of 32, are NONE.
//
// Cost: a read of the offsets and of a sector of each list.
#include "first.cuh"

extern "C" __global__ void __launch_bounds__(256) first_fill(const Offset *offsets, const u32 *targets, u32 n, u32 *first) {
  u64 end = ((u64)n + 31) / 32 * 32;
  for (u64 v = global_thread(); v < end; v += global_threads()) {
    u64 from = 0, to = 0;
    if (v < n) from = offsets[v], to = offsets[v + 1];
#pragma unroll
    for (u32 j = 0; j < FIRST; j++) first[first_at((u32)v, j)] = from + j < to ? targets[from + j] : NONE;
  }
}
