// Pulling where vertices settle: those that have not (that are open) seek an awake
// neighbour.
//
// Result: as of pull_phase, for programs that are sent along one side. Method: a
// warp sweeps over words of vertices, whose first neighbours it tests, with the
// loads for all under way together; who is awake is among them most often. Those
// with more neighbours it hoards, until there are enough to search for all of them
// at once, whatever words they come from. When few are open, a sweep makes a list
// of those that it leaves open (Frontier.seekers), and later supersteps look at
// them alone: a vertex that is not on the list will never be open again.
//
// Invariant: a warp that sweeps a word is the only one that writes its bits; in a
// superstep by the list bits are set by atomics, in a bitmap that the superstep
// before last has emptied. Cost: a read of the bits and first neighbours of the
// vertices with arcs, or of the list; the lists of those that find nothing.
#pragma once

#include "step_pull.cuh"
#include "step_push.cuh"

#if SEEKS
#ifndef NEARED
#define NEARED 0 // 1: first neighbours lie side by side (Run.near)
#endif
#ifndef SWEEP_WORDS
#define SWEEP_WORDS 4 // of bits that a warp has at a time: a lane has as many vertices
#endif
#ifndef SEARCH_WORDS
#define SEARCH_WORDS 2 // vertices of a lane that are searched for together
#endif
#ifndef SEEK_SHARE
#define SEEK_SHARE 3 // a list is made when fewer than one in so many vertices are open
#endif
#ifndef SEEK_ARCS
#define SEEK_ARCS (1 << 17) // of the vertices on the list, up to which they seek rather than be pushed to
#endif

static const u32 NEAR = 2;                 // neighbours of a vertex that are tested first
static const u32 BATCH = SEARCH_WORDS * 32; // vertices that a warp searches for at once
static_assert(BATCH + SWEEP_WORDS * 32 <= ROOM, "those of a warp that are hoarded before");

// Seekers is where a superstep leaves who seeks on.
struct Seekers {
  u32 *list, *length; // null: no list is made
};

// Seek is one superstep: what its phases have in common.
struct Seek {
  const Run &r;
  const Params &p;
  i32 s;
  const u32 *front;
  u32 *next;
  Seekers seekers;
  bool same; // arcs are sent and received along the same

  // settle applies what v hears from u along arc e.
  __device__ __forceinline__ Fate settle(u32 v, u32 u, u64 e, u32 degree, bool kept, Found &found) const {
#if defined(EDGE_SOURCE)
    Message m = (Message)u;
#else
    Message m = along(peek(r.offers[0] + u), u, r.receive[0], e);
#endif
    bool stays = false;
    Value value = apply(vertex(r, v, degree, s, 0), value_of(r, p, v, kept), m, true, p, stays);
    Fate f = keep(r, p, v, value, stays, 0);
    if (f.awake) found.count++, found.arcs += degree;
    return f;
  }

  // leave counts the vertices that stay open, and puts them on the list if one is made:
  // those of K words, the bits of word q in lane q.
  template <u32 K>
  __device__ __forceinline__ void leave(u32 open, const u32 (&v)[K], const u32 (&length)[K], Found &found) const {
    found.waiting += __popc(open);
    if (!seekers.list || !__any_sync(~0u, open)) return;
    u32 scan = warp_scan(__popc(open)), at = 0;
    if (lane() == 31) at = atomicAdd(seekers.length, scan);
    at = __shfl_sync(~0u, at, 31);
#pragma unroll
    for (u32 q = 0; q < K; q++) {
      u32 word = __shfl_sync(~0u, open, q), before = __shfl_sync(~0u, scan, q) - __popc(word);
      if (!(word >> lane() & 1)) continue;
      found.rest += length[q];
      seekers.list[at + before + __popc(word & ((1u << lane()) - 1))] = v[q];
    }
  }

