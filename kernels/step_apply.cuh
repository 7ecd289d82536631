// Offers, and applying what vertices hear: for all vertices, a warp having words of
// them.
#pragma once

#include "step_vertices.cuh"

// place is where the offer of v lies, in a superstep before which all were awake
// or not.
__device__ __forceinline__ u32 place(const Run &r, u32 v, bool all) { return all && r.ranks.of ? r.ranks.of[v] : v; }

__device__ __forceinline__ const u32 *places(const Run &r, u32 k, bool all) {
  return all && r.ranks.of ? r.ranks.targets : r.receive[k].targets;
}

__device__ __forceinline__ void emit_phase(const Run &r, const Params &p, i32 s, const u32 *awake, bool all) {
  for (u32 v = global_thread(); v < r.n; v += global_threads()) {
    if (!all && !test_bit(awake, v)) continue;
    u32 at = place(r, v, all);
    if (at != NONE) r.offers[0][at] = offer(r, p, v, s);
  }
}

// Offers are those of a superstep, and who makes them.
struct Offers {
  const Message *list;
  const u32 *front;
  bool all;

  __device__ __forceinline__ Offers(const Run &r, const u32 *f, bool a) : list(r.offers[0]), front(f), all(a) {}

  // name loads the targets of up to K arcs of a row: i, i+STEP, … before length.
  // What other lanes share the sectors of is not kept in the caches.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ void name(const u32 *row, u32 i, u32 length, u32 (&u)[K]) const {
#pragma unroll
    for (u32 j = 0; j < K; j++) u[j] = i + j * STEP >= length ? NONE : STEP == 1 ? row[i + j] : __ldcs(row + i + j * STEP);
  }

  // fetch loads what they offer. Those who sleep offer nothing.
  template <u32 K>
  __device__ __forceinline__ void fetch(u32 (&u)[K], Message (&x)[K]) const {
    if (!all) {
      u32 word[K];
#pragma unroll
      for (u32 j = 0; j < K; j++) word[j] = u[j] != NONE ? front[u[j] >> 5] : 0;
#pragma unroll
      for (u32 j = 0; j < K; j++)
        if (!(word[j] >> (u[j] & 31) & 1)) u[j] = NONE;
    }
#pragma unroll
    for (u32 j = 0; j < K; j++) {
#if defined(EDGE_SOURCE)
      x[j] = (Message)u[j];
#else
      x[j] = u[j] != NONE ? list[u[j]] : IDENTITY;
#endif
    }
  }

  // fold combines what comes along the arcs, the first of which is arc e.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ bool fold(const Arcs &a, u64 e, const u32 (&u)[K], const Message (&x)[K], Message &m) const {
    bool heard = false;
#pragma unroll
    for (u32 j = 0; j < K; j++)
      if (u[j] != NONE) m = combine(m, along(x[j], u[j], a, e + j * STEP)), heard = true;
    return heard;
  }

  // hear combines what up to K arcs of a row bring, the row's first being arc e.
  // Loads of one kind are under way together.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ bool hear(const Arcs &a, const u32 *row, u64 e, u32 i, u32 length, Message &m) const {
    u32 u[K];
    Message x[K];
    name<K, STEP>(row, i, length, u);
    fetch<K>(u, x);
    return fold<K, STEP>(a, e + i, u, x, m);
  }
};

// A Batch is W words of vertices, a vertex of each for a lane. What hangs on
// nothing but the vertex is loaded first, for all of them: the fewer times a warp
// waits, the better, as memory is far.
template <u32 W> struct Batch {
  u32 base; // the first word
  Value old[W]; // where not SEEKS
  Message m[W];
  u32 got[W], awake[W], open[W]; // bits
  bool has[W];
  Offset from[W], end[W]; // where it pulls, of the arcs sent along
  u32 degree[W];          // out-degree
  u32 place[W];           // of the offer

  // The vertex of the lane in word q, and the word; the last ones there are, in place of
  // those that there are not: no load depends on a condition.
  __device__ __forceinline__ u32 word(const Run &r, u32 q) const { return base + q < r.words ? base + q : r.words - 1; }
  __device__ __forceinline__ u32 vertex(const Run &r, u32 q) const {
    u32 v = word(r, q) * 32 + lane();
    return v < r.n ? v : r.n - 1;
  }
  __device__ __forceinline__ bool in(const Run &r, u32 q) const { return base + q < r.words && (base + q) * 32 + lane() < r.n; }
};

