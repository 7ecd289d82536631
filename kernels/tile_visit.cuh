// What a block does with one tile: see step_tiles.cuh.
#pragma once
#include "tile_run.cuh"

namespace tile {

// Inside is what the threads of a block share of a tile.
struct Inside {
  Message *offers; // by tell and heed, while the tile is swept
  Mute *mute;      // those that have said nothing yet
  u32 *dirty;        // bits: those that have something to send
  u64 *least;        // priority of those that wait
  u64 *marked;       // of what was marked in this round
  u32 *awake;        // of this round
  u64 *sent;
};

// Held are the vertices of one thread: those at threadIdx.x + j * TILE_THREADS.
struct Held {
  Value value[HELD];
  Message heard[HELD];
  uint2 row[HELD];
#if WEIGHS
  WEIGHT weights[HELD][ROW];
#endif
  u32 in, waits, dirty, applied; // bit j
};

__device__ __forceinline__ u32 neighbour(const uint2 &row, u32 z) { return (z & 2 ? row.y : row.x) >> (z & 1 ? 16 : 0) & 0xffff; }

// say puts down what vertex j offers, if it is awake: or has it wait.
__device__ __forceinline__ bool say(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, u32 j, Held &h, const Inside &s) {
  u32 k = threadIdx.x + j * TILE_THREADS;
  if (WAITS && urgency(h.value[j], p) > current) {
    h.waits |= 1u << j;
    return false;
  }
  h.waits &= ~(1u << j), h.dirty |= 1u << j;
#if defined(EDGE_SOURCE)
  tell(s.offers + k, (Message)(base + k));
#else
  tell(s.offers + k, emit(vertex_of(r, base + k, round), h.value[j], p));
#endif
  if (!MUTE) {
    __threadfence_block(); // the offer first
    tell(s.mute + k, (Mute)0);
  }
  return true;
}

// join loads the arcs of the thread's vertices.
__device__ __forceinline__ void join(const TileRun &r, u32 base, Held &h) {
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 v = base + threadIdx.x + j * TILE_THREADS, at = v < r.n ? v : r.n - 1;
    h.row[j] = r.arcs.rows[at];
#if WEIGHS
    uint4 w = r.arcs.row_weights[at];
    memcpy(h.weights[j], &w, sizeof w);
#endif
  }
}

// fetch loads what the thread's vertices have, once the tile's key has been emptied.
__device__ __forceinline__ void fetch(const TileRun &r, u32 base, Held &h) {
  h.in = h.waits = h.dirty = h.applied = 0;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 v = base + threadIdx.x + j * TILE_THREADS, at = v < r.n ? v : r.n - 1;
    if (v < r.n) h.in |= 1u << j;
    h.value[j] = r.values[at];
    h.heard[j] = peek(r.box + at);
    h.waits |= (r.waiting[v >> 5] >> lane() & 1) << j;
  }
}

// begin applies what has come in boxes, and puts down the offers of those who have
// something new to say. It tells whether any has.
__device__ __forceinline__ bool begin(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, Held &h, const Inside &s) {
  bool fresh = false;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 k = threadIdx.x + j * TILE_THREADS, v = base + k;
    bool in = h.in >> j & 1, awake = in && h.waits >> j & 1;
    if (in && h.heard[j] != IDENTITY) {
      bool woken = false;
      h.value[j] = apply(vertex_of(r, v, round), h.value[j], h.heard[j], true, p, woken);
      h.applied |= 1u << j;
      awake |= woken;
    }
    if (awake && say(r, p, round, current, base, j, h, s)) {
      fresh = true;
    } else {
      s.offers[k] = IDENTITY;
      if (!MUTE) s.mute[k] = 1;
    }
  }
  return fresh;
}

__device__ __forceinline__ Message hear(const Inside &s, u32 base, u32 u, const Arcs &a, u64 e, Message m) {
  if (!MUTE && heed(s.mute + u)) return m;
  return combine(m, along(heed(s.offers + u), base + u, a, e));
}

// listen has vertex j hear its neighbours inside, and tells whether it has
// something new to say.
__device__ __forceinline__ bool listen(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, u32 j, Held &h, const Inside &s) {
  Message m = h.heard[j];
  if ((h.row[j].x & 0xffff) == MANY) {
    u64 first = r.arcs.more_first[h.row[j].y];
    u32 count = r.arcs.more_count[h.row[j].y];
    Arcs a = {0, 0, r.arcs.more_weights};
    for (u32 i = 0; i < count; i++) m = hear(s, base, r.arcs.more[first + i], a, first + i, m);
  } else {
#if WEIGHS
    Arcs a = {0, 0, h.weights[j]};
#else
    Arcs a = {0, 0, 0};
#endif
#pragma unroll
    for (u32 z = 0; z < ROW; z++) {
      m = hear(s, base, neighbour(h.row[j], z), a, z, m); // TILE offers nothing
    }
  }
  if (!boxes::news(h.heard[j], m)) return false;
  h.heard[j] = m;
  bool awake = false;
  h.value[j] = apply(vertex_of(r, base + threadIdx.x + j * TILE_THREADS, round), h.value[j], m, true, p, awake);
  h.applied |= 1u << j;
  return awake && say(r, p, round, current, base, j, h, s);
}

