// Weakly connected components where vertices stand by degree, those with most
// arcs first: label[v] becomes the least vertex joined to v.
//
// Method: every vertex goes from first neighbour to first neighbour as long as
// that is less; the first neighbour is the one with most arcs. Ways to the top are
// a few steps long, and nearly all end at vertex 0: by then they have their label,
// without an atomic operation and without a look at offsets. The others have a bit
// set, climb on, and join all their neighbours. Vertices below 0 need not: the
// vertex at the other end of an arc that leads out has its bit set and reads that
// arc, or it has come in since. In a directed graph both sides are read.
//
// Those below 0 that are still on their way are brought there by the same pass: to
// climb while others join ends at an ancestor all the same, and a last pass brings
// all who were outside to their roots.
//
// Invariant: as in wcc.cuh; 0 is a root for good. The answer is right whatever the
// order of the vertices; if 0 is alone, all the others have their bits set.
//
// Launches: hubs_first; hubs_rest, with a barrier of the grid between its passes,
// which ends there if nobody was outside.
//
// Cost: two first neighbours of each vertex, a write of its label, and the lists of
// those outside. (Afforest without its rounds of sampling: Sutton, Ben-Nun and
// Barak, 2018.)
#include "wcc.cuh"
#include "first.cuh"

#ifndef HUBS_STEPS
#define HUBS_STEPS 4 // along first neighbours; longer ways are climbed later
#endif
#ifndef HUBS_WORDS
#define HUBS_WORDS 4 // words of bits that a warp loads together
#endif

// First neighbours of both directions; in is none where one is enough.
struct Firsts {
  const u32 *out, *in;
};

// Where v goes from v: to itself if it is less than its first neighbours.
__device__ __forceinline__ u32 upward(Firsts f, u32 v) {
  u32 to = min(v, __ldg(f.out + first_at(v, 0)));
  return f.in ? min(to, __ldg(f.in + first_at(v, 0))) : to;
}

// Every lane goes up with WCC_BATCH vertices at a time.
__device__ __forceinline__ void ascend(Firsts f, u32 (&at)[WCC_BATCH] TALLY(, Tally &tally)) {
#pragma unroll 1
  for (u32 step = 1; step < HUBS_STEPS; step++) {
    u32 above[WCC_BATCH];
    bool moved = false;
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) above[k] = at[k] ? upward(f, at[k]) : 0;
    TALLY(for (u32 k = 0; k < WCC_BATCH; k++) tally.arcs += at[k] ? f.in ? 2 : 1 : 0;)
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      moved |= above[k] != at[k];
      at[k] = above[k];
    }
    if (!__any_sync(~0u, moved)) break;
  }
}

// Vertices from active on have no arcs.
extern "C" __global__ void __launch_bounds__(256) hubs_first(const u32 *out_first, const u32 *in_first, u32 n, u32 active, u32 *label, u32 *outside, Control *control) {
  TALLY(Tally tally;)
  if (global_thread() < 4) control->barrier[global_thread()] = 0;
  if (global_thread() == 4) control->pieces = 0;
  Firsts f = {out_first, in_first};
  for (u64 base = (u64)global_warp() * 32 * WCC_BATCH; base < active; base += (u64)global_warps() * 32 * WCC_BATCH) {
    u32 at[WCC_BATCH];
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      u64 v = base + 32 * k + lane();
      at[k] = v < active ? upward(f, (u32)v) : 0;
      TALLY(tally.arcs += v < active ? f.in ? 2 : 1 : 0;)
    }
    ascend(f, at TALLY(, tally));
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      u64 v = base + 32 * k + lane();
      if (v < active) label[v] = at[k];
      u32 bits = __ballot_sync(~0u, at[k] != 0);
      if (lane() == 0 && v < active) outside[v / 32] = bits;
    }
  }
  for (u64 v = (u64)active + global_thread(); v < n; v += global_threads()) label[v] = (u32)v;
  TALLY(__syncwarp();)
  TALLY(tally.flush(control->tally);)
}

