// What the rounds of mst_sorted.cu are made of: edges as numbers, vertices that a
// lane looks at side by side, searches in lists, ways to roots.
#pragma once
#include "sort.cuh"
#include "tally.cuh"

#ifndef PACKED
#define PACKED 1
#endif
#ifndef LANE_LIST
#define LANE_LIST 8 // arcs that a lane looks at before its warp helps
#endif
#ifndef WARP_LIST
#define WARP_LIST 512 // arcs that a warp looks at before all others help
#endif
#ifndef SIDE
#define SIDE 4 // vertices of a lane that are looked at side by side
#endif
#ifndef NEAR
#define NEAR 12 // steps of a walk that may read what the first-level cache has
#endif
#ifndef RESIDENT
#define RESIDENT 4 // blocks that a multiprocessor shall hold
#endif

static const u64 NOTHING = ~0ull;
static const u32 SHARE = 32 * SIDE; // vertices of a warp

// Lengths of what a round has found. Zero before round 0.
struct Round {
  u32 list, roots;
  u32 hubs, pieces;
  u64 tally[2];  // of a traced run
};
static_assert(sizeof(Round) == 32, "as in programs/mst/sorted.go");

struct Forest {
  const Offset *offsets;
  const u32 *targets;
  const WEIGHT *weights;
  u32 *component, *parent;   // by vertex; by root
  Offset *cursor;            // by vertex
  u64 *candidate;            // by vertex: weight and neighbor
  u64 *best;                 // by root: the least edge proposed
  u32 *other;                // by root: its greater end, if not PACKED
  u64 *edge;                 // by vertex: the ends of the edge it was hung for, the lesser above
  u32 *weight;               // of that edge
  u32 *list[2], *roots[2];   // vertices that propose; roots that choose: taking turns
  u32 *hub, *left;           // vertices whose lists are read in pieces; pieces not read yet
  u64 *start, *found;        // by hub: the first arc to look at; the first one that leaves
  u64 *piece;                // hub and number
  Round *rounds;
  u32 n, heavy;              // a vertex of the giant
  u32 bits;                  // of a vertex
  u32 varying, fixed;        // bits of the numbers of weights: which differ, and the others
  u32 pad;
};
static_assert(sizeof(Forest) == 192, "the host fills in the fields");

__device__ __forceinline__ u64 arc_at(const Forest &f, u64 e) { return (u64)sort_key(f.weights[e]) << 32 | f.targets[e]; }
__device__ __forceinline__ u64 ends(u32 u, u32 v) { return (u64)min(u, v) << 32 | max(u, v); }

// ---- The order of edges ----------------------------------------------------------

// edge_key is the edge of v and its candidate as a number, or what of it one can
// hold.
__device__ __forceinline__ u64 edge_key(const Forest &f, u32 v, u64 candidate) {
  u32 u = (u32)candidate, w = (u32)(candidate >> 32);
#if PACKED
  return (u64)(w & f.varying) << 2 * f.bits | (u64)min(u, v) << f.bits | max(u, v);
#else
  return (u64)w << 32 | min(u, v);
#endif
}

// The edge that root c takes.
struct Edge {
  u32 x, y, weight; // x < y
};

__device__ __forceinline__ Edge edge_of(const Forest &f, u32 c, u64 key) {
#if PACKED
  u32 mask = (u32)((1ull << f.bits) - 1);
  return {(u32)(key >> f.bits) & mask, (u32)key & mask, (u32)(key >> 2 * f.bits) | f.fixed};
#else
  return {(u32)key, f.other[c], (u32)(key >> 32)};
#endif
}

// ---- Vertices side by side ---------------------------------------------------------

// append_all appends those of a warp's vertices that has tells of.
__device__ __forceinline__ void append_all(u32 *list, u32 *length, const u32 *v, const bool *has) {
  u32 mask[SIDE], count = 0, at = 0;
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    mask[k] = __ballot_sync(~0u, has[k]);
    count += __popc(mask[k]);
  }
  if (count == 0) return;
  if (lane() == 0) at = atomicAdd(length, count);
  at = __shfl_sync(~0u, at, 0);
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    if (has[k]) list[at + __popc(mask[k] & ((1u << lane()) - 1))] = v[k];
    at += __popc(mask[k]);
  }
}

// Looks are for the first arc, from at to end, that leaves component c of v; in
// round 0 that is one to another vertex. open: not found yet.
struct Looks {
  u32 v[SIDE], c[SIDE];
  Offset at[SIDE], end[SIDE];
  bool open[SIDE];
};

template <bool FIRST> __device__ __forceinline__ bool leaves(const Forest &f, u32 u, u32 v, u32 c) { return FIRST ? u != v : f.component[u] != c; }