// store puts the thread's vertices back.
__device__ __forceinline__ void store(const TileRun &r, const Params &p, u32 base, const Held &h, const Inside &s) {
  u64 least = NEVER, sent = 0;
  u32 awake = 0;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 k = threadIdx.x + j * TILE_THREADS, v = base + k;
    bool dirty = h.dirty >> j & 1, waits = h.waits >> j & 1;
    if (h.applied >> j & 1) {
      put(r.values + v, h.value[j]);
      if (!READABLE) deliver(r.box + v, h.heard[j]);
    }
    if (waits) {
      u64 u = urgency(h.value[j], p);
      least = u < least ? u : least;
    }
    if (dirty) sent += sends(r, v);
    u32 word = __ballot_sync(~0u, dirty), later = __ballot_sync(~0u, waits);
    awake += __popc(word);
    if (lane() == 0) s.dirty[k >> 5] = word, r.waiting[v >> 5] = later;
  }
  if (__any_sync(~0u, h.waits)) least = warp_least(least);
  sent = warp_sum(sent);
  if (lane() == 0) {
    if (least != NEVER) atomicMin(s.least, least);
    if (awake) atomicAdd(s.awake, awake), atomicAdd(s.sent, sent);
  }
}

// mark does not look at the key before: nobody waits for the atomic.
__device__ __forceinline__ void mark(const TileRun &r, u32 tile, u64 key, const Inside &s) {
  atomicMin(r.key + tile, key);
  atomicMin(s.marked, key);
}

// pass sends a message to a vertex outside, unless it says nothing new there.
__device__ __forceinline__ void pass(const TileRun &r, const Params &p, i32 round, u64 current, u32 v, Message m, const Inside &s) {
  u64 key = WAITS ? current : 0;
  Message box = peek(r.box + v);
  if (READABLE) {
    u64 before = sizeof(Value) == 8 ? peek((const u64 *)(r.values + v)) : peek((const u32 *)(r.values + v)), after = 0;
    Value x;
    memcpy(&x, &before, sizeof x);
    bool awake = false;
    x = apply(vertex_of(r, v, round), x, m, true, p, awake);
    memcpy(&after, &x, sizeof x);
    if (awake) key = urgency(x, p);
    else if (before == after) return;
  }
  if (!boxes::news(box, m)) return;
  boxes::put(r.box + v, m);
  __threadfence();
  mark(r, v / TILE, key, s);
}

// Leaving are the arcs that leave a tile, the thread's first of which is there.
struct Leaving {
  u64 first, end;
  u32 from, to;
#if WEIGHS
  WEIGHT weight;
#endif
};

// part loads what leaves the tile.
__device__ __forceinline__ void part(const TileRun &r, u32 tile, Leaving &l) {
  l.first = r.arcs.leave_first[tile], l.end = r.arcs.leave_first[tile + 1];
  u64 e = l.first + threadIdx.x;
  if (e >= l.end) return;
  l.from = r.arcs.leave_from[e], l.to = r.arcs.leave[e];
#if WEIGHS
  l.weight = r.arcs.leave_weights[e];
#endif
}

// leave sends what is new along the arcs that leave the tile.
__device__ __forceinline__ void leave(const TileRun &r, const Params &p, i32 round, u64 current, u32 tile, const Leaving &l, const Inside &s) {
  u64 e = l.first + threadIdx.x;
  if (e >= l.end) return;
  u32 from = l.from, to = l.to;
#if WEIGHS
  WEIGHT weight = l.weight;
#endif
  for (;;) {
    if (s.dirty[from >> 5] >> (from & 31) & 1) {
#if WEIGHS
      Arcs a = {0, &to, &weight};
#else
      Arcs a = {0, &to, 0};
#endif
      Message m = along(s.offers[from], tile * TILE + from, a, 0);
      if (m != IDENTITY) pass(r, p, round, current, to, m, s);
    }
    e += TILE_THREADS;
    if (e >= l.end) return;
    from = r.arcs.leave_from[e], to = r.arcs.leave[e];
#if WEIGHS
    weight = r.arcs.leave_weights[e];
#endif
  }
}

__device__ __forceinline__ void visit(const TileRun &r, const Params &p, i32 round, u64 current, u32 tile, Held &h, const Leaving &l, const Inside &s) {
  u32 base = tile * TILE;
  fetch(r, base, h);
  bool fresh = begin(r, p, round, current, base, h, s);
  for (u32 sweeps = 0; __syncthreads_or(fresh); sweeps++) {
    if (sweeps == SWEEPS_MOST) { // a program that breaks the law: those who have said something do so again
      h.waits |= h.dirty;
      break;
    }
    fresh = false;
#pragma unroll 1
    for (u32 i = 0; i < TILE_SWEEPS; i++) {
#pragma unroll
      for (u32 j = 0; j < HELD; j++) fresh |= (h.in >> j & 1) && listen(r, p, round, current, base, j, h, s);
    }
  }
  store(r, p, base, h, s);
  __syncthreads();
  if (threadIdx.x == 0 && *s.least != NEVER) mark(r, tile, *s.least, s);
  leave(r, p, round, current, tile, l, s);
}

} // namespace tile