template <bool PULLS, u32 W, bool BARE>
__device__ __forceinline__ void load(const Run &r, u32 side, const u32 *front, bool all, Batch<W> &b) {
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    u32 word = b.word(r, q), v = b.vertex(r, q);
#if !SEEKS
    if (BARE) memset(&b.old[q], 0, sizeof b.old[q]);
    else b.old[q] = r.values[v];
#endif
    if (PULLS) b.from[q] = r.send[0].offsets[v], b.end[q] = r.send[0].offsets[v + 1];
    if (SILENT) b.awake[q] = front[word];
    if (SETTLES) b.open[q] = r.settled[word];
#if BOXED
    b.m[q] = r.box[side][v];
#else
    b.got[q] = r.touched[side][word];
    if (COLUMNED) b.m[q] = word < r.ends ? r.box[side][v] : IDENTITY; // most have one
#endif
#if LOCAL
    if (PULLS) b.place[q] = place(r, v, true); // if not all are awake, the next superstep makes its offers anew
#endif
  }
  __syncwarp(); // or the compiler has the first word wait before the others are asked for
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    bool in = b.in(r, q);
    if (PULLS) b.degree[q] = (u32)(b.end[q] - b.from[q]);
    if (PULLS && BOTH && r.sides > 1) b.degree[q] = out_degree(r, b.vertex(r, q));
    b.awake[q] = !SILENT || !in ? 0 : all ? ~0u : b.awake[q];
    b.open[q] = !in ? 0 : SETTLES ? ~b.open[q] : ~0u;
#if BOXED
    b.has[q] = in && b.m[q] != IDENTITY;
#else
    b.got[q] = b.base + q < r.words ? b.got[q] : 0;
#endif
  }
#if !BOXED
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    b.has[q] = b.got[q] >> lane() & 1;
    if (!COLUMNED) b.m[q] = b.has[q] ? r.box[side][(b.base + q) * 32 + lane()] : IDENTITY;
  }
#endif
}

// light adds to a batch what its vertices with few arcs receive along side k.
template <u32 W>
__device__ __forceinline__ void light(const Run &r, u32 k, const Offers &o, Batch<W> &b) {
  const Arcs &a = r.receive[k];
  const u32 *at = places(r, k, o.all);
  Offset e[W];
  u32 bound = o.all ? r.light : LIGHT, length[W], longest = 0;
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    u32 v = (b.base + q) * 32 + lane();
    bool open = b.open[q] >> lane() & 1 && b.base + q < r.ends;
#if MUTUAL
    e[q] = open ? b.from[q] : 0;
    Offset end = open ? b.end[q] : 0;
#else
    e[q] = open ? a.offsets[v] : 0;
    Offset end = open ? a.offsets[v + 1] : 0;
#endif
    length[q] = end - e[q] < bound ? (u32)(end - e[q]) : 0;
    longest = length[q] > longest ? length[q] : longest;
  }
  for (u32 i = 0; i < longest; i += LIGHT_LOADS) {
    u32 u[W][LIGHT_LOADS];
    Message x[W][LIGHT_LOADS];
#pragma unroll
    for (u32 q = 0; q < W; q++) o.name<LIGHT_LOADS, 1>(at + e[q], i, length[q], u[q]);
#pragma unroll
    for (u32 q = 0; q < W; q++) o.fetch<LIGHT_LOADS>(u[q], x[q]);
#pragma unroll
    for (u32 q = 0; q < W; q++) b.has[q] |= o.fold<LIGHT_LOADS, 1>(a, e[q] + i, u[q], x[q], b.m[q]);
  }
}

