// The arcs of a graph by tile, made once for a resident graph: what step_tiles.cuh
// reads. And what is asked of answers found tile by tile.
//
// A vertex has its neighbours inside of its tile in a row of ROW places, each 16
// bits, or, where it has more of them, in a list; arcs that leave a tile stand in a
// list of the tile. In what order is left to chance: it decides nothing.
//
// Launches: tiles_count, then, when the host has made places of the counts,
// tiles_fill. One block a tile.
#include "base.cuh"
#include "tiles.cuh"
using tile::MANY;
using tile::ROW;

struct Arcs {
  const Offset *offsets;
  const u32 *targets;
  const WEIGHT *weights;
};

__device__ __forceinline__ bool inside(u32 tile, u32 v) { return v / TILE == tile; }

// How many arcs of v stay in its tile.
__device__ __forceinline__ u32 staying(const Arcs &a, u32 tile, u32 v) {
  u32 k = 0;
  for (Offset e = a.offsets[v]; e < a.offsets[v + 1]; e++) k += inside(tile, a.targets[e]);
  return k;
}

// What has no room in rows, and what leaves, of each tile: rows, arcs, arcs.
extern "C" __global__ void tiles_count(const Offset *offsets0, const u32 *targets0, const Offset *offsets1, const u32 *targets1,
                                       const Offset *sent0, const u32 *sent_targets0, const Offset *sent1, const u32 *sent_targets1, u32 n, u32 tiles, u64 *counts) {
  __shared__ u64 sums[3];
  for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (threadIdx.x < 3) sums[threadIdx.x] = 0;
    __syncthreads();
    for (u32 k = threadIdx.x; k < TILE && tile * TILE + k < n; k += blockDim.x) {
      u32 v = tile * TILE + k;
      u64 in = staying({offsets0, targets0, 0}, tile, v), out = sent0[v + 1] - sent0[v] - staying({sent0, sent_targets0, 0}, tile, v);
      if (offsets1) in += staying({offsets1, targets1, 0}, tile, v);
      if (sent1) out += sent1[v + 1] - sent1[v] - staying({sent1, sent_targets1, 0}, tile, v);
      if (in > ROW) atomicAdd(&sums[0], 1ull), atomicAdd(&sums[1], in);
      if (out) atomicAdd(&sums[2], out);
    }
    __syncthreads();
    if (threadIdx.x < 3) counts[tile * 3ull + threadIdx.x] = sums[threadIdx.x];
    __syncthreads();
  }
}

struct Filled {
  uint2 *rows;
  WEIGHT *row_weights; // ROW of each vertex
  u64 *more_first;
  u32 *more_count;
  u16 *more;
  WEIGHT *more_weights;
  u16 *leave_from;
  u32 *leave;
  WEIGHT *leave_weights;
};

__device__ __forceinline__ void fill_row(const Filled &f, const Arcs &a, u32 tile, u32 v, u32 &z, u32 (&row)[ROW]) {
  for (Offset e = a.offsets[v]; e < a.offsets[v + 1]; e++) {
    u32 u = a.targets[e];
    if (!inside(tile, u)) continue;
    row[z] = u % TILE;
    if (WEIGHTED) f.row_weights[v * (u64)ROW + z] = a.weights[e];
    z++;
  }
}

__device__ __forceinline__ void fill_more(const Filled &f, const Arcs &a, u32 tile, u32 v, u64 &at) {
  for (Offset e = a.offsets[v]; e < a.offsets[v + 1]; e++) {
    u32 u = a.targets[e];
    if (!inside(tile, u)) continue;
    f.more[at] = (u16)(u % TILE);
    if (WEIGHTED) f.more_weights[at] = a.weights[e];
    at++;
  }
}

__device__ __forceinline__ void fill_leave(const Filled &f, const Arcs &a, u32 tile, u32 v, u64 *next) {
  for (Offset e = a.offsets[v]; e < a.offsets[v + 1]; e++) {
    u32 u = a.targets[e];
    if (inside(tile, u)) continue;
    u64 at = atomicAdd(next, 1ull);
    f.leave_from[at] = (u16)(v % TILE);
    f.leave[at] = u;
    if (WEIGHTED) f.leave_weights[at] = a.weights[e];
  }
}

// places are the first of each tile of what tiles_count has counted.
extern "C" __global__ void tiles_fill(const __grid_constant__ Filled f, const Offset *offsets0, const u32 *targets0, const WEIGHT *weights0, const Offset *offsets1, const u32 *targets1,
                                      const WEIGHT *weights1, const Offset *sent0, const u32 *sent_targets0, const WEIGHT *sent_weights0, const Offset *sent1, const u32 *sent_targets1,
                                      const WEIGHT *sent_weights1, u32 n, u32 tiles, const u64 *places) {
  __shared__ u64 next[3];
  Arcs receive[2] = {{offsets0, targets0, weights0}, {offsets1, targets1, weights1}};
  Arcs send[2] = {{sent0, sent_targets0, sent_weights0}, {sent1, sent_targets1, sent_weights1}};
  for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (threadIdx.x < 3) next[threadIdx.x] = places[tile * 3ull + threadIdx.x];
    __syncthreads();
    for (u32 k = threadIdx.x; k < TILE && tile * TILE + k < n; k += blockDim.x) {
      u32 v = tile * TILE + k, in = staying(receive[0], tile, v);
      if (offsets1) in += staying(receive[1], tile, v);
      if (in > ROW) {
        u64 row = atomicAdd(&next[0], 1ull), at = atomicAdd(&next[1], (u64)in);
        f.rows[v] = make_uint2(MANY, (u32)row);
        f.more_first[row] = at, f.more_count[row] = in;
        fill_more(f, receive[0], tile, v, at);
        if (offsets1) fill_more(f, receive[1], tile, v, at);
      } else {
        u32 row[ROW] = {TILE, TILE, TILE, TILE}, z = 0;
        fill_row(f, receive[0], tile, v, z, row);
        if (offsets1) fill_row(f, receive[1], tile, v, z, row);
        f.rows[v] = make_uint2(row[0] | row[1] << 16, row[2] | row[3] << 16);
      }
      fill_leave(f, send[0], tile, v, &next[2]);
      if (sent1) fill_leave(f, send[1], tile, v, &next[2]);
    }
    __syncthreads();
  }
}
