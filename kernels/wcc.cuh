// What wcc.cu and wcc_hubs.cu know: trees of labels, and the lists of neighbours
// that are joined by a lane, by a warp, or in pieces by many.
//
// Invariant: label[v] <= v, and following labels from v ends at a vertex of v's
// component that is its own label, a root. Roots are joined the greater under the
// lesser, so the last root of a component is its least vertex.
#pragma once
#include "tally.cuh"

#ifndef LANE_LIST
#define LANE_LIST 16
#endif
#ifndef WARP_LIST
#define WARP_LIST 1024
#endif
#ifndef WCC_BATCH
#define WCC_BATCH 4 // vertices of a lane that are loaded together
#endif

// What is kept between launches; programs/wcc/device.go knows its size.
struct Control {
  u64 barrier[4]; // of wcc_hubs.cu
  u32 giant;      // the root of the component whose vertices need not look; NONE
  u32 pieces;     // on the list
  u32 seen;       // of a traced run: how many arcs of the sample end in the giant
  u32 sure;       // most arcs were seen to end in the giant
  u32 joined;     // roots were, since labels were last made flat
  u64 tally[2];   // of a traced run
};
static_assert(sizeof(Control) == 72, "as in programs/wcc/device.go");

// One direction of the arcs; nowhere, if offsets are none.
struct Side {
  const Offset *offsets;
  const u32 *targets;
};

// root_of follows labels from v, and halves the way. Whatever the order in which
// threads write, a label only moves on to one nearer to the root.
__device__ __forceinline__ u32 root_of(u32 *label, u32 v) {
  u32 above = peek(label + v);
  while (above != v) {
    u32 next = peek(label + above);
    if (next == above) return above;
    __stcg(label + v, next);
    v = next;
    above = peek(label + v);
  }
  return v;
}

// unite joins the trees of two vertices, and returns their root.
__device__ u32 unite(u32 *label, u32 a, u32 b TALLY(, Tally &tally)) {
  for (;;) {
    a = root_of(label, a);
    b = root_of(label, b);
    if (a == b) return a;
    u32 high = max(a, b), low = min(a, b);
    TALLY(tally.atomics++;)
    if (atomicCAS(label + high, high, low) == high) return low;
    a = high;
    b = low;
  }
}

// The first neighbour of each of a lane's vertices, which are base + 32k + lane;
// NONE where there is none.
__device__ __forceinline__ void first_neighbours(Side s, u64 base, u32 n, u32 (&first)[WCC_BATCH]) {
  Offset from[WCC_BATCH], end[WCC_BATCH];
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++) {
    u64 v = base + 32 * k + lane();
    from[k] = end[k] = 0;
    if (v < n) from[k] = __ldg(s.offsets + v), end[k] = __ldg(s.offsets + v + 1);
  }
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++) first[k] = from[k] < end[k] ? __ldg(s.targets + from[k]) : NONE;
}

// within goes on from where the lanes of a warp go, as long as that is in their own word.
__device__ __forceinline__ u32 within(u32 word, u32 to) {
  for (;;) {
    u32 above = __shfl_sync(~0u, to, to & 31);
    if (to >> 5 != word) above = to;
    if (!__any_sync(~0u, above != to)) return to;
    to = above;
  }
}

// Every vertex goes below its first neighbour, which is the least, if that is
// less than itself, and below that one's in the same word. Those from active on have none.
__device__ __forceinline__ void begin_labels(Side out, u32 n, u32 active, u32 *label TALLY(, Tally &tally)) {
  for (u64 base = (u64)global_warp() * 32 * WCC_BATCH; base < active; base += (u64)global_warps() * 32 * WCC_BATCH) {
    u32 first[WCC_BATCH];
    first_neighbours(out, base, active, first);
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      u64 v = base + 32 * k + lane();
      TALLY(tally.arcs += v < active && first[k] != NONE;)
      u32 to = within((u32)(v >> 5), min((u32)v, first[k]));
      if (v < active) label[v] = to;
    }
  }
  for (u64 v = (u64)active + global_thread(); v < n; v += global_threads()) label[v] = (u32)v;
}

