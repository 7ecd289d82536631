// What a relaxed run is made of: see step_tiles.cuh.
#pragma once
#include "tiles.cuh"

#ifndef HELD
#define HELD 2 // vertices of a thread
#endif
#define TILE_THREADS (TILE / HELD)
#ifndef TILE_BLOCKS
#define TILE_BLOCKS 2 // of them on a multiprocessor
#endif
#ifndef TILE_SWEEPS
#define TILE_SWEEPS 2 // between two barriers of the block
#endif

#if WEIGHTED && (defined(EDGE_PLUS) || defined(EDGE_TIMES) || defined(EDGE_LEAST))
#define WEIGHS 1
#else
#define WEIGHS 0
#endif

// Whether the combiner's identity stays what it is along an arc. Else it is
// marked who has said nothing.
#if defined(EDGE_COPY) || defined(EDGE_LEAST) && defined(COMBINE_MAX) || (defined(EDGE_PLUS) || defined(EDGE_TIMES)) && defined(UNREACHED)
#define MUTE 1
#else
#define MUTE 0
#endif

// Values of a word are read by others while they are written, as a whole.
static const bool READABLE = sizeof(Value) == 4 || sizeof(Value) == 8;

// How often a tile is swept in one visit. A message comes from one end of a tile to
// the other in as many sweeps as it has vertices.
static const u32 SWEEPS_MOST = 2 * TILE;

// What is made of the graph once: kernels/tiles.cu.
struct TileArcs {
  const uint2 *rows;         // of each vertex: up to ROW neighbours inside, 16 bits each; TILE: none
  const uint4 *row_weights;  // of them
  const u64 *more_first;     // of each row with more of them, whose number follows MANY
  const u32 *more_count;
  const u16 *more;
  const WEIGHT *more_weights;
  const u64 *leave_first;    // of each tile: arcs that leave it
  const u16 *leave_from;     // vertices inside
  const u32 *leave;          // vertices outside
  const WEIGHT *leave_weights;
};

struct TileControl {
  u64 barrier[4];
  u64 least[4];
  u32 queued[4], taken[4];
  u64 next; // not 0: there is more to do
  u32 done, unused;
};

struct TileRecord {
  u64 awake, arcs, next, nanoseconds;
};

struct TileRun {
  u32 n, tiles;
  u32 sides, given;
  const Offset *sent[2]; // offsets of the arcs to send along
  TileArcs arcs;
  Value *values;
  Message *box;
  u32 *waiting; // bits: those that are awake, and not yet due
  u64 *key;     // of each tile: the least priority in it that is to be sent, or NEVER
  u32 *queue;
  TileControl *control;
  TileRecord *records;
  u64 slack;  // priorities above the least that are due with it
  u64 budget; // nanoseconds before coming back to the host
};

namespace tile {

static const u64 NEVER = ~0ull; // a tile's key: nothing is to be sent

__device__ __forceinline__ u32 sends(const TileRun &r, u32 v) {
  u64 d = r.sent[0][v + 1] - r.sent[0][v];
  if (BOTH && r.sides > 1) d += r.sent[1][v + 1] - r.sent[1][v];
  return (u32)d;
}

__device__ __forceinline__ Vertex vertex_of(const TileRun &r, u32 v, i32 round) {
  Vertex x;
  x.id = v;
  x.out_degree = sends(r, v);
  x.superstep = round;
  x.n = r.n;
  x.tallies = 0;
  return x;
}

__device__ __forceinline__ u64 urgency(const Value &x, const Params &p) {
#if WAITS
  u64 u = priority(x, p);
  return u == NEVER ? NEVER - 1 : u;
#else
  return 0;
#endif
}

__device__ __forceinline__ u64 warp_least(u64 x) {
  for (int d = 16; d; d >>= 1) {
    u64 y = __shfl_xor_sync(~0u, x, d);
    x = y < x ? y : x;
  }
  return x;
}

// put writes a value that others may be reading.
__device__ __forceinline__ void put(Value *at, const Value &x) {
  if (sizeof(Value) == 8) {
    u64 bits = 0;
    memcpy(&bits, &x, sizeof x);
    *(volatile u64 *)at = bits;
  } else if (sizeof(Value) == 4) {
    u32 bits = 0;
    memcpy(&bits, &x, sizeof x);
    *(volatile u32 *)at = bits;
  } else {
    *at = x;
  }
}

// What is offered in a tile is heard while it is told: whoever hears the old offer
// hears the new one in the next sweep, which there is since it was told. volatile
// asks for no order and for whole words. With RACECHECK both are atomics, which
// compute-sanitizer takes for meant, and looks for what is not.
#ifdef RACECHECK
typedef u32 Mute;
template <class T> __device__ __forceinline__ T heed(T *at) {
  T x;
  if (sizeof(T) == 8) {
    u64 bits = atomicOr((u64 *)at, 0);
    memcpy(&x, &bits, sizeof x);
  } else {
    u32 bits = atomicOr((u32 *)at, 0);
    memcpy(&x, &bits, sizeof x);
  }
  return x;
}
template <class T> __device__ __forceinline__ void tell(T *at, T x) {
  u64 bits = 0;
  memcpy(&bits, &x, sizeof x);
  if (sizeof(T) == 8) atomicExch((u64 *)at, bits);
  else atomicExch((u32 *)at, (u32)bits);
}
#else
typedef u8 Mute;
template <class T> __device__ __forceinline__ T heed(const T *at) { return *(const volatile T *)at; }
template <class T> __device__ __forceinline__ void tell(T *at, T x) { *(volatile T *)at = x; }
#endif

} // namespace tile