// The vertices with bits set that a warp looks after: words of its own, as far
// apart as there are warps, so that all have some where few are set.
struct Outside {
  const u32 *words;
  u32 count;

  __device__ __forceinline__ u64 word(u64 at, u32 k) const { return at + (u64)k * global_warps(); }

  // The words from at on, and the bits that are set in any of them.
  __device__ __forceinline__ u32 load(u64 at, u32 (&bits)[HUBS_WORDS]) const {
    u32 any = 0;
#pragma unroll
    for (u32 k = 0; k < HUBS_WORDS; k++) {
      bits[k] = word(at, k) < count ? __ldg(words + word(at, k)) : 0;
      any |= bits[k];
    }
    return any;
  }
};

// rise brings the vertices of a few words to their roots, and returns which are not
// below 0. All lanes call it.
__device__ __forceinline__ u32 rise(Outside o, u64 at, const u32 (&bits)[HUBS_WORDS], u32 *label) {
  u32 root[HUBS_WORDS], above[HUBS_WORDS], looks = 0; // bit k: vertex k of the lane
#pragma unroll
  for (u32 k = 0; k < HUBS_WORDS; k++) root[k] = bits[k] >> lane() & 1 ? peek(label + o.word(at, k) * 32 + lane()) : 0;
#pragma unroll
  for (u32 k = 0; k < HUBS_WORDS; k++) above[k] = root[k] ? peek(label + root[k]) : 0;
#pragma unroll
  for (u32 k = 0; k < HUBS_WORDS; k++) {
    if (above[k] != root[k]) root[k] = climb(label, (u32)o.word(at, k) * 32 + lane(), root[k], above[k]);
    looks |= (root[k] != 0) << k;
  }
  return looks;
}

// Those outside join all their neighbours, unless they have come in; tells whether
// one of the lane's has. All lanes call it.
__device__ __forceinline__ bool join_outside(Outside o, Side out, Side in, u32 *label, Control *control, u64 *pieces TALLY(, Tally &tally)) {
  bool any = false;
  for (u64 at = global_warp(); at < o.count; at += (u64)global_warps() * HUBS_WORDS) {
    u32 bits[HUBS_WORDS];
    if (!o.load(at, bits)) continue;
    u32 looks = rise(o, at, bits, label);
    any |= looks != 0;
#pragma unroll 1
    for (u32 k = 0; k < HUBS_WORDS; k++) {
      u32 v = (u32)o.word(at, k) * 32 + lane();
      bool one = looks >> k & 1;
      if (!__any_sync(~0u, one)) continue;
      u32 root = one ? peek(label + v) : 0;
      join_vertices(out, 0, one, v, root, label, control, pieces TALLY(, tally));
      if (in.offsets) join_vertices(in, INWARD, one, v, root, label, control, pieces TALLY(, tally));
    }
  }
  return any;
}

__device__ __forceinline__ void rise_outside(Outside o, u32 *label) {
  for (u64 at = global_warp(); at < o.count; at += (u64)global_warps() * HUBS_WORDS) {
    u32 bits[HUBS_WORDS];
    if (o.load(at, bits)) rise(o, at, bits, label);
  }
}

extern "C" __global__ void __launch_bounds__(512, 2)
    hubs_rest(const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, u32 active, u32 *label, const u32 *outside, Control *control, u64 *pieces) {
  Grid grid(control->barrier);
  Outside o = {outside, (u32)(((u64)active + 31) / 32)};
  Side out = {out_offsets, out_targets}, in = {in_offsets, in_targets};
  TALLY(Tally tally;)
  bool any = __syncthreads_or(join_outside(o, out, in, label, control, pieces TALLY(, tally)));
  TALLY(tally.flush(control->tally);)
  if (grid.sync(any) == 0) return;
  if (control->pieces) {
    TALLY(tally = Tally();)
    join_pieces(out, in, label, control, pieces TALLY(, tally));
    TALLY(tally.flush(control->tally);)
    grid.sync();
  }
  rise_outside(o, label);
}