// climb goes on from v, whose label is at and the label of that above, to the
// root, and writes it to v; only v's thread writes there. Where roots are joined
// meanwhile, what it ends at was a root a moment ago. Each thread publishes how far it has come for those behind it, so
// that a way of any length takes a logarithm of steps.
__device__ __forceinline__ u32 climb(u32 *label, u32 v, u32 at, u32 above) {
  while (above != at) {
    at = above;
    __stcg(label + v, at);
    if (at == 0) break;
    above = peek(label + at);
  }
  return at;
}

// A thread joins a vertex of root `root` with neighbours from to end, step apart. It returns
// whether any has another label: where labels are flat, whether roots are joined.
__device__ __forceinline__ bool join_list(const u32 *targets, u32 *label, u32 root, u64 from, u64 end, u32 step TALLY(, Tally &tally)) {
  bool joins = false;
  for (u64 e = from; e < end; e += 4 * step) {
    u32 u[4], r[4];
#pragma unroll
    for (u32 j = 0; j < 4; j++) u[j] = e + j * step < end ? targets[e + j * step] : NONE;
#pragma unroll
    for (u32 j = 0; j < 4; j++) r[j] = u[j] != NONE ? peek(label + u[j]) : root;
#pragma unroll
    for (u32 j = 0; j < 4; j++)
      if (r[j] != root) root = unite(label, root, r[j] TALLY(, tally)), joins = true;
    TALLY(for (u32 j = 0; j < 4; j++) tally.arcs += u[j] != NONE;)
  }
  return joins;
}

// A warp whose lanes know whether they have joined roots tells all; few warps do so twice.
__device__ __forceinline__ void tell_joined(Control *control, bool joins) {
  if (__any_sync(~0u, joins) && lane() == 0) control->joined = 1;
}

// Pieces of in-arcs have this bit set in their number.
static const u32 INWARD = 1u << 31;

// The lanes of a warp join a vertex each, v of root `root`, with its neighbours
// on one side, if it looks. A lane reads its own list if that is short; the warp
// reads the longer ones; of the longest, pieces go on a list. It returns what join_list does.
__device__ __forceinline__ bool join_vertices(Side s, u32 flag, bool looks, u32 v, u32 root, u32 *label, Control *control, u64 *pieces TALLY(, Tally &tally)) {
  u64 from = 0, end = 0;
  bool joins = false;
  if (looks) from = s.offsets[v], end = s.offsets[v + 1];
  if (end - from <= LANE_LIST) {
    joins = join_list(s.targets, label, root, from, end, 1 TALLY(, tally));
    from = end;
  }
  u32 left = __ballot_sync(~0u, from < end);
  while (left) {
    int owner = __ffs(left) - 1;
    left &= left - 1;
    u64 lo = __shfl_sync(~0u, from, owner), hi = __shfl_sync(~0u, end, owner);
    u32 r = __shfl_sync(~0u, root, owner), its = __shfl_sync(~0u, v, owner);
    u64 degree = hi - lo;
    if (degree <= WARP_LIST) {
      joins |= join_list(s.targets, label, r, lo + lane(), hi, 32 TALLY(, tally));
    } else {
      u32 count = (u32)((degree + WARP_LIST - 1) / WARP_LIST), at = 0;
      if (lane() == 0) at = atomicAdd(&control->pieces, count);
      at = __shfl_sync(~0u, at, 0);
      for (u32 i = lane(); i < count; i += 32) pieces[at + i] = (u64)its << 32 | i | flag;
    }
  }
  return joins;
}

// The pieces of long lists, a warp each. It returns what join_list does.
__device__ __forceinline__ bool join_pieces(Side out, Side in, u32 *label, const Control *control, const u64 *list TALLY(, Tally &tally)) {
  u32 count = control->pieces;
  bool joins = false;
  for (u64 i = global_warp(); i < count; i += global_warps()) {
    u64 piece = peek(list + i);
    u32 v = (u32)(piece >> 32), number = (u32)piece;
    Side s = number & INWARD ? in : out;
    u64 from = s.offsets[v] + (u64)(number & ~INWARD) * WARP_LIST;
    u64 end = min((u64)s.offsets[v + 1], from + WARP_LIST);
    joins |= join_list(s.targets, label, peek(label + v), from + lane(), end, 32 TALLY(, tally));
  }
  return joins;
}
