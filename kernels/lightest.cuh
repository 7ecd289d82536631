// The lightest arcs of every vertex, side by side (runtime/cuda/lightest.go): who
// goes through lists in order of weight and stops early needs no more of most.
//
// LIGHTEST arcs a vertex, NONE where a list has fewer. With PACKED an arc is a
// word, its weight above 24 bits of target; else targets and weights, as bits,
// are arrays.
#pragma once
#include "base.cuh"

#ifndef PACKED
#define PACKED 0
#endif

enum : u32 { LIGHTEST = 4, PACKED_BITS = 24 };

struct Head {
  u32 arc[LIGHTEST];
#if !PACKED
  u32 bits[LIGHTEST];
#endif

  __device__ __forceinline__ void load(const uint4 *arcs, const uint4 *weights, u32 v) {
    spread(__ldg(arcs + v), arc);
#if !PACKED
    spread(__ldg(weights + v), bits);
#endif
  }
  __device__ __forceinline__ static void spread(uint4 x, u32 *to) { to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = x.w; }

  __device__ __forceinline__ bool has(u32 k) const { return arc[k] != NONE; }
#if PACKED
  __device__ __forceinline__ u32 target(u32 k) const { return arc[k] & ((1u << PACKED_BITS) - 1); }
  __device__ __forceinline__ u32 weight(u32 k) const { return arc[k] >> PACKED_BITS; }
#else
  __device__ __forceinline__ u32 target(u32 k) const { return arc[k]; }
  __device__ __forceinline__ u32 weight(u32 k) const { return bits[k]; }
#endif
};
