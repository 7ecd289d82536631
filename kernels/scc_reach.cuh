// Step 2 of scc.cu: what the pivot reaches, and what reaches it.
#pragma once
#include "scc.cuh"
#include "first.cuh"

// How a search goes on: from a list; by sweeps; by a sweep that lists what it
// finds; not at all.
enum { LIST, SWEEP, LISTING, ENDED };

// Whether a list is so long that a sweep is less work. It stays so as a list grows:
// what is beyond that need not be written.
__device__ __forceinline__ bool heavy(u32 n, u64 counts) { return 32ull * vertices_of(counts) + (u64)CHUNK * chunks_of(counts) > n / 2; }

// One of the two searches: pushed along the arcs of offsets and targets, pulled
// along the others.
struct Search {
  const Offset *offsets, *pull_offsets;
  const u32 *targets, *pull_targets;
  const u32 *first;  // first neighbours of what is pulled (first.cuh), or none
  u32 *reached;
  Lists lists;
  u64 *counts, *swept;
  const uint2 *hubs;  // pieces of what is pulled
  const u32 *hub_count;
};

// Found lists what a warp has found in a round, until the list is heavy.
struct Found {
  Pusher *out;
  u32 n;
  bool full;

  // Appends K vertices of each lane, where has. All lanes call it together.
  template <u32 K> __device__ __forceinline__ void push(const u32 (&v)[K], const Offset (&degree)[K], const bool (&has)[K]) {
    if (full) return;
    u32 number[K], mine = 0;
#pragma unroll
    for (u32 k = 0; k < K; k++) mine += number[k] = has[k] && degree[k] > FEW ? (u32)((degree[k] + CHUNK - 1) / CHUNK) : 0;
    if (__any_sync(~0u, mine != 0)) {
      u32 end = warp_scan(mine), total = __shfl_sync(~0u, end, 31);
      u64 at = 0;
      if (lane() == 0) at = atomicAdd(out->counts, (u64)total << 32);
      at = __shfl_sync(~0u, at, 0);
      full = heavy(n, at + ((u64)total << 32));
      if (full) return;
      u32 place = (u32)(at >> 32) + end - mine;
#pragma unroll
      for (u32 k = 0; k < K; k++) {
        write_pieces(out->chunks, place, number[k], v[k]);
        place += number[k];
      }
    }
#pragma unroll
    for (u32 k = 0; k < K; k++) out->vertex(has[k] && degree[k] > 0 && degree[k] <= FEW, v[k]);
    full = heavy(n, out->seen);
  }
};

// Reaches the ends of arcs.
struct Reach {
  const Offset *offsets;
  u32 *reached;
  Found *found;

  __device__ __forceinline__ bool open(u32, bool, u32 &) { return true; }

  __device__ __forceinline__ void visit(Arcs<u32> &a) {
    Offset degree[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) a.ok[k] = a.ok[k] && !marked(reached, a.target[k]);
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      degree[k] = 0;
      if (!a.ok[k]) continue;
      if (!found->full) degree[k] = __ldg(offsets + a.target[k] + 1) - __ldg(offsets + a.target[k]);
      a.ok[k] = mark(reached, a.target[k]);
    }
    found->push(a.target, degree, a.ok);
  }
};

// The pivot's arcs, a chunk to a warp; there is no list yet.
__device__ __forceinline__ u64 reach_from(Reach &body, u32 warp, u32 pivot, const Search &s) {
  u64 arcs = 0;
  Offset begin = __ldg(s.offsets + pivot), end = __ldg(s.offsets + pivot + 1);
  for (u64 i = begin + (u64)warp * 32 * AHEAD; i < end; i += (u64)global_warps() * 32 * AHEAD) {
    Arcs<u32> a;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      a.target[k] = i + 32 * k + lane() < end ? __ldg(s.targets + i + 32 * k + lane()) : pivot;
      a.ok[k] = a.target[k] != pivot;
    }
    body.visit(a);
    arcs += min((u64)32 * AHEAD, (u64)end - i);
  }
  return arcs;
}

// A bit that was set before the last barrier is seen; one that is being set may
// be. Loads go through the first-level cache, which has the hubs' bits.
struct IsReached {
  const u32 *reached;
  __device__ __forceinline__ bool operator()(u32 u, u32, u32) const { return test_bit(reached, u); }
};

// A sweep of one search by some warps.
struct Sweep {
  const Search &s;
  u32 warp, warps;
  bool listing;
  Found *found;
};

// Lists the hits of each lane: bit q is that of its vertex of word first + q.
template <u32 K> __device__ __forceinline__ void list_hits(const Sweep &w, u32 first, u32 hit) {
  if (!w.listing || w.found->full) return;
  u32 v[K];
  Offset degree[K];
  bool has[K];
#pragma unroll
  for (u32 q = 0; q < K; q++) {
    v[q] = (first + q) * 32 + lane();
    has[q] = hit >> q & 1;
    degree[q] = has[q] ? __ldg(w.s.offsets + v[q] + 1) - __ldg(w.s.offsets + v[q]) : 0;
  }
  w.found->push(v, degree, has);
}

