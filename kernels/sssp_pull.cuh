// Shortest paths on a graph with hubs whose in-arcs are sorted by weight: pushes
// while few vertices change, then bounded sweeps. Parents: sssp_nearest.cuh.
//
// Method: a push round relaxes the arcs of those who changed in the round before.
// From the first round on that would be larger than PUSH_MOST, every vertex pulls,
// in place: it looks at its in-arcs, the lightest first, and stops at the first of
// weight w with cmin + w >= its distance, cmin being the least distance that was
// given in the round before. Hubs are near and so look at few of their arcs; the
// others have few. In the first HUB_SWEEPS sweeps only those with long lists look,
// so that the others find them near. Once a sweep has changed few, which it has
// marked, these are listed, and pushed: a sweep looks at all that is not finished,
// whoever changes. After LEAN_SWEEPS sweeps that changed less than LEAN each, what
// is left may be long and thin: it is pushed, too.
//
// Invariant: after each round, d(v) <= d(u) + w for every arc (u,v) whose source
// has not changed in it. A push round relaxes all others. In a sweep, take an arc
// from u that does not change in it. If d(u) + w < d(v) before, u has changed in
// the round before, so d(u) >= cmin: v is not finished, that is, d(v) > cmin + the
// least weight, and either looks at the arc or stops before it, with d(v) <= cmin +
// w. A vertex changes once a sweep at the most, so that cmin is below its final
// distance of the round. Whether it sees what others write in the same sweep makes
// no difference to this: what it sees is the length of a path, and never less than
// what will be there. When no vertex changes, the invariant says that all
// distances are final. Rounding of floats is monotone, which is all that is used;
// the least weight may be 0. Where not all have looked, cmin stays: it is no more
// than any distance that was given since all did.
//
// Cost: 7 to 12 sweeps were measured with weights of 1 to 255 on Kronecker graphs
// (Meyer and Sanders, Δ-stepping, 2003, for light and heavy arcs; Beamer, Asanović
// and Patterson, Direction-optimizing breadth-first search, SC 2012, for pulling).
#pragma once
#include "lightest.cuh"
#include "worklist.cuh"

#if DIST_KIND == 2
typedef double Weight;
__device__ __forceinline__ Weight weight(const Head &head, u32 k) { return (double)__uint_as_float(head.weight(k)); }
#else
typedef u32 Weight;
__device__ __forceinline__ Weight weight(const Head &head, u32 k) { return head.weight(k); }
#endif

typedef Dist Word;
#include "sweep_rows.cuh"

// Minimum over the lanes of a full warp, in every lane.
__device__ __forceinline__ u32 warp_least(u32 x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, x);
#else
  for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(~0u, x, d));
  return x;
#endif
}
__device__ __forceinline__ u64 warp_least(u64 x) {
  for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// What bodies that look for the least have in common.
template <class T> struct Least {
  typedef T Best;
  __device__ __forceinline__ static T better(T a, T b) { return min(a, b); }
  __device__ __forceinline__ static T of_warp(T x) { return warp_least(x); }
  __device__ __forceinline__ static Word nothing() { return FAR; }
};

#ifndef SWEEP_BLOCKS
#define SWEEP_BLOCKS 2  // on a multiprocessor
#endif
#ifndef PUSH_MOST
#define PUSH_MOST 4096  // vertices and chunks of a push round
#endif
#ifndef HUB_SWEEPS
#define HUB_SWEEPS 1  // of the long lists alone, before the others
#endif
#ifndef LEAN
#define LEAN 512
#endif
#ifndef LEAN_SWEEPS
#define LEAN_SWEEPS 16
#endif
#ifndef MARK_FROM
#define MARK_FROM 8  // after a sweep that changed so many times what is few, those who change are marked
#endif
#ifndef FEW_ITEMS
#define FEW_ITEMS 2  // vertices and chunks of a push round after sweeps, by what is few
#endif

// What a round does.
enum { PUSH, SWEEP, LIST };

__device__ __forceinline__ Weight weight_from(u64 x) {
#if DIST_KIND == 2
  return __longlong_as_double((i64)x);
#else
  return (Weight)x;
#endif
}

// d + w, or the greatest distance there is.
__device__ __forceinline__ Dist offer(Dist d, Weight w) {
  Dist to = plus(d, w);
  return to < d ? FAR - 1 : min(to, FAR - 1);
}

// Relaxes the arcs of a list. Once the next list is longer than most it is not
// read: nothing is added to it.
struct Spread {
  const Offset *offsets;
  const void *weights;
  Dist *dist;
  u32 *listed, *next_listed;
  const u64 *counts;  // of the next list
  u64 most;           // vertices and chunks of it
  Pusher *out;
  Dist least;  // of the distances given
  bool over, full;

  __device__ __forceinline__ bool open(u32 v, bool first, Dist &d) {
    if (first) unmark(listed, v);
    d = peek(dist + v);
    return true;
  }

  __device__ __forceinline__ void visit(Arcs<Dist> &a) {
    Dist to[AHEAD], was[AHEAD];
    if (!full) full = items_of(peek(counts)) > most;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      if (a.ok[k]) {
        to[k] = plus(a.value[k], weight_of(weights, a.index[k]));
#if DIST_KIND == 0
        if (to[k] < a.value[k] || to[k] == FAR) over = true, a.ok[k] = false;
#endif
      }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) was[k] = a.ok[k] ? peek(dist + a.target[k]) : FAR;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      a.ok[k] = a.ok[k] && to[k] < was[k] && to[k] < lower(dist + a.target[k], to[k]);
      if (a.ok[k]) least = min(least, to[k]);
    }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      a.ok[k] = a.ok[k] && !full && mark(next_listed, a.target[k]);
      Offset degree = a.ok[k] ? __ldg(offsets + a.target[k] + 1) - __ldg(offsets + a.target[k]) : 0;
      out->push(a.ok[k], a.target[k], degree);
    }
  }
};

