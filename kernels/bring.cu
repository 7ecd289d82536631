// Numbers by vertex of a prepared graph, brought into the order that its vertices had before: for
// programs of own kernels, what step_bring.cuh is for others. Where they name vertices, they name
// them by the numbers of then.
//
// Cost: a read of the places and of the numbers, a write of these, and a read of a number for
// each vertex that is named. Numbers of eight bytes name none.
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
