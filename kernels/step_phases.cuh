// Single phases, a kernel each: how all programs begin, and the supersteps of those
// that tally. Places that are chosen anew for each superstep, of values, offers and
// frontiers, are so in their struct Run, by the host: a choice here would be held in
// registers.
#pragma once

#include "step_pull.cuh"

#ifdef TRACED
// stamp notes the time.
__device__ __forceinline__ void stamp(const Run &r, u32 slot) { ((u64 *)r.records)[slot] = nanoseconds(); }
__device__ __forceinline__ void begins(const Run &r, u32 slot) {
  if (global_thread() == 0) stamp(r, slot);
}
#endif

// tally_block adds up what the threads of a block have tallied, for thread 0.
__device__ __forceinline__ void tally_block(Tallies &t) {
  __shared__ Tallies parts[32];
  for (int d = 16; d; d >>= 1) t.fold(t.shuffled(d));
  if (lane() == 0) parts[threadIdx.x >> 5] = t;
  __syncthreads();
  if (threadIdx.x == 0)
    for (u32 i = 1; i < blockDim.x >> 5; i++) t.fold(parts[i]);
}

// tell writes to the host's memory what it asks about a superstep, which spares it a copy, and
// empties the counters for the next. All threads of the block that ends last call it.
__device__ __forceinline__ void tell(const Run &r, u32 how) {
  if (!r.told) return;
  Control *c = r.control;
  u32 *told = how & TELLS_APART ? r.told + r.apart : r.told;
  __threadfence();
  __syncthreads(); // what thread 0 has written is there for all
  for (u32 i = threadIdx.x; i < r.tells; i += blockDim.x) told[TOLD + i] = peek((u32 *)c + i);
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x != 0) return;
  c->barrier[0] = c->count = c->arcs = c->taken = 0;
  *(volatile u32 *)told = 1;
}

// tally leaves the sum over all blocks in the first place of tallied, from which others
// may read that of the superstep before until they have all left theirs. The block
// that ends last adds up what all have left, in a fixed order.
__device__ __forceinline__ void tally(const Run &r, Tallies &t, u32 how) {
  __shared__ bool last;
  tally_block(t);
  if (threadIdx.x == 0) {
    r.tallied[1 + blockIdx.x] = t;
    __threadfence();
    last = atomicAdd(r.control->barrier, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  t.clear();
  u32 each = (gridDim.x + blockDim.x - 1) / blockDim.x;
  for (u32 i = threadIdx.x * each; i < gridDim.x && i < (threadIdx.x + 1) * each; i++) t.fold(r.tallied[1 + i]);
  __syncthreads();
  tally_block(t);
  if (threadIdx.x == 0) {
    r.tallied[0] = t;
    TRACE(stamp(r, TIME_END);)
  }
  tell(r, how);
}

// count_block adds what the block has found to the frontier in control.
__device__ __forceinline__ void count_block(const Run &r, const Found &f) {
  u64 count = warp_sum((u64)f.count), arcs = warp_sum(f.arcs);
  i64 waiting = warp_sum(f.waiting);
  if (lane() == 0) {
    if (count) atomicAdd(&r.control->count, count);
    if (arcs) atomicAdd(&r.control->arcs, arcs);
    if (waiting) atomicAdd(&r.control->waiting, (u64)waiting);
  }
}

extern "C" __global__ void __launch_bounds__(256) step_init(const __grid_constant__ Run r, const __grid_constant__ Params p) {
  Found found = {};
  Tallies t;
  t.clear();
  init_phase(r, p, &t, found);
  count_block(r, found);
#ifndef LOOP
  tally(r, t, 0);
#endif
}

#ifndef LOOP
extern "C" __global__ void __launch_bounds__(256) step_emit(const __grid_constant__ Run r, const __grid_constant__ Params p, u32 s, u32 all) {
  TRACE(begins(r, TIME_EMIT);)
#if !defined(EDGE_SOURCE)
  emit_phase(r, p, (i32)s, r.awake[0], all);
#endif
}

#if !FIRST
extern "C" __global__ void __launch_bounds__(256, GATHER_BLOCKS) step_gather(const __grid_constant__ Run r, u32 k, u32 all) {
  TRACE(begins(r, TIME_GATHER + 2 * k);)
  gather_phase(r, k, r.awake[0], all);
}

extern "C" __global__ void __launch_bounds__(256) step_fix(const __grid_constant__ Run r, u32 k) {
  TRACE(begins(r, TIME_FIX + 2 * k);)
  fix_phase(r, k);
}

template <bool BARE>
__device__ __forceinline__ void apply_all(const Run &r, const Params &p, u32 s, u32 all, u32 how) {
  TRACE(begins(r, TIME_APPLY);)
  Found found = {};
  Tallies t;
  t.clear();
#if AHEAD
  Params q = p;
  if (how & FOLLOWS) q.follow(r.tallied[0]);
#else
  const Params &q = p;
#endif
  apply_phase<true, APPLY_WORDS, BARE>(r, q, (i32)s, 0, r.awake[0], r.awake[1], all, ~0ull, r.later, &t, found);
  if (BARE) t.forget();
  count_block(r, found);
  tally(r, t, how);
}

extern "C" __global__ void __launch_bounds__(256, APPLY_BLOCKS) step_apply(const __grid_constant__ Run r, const __grid_constant__ Params p, u32 s, u32 all, u32 how) {
  apply_all<false>(r, p, s, all, how);
}

#if ANEW
extern "C" __global__ void __launch_bounds__(256, APPLY_BLOCKS) step_bare(const __grid_constant__ Run r, const __grid_constant__ Params p, u32 s, u32 all, u32 how) {
  apply_all<true>(r, p, s, all, how);
}
#endif
#endif
#endif