  // set marks what has become of v, in words that others may write.
  __device__ __forceinline__ void set(u32 v, const Fate &f) const {
    u32 bit = 1u << (v & 31);
    if (f.awake) atomicOr(next + (v >> 5), bit);
    if (f.settled) atomicOr(r.settled + (v >> 5), bit);
  }

  // search has up to K vertices of each lane look at their neighbours from number
  // skip on, which they have. All lanes of the warp call it; has has the bits of
  // those vertices of a lane that there are.
  template <u32 K>
  __device__ __forceinline__ void search(u32 has, const u32 (&v)[K], u32 skip, Found &found) const {
    const Arcs &a = r.receive[0];
    Offset at[K], end[K];
    u32 kept = 0;
    Hit h[K];
#pragma unroll
    for (u32 q = 0; q < K; q++) {
      bool mine = has >> q & 1;
      at[q] = mine ? a.offsets[v[q]] + skip : 0;
      end[q] = mine ? a.offsets[v[q] + 1] : 0;
      kept |= (u32)is_kept(r, v[q]) << q;
      h[q].from = NONE;
    }
    first_awake<K>(a, front, at, end, h);
    u32 open = 0, length[K];
#pragma unroll
    for (u32 q = 0; q < K; q++) {
      Fate f = {false, false, false};
      length[q] = (u32)(end[q] - at[q]) + skip;
      if (h[q].from != NONE) {
        f = settle(v[q], h[q].from, h[q].arc, same ? length[q] : out_degree(r, v[q]), kept >> q & 1, found);
        set(v[q], f);
      }
      u32 stays = __ballot_sync(~0u, (has >> q & 1) && !f.settled);
      if (lane() == q) open = stays;
    }
    leave<K>(open, v, length, found);
  }
};

// Hoard holds vertices of a warp that have more neighbours than were tested, in
// shared memory.
struct Hoard {
  u32 *room;
  u32 held;

  // add puts v there, where has.
  __device__ __forceinline__ void add(bool has, u32 v) {
    u32 mask = __ballot_sync(~0u, has);
    if (has) room[held + __popc(mask & ((1u << lane()) - 1))] = v;
    held += __popc(mask);
  }

  // spend searches for the last that were put there, as many as a batch has.
  __device__ __forceinline__ void spend(const Seek &k, Found &found) {
    u32 base = held > BATCH ? held - BATCH : 0;
    u32 has = 0, v[SEARCH_WORDS];
    __syncwarp();
#pragma unroll
    for (u32 q = 0; q < SEARCH_WORDS; q++) {
      u32 i = base + q * 32 + lane();
      has |= (u32)(i < held) << q;
      v[q] = i < held ? room[i] : 0;
    }
    __syncwarp();
    held = base;
    k.search<SEARCH_WORDS>(has, v, NEAR, found);
  }
};

