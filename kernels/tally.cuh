// What kernels count in a traced run (TRACED): arcs that were read, and atomic operations
// on numbers of vertices. Without it the preprocessor leaves nothing of that.
#pragma once
#include "base.cuh"

#ifdef TRACED
#define TALLY(...) __VA_ARGS__
struct Tally {
  u64 arcs, atomics;

  __device__ __forceinline__ Tally() : arcs(0), atomics(0) {}

  // Adds what the lanes of a warp have to two counters. All of them call it.
  __device__ __forceinline__ void flush(const u64 *to) {
    arcs = warp_sum(arcs);
    atomics = warp_sum(atomics);
    if (lane() == 0 && arcs) atomicAdd((u64 *)to, arcs);
    if (lane() == 0 && atomics) atomicAdd((u64 *)to + 1, atomics);
  }
};
#else
#define TALLY(...)
#endif
