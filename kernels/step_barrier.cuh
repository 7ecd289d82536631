// The barrier of the superstep loop, and what it brings along: see step_loop.cuh.
#pragma once

#include "step.cuh"

struct Totals {
  u32 count;
  bool big, late;
  u64 arcs, awake, least, rest;
  i64 waiting;
};

// Loop is the barrier of a superstep loop. It brings the number of vertices
// found in its own word, and their arcs, where they are wanted, in another like
// it; what is seldom brought is added up beside it.
struct Loop {
  const Run &r;
  u64 *start; // when the loop began, for the leader
  u32 passed;
  TRACE(Record *rec = 0;) // of the superstep under way; 0: none is

  __device__ __forceinline__ Loop(const Run &run, u64 *begun) : r(run), start(begun), passed(0) {
    if (threadIdx.x == 0) *start = nanoseconds();
  }

#ifdef TRACED
  __device__ __forceinline__ bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }

  // clock is when the last phase ended, for the leader.
  __device__ __forceinline__ u64 *clock() const {
    __shared__ u64 last;
    return &last;
  }
  // begin has what follows belong to a superstep.
  __device__ __forceinline__ void begin(Record *x, const u64 &now) {
    rec = x;
    if (leads()) *clock() = now;
  }
  // lap ends a phase, which a barrier has.
  __device__ __forceinline__ void lap(u32 phase, u64 now) const {
    if (!rec || !leads()) return;
    atomicAdd(rec->phases + phase, now - *clock());
    *clock() = now;
  }
  __device__ __forceinline__ void lap(u32 phase) const {
    if (leads()) lap(phase, nanoseconds());
  }
  __device__ __forceinline__ void chosen(Record *x, u32 rule, u32 of) const {
    if (leads()) x->rule = rule, x->of = of;
  }
#endif

  __device__ __forceinline__ Totals sync() {
    Found none = {};
    return sync(none, 0, false);
  }

  __device__ __forceinline__ Totals sync(const Found &f, Record *fused, bool wants, u64 least = ~0ull) {
    __shared__ Found parts[32];
    __shared__ u64 leasts[32];
    __shared__ Totals totals;
    Found mine = f;
    if (__any_sync(~0u, mine.count | (mine.awake != 0) | (mine.waiting != 0))) mine = summed(mine);
    if (WAITS) {
      for (int d = 16; d; d >>= 1) {
        u64 other = __shfl_xor_sync(~0u, least, d);
        least = other < least ? other : least;
      }
    }
    u32 warp = threadIdx.x >> 5;
    if (lane() == 0) parts[warp] = mine, leasts[warp] = least;
    __syncthreads();
    if (warp == 0) {
      Found none = {};
      bool has = lane() < blockDim.x >> 5;
      mine = has ? parts[lane()] : none;
      if (__any_sync(~0u, mine.count | (mine.awake != 0) | (mine.waiting != 0))) mine = summed(mine);
      if (WAITS) {
        least = has ? leasts[lane()] : ~0ull;
        for (int d = 16; d; d >>= 1) {
          u64 other = __shfl_xor_sync(~0u, least, d);
          least = other < least ? other : least;
        }
      }
      if (lane() == 0) totals = arrive(mine, least, fused, wants);
    }
    __syncthreads();
    passed++;
    Totals t = totals;
    return t;
  }

  __device__ __forceinline__ Found summed(Found f) {
    f.count = warp_sum(f.count);
    f.big = __any_sync(~0u, f.big);
    f.arcs = warp_sum(f.arcs);
    f.awake = warp_sum(f.awake);
    f.sent = warp_sum(f.sent);
    if (WAITS || SEEKS) f.waiting = warp_sum(f.waiting);
    if (SEEKS) f.rest = warp_sum(f.rest);
    return f;
  }

  // arrive brings the sums of the block, and waits for those of all. One fence is
  // enough, as for Barrier in base.cuh: what is read behind the load with acquire
  // order was written before it, and words emptied are published by the next one's.
  __device__ __forceinline__ Totals arrive(const Found &sum, u64 least, Record *fused, bool wants) {
    Sums *slot = r.control->sums + (passed & 3);
    if (SEEKS && sum.rest) atomicAdd(&slot->rest, sum.rest);
    if ((WAITS || SEEKS) && sum.waiting) atomicAdd(&slot->waiting, (u64)sum.waiting);
    if (WAITS && least != ~0ull) atomicMin(&slot->least, least);
    TRACE(if (!fused && rec && sum.awake) atomicAdd(&rec->heard, sum.awake / HEARD);)
    if (fused && sum.awake) atomicAdd(&fused->awake, sum.awake), atomicAdd(&fused->arcs, sum.sent);
    u64 bring = sum.count;
    if (sum.big || sum.arcs > BIG_BLOCK) bring |= 1ull << 32;
    if (blockIdx.x == 0 && nanoseconds() - *start > r.budget) bring |= 1ull << 47;
    u64 *word = r.control->barrier + (passed & 3);
    __threadfence();
    if (wants) atomicAdd(&slot->arcs, (1ull << 48) + sum.arcs);
    atomicAdd(word, (1ull << 48) + bring);
    u64 x, y;
    do {
      y = *(const volatile u64 *)&slot->arcs; // under way with the other
      x = load_acquire(word);
    } while ((x >> 48) != gridDim.x || wants && (y >> 48) != gridDim.x);
    Totals t = {(u32)x, (x >> 32 & 0x7fff) != 0, (x >> 47 & 1) != 0, 0, 0, ~0ull, 0, 0};
    if (wants) {
      t.arcs = y & ((1ull << 48) - 1);
      if (WAITS || SEEKS) t.waiting = (i64)peek(&slot->waiting);
      if (SEEKS) t.rest = peek(&slot->rest);
      if (WAITS) t.least = peek(&slot->least);
    }
    if (fused && t.count == 0) t.awake = peek(&fused->awake) TRACE(% HEARD);
    if (blockIdx.x == 0) {
      r.control->barrier[(passed + 2) & 3] = 0;
      Sums *old = r.control->sums + ((passed + 2) & 3);
      old->arcs = old->waiting = old->rest = 0;
      old->least = ~0ull;
    }
    return t;
  }
};

__device__ __forceinline__ bool leader() { return global_thread() == 0; }