// sweep_words has the open vertices of a few words look at their first neighbours.
// Lane q has the bits of word number q. Loads have no condition, which is in their address,
// and barriers of the warp between them: else the compiler waits for what one brings before
// it issues the next, and they are not under way together.
__device__ __forceinline__ void sweep_words(const Seek &k, u32 base, Hoard &hoard, Found &found) {
  const Run &r = k.r;
  const Arcs &a = r.receive[0];
  u32 word = base + lane();
  bool in = lane() < SWEEP_WORDS && word < r.ends;
  u32 done = in ? r.settled[word] : ~0u, kept = in && r.lazy ? r.kept[word] : 0;
  u32 open = in ? r.receivers[word] & ~done : 0, woken = 0;
  if (__any_sync(~0u, open)) {
    Offset from[SWEEP_WORDS], to[SWEEP_WORDS];
    u32 u[SWEEP_WORDS][NEAR], bits[SWEEP_WORDS][NEAR], length[SWEEP_WORDS], v[SWEEP_WORDS], hits = 0;
#pragma unroll
    for (u32 q = 0; q < SWEEP_WORDS; q++) {
      [[maybe_unused]] u32 row = base + q < r.ends ? base + q : base;
      v[q] = (base + q) * 32 + lane();
#if NEARED
#pragma unroll
      for (u32 j = 0; j < NEAR; j++) u[q][j] = __ldcs(r.near + ((u64)row * NEAR + j) * 32 + lane());
#endif
      u32 at = v[q] < r.n ? v[q] : r.n - 1;
      from[q] = a.offsets[at], to[q] = a.offsets[at + 1];
    }
    __syncwarp();
#pragma unroll
    for (u32 q = 0; q < SWEEP_WORDS; q++) {
      length[q] = __shfl_sync(~0u, open, q) >> lane() & 1 ? (u32)(to[q] - from[q]) : 0;
#if !NEARED
#pragma unroll
      for (u32 j = 0; j < NEAR; j++) u[q][j] = a.targets[length[q] > j ? from[q] + j : 0];
#endif
    }
#if !NEARED
    __syncwarp();
#endif
#pragma unroll
    for (u32 q = 0; q < SWEEP_WORDS; q++)
#pragma unroll
      for (u32 j = 0; j < NEAR; j++) bits[q][j] = k.front[length[q] > j ? u[q][j] >> 5 : 0];
    __syncwarp();
#pragma unroll
    for (u32 q = 0; q < SWEEP_WORDS; q++)
#pragma unroll
      for (u32 j = 0; j < NEAR; j++) hits |= (u32)(length[q] > j && bits[q][j] >> (u[q][j] & 31) & 1) << (q * NEAR + j);
    u32 stays = 0, set = 0;
#pragma unroll
    for (u32 q = 0; q < SWEEP_WORDS; q++) {
      Fate f = {false, false, false};
      u32 heard = NONE, e = 0;
#pragma unroll
      for (int j = NEAR - 1; j >= 0; j--)
        if (hits >> (q * NEAR + j) & 1) heard = u[q][j], e = j;
      bool hit = hits >> q * NEAR & ((1u << NEAR) - 1), keeps = __shfl_sync(~0u, kept, q) >> lane() & 1;
      if (hit) f = k.settle(v[q], heard, (u64)from[q] + e, k.same ? length[q] : out_degree(r, v[q]), keeps, found);
      bool further = !hit && length[q] > NEAR;
      u32 awake = __ballot_sync(~0u, f.awake), settled = __ballot_sync(~0u, f.settled), hoarded = __ballot_sync(~0u, further);
      if (lane() == q) woken = awake, set = settled, stays = open & ~settled & ~hoarded;
      hoard.add(further, v[q]);
    }
    k.leave<SWEEP_WORDS>(stays, v, length, found);
    if (set) r.settled[word] = done | set;
  }
  if (in) k.next[word] = woken;
}

// empty_words empties a bitmap from a word on.
__device__ __forceinline__ void empty_words(const Run &r, u32 *bits, u32 from) {
  for (u32 i = from + global_thread(); i < r.words; i += global_threads()) bits[i] = 0;
}

// sweep_phase has all open vertices seek.
__device__ __forceinline__ void sweep_phase(const Seek &k, Found &found) {
  Hoard hoard = {warp_room(), 0};
  empty_words(k.r, k.next, k.r.ends);
  u32 step = global_warps() * SWEEP_WORDS;
  for (u32 base = global_warp() * SWEEP_WORDS; base < k.r.ends; base += step) {
    sweep_words(k, base, hoard, found);
    bool last = base + step >= k.r.ends;
    while (hoard.held >= BATCH || last && hoard.held) hoard.spend(k, found);
  }
}

// listed_phase has those of a list seek that are still open.
__device__ __forceinline__ void listed_phase(const Seek &k, const u32 *list, u32 count, Found &found) {
  for (u32 base = spread() * 32; base < count; base += global_threads()) {
    bool has = base + lane() < count;
    u32 v[1] = {has ? list[base + lane()] : 0};
    k.search<1>(has && !(peek(k.r.settled + (v[0] >> 5)) >> (v[0] & 31) & 1), v, 0, found);
  }
}
#endif
