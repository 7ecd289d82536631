// Parents of vertices whose distances from a source are known, by search tile by
// tile (step_tiles.cuh): the least vertex from which an arc leads that is as long
// as the distances are apart. With order it is the least by the numbers that vertices had
// before the graph was prepared, and is told by these.
//
// Every weight is more than 0, so such a vertex is nearer. DIST is u32 or i64; with
// HOPS every arc counts 1. In 32 bits what is beyond limit was not sent on, as it
// might not have fitted: it is told in *beyond, and everything is to be done again
// in 64.
//
// Cost: arcs up to the first that is tight, with order all of them; a thread a vertex, as tiles are for
// graphs of few arcs a vertex.
#include "base.cuh"

#ifndef DIST
#define DIST u32
#define FAR NONE
#define HOPS 0
#endif

static const u32 STRIDE = 4; // arcs under way

extern "C" __global__ void __launch_bounds__(256)
    nearest_parents(const Offset *offsets, const u32 *targets, const WEIGHT *weights, u32 n, u32 source, u64 limit, const DIST *dist, const u32 *order, u32 *parent, const u64 *control, u32 *beyond) {
  if (control[12]) return; // next in struct TileControl: distances are not yet final
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    DIST d = dist[v];
    u32 found = NONE;
    if (v != source && d != FAR) {
      if ((u64)d > limit) *beyond = 1;
      Offset end = offsets[v + 1];
      for (Offset e = offsets[v]; e < end && (order || found == NONE); e += STRIDE) {
        u32 u[STRIDE];
        DIST from[STRIDE], w[STRIDE];
#pragma unroll
        for (u32 i = 0; i < STRIDE; i++) {
          u[i] = e + i < end ? targets[e + i] : NONE;
          w[i] = HOPS ? 1 : e + i < end ? (DIST)weights[e + i] : 0;
        }
#pragma unroll
        for (u32 i = 0; i < STRIDE; i++) from[i] = u[i] != NONE ? dist[u[i]] : FAR;
#pragma unroll
        for (int i = STRIDE - 1; i >= 0; i--)
          if (from[i] != FAR && from[i] + w[i] == d) found = order ? min(found, order[u[i]]) : u[i];
      }
    }
    parent[v] = found;
  }
}