// step looks at one arc for each.
template <bool FIRST> __device__ __forceinline__ void step(const Forest &f, Looks &l TALLY(, Tally &tally)) {
  u32 u[SIDE];
  bool out[SIDE];
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    l.open[k] = l.open[k] && l.at[k] < l.end[k];
    u[k] = l.open[k] ? f.targets[l.at[k]] : NONE;
    TALLY(tally.arcs += l.open[k];)
  }
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) out[k] = l.open[k] && leaves<FIRST>(f, u[k], l.v[k], l.c[k]);
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    if (!l.open[k]) continue;
    if (out[k]) l.open[k] = false;
    else l.at[k]++;
  }
}

// first_leaving is the first arc from at to end that leaves, or end. A warp calls
// it.
template <bool FIRST> __device__ __forceinline__ u64 first_leaving(const Forest &f, u64 at, u64 end, u32 v, u32 c) {
#pragma unroll 1
  for (u64 base = at; base < end; base += 128) {
    u32 u[4], mask[4];
#pragma unroll
    for (u32 k = 0; k < 4; k++) u[k] = base + 32 * k + lane() < end ? f.targets[base + 32 * k + lane()] : NONE;
#pragma unroll
    for (u32 k = 0; k < 4; k++) mask[k] = __ballot_sync(~0u, base + 32 * k + lane() < end && leaves<FIRST>(f, u[k], v, c));
#pragma unroll
    for (u32 k = 0; k < 4; k++)
      if (mask[k]) return base + 32 * k + __ffs(mask[k]) - 1;
  }
  return end;
}

// defer lets all warps look at the rest of v's list, in pieces. A warp calls it.
__device__ __forceinline__ void defer(const Forest &f, Round *round, u32 v, u64 at, u64 end) {
  u32 count = (u32)((end - at + WARP_LIST - 1) / WARP_LIST), slot = 0, first = 0;
  if (lane() == 0) {
    slot = atomicAdd(&round->hubs, 1u);
    first = atomicAdd(&round->pieces, count);
    f.hub[slot] = v;
    f.left[slot] = count;
    f.start[slot] = at;
    f.found[slot] = end;
  }
  slot = __shfl_sync(~0u, slot, 0);
  first = __shfl_sync(~0u, first, 0);
#pragma unroll 1
  for (u32 i = lane(); i < count; i += 32) f.piece[first + i] = (u64)slot << 32 | i;
}

// search does the looks of a warp. What is found is at, before end; nothing is
// found for now where the rest is deferred. In round 0 nothing is: only loops are
// passed over.
template <bool FIRST> __device__ __forceinline__ void search(const Forest &f, Round *round, Looks &l TALLY(, Tally &tally)) {
#pragma unroll 1
  for (u32 i = 0; i < LANE_LIST; i++) {
    bool any = false;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) any |= l.open[k];
    if (!__any_sync(~0u, any)) return;
    step<FIRST>(f, l TALLY(, tally));
  }
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    u32 left = __ballot_sync(~0u, l.open[k] && l.at[k] < l.end[k]);
#pragma unroll 1
    while (left) {
      int owner = __ffs(left) - 1;
      left &= left - 1;
      u32 v = __shfl_sync(~0u, l.v[k], owner), c = __shfl_sync(~0u, l.c[k], owner);
      u64 at = __shfl_sync(~0u, l.at[k], owner), end = __shfl_sync(~0u, l.end[k], owner);
      u64 stop = FIRST ? end : min(end, at + WARP_LIST), e = first_leaving<FIRST>(f, at, stop, v, c);
      TALLY(if (lane() == owner) tally.arcs += min(e + 1, stop) - at;)
      if (e == stop && stop < end) {
        defer(f, round, v, stop, end);
        e = end;
      }
      if (lane() == owner) l.at[k] = (Offset)e;
    }
  }
}

// climb finds the roots of vertices, from v along parent: up. Of two that are
// each other's parents the lesser is the root. Nothing is hooked meanwhile, so
// that what was read before leads to the root too: the first steps may come from
// the first-level cache, where roots of many are. A walker publishes how far it
// has come for those behind it, so that a way of any length takes a logarithm of
// steps; only v's thread writes parent[v].
__device__ __forceinline__ void climb(u32 *parent, const u32 *v, u32 *up, const bool *has) {
  u32 at[SIDE], above[SIDE];
  bool open[SIDE], any = false;
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    at[k] = v[k];
    open[k] = has[k];
    any |= open[k];
  }
  for (u32 i = 0; any; i++) {
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) above[k] = !open[k] ? 0 : i < NEAR ? parent[up[k]] : peek(parent + up[k]);
    any = false;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      if (!open[k]) continue;
      if (above[k] == at[k]) up[k] = min(up[k], at[k]);
      open[k] = above[k] != up[k] && above[k] != at[k];
      if (!open[k]) continue;
      at[k] = up[k];
      up[k] = above[k];
      any = true;
      if (i % 4 == 3) __stcg(parent + v[k], up[k]);
    }
  }
}
