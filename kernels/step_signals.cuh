// Messages that are bits (SIGNALS): how they are set when pushed, and applied to all who
// have got one.
//
// Invariant: between supersteps all bits are 0; who applies takes them back.
#pragma once

#include "step_vertices.cuh"

#if SIGNALS
#ifndef ALONE
#define ALONE 16 // runs of lanes with one word each, up to which they have one atomic operation a run
#endif

// mark sets the bit of each lane's vertex, where wants, and tells for which the lane was
// the first. Lists of hubs have most vertices of the words that hubs have, in their order,
// and those of several hubs come at once: so lanes that follow one another and have one
// word set its bits together.
__device__ __forceinline__ bool mark(u32 *bits, u32 v, bool wants) {
  u32 word = wants ? v >> 5 : NONE, bit = wants ? 1u << (v & 31) : 0, before = __shfl_up_sync(~0u, word, 1);
  bool heads = lane() == 0 || before != word;
  u32 runs = __ballot_sync(~0u, heads);
  if (__popc(runs) > ALONE) return wants && !(atomicOr(bits + word, bit) & bit);
  u32 begin = 31 - __clz(runs & (2u << lane()) - 1), after = lane() == 31 ? 0 : runs & ~0u << (lane() + 1);
  u32 end = after ? __ffs(after) - 2 : 31, all = bit, old = 0;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    u32 x = __shfl_up_sync(~0u, all, d);
    if (lane() >= begin + d) all |= x;
  }
  u32 earlier = __shfl_up_sync(~0u, all, 1); // a list may have a vertex twice
  if (lane() > begin && earlier & bit) wants = false;
  if (word != NONE && lane() == end) old = atomicOr(bits + word, all);
  old = __shfl_sync(~0u, old, end);
  return wants && !(old & bit);
}

#ifndef APPLY_BITS
#define APPLY_BITS 2 // vertices of a lane whose degrees are under way together
#endif
#ifndef RUN_WORDS
#define RUN_WORDS 64 // of bits for each warp, from which on those that it takes are in runs of eight
#endif

// nth_bit is the place of bit number k, of those set.
__device__ __forceinline__ u32 nth_bit(u32 word, u32 k) {
  u32 at = 0;
#pragma unroll
  for (u32 step = 16; step; step >>= 1) {
    u32 below = __popc(word & ((1u << step) - 1));
    if (k < below) continue;
    k -= below, word >>= step, at += step;
  }
  return at;
}

// apply_bits applies to all touched vertices, and makes bits of those left awake. A warp
// has up to 32 words, whose vertices are dealt out to its lanes. They are of runs of eight
// at the most that lie far apart, as those touched lie side by side in an order by degree.
__device__ __forceinline__ void apply_bits(const Run &r, const Params &p, i32 s, u32 side, u32 *next, Found &found) {
  u32 *awake = warp_room(), *over = awake + 32;
  u32 run = r.words < RUN_WORDS * global_warps() ? 1 : 8, runs = (r.words + run - 1) / run;
  u32 each = (runs + global_warps() - 1) / global_warps(), most = 32 / run;
  each = each < most ? each : most;
  u32 groups = (runs + each - 1) / each;
  for (u32 group = global_warp(); group < groups; group += global_warps()) {
    u32 word = (lane() / run * groups + group) * run + lane() % run;
    bool in = lane() / run < each && word < r.words;
    u32 bits = in ? r.touched[side][word] : 0, done = in ? r.settled[word] : 0;
    u32 open = bits & ~done, scan = warp_scan(__popc(open)), total = __shfl_sync(~0u, scan, 31);
    if (bits) r.touched[side][word] = 0;
    awake[lane()] = over[lane()] = 0;
    __syncwarp();
    for (u32 first = 0; first < total; first += 32 * APPLY_BITS) {
      u32 v[APPLY_BITS], degree[APPLY_BITS], owner[APPLY_BITS];
      bool kept[APPLY_BITS];
#pragma unroll
      for (u32 k = 0; k < APPLY_BITS; k++) {
        u32 i = first + k * 32 + lane(), at = 0; // the first lane whose scan is above i
#pragma unroll
        for (u32 step = 16; step; step >>= 1)
          if (__shfl_sync(~0u, scan, at + step - 1) <= i) at += step;
        at = at < 31 ? at : 31;
        u32 from = __shfl_sync(~0u, open, at), before = __shfl_sync(~0u, scan, at) - __popc(from), of = __shfl_sync(~0u, word, at);
        owner[k] = at, v[k] = i < total ? of * 32 + nth_bit(from, i - before) : NONE;
        degree[k] = i < total ? out_degree(r, v[k]) : 0, kept[k] = i < total && is_kept(r, v[k]);
      }
      __syncwarp(); // what is above is under way together
#pragma unroll
      for (u32 k = 0; k < APPLY_BITS; k++) {
        if (v[k] == NONE) continue;
        TRACE(found.awake += HEARD;)
        bool wakes = false;
        Value x = apply(vertex(r, v[k], degree[k], s, 0), value_of(r, p, v[k], kept[k]), IDENTITY, true, p, wakes);
        Fate f = keep(r, p, v[k], x, wakes, 0);
        u32 bit = 1u << (v[k] & 31);
        if (f.awake) found.count++, found.arcs += degree[k], atomicOr(awake + owner[k], bit);
        if (f.settled) atomicOr(over + owner[k], bit);
      }
    }
    __syncwarp();
    if (in) next[word] = awake[lane()];
    if (over[lane()]) r.settled[word] = done | over[lane()];
    __syncwarp();
  }
}
#endif