// apply_phase applies what lies in the boxes, to which, when it pulls, each lane
// adds what a vertex with few arcs receives. What becomes of values goes to a place given. BARE: values
// are neither read nor kept (runtime/cuda/bare.go).
template <bool PULLS, u32 W, bool BARE = false>
__device__ __forceinline__ void apply_phase(const Run &r, const Params &p, i32 s, u32 side, const u32 *front, u32 *next, bool all,
                                            u64 current, Value *to, Tallies *t, Found &found) {
  Offers offers(r, front, all);
  Batch<W> b;
  for (b.base = global_warp() * W; b.base < r.words; b.base += global_warps() * W) {
    load<PULLS, W, BARE>(r, side, front, all, b);
#pragma unroll
    for (u32 q = 0; q < W; q++)
      if (b.has[q]) r.box[side][(b.base + q) * 32 + lane()] = IDENTITY;
    if (PULLS) {
      for (u32 k = 0; k < (BOTH ? r.sides : 1); k++) light<W>(r, k, offers, b);
    }
#pragma unroll
    for (u32 q = 0; q < W; q++) {
      u32 word = b.base + q, v = word * 32 + lane();
      if (word >= r.words) break;
      Fate f = {false, false, false};
      if (b.open[q] >> lane() & 1 && (b.has[q] || b.awake[q] >> lane() & 1)) {
        if (!PULLS) b.degree[q] = out_degree(r, v);
        TRACE(if (!PULLS && b.has[q]) found.awake += HEARD;)
        Vertex x = vertex(r, v, b.degree[q], s, t);
        bool awake = false;
#if SEEKS
        b.old[q] = value_of(r, p, v, is_kept(r, v));
#endif
        Value value = apply(x, b.old[q], b.m[q], b.has[q], p, awake);
        if (BARE) f.awake = awake;
        else f = keep(r, p, v, value, awake, current, to);
#if LOCAL
        x.superstep++;
        if (PULLS && b.place[q] != NONE) r.offers[1][b.place[q]] = emit(x, value, p);
#endif
      }
      close(r, word, f, next, found, b.degree[q], false);
      if (!BOXED && lane() == 0 && b.got[q]) r.touched[side][word] = 0; // close has met: all lanes have read it
    }
  }
}

#if SEEKS && BOXED
#ifndef APPLY_BOXES
#define APPLY_BOXES 8 // words whose boxes a warp looks into at once
#endif

// apply_boxes is apply_phase where nothing is pulled and few have got a message, which the boxes
// alone tell: those of several words are under way together, then what hangs on the vertices that
// have one. Behind the last who can get one no box is read.
__device__ __forceinline__ void apply_boxes(const Run &r, const Params &p, i32 s, u32 side, u32 *next, Found &found) {
  for (u32 base = global_warp() * APPLY_BOXES; base < r.words; base += global_warps() * APPLY_BOXES) {
    Message m[APPLY_BOXES];
    u32 mine = base + lane(), got = 0, degree[APPLY_BOXES];
    bool in = lane() < APPLY_BOXES && mine < r.words;
#pragma unroll
    for (u32 q = 0; q < APPLY_BOXES; q++) {
      u32 v = (base + q) * 32 + lane();
      m[q] = base + q < r.ends && v < r.n ? __ldcs(r.box[side] + v) : IDENTITY;
    }
    __syncwarp();
#pragma unroll
    for (u32 q = 0; q < APPLY_BOXES; q++) got |= (u32)(m[q] != IDENTITY) << q;
    if (!__any_sync(~0u, got)) {
      if (in) next[mine] = 0;
      continue;
    }
    u32 done = in ? r.settled[mine] : ~0u, kept = in && r.lazy ? r.kept[mine] : 0, woken = 0, over = 0;
#pragma unroll
    for (u32 q = 0; q < APPLY_BOXES; q++) {
      u32 v = (base + q) * 32 + lane();
      degree[q] = got >> q & 1 ? out_degree(r, v) : 0;
      if (got >> q & 1) r.box[side][v] = IDENTITY;
    }
    __syncwarp();
#pragma unroll
    for (u32 q = 0; q < APPLY_BOXES; q++) {
      u32 v = (base + q) * 32 + lane();
      bool closed = __shfl_sync(~0u, done, q) >> lane() & 1, has_value = __shfl_sync(~0u, kept, q) >> lane() & 1;
      Fate f = {false, false, false};
      if (got >> q & 1 && !closed) {
        TRACE(found.awake += HEARD;)
        bool awake = false;
        Value value = apply(vertex(r, v, degree[q], s, 0), value_of(r, p, v, has_value), m[q], true, p, awake);
        f = keep(r, p, v, value, awake, 0);
        if (f.awake) found.count++, found.arcs += degree[q];
      }
      u32 awake = __ballot_sync(~0u, f.awake), settled = __ballot_sync(~0u, f.settled);
      if (lane() == q) woken = awake, over = settled;
    }
    if (in) next[mine] = woken;
    if (over) r.settled[mine] = done | over;
  }
}
#endif
