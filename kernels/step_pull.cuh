// Pulling: the first awake neighbour, or all of them.
#pragma once

#include "step_apply.cuh"

// ---- The first awake neighbour ---------------------------------------------

// A lane looks at the first SHORT neighbours of its vertices, LOOKS of each at a
// time, the warp at the rest.
static const u32 SHORT = 32, LOOKS = 4;

struct Hit {
  u32 from; // NONE: not found
  Offset arc;
};

__device__ __forceinline__ bool awake_at(const u32 *front, u32 u) { return front[u >> 5] >> (u & 31) & 1; }

// look has each lane look at the first neighbours of K vertices, with the loads
// for all of them under way together.
template <u32 K>
__device__ __forceinline__ void look(const Arcs &a, const u32 *front, const Offset (&e)[K], const Offset (&end)[K], Hit (&h)[K]) {
  for (u32 i = 0; i < SHORT; i += LOOKS) {
    bool any = false;
    u32 u[K][LOOKS];
    bool b[K][LOOKS];
#pragma unroll
    for (u32 q = 0; q < K; q++) {
      Offset length = h[q].from == NONE ? end[q] - e[q] : 0;
      any |= length > i;
#pragma unroll
      for (u32 j = 0; j < LOOKS; j++) u[q][j] = length > i + j ? a.targets[e[q] + i + j] : NONE;
    }
    if (!__any_sync(~0u, any)) return;
#pragma unroll
    for (u32 q = 0; q < K; q++)
#pragma unroll
      for (u32 j = 0; j < LOOKS; j++) b[q][j] = u[q][j] != NONE && awake_at(front, u[q][j]);
#pragma unroll
    for (u32 q = 0; q < K; q++)
#pragma unroll
      for (int j = LOOKS - 1; j >= 0; j--)
        if (b[q][j]) h[q].from = u[q][j], h[q].arc = e[q] + i + j;
  }
}

// search has the warp look at the arcs at to end of the vertex of one lane.
__device__ __forceinline__ void search(const Arcs &a, const u32 *front, u32 owner, u64 at, u64 end, Hit &h) {
  for (; at < end; at += 128) {
    u32 u[4];
    bool b[4];
#pragma unroll
    for (u32 j = 0; j < 4; j++) u[j] = j * 32 + lane() < end - at ? a.targets[at + j * 32 + lane()] : NONE;
#pragma unroll
    for (u32 j = 0; j < 4; j++) b[j] = u[j] != NONE && awake_at(front, u[j]);
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
      u32 hits = __ballot_sync(~0u, b[j]);
      if (!hits) continue;
      u32 first = __ffs(hits) - 1, from = __shfl_sync(~0u, u[j], first);
      if (lane() == owner) h.from = from, h.arc = (Offset)(at + j * 32 + first);
      return;
    }
  }
}

// first_awake finds the first awake neighbours of K vertices of each lane that
// have none yet, among arcs e to end. All lanes of the warp call it; those that
// look for nothing have e = end.
template <u32 K>
__device__ __forceinline__ void first_awake(const Arcs &a, const u32 *front, const Offset (&e)[K], const Offset (&end)[K], Hit (&h)[K]) {
  look<K>(a, front, e, end, h);
#pragma unroll
  for (u32 q = 0; q < K; q++) {
    u32 others = __ballot_sync(~0u, h[q].from == NONE && end[q] - e[q] > SHORT);
    while (others) {
      u32 owner = __ffs(others) - 1;
      others &= others - 1;
      u64 at = __shfl_sync(~0u, e[q], owner), to = __shfl_sync(~0u, end[q], owner);
      search(a, front, owner, at + SHORT, to, h[q]);
    }
  }
}

#if FIRST && (!SEEKS || BOTH)
static const u32 WORDS = 4; // of bits that a warp has at a time: a lane has as many vertices

// pull_phase lets every vertex that still takes messages look, and applies. The
// first two neighbours of a vertex are most often enough.
__device__ __forceinline__ void pull_phase(const Run &r, const Params &p, i32 s, const u32 *front, u32 *next, u64 current, Found &found) {
  const Arcs &a = r.receive[0];
  for (u32 base = global_warp() * WORDS; base < r.words; base += global_warps() * WORDS) {
    u32 open[WORDS], awake[WORDS], any = 0;
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) {
      bool in = base + q < r.words;
      open[q] = in ? r.receivers[base + q] & (SETTLES ? ~r.settled[base + q] : ~0u) : 0;
      awake[q] = SILENT && in ? front[base + q] & (SETTLES ? ~r.settled[base + q] : ~0u) : 0;
    }
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) any |= open[q] | awake[q];
    if (!any) {
      if (lane() < WORDS && base + lane() < r.words) next[base + lane()] = 0;
      continue;
    }
    Offset from[WORDS], to[WORDS];
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) {
      from[q] = to[q] = 0;
      u32 v = (base + q) * 32 + lane();
      if (open[q] >> lane() & 1) from[q] = a.offsets[v], to[q] = a.offsets[v + 1];
    }
    u32 u[WORDS][2];
#pragma unroll
    for (u32 q = 0; q < WORDS; q++)
#pragma unroll
      for (u32 j = 0; j < 2; j++) u[q][j] = from[q] + j < to[q] ? a.targets[from[q] + j] : NONE;
    Hit h[WORDS];
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) {
      bool first = u[q][0] != NONE && awake_at(front, u[q][0]), second = u[q][1] != NONE && awake_at(front, u[q][1]);
      h[q].from = first ? u[q][0] : second ? u[q][1] : NONE;
      h[q].arc = from[q] + (first ? 0 : 1);
      from[q] = to[q] - from[q] < 2 ? to[q] : from[q] + 2;
    }
    first_awake<WORDS>(a, front, from, to, h);
    Value old[WORDS];
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) {
      u32 v = (base + q) * 32 + lane();
      v = v < r.n ? v : r.n - 1;
      if (h[q].from != NONE || BOTH || SILENT) old[q] = value_of(r, p, v, is_kept(r, v));
    }
