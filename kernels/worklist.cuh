// Work lists: vertices whose arcs are to be visited, in shares that any warp can
// take. A vertex of few arcs stands in a list of vertices, which warps take up to
// 32 at a time and whose arcs they deal out to their lanes; one of many arcs
// stands in a list of chunks, one for every CHUNK of its arcs.
//
// Room: a list of vertices holds each vertex at most once, n in all; a vertex in
// chunks has more than FEW arcs, so 3·arcs/CHUNK + 1 chunks are enough.
#pragma once
#include "base.cuh"

static const u32 CHUNK = 256;  // arcs
static const u32 FEW = 128;    // arcs of a vertex that is not cut into chunks
static const u32 AHEAD = 2;    // arcs of a lane that are loaded together

// Threads of a block of the kernels that use work lists.
static const u32 THREADS = 512;

// How many vertices and how many chunks a list has, in one word.
__device__ __forceinline__ u32 vertices_of(u64 counts) { return (u32)counts; }
__device__ __forceinline__ u32 chunks_of(u64 counts) { return (u32)(counts >> 32); }
__device__ __forceinline__ u64 items_of(u64 counts) { return (u64)vertices_of(counts) + chunks_of(counts); }

// The load of a list: about the number of its vertices, a chunk counted as eight.
__device__ __forceinline__ u64 load_of(u64 counts) { return vertices_of(counts) + 8ull * chunks_of(counts); }

// The two lists that take turns.
struct Lists {
  u32 *vertices0, *vertices1;
  uint2 *chunks0, *chunks1;

  __device__ __forceinline__ u32 *vertices(u32 turn) const { return turn & 1 ? vertices1 : vertices0; }
  __device__ __forceinline__ uint2 *chunks(u32 turn) const { return turn & 1 ? chunks1 : chunks0; }
};

// Pusher writes one list for a warp. Vertices wait in shared memory until there
// are 32 of them, so that a whole warp's write costs one atomic. All lanes call
// all methods together.
struct Pusher {
  u32 *buffer;  // 64 words of the warp
  u32 held;
  u32 *vertices;
  uint2 *chunks;
  u64 *counts;
  u32 seen;  // vertices that the list had when last written to

  __device__ __forceinline__ void begin(u32 *warp_buffer, u32 *v, uint2 *c, u64 *n) {
    buffer = warp_buffer;
    held = seen = 0;
    vertices = v;
    chunks = c;
    counts = n;
  }

  // Writes the first k of the vertices held, at most 32, and keeps the others.
  __device__ __forceinline__ void write(u32 k) {
    u64 at = 0;
    if (lane() == 0) at = atomicAdd(counts, (u64)k);
    at = __shfl_sync(~0u, at, 0);
    seen = (u32)at + k;
    if (lane() < k) vertices[(u32)at + lane()] = buffer[lane()];
    __syncwarp();
    u32 rest = held - k;
    u32 moved = lane() < rest ? buffer[k + lane()] : 0;
    __syncwarp();
    if (lane() < rest) buffer[lane()] = moved;
    held = rest;
    __syncwarp();
  }

  // Appends v, where has.
  __device__ __forceinline__ void vertex(bool has, u32 v) {
    u32 mask = __ballot_sync(~0u, has);
    if (!mask) return;
    if (has) buffer[held + __popc(mask & ((1u << lane()) - 1))] = v;
    held += __popc(mask);
    __syncwarp();
    if (held >= 32) write(32);
  }

  // Appends the chunks of v, where has; flag is set in their numbers.
  __device__ __forceinline__ void cut(bool has, u32 v, Offset degree, u32 flag = 0) {
    u32 mask = __ballot_sync(~0u, has);
    u32 number = (u32)((degree + CHUNK - 1) / CHUNK);
    while (mask) {
      int from = __ffs(mask) - 1;
      mask &= mask - 1;
      u32 all = __shfl_sync(~0u, number, from), of = __shfl_sync(~0u, v, from);
      u64 at = 0;
      if (lane() == 0) at = atomicAdd(counts, (u64)all << 32);
      at = __shfl_sync(~0u, at, 0) >> 32;
      for (u32 i = lane(); i < all; i += 32) chunks[at + i] = make_uint2(of, i | flag);
    }
  }

  // Appends v, where has and where it has arcs, in the form that its degree asks
  // for.
  __device__ __forceinline__ void push(bool has, u32 v, Offset degree) {
    has = has && degree > 0;
    cut(has && degree > FEW, v, degree);
    vertex(has && degree <= FEW, v);
  }

  // Appends those of a word of a bitmap.
  __device__ __forceinline__ void word(u32 at, u32 bits, const Offset *offsets) {
    u32 v = at * 32 + lane();
    bool in = bits >> lane() & 1;
    push(in, v, in ? offsets[v + 1] - offsets[v] : 0);
  }

  // Writes what is held. To be called before the barrier.
  __device__ __forceinline__ void end() {
    if (held) write(held);
  }
};

// Marks v in the bitmap; tells whether it was not there.
__device__ __forceinline__ bool mark(u32 *bits, u32 v) {
  u32 bit = 1u << (v & 31);
  return !(atomicOr(bits + (v >> 5), bit) & bit);
}

__device__ __forceinline__ void unmark(u32 *bits, u32 v) { atomicAnd(bits + (v >> 5), ~(1u << (v & 31))); }