// Looks at one piece of a hub after the other; returns how many hubs were found.
__device__ __forceinline__ u32 sweep_hubs(const Sweep &w) {
  const Search &s = w.s;
  u32 found = 0, pieces = *s.hub_count;
  for (u64 base = w.warp; base < pieces; base += (u64)w.warps * 32) {
    u64 i = base + (u64)lane() * w.warps; // a lane looks at one of the warp's next 32
    bool open = i < pieces && !marked(s.reached, s.hubs[i].x);
    for (u32 left = __ballot_sync(~0u, open); left; left &= left - 1) {
      uint2 piece = s.hubs[base + (u64)(__ffs(left) - 1) * w.warps];
      Offset start = s.pull_offsets[piece.x] + (Offset)piece.y * HUB, end = s.pull_offsets[piece.x + 1];
      end = min(end, start + HUB);
      bool hit = any_arc(lane() == 0, piece.x, 0, start, end, s.pull_targets, IsReached{s.reached});
      bool first = hit && mark(s.reached, piece.x);
      found += __popc(__ballot_sync(~0u, first));
      // The hub is one of the vertices of its word.
      u32 hub = __shfl_sync(~0u, (u32)first, 0);
      list_hits<1>(w, piece.x / 32, hub && lane() == piece.x % 32);
    }
  }
  return found;
}

// The first two neighbours of the vertices of SCC_BATCH words whose bits are set,
// all loaded side by side: those of hubs only where they need no look at offsets.
__device__ __forceinline__ void first_two(const Search &s, u32 first, const u32 (&word)[SCC_BATCH], u32 (&u)[SCC_BATCH][2]) {
  Offset start[SCC_BATCH], end[SCC_BATCH];
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++) {
    u32 v = (first + q) * 32 + lane();
    bool looks = word[q] >> lane() & 1;
    if (s.first) {
#pragma unroll
      for (u32 j = 0; j < 2; j++) u[q][j] = looks ? __ldg(s.first + first_at(v, j)) : NONE;
    } else {
      start[q] = end[q] = 0;
      if (looks) start[q] = __ldg(s.pull_offsets + v), end[q] = __ldg(s.pull_offsets + v + 1);
    }
  }
  if (s.first) return;
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++)
#pragma unroll
    for (u32 j = 0; j < 2; j++) u[q][j] = start[q] + j < end[q] ? __ldg(s.pull_targets + start[q] + j) : NONE;
}

// The other neighbours of v, where looks, unless it is a hub.
__device__ __forceinline__ bool look_further(const Search &s, bool looks, u32 v) {
  Offset from = 0, to = 0;
  if (looks) from = __ldg(s.pull_offsets + v), to = __ldg(s.pull_offsets + v + 1);
  looks = looks && to - from <= HUB;
  return any_arc(looks, v, 0, from + 2, to, s.pull_targets, IsReached{s.reached});
}

// The vertices of SCC_BATCH words, from number first on, whose bits are set, look
// for a reached neighbour. In an order by degree the first two nearly always tell.
__device__ __forceinline__ u32 look(const Sweep &w, u32 first, const u32 (&word)[SCC_BATCH]) {
  const Search &s = w.s;
  u32 u[SCC_BATCH][2], hit = 0, more = 0, found = 0; // bits of the lane's vertices
  first_two(s, first, word, u);
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++) {
    bool one = u[q][0] != NONE && test_bit(s.reached, u[q][0]), two = u[q][1] != NONE && test_bit(s.reached, u[q][1]);
    if (one || two) hit |= 1u << q;
    else if (u[q][1] != NONE) more |= 1u << q;
  }
#pragma unroll 1
  for (u32 q = 0; q < SCC_BATCH; q++) {
    bool looks = more >> q & 1;
    if (__any_sync(~0u, looks) && look_further(s, looks, (first + q) * 32 + lane())) hit |= 1u << q;
    __syncwarp();
    u32 bits = __ballot_sync(~0u, hit >> q & 1);
    if (bits && lane() == 0) atomicOr(s.reached + first + q, bits);
    found += __popc(bits);
  }
  if (found) list_hits<SCC_BATCH>(w, first, hit);
  return found;
}

// Every vertex alive that is not reached looks for a neighbour that is. Returns
// how many the warp has found.
__device__ __forceinline__ u32 sweep(u32 n, const u32 *alive, const Sweep &w) {
  static_assert(SPAN % SCC_BATCH == 0, "words are looked after in batches");
  u32 found = sweep_hubs(w);
  u32 words = (u32)(((u64)n + 31) / 32);
  for (u64 at = (u64)w.warp * SPAN; at < words; at += (u64)w.warps * SPAN) {
    u32 mine = lane() < SPAN && at + lane() < words ? alive[at + lane()] & ~peek(w.s.reached + at + lane()) : 0;
    u32 some = __ballot_sync(~0u, mine != 0);
#pragma unroll 1
    for (u32 k = 0; k < SPAN; k += SCC_BATCH) {
      if (!(some >> k & ((1u << SCC_BATCH) - 1))) continue;
      u32 word[SCC_BATCH];
#pragma unroll
      for (u32 q = 0; q < SCC_BATCH; q++) word[q] = __shfl_sync(~0u, mine, k + q);
      found += look(w, (u32)at + k, word);
    }
  }
  return found;
}

// How a search goes on after a round. Once it has swept, sweeps list what they
// find, until that is little.
__device__ __forceinline__ u32 next_mode(u32 n, u32 mode, u64 counts, u64 swept) {
  if (mode == ENDED || mode == SWEEP) return mode == ENDED || !swept ? ENDED : LISTING;
  if (mode == LISTING && !swept) return ENDED;
  if (!counts) return ENDED;
  return !heavy(n, counts) ? LIST : mode == LIST ? SWEEP : LISTING;
}