#pragma unroll
    for (u32 q = 0; q < WORDS; q++) {
      if (base + q >= r.words) break;
      u32 v = (base + q) * 32 + lane();
      [[maybe_unused]] u32 side = 0;
      if (BOTH && r.sides > 1) {
#if defined(COMBINE_MIN)
        bool wanted = open[q] >> lane() & 1;
#else
        bool wanted = (open[q] >> lane() & 1) && h[q].from == NONE;
#endif
        Offset e[1] = {wanted ? r.receive[1].offsets[v] : 0}, end[1] = {wanted ? r.receive[1].offsets[v + 1] : 0};
        Hit other[1] = {{NONE, 0}};
        first_awake<1>(r.receive[1], front, e, end, other);
        if (other[0].from < h[q].from) h[q] = other[0], side = 1; // NONE is more than any
      }
      Fate f = {false, false, false};
      u32 degree = 0;
      bool got = h[q].from != NONE;
      if (got || awake[q] >> lane() & 1) {
        Message m = IDENTITY;
        if (got) {
#if defined(EDGE_SOURCE)
          m = (Message)h[q].from;
#else
          m = along(peek(r.offers[0] + h[q].from), h[q].from, r.receive[side], h[q].arc);
#endif
        }
        Vertex x = vertex(r, v, s, 0);
        bool stays = false;
        Value value = apply(x, old[q], m, got, p, stays);
        f = keep(r, p, v, value, stays, current);
        degree = x.out_degree;
      }
      close(r, base + q, f, next, found, degree, false);
    }
  }
}
#elif !FIRST
// ---- All neighbours of vertices with many ------------------------------------

// row_part combines, over LANES lanes, what arcs e to end bring, fewer than 2^32:
// lane i of them has every LANES-th.
template <u32 LANES>
__device__ __forceinline__ bool row_part(const Arcs &a, const u32 *at, u64 e, u64 end, const Offers &o, Message &m) {
  const u32 *row = at + e;
  u32 length = (u32)(end - e);
  bool heard = false;
  for (u32 i = lane() & (LANES - 1); i < length; i += ROW_LOADS * LANES) heard |= o.hear<ROW_LOADS, LANES>(a, row, e, i, length, m);
#pragma unroll
  for (u32 d = LANES / 2; d; d >>= 1) {
    m = combine(m, __shfl_xor_sync(~0u, m, d));
    heard |= __shfl_xor_sync(~0u, (int)heard, d) != 0;
  }
  return heard;
}

// put leaves a row's message in its box, combined with that of the first side.
__device__ __forceinline__ void put(const Run &r, u32 v, Message x, bool second) {
  u32 *word = r.touched[0] + (v >> 5), bit = 1u << (v & 31);
  if (second && peek(word) & bit) x = combine(peek(r.box[0] + v), x);
  r.box[0][v] = x;
  atomicOr(word, bit);
}

// gather_phase combines the messages of rows with many arcs along one side. The
// order of a sum depends on the graph alone.
__device__ __forceinline__ void gather_phase(const Run &r, u32 k, const u32 *front, bool all) {
  const Bins &b = r.bins[k];
  const Arcs &a = r.receive[k];
  const u32 *at = places(r, k, all);
  Offers o(r, front, all);
  u32 items = b.chunk_count + b.wides + (b.mids + 3) / 4;
  for (u32 i = global_warp(); i < items; i += global_warps()) {
    Message m = IDENTITY;
    if (i < b.chunk_count) {
      u64 chunk = b.chunks[i];
      u32 v = (u32)chunk;
      u64 lo = a.offsets[v] + (chunk >> 32) * HUB, end = a.offsets[v + 1];
      bool heard = row_part<32>(a, at, lo, lo + HUB < end ? lo + HUB : end, o, m);
      if (lane() == 0) r.partial[k][i] = m, r.heard[k][i] = heard;
    } else if (i < b.chunk_count + b.wides) {
      u32 v = b.wide[i - b.chunk_count];
      bool heard = row_part<32>(a, at, a.offsets[v], a.offsets[v + 1], o, m);
      if (heard && lane() == 0) put(r, v, m, k > 0);
    } else {
      u32 j = (i - b.chunk_count - b.wides) * 4 + lane() / 8;
      u32 v = j < b.mids ? b.mid[j] : 0;
      u64 lo = 0, end = 0;
      if (j < b.mids) lo = a.offsets[v], end = a.offsets[v + 1];
      bool heard = row_part<8>(a, at, lo, end, o, m);
      if (heard && lane() % 8 == 0) put(r, v, m, k > 0);
    }
  }
}

// fix_phase adds up the chunks of each hub, by a warp.
__device__ __forceinline__ void fix_phase(const Run &r, u32 k) {
  const Bins &b = r.bins[k];
  for (u32 i = global_warp(); i < b.hub_count; i += global_warps()) {
    Message m = IDENTITY;
    bool heard = false;
    for (u32 c = b.first[i] + lane(); c < b.first[i + 1]; c += 32)
      if (peek(r.heard[k] + c)) heard = true, m = combine(m, peek(r.partial[k] + c));
    for (int d = 16; d; d >>= 1) m = combine(m, __shfl_xor_sync(~0u, m, d));
    if (__any_sync(~0u, heard) && lane() == 0) put(r, b.hubs[i], m, k > 0);
  }
}
#endif