// A look at a bitmap that other blocks write.
__device__ __forceinline__ bool marked(const u32 *bits, u32 v) { return peek(bits + (v >> 5)) >> (v & 31) & 1; }

// Calls take(at, word) for each word of a bitmap of n that is not 0, by all lanes of a warp, which look at 32 words together.
template <class Take> __device__ __forceinline__ void each_word(u32 n, const u32 *bits, Take take) {
  const u64 words = ((u64)n + 31) / 32;
  for (u64 base = (u64)global_warp() * 32; base < words; base += (u64)global_warps() * 32) {
    u32 own = base + lane() < words ? peek(bits + base + lane()) : 0;
    for (u32 left = __ballot_sync(~0u, own != 0); left; left &= left - 1) {
      u32 i = __ffs(left) - 1;
      take((u32)base + i, __shfl_sync(~0u, own, i));
    }
  }
}

// The warps counted from the end: who has nothing to do in one loop over a short
// list is the first in another.
__device__ __forceinline__ u32 last_warp() { return global_warps() - 1 - global_warp(); }

// What a warp sees of some of the arcs: AHEAD a lane. Where ok is false there is
// none.
template <class Value> struct Arcs {
  u32 source[AHEAD], target[AHEAD];
  Offset index[AHEAD];
  Value value[AHEAD];  // of the source
  bool ok[AHEAD];
};

// Visits the arcs of up to 32 vertices of a warp, one a lane: v, its arcs from
// start on, as many as degree. Returns the number of arcs.
//
// Body has visit(Arcs<Value> &), called by all lanes together. Arc i of all is of
// the last lane whose arcs begin at i or before: those without arcs begin where
// the next one does.
template <class Value, class Body>
__device__ __forceinline__ u32 visit_vertices(Body &body, u32 v, Value value, Offset start, u32 degree, const u32 *targets) {
  u32 end = warp_scan(degree), before = end - degree;
  u32 total = __shfl_sync(~0u, end, 31);
  for (u32 base = 0; base < total; base += 32 * AHEAD) {
    Arcs<Value> a;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      a.ok[k] = false;
      if (base + 32 * k >= total) continue;
      u32 i = base + 32 * k + lane();
      u32 owner = 0;
#pragma unroll
      for (u32 step = 16; step; step >>= 1)
        if (__shfl_sync(~0u, before, owner + step) <= i) owner += step;
      a.source[k] = __shfl_sync(~0u, v, owner);
      a.value[k] = __shfl_sync(~0u, value, owner);
      a.index[k] = __shfl_sync(~0u, start, owner) + (i - __shfl_sync(~0u, before, owner));
      a.ok[k] = i < total;
    }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      if (a.ok[k]) a.target[k] = __ldg(targets + a.index[k]);
    body.visit(a);
  }
  return total;
}

// Visits the arcs of a list of vertices. Body has also
//   bool open(u32 v, bool first, Value &)
// which gives the value of a source, or false if its arcs need no visit; it is
// called once for each chunk, first being true for one of them. warp numbers the
// warps that share the list, in any order: those of the grid, or warps of them.
template <class Value, class Body>
__device__ __forceinline__ u64 visit_list(Body &body, u32 warp, const u32 *list, u32 count, const Offset *offsets, const u32 *targets, u32 warps = global_warps()) {
  u64 arcs = 0;
  u32 take = min(32u, max(8u, count / warps + 1));
  for (u64 at = (u64)warp * take; at < count; at += (u64)warps * take) {
    u32 v = 0, degree = 0;
    Offset start = 0;
    Value value = 0;
    if (lane() < take && at + lane() < count) {
      v = peek(list + at + lane());
      start = __ldg(offsets + v);
      degree = (u32)(__ldg(offsets + v + 1) - start);
      if (!body.open(v, true, value)) degree = 0;
    }
    __syncwarp();
    arcs += visit_vertices<Value>(body, v, value, start, degree, targets);
  }
  return arcs;
}

// Visits the arcs of a list of chunks.
template <class Value, class Body>
__device__ __forceinline__ u64 visit_chunks(Body &body, u32 warp, const uint2 *list, u32 count, const Offset *offsets, const u32 *targets, u32 warps = global_warps()) {
  u64 arcs = 0;
  for (u64 at = warp; at < count; at += warps) {
    uint2 item = peek(list + at);
    Value value = 0;
    u32 open = lane() == 0 && body.open(item.x, item.y == 0, value);
    open = __shfl_sync(~0u, open, 0);
    if (!open) continue;
    value = __shfl_sync(~0u, value, 0);
    Offset start = __ldg(offsets + item.x) + (Offset)item.y * CHUNK;
    Offset end = __ldg(offsets + item.x + 1);
    u32 total = (u32)min((u64)CHUNK, (u64)(end - start));
    for (u32 base = 0; base < total; base += 32 * AHEAD) {
      Arcs<Value> a;
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++) {
        u32 i = base + 32 * k + lane();
        a.source[k] = item.x;
        a.value[k] = value;
        a.index[k] = start + i;
        a.ok[k] = i < total;
      }
#pragma unroll
      for (u32 k = 0; k < AHEAD; k++)
        if (a.ok[k]) a.target[k] = __ldg(targets + a.index[k]);
      body.visit(a);
    }
    arcs += total;
  }
  return arcs;
}
