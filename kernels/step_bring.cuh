// Values of a prepared graph, brought into the order that its vertices had before, and the
// vertices that they name by the numbers of then.
//
// Method: a gather, 32 vertices a warp at a time, some of them for each lane, whose loads of a
// kind are under way together. Of those who have no arcs to receive along, which in an order by
// degree are the last, nothing is read where values are init's till something changes them: nothing
// has been written (LAZY_ENDS).
//
// Cost: a read of the places and of the values, a write of the values, and a read of a number
// for each vertex that is named. Vertices of one degree stand in an order by degree as they did
// before: so values that lie side by side are read at about the same time.
#pragma once

#include "step_vertices.cuh"

#ifndef BRING_VERTICES
#define BRING_VERTICES 4 // of a lane under way
#endif

struct Bring {
  const u32 *place; // of a vertex as it was: where its value lies
  const u32 *order; // the vertex as it was, by place; null: none is named
  Value *to;
  u64 named; // bit i: word i of a value names a vertex
};

// Words of a value are moved together as far as its alignment goes.
template <u32 SIZE> struct Moved { typedef u8 Unit; };
template <> struct Moved<4> { typedef u32 Unit; };
template <> struct Moved<8> { typedef uint2 Unit; };
template <> struct Moved<16> { typedef uint4 Unit; };
static const u32 UNIT = sizeof(Value) % 16 == 0 ? 16 : sizeof(Value) % 8 == 0 ? 8 : sizeof(Value) % 4 == 0 ? 4 : 1;
typedef Moved<UNIT>::Unit Unit;
static const u32 UNITS = sizeof(Value) / UNIT;

__device__ __forceinline__ Value load_value(const Value *at) {
  Value x;
#pragma unroll
  for (u32 i = 0; i < UNITS; i++) {
    Unit part = ((const Unit *)at)[i];
    memcpy((u8 *)&x + i * UNIT, &part, UNIT);
  }
  return x;
}

__device__ __forceinline__ void store_value(Value *at, const Value &x) {
#pragma unroll
  for (u32 i = 0; i < UNITS; i++) {
    Unit part;
    memcpy(&part, (const u8 *)&x + i * UNIT, UNIT);
    __stcs((Unit *)at + i, part);
  }
}

// rename gives the vertices that a value names their numbers of before. What is no vertex is left,
// for the host to find.
__device__ __forceinline__ void rename(const Bring &b, u32 n, Value &x) {
#pragma unroll
  for (u32 i = 0; i < sizeof(Value) / 4 && i < 64; i++) {
    if (!(b.named >> i & 1)) continue;
    u32 v;
    memcpy(&v, (const u8 *)&x + 4 * i, 4);
    if (v >= n) continue; // NONE among them
    v = b.order[v];
    memcpy((u8 *)&x + 4 * i, &v, 4);
  }
}

// unless: it does nothing while vertices are awake, as the loop before it will go on.
extern "C" __global__ void __launch_bounds__(256) step_bring(const __grid_constant__ Run r, const __grid_constant__ Params p, const __grid_constant__ Bring b, u32 unless) {
  if (unless && (peek(&r.control->count) || WAITS && peek(&r.control->waiting))) return;
  for (u32 base = global_warp() * BRING_VERTICES; base < r.words; base += global_warps() * BRING_VERTICES) {
    u32 v[BRING_VERTICES];
    bool has[BRING_VERTICES];
#pragma unroll
    for (u32 q = 0; q < BRING_VERTICES; q++) {
      u32 u = (base + q) * 32 + lane();
      v[q] = __ldcs(b.place + (u < r.n ? u : r.n - 1));
    }
#pragma unroll
    for (u32 q = 0; q < BRING_VERTICES; q++) {
      has[q] = !(SEEKS && r.lazy & LAZY_ENDS) || v[q] >> 5 < r.ends;
    }
    Value x[BRING_VERTICES];
#pragma unroll
    for (u32 q = 0; q < BRING_VERTICES; q++) {
      if (has[q]) x[q] = load_value(r.values + v[q]);
    }
#pragma unroll
    for (u32 q = 0; q < BRING_VERTICES; q++) {
      u32 u = (base + q) * 32 + lane();
      if (!has[q]) x[q] = value_of(r, p, v[q], false);
      if (b.named) rename(b, r.n, x[q]);
      if (u < r.n) store_value(b.to + u, x[q]);
    }
  }
}