// A sweep.
struct Lower : Least<Dist> {
  static const bool FINAL = false;
  static const u32 LOOKS = SWEEP_LOOKS;
  Dist *dist;
  u32 *marks;       // of those who change; null: none are wanted
  Dist cmin, done;  // done: up to here distances are final
  Dist least;       // of the distances given
  u32 changed;
  bool over;

  __device__ __forceinline__ bool open(u32, Dist d) { return d > done; }
  __device__ __forceinline__ void skip(u32) {}
  __device__ __forceinline__ Dist first(Dist d) { return d; }
  __device__ __forceinline__ bool past(Weight w, Dist best, Dist) { return offer(cmin, w) >= best; }
  __device__ __forceinline__ void take(Dist &best, u32, Weight w, Dist x, Dist) {
    Dist to = plus(x, w);
#if DIST_KIND == 0
    if (to < x || to == FAR) over = true, to = FAR;
#endif
    best = min(best, to);
  }
  __device__ __forceinline__ void close(u32 v, Dist d, Dist best) {
    if (best >= d) return;
    dist[v] = best;
    if (marks) mark(marks, v);
    least = min(least, best);
    changed++;
  }
};

// The end of a round: the least distance that was given goes to the next, and
// what the blocks bring is added up. An overflow or, from the grid's first thread,
// late makes it LEAVE or more.
static const u64 LEAVE = 1ull << 40;

__device__ __forceinline__ u64 end_round(State *state, Grid &grid, u32 round, Dist least, bool over, u64 bring, bool late) {
  __syncwarp();
  least = warp_least(least);
  least = block_least(lane() == 0 ? least : FAR);
  if (threadIdx.x == 0 && least < FAR) atomicMin(&state->least[(round + 1) & 3], (u64)least);
  if (over) state->overflow = 1;
  if (global_thread() == 0 && (late || peek(&state->overflow))) bring += LEAVE;
  return grid.sync(bring);
}

// The slots of the round after the next.
__device__ __forceinline__ void clear_slots(State *state, u32 round) {
  if (global_thread() != 0) return;
  state->counts[(round + 2) & 3] = 0;
  state->least[(round + 2) & 3] = FAR;
}

// Lists those who are marked. Two rounds after the sweep it is in their bitmap that Spread looks
// for the list's marks, and takes them away.
__device__ __forceinline__ void list_marked(u32 n, const Offset *offsets, const u32 *marks, Pusher &out) {
  each_word(n, marks, [&](u32 at, u32 word) { out.word(at, word, offsets); });
}

