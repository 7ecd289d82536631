// The order of weights.
#pragma once
#include "base.cuh"

#ifndef WEIGHTED
#define WEIGHTED 0
#endif
#ifndef WEIGHT
#define WEIGHT i32
#endif

// sort_key maps weights to numbers in the same order; -0 counts as 0.
__device__ __forceinline__ u32 sort_key(i32 w) { return (u32)w ^ 0x80000000u; }
__device__ __forceinline__ u32 sort_key(float w) {
  u32 x = __float_as_uint(w);
  if (x == 0x80000000u) x = 0;
  return x ^ ((u32)((i32)x >> 31) | 0x80000000u);
}