// Pushes, unless sweeps are due, until nothing changes, a sum has not fitted, the
// next list is too long, or the time is over. The state's scanned is what the next
// round does; its least of a round is the least distance given in the round before,
// FAR if none was. After sweeps it first lists those who have changed in the last;
// few is how many may be left for it then, 0 if it has to be lean.
// again: it is the second launch of it without the host between, for what sweeps have left.
extern "C" __global__ void __launch_bounds__(512, 2)
    sssp_push(u32 n, const Offset *offsets, const u32 *targets, const void *weights, void *distances, u32 *bits0, u32 *bits1, u32 *list0, u32 *list1, uint2 *chunks0, uint2 *chunks1,
              State *state, u32 few, u32 again, u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  if (peek(&state->relaxed) || peek(&state->scanned) == SWEEP || again && peek(&state->scanned) != LIST) return;
  Dist *dist = (Dist *)distances;
  Lists lists = {list0, list1, chunks0, chunks1};
  Grid grid(again ? state->again_barrier : state->barrier);
  u64 start = nanoseconds(), rounds = 0, vertices = 0, arcs = 0;
  u32 round = peek(&state->round), phase = peek(&state->scanned), marks = peek(&state->marks), relaxed = 0;
  u64 most = marks == NO_MARKS ? PUSH_MOST : max((u64)PUSH_MOST, (u64)FEW_ITEMS * few);
  Pusher out;
  for (;;) {
    u64 counts = peek(&state->counts[round & 3]);
    Dist least = (Dist)peek(&state->least[round & 3]);
    relaxed = least >= FAR;
    if (items_of(counts) > most) phase = SWEEP;
    if (relaxed || phase == SWEEP) {
      if (rounds == 0) grid.sync();  // all have read the state
      break;
    }
    clear_slots(state, round);
    u64 *next = &state->counts[(round + 1) & 3];
    out.begin(buffers[threadIdx.x >> 5], lists.vertices(round + 1), lists.chunks(round + 1), next);
    bool odd = round & 1, over = false;
    if (phase == LIST) {
      list_marked(n, offsets, marks ? bits1 : bits0, out);
    } else {
      Spread body = {offsets, weights, dist, odd ? bits1 : bits0, odd ? bits0 : bits1, next, most, &out, FAR, false, false};
      arcs += visit_chunks<Dist>(body, global_warp(), lists.chunks(round), chunks_of(counts), offsets, targets);
      arcs += visit_list<Dist>(body, last_warp(), lists.vertices(round), vertices_of(counts), offsets, targets);
      vertices += vertices_of(counts);
      least = body.least;
      over = body.over;
    }
    out.end();
    phase = PUSH;
    u64 sum = end_round(state, grid, round++, least, over, 0, nanoseconds() - start > limit);
    rounds++;
    if (sum >= LEAVE) break;
  }
  if (lane() == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (global_thread() != 0) return;
  state->round = round;
  state->scanned = phase;
  state->changed = UNKNOWN;
  state->rounds += rounds;
  state->vertices += vertices;
  state->relaxed = relaxed;
}

// Sweeps, when they are due, until nothing changes, a sum has not fitted, little
// changes, or the time is over. Each empties the place of the marks of the next.
extern "C" __global__ void __launch_bounds__(512, SWEEP_BLOCKS)
    sssp_sweep(u32 n, const Offset *in_offsets, const u32 *in_targets, const void *in_weights, const uint4 *heads, const uint4 *head_weights, void *distances, u32 *bits0, u32 *bits1,
               State *state, const u32 *bounds, u64 least_weight, u32 few, u64 limit) {
  __shared__ Room room;
  if (peek(&state->relaxed) || peek(&state->scanned) != SWEEP) return;
  Rows rows = {in_offsets, in_targets, in_weights, heads, head_weights, (const Dist *)distances, (const Dist *)distances, &room, {0, 0}};
  Grid grid(state->sweep_barrier);
  u64 start = nanoseconds(), last = peek(&state->changed);
  u32 round = peek(&state->round), rounds = 0, lean = 0, relaxed = 0, phase = SWEEP;
  for (u32 turn = 0; phase == SWEEP; turn++) {
    Dist least = (Dist)peek(&state->least[round & 3]);
    relaxed = least >= FAR;
    if (relaxed) {
      if (rounds == 0) grid.sync();  // all have read the state
      break;
    }
    clear_slots(state, round);
    if (global_thread() == 0 && state->bound == 0) state->bound = least;
    bool hubs = turn < HUB_SWEEPS && bounds[1] > 0;
    bool marks = !hubs && (last <= (u64)MARK_FROM * few || lean + 1 >= LEAN_SWEEPS && last < UNKNOWN);
    u32 *own = round & 1 ? bits1 : bits0, *next = round & 1 ? bits0 : bits1;
    for (u64 i = global_thread(); i < ((u64)n + 31) / 32; i += global_threads()) next[i] = 0;
    Lower body = {{}, (Dist *)distances, marks ? own : nullptr, least, offer(least, weight_from(least_weight)), FAR, 0, false};
    rows.all(body, hubs ? 0 : bounds[0], bounds[1], bounds[2]);
    u32 changed = block_sum(body.changed);
    bool late = !hubs && nanoseconds() - start > limit;  // the next launch begins with the hubs again
    u64 sum = end_round(state, grid, round++, hubs ? least : body.least, body.over, changed, late);
    rounds++;
    if (!hubs) last = sum % LEAVE, lean = last < LEAN ? lean + 1 : 0;
    if (marks && last > 0 && (last <= few || lean >= LEAN_SWEEPS)) phase = LIST;
    if (sum >= LEAVE) break;
  }
  block_add(&state->arcs, rows.looked.arcs);
  block_add(&state->vertices, rows.looked.vertices);
  if (global_thread() != 0) return;
  state->round = round;
  state->scanned = phase;
  state->changed = last;
  if (phase == LIST) state->marks = (round - 1) & 1;
  state->rounds += rounds;
  state->relaxed = relaxed;
}

// Finds what all looks at.
extern "C" __global__ void __launch_bounds__(256) sssp_bounds(u32 n, const Offset *offsets, u32 *bounds) { find_bounds(n, offsets, bounds); }
